/** An episode as it is shown: messages with their calls, what each call cost, where arms part. */

import type { Body, BodyCall } from "../data/blocks";
import { channelOf, channels, evidenceOf, evidences, hasFailed } from "../data/rows";
import { spentAfter, callsRun, type Semantics } from "../budget/semantics";
import type { Entry } from "./entries";

export interface ShownCall {
  call: BodyCall;
  failed: boolean;
  channel: string;
  kind: string;
  evidence: string;
  /** Counted errors after it; null for calls that came with the task. */
  spent: number | null;
  /** The budget ends the episode after it. */
  ends: boolean;
}

export interface Unit {
  /** Number of the message. */
  turn: number;
  role: "system" | "agent" | "user" | "tool";
  text: string;
  calls: ShownCall[];
  failed: boolean;
}

/** Messages in order. Results stand in the calls that they answer, not in messages of their own. */
export function unitsOf(entry: Entry, body: Body, semantics: Semantics, k: number): Unit[] {
  const { rows } = entry.side;
  const { episode } = entry;
  const spent = spentAfter(rows, episode, semantics);
  const run = callsRun(rows, episode, semantics, k);
  const total = episode.end - episode.first;
  let live = 0;
  const shown = body.calls.map((call): ShownCall => {
    if (call.history === true) return { call, failed: call.failed, channel: "", kind: "", evidence: "", spent: null, ends: false };
    const at = episode.first + live;
    const known = live < total;
    const flags = known ? (rows.calls.flags[at] as number) : call.failed ? 2 | (5 << 2) | (4 << 5) : 0;
    const failed = hasFailed(flags);
    const shownCall: ShownCall = {
      call,
      failed,
      channel: failed ? (channels[channelOf(flags)] ?? "other") : "",
      kind: failed && known ? (rows.kinds[rows.calls.kind[at] as number] ?? "") : "",
      evidence: failed ? (evidences[evidenceOf(flags)] ?? "none") : "",
      spent: spent[live] ?? null,
      ends: run < total && live === run - 1,
    };
    ++live;
    return shownCall;
  });
  const units: Unit[] = [];
  body.messages.forEach((message, turn) => {
    if (message.role === "tool" && message.answers !== undefined && (message.text === undefined || body.calls[message.answers]?.result === message.text)) return;
    const calls = message.calls === undefined ? [] : shown.slice(message.calls[0], message.calls[0] + message.calls[1]);
    units.push({ turn, role: message.role, text: message.text ?? "", calls, failed: calls.some((call) => call.failed) });
  });
  return units;
}

function same(one: Unit, other: Unit): boolean {
  return (
    one.role === other.role &&
    one.text === other.text &&
    one.calls.length === other.calls.length &&
    one.calls.every((call, i) => {
      const twin = (other.calls[i] as ShownCall).call;
      return call.call.name === twin.name && call.call.arguments === twin.arguments && call.call.result === twin.result;
    })
  );
}

/** How many messages from the first on are the same in both. */
export function commonPrefix(one: readonly Unit[], other: readonly Unit[]): number {
  let n = 0;
  while (n < one.length && n < other.length && same(one[n] as Unit, other[n] as Unit)) ++n;
  return n;
}

/** The message to open at: the agent's first failed call, else anybody's, else the first. */
export function openingTurn(units: readonly Unit[]): number | null {
  const byAgent = units.find((unit) => unit.calls.some((call) => call.failed && call.call.party === "agent" && call.call.history !== true));
  return (byAgent ?? units.find((unit) => unit.failed))?.turn ?? null;
}
