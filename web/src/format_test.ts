import { describe, expect, test } from "vitest";
import { interval, points, within } from "./format";

describe("within", () => {
  test("intervals end where their figure can lie", () => {
    const gap = { value: 0.9, low: -1.2, high: 1.04 };
    expect(interval(within(gap, -1, 1), points)).toBe(" [\u2212100.0, 100.0]");
    expect(gap.high).toBe(1.04);
    expect(within({ low: 0.1, high: 0.2 }, 0, 1)).toEqual({ low: 0.1, high: 0.2 });
    expect(within({ low: null, high: null }, 0, 1)).toEqual({ low: null, high: null });
  });
});
