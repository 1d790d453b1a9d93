/** Figures of an arm and of two arms at any budget and semantics, from the rows. */

import type { Arm, Figure } from "../data/findings";
import { byUser, channelOf, hasFailed, type ArmRows, type Episode } from "../data/rows";
import { callsRun, counterfactual, keyOf, type Counterfactual, type Ignored, type Semantics } from "../budget/semantics";
import { missing, notNegative, pairedDifference, quantile, rate, ratioOfRates, score, type TaskPair, type TaskTotal } from "../stats/estimates";

/** Channels and roll-ups as the audit shows them; `channels` are numbers of data/rows. */
interface Selector {
  name: string;
  channels: number[];
  exceptKind?: string;
}
export const selectors: readonly Selector[] = [
  { name: "malformed", channels: [0] },
  { name: "tool_name", channels: [1] },
  { name: "arguments", channels: [2] },
  { name: "entity", channels: [3] },
  { name: "precondition", channels: [4] },
  { name: "other", channels: [5] },
  { name: "entity_argument", channels: [2, 3] },
  { name: "tool_name_nobody", channels: [1], exceptKind: "wrong_owner" },
];

export interface Setting {
  k: number;
  semantics: Semantics;
}

/** An arm with what the findings say of it. */
export interface Side {
  rows: ArmRows;
  findings: Arm;
}

/** The largest budget at which the arm's score is given: K_obs, or the largest shown. */
export const kObs = (side: Side): number => side.findings.score.length;

// The value of `key` for `rows`, made when it is asked for first: curves don't follow the slider.
function kept<T>(all: WeakMap<ArmRows, Map<string, T>>, rows: ArmRows, key: string, make: () => T): T {
  let known = all.get(rows);
  if (known === undefined) all.set(rows, (known = new Map<string, T>()));
  let found = known.get(key);
  if (found === undefined) known.set(key, (found = make()));
  return found;
}

const outcomes = new WeakMap<ArmRows, Map<string, Counterfactual[]>>();

/** Every episode's counterfactual outcome; excluded ones have one too, which nobody asks for. */
export function outcomesOf(side: Side, semantics: Semantics, ignored?: Ignored, label = ""): Counterfactual[] {
  return kept(outcomes, side.rows, `${keyOf(semantics)} ${label}`, () =>
    side.rows.episodes.map((episode) => counterfactual(side.rows, episode, side.findings.budget, semantics, ignored)),
  );
}

/** Whether an episode passes at `k`; unknown outcomes as `end` says. */
export function passes(outcome: Counterfactual, k: number, end: "low" | "high"): boolean {
  return k >= outcome.lives && (outcome.beyond === "passed" || (outcome.beyond === "unknown" && end === "high"));
}

interface TaskScores {
  trials: number[];
  low: number[];
  high: number[];
}

function taskScores(side: Side, k: number, all: Counterfactual[]): TaskScores {
  const zeros = (): number[] => new Array<number>(side.rows.tasks.length).fill(0);
  const scores: TaskScores = { trials: zeros(), low: zeros(), high: zeros() };
  side.rows.episodes.forEach((episode, i) => {
    if (episode.excluded !== "") return;
    const outcome = all[i] as Counterfactual;
    (scores.trials[episode.task] as number)++;
    if (passes(outcome, k, "low")) (scores.low[episode.task] as number)++;
    if (passes(outcome, k, "high")) (scores.high[episode.task] as number)++;
  });
  return scores;
}

const totals = (a: readonly number[], b: readonly number[]): TaskTotal[] =>
  a.map((value, i) => ({ a: value, b: b[i] as number })).filter((task) => task.b > 0);

export interface ScoreAt {
  k: number;
  score: Figure;
  /** Where outcomes are unknown: unknown ones failed, and passed. */
  lower: number | null;
  upper: number | null;
}

export function scoreAt(side: Side, { k, semantics }: Setting): ScoreAt {
  const scores = taskScores(side, k, outcomesOf(side, semantics));
  const low = score(totals(scores.low, scores.trials));
  const high = score(totals(scores.high, scores.trials));
  const band = low.value !== high.value;
  return { k, score: low, lower: band ? low.value : null, upper: band ? high.value : null };
}

const scoreCurves = new WeakMap<ArmRows, Map<string, ScoreAt[]>>();
const gapCurves = new WeakMap<ArmRows, Map<string, GapAt[]>>();

export function scoreCurve(side: Side, semantics: Semantics): ScoreAt[] {
  return kept(scoreCurves, side.rows, keyOf(semantics), () => Array.from({ length: kObs(side) }, (_unused, i) => scoreAt(side, { k: i + 1, semantics })));
}

