/** What the page says of screens. */

import { describe, expect, test } from "vitest";
import type { ArmScreen, Comparison } from "../data/findings";
import { lossTable } from "../plot/loss_plot";
import { foretoldTable, ScreenSection } from "./screen_view";

const screen: ArmScreen = {
  arm: "bf16",
  risk: "high",
  reasons: ["tool_name errors are 19.5 % of calls"],
  k_obs: 2,
  budgets: [2],
  what_if: [
    {
      factor: 2.5,
      points: [
        { k: 1, lost: 12.34, low: 10, high: 14 },
        { k: 2, lost: null, low: null, high: null, reason: "one task" },
      ],
    },
  ],
};
const figure = (value: number): { value: number; low: number; high: number } => ({ value, low: value - 1, high: value + 1 });

describe("screen", () => {
  test("losses by budget, a dash where there is none", () => {
    expect(lossTable(screen)).toEqual({
      head: ["K", "×2.5"],
      rows: [
        ["1", "12.3 [10.0, 14.0]"],
        ["2", "—"],
      ],
    });
  });
  test("foretold and observed, only of arms that have it", () => {
    const arms = [
      { arm: "int4", foretold: { factor: { value: 2, low: null, high: null }, points: [{ k: 2, predicted: figure(5), observed: figure(7), difference: figure(2) }] } },
      { arm: "fp8" },
    ] as unknown as Comparison[];
    expect(foretoldTable(arms).rows).toEqual([["int4", "×2.0", "2", "5.0 [4.0, 6.0]", "7.0 [6.0, 8.0]", "2.0 [1.0, 3.0]"]]);
  });
  test("no section without a screen", () => {
    expect(ScreenSection({ cell: { comparisons: [] } as never })).toBeNull();
  });
});
