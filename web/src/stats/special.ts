/** Special functions, accurate to about 1e-13 where the page needs them. */

// Lanczos, g = 7, 9 terms (Godfrey's coefficients).
const lanczos = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Gamma(x), x > 0. */
export function lgamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - lgamma(1 - x);
  const z = x - 1;
  let sum = lanczos[0] as number;
  for (let i = 1; i < lanczos.length; ++i) sum += (lanczos[i] as number) / (z + i);
  const t = z + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}

// Continued fraction of the incomplete beta function, by Lentz's method.
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let h = d;
  for (let m = 1; m <= 2000; ++m) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    c = 1 + even / c;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    if (Math.abs(c) < tiny) c = tiny;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    c = 1 + odd / c;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    if (Math.abs(c) < tiny) c = tiny;
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 1e-16) break;
  }
  return h;
}

/** Regularised incomplete beta function I_x(a, b). */
export function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

// The root of an increasing function in [low, high], by Ridders' method (1979) down to the last digits.
function root(f: (x: number) => number, low: number, high: number): number {
  let fLow = f(low);
  let fHigh = f(high);
  if (fLow >= 0) return low;
  if (fHigh <= 0) return high;
  let last = Number.NaN;
  for (let i = 0; i < 100; ++i) {
    const middle = (low + high) / 2;
    const fMiddle = f(middle);
    const next = middle + ((middle - low) * -fMiddle) / Math.sqrt(fMiddle * fMiddle - fLow * fHigh);
    const fNext = f(next);
    if (fNext === 0 || Math.abs(next - last) <= 1e-15 * Math.abs(next)) return next;
    last = next;
    if (fMiddle < 0 && fNext > 0) {
      [low, fLow, high, fHigh] = [middle, fMiddle, next, fNext];
    } else if (fMiddle > 0 && fNext < 0) {
      [low, fLow, high, fHigh] = [next, fNext, middle, fMiddle];
    } else if (fNext < 0) {
      [low, fLow] = [next, fNext];
    } else {
      [high, fHigh] = [next, fNext];
    }
  }
  return (low + high) / 2;
}

/** The x at which I_x(a, b) = p. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (p <= 0) return 0;
  if (p >= 1) return 1;
  return root((x) => betaCdf(x, a, b) - p, 0, 1);
}

const quantiles = new Map<string, number>();

/** Student's t: the value that `p` > 0.5 of its mass lies below. */
export function tQuantile(p: number, df: number): number {
  const key = `${p} ${df}`;
  const known = quantiles.get(key);
  if (known !== undefined) return known;
  const tail = 2 * (1 - p);
  // P(|T| > t) = I_x(df/2, 1/2) at x = df / (df + t^2).
  const t = root((value) => tail - betaCdf(df / (df + value * value), df / 2, 0.5), 0, 1e6);
  quantiles.set(key, t);
  return t;
}
