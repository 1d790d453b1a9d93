import { describe, expect, it } from "vitest";
import { rowsOf, type ArmRows, type Episode } from "../data/rows";
import { callsRun, counterfactual, defaultSemantics, spentAfter, type Semantics } from "./semantics";

// Calls as letters: a, u = good call of agent, user; A, U = failed; a bar ends a message.
function episode(text: string, flags = 1): { arm: ArmRows; episode: Episode } {
  const calls = { name: [] as number[], kind: [] as number[], message: [] as number[], flags: [] as number[] };
  let message = 0;
  for (const letter of text) {
    if (letter === "|") {
      ++message;
      continue;
    }
    calls.name.push(0);
    calls.kind.push(0);
    calls.message.push(message);
    calls.flags.push((letter.toLowerCase() === "u" ? 1 : 0) | (letter === letter.toUpperCase() ? 2 | (1 << 2) : 0));
  }
  const one = [0];
  const rows = rowsOf({
    version: 1,
    selection: "none",
    cells: [
      {
        cell: "c",
        arms: [
          {
            arm: "a",
            role: "compared",
            names: ["f"],
            kinds: [""],
            tasks: ["t"],
            pair: [0],
            episodes: {
              task: one, trial: one, flags: [flags], termination: ["user_stop"], messages: [message + 1], turns: one, communication: one,
              prompt_tokens: [null], completion_tokens: [null], seconds: [null], usd: [null], calls: [calls.name.length], block: [-1], place: [-1],
            },
            calls,
          },
        ],
      },
    ],
  });
  const arm = rows.cells[0]?.arms[0] as ArmRows;
  return { arm, episode: arm.episodes[0] as Episode };
}

const free = { k: null, counts: "both" } as const;
const under = (change: Partial<Semantics>): Semantics => ({ ...defaultSemantics, ...change });

describe("counterfactual", () => {
  const cases: [string, Partial<Semantics>, number][] = [
    ["", {}, 1],
    ["a|a", {}, 1],
    ["A|a|A|a", {}, 3],
    ["A|U|A|a", { counts: "agent" }, 3],
    ["A|a|A|A|a", { how: "consecutive" }, 3],
    ["A|U|a|A", { how: "consecutive" }, 3],
    ["A|u|A", { how: "consecutive", counts: "agent" }, 3], // the user's success ends no row of the agent
    ["A|u|A", { how: "consecutive" }, 2],
    ["AAa|a", { how: "consecutive" }, 1], // within a message the row is over before it is tested
    ["AAa|a", { how: "consecutive", tested: "call" }, 3],
    ["A|A", { ends: "exceed" }, 2],
    ["", { ends: "exceed" }, 0],
  ];
  it.each(cases)("of %s under %j needs %i lives", (text, change, lives) => {
    const { arm, episode: one } = episode(text);
    expect(counterfactual(arm, one, free, under(change))).toEqual({ lives, beyond: "passed" });
  });
  it("is unknown beyond a stop, which proves that the budget was spent", () => {
    const { arm, episode: one } = episode("A|A", 8);
    expect(counterfactual(arm, one, { k: 10, counts: "both" }, defaultSemantics)).toEqual({ lives: 11, beyond: "unknown" });
    expect(counterfactual(arm, one, { k: 10, counts: "both" }, under({ how: "consecutive" }))).toEqual({ lives: 3, beyond: "unknown" });
    expect(counterfactual(arm, one, { k: 10, counts: "both" }, under({ counts: "agent" }))).toEqual({ lives: 3, beyond: "unknown" });
    expect(counterfactual(arm, one, { k: 10, counts: "both" }, under({ ends: "exceed" }))).toEqual({ lives: 10, beyond: "unknown" });
  });
  it("without a channel counts the rest", () => {
    const { arm, episode: one } = episode("A|U|A");
    expect(counterfactual(arm, one, free, defaultSemantics, new Set([1])).lives).toBe(2); // the user's stays
  });
});

describe("calls that run", () => {
  it("go on to the end of the message", () => {
    const { arm, episode: one } = episode("A|AAa|a");
    expect(callsRun(arm, one, defaultSemantics, 2)).toBe(4);
    expect(callsRun(arm, one, under({ tested: "call" }), 2)).toBe(2);
    expect(callsRun(arm, one, defaultSemantics, 4)).toBe(5);
  });
  it("spend the budget one by one", () => {
    const { arm, episode: one } = episode("A|aA|U");
    expect(spentAfter(arm, one, defaultSemantics)).toEqual([1, 1, 2, 3]);
  });
});
