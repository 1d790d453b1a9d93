import { byUser, hasFailed, channelOf, type ArmRows, type Calls, type Episode } from "../data/rows";

/** What "an error budget of K" means (docs/budget.md). */
export interface Semantics {
  counts: "both" | "agent";
  how: "cumulative" | "consecutive";
  tested: "turn" | "call";
  ends: "reach" | "exceed";
}

export const defaultSemantics: Semantics = { counts: "both", how: "cumulative", tested: "turn", ends: "reach" };

export function isDefault(semantics: Semantics): boolean {
  return keyOf(semantics) === keyOf(defaultSemantics);
}

export function keyOf(semantics: Semantics): string {
  return `${semantics.counts}/${semantics.how}/${semantics.tested}/${semantics.ends}`;
}

/** Agent's failures that are taken out of the count: a set of channels by number. */
export type Ignored = ReadonlySet<number>;

/**
 * Replays the counter over an episode's calls and hands each tested count to `onTest` with the number
 * of calls that have run; stops when that returns false. A counted party's successful call ends a
 * row of consecutive failures.
 */
function replayCounter(
  calls: Calls,
  episode: Episode,
  semantics: Semantics,
  ignored: Ignored | undefined,
  onTest: (ran: number, count: number) => boolean,
): void {
  let count = 0;
  for (let i = episode.first; i < episode.end; ++i) {
    const flags = calls.flags[i] as number;
    if (semantics.counts === "both" || !byUser(flags)) {
      if (!hasFailed(flags)) {
        if (semantics.how === "consecutive") count = 0;
      } else if (ignored === undefined || byUser(flags) || !ignored.has(channelOf(flags))) {
        ++count;
      }
    }
    const messageEnds = i + 1 === episode.end || calls.message[i + 1] !== calls.message[i];
    if ((messageEnds || semantics.tested === "call") && !onTest(i + 1 - episode.first, count)) return;
  }
}

/** An episode's outcome at every budget: failed below `lives`, `beyond` from there on. */
export interface Counterfactual {
  lives: number;
  beyond: "failed" | "passed" | "unknown";
}

/** The budget that an arm's logs were made under. */
export interface Regime {
  k: number | null;
  counts: "both" | "agent";
}

export function counterfactual(
  arm: ArmRows,
  episode: Episode,
  regime: Regime,
  semantics: Semantics,
  ignored?: Ignored,
): Counterfactual {
  let peak = 0;
  replayCounter(arm.calls, episode, semantics, ignored, (_ran, count) => {
    peak = Math.max(peak, count);
    return true;
  });
  const lives = semantics.ends === "reach" ? peak + 1 : peak;
  if (!episode.stopped) return { lives, beyond: episode.success ? "passed" : "failed" };
  // The stop itself proves a count of at least K_obs, even where the log does not show every call.
  const countsAll = semantics.how === "cumulative" && (semantics.counts === "both" || regime.counts === "agent");
  if (regime.k !== null && ignored === undefined && countsAll) {
    const fatalAtZero = semantics.ends === "reach" ? 0 : 1;
    return { lives: Math.max(lives, regime.k + 1 - fatalAtZero), beyond: "unknown" };
  }
  return { lives, beyond: "unknown" };
}

/** How many of an episode's calls still run under a budget of `k`. */
export function callsRun(arm: ArmRows, episode: Episode, semantics: Semantics, k: number): number {
  const fatal = semantics.ends === "reach" ? k : k + 1;
  let run = episode.end - episode.first;
  replayCounter(arm.calls, episode, semantics, undefined, (ran, count) => {
    if (count < fatal) return true;
    run = ran;
    return false;
  });
  return run;
}

/** Counted failures before each call and after it, for the viewer: what of the budget is spent. */
export function spentAfter(arm: ArmRows, episode: Episode, semantics: Semantics): number[] {
  const spent: number[] = [];
  replayCounter(arm.calls, episode, { ...semantics, tested: "call" }, undefined, (_ran, count) => {
    spent.push(count);
    return true;
  });
  return spent;
}
