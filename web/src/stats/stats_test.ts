import { describe, expect, it } from "vitest";
import { pairedDifference, quantile, rate, ratioOfRates, score, sumOf } from "./estimates";
import { betaCdf, betaQuantile, lgamma, tQuantile } from "./special";

describe("special functions", () => {
  // Closed forms: no other program's numbers are needed.
  it("knows the Gamma function", () => {
    expect(lgamma(1)).toBeCloseTo(0, 13);
    expect(lgamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 13);
    expect(lgamma(11)).toBeCloseTo(Math.log(3628800), 11);
  });
  it("knows the incomplete Beta function", () => {
    expect(betaCdf(0.3, 1, 1)).toBeCloseTo(0.3, 13); // uniform
    expect(betaCdf(0.3, 1, 5)).toBeCloseTo(1 - 0.7 ** 5, 13);
    expect(betaCdf(0.3, 4, 1)).toBeCloseTo(0.3 ** 4, 13);
    expect(betaCdf(0.5, 7.5, 7.5)).toBeCloseTo(0.5, 13); // symmetric
    expect(betaCdf(0, 2, 3)).toBe(0);
    expect(betaCdf(1, 2, 3)).toBe(1);
  });
  it("inverts it", () => {
    for (const [p, a, b] of [
      [0.025, 3.7, 210.4],
      [0.975, 0.6, 12],
      [0.5, 400, 2],
    ] as const)
      expect(betaCdf(betaQuantile(p, a, b), a, b)).toBeCloseTo(p, 11);
  });
  it("knows Student's t", () => {
    expect(tQuantile(0.975, 1)).toBeCloseTo(Math.tan(Math.PI * 0.475), 8); // Cauchy
    // df = 2: t = (2p - 1) sqrt(2 / (1 - (2p - 1)^2))
    expect(tQuantile(0.975, 2)).toBeCloseTo(0.95 * Math.sqrt(2 / (1 - 0.95 ** 2)), 10);
  });
});

describe("sums", () => {
  it("lose nothing", () => {
    expect(sumOf([1e16, 1, -1e16])).toBe(1);
    expect(sumOf([])).toBe(0);
  });
});

describe("score", () => {
  it("has a reason where it can't be had", () => {
    expect(score([])).toEqual({ value: null, low: null, high: null, reason: "no tasks" });
    expect(score([{ a: 1, b: 4 }])).toEqual({ value: 0.25, low: null, high: null, reason: "one task: no variance" });
  });
  it("weighs tasks equally", () => {
    expect(score([{ a: 1, b: 1 }, { a: 0, b: 100 }]).value).toBe(0.5);
  });
  it("stays between 0 and 1", () => {
    const all = score([{ a: 2, b: 2 }, { a: 3, b: 3 }]);
    expect(all.high).toBe(1);
    expect(all.low).toBeGreaterThan(0);
    const none = score([{ a: 0, b: 2 }, { a: 0, b: 3 }]);
    expect(none.low).toBe(0);
    expect(none.high).toBeLessThan(1);
  });
});

describe("rates", () => {
  it("are null without a denominator", () => {
    expect(rate([{ a: 0, b: 0 }, { a: 0, b: 0 }], "korn_graubard").value).toBeNull();
  });
  it("bound a rate of 0 from above", () => {
    const figure = rate([{ a: 0, b: 50 }, { a: 0, b: 40 }], "korn_graubard");
    expect(figure.low).toBe(0);
    expect(figure.high).toBeGreaterThan(0);
  });
  it("say that a quotient over 1 is no share", () => {
    expect(rate([{ a: 3, b: 1 }, { a: 2, b: 1 }], "wilson")).toMatchObject({ value: 2.5, low: null });
  });
});

describe("ratios and differences", () => {
  const pair = (ra: number, aa: number): { ref: { a: number; b: number }; arm: { a: number; b: number } } => ({
    ref: { a: ra, b: 10 },
    arm: { a: aa, b: 10 },
  });
  it("collapse where arms are proportional", () => {
    const figure = ratioOfRates([pair(1, 2), pair(2, 4), pair(3, 6)]);
    expect(figure.value).toBeCloseTo(2, 12);
    expect(figure.low).toBeCloseTo(2, 9);
  });
  it("need errors in more than one task of both arms", () => {
    expect(ratioOfRates([pair(0, 1), pair(0, 2)]).reason).toBe("the reference's total is 0");
    expect(ratioOfRates([pair(1, 0), pair(2, 0)]).reason).toBe("the arm's total is 0");
    expect(ratioOfRates([pair(3, 1), pair(0, 2)]).reason).toBe("one task holds the whole total of an arm");
  });
  it("of equal arms are exactly 0", () => {
    expect(pairedDifference([pair(1, 1), pair(3, 3)])).toMatchObject({ value: 0, low: null, reason: "no spread between tasks" });
  });
});

describe("quantiles", () => {
  it("are those of type 7", () => {
    expect(quantile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(quantile([1, 2, 3, 4], 0.9)).toBeCloseTo(3.7, 12);
    expect(quantile([], 0.5)).toBeNull();
  });
});
