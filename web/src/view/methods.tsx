import type { JSX } from "preact";
import { channelAt, selectors, type Setting } from "../compute/figures";
import { csvOf, download } from "../data/download";
import { bytes, count } from "../format";
import { lastOf, type Study } from "../model";
import { defaultSemantics } from "../budget/semantics";
import { strings } from "../strings";
import { shortened, visible } from "../text/visible";

const words = strings.methods;

function scoresCsv(study: Study): string {
  const rows = study.cells.flatMap((cell) =>
    cell.findings.arms.flatMap((arm) => arm.score.map((point) => [cell.findings.cell, arm.arm, String(point.k), ...[point.value, point.low, point.high].map((value) => (value === null ? "" : String(value)))])),
  );
  return csvOf({ head: ["cell", "arm", "k", "score", "low", "high"], rows });
}

function channelsCsv(study: Study): string {
  const rows = study.cells.flatMap((cell) => {
    const setting: Setting = { k: lastOf(cell), semantics: defaultSemantics };
    return cell.sides.flatMap((side) =>
      selectors.map((selector) => {
        const at = channelAt(side, selector.name, { ...setting, k: side.findings.score.length });
        const cells = [at.errors, at.rate.value, at.rate.low, at.rate.high, at.per_episode.value, at.per_successful_call.value, at.episodes_with];
        return [cell.findings.cell, side.findings.arm, selector.name, ...cells.map((value) => (value === null ? "" : String(value)))];
      }),
    );
  });
  return csvOf({ head: ["cell", "arm", "channel", "errors", "rate", "low", "high", "per_episode", "per_successful_call", "episodes_with"], rows });
}

/** Definitions, settings, logs and their hashes, remarks, and the data to take away. */
export function Methods({ study, json }: { study: Study; json: () => string }): JSX.Element {
  const { findings } = study;
  const settings: [string, string][] = Object.entries(words.settingWords).map(([key, text]) => {
    const value = key === "seed" ? findings.seed : (findings.settings as unknown as Record<string, unknown>)[key];
    return [text, Array.isArray(value) ? value.join(", ") : String(value).replace(/_/g, " ")];
  });
  return (
    <section class="section" id="methods" aria-labelledby="methods-title">
      <h2 id="methods-title">{words.title}</h2>
      <p>{words.intro}</p>
      <dl class="definitions">
        {words.definitions.map(([term, meaning]) => (
          <div>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <h3>{words.downloads}</h3>
      <p class="buttons">
        <button type="button" onClick={() => download("unmask-audit.json", "application/json", json())}>
          {words.json}
        </button>
        <button type="button" onClick={() => download("scores.csv", "text/csv", scoresCsv(study))}>
          {words.scores}
        </button>
        <button type="button" onClick={() => download("channels.csv", "text/csv", channelsCsv(study))}>
          {words.channels}
        </button>
      </p>
      <h3>{words.settings}</h3>
      <table class="data narrow">
        <tbody>
          {settings.map(([text, value]) => (
            <tr>
              <th scope="row">{text}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{words.inputs}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={words.inputs}>
        <table class="data">
          <thead>
            <tr>
              {words.inputHead.map((title) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {findings.inputs.map((input) => (
              <tr>
                <th scope="row" dir="auto">
                  {shortened(input.path, 80)}
                </th>
                <td dir="auto">{shortened(input.cell ?? strings.dash, 40)}</td>
                <td dir="auto">{shortened(input.arm ?? strings.dash, 24)}</td>
                <td>{input.format ?? strings.dash}</td>
                <td>{count(input.episodes)}</td>
                <td>{count(input.skipped)}</td>
                <td>{bytes(input.bytes)}</td>
                <td class="hash">{input.sha256 ?? strings.dash}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {findings.warnings.length > 0 && (
        <>
          <h3>{words.warnings}</h3>
          <div class="scroll" tabIndex={0} role="region" aria-label={words.warnings}>
            <table class="data">
              <thead>
                <tr>
                  {words.warningHead.map((title) => (
                    <th scope="col">{title}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {findings.warnings.slice(0, 500).map((warning) => (
                  <tr>
                    <td>{warning.severity.replace(/_/g, " ")}</td>
                    <td class="text" dir="auto">
                      {shortened(visible(warning.sentence), 400)}
                    </td>
                    <td dir="auto">{shortened(warning.file ?? strings.dash, 60)}</td>
                    <td dir="auto">{shortened(warning.episode ?? strings.dash, 40)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
      <p class="dim">
        {words.producer(findings.unmask.version, findings.unmask.commit === null ? "" : ` (${findings.unmask.commit})`)} {words.texts(study.selection)}
      </p>
    </section>
  );
}
