import type { JSX } from "preact";
import { isDefault } from "../budget/semantics";
import { kObs } from "../compute/figures";
import { correlation, inPoints, interval, percent, pValue, ratio, times, within } from "../format";
import { comparisonOf, lastOf, settingOf, sideOf, type CellModel, type Study } from "../model";
import { Dumbbell, Forest } from "../plot/channel_plots";
import { Attribution, ByTurn, Lengths, Lives, Recovery } from "../plot/episode_plots";
import { NumberTable, type Table } from "../plot/frame";
import { NamePlot } from "../plot/name_plot";
import { ScorePlot } from "../plot/score_plot";
import type { Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";
import { DrillDown } from "./drilldown";
import { Grid } from "./grid";
import { ScreenSection } from "./screen_view";
import { Coverage, VerdictCard } from "./verdicts";

interface Props {
  study: Study;
  choice: Choice;
  /** Opens the viewer on the episodes with such calls. */
  onCalls: (channel: string, name: string) => void;
}

export function FindingsView({ study, choice, onCalls }: Props): JSX.Element {
  const cell = study.cells[choice.cell];
  return (
    <>
      {study.cells.length > 1 && (
        <section class="section" id="grid" aria-labelledby="grid-title">
          <h2 id="grid-title">{strings.sections.grid}</h2>
          <Grid study={study} choice={choice} />
          <p class="note">{strings.grid.note}</p>
        </section>
      )}
      {cell === undefined ? <p>{strings.page.nothing}</p> : <CellView study={study} cell={cell} choice={choice} onCalls={onCalls} />}
      {study.cells.length > 1 && <OverCells study={study} />}
    </>
  );
}

function CellView({ study, cell, choice, onCalls }: Props & { cell: CellModel }): JSX.Element {
  const comparison = comparisonOf(cell, choice);
  const side = comparison === null ? null : sideOf(cell, comparison.arm);
  const last = lastOf(cell);
  const setting = settingOf(choice, last);
  const own = isDefault(choice.semantics) && setting.k >= last;
  const whole = cell.reference === null || side === null ? setting : setting.k >= last ? { ...setting, k: Math.max(kObs(cell.reference), kObs(side)) } : setting;
  return (
    <>
      <section class="section" id="cell" aria-labelledby="cell-title">
        <h2 id="cell-title" dir="auto">
          {shortened(cell.findings.cell, 80)}
        </h2>
        {comparison === null ? (
          <p>{strings.page.noArm}</p>
        ) : (
          <div class="cards">
            {cell.findings.comparisons.map((entry) => (
              <VerdictCard study={study} cell={cell} comparison={entry} choice={choice} />
            ))}
          </div>
        )}
        <h3>{strings.sections.compared}</h3>
        <Coverage study={study} cell={cell} />
        <NoiseFloor cell={cell} />
      </section>
      <section class="section" aria-labelledby="score-section">
        <h2 id="score-section">{strings.sections.score}</h2>
        <ScorePlot study={study} cell={cell} choice={choice} />
      </section>
      <section class="section" aria-labelledby="channels-section">
        <h2 id="channels-section">{strings.sections.channels}</h2>
        <div class="columns">
          <Dumbbell cell={cell} choice={choice} />
          <DrillDown sides={cell.sides} setting={setting} onCalls={onCalls} />
        </div>
        {comparison !== null && <Forest study={study} arm={comparison.arm} choice={choice} />}
      </section>
      {comparison !== null && side !== null && cell.reference !== null && (
        <section class="section" aria-labelledby="names-section">
          <h2 id="names-section">{strings.sections.names}</h2>
          <NamePlot reference={cell.reference} side={side} comparison={comparison} setting={whole} own={own} onName={onCalls} />
        </section>
      )}
      <section class="section" aria-labelledby="errors-section">
        <h2 id="errors-section">{strings.sections.errors}</h2>
        <div class="columns">
          <ByTurn cell={cell} choice={choice} />
          <Lives cell={cell} choice={choice} />
          <Recovery cell={cell} choice={choice} />
          <Lengths cell={cell} choice={choice} />
        </div>
      </section>
      <section class="section" aria-labelledby="attribution-section">
        <h2 id="attribution-section">{strings.sections.attribution}</h2>
        <Attribution cell={cell} choice={choice} />
      </section>
      <ScreenSection cell={cell.findings} />
      <Repairs study={study} cell={cell} />
    </>
  );
}

function NoiseFloor({ cell }: { cell: CellModel }): JSX.Element {
  const floor = cell.findings.noise_floor;
  const rows = Object.entries(floor.amplification)
    .filter(([, entry]) => entry.ratio !== null && entry.ratio !== undefined)
    .map(([name, entry]) => [strings.channelWords(name), times(entry.ratio) + interval({ low: entry.low ?? null, high: entry.high ?? null }, ratio)]);
  return (
    <details class="numbers">
      <summary>{strings.noise.title}</summary>
      <p>
        {floor.from_null_arm ? strings.noise.nullArm(shortened(floor.arm ?? "", 40)) : strings.noise.halves}{" "}
        {floor.gap.value !== null ? strings.noise.gap(inPoints(floor.gap.value) + interval(within(floor.gap, -100, 100), inPoints)) : (floor.reason ?? "")}
      </p>
      {rows.length > 0 && <NumberTable table={{ head: strings.noise.head, rows }} caption={strings.noise.title} />}
    </details>
  );
}

function Repairs({ study, cell }: { study: Study; cell: CellModel }): JSX.Element | null {
  const repairs = study.findings.repairs.filter((repair) => repair.cell === cell.findings.cell);
  if (repairs.length === 0) return null;
  const table: Table = {
    head: strings.repairs.head,
    rows: repairs.map((repair) => [
      shortened(repair.cell, 40),
      shortened(repair.arm, 24),
      shortened(repair.unrepaired, 24),
      strings.repairs.outcomes[repair.outcome] ?? repair.outcome,
      percent(repair.recovered_share.value) + interval(repair.recovered_share, percent),
      inPoints(repair.harm_bound),
      pValue(repair.p_adjusted),
    ]),
  };
  return (
    <section class="section" id="repairs" aria-labelledby="repairs-section">
      <h2 id="repairs-section">{strings.sections.repairs}</h2>
      <NumberTable table={table} caption={strings.sections.repairs} />
    </section>
  );
}

function OverCells({ study }: { study: Study }): JSX.Element {
  const over = study.findings.study;
  const rows: string[][] = [
    [strings.study.correlation, `${correlation(over.spearman_amplification_widening.value)}, ${pValue(over.spearman_amplification_widening.p)}`],
    ...over.predictors.map((entry) => [strings.study.predictor(entry.name), entry.spearman === null ? `${strings.dash} ${entry.reason ?? ""}` : `${correlation(entry.spearman)}, ${pValue(entry.p)}`]),
    ...(over.foretold?.spearman == null ? [] : [[strings.study.foretold(over.foretold.k), `${correlation(over.foretold.spearman)}, ${pValue(over.foretold.p)}; ${strings.study.off(inPoints(over.foretold.mean_absolute_error))}`]]),
    [strings.study.equivalent, strings.study.of(over.equivalent_cells, over.tested_cells)],
    [strings.study.surviving, String(over.gaps_surviving)],
    ...Object.entries(over.channel_by_domain).map(([domain, counts]) => [
      strings.study.byDomain(shortened(domain, 40)),
      Object.entries(counts)
        .map(([channel, times]) => `${strings.channelWords(channel)} ${times}`)
        .join(", ") || strings.dash,
    ]),
  ];
  return (
    <section class="section" id="study" aria-labelledby="study-section">
      <h2 id="study-section">{strings.sections.study}</h2>
      {over.reason !== undefined && <p>{strings.study.few}</p>}
      <NumberTable table={{ head: strings.study.head, rows }} caption={strings.sections.study} />
    </section>
  );
}
