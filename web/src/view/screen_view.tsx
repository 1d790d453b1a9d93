import type { JSX } from "preact";
import type { Cell, Comparison } from "../data/findings";
import { inPoints, interval, ratio, times } from "../format";
import { LossPlot } from "../plot/loss_plot";
import { NumberTable, type Table } from "../plot/frame";
import { strings } from "../strings";
import { shortened } from "../text/visible";

/** What the reference foretold of each arm, beside what came. */
export function foretoldTable(comparisons: Comparison[]): Table {
  return {
    head: strings.screen.foretoldHead,
    rows: comparisons.flatMap((comparison) => {
      const { foretold } = comparison;
      if (foretold === undefined) return [];
      const factor = times(foretold.factor.value) + interval(foretold.factor, ratio);
      return foretold.points.map((point) => [
        shortened(comparison.arm, 24),
        factor,
        String(point.k),
        inPoints(point.predicted.value) + interval(point.predicted, inPoints),
        inPoints(point.observed.value) + interval(point.observed, inPoints),
        inPoints(point.difference.value) + interval(point.difference, inPoints),
      ]);
    }),
  };
}

/** The reference screened by itself: absent where the audit has no screen. */
export function ScreenSection({ cell }: { cell: Cell }): JSX.Element | null {
  const { screen } = cell;
  if (screen === undefined) return null;
  const table = foretoldTable(cell.comparisons);
  return (
    <section class="section" id="screen" aria-labelledby="screen-section">
      <h2 id="screen-section">{strings.sections.screen}</h2>
      <p>{strings.screen.risk(shortened(screen.arm, 24), strings.screen.classes[screen.risk] ?? screen.risk)}</p>
      <ul>
        {screen.reasons.map((reason) => (
          <li>{reason}</li>
        ))}
      </ul>
      {screen.what_if.length > 0 && <LossPlot screen={screen} />}
      {table.rows.length > 0 && (
        <>
          <h3>{strings.screen.foretold}</h3>
          <NumberTable table={table} caption={strings.screen.foretold} />
        </>
      )}
    </section>
  );
}
