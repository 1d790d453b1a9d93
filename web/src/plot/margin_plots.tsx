import { scaleLinear } from "d3-scale";
import type { JSX } from "preact";
import { outcomeOf, outcomes, scatterRange, stacksOf, totalOf } from "../compute/margins";
import type { MarginGroup } from "../data/margins";
import { count, fixed, interval, percent } from "../format";
import { strings } from "../strings";
import { Drawing, Figure, Legend, Mark, tone, type Table } from "./frame";

const mostDrawn = 4000;
const words = strings.margins;

const number = (value: number): string => fixed(value, 2);

interface Props {
  group: MarginGroup;
  reference: string;
  arm: string;
}

function Outcomes(): JSX.Element {
  return <Legend entries={outcomes.map((outcome) => ({ label: words.outcome(outcome.key), shape: outcome.shape, tone: tone(outcome.tone) }))} />;
}

function textOf(group: MarginGroup): string {
  const { good, bad } = group.flips;
  return words.text(count(good.flipped), count(good.decisions), count(bad.flipped), count(bad.decisions), percent(group.thin_share.value));
}

/** Margins of the reference, by what became of the decisions. */
export function MarginHistogram({ group, reference }: Props): JSX.Element {
  const table: Table = {
    head: words.histogramHead,
    rows: group.histogram.map((bin) => [`${number(bin.low)} … ${number(bin.high)}`, ...outcomes.map((outcome) => count(bin[outcome.count]))]),
  };
  return (
    <Figure id="margin-histogram" title={words.histogram} text={textOf(group)} note={words.histogramNote} table={table} legend={<Outcomes />} draw={(width) => <Bars width={width} group={group} label={words.marginAxis(reference)} />} />
  );
}

function Bars({ width, group, label }: { width: number; group: MarginGroup; label: string }): JSX.Element | null {
  const bins = group.histogram;
  const first = bins[0];
  const last = bins[bins.length - 1];
  if (first === undefined || last === undefined) return null;
  const left = 46;
  const height = 300;
  const bottom = height - 44;
  const x = scaleLinear().domain([first.low, last.high]).range([left, width - 14]);
  const y = scaleLinear().domain([0, Math.max(4, ...bins.map(totalOf))]).nice(4).range([bottom, 22]);
  const wide = x(first.high) - x(first.low);
  return (
    <Drawing labelledBy="margin-histogram" width={width} height={height}>
      <text class="axis" x={left - 34} y={10}>
        {words.decisionsAxis}
      </text>
      {y.ticks(4).map((tick) => (
        <g class="tick">
          <line x1={left} x2={width - 14} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {count(tick)}
          </text>
        </g>
      ))}
      {bins.flatMap((bin) =>
        stacksOf(bin).map((stack) => {
          const outcome = outcomes[stack.outcome];
          if (outcome === undefined) return null;
          const high = y(stack.from) - y(stack.to);
          return (
            <g class={tone(outcome.tone)}>
              <rect class="bar" x={x(bin.low) + 0.5} y={y(stack.to)} width={Math.max(1, wide - 1)} height={high} />
              {high >= 9 && (
                <g class="on-bar">
                  <Mark shape={outcome.shape} x={x(bin.low) + wide / 2} y={y(stack.to) + high / 2} size={3} />
                </g>
              )}
              <title>{words.bin(number(bin.low), number(bin.high), count(stack.count), words.outcome(outcome.key))}</title>
            </g>
          );
        }),
      )}
      {first.low < 0 && last.high > 0 && <line class="identity" x1={x(0)} x2={x(0)} y1={16} y2={bottom} />}
      {x.ticks(width < 480 ? 5 : 9).map((tick) => (
        <g class="tick">
          <text x={x(tick)} y={bottom + 16} text-anchor="middle">
            {fixed(tick, Number.isInteger(tick) ? 0 : 1)}
          </text>
        </g>
      ))}
      <text class="axis" x={(left + width - 14) / 2} y={height - 6} text-anchor="middle">
        {label}
      </text>
    </Drawing>
  );
}

/** Margins of the same decisions in both arms. */
export function FlipScatter({ group, reference, arm }: Props): JSX.Element {
  const points = group.points ?? [];
  const { matrix } = group;
  const table: Table = {
    head: words.matrixHead(reference, arm),
    rows: [
      [words.good, words.good, count(matrix.good_good)],
      [words.good, words.bad, count(matrix.good_bad)],
      [words.bad, words.good, count(matrix.bad_good)],
      [words.bad, words.bad, count(matrix.bad_bad)],
    ],
  };
  return (
    <Figure id="margin-flips" title={words.scatter} text={textOf(group)} note={words.scatterNote} table={table} legend={<Outcomes />} draw={(width) => <Cloud width={width} points={points.slice(0, mostDrawn)} reference={reference} arm={arm} />} />
  );
}

