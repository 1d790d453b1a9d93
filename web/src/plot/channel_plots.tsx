import { scaleLog, scalePow } from "d3-scale";
import type { JSX } from "preact";
import { amplificationAt, channelAt, kObs, selectors, type Setting } from "../compute/figures";
import type { Amplification, Figure as FigureValue } from "../data/findings";
import { isDefault } from "../budget/semantics";
import { count, interval, percent, pValue, ratio, times } from "../format";
import { lastOf, settingOf, sideOf, type CellModel, type Study } from "../model";
import type { Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { Drawing, Figure, Legend, Mark, tone, type Table } from "./frame";

const rowHeight = 40;

/** Errors a call of every channel, an arm a mark, with intervals. */
export function Dumbbell({ cell, choice }: { cell: CellModel; choice: Choice }): JSX.Element {
  const setting = settingOf(choice, lastOf(cell));
  const sides = cell.sides.slice(0, 7);
  const rows = selectors.map((selector) => ({
    name: selector.name,
    arms: sides.map((side) => channelAt(side, selector.name, setting)),
  }));
  const table: Table = {
    head: [
      strings.channels.channel,
      ...sides.flatMap((side) => {
        const arm = shortened(side.findings.arm, 24);
        return [strings.channels.errorsOf(arm), strings.channels.rateOf(arm), strings.channels.perEpisodeOf(arm)];
      }),
    ],
    rows: rows.map((row) => [
      strings.channelWords(row.name),
      ...row.arms.flatMap((arm) => [
        count(arm.errors),
        percent(arm.rate.value) + interval(arm.rate, percent),
        arm.per_episode.value === null ? strings.dash : arm.per_episode.value.toFixed(3),
      ]),
    ]),
  };
  const most = (row: (typeof rows)[number]): number => Math.max(0, ...row.arms.map((arm) => arm.errors));
  const largest = rows
    .filter((row) => most(row) > 0 && row.name !== "entity_argument" && row.name !== "tool_name_nobody")
    .sort((one, other) => most(other) - most(one))[0];
  return (
    <Figure
      id="channels"
      title={strings.channels.title}
      text={
        largest === undefined
          ? strings.channels.none
          : strings.channels.text(
              strings.channelWords(largest.name),
              largest.arms.map((arm, i) => `${shortened(sides[i]?.findings.arm ?? "", 24)} ${percent(arm.rate.value)} %`).join(", "),
            )
      }
      note={strings.channels.note}
      table={table}
      legend={<Legend entries={sides.map((side, i) => ({ label: shortened(side.findings.arm, 24), shape: i, tone: tone(i) }))} />}
      draw={(width) => {
        const narrow = width < 520;
        const left = narrow ? 8 : 190;
        const right = 18;
        const row = narrow ? 54 : rowHeight;
        const top = 8;
        const height = top + rows.length * row + 40;
        const highest = Math.max(0.01, ...rows.flatMap((entry) => entry.arms.map((arm) => arm.rate.high ?? arm.rate.value ?? 0)));
        const x = scalePow().exponent(0.5).domain([0, Math.min(1, highest * 1.02)]).range([left + 6, width - right]);
        const ticks = [0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1]
          .filter((tick) => tick <= highest * 1.02)
          .filter((tick, i, all) => i === 0 || x(tick) - x(all[i - 1] as number) > 0)
          .reduce<number[]>((kept, tick) => (kept.length === 0 || x(tick) - x(kept[kept.length - 1] as number) > 34 ? [...kept, tick] : kept), []);
        return (
          <Drawing labelledBy="channels" width={width} height={height}>
            {ticks.map((tick) => (
              <g class="tick">
                <line x1={x(tick)} x2={x(tick)} y1={top} y2={height - 38} />
                <text x={x(tick)} y={height - 22} text-anchor="middle">
                  {percent(tick).replace(/\.0+$/, "").replace(/(\.\d)0$/, "$1")}
                </text>
              </g>
            ))}
            <text class="axis" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
              {strings.channels.axis}
            </text>
            {rows.map((entry, i) => {
              const y = top + i * row + (narrow ? 34 : row / 2);
              const values = entry.arms.map((arm) => arm.rate.value).filter((value): value is number => value !== null);
              const rollUp = entry.name === "entity_argument" || entry.name === "tool_name_nobody";
              return (
                <g>
                  {narrow ? (
                    <text class={rollUp ? "row-label dim" : "row-label"} x={left} y={y - 18}>
                      {strings.channelWords(entry.name)}
                    </text>
                  ) : (
                    <text class={rollUp ? "row-label dim" : "row-label"} x={left - 8} y={y} dy="0.32em" text-anchor="end">
                      {strings.channelWords(entry.name)}
                    </text>
                  )}
                  {values.length > 1 && <line class="link" x1={x(Math.min(...values))} x2={x(Math.max(...values))} y1={y} y2={y} />}
                  {entry.arms.map((arm, a) => {
                    if (arm.rate.value === null) return null;
                    const at = y + (a - (entry.arms.length - 1) / 2) * 7;
                    return (
                      <g class={tone(a)}>
                        {arm.rate.low !== null && arm.rate.high !== null && (
                          <line class={arm.errors === 0 ? "whisker none" : "whisker"} x1={x(arm.rate.low)} x2={x(arm.rate.high)} y1={at} y2={at} />
                        )}
                        <Mark shape={a} x={x(arm.rate.value)} y={at} />
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

interface ForestRow {
  cell: string;
  channel: string;
  ratio: FigureValue;
  finding: Amplification | undefined;
  tone: number;
}

/** Ratios of errors an episode over cells and channels, of the arm that the reader looks at. */
export function Forest({ study, arm, choice }: { study: Study; arm: string; choice: Choice }): JSX.Element {
  const rows: ForestRow[] = [];
  let own = isDefault(choice.semantics);
  for (const selector of selectors) {
    for (const cell of study.cells) {
      const side = sideOf(cell, arm);
      const comparison = cell.findings.comparisons.find((entry) => entry.arm === arm);
      if (side === null || comparison === undefined || cell.reference === null) continue;
      const setting: Setting = settingOf(choice, comparison.k_obs);
      if (setting.k < comparison.k_obs) own = false;
      const finding = comparison.amplification[selector.name];
      if (finding === undefined || finding.errors_ref + finding.errors_arm === 0 || !finding.in_family) continue;
      const whole: Setting = setting.k >= comparison.k_obs ? { ...setting, k: Math.max(kObs(side), kObs(cell.reference)) } : setting;
      rows.push({ cell: cell.findings.cell, channel: selector.name, ratio: amplificationAt(cell.reference, side, selector.name, whole, "episode"), finding, tone: cell.sides.indexOf(side) });
    }
  }
  const drawn = rows.filter((row) => row.ratio.value !== null);
  const amplified = rows.filter((row) => row.finding?.amplified === true);
  const table: Table = {
    head: [strings.forest.cell, strings.channels.channel, strings.forest.ratio, "p", strings.forest.adjusted, strings.forest.errors],
    rows: rows.map((row) => [
      shortened(row.cell, 60),
      strings.channelWords(row.channel),
      row.ratio.value === null ? `${strings.dash} ${row.ratio.reason ?? ""}` : times(row.ratio.value) + interval(row.ratio, ratio),
      own ? pValue(row.finding?.p) : strings.dash,
      own ? pValue(row.finding?.p_adjusted) : strings.dash,
      `${count(row.finding?.errors_ref)} → ${count(row.finding?.errors_arm)}`,
    ]),
  };
  const several = study.cells.length > 1;
  return (
    <Figure
      id="amplification"
      title={strings.forest.title(shortened(arm, 24))}
      text={strings.forest.text(amplified.length, rows.length, study.findings.settings.amplified_ratio)}
      note={strings.forest.note(study.findings.settings.correction, study.findings.study.families.amplification, own)}
      table={table}
      draw={(width) => {
        const narrow = width < 520;
        const left = narrow ? 8 : several ? 280 : 190;
        const right = narrow ? 8 : 150;
        const row = narrow ? 44 : 26;
        const top = 8;
        const height = top + Math.max(1, drawn.length) * row + 40;
        const ends = drawn.flatMap((entry) => [entry.ratio.low ?? entry.ratio.value ?? 1, entry.ratio.high ?? entry.ratio.value ?? 1]);
        const x = scaleLog()
          .domain([Math.max(0.004, Math.min(0.8, ...ends)), Math.min(300, Math.max(2, ...ends))])
          .range([left + 6, width - right - 6])
          .clamp(true);
        const ticks = [0.004, 0.008, 0.015, 0.03, 0.06, 0.12, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256]
          .filter((tick) => tick >= (x.domain()[0] as number) && tick <= (x.domain()[1] as number))
          .reduce<number[]>((kept, tick) => (tick === 1 || kept.length === 0 || x(tick) - x(kept[kept.length - 1] as number) > 36 ? [...kept, tick] : kept), []);
        return (
          <Drawing labelledBy="amplification" width={width} height={height}>
            {ticks.map((tick) => (
              <g class={tick === 1 ? "tick zero" : "tick"}>
                <line x1={x(tick)} x2={x(tick)} y1={top} y2={height - 38} />
                <text x={x(tick)} y={height - 22} text-anchor="middle">
                  ×{tick}
                </text>
              </g>
            ))}
            <text class="axis" x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
              {strings.forest.axis}
            </text>
            {drawn.map((entry, i) => {
              const y = top + i * row + (narrow ? 30 : row / 2);
              const label = several ? `${strings.channelShort(entry.channel)} · ${shortened(entry.cell, 28)}` : strings.channelWords(entry.channel);
              const solid = own ? entry.finding?.amplified === true : (entry.ratio.low ?? 0) > 1;
              return (
                <g class={tone(entry.tone)}>
                  <text class="row-label" x={narrow ? left : left - 8} y={narrow ? y - 16 : y} dy={narrow ? "0" : "0.32em"} text-anchor={narrow ? "start" : "end"}>
                    {label}
                  </text>
                  {entry.ratio.low !== null && entry.ratio.high !== null && <line class="whisker" x1={x(entry.ratio.low)} x2={x(entry.ratio.high)} y1={y} y2={y} />}
                  <Mark shape={1} x={x(entry.ratio.value as number)} y={y} size={4} hollow={!solid} />
                  {!narrow && (
                    <text class="row-value" x={width - right + 6} y={y} dy="0.32em">
                      {times(entry.ratio.value)}
                      {interval(entry.ratio, ratio)}
                    </text>
                  )}
                </g>
              );
            })}
          </Drawing>
        );
      }}
    />
  );
}

