import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import type { JSX } from "preact";
import { gapCurve, kObs, scoreCurve, type ScoreAt } from "../compute/figures";
import { inPoints, points, within } from "../format";
import { lastOf, settingOf, type CellModel, type Study } from "../model";
import { store, type Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { Drawing, Figure, Legend, Mark, tone, type Table } from "./frame";

interface Curve {
  label: string;
  tone: string;
  shape: number;
  points: ScoreAt[];
}

interface GapLine {
  label: string;
  tone: string;
  shape: number;
  points: { k: number; value: number; low: number; high: number }[];
}

const has = (value: number | null): value is number => value !== null;

/** S(K) of every arm with its band, the gap below on the same axis. */
export function ScorePlot({ study, cell, choice }: { study: Study; cell: CellModel; choice: Choice }): JSX.Element {
  const last = lastOf(cell);
  const { k, semantics } = settingOf(choice, last);
  const shown = cell.sides.slice(0, 7);
  const curves: Curve[] = shown.map((side, i) => ({
    label: shortened(side.findings.arm, 24),
    tone: tone(i),
    shape: i,
    points: scoreCurve(side, semantics)
      .filter((point) => point.k <= last)
      .map((point) => ({ ...point, score: within(point.score, 0, 1) })),
  }));
  const gaps: GapLine[] = [];
  shown.forEach((side, i) => {
    const comparison = cell.findings.comparisons.find((entry) => entry.arm === side.findings.arm);
    if (comparison === undefined || cell.reference === null) return;
    gaps.push({
      label: shortened(side.findings.arm, 24),
      tone: tone(i),
      shape: i,
      points: gapCurve(cell.reference, side, semantics, Math.min(comparison.k_obs, kObs(side), kObs(cell.reference)))
        .filter((point) => has(point.gap.value))
        .map((point) => {
          const value = point.gap.value as number;
          const { low, high } = within(point.gap, -1, 1);
          return { k: point.k, value, low: low ?? value, high: high ?? value };
        }),
    });
  });
  const table: Table = {
    head: ["K", ...curves.map((curve) => curve.label), ...gaps.map((gap) => strings.score.gapOf(gap.label))],
    rows: Array.from({ length: last }, (_unused, i) => [
      String(i + 1),
      ...curves.map((curve) => {
        const at = curve.points.find((point) => point.k === i + 1);
        return at === undefined ? points(null) : points(at.score.value);
      }),
      ...gaps.map((gap) => points(gap.points.find((point) => point.k === i + 1)?.value)),
    ]),
  };
  return (
    <Figure
      id="score"
      title={strings.score.title}
      text={describe(curves, k)}
      note={strings.score.note(inPoints(study.findings.settings.margin), curves.some((curve) => curve.points.some((point) => has(point.lower))))}
      table={table}
      legend={<Legend entries={curves} />}
      draw={(width) => <Panels width={width} curves={curves} gaps={gaps} last={last} k={k} margin={study.findings.settings.margin / 100} />}
    />
  );
}

function describe(curves: Curve[], k: number): string {
  const at = (curve: Curve): string => `${curve.label} ${points(curve.points.find((point) => point.k === k)?.score.value)} %`;
  return strings.score.at(k, curves.map(at).join(", "));
}

interface PanelsProps {
  width: number;
  curves: Curve[];
  gaps: GapLine[];
  last: number;
  k: number;
  margin: number;
}

function Panels({ width, curves, gaps, last, k, margin }: PanelsProps): JSX.Element {
  const left = 40;
  const right = width < 520 ? 12 : 90;
  const top = 26;
  const scoreHeight = Math.round(Math.min(340, Math.max(190, width * 0.38)));
  const between = 34;
  const gapHeight = gaps.length > 0 ? Math.round(scoreHeight * 0.5) : 0;
  const bottom = 34;
  const height = top + scoreHeight + (gapHeight > 0 ? between + gapHeight : 0) + bottom;
  const x = scaleLinear().domain([1, Math.max(2, last)]).range([left + 8, width - right - 8]);
  const highest = Math.max(0.05, ...curves.flatMap((curve) => curve.points.map((point) => Math.max(point.score.high ?? point.score.value ?? 0, point.upper ?? 0))));
  const y = scaleLinear().domain([0, Math.min(1, highest)]).nice(5).range([top + scoreHeight, top]);
  const gapTop = top + scoreHeight + between;
  const lows = gaps.flatMap((gap) => gap.points.map((point) => point.low));
  const highs = gaps.flatMap((gap) => gap.points.map((point) => point.high));
  const g = scaleLinear()
    .domain([Math.min(-margin, ...lows), Math.max(margin, ...highs)])
    .nice(4)
    .range([gapTop + gapHeight, gapTop]);
  const every = Math.max(1, Math.ceil(last / Math.max(2, Math.floor((width - left - right) / 34))));
  const ks = Array.from({ length: last }, (_unused, i) => i + 1).filter((value) => value === 1 || value === last || value % every === 0);
  const scoreLine = line<ScoreAt>((point) => x(point.k), (point) => y(point.score.value ?? 0)).defined((point) => has(point.score.value));
  const band = area<ScoreAt>((point) => x(point.k), (point) => y(point.score.low ?? 0), (point) => y(point.score.high ?? 0)).defined(
    (point) => has(point.score.low) && has(point.score.high),
  );
  const unknown = area<ScoreAt>((point) => x(point.k), (point) => y(point.lower ?? 0), (point) => y(point.upper ?? 0)).defined((point) => has(point.lower));
  const gapLine = line<GapLine["points"][number]>((point) => x(point.k), (point) => g(point.value));
  const gapBand = area<GapLine["points"][number]>((point) => x(point.k), (point) => g(point.low), (point) => g(point.high));
  const labels = placed(
    curves.map((curve) => ({ label: curve.label, tone: curve.tone, y: y(curve.points[curve.points.length - 1]?.score.value ?? 0) })),
    15,
    top,
    top + scoreHeight,
  );
  return (
    <Drawing
      labelledBy="score"
      width={width}
      height={height}
      onPick={(at) => store.set({ k: Math.max(1, Math.min(last, Math.round(x.invert(at)))) })}
    >
      {y.ticks(5).map((tick) => (
        <g class="tick">
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {Math.round(tick * 100)}
          </text>
        </g>
      ))}
      <text class="axis" x={left - 32} y={top - 14}>
        {strings.score.axis}
      </text>
      {gapHeight > 0 && (
        <g>
          <rect class="margin" x={left} width={width - right - left} y={g(margin)} height={g(-margin) - g(margin)} />
          {g.ticks(4).map((tick) => (
            <g class={tick === 0 ? "tick zero" : "tick"}>
              <line x1={left} x2={width - right} y1={g(tick)} y2={g(tick)} />
              <text x={left - 6} y={g(tick)} dy="0.32em" text-anchor="end">
                {Math.round(tick * 100)}
              </text>
            </g>
          ))}
          <text class="axis" x={left - 32} y={gapTop - 12}>
            {strings.score.gapAxis}
          </text>
        </g>
      )}
      <g class="cursor">
        <line x1={x(k)} x2={x(k)} y1={top} y2={height - bottom} />
      </g>
      {curves.map((curve) => (
        <g class={curve.tone}>
          <path class="band" d={band(curve.points) ?? ""} />
          <path class="unknown" d={unknown(curve.points) ?? ""} />
          <path class="line" d={scoreLine(curve.points) ?? ""} />
          {curve.points.map((point) => has(point.score.value) && <Mark shape={curve.shape} x={x(point.k)} y={y(point.score.value)} size={point.k === k ? 5.5 : 3.2} />)}
        </g>
      ))}
      {gaps.map((gap) => (
        <g class={gap.tone}>
          <path class="band" d={gapBand(gap.points) ?? ""} />
          <path class="line" d={gapLine(gap.points) ?? ""} />
          {gap.points.map((point) => (
            <Mark shape={gap.shape} x={x(point.k)} y={g(point.value)} size={point.k === k ? 5.5 : 3.2} />
          ))}
        </g>
      ))}
      {right > 40 &&
        labels.map((label) => (
          <text class={`${label.tone} direct`} x={width - right + 4} y={label.y} dy="0.32em">
            {shortened(label.label, 12)}
          </text>
        ))}
      {ks.map((value) => (
        <text class={value === k ? "tick-label now" : "tick-label"} x={x(value)} y={height - bottom + 18} text-anchor="middle">
          {value}
        </text>
      ))}
      <text class="axis" x={(left + width - right) / 2} y={height - 2} text-anchor="middle">
        {strings.score.budgetAxis}
      </text>
    </Drawing>
  );
}

/** Moves labels apart so that none covers another, as little as may be. */
export function placed<T extends { y: number }>(labels: T[], room: number, top: number, bottom: number): T[] {
  const sorted = labels.map((label) => ({ ...label })).sort((one, other) => one.y - other.y);
  for (let i = 1; i < sorted.length; ++i) {
    const above = sorted[i - 1] as T;
    const here = sorted[i] as T;
    here.y = Math.max(here.y, above.y + room);
  }
  const over = sorted.length > 0 ? (sorted[sorted.length - 1] as T).y - bottom : 0;
  if (over > 0) {
    for (let i = sorted.length - 1; i >= 0; --i) {
      const here = sorted[i] as T;
      const below = sorted[i + 1];
      here.y = Math.max(top, Math.min(here.y, below === undefined ? bottom : below.y - room));
    }
  }
  return sorted;
}
