import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { JSX } from "preact";
import { gapAt, scoreCurve, type ScoreAt } from "../compute/figures";
import type { Comparison } from "../data/findings";
import { points, times } from "../format";
import { settingOf, sideOf, type CellModel, type Study } from "../model";
import { store, type Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { VerdictBadge } from "./verdicts";

/** Every cell and arm at a glance: verdict, curves, gap at the chosen budget. */
export function Grid({ study, choice }: { study: Study; choice: Choice }): JSX.Element {
  const arms: string[] = [];
  for (const cell of study.cells)
    for (const comparison of cell.findings.comparisons) if (!arms.includes(comparison.arm)) arms.push(comparison.arm);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={strings.grid.title}>
      <table class="grid" role="table">
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">{strings.grid.cell}</th>
            {arms.map((arm) => (
              <th scope="col" role="columnheader" dir="auto">
                {shortened(arm, 30)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {study.cells.map((cell, i) => (
            <tr role="row" class={i === choice.cell ? "chosen" : ""}>
              <th scope="row" role="rowheader">
                <span dir="auto">{shortened(cell.findings.cell, 60)}</span>
                <span class="dim">
                  {" "}
                  {strings.grid.against} <span dir="auto">{shortened(cell.findings.reference, 24)}</span>
                </span>
              </th>
              {arms.map((arm) => {
                const comparison = cell.findings.comparisons.find((entry) => entry.arm === arm);
                return (
                  <td role="cell" data-arm={shortened(arm, 30)}>
                    {comparison === undefined ? strings.dash : <Tile study={study} cell={cell} number={i} comparison={comparison} choice={choice} />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Tile({ cell, number, comparison, choice }: { study: Study; cell: CellModel; number: number; comparison: Comparison; choice: Choice }): JSX.Element {
  const side = sideOf(cell, comparison.arm);
  const setting = settingOf(choice, comparison.k_obs);
  const gap = side === null || cell.reference === null ? null : gapAt(cell.reference, side, setting).value;
  const worst = Object.entries(comparison.amplification)
    .filter(([, entry]) => entry.amplified && entry.in_family)
    .sort(([, one], [, other]) => (other.ratio ?? Infinity) - (one.ratio ?? Infinity))[0];
  return (
    <button
      type="button"
      class="tile"
      onClick={() => {
        store.set({ cell: number, arm: comparison.arm });
        document.getElementById("cell")?.scrollIntoView();
      }}
    >
      <VerdictBadge verdict={comparison.verdict} />
      {side !== null && cell.reference !== null && (
        <Spark reference={scoreCurve(cell.reference, setting.semantics)} arm={scoreCurve(side, setting.semantics)} k={setting.k} />
      )}
      <span class="tile-numbers">
        {strings.grid.gap(points(gap), setting.k)}
        {worst !== undefined && (
          <span>
            {" · "}
            {strings.channelShort(worst[0])} {worst[1].ratio === null ? `${worst[1].errors_ref} → ${worst[1].errors_arm}` : times(worst[1].ratio)}
          </span>
        )}
      </span>
    </button>
  );
}

function Spark({ reference, arm, k }: { reference: ScoreAt[]; arm: ScoreAt[]; k: number }): JSX.Element {
  const width = 96;
  const height = 34;
  const last = Math.max(reference.length, arm.length, 2);
  const values = [...reference, ...arm].map((point) => point.score.value ?? 0);
  const x = scaleLinear().domain([1, last]).range([2, width - 2]);
  const y = scaleLinear().domain([0, Math.max(0.01, ...values)]).range([height - 2, 3]);
  const path = line<ScoreAt>((point) => x(point.k), (point) => y(point.score.value ?? 0));
  return (
    <svg class="spark" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <line class="cursor-line" x1={x(k)} x2={x(k)} y1={0} y2={height} />
      <g class="tone-0">
        <path class="line" d={path(reference) ?? ""} />
      </g>
      <g class="tone-2">
        <path class="line" d={path(arm) ?? ""} />
      </g>
    </svg>
  );
}