/** Pairs of the tasks that both arms have. */
function pairsOf(ref: Side, arm: Side, of: (side: Side) => { a: number[]; b: number[] }): TaskPair[] {
  const r = of(ref);
  const a = of(arm);
  const pairs: { at: number; pair: TaskPair }[] = [];
  arm.rows.pair.forEach((task, i) => {
    if (task < 0) return;
    pairs.push({
      at: task,
      pair: {
        ref: { a: r.a[task] as number, b: r.b[task] as number },
        arm: { a: a.a[i] as number, b: a.b[i] as number },
      },
    });
  });
  return pairs.sort((one, other) => one.at - other.at).map((entry) => entry.pair);
}

const bothHave = (pair: TaskPair): boolean => pair.ref.b > 0 && pair.arm.b > 0;

export interface GapAt {
  k: number;
  gap: Figure;
}

/** D(K), unknown outcomes counted failed. */
export function gapAt(ref: Side, arm: Side, { k, semantics }: Setting): Figure {
  return pairedDifference(
    pairsOf(ref, arm, (side) => {
      const scores = taskScores(side, k, outcomesOf(side, semantics));
      return { a: scores.low, b: scores.trials };
    }).filter(bothHave),
  );
}

export function gapCurve(ref: Side, arm: Side, semantics: Semantics, last: number): GapAt[] {
  return kept(gapCurves, arm.rows, `${keyOf(semantics)} ${last}`, () => Array.from({ length: last }, (_unused, i) => ({ k: i + 1, gap: gapAt(ref, arm, { k: i + 1, semantics }) })));
}

/** W(K) = D(K) - D(K_obs). */
export function wideningAt(ref: Side, arm: Side, { k, semantics }: Setting, last: number): Figure {
  if (k >= last) return missing("K is the audit's own");
  return pairedDifference(
    pairsOf(ref, arm, (side) => {
      const all = outcomesOf(side, semantics);
      const here = taskScores(side, k, all);
      const whole = taskScores(side, last, all);
      return { a: here.low.map((value, i) => value - (whole.low[i] as number)), b: here.trials };
    }).filter(bothHave),
  );
}

/** Points that the score would gain if a channel's errors did not count. */
export function pointsLost(side: Side, channel: number, { k, semantics }: Setting): { low: number; high: number } | null {
  const base = outcomesOf(side, semantics);
  const without = outcomesOf(side, semantics, new Set([channel]), `without ${channel}`);
  const scores = taskScores(side, k, base);
  const better = taskScores(side, k, without);
  const mean = (a: number[], b: number[]): number | null => score(totals(a, b)).value;
  const now = mean(scores.low, scores.trials);
  const low = mean(better.low, better.trials);
  const high = mean(better.high, better.trials);
  return now === null || low === null || high === null ? null : { low: low - now, high: high - now };
}

/** What of an arm's calls would still have run, counted. Per task unless said otherwise. */
export interface Tally {
  episodes: number[];
  agentCalls: number[];
  agentFailed: number[];
  errors: Record<string, number[]>;
  episodesWith: Record<string, number[]>;
  recovery: Record<RecoveryName, { a: number[]; b: number[] }>;
  /** Of the whole arm: `channel kind name` to count, agent's failures. */
  failures: Map<string, Failure>;
  /** Calls and failed calls of the agent by message number. */
  byMessage: { calls: number[]; failed: number[] };
  /** Counted errors of each episode, in order of episodes. */
  spent: number[];
  /** Values of each length, sorted. */
  lengths: Record<string, number[]>;
}

export interface Failure {
  channel: number;
  kind: string;
  name: string;
  count: number;
}

export const recoveryNames = ["next_call", "run", "episode", "repeat"] as const;
export type RecoveryName = (typeof recoveryNames)[number];
export const lengthNames = ["messages", "turns", "tool_calls", "errors", "prompt_tokens", "completion_tokens", "seconds", "cost_usd"] as const;

const tallies = new WeakMap<ArmRows, Map<string, Tally>>();

export function tallyOf(side: Side, setting: Setting): Tally {
  const whole = setting.k >= kObs(side);
  const key = whole ? "whole" : `${keyOf(setting.semantics)} ${setting.k}`;
  return kept(tallies, side.rows, key, () => makeTally(side, whole ? null : setting));
}

