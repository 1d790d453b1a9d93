import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import type { JSX } from "preact";
import { byTurn, lengthAt, lengthNames, pointsLost, recoveryAt, recoveryNames, tallyOf, type Setting, type Side } from "../compute/figures";
import { channels } from "../data/rows";
import { count, interval, percent, plain, points } from "../format";
import { lastOf, settingOf, type CellModel } from "../model";
import type { Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { Drawing, Figure, Legend, Mark, NumberTable, tone, type Table } from "./frame";

interface Props {
  cell: CellModel;
  choice: Choice;
}

const entriesOf = (sides: Side[]): { label: string; shape: number; tone: string }[] =>
  sides.map((side, i) => ({ label: shortened(side.findings.arm, 24), shape: i, tone: tone(i) }));

/** Failed share of the agent's calls along the episode. */
export function ByTurn({ cell, choice }: Props): JSX.Element {
  const setting = settingOf(choice, lastOf(cell));
  const sides = cell.sides.slice(0, 7);
  const longest = Math.max(1, ...sides.map((side) => tallyOf(side, setting).byMessage.calls.length));
  const binWidth = Math.max(2, Math.ceil(longest / 16));
  const fewest = 30; // calls that a point needs to be worth looking at
  const curves = sides.map((side, i) => ({
    label: shortened(side.findings.arm, 24),
    tone: tone(i),
    shape: i,
    bins: byTurn(side, setting, binWidth).filter((bin) => bin.calls >= fewest),
  }));
  const most = Math.max(...curves.map((curve) => curve.bins.length));
  const highest = Math.max(0.01, ...curves.flatMap((curve) => curve.bins.map((bin) => bin.failed / bin.calls)));
  const froms = Array.from({ length: most }, (_unused, i) => i * binWidth);
  const table: Table = {
    head: [strings.turns.messages, ...curves.map((curve) => strings.turns.failedOf(curve.label))],
    rows: froms.map((from) => [
      `${from + 1}–${from + binWidth}`,
      ...curves.map((curve) => {
        const bin = curve.bins.find((entry) => entry.from === from);
        return bin === undefined ? strings.dash : `${percent(bin.failed / bin.calls)} (${count(bin.failed)}/${count(bin.calls)})`;
      }),
    ]),
  };
  return (
    <Figure
      id="turns"
      title={strings.turns.title}
      text={strings.turns.text(fewest)}
      table={table}
      legend={<Legend entries={entriesOf(sides)} />}
      draw={(width) => {
        const left = 40;
        const right = 12;
        const top = 10;
        const height = Math.round(Math.min(260, Math.max(180, width * 0.5)));
        const bottom = height - 40;
        const x = scaleLinear().domain([0, Math.max(1, most - 1)]).range([left + 8, width - right - 8]);
        const y = scaleLinear().domain([0, highest]).nice(4).range([bottom, top]);
        const every = Math.max(1, Math.ceil(most / Math.max(2, Math.floor((width - left) / 44))));
        return (
          <Drawing labelledBy="turns" width={width} height={height}>
            {y.ticks(4).map((tick) => (
              <g class="tick">
                <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
                <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
                  {percent(tick).replace(/\.0$/, "")}
                </text>
              </g>
            ))}
            {curves.map((curve) => (
              <g class={curve.tone}>
                <path class="line" d={line<(typeof curve.bins)[number]>((bin) => x(bin.from / binWidth), (bin) => y(bin.failed / bin.calls))(curve.bins) ?? ""} />
                {curve.bins.map((bin) => (
                  <Mark shape={curve.shape} x={x(bin.from / binWidth)} y={y(bin.failed / bin.calls)} size={3.2} />
                ))}
              </g>
            ))}
            {froms
              .filter((_from, i) => i % every === 0)
              .map((from) => (
                <text class="tick-label" x={x(from / binWidth)} y={bottom + 16} text-anchor="middle">
                  {from + 1}
                </text>
              ))}
            <text class="axis" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
              {strings.turns.axis}
            </text>
          </Drawing>
        );
      }}
    />
  );
}

/** How many episodes spend how much of the budget. */
export function Lives({ cell, choice }: Props): JSX.Element {
  const last = lastOf(cell);
  const setting = settingOf(choice, last);
  const sides = cell.sides.slice(0, 7);
  const cap = Math.max(10, last);
  const shares = sides.map((side) => {
    const counts = new Array<number>(cap + 1).fill(0);
    const { spent } = tallyOf(side, setting);
    for (const value of spent) (counts[Math.min(cap, value)] as number)++;
    return counts.map((value) => (spent.length === 0 ? 0 : value / spent.length));
  });
  const highest = Math.max(0.05, ...shares.flat());
  const labelOf = (n: number): string => (n === cap ? `${n}+` : String(n));
  const table: Table = {
    head: [strings.lives.failed, ...sides.map((side) => shortened(side.findings.arm, 24))],
    rows: Array.from({ length: cap + 1 }, (_unused, n) => [labelOf(n), ...shares.map((share) => `${percent(share[n])} %`)]),
  };
  return (
    <Figure
      id="lives"
      title={strings.lives.title}
      text={strings.lives.text(
        setting.k,
        sides.map((side, i) => `${shortened(side.findings.arm, 24)} ${percent(shares[i]?.[0])} %`).join(", "),
        sides.map((side, i) => `${shortened(side.findings.arm, 24)} ${percent(shares[i]?.slice(Math.min(cap, setting.k)).reduce((sum, value) => sum + value, 0))} %`).join(", "),
      )}
      table={table}
      legend={<Legend entries={entriesOf(sides)} />}
      draw={(width) => {
        const left = 40;
        const right = 12;
        const top = 10;
        const height = Math.round(Math.min(260, Math.max(180, width * 0.5)));
        const bottom = height - 40;
        const slot = (width - left - right) / (cap + 1);
        const y = scaleLinear().domain([0, highest]).nice(4).range([bottom, top]);
        const bar = Math.max(2, (slot * 0.8) / sides.length);
        return (
          <Drawing labelledBy="lives" width={width} height={height}>
            {y.ticks(4).map((tick) => (
              <g class="tick">
                <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
                <text x={left - 6} y={y(tick)} dy="0.32em" text-anchor="end">
                  {Math.round(tick * 100)}
                </text>
              </g>
            ))}
            {setting.k <= cap && (
              <g class="cursor">
                <line x1={left + setting.k * slot} x2={left + setting.k * slot} y1={top} y2={bottom} />
                <text x={left + setting.k * slot + (setting.k > cap - 2 ? -4 : 4)} y={top + 8} text-anchor={setting.k > cap - 2 ? "end" : "start"}>
                  K={setting.k}
                </text>
              </g>
            )}
            {shares.map((share, i) => (
              <g class={tone(i)}>
                {share.map((value, n) => (
                  <rect class="bar" x={left + n * slot + slot * 0.1 + i * bar} width={Math.max(1, bar - 1)} y={y(value)} height={bottom - y(value)} />
                ))}
              </g>
            ))}
            {Array.from({ length: cap + 1 }, (_unused, n) => (
              <text class="tick-label" x={left + (n + 0.5) * slot} y={bottom + 16} text-anchor="middle">
                {width / cap > 26 || n % 2 === 0 ? labelOf(n) : ""}
              </text>
            ))}
            <text class="axis" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
              {strings.lives.axis}
            </text>
          </Drawing>
        );
      }}
    />
  );
}

/** The four shares of recovery. */
export function Recovery({ cell, choice }: Props): JSX.Element {
  const setting = settingOf(choice, lastOf(cell));
  const sides = cell.sides.slice(0, 7);
  const rows = recoveryNames.map((name) => ({ name, arms: sides.map((side) => recoveryAt(side, name, setting)) }));
  const table: Table = {
    head: [strings.recovery.share, ...sides.map((side) => shortened(side.findings.arm, 24))],
    rows: rows.map((row) => [
      strings.recovery.words[row.name] ?? row.name,
      ...row.arms.map((arm) => `${percent(arm.share.value)}${interval(arm.share, percent)} (${count(arm.recovered)}/${count(arm.followed)})`),
    ]),
  };
  return (
    <Figure
      id="recovery"
      title={strings.recovery.title}
      text={strings.recovery.text(rows[0]?.arms.map((arm, i) => `${shortened(sides[i]?.findings.arm ?? "", 24)} ${percent(arm.share.value)} %`).join(", ") ?? "")}
      table={table}
      legend={<Legend entries={entriesOf(sides)} />}
      draw={(width) => {
        const left = 12;
        const right = 16;
        const rowHeight = 52;
        const height = rows.length * rowHeight + 40;
        const x = scaleLinear().domain([0, 1]).range([left + 6, width - right]);
        return (
          <Drawing labelledBy="recovery" width={width} height={height}>
            {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
              <g class="tick">
                <line x1={x(tick)} x2={x(tick)} y1={4} y2={height - 34} />
                <text x={x(tick)} y={height - 18} text-anchor="middle">
                  {tick * 100}
                </text>
              </g>
            ))}
            <text class="axis" x={width / 2} y={height - 3} text-anchor="middle">
              %
            </text>
            {rows.map((row, i) => {
              const y = i * rowHeight + 34;
              return (
                <g>
                  <text class="row-label" x={left} y={y - 18}>
                    {strings.recovery.words[row.name]}
                  </text>
                  {row.arms.map((arm, a) => {
                    const { value, low, high } = arm.share;
                    if (value === null) return null;
                    const at = y + (a - (row.arms.length - 1) / 2) * 7;
                    return (
                      <g class={tone(a)}>
                        {low !== null && high !== null && <line class="whisker" x1={x(low)} x2={x(high)} y1={at} y2={at} />}
                        <Mark shape={a} x={x(value)} y={at} />
                      </g>
                    );
                  })}
                </g>
              );
            })}
          </Drawing>
        );
      }}
    />
  );
}

