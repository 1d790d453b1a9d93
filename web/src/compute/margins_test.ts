import { describe, expect, test } from "vitest";
import type { HistogramBin, MarginComparison, MarginGroup, Margins } from "../data/margins";
import { strings } from "../strings";
import { drawnGroups, marginsOf, outcomeOf, outcomes, scatterRange, stacksOf, totalOf } from "./margins";

const bin: HistogramBin = { low: -1, high: 0, good_good: 0, bad_bad: 5, good_bad: 0, bad_good: 2 };

const comparison = (name: string, groups: Partial<MarginGroup>[]): MarginComparison => ({
  arm: { name, model: null, precision: null, bits_per_weight: null },
  control: false,
  groups: groups as MarginGroup[],
  carriers: { rise: 0, listed_rise: 0, decisions: [] },
});

const margins = (...comparisons: MarginComparison[]): Margins => ({
  schema: "unmask.margins/1",
  reference: { name: "bf16", model: null, precision: null, bits_per_weight: null },
  decisions: 0,
  tasks: 0,
  episodes: 0,
  comparisons,
});

describe("outcomes of decisions", () => {
  test.each([
    [1, 1, "kept_good"],
    [1, 0, "good_bad"],
    [0, 0, "kept_bad"],
    [0, 0.1, "bad_good"],
    [-1, -2, "kept_bad"],
  ])("margins %f and %f: %s", (reference, arm, key) => expect(outcomes[outcomeOf(reference, arm)]?.key).toBe(key));
  test("each has its words", () => {
    for (const outcome of outcomes) expect(strings.margins.outcome(outcome.key)).not.toBe("");
  });
});

describe("a histogram's bar", () => {
  test("stacks what is there, without gaps", () =>
    expect(stacksOf(bin)).toEqual([
      { outcome: 1, count: 5, from: 0, to: 5 },
      { outcome: 3, count: 2, from: 5, to: 7 },
    ]));
  test("is as high as its decisions", () => expect(totalOf(bin)).toBe(7));
});

describe("what is shown", () => {
  const two = margins(comparison("int8", []), comparison("int4", []));
  test("the chosen arm", () => expect(marginsOf(two, "int4")?.arm.name).toBe("int4"));
  test("the first where another is chosen", () => expect(marginsOf(two, "other")?.arm.name).toBe("int8"));
  test("nothing of no arm", () => expect(marginsOf(margins(), null)).toBeNull());
  test("groups by kind that have points", () => {
    const groups: Partial<MarginGroup>[] = [
      { by: "kind", name: "tool_name", points: [] },
      { by: "provenance", name: "novel" },
      { by: "kind", name: "call_or_answer", points: [] },
    ];
    expect(drawnGroups(comparison("int4", groups)).map((group) => group.name)).toEqual(["tool_name", "call_or_answer"]);
  });
});

describe("the scatter plot's axes", () => {
  test("hold 0 and leave single margins far out at the border", () => {
    const points = Array.from({ length: 200 }, (_, i): [number, number, number] => [i, 2 + i / 100, 1 + i / 100]);
    points.push([200, 500, 1]);
    const [low, high] = scatterRange(points);
    expect(low).toBe(-0.5);
    expect(high).toBeGreaterThan(3.5);
    expect(high).toBeLessThan(5);
  });
  test("of nothing are a range all the same", () => expect(scatterRange([])).toEqual([-1, 1]));
});
