/** Deep links: #cell/arm/task/trial/turn. */

export interface EpisodeLink {
  cell: string;
  arm: string;
  task: string;
  trial: number;
  turn: number | null;
}

export function hashOf(link: EpisodeLink): string {
  const parts = [link.cell, link.arm, link.task, String(link.trial)];
  if (link.turn !== null) parts.push(String(link.turn));
  return `#${parts.map(encodeURIComponent).join("/")}`;
}

export function linkOf(hash: string): EpisodeLink | null {
  const parts = hash.replace(/^#/, "").split("/");
  if (parts.length < 4 || parts.length > 5) return null;
  try {
    const [cell, arm, task, trial, turn] = parts.map(decodeURIComponent) as [string, string, string, string, string | undefined];
    if (!/^-?\d+$/.test(trial) || (turn !== undefined && !/^\d+$/.test(turn))) return null;
    return { cell, arm, task, trial: Number(trial), turn: turn === undefined ? null : Number(turn) };
  } catch {
    return null; // a broken escape
  }
}
