import { scaleLog } from "d3-scale";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import figures from "../../../src/unmask/report/figures.json";
import { namePoints, type NamePoint, type Setting, type Side } from "../compute/figures";
import { channels } from "../data/rows";
import type { Comparison } from "../data/findings";
import { correlation, count, percent } from "../format";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { Drawing, Figure, Legend, Mark, type Table } from "./frame";

const { provenances } = figures;
const mostDrawn = 2000;
const mostListed = 500;

interface Props {
  reference: Side;
  side: Side;
  comparison: Comparison;
  setting: Setting;
  own: boolean;
  onName: (channel: string, name: string) => void;
}

/** How often each name failed in the reference and in the arm. */
export function NamePlot({ reference, side, comparison, setting, own, onName }: Props): JSX.Element {
  const [channel, setChannel] = useState(1);
  const all = namePoints(reference, side, channel, setting);
  const arm = shortened(side.findings.arm, 24);
  const ref = shortened(reference.findings.arm, 24);
  const channelName = channels[channel] ?? "tool_name";
  const set = comparison.failure_set[channelName];
  const kinds = channel === 1 ? provenances.filter((kind) => all.some((point) => point.kind === kind)) : [];
  const shapeOf = (point: NamePoint): number => (channel === 1 ? Math.max(0, provenances.indexOf(point.kind)) : 0);
  const novel = all.filter((point) => point.ref === 0 && point.arm > 0);
  const novelErrors = novel.reduce((total, point) => total + point.arm, 0);
  const errors = all.reduce((total, point) => total + point.arm, 0);
  const table: Table = {
    head: [strings.names.name, strings.names.kind, ref, arm],
    rows: all.slice(0, mostListed).map((point) => [shortened(point.name, 80), point.kind === "" ? strings.dash : shortened(point.kind, 40), count(point.ref), count(point.arm)]),
  };
  return (
    <div>
      <label class="field inline">
        {strings.names.channel}
        <select value={String(channel)} onChange={(event) => setChannel(Number((event.currentTarget as HTMLSelectElement).value))}>
          {channels.slice(0, 6).map((name, i) => (
            <option value={String(i)}>{strings.channelWords(name)}</option>
          ))}
        </select>
      </label>
      <div class="columns">
      <Figure
        id="failure-set"
        title={strings.names.title}
        text={strings.names.text(count(all.length), count(novel.length), errors === 0 ? strings.dash : percent(novelErrors / errors))}
        note={
          set === undefined
            ? strings.names.noSet
            : set.reason !== undefined
              ? set.reason
              : strings.names.set(correlation(set.spearman), correlation(set.ceiling.median), correlation(set.ceiling.low), percent(set.novel_share), percent(set.novel_expected), strings.outcome(set.outcome), own)
        }
        table={table}
        legend={kinds.length > 0 ? <Legend entries={kinds.map((kind) => ({ label: strings.kind(kind), shape: provenances.indexOf(kind), tone: `kind-${provenances.indexOf(kind)}` }))} /> : undefined}
        draw={(width) => <Cloud width={width} points={all.slice(0, mostDrawn)} shapeOf={shapeOf} refLabel={ref} armLabel={arm} />}
      />
      <Names points={all} total={all.length} onName={(name) => onName(channelName, name)} />
      </div>
    </div>
  );
}

