/** The page's style sheet and the SVG files of `unmask report --figures` have the same colours. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import figures from "../../../src/unmask/report/figures.json";
import { filled } from "../strings";

const sheet = readFileSync(new URL("../style.css", import.meta.url), "utf8");
/** Its first block is that of light paper. */
const light = sheet.slice(0, sheet.indexOf("}"));
const variable = (name: string): string | undefined => new RegExp(`--${name}: ([^;]+);`).exec(light)?.[1];

describe("figures", () => {
  const { tones, ...others } = figures.colours;
  test.each(Object.entries(others))("colour of %s", (name, colour) => expect(variable(name)).toBe(colour));
  test.each(tones.map((tone, i) => [i, tone]))("tone %i", (i, tone) => expect(variable(`tone-${i}`)).toBe(tone));
  test.each(figures.provenance_tones.map((tone, i) => [i, tone]))("colour of kind %i", (i, tone) =>
    expect(new RegExp(`\\.kind-${i} \\{\\s*color: var\\(--tone-(\\d)\\);`).exec(sheet)?.[1]).toBe(String(tone)),
  );
  test("blanks are filled, and only those that have a value", () => {
    expect(filled("at K={k} {scores}, {other}", { k: 2, scores: "{k}" })).toBe("at K=2 {k}, {other}");
  });
});
