import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { selectors, tallyOf, type Setting, type Side } from "../compute/figures";
import { channels } from "../data/rows";
import { count } from "../format";
import { strings } from "../strings";
import { shortened } from "../text/visible";

const mostRows = 15;

interface Props {
  sides: Side[];
  setting: Setting;
  onCalls: (channel: string, name: string) => void;
}

/** From a channel to its kinds and names, and from there to the calls. */
export function DrillDown({ sides, setting, onCalls }: Props): JSX.Element {
  const [channel, setChannel] = useState("tool_name");
  const [shown, setShown] = useState(mostRows);
  const number = (channels as readonly string[]).indexOf(channel);
  const table = new Map<string, { kind: string; name: string; counts: number[] }>();
  sides.forEach((side, i) => {
    for (const failure of tallyOf(side, setting).failures.values()) {
      if (failure.channel !== number) continue;
      const key = `${failure.kind} ${failure.name}`;
      let row = table.get(key);
      if (row === undefined) table.set(key, (row = { kind: failure.kind, name: failure.name, counts: sides.map(() => 0) }));
      row.counts[i] = (row.counts[i] ?? 0) + failure.count;
    }
  });
  const total = (counts: number[]): number => counts.reduce((sum, value) => sum + value, 0);
  const rows = [...table.values()].sort((one, other) => total(other.counts) - total(one.counts) || (one.name < other.name ? -1 : 1));
  return (
    <div class="figure" id="drill">
      <h3>{strings.channels.drill}</h3>
      <div class="tabs" role="group" aria-label={strings.channels.drill}>
        {selectors.slice(0, 6).map((selector) => (
          <button
            type="button"
            aria-pressed={selector.name === channel}
            onClick={() => {
              setChannel(selector.name);
              setShown(mostRows);
            }}
          >
            {strings.channelShort(selector.name)}
          </button>
        ))}
      </div>
      {rows.length === 0 ? (
        <p>{strings.channels.none}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label={strings.channelWords(channel)}>
          <table class="data">
            <thead>
              <tr>
                <th scope="col" class="text">
                  {strings.channels.nameHead}
                </th>
                {sides.map((side) => (
                  <th scope="col" dir="auto">
                    {shortened(side.findings.arm, 24)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((row) => (
                <tr>
                  <th scope="row">
                    <button type="button" class="link" onClick={() => onCalls(channel, row.name)}>
                      <code dir="auto">{shortened(row.name, 48)}</code>
                    </button>
                    {row.kind !== "" && (
                      <span class="dim kind" dir="auto">
                        {strings.kind(shortened(row.kind, 40))}
                      </span>
                    )}
                  </th>
                  {row.counts.map((value) => (
                    <td>{count(value)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p>
        {shown < rows.length && (
          <button type="button" class="quiet" onClick={() => setShown(shown + 50)}>
            {strings.names.more(Math.min(50, rows.length - shown), count(rows.length))}
          </button>
        )}{" "}
        {rows.length > 0 && (
          <button type="button" class="quiet" onClick={() => onCalls(channel, "")}>
            {strings.channels.calls(strings.channelWords(channel))}
          </button>
        )}
      </p>
    </div>
  );
}