/** Lengths and costs of episodes, as far as the logs have them. */
export function Lengths({ cell, choice }: Props): JSX.Element {
  const setting = settingOf(choice, lastOf(cell));
  const sides = cell.sides;
  const names = lengthNames.filter((name) => sides.some((side) => lengthAt(side, name, setting).episodes > 0));
  const table: Table = {
    head: [strings.lengths.of, ...sides.flatMap((side) => [strings.lengths.mean, strings.lengths.median, strings.lengths.p90].map((word) => `${shortened(side.findings.arm, 16)} ${word}`))],
    rows: names.map((name) => [
      strings.lengths.words[name] ?? name,
      ...sides.flatMap((side) => {
        const at = lengthAt(side, name, setting);
        return [plain(at.mean), plain(at.median), plain(at.p90)];
      }),
    ]),
  };
  return (
    <div class="figure" id="lengths">
      <h3>{strings.lengths.title}</h3>
      <p>{strings.lengths.text}</p>
      <NumberTable table={table} caption={strings.lengths.title} />
    </div>
  );
}

/** Points that each channel takes from the score, by arm. */
export function Attribution({ cell, choice }: Props): JSX.Element {
  const setting: Setting = settingOf(choice, lastOf(cell));
  const sides = cell.sides.slice(0, 7);
  const rows = channels.slice(0, 6).map((name, channel) => ({ name, arms: sides.map((side) => pointsLost(side, channel, setting)) }));
  const highest = Math.max(0.02, ...rows.flatMap((row) => row.arms.map((arm) => arm?.high ?? 0)));
  const table: Table = {
    head: [strings.channels.channel, ...sides.map((side) => shortened(side.findings.arm, 24))],
    rows: rows.map((row) => [
      strings.channelWords(row.name),
      ...row.arms.map((arm) => (arm === null ? strings.dash : points(arm.low) === points(arm.high) ? points(arm.low) : `${points(arm.low)} … ${points(arm.high)}`)),
    ]),
  };
  return (
    <Figure
      id="attribution"
      title={strings.attribution.title(setting.k)}
      text={strings.attribution.text}
      note={strings.attribution.note}
      table={table}
      legend={<Legend entries={entriesOf(sides)} />}
      draw={(width) => {
        const narrow = width < 520;
        const left = narrow ? 8 : 190;
        const right = 16;
        const rowHeight = (narrow ? 34 : 14) + sides.length * 9;
        const height = rows.length * rowHeight + 42;
        const x = scaleLinear().domain([0, highest]).nice(5).range([left, width - right]);
        return (
          <Drawing labelledBy="attribution" width={width} height={height}>
            {x.ticks(narrow ? 4 : 6).map((tick) => (
              <g class="tick">
                <line x1={x(tick)} x2={x(tick)} y1={4} y2={height - 36} />
                <text x={x(tick)} y={height - 20} text-anchor="middle">
                  {Math.round(tick * 100)}
                </text>
              </g>
            ))}
            <text class="axis" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
              {strings.attribution.axis}
            </text>
            {rows.map((row, i) => {
              const y = i * rowHeight + (narrow ? 26 : 10);
              const block = sides.length * 9;
              return (
                <g>
                  <text class="row-label" x={narrow ? left : left - 8} y={narrow ? y - 8 : y + block / 2} dy={narrow ? "0" : "0.32em"} text-anchor={narrow ? "start" : "end"}>
                    {strings.channelWords(row.name)}
                  </text>
                  {row.arms.map((arm, a) => {
                    if (arm === null) return null;
                    const low = Math.max(0, arm.low);
                    const high = Math.max(low, arm.high);
                    return (
                      <g class={tone(a)}>
                        <rect class="bar" x={x(0)} width={Math.max(0, x(low) - x(0))} y={y + a * 9} height={7} />
                        <rect class="bar open" x={x(low)} width={Math.max(0, x(high) - x(low))} y={y + a * 9} height={7} />
                      </g>
                    );
                  })}
                </g>
              );
            })}
          </Drawing>
        );
      }}
    />
  );
}
