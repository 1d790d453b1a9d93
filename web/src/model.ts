/** The study that the page shows: findings and rows brought together. */

import type { Cell, Comparison, Findings } from "./data/findings";
import type { Rows } from "./data/rows";
import { kObs, type Setting, type Side } from "./compute/figures";
import type { Choice } from "./state";

export interface CellModel {
  findings: Cell;
  /** The reference first, then the others as the audit orders them. */
  sides: Side[];
  reference: Side | null;
}

export interface Study {
  findings: Findings;
  selection: string;
  cells: CellModel[];
  /** The largest budget of the slider. */
  lastK: number;
}

export function studyOf(findings: Findings, rows: Rows): Study {
  const cells = findings.cells.map((cell, i): CellModel => {
    const armRows = rows.cells[i]?.arms ?? [];
    const sides: Side[] = [];
    for (const arm of cell.arms) {
      const found = armRows.find((candidate) => candidate.arm === arm.arm);
      if (found !== undefined) sides.push({ rows: found, findings: arm });
    }
    const reference = sides.find((side) => side.findings.arm === cell.reference) ?? null;
    if (reference !== null) sides.sort((one, other) => Number(other === reference) - Number(one === reference));
    return { findings: cell, sides, reference };
  });
  const budgets = cells.flatMap((cell) => cell.sides.map(kObs));
  return { findings, selection: rows.selection, cells, lastK: Math.max(1, ...budgets) };
}

export function sideOf(cell: CellModel, arm: string): Side | null {
  return cell.sides.find((side) => side.findings.arm === arm) ?? null;
}

/** The compared arm that the reader looks at: the chosen one, or the cell's last. */
export function comparisonOf(cell: CellModel, choice: Choice): Comparison | null {
  const all = cell.findings.comparisons;
  return all.find((comparison) => comparison.arm === choice.arm) ?? all[all.length - 1] ?? null;
}

/** Budget and semantics for a cell whose own budget is `last`. */
export function settingOf(choice: Choice, last: number): Setting {
  return { k: Math.min(choice.k ?? last, last), semantics: choice.semantics };
}

export function lastOf(cell: CellModel): number {
  const budgets = cell.findings.comparisons.map((comparison) => comparison.k_obs);
  return budgets.length > 0 ? Math.max(...budgets) : Math.max(1, ...cell.sides.map(kObs));
}