function makeTally(side: Side, setting: Setting | null): Tally {
  const rows = side.rows;
  const { calls } = rows;
  const zeros = (): number[] => new Array<number>(rows.tasks.length).fill(0);
  const each = <T>(names: readonly string[], make: () => T): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, make()]));
  const selectorNames = selectors.map((selector) => selector.name);
  const tally: Tally = {
    episodes: zeros(),
    agentCalls: zeros(),
    agentFailed: zeros(),
    errors: each(selectorNames, zeros),
    episodesWith: each(selectorNames, zeros),
    recovery: each(recoveryNames, () => ({ a: zeros(), b: zeros() })) as Tally["recovery"],
    failures: new Map(),
    byMessage: { calls: [], failed: [] },
    spent: [],
    lengths: each(lengthNames, () => [] as number[]),
  };
  const byChannel: number[][] = Array.from({ length: 8 }, () => []);
  selectors.forEach((selector, s) => selector.channels.forEach((c) => (byChannel[c] as number[]).push(s)));
  const wrongOwner = rows.kinds.indexOf("wrong_owner");
  const add = (list: number[], at: number, by = 1): void => {
    list[at] = (list[at] ?? 0) + by;
  };
  for (const episode of rows.episodes) {
    if (episode.excluded !== "") continue;
    const end = setting === null ? episode.end : episode.first + callsRun(rows, episode, setting.semantics, setting.k);
    const cut = end < episode.end;
    const task = episode.task;
    add(tally.episodes, task);
    const seen = new Uint8Array(selectors.length);
    let spent = 0;
    let agentCalls = 0;
    let previous: boolean | null = null;
    let withError = 0;
    const refused = new Set<number>();
    const { next_call, run, repeat } = tally.recovery;
    for (let i = episode.first; i < end; ++i) {
      const flags = calls.flags[i] as number;
      const failed = hasFailed(flags);
      if (failed) ++spent;
      if (byUser(flags)) continue;
      ++agentCalls;
      const message = calls.message[i] as number;
      add(tally.byMessage.calls, message);
      if (previous === true) {
        add(next_call.b, task);
        if (!failed) {
          add(next_call.a, task);
          add(run.a, task);
        }
      }
      if (failed) {
        if (previous !== true) add(run.b, task);
        withError = 1;
        const channel = channelOf(flags);
        const name = calls.name[i] as number;
        const kind = calls.kind[i] as number;
        if (channel === 1) {
          add(repeat.b, task);
          if (refused.has(name)) add(repeat.a, task);
          refused.add(name);
        }
        add(tally.agentFailed, task);
        add(tally.byMessage.failed, message);
        for (const s of byChannel[channel] as number[]) {
          const selector = selectors[s] as Selector;
          if (selector.exceptKind !== undefined && kind === wrongOwner) continue;
          add(tally.errors[selector.name] as number[], task);
          if (seen[s] === 0) add(tally.episodesWith[selector.name] as number[], task);
          seen[s] = 1;
        }
        const key = `${channel} ${kind} ${name}`;
        const failure = tally.failures.get(key);
        if (failure !== undefined) ++failure.count;
        else tally.failures.set(key, { channel, kind: rows.kinds[kind] ?? "", name: rows.names[name] ?? "", count: 1 });
      }
      previous = failed;
    }
    add(tally.agentCalls, task, agentCalls);
    add(tally.recovery.episode.b, task, withError);
    if (episode.success && !cut) add(tally.recovery.episode.a, task, withError);
    tally.spent.push(spent);
    addLengths(tally.lengths, episode, cut ? (calls.message[end - 1] as number) + 1 : null, agentCalls, spent);
  }
  for (const values of Object.values(tally.lengths)) values.sort((one, other) => one - other);
  for (const list of [tally.byMessage.calls, tally.byMessage.failed])
    for (let i = 0; i < list.length; ++i) list[i] ??= 0;
  return tally;
}

// Tokens, seconds and turns of an episode that was cut short are not known: its share of messages.
function addLengths(
  lengths: Record<string, number[]>,
  episode: Episode,
  cutAt: number | null,
  agentCalls: number,
  spent: number,
): void {
  const share = cutAt === null || episode.messages === 0 ? 1 : Math.min(1, cutAt / episode.messages);
  const add = (name: string, value: number | null): void => {
    if (value !== null) (lengths[name] as number[]).push(value);
  };
  const scaled = (value: number | null): number | null => (value === null ? null : value * share);
  add("messages", cutAt === null ? episode.messages : Math.min(cutAt, episode.messages));
  add("turns", scaled(episode.turns));
  add("tool_calls", agentCalls);
  add("errors", spent);
  add("prompt_tokens", scaled(episode.prompt_tokens));
  add("completion_tokens", scaled(episode.completion_tokens));
  add("seconds", scaled(episode.seconds));
  add("cost_usd", scaled(episode.usd));
}

