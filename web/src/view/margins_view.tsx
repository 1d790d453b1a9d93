import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { drawnGroups, marginsOf } from "../compute/margins";
import type { Figure as Value } from "../data/findings";
import type { MarginComparison, MarginGroup, Margins } from "../data/margins";
import { count, fixed, interval, percent, ratio, times } from "../format";
import { NumberTable, type Table } from "../plot/frame";
import { FlipScatter, MarginCalibration, MarginHistogram } from "../plot/margin_plots";
import type { Choice } from "../state";
import { strings } from "../strings";
import { shortened } from "../text/visible";

const words = strings.margins;

const twoDigits = (value: number | null): string => (value === null ? strings.dash : fixed(value, 2));
const orReason = (figure: Value, text: string): string => (figure.value === null ? `${strings.dash} ${figure.reason ?? ""}` : text);

/** What paired replay showed, where the page has it. */
export function MarginsView({ margins, choice }: { margins: Margins; choice: Choice }): JSX.Element {
  // Replayed arms need not be among the audit's: they are chosen here, and follow the page's arm where they can.
  const [arm, setArm] = useState<string | null>(null);
  useEffect(() => setArm(null), [choice.arm]);
  const comparison = marginsOf(margins, arm ?? choice.arm);
  return (
    <section class="section" id="margins" aria-labelledby="margins-section">
      <h2 id="margins-section">{strings.sections.margins}</h2>
      {comparison !== null && margins.comparisons.length > 1 && (
        <label class="field inline">
          {strings.controls.arm}
          <select value={comparison.arm.name} onChange={(event) => setArm((event.currentTarget as HTMLSelectElement).value)}>
            {margins.comparisons.map((entry) => (
              <option value={entry.arm.name}>{shortened(entry.arm.name, 40)}</option>
            ))}
          </select>
        </label>
      )}
      {comparison === null ? <p>{margins.reason ?? words.none}</p> : <Compared margins={margins} comparison={comparison} />}
    </section>
  );
}

function Compared({ margins, comparison }: { margins: Margins; comparison: MarginComparison }): JSX.Element {
  const groups = drawnGroups(comparison);
  const [chosen, setChosen] = useState(0);
  const group = groups[chosen] ?? groups[0];
  const reference = shortened(margins.reference.name, 24);
  const arm = shortened(comparison.arm.name, 24);
  return (
    <>
      <p>
        {words.intro(count(margins.decisions), reference, arm)} {comparison.control && words.control}
      </p>
      {groups.length > 1 && (
        <label class="field inline">
          {words.group}
          <select value={String(chosen)} onChange={(event) => setChosen(Number((event.currentTarget as HTMLSelectElement).value))}>
            {groups.map((entry, i) => (
              <option value={String(i)}>{words.groupName(entry.name, entry.side)}</option>
            ))}
          </select>
        </label>
      )}
      {group === undefined || group.paired === 0 ? (
        <p>{words.none}</p>
      ) : (
        <div class="columns">
          <MarginHistogram group={group} reference={reference} arm={arm} />
          <FlipScatter group={group} reference={reference} arm={arm} />
          <MarginCalibration group={group} reference={reference} arm={arm} />
          <Numbers comparison={comparison} group={group} />
        </div>
      )}
      <Carriers comparison={comparison} />
      <p class="note">{words.note}</p>
    </>
  );
}

function Numbers({ comparison, group }: { comparison: MarginComparison; group: MarginGroup }): JSX.Element {
  const number = (figure: Value): string => orReason(figure, twoDigits(figure.value) + interval(figure, twoDigits));
  const share = (figure: Value): string => orReason(figure, `${percent(figure.value)} %${interval(figure, percent)}`);
  const leftOut = group.left_out.map((entry) => `${count(entry.reference + entry.arm)} ${shortened(entry.reason, 40)}`).join(", ");
  const { good, bad } = group.flips;
  const rows: string[][] = [
    [words.rows.decisions, words.paired(count(group.paired), count(group.decisions))],
    [words.rows.leftOut, leftOut === "" ? strings.dash : leftOut],
    [words.rows.bias, number(group.bias)],
    [words.rows.sigma, number(group.sigma)],
    [words.rows.slope, number(group.slope)],
    [words.rows.thin, share(group.thin_share)],
    [words.rows.good, share(good.observed)],
    [words.rows.goodPredicted, share(good.predicted)],
    [words.rows.bad, share(bad.observed)],
    [words.rows.badPredicted, share(bad.predicted)],
    ...(group.mass ?? []).map((mass) => [words.rows.mass(mass.temperature), orReason(mass.amplification, times(mass.amplification.value) + interval(mass.amplification, ratio))]),
    [words.rows.thinAuc, number(group.side_test.auc_thinness)],
    [words.rows.divergenceAuc, number(group.side_test.auc_divergence)],
    ...comparison.groups
      .filter((entry) => entry.by === "provenance")
      .map((entry) => [words.rows.provenance(strings.kind(entry.name)), `${share(entry.flips.good.observed)}, ${count(entry.paired)}`]),
  ];
  return <NumberTable table={{ head: words.numbersHead, rows }} caption={words.numbers} />;
}

function Carriers({ comparison }: { comparison: MarginComparison }): JSX.Element | null {
  const { decisions, rise, listed_rise } = comparison.carriers;
  if (decisions.length === 0) return null;
  const table: Table = {
    head: words.carriersHead,
    rows: decisions.map((entry) => [
      shortened(entry.inadmissible ?? strings.dash, 60),
      entry.provenance === null ? strings.dash : strings.kind(entry.provenance),
      shortened(entry.task, 40),
      String(entry.trial),
      String(entry.message),
      `${percent(entry.mass_reference)} → ${percent(entry.mass_arm)}`,
      entry.flipped ? words.flips : "",
    ]),
  };
  return (
    <>
      <h3>{words.carriers}</h3>
      {rise > 0 && <p>{words.carriersText(decisions.length, percent(listed_rise / rise))}</p>}
      <NumberTable table={table} caption={words.carriers} />
    </>
  );
}
