import type { JSX } from "preact";
import figures from "../../../src/unmask/report/figures.json";
import { amplificationAt, gapAt, kObs, scoreAt, selectors, wideningAt } from "../compute/figures";
import { isDefault } from "../budget/semantics";
import type { Comparison, Verdict } from "../data/findings";
import { count, interval, points, pValue, ratio as ratioText, times, within } from "../format";
import { settingOf, sideOf, type CellModel, type Study } from "../model";
import { store, type Choice } from "../state";
import { strings } from "../strings";
import { shortened, visible } from "../text/visible";

const signs: Record<Verdict, string> = figures.signs;

export function VerdictBadge({ verdict }: { verdict: Verdict }): JSX.Element {
  return (
    <span class={`badge badge-${verdict}`}>
      <span aria-hidden="true">{signs[verdict]} </span>
      {strings.verdict[verdict]}
    </span>
  );
}

/** The findings' plain signs as print has them. */
function typeset(sentence: string): string {
  return sentence.replace(/ -> /g, " → ").replace(/(^|\s)x(?=\d)/g, "$1×");
}

/** One arm's verdict: the sentence with its numbers, and the figures at the chosen budget. */
export function VerdictCard({ study, cell, comparison, choice }: { study: Study; cell: CellModel; comparison: Comparison; choice: Choice }): JSX.Element {
  const setting = settingOf(choice, comparison.k_obs);
  const side = sideOf(cell, comparison.arm);
  const reference = cell.reference;
  const own = isDefault(choice.semantics) && setting.k >= comparison.k_obs;
  const survives = comparison.sensitivity.filter((entry) => entry.verdict === comparison.verdict).length;
  const under = comparison.sensitivity.find(
    (entry) =>
      entry.counts === choice.semantics.counts && entry.how === choice.semantics.how && entry.tested === choice.semantics.tested && entry.ends === choice.semantics.ends,
  );
  const gap = side === null || reference === null ? null : gapAt(reference, side, setting);
  const tested = comparison.gap.find((point) => point.k === setting.k);
  const widening = side === null || reference === null ? null : wideningAt(reference, side, setting, comparison.k_obs);
  const chosen = comparison.arm === choice.arm || (choice.arm === "" && comparison === cell.findings.comparisons[cell.findings.comparisons.length - 1]);
  return (
    <article class={chosen ? "card verdict chosen" : "card verdict"}>
      <header>
        <h3 dir="auto">{shortened(comparison.arm, 60)}</h3>
        <VerdictBadge verdict={comparison.verdict} />
        {comparison.suffix !== null && <span class="suffix">{comparison.suffix}</span>}
      </header>
      <p class="sentence" dir="auto">
        {typeset(visible(comparison.sentence))}
      </p>
      {side !== null && reference !== null && (
        <dl class="at-k">
          <div>
            <dt>{strings.verdicts.scores(setting.k)}</dt>
            <dd>
              {points(scoreAt(reference, setting).score.value)} → {points(scoreAt(side, setting).score.value)} %
            </dd>
          </div>
          <div>
            <dt>{strings.verdicts.gap}</dt>
            <dd>
              {points(gap?.value)}
              {gap === null ? "" : interval(within(gap, -1, 1), points)} {isDefault(choice.semantics) ? pValue(tested?.p) : ""}
            </dd>
          </div>
          {widening !== null && widening.value !== null && (
            <div>
              <dt>{strings.verdicts.wider(comparison.k_obs)}</dt>
              <dd>
                {points(widening.value)}
                {interval(within(widening, -1, 1), points)}
              </dd>
            </div>
          )}
          {selectors.slice(0, 6).map((selector) => {
            const finding = comparison.amplification[selector.name];
            if (finding === undefined || !finding.amplified) return null;
            const ratio = amplificationAt(reference, side, selector.name, setting.k >= comparison.k_obs ? { ...setting, k: Math.max(kObs(reference), kObs(side)) } : setting, "episode");
            return (
              <div>
                <dt>{strings.channelWords(selector.name)}</dt>
                <dd>
                  {ratio.value === null ? `${count(finding.errors_ref)} → ${count(finding.errors_arm)}` : times(ratio.value) + interval(ratio, ratioText)}
                  {own ? ` ${pValue(finding.p_adjusted)}` : ""}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      {comparison.sensitivity.length > 0 && (
        <p class="note">
          {strings.verdicts.survives(survives, comparison.sensitivity.length)}
          {under !== undefined && !isDefault(choice.semantics) && ` ${strings.verdicts.under(under.verdict === "undecided" ? strings.verdicts.undecided : strings.verdict[under.verdict])}`}
        </p>
      )}
      {comparison.vanished_bounds.apply && <p class="note">{strings.verdicts.bounds}</p>}
      {comparison.not_equal.length > 0 && (
        <>
          <h4>{strings.verdicts.notEqual}</h4>
          <ul>
            {comparison.not_equal.map((difference) => (
              <li dir="auto">{visible(difference)}</li>
            ))}
          </ul>
        </>
      )}
      {comparison.reasons.length > 0 && (
        <details>
          <summary>{strings.verdicts.why}</summary>
          <ul>
            {comparison.reasons.map((reason) => (
              <li dir="auto">{typeset(visible(reason))}</li>
            ))}
            {comparison.open.map((open) => (
              <li dir="auto">
                {typeset(visible(open.sentence))}
                {open.tasks_needed !== null && ` ${strings.verdicts.tasksNeeded(count(open.tasks_needed))}`}
              </li>
            ))}
          </ul>
        </details>
      )}
      {!chosen && study.cells.length > 0 && (
        <button type="button" class="quiet" onClick={() => store.set({ arm: comparison.arm })}>
          {strings.verdicts.look}
        </button>
      )}
    </article>
  );
}

/** What each arm brought: episodes, what vanished, what the logs say of themselves. */
export function Coverage({ study, cell }: { study: Study; cell: CellModel }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={strings.coverage.title}>
      <table class="data">
        <caption>{strings.coverage.title}</caption>
        <thead>
          <tr>
            {strings.coverage.head.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cell.sides.map(({ findings: arm }) => (
            <tr>
              <th scope="row" dir="auto">
                {shortened(arm.arm, 40)}
                {arm.reference ? ` (${strings.coverage.reference})` : ""}
              </th>
              <td>{count(arm.tasks)}</td>
              <td>{count(arm.episodes)}</td>
              <td>{count(arm.vanished)}</td>
              <td>{count(arm.inputs.reduce((total, input) => total + (study.findings.inputs[input]?.skipped ?? 0), 0))}</td>
              <td>{count(arm.stopped_by_budget)}</td>
              <td>{count(arm.agent_calls)}</td>
              <td>{count(arm.agent_failed)}</td>
              <td dir="auto">{arm.harness.name === null ? strings.dash : shortened(`${arm.harness.name} ${arm.harness.version ?? ""}`, 40)}</td>
              <td>{arm.budget.k === null ? strings.coverage.noBudget : strings.coverage.budget(arm.budget.k, arm.budget.counts)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