const observed = (tally: Tally, a: readonly number[], b: readonly number[]): TaskTotal[] =>
  a.map((value, i) => ({ a: value, b: b[i] as number })).filter((_task, i) => (tally.episodes[i] as number) > 0);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((value, i) => value - (b[i] as number));

export type Per = "episode" | "call" | "successful_call";

function denominator(tally: Tally, per: Per): number[] {
  if (per === "episode") return tally.episodes;
  return per === "call" ? tally.agentCalls : minus(tally.agentCalls, tally.agentFailed);
}

export interface ChannelAt {
  name: string;
  errors: number;
  rate: Figure;
  per_episode: Figure;
  per_successful_call: Figure;
  episodes_with: number;
  episodes_with_share: Figure;
  tasks_with: number;
}

export function channelAt(side: Side, name: string, setting: Setting): ChannelAt {
  const tally = tallyOf(side, setting);
  const errors = tally.errors[name] as number[];
  const episodesWith = tally.episodesWith[name] as number[];
  const over = (numerators: number[], per: Per): TaskTotal[] => observed(tally, numerators, denominator(tally, per));
  return {
    name,
    errors: sum(errors),
    rate: rate(over(errors, "call"), "korn_graubard"),
    per_episode: notNegative(rate(over(errors, "episode"), "plain_t")),
    per_successful_call: notNegative(rate(over(errors, "successful_call"), "plain_t")),
    episodes_with: sum(episodesWith),
    episodes_with_share: rate(over(episodesWith, "episode"), "wilson"),
    tasks_with: errors.filter((value) => value > 0).length,
  };
}

export function amplificationAt(ref: Side, arm: Side, name: string, setting: Setting, per: Per): Figure {
  return ratioOfRates(
    pairsOf(ref, arm, (side) => {
      const tally = tallyOf(side, setting);
      return { a: tally.errors[name] as number[], b: denominator(tally, per) };
    }),
  );
}

export interface RecoveryAt {
  recovered: number;
  followed: number;
  share: Figure;
}

export function recoveryAt(side: Side, name: RecoveryName, setting: Setting): RecoveryAt {
  const tally = tallyOf(side, setting);
  const { a, b } = tally.recovery[name];
  const kind = name === "episode" ? "wilson" : "korn_graubard";
  return { recovered: sum(a), followed: sum(b), share: rate(observed(tally, a, b), kind) };
}

export interface LengthAt {
  episodes: number;
  mean: number | null;
  median: number | null;
  p90: number | null;
}

export function lengthAt(side: Side, name: string, setting: Setting): LengthAt {
  const values = tallyOf(side, setting).lengths[name] as number[];
  return {
    episodes: values.length,
    mean: values.length === 0 ? null : sum(values) / values.length,
    median: quantile(values, 0.5),
    p90: quantile(values, 0.9),
  };
}

/** Counts of hallucinated names (or, of another channel, of tool and kind), both arms side by side. */
export interface NamePoint {
  name: string;
  /** Provenance, or kind of error. */
  kind: string;
  ref: number;
  arm: number;
}

export function namePoints(ref: Side, arm: Side, channel: number, setting: Setting): NamePoint[] {
  const points = new Map<string, NamePoint>();
  const add = (side: Side, which: "ref" | "arm"): void => {
    for (const failure of tallyOf(side, setting).failures.values()) {
      if (failure.channel !== channel) continue;
      const key = channel === 1 ? failure.name : `${failure.name} ${failure.kind}`;
      let point = points.get(key);
      if (point === undefined) points.set(key, (point = { name: failure.name, kind: failure.kind, ref: 0, arm: 0 }));
      point[which] += failure.count;
    }
  };
  add(ref, "ref");
  add(arm, "arm");
  return [...points.values()].sort((one, other) => other.ref + other.arm - one.ref - one.arm || (one.name < other.name ? -1 : 1));
}

/** Failed share of the agent's calls by message number, in bins of `width` messages. */
export function byTurn(side: Side, setting: Setting, width: number): { from: number; calls: number; failed: number }[] {
  const { calls, failed } = tallyOf(side, setting).byMessage;
  const bins: { from: number; calls: number; failed: number }[] = [];
  for (let i = 0; i < calls.length; ++i) {
    const at = Math.floor(i / width);
    while (bins.length <= at) bins.push({ from: bins.length * width, calls: 0, failed: 0 });
    const bin = bins[at] as { calls: number; failed: number };
    bin.calls += calls[i] ?? 0;
    bin.failed += failed[i] ?? 0;
  }
  return bins;
}
