/** The rows of calls (docs/report-page.md, "Rows"), as the page works on them. */

export const channels = [
  "malformed",
  "tool_name",
  "arguments",
  "entity",
  "precondition",
  "other",
  "infrastructure",
] as const;
export type ChannelName = (typeof channels)[number];
export const evidences = ["stated", "structure", "reexecution", "error_text", "none"] as const;
export type Evidence = (typeof evidences)[number];

interface PackedArm {
  arm: string;
  role: "compared" | "null" | "repaired";
  names: string[];
  kinds: string[];
  tasks: string[];
  pair: number[];
  episodes: {
    task: number[];
    trial: number[];
    flags: number[];
    termination: string[];
    messages: number[];
    turns: number[];
    communication: number[];
    prompt_tokens: (number | null)[];
    completion_tokens: (number | null)[];
    seconds: (number | null)[];
    usd: (number | null)[];
    calls: number[];
    block: number[];
    place: number[];
  };
  calls: { name: number[]; kind: number[]; message: number[]; flags: number[] };
}

export interface PackedRows {
  version: number;
  selection: string;
  cells: { cell: string; arms: PackedArm[] }[];
}

/** Calls of an arm's episodes, one after another. */
export interface Calls {
  name: Uint32Array;
  kind: Uint32Array;
  message: Uint32Array;
  flags: Uint8Array;
}

export interface Episode {
  /** Its number in the arm. */
  index: number;
  task: number;
  trial: number;
  success: boolean;
  excluded: "" | "infrastructure" | "no_reward";
  /** By the budget it was made under. */
  stopped: boolean;
  termination: string;
  messages: number;
  turns: number;
  communication: number;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  seconds: number | null;
  usd: number | null;
  /** Its calls are [first, end) of the arm's. */
  first: number;
  end: number;
  block: number;
  place: number;
}

export interface ArmRows {
  cell: string;
  arm: string;
  role: "compared" | "null" | "repaired";
  names: string[];
  kinds: string[];
  tasks: string[];
  /** The reference's task that each task pairs with, or -1. */
  pair: number[];
  episodes: Episode[];
  calls: Calls;
}

export interface CellRows {
  cell: string;
  arms: ArmRows[];
}

export interface Rows {
  selection: string;
  cells: CellRows[];
}

export const byUser = (flags: number): boolean => (flags & 1) !== 0;
export const hasFailed = (flags: number): boolean => (flags & 2) !== 0;
export const channelOf = (flags: number): number => (flags >> 2) & 7;
export const evidenceOf = (flags: number): number => (flags >> 5) & 7;

function armOf(cell: string, packed: PackedArm): ArmRows {
  const columns = packed.episodes;
  let next = 0;
  const at = <T>(column: T[], i: number): T => column[i] as T;
  const episodes = columns.task.map((task, i): Episode => {
    const first = next;
    next += at(columns.calls, i);
    const flags = at(columns.flags, i);
    return {
      index: i,
      task,
      trial: at(columns.trial, i),
      success: (flags & 1) !== 0,
      excluded: (flags & 2) !== 0 ? "infrastructure" : (flags & 4) !== 0 ? "no_reward" : "",
      stopped: (flags & 8) !== 0,
      termination: at(columns.termination, i),
      messages: at(columns.messages, i),
      turns: at(columns.turns, i),
      communication: at(columns.communication, i),
      prompt_tokens: at(columns.prompt_tokens, i),
      completion_tokens: at(columns.completion_tokens, i),
      seconds: at(columns.seconds, i),
      usd: at(columns.usd, i),
      first,
      end: next,
      block: at(columns.block, i),
      place: at(columns.place, i),
    };
  });
  return {
    cell,
    arm: packed.arm,
    role: packed.role,
    names: packed.names,
    kinds: packed.kinds,
    tasks: packed.tasks,
    pair: packed.pair,
    episodes,
    calls: {
      name: Uint32Array.from(packed.calls.name),
      kind: Uint32Array.from(packed.calls.kind),
      message: Uint32Array.from(packed.calls.message),
      flags: Uint8Array.from(packed.calls.flags),
    },
  };
}

export function rowsOf(packed: PackedRows): Rows {
  if (packed.version !== 1) throw new Error(`rows of version ${packed.version}`);
  return {
    selection: packed.selection,
    cells: packed.cells.map((cell) => ({
      cell: cell.cell,
      arms: cell.arms.map((arm) => armOf(cell.cell, arm)),
    })),
  };
}