function Cloud(props: { width: number; points: [number, number, number][]; reference: string; arm: string }): JSX.Element | null {
  const { points, reference, arm } = props;
  if (points.length === 0) return null;
  const width = Math.min(props.width, 560);
  const left = 46;
  const right = 14;
  const top = 10;
  const side = width - left - right;
  const height = top + side + 40;
  const x = scaleLinear().domain(scatterRange(points)).nice(6).range([left, left + side]).clamp(true);
  const [low = 0, high = 1] = x.domain();
  const y = scaleLinear().domain([low, high]).range([top + side, top]).clamp(true);
  return (
    <Drawing labelledBy="margin-flips" width={width} height={height}>
      {x.ticks(6).map((tick) => (
        <g class="tick">
          <line x1={x(tick)} x2={x(tick)} y1={top} y2={top + side} />
          <line x1={left} x2={left + side} y1={y(tick)} y2={y(tick)} />
          <text x={x(tick)} y={top + side + 16} text-anchor="middle">
            {fixed(tick, Number.isInteger(tick) ? 0 : 1)}
          </text>
          <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {fixed(tick, Number.isInteger(tick) ? 0 : 1)}
          </text>
        </g>
      ))}
      <line class="identity" x1={x(0)} x2={x(0)} y1={top} y2={top + side} />
      <line class="identity" x1={left} x2={left + side} y1={y(0)} y2={y(0)} />
      <line class="broken" x1={x(low)} y1={y(low)} x2={x(high)} y2={y(high)} />
      {points.map(([, before, after]) => {
        const outcome = outcomes[outcomeOf(before, after)];
        if (outcome === undefined) return null;
        const flipped = before > 0 !== after > 0;
        return (
          <g class={tone(outcome.tone)}>
            <Mark shape={outcome.shape} x={x(before)} y={y(after)} size={flipped ? 3.5 : 2.5} hollow={!flipped} />
            <title>{`${number(before)} → ${number(after)}, ${words.outcome(outcome.key)}`}</title>
          </g>
        );
      })}
      <text class="axis" x={left + side / 2} y={height - 4} text-anchor="middle">
        {words.marginAxis(reference)}
      </text>
      <text class="axis" transform={`translate(11,${top + side / 2}) rotate(-90)`} text-anchor="middle">
        {words.marginAxis(arm)}
      </text>
    </Drawing>
  );
}

/** Predicted against observed flips, a mark a tenth of the decisions. */
export function MarginCalibration({ group }: Props): JSX.Element {
  const { bins, reason } = group.calibration;
  const table: Table = {
    head: words.calibrationHead,
    rows: bins.map((bin) => [`${number(bin.low)} … ${number(bin.high)}`, count(bin.decisions), percent(bin.predicted), percent(bin.observed.value) + interval(bin.observed, percent)]),
  };
  const { good } = group.flips;
  const text = words.calibrationText(percent(good.predicted.value) + interval(good.predicted, percent), percent(good.observed.value) + interval(good.observed, percent));
  return <Figure id="margin-calibration" title={words.calibration} text={text} note={reason ?? words.calibrationNote} table={table} draw={(width) => <Line width={width} group={group} />} />;
}

function Line({ width: room, group }: { width: number; group: MarginGroup }): JSX.Element | null {
  const bins = group.calibration.bins.filter((bin) => bin.predicted !== null && bin.observed.value !== null);
  if (bins.length === 0) return null;
  const width = Math.min(room, 560);
  const left = 46;
  const right = 14;
  const top = 22;
  const side = Math.min(width - left - right, 400);
  const height = top + side + 44;
  const highest = Math.max(0.1, ...bins.flatMap((bin) => [bin.predicted ?? 0, bin.observed.high ?? bin.observed.value ?? 0]));
  const x = scaleLinear().domain([0, Math.min(1, highest)]).nice(5).range([left, width - right]);
  const [, end = 1] = x.domain();
  const y = scaleLinear().domain([0, end]).range([top + side, top]);
  return (
    <Drawing labelledBy="margin-calibration" width={width} height={height}>
      <text class="axis" x={left - 34} y={10}>
        {words.observedAxis}
      </text>
      {x.ticks(5).map((tick) => (
        <g class="tick">
          <line x1={x(tick)} x2={x(tick)} y1={top} y2={top + side} />
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={x(tick)} y={top + side + 16} text-anchor="middle">
            {fixed(100 * tick, end < 0.1 ? 1 : 0)}
          </text>
          <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
            {fixed(100 * tick, end < 0.1 ? 1 : 0)}
          </text>
        </g>
      ))}
      <line class="broken" x1={x(0)} y1={y(0)} x2={x(end)} y2={y(end)} />
      {bins.map((bin) => {
        const place = x(bin.predicted ?? 0);
        return (
          <g class={tone(1)}>
            {bin.observed.low !== null && bin.observed.high !== null && <line class="line" x1={place} x2={place} y1={y(bin.observed.low)} y2={y(bin.observed.high)} />}
            <Mark shape={0} x={place} y={y(bin.observed.value ?? 0)} />
            <title>{`${number(bin.low)} … ${number(bin.high)}: ${percent(bin.predicted)} → ${percent(bin.observed.value)}${interval(bin.observed, percent)} %`}</title>
          </g>
        );
      })}
      <text class="axis" x={(left + width - right) / 2} y={height - 6} text-anchor="middle">
        {words.predictedAxis}
      </text>
    </Drawing>
  );
}
