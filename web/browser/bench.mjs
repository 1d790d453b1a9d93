// node browser/bench.mjs FOLDER: how fast the page of 5,000 episodes opens and finds, and how large it is.
import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openChromium } from "./chromium.mjs";

const folder = resolve(process.argv[2] ?? ".");
const report = join(folder, "large.html");
const json = ["high", "low"].reduce((sum, arm) => sum + Buffer.byteLength(JSON.stringify(JSON.parse(readFileSync(join(folder, `large-${arm}.json`), "utf8")))), 0);
const size = statSync(report).size;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const opened = [];
const whole = [];
const episode = [];
const hit = [];
const every = [];
const slid = [];
for (let round = 0; round < 5; ++round) {
  const context = await openChromium();
  const page = await context.newPage();
  await page.goto("about:blank");
  let start = performance.now();
  await page.goto(pathToFileURL(report).href, { waitUntil: "commit" });
  await page.waitForSelector("#score svg");
  opened.push(performance.now() - start);
  await page.waitForSelector("html[data-ready]");
  whole.push(performance.now() - start);
  slid.push(
    await page.evaluate(async () => {
      const input = document.getElementById("k");
      const times = [];
      for (const k of ["8", "5", "2", "3"]) {
        const from = performance.now();
        input.value = k;
        input.dispatchEvent(new Event("input", { bubbles: true }));
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
        times.push(performance.now() - from);
      }
      return Math.max(...times);
    }),
  );
  await page.evaluate(() => (location.hash = "#episodes"));
  await page.waitForSelector(".entry");
  start = performance.now();
  await page.locator(".entry").first().click();
  await page.waitForSelector(".message");
  episode.push(performance.now() - start);
  start = performance.now();
  await page.fill("#search", "roaming pass");
  await page.waitForFunction(() => /, [1-9]\d* episodes so far|[1-9]\d* episodes? holds? it/.test(document.querySelector(".found")?.textContent ?? ""));
  hit.push(performance.now() - start);
  start = performance.now();
  await page.fill("#search", "needle in the haystack");
  await page.waitForFunction(() => /1 episode holds it/.test(document.querySelector(".found")?.textContent ?? ""), null, { timeout: 60000 });
  every.push(performance.now() - start);
  await context.close();
}
const bounds = [
  ["first figures shown, ms", median(opened), 2000],
  ["whole page parsed, ms", median(whole), 2000],
  ["slider, slowest step, ms", median(slid), Infinity],
  ["an episode opened, ms", median(episode), Infinity],
  ["first search hit, ms", median(hit), 1000],
  ["every text searched, ms", median(every), Infinity],
  ["file, % of the logs' compact JSON", (100 * size) / json, 18],
];
console.log(`5,000 episodes, ${(json / 1e6).toFixed(1)} MB of logs, ${(size / 1e6).toFixed(1)} MB of page; medians of 5`);
let met = true;
for (const [what, value, bound] of bounds) {
  met &&= value < bound;
  console.log(`${value.toFixed(1).padStart(9)}  ${what}${bound === Infinity ? "" : ` (bound ${bound}${value < bound ? "" : ", MISSED"})`}`);
}
process.exit(met ? 0 : 1);
