import { describe, expect, it } from "vitest";
import { defaultSemantics } from "../budget/semantics";
import type { Arm, Cell, Findings } from "../data/findings";
import type { Body } from "../data/blocks";
import { bodyHolds } from "../data/blocks";
import { rowsOf, type PackedRows } from "../data/rows";
import { studyOf, type Study } from "../model";
import { counterpart, entriesOf, filtered, isLost, linked, linkTo, noFilters, type Entry } from "./entries";
import { hashOf, linkOf } from "./link";
import { commonPrefix, openingTurn, unitsOf } from "./transcript";

// Two arms with two tasks of two trials; the arm's tasks stand in another order. The second call of each episode
// fails where the trial is 1, by a name that belongs to the other party.
function study(): Study {
  const arm = (name: string, tasks: string[], pair: number[]): PackedRows["cells"][0]["arms"][0] => ({
    arm: name, role: "compared", names: ["get_order", "toggle_data"], kinds: ["", "wrong_owner"], tasks, pair,
    episodes: {
      task: [0, 0, 1, 1], trial: [0, 1, 0, 1], flags: [1, 1, 0, 2], termination: Array(4).fill("user_stop"), messages: Array(4).fill(5),
      turns: Array(4).fill(2), communication: Array(4).fill(0), prompt_tokens: Array(4).fill(null), completion_tokens: Array(4).fill(null),
      seconds: Array(4).fill(null), usd: Array(4).fill(null), calls: Array(4).fill(2), block: [0, 0, 1, -1], place: [0, 1, 0, -1],
    },
    calls: {
      name: [0, 0, 0, 1, 0, 0, 0, 1], kind: [0, 0, 0, 1, 0, 0, 0, 1], message: [1, 3, 1, 3, 1, 3, 1, 3],
      flags: [0, 0, 0, 2 | (1 << 2) | (1 << 5), 0, 0, 0, 2 | (1 << 2) | (1 << 5)],
    },
  });
  const rows = rowsOf({ version: 1, selection: "all", cells: [{ cell: "shop", arms: [arm("bf16", ["t1", "t2"], [0, 1]), arm("int4", ["t2", "t1"], [1, 0])] }] });
  const findings = (name: string): Arm => ({ arm: name, reference: name === "bf16", score: [{}, {}, {}], budget: { k: null, counts: "both" } }) as unknown as Arm;
  const cell = { cell: "shop", reference: "bf16", arms: [findings("bf16"), findings("int4")], comparisons: [{ arm: "int4", k_obs: 3 }] } as unknown as Cell;
  return studyOf({ cells: [cell] } as unknown as Findings, rows);
}

const choice = { cell: 0, arm: "", k: null, semantics: defaultSemantics };
const at = (entries: Entry[], arm: string, task: string, trial: number): Entry => {
  const found = linked(entries, { cell: "shop", arm, task, trial, turn: null });
  if (found === null) throw new Error(`no ${arm} ${task} ${trial}`);
  return found;
};

describe("the list", () => {
  const entries = entriesOf(study());
  const found = (change: Partial<typeof noFilters>, k: number | null = null, hits: Set<string> | null = null): number =>
    filtered(entries, { ...noFilters, ...change }, { ...choice, k }, hits).length;
  it("holds every episode", () => expect(entries.length).toBe(8));
  it.each([
    [{ arm: "int4" }, 4],
    [{ outcome: "solved" }, 4],
    [{ outcome: "failed" }, 2],
    [{ outcome: "vanished" }, 2],
    [{ task: "T1" }, 4],
    [{ errors: 1 }, 4],
    [{ channel: "tool_name" }, 4],
    [{ channel: "entity" }, 0],
    [{ name: "toggle" }, 4],
    [{ name: "get_order" }, 8],
    [{ name: "get_order", channel: "tool_name" }, 0], // called there, but it did not fail
    [{ outcome: "lost" }, 0],
    [{ cell: 1 }, 0],
  ] as const)("filters %j", (change, count) => expect(found(change)).toBe(count));
  it("knows what a smaller budget loses", () => {
    expect(found({ outcome: "lost" }, 1)).toBe(2);
    expect(isLost(at(entries, "bf16", "t1", 1), { ...choice, k: 1 })).toBe(true);
    expect(isLost(at(entries, "bf16", "t1", 0), { ...choice, k: 1 })).toBe(false);
  });
  it("keeps what a search found", () => expect(found({}, null, new Set(["0 1"]))).toBe(2));
  it("links to each episode and back", () => {
    for (const entry of entries) {
      const link = linkOf(hashOf(linkTo(entry, 3)));
      expect(link === null ? null : linked(entries, link)).toBe(entry);
    }
    expect(linked(entries, { cell: "shop", arm: "int4", task: "t9", trial: 0, turn: null })).toBeNull();
  });
  it("finds the same task in the other arm, whatever its number there", () => {
    const other = counterpart(entries, at(entries, "bf16", "t2", 1), "int4");
    expect(other === null ? null : linkTo(other, null)).toMatchObject({ arm: "int4", task: "t2", trial: 1 });
  });
});

const body = (result: string): Body => ({
  id: "e1", reward: 1, record: "", termination: "user_stop", note: "",
  messages: [
    { role: "user", text: "Hello" },
    { role: "agent", text: "", calls: [0, 1] },
    { role: "tool", answers: 0 },
    { role: "agent", text: "", calls: [1, 1] },
    { role: "tool", text: "Error", answers: 1 },
  ],
  calls: [
    { name: "get_order", party: "agent", message: 1, arguments: "{}", result, answered: true, failed: false },
    { name: "toggle_data", party: "agent", message: 3, arguments: "{}", result: "Error", answered: true, failed: true },
  ],
});

describe("the transcript", () => {
  const entries = entriesOf(study());
  const entry = at(entries, "bf16", "t1", 1);
  it("puts results into their calls and says what each failure cost", () => {
    const units = unitsOf(entry, body("{}"), defaultSemantics, 3);
    expect(units.map((unit) => unit.turn)).toEqual([0, 1, 3]);
    expect(units[2]?.calls[0]).toMatchObject({ failed: true, channel: "tool_name", kind: "wrong_owner", evidence: "structure", spent: 1, ends: false });
    expect(openingTurn(units)).toBe(3);
    expect(openingTurn(unitsOf(at(entries, "bf16", "t1", 0), body("{}"), defaultSemantics, 3))).toBeNull();
  });
  it("tells where two arms part", () => {
    const units = (result: string): ReturnType<typeof unitsOf> => unitsOf(entry, body(result), defaultSemantics, 3);
    expect(commonPrefix(units("{}"), units("{}"))).toBe(3);
    expect(commonPrefix(units("{}"), units("{1}"))).toBe(1);
    expect(commonPrefix([], units("{}"))).toBe(0);
  });
  it("shows calls that the rows do not have", () => {
    const longer = body("{}");
    longer.calls.push({ name: "extra", party: "agent", message: 3, arguments: "{}", result: "", answered: false, failed: true });
    longer.messages[3] = { role: "agent", calls: [1, 2] };
    const units = unitsOf(entry, longer, defaultSemantics, 3);
    expect(units[2]?.calls[1]).toMatchObject({ failed: true, channel: "other", evidence: "none" });
  });
  it("is searched in every text, without regard to case", () => {
    for (const wanted of ["hello", "toggle_data", "error", "e1"]) expect(bodyHolds(body("{}"), wanted)).toBe(true);
    expect(bodyHolds(body("{}"), "absent")).toBe(false);
  });
});
