import type { Figure } from "../data/findings";
import { betaQuantile, tQuantile } from "./special";

/** A task's numerator and denominator. The task is the cluster. */
export interface TaskTotal {
  a: number;
  b: number;
}

/** The same task in reference and arm. */
export interface TaskPair {
  ref: TaskTotal;
  arm: TaskTotal;
}

const smallestSe = 1e-12;
const noTasks = "no tasks";
const oneTask = "one task: no variance";
const noSpread = "no spread between tasks";
const emptyDenominator = "nothing to divide by: the denominator is 0";

export const missing = (reason: string): Figure => ({ value: null, low: null, high: null, reason });
const withoutInterval = (value: number, reason: string): Figure => ({ value, low: null, high: null, reason });
const withoutNoise = (se: number): number => (se < smallestSe ? 0 : se);

/** Neumaier's sum: what adding loses is added at the end. */
export function sumOf(values: readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

function wilson(share: number, observations: number, z: number): [number, number] {
  const z2n = (z * z) / observations;
  const centre = (share + z2n / 2) / (1 + z2n);
  const half = Math.sqrt(z2n * share * (1 - share) + (z2n * z2n) / 4) / (1 + z2n);
  return [share === 0 ? 0 : Math.max(centre - half, 0), share === 1 ? 1 : Math.min(centre + half, 1)];
}

function effectiveObservations(value: number, se: number, tasks: number): number {
  const spread = value * (1 - value);
  return spread <= 0 || se === 0 ? tasks : spread / (se * se);
}

function shareFigure(value: number, se: number, tasks: number): Figure {
  const [low, high] = wilson(value, effectiveObservations(value, se, tasks), tQuantile(0.975, tasks - 1));
  return { value, low, high };
}

function meanFigure(value: number, se: number | null, tasks: number): Figure {
  if (se === null) return withoutInterval(value, oneTask);
  if (se < smallestSe) return withoutInterval(value, noSpread);
  const half = tQuantile(0.975, tasks - 1) * se;
  return { value, low: value - half, high: value + half };
}

function moments(values: readonly number[]): { mean: number; se: number | null } {
  const n = values.length;
  const mean = sumOf(values) / n;
  if (n < 2) return { mean, se: null };
  let squares = 0;
  for (const value of values) squares += (value - mean) * (value - mean);
  return { mean, se: withoutNoise(Math.sqrt(squares / (n - 1) / n)) };
}

/** S(K): the mean over tasks of the share of trials that succeed, with Wilson's interval. */
export function score(tasks: readonly TaskTotal[]): Figure {
  if (tasks.length === 0) return missing(noTasks);
  const { mean, se } = moments(tasks.map((task) => task.a / task.b));
  return se === null ? withoutInterval(mean, oneTask) : shareFigure(mean, se, tasks.length);
}

/** Mean of reference minus arm over shared tasks: positive = the arm is worse. */
export function pairedDifference(tasks: readonly TaskPair[]): Figure {
  if (tasks.length === 0) return missing(noTasks);
  const { mean, se } = moments(tasks.map((task) => task.ref.a / task.ref.b - task.arm.a / task.arm.b));
  return meanFigure(Math.abs(mean) < smallestSe ? 0 : mean, se, tasks.length);
}

export type Interval = "korn_graubard" | "wilson" | "plain_t";

function linearisedSe(contributions: readonly number[]): number {
  const n = contributions.length;
  let squares = 0;
  for (const u of contributions) squares += u * u;
  return withoutNoise(Math.sqrt((n / (n - 1)) * squares));
}

function kornGraubard(share: number, nEff: number, observations: number, clusters: number): [number, number] {
  const ratio = tQuantile(0.975, observations - 1) / tQuantile(0.975, clusters - 1);
  const n = Math.min(observations, nEff * ratio * ratio);
  const successes = share === 1 ? n : share * n;
  const failures = n - successes;
  return [
    successes === 0 ? 0 : betaQuantile(0.025, successes, failures + 1),
    failures === 0 ? 1 : betaQuantile(0.975, successes + 1, failures),
  ];
}

/** R = sum a / sum b over tasks, clustered. */
export function rate(tasks: readonly TaskTotal[], kind: Interval): Figure {
  let a = 0;
  let b = 0;
  for (const task of tasks) {
    a += task.a;
    b += task.b;
  }
  if (tasks.length === 0) return missing(noTasks);
  if (b === 0) return missing(emptyDenominator);
  const value = a / b;
  if (tasks.length < 2) return withoutInterval(value, oneTask);
  const se = linearisedSe(tasks.map((task) => (task.a - value * task.b) / b));
  if (kind === "plain_t") return meanFigure(value, se, tasks.length);
  if (value < 0 || value > 1) return withoutInterval(value, "not a share: outside 0 to 1");
  if (kind === "wilson") return shareFigure(value, se, tasks.length);
  if (b < 2) return withoutInterval(value, "fewer than two observations");
  const [low, high] = kornGraubard(value, effectiveObservations(value, se, tasks.length), b, tasks.length);
  return { value, low, high };
}

/** A symmetric interval of a rate near 0 reaches below it, where no rate is. */
export function notNegative(figure: Figure): Figure {
  return figure.low === null ? figure : { ...figure, low: Math.max(figure.low, 0) };
}

/** R_arm / R_ref on shared tasks, with a delete-a-task jackknife on the logarithm. */
export function ratioOfRates(tasks: readonly TaskPair[]): Figure {
  const n = tasks.length;
  if (n === 0) return missing(noTasks);
  let refA = 0;
  let refB = 0;
  let armA = 0;
  let armB = 0;
  for (const task of tasks) {
    refA += task.ref.a;
    refB += task.ref.b;
    armA += task.arm.a;
    armB += task.arm.b;
  }
  if (refB === 0 || armB === 0) return missing(emptyDenominator);
  if (refA === 0) return missing("the reference's total is 0");
  if (armA === 0) return missing("the arm's total is 0");
  if (n < 2) return missing(oneTask);
  const ln = (ra: number, rb: number, aa: number, ab: number): number =>
    Math.log(aa) - Math.log(ab) - Math.log(ra) + Math.log(rb);
  const leftOut: number[] = [];
  for (const task of tasks) {
    const ra = refA - task.ref.a;
    const rb = refB - task.ref.b;
    const aa = armA - task.arm.a;
    const ab = armB - task.arm.b;
    if (ra <= 0 || aa <= 0) return missing("one task holds the whole total of an arm");
    if (rb <= 0 || ab <= 0) return missing("one task holds the whole denominator of an arm");
    leftOut.push(ln(ra, rb, aa, ab));
  }
  const whole = ln(refA, refB, armA, armB);
  const mean = sumOf(leftOut) / n;
  let squares = 0;
  for (const value of leftOut) squares += (value - mean) * (value - mean);
  const se = withoutNoise(Math.sqrt(((n - 1) / n) * squares));
  const half = tQuantile(0.975, n - 1) * se;
  return { value: Math.exp(whole), low: Math.exp(whole - half), high: Math.exp(whole + half) };
}

/** The p-quantile of sorted values, type 7. */
export function quantile(sorted: readonly number[], p: number): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) * p;
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (place - below) * (high - low);
}
