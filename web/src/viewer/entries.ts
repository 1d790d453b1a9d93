/** The list of episodes and its filters. */

import { outcomesOf, passes, type Side } from "../compute/figures";
import { channelOf, channels, hasFailed, type Episode } from "../data/rows";
import { settingOf, lastOf, type CellModel, type Study } from "../model";
import type { Choice } from "../state";
import type { EpisodeLink } from "./link";

export interface Entry {
  cell: CellModel;
  cellNumber: number;
  side: Side;
  sideNumber: number;
  episode: Episode;
  /** Failed calls of both parties. */
  errors: number;
  /** Bit c: some call failed in channel c. */
  channels: number;
}

export function entriesOf(study: Study): Entry[] {
  const entries: Entry[] = [];
  study.cells.forEach((cell, cellNumber) =>
    cell.sides.forEach((side, sideNumber) => {
      for (const episode of side.rows.episodes) {
        let errors = 0;
        let mask = 0;
        for (let i = episode.first; i < episode.end; ++i) {
          const flags = side.rows.calls.flags[i] as number;
          if (!hasFailed(flags)) continue;
          ++errors;
          mask |= 1 << channelOf(flags);
        }
        entries.push({ cell, cellNumber, side, sideNumber, episode, errors, channels: mask });
      }
    }),
  );
  return entries;
}

export interface Filters {
  cell: number | null;
  arm: string;
  task: string;
  outcome: "any" | "solved" | "failed" | "lost" | "vanished";
  channel: string;
  name: string;
  errors: number;
}

export const noFilters: Filters = { cell: null, arm: "", task: "", outcome: "any", channel: "", name: "", errors: 0 };

/** Solved as logged, and ended by the chosen budget. */
export function isLost(entry: Entry, choice: Choice): boolean {
  if (!entry.episode.success) return false;
  const { k, semantics } = settingOf(choice, lastOf(entry.cell));
  const outcome = outcomesOf(entry.side, semantics)[entry.episode.index];
  return outcome !== undefined && !passes(outcome, k, "low");
}

function hasName(entry: Entry, wanted: string, channel: number): boolean {
  const { calls, names } = entry.side.rows;
  for (let i = entry.episode.first; i < entry.episode.end; ++i) {
    const flags = calls.flags[i] as number;
    if (channel >= 0 && (!hasFailed(flags) || channelOf(flags) !== channel)) continue;
    if ((names[calls.name[i] as number] ?? "").toLowerCase().includes(wanted)) return true;
  }
  return false;
}

export function filtered(entries: Entry[], filters: Filters, choice: Choice, hits: ReadonlySet<string> | null): Entry[] {
  const task = filters.task.toLowerCase();
  const name = filters.name.toLowerCase();
  const channel = (channels as readonly string[]).indexOf(filters.channel);
  return entries.filter((entry) => {
    const { episode } = entry;
    if (filters.cell !== null && entry.cellNumber !== filters.cell) return false;
    if (filters.arm !== "" && entry.side.findings.arm !== filters.arm) return false;
    if (entry.errors < filters.errors) return false;
    if (channel >= 0 && (entry.channels & (1 << channel)) === 0) return false;
    if (task !== "" && !(entry.side.rows.tasks[episode.task] ?? "").toLowerCase().includes(task)) return false;
    switch (filters.outcome) {
      case "solved":
        if (!episode.success) return false;
        break;
      case "failed":
        if (episode.success || episode.excluded !== "") return false;
        break;
      case "lost":
        if (!isLost(entry, choice)) return false;
        break;
      case "vanished":
        if (episode.excluded === "") return false;
        break;
      case "any":
        break;
    }
    if (name !== "" && !hasName(entry, name, channel)) return false;
    return hits === null || hits.has(`${episode.block} ${episode.place}`);
  });
}

export const taskOf = (entry: Entry): string => entry.side.rows.tasks[entry.episode.task] ?? "";

export function linkTo(entry: Entry, turn: number | null): EpisodeLink {
  return { cell: entry.cell.findings.cell, arm: entry.side.findings.arm, task: taskOf(entry), trial: entry.episode.trial, turn };
}

export function linked(entries: Entry[], link: EpisodeLink): Entry | null {
  return (
    entries.find(
      (entry) =>
        entry.episode.trial === link.trial && entry.side.findings.arm === link.arm && entry.cell.findings.cell === link.cell && taskOf(entry) === link.task,
    ) ?? null
  );
}

/** The reference's number of an entry's task, by which arms pair. */
function commonTask(entry: Entry): number {
  return entry.side === entry.cell.reference ? entry.episode.task : (entry.side.rows.pair[entry.episode.task] ?? -1);
}

/** The same task and trial (or its first trial) in another arm of the cell. */
export function counterpart(entries: Entry[], entry: Entry, arm: string): Entry | null {
  const task = commonTask(entry);
  if (task < 0) return null;
  const all = entries.filter((other) => other.cell === entry.cell && other.side.findings.arm === arm && commonTask(other) === task);
  return all.find((other) => other.episode.trial === entry.episode.trial) ?? all[0] ?? null;
}
