// The page's own figures are the audit's: for every cell and arm of a report that UNMASK_REPORTS names.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Figure, Findings } from "../data/findings";
import { channels, rowsOf, type PackedRows } from "../data/rows";
import { unpacked } from "../data/unpack";
import { defaultSemantics } from "../budget/semantics";
import { studyOf } from "../model";
import { amplificationAt, channelAt, gapAt, lengthAt, lengthNames, namePoints, pointsLost, recoveryAt, recoveryNames, scoreAt, selectors, tallyOf, wideningAt } from "./figures";

const reports = (process.env.UNMASK_REPORTS ?? "").split(":").filter((path) => path !== "");

function element(html: string, id: string): string {
  const found = new RegExp(`id="${id}">([^<]*)</script>`).exec(html);
  if (found === null) throw new Error(`no ${id}`);
  return found[1] as string;
}

// To nine digits: the JSON has twelve, and sums may be taken in another order.
function agree(ours: number | null, theirs: number | null | undefined, what: string): void {
  if (theirs === undefined) return;
  if (ours === null || theirs === null) expect(ours, what).toBe(theirs);
  else expect(Math.abs(ours - theirs), `${what}: ${ours} and ${theirs}`).toBeLessThan(1e-9 * Math.max(1, Math.abs(theirs)));
}

function agreeFigure(ours: Figure, theirs: Figure, what: string): void {
  agree(ours.value, theirs.value, what);
  agree(ours.low, theirs.low, `${what}, low`);
  agree(ours.high, theirs.high, `${what}, high`);
}

const inPoints = (figure: Figure): Figure => {
  const scaled = (value: number | null): number | null => (value === null ? null : value * 100);
  return { value: scaled(figure.value), low: scaled(figure.low), high: scaled(figure.high) };
};

describe.skipIf(reports.length === 0).each(reports)("%s", (path) => {
  it("computes what the audit found", async () => {
    const html = readFileSync(path, "utf8");
    const findings = JSON.parse(element(html, "findings")) as Findings;
    const study = studyOf(findings, rowsOf(JSON.parse(await unpacked(element(html, "rows"))) as PackedRows));
    let figures = 0;
    for (const cell of study.cells) {
      for (const side of cell.sides) {
        const arm = side.findings;
        const name = `${cell.findings.cell} ${arm.arm}`;
        const whole = { k: arm.score.length, semantics: defaultSemantics };
        for (const point of arm.score) {
          const ours = scoreAt(side, { k: point.k, semantics: defaultSemantics });
          agreeFigure(ours.score, point, `${name} S(${point.k})`);
          agree(ours.lower, point.lower, `${name} lower S(${point.k})`);
          agree(ours.upper, point.upper, `${name} upper S(${point.k})`);
          ++figures;
        }
        for (const selector of selectors) {
          const ours = channelAt(side, selector.name, whole);
          const theirs = arm.channels[selector.name];
          if (theirs === undefined) throw new Error(`${name}: no ${selector.name}`);
          expect(ours.errors).toBe(theirs.errors);
          expect(ours.episodes_with).toBe(theirs.episodes_with);
          expect(ours.tasks_with).toBe(theirs.tasks_with);
          agreeFigure(ours.rate, theirs.rate, `${name} ${selector.name} rate`);
          agreeFigure(ours.per_episode, theirs.per_episode, `${name} ${selector.name} an episode`);
          agreeFigure(ours.per_successful_call, theirs.per_successful_call, `${name} ${selector.name} a successful call`);
          agreeFigure(ours.episodes_with_share, theirs.episodes_with_share, `${name} ${selector.name} episodes with`);
          figures += 4;
        }
        for (const which of recoveryNames) {
          const ours = recoveryAt(side, which, whole);
          expect([ours.recovered, ours.followed]).toEqual([arm.recovery[which].recovered, arm.recovery[which].followed]);
          agreeFigure(ours.share, arm.recovery[which], `${name} ${which} recovery`);
          ++figures;
        }
        for (const which of lengthNames) {
          const theirs = arm.lengths[which] ?? arm.tokens[which];
          const ours = lengthAt(side, which, whole);
          if (theirs === undefined) continue;
          expect(ours.episodes).toBe(theirs.episodes);
          agree(ours.mean, theirs.mean.value, `${name} ${which} mean`);
          agree(ours.median, theirs.median.value, `${name} ${which} median`);
          agree(ours.p90, theirs.p90.value, `${name} ${which} p90`);
          figures += 3;
        }
        const counted = new Map<string, number>();
        for (const failure of tallyOf(side, whole).failures.values())
          if (failure.channel === 1) counted.set(`${failure.name}\n${failure.kind}`, failure.count);
        expect(counted).toEqual(new Map(arm.names.map((entry) => [`${entry.name}\n${entry.provenance ?? ""}`, entry.count])));
      }
      for (const comparison of cell.findings.comparisons) {
        const ref = cell.reference;
        const arm = cell.sides.find((side) => side.findings.arm === comparison.arm);
        if (ref === null || arm === undefined) throw new Error(`${comparison.arm}: no rows`);
        const name = `${cell.findings.cell} ${comparison.arm}`;
        const whole = { k: Math.max(ref.findings.score.length, arm.findings.score.length), semantics: defaultSemantics };
        for (const point of comparison.gap) {
          agreeFigure(inPoints(gapAt(ref, arm, { k: point.k, semantics: defaultSemantics })), { ...point, value: point.points }, `${name} D(${point.k})`);
          ++figures;
        }
        for (const point of comparison.widening) {
          agreeFigure(inPoints(wideningAt(ref, arm, { k: point.k, semantics: defaultSemantics }, comparison.k_obs)), { ...point, value: point.points }, `${name} W(${point.k})`);
          ++figures;
        }
        for (const [channel, theirs] of Object.entries(comparison.amplification)) {
          agreeFigure(amplificationAt(ref, arm, channel, whole, "episode"), { ...theirs, value: theirs.ratio }, `${name} ${channel} ratio`);
          agreeFigure(amplificationAt(ref, arm, channel, whole, "call"), { ...theirs.per_call, value: theirs.per_call.ratio }, `${name} ${channel} ratio a call`);
          agreeFigure(amplificationAt(ref, arm, channel, whole, "successful_call"), { ...theirs.per_successful_call, value: theirs.per_successful_call.ratio }, `${name} ${channel} ratio a successful call`);
          figures += 3;
        }
        for (const [channel, theirs] of Object.entries(comparison.attribution)) {
          const number = (channels as readonly string[]).indexOf(channel);
          if (number < 0) continue;
          for (const point of theirs) {
            const setting = { k: point.k, semantics: defaultSemantics };
            agree(100 * (pointsLost(ref, number, setting)?.low ?? 0), point.points_ref, `${name} ${channel} lost in the reference at ${point.k}`);
            agree(100 * (pointsLost(arm, number, setting)?.low ?? 0), point.points_arm, `${name} ${channel} lost at ${point.k}`);
            figures += 2;
          }
        }
        const errors = namePoints(ref, arm, 1, whole);
        expect(errors.reduce((sum, point) => sum + point.ref, 0)).toBe(ref.findings.channels.tool_name?.errors);
      }
    }
    expect(figures).toBeGreaterThan(40 * study.cells.length);
    console.log(`agree: ${figures} figures of ${study.cells.length} cells`);
  });
});
