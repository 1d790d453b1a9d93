/** What the figures of margins show, from the findings alone: nothing is estimated here. */

import type { HistogramBin, MarginComparison, MarginGroup, Margins } from "../data/margins";

/** What became of a decision, in the order in which a histogram stacks them; keys of the shared words. */
export const outcomes = [
  { key: "kept_good", count: "good_good", shape: 0, tone: 1 },
  { key: "kept_bad", count: "bad_bad", shape: 1, tone: 0 },
  { key: "good_bad", count: "good_bad", shape: 3, tone: 2 },
  { key: "bad_good", count: "bad_good", shape: 2, tone: 3 },
] as const;

/** Index into `outcomes`; good is above 0, so that a tie is bad. */
export function outcomeOf(reference: number, arm: number): number {
  if (reference > 0) return arm > 0 ? 0 : 2;
  return arm > 0 ? 3 : 1;
}

export interface Stack {
  outcome: number;
  count: number;
  from: number;
  to: number;
}

/** The parts of a histogram's bar, from below; none of what is not there. */
export function stacksOf(bin: HistogramBin): Stack[] {
  const stacks: Stack[] = [];
  let below = 0;
  outcomes.forEach((outcome, i) => {
    const count = bin[outcome.count];
    if (count === 0) return;
    stacks.push({ outcome: i, count, from: below, to: below + count });
    below += count;
  });
  return stacks;
}

export function totalOf(bin: HistogramBin): number {
  return outcomes.reduce((sum, outcome) => sum + bin[outcome.count], 0);
}

/** The comparison of the arm that the reader looks at, or the first. */
export function marginsOf(margins: Margins, arm: string | null): MarginComparison | null {
  return margins.comparisons.find((comparison) => comparison.arm.name === arm) ?? margins.comparisons[0] ?? null;
}

/** Groups that have figures of their own: by kind of decision. */
export function drawnGroups(comparison: MarginComparison): MarginGroup[] {
  return comparison.groups.filter((group) => group.by === "kind" && group.points !== undefined);
}

/** Both ends of a scatter plot's axes: the middle 98 % of all margins, with 0 inside. */
export function scatterRange(points: readonly [number, number, number][]): [number, number] {
  const all = points.flatMap(([, reference, arm]) => [reference, arm]).sort((one, other) => one - other);
  if (all.length === 0) return [-1, 1];
  const at = (share: number): number => all[Math.round(share * (all.length - 1))] as number;
  return [Math.min(-0.5, at(0.01)), Math.max(0.5, at(0.99))];
}