function Cloud(props: { width: number; points: NamePoint[]; shapeOf: (point: NamePoint) => number; refLabel: string; armLabel: string }): JSX.Element {
  const { points, shapeOf, refLabel, armLabel } = props;
  const width = Math.min(props.width, 560);
  const left = 46;
  const right = 14;
  const top = 10;
  const side = width - left - right;
  const height = top + side + 40;
  const most = Math.max(10, ...points.flatMap((point) => [point.ref, point.arm])) * 1.4;
  // Counts of 0 have no logarithm: they stand left of, or below, the broken line.
  const zero = 0.45;
  const x = scaleLog().domain([zero, most]).range([left + 8, left + side]);
  const y = scaleLog().domain([zero, most]).range([top + side - 8, top]);
  const place = (value: number): number => Math.max(zero, value);
  const ticks = [1, 10, 100, 1000, 10000, 100000].filter((tick) => tick <= most);
  const labelled = points.slice(0, width < 480 ? 4 : 9);
  const taken: { x: number; y: number; w: number }[] = [];
  return (
    <Drawing labelledBy="failure-set" width={width} height={height}>
      {ticks.map((tick) => (
        <g class="tick">
          <line x1={x(tick)} x2={x(tick)} y1={top} y2={top + side} />
          <line x1={left} x2={left + side} y1={y(tick)} y2={y(tick)} />
          <text x={x(tick)} y={top + side + 16} text-anchor="middle">
            {count(tick)}
          </text>
          <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {count(tick)}
          </text>
        </g>
      ))}
      <g class="tick">
        <text x={x(zero)} y={top + side + 16} text-anchor="middle">
          0
        </text>
        <text x={left - 6} y={y(zero)} dy="0.32em" text-anchor="end">
          0
        </text>
      </g>
      <line class="broken" x1={x(0.7)} x2={x(0.7)} y1={top} y2={top + side} />
      <line class="broken" x1={left} x2={left + side} y1={y(0.7)} y2={y(0.7)} />
      <line class="identity" x1={x(0.7)} y1={y(0.7)} x2={x(most)} y2={y(most)} />
      <text class="axis" x={left + side / 2} y={height - 4} text-anchor="middle">
        {strings.names.countIn(refLabel)}
      </text>
      <text class="axis" transform={`translate(11,${top + side / 2}) rotate(-90)`} text-anchor="middle">
        {strings.names.countIn(armLabel)}
      </text>
      {points.map((point) => (
        <g class={`kind-${shapeOf(point)}`}>
          <Mark shape={shapeOf(point)} x={x(place(point.ref))} y={y(place(point.arm))} size={4.5} hollow={point.ref === 0} />
          <title>{`${shortened(point.name, 60)}: ${point.ref} → ${point.arm}`}</title>
        </g>
      ))}
      {labelled.map((point) => {
        const text = shortened(point.name, 26);
        const w = text.length * 6.6;
        const px = x(place(point.ref));
        const py = y(place(point.arm));
        const fits = px - w - 10 > left;
        const toLeft = px + w + 10 > left + side || (point.arm > point.ref && fits);
        const at = { x: toLeft ? px - 9 - w : px + 9, y: py, w };
        if (at.x < left || taken.some((other) => Math.abs(other.y - at.y) < 13 && at.x < other.x + other.w && other.x < at.x + at.w)) return null;
        taken.push(at);
        return (
          <text class="point-label" x={toLeft ? px - 9 : px + 9} y={py} dy="0.32em" text-anchor={toLeft ? "end" : "start"}>
            {text}
          </text>
        );
      })}
    </Drawing>
  );
}

function Names({ points, total, onName }: { points: NamePoint[]; total: number; onName: (name: string) => void }): JSX.Element | null {
  const [shown, setShown] = useState(12);
  if (points.length === 0) return null;
  return (
    <div class="names">
      <h4>{strings.names.list}</h4>
      <ul>
        {points.slice(0, shown).map((point) => (
          <li>
            <button type="button" class="link" onClick={() => onName(point.name)}>
              <code dir="auto">{shortened(point.name, 60)}</code>
            </button>
            <span class="dim">
              {point.kind === "" ? "" : `${strings.kind(point.kind)} · `}
              {count(point.ref)} → {count(point.arm)}
            </span>
          </li>
        ))}
      </ul>
      {shown < total && (
        <button type="button" class="quiet" onClick={() => setShown(shown + 50)}>
          {strings.names.more(Math.min(50, total - shown), count(total))}
        </button>
      )}
    </div>
  );
}
