import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { JSX } from "preact";
import type { ArmScreen, WhatIf } from "../data/findings";
import { inPoints, interval } from "../format";
import { strings } from "../strings";
import { Drawing, Figure, Legend, Mark, tone, type Table } from "./frame";

type Point = WhatIf["points"][number];

const drawn = (curve: WhatIf): Point[] => curve.points.filter((point) => point.lost !== null);
const lost = (point: Point | undefined): string => (point === undefined ? inPoints(null) : inPoints(point.lost) + interval(point, inPoints));

/** Losses at every budget, a column a factor. */
export function lossTable(screen: ArmScreen): Table {
  return {
    head: ["K", ...screen.what_if.map((curve) => strings.screen.factor(curve.factor))],
    rows: Array.from({ length: screen.k_obs }, (_unused, i) => [String(i + 1), ...screen.what_if.map((curve) => lost(curve.points.find((point) => point.k === i + 1)))]),
  };
}

/** Points that the score would lose if errors were so many times as many, by budget. */
export function LossPlot({ screen }: { screen: ArmScreen }): JSX.Element {
  const curves = screen.what_if;
  const first = screen.budgets[0] ?? 1;
  const at = (curve: WhatIf): string => `${strings.screen.factor(curve.factor)}: ${inPoints(curve.points.find((point) => point.k === first)?.lost)}`;
  return (
    <Figure
      id="losses"
      title={strings.screen.title}
      text={strings.screen.at(first, curves.map(at).join(", "))}
      note={strings.screen.note}
      table={lossTable(screen)}
      legend={<Legend entries={curves.map((curve, i) => ({ label: strings.screen.factor(curve.factor), shape: i, tone: tone(i) }))} />}
      draw={(width) => <Losses width={width} screen={screen} />}
    />
  );
}

function Losses({ width, screen }: { width: number; screen: ArmScreen }): JSX.Element {
  const [left, right, top, bottom] = [40, 12, 26, 34];
  const plotHeight = Math.round(Math.min(260, Math.max(150, width * 0.3)));
  const height = top + plotHeight + bottom;
  const highest = Math.max(1, ...screen.what_if.flatMap((curve) => drawn(curve).map((point) => point.lost ?? 0)));
  const x = scaleLinear().domain([1, Math.max(2, screen.k_obs)]).range([left + 8, width - right - 8]);
  const y = scaleLinear().domain([0, highest]).nice(4).range([top + plotHeight, top]);
  const every = Math.max(1, Math.ceil(screen.k_obs / Math.max(2, Math.floor((width - left - right) / 34))));
  const ks = Array.from({ length: screen.k_obs }, (_unused, i) => i + 1).filter((k) => k === 1 || k === screen.k_obs || k % every === 0);
  const path = line<Point>((point) => x(point.k), (point) => y(point.lost ?? 0));
  return (
    <Drawing labelledBy="losses" width={width} height={height}>
      {y.ticks(4).map((tick) => (
        <g class="tick">
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      <text class="axis" x={left - 32} y={top - 14}>
        {strings.screen.axis}
      </text>
      {screen.what_if.map((curve, i) => (
        <g class={tone(i)}>
          <path class="line" d={path(drawn(curve)) ?? ""} />
          {drawn(curve).map((point) => (
            <Mark shape={i} x={x(point.k)} y={y(point.lost ?? 0)} size={3.2} />
          ))}
        </g>
      ))}
      {ks.map((k) => (
        <text class="tick-label" x={x(k)} y={height - bottom + 18} text-anchor="middle">
          {k}
        </text>
      ))}
      <text class="axis" x={(left + width - right) / 2} y={height - 2} text-anchor="middle">
        {strings.score.budgetAxis}
      </text>
    </Drawing>
  );
}
