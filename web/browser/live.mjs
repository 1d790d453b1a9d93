// node browser/live.mjs UNMASK FOLDER: opens a page that `unmask view` serves, lets its log grow, and checks that the
// page follows and leaves the reader where he is. Exit status 77, with the reason, where there is no Chromium.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { findChromium, openChromium } from "./chromium.mjs";
import { free } from "./make_reports.mjs";

const [unmask, given] = process.argv.slice(2);
if (unmask === undefined || given === undefined) {
  console.error("usage: node browser/live.mjs UNMASK FOLDER");
  process.exit(2);
}
if (findChromium() === null) {
  const required = process.env.UNMASK_REQUIRE_REFERENCE === "1";
  console.log(`${required ? "failed" : "skipped"}: there is no Chromium; install Debian's package chromium`);
  process.exit(required ? 1 : 77);
}

const folder = join(resolve(given), "live");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const path = (arm) => join(folder, `${arm}.json`);
const write = (arm, document) => {
  writeFileSync(`${path(arm)}.partial`, JSON.stringify(document));
  renameSync(`${path(arm)}.partial`, path(arm));
};
const whole = { high: free("high"), low: free("low") };
const upTo = (document, episodes) => ({ ...document, simulations: document.simulations.slice(0, episodes) });
write("high", whole.high);
write("low", upTo(whole.low, 36));

const server = spawn(unmask, ["view", `high=${path("high")}`, `low=${path("low")}`, "--cell", "line", "-q"], { stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((done) => server.once("exit", done));
const address = await new Promise((done, fail) => {
  server.stdout.once("data", (line) => done(String(line).trim()));
  server.once("exit", () => fail(new Error("unmask view ended")));
});
const context = await openChromium();
const complaints = [];
const requests = [];
try {
  const page = await context.newPage();
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (entry) => entry.type() === "error" && complaints.push(entry.text()));
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  const live = page.locator(".live");
  assert.match(await live.innerText(), /^● Live/);
  const episodes = async () => Number(/([\d,]+) episodes/.exec(await page.locator(".brand p").innerText())?.[1]?.replace(",", ""));
  const before = await episodes();

  // The reader: a budget, an episode by its address, a filter, somewhere down the page.
  await page.locator("#k").evaluate((input) => {
    input.value = "3";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.evaluate(() => (location.hash = "#episodes"));
  await page.getByLabel("Outcome").selectOption("solved");
  await page.evaluate(() => (location.hash = "#line/low/task_5/1/4"));
  await page.waitForSelector(".message");
  const place = () =>
    page.evaluate(() => ({
      hash: location.hash,
      k: document.querySelector("#k")?.value,
      filters: [...document.querySelectorAll("aside select, aside input")].map((input) => input.value),
      scrolled: [document.scrollingElement.scrollTop, document.getElementById("episode")?.scrollTop ?? -1],
      messages: document.querySelectorAll(".message").length,
    }));
  await page.evaluate(() => {
    const episode = document.getElementById("episode");
    if (episode !== null && episode.scrollHeight > episode.clientHeight) episode.scrollTop = 77;
    else document.scrollingElement.scrollTop = 77;
  });
  await page.waitForTimeout(200);
  const reader = await place();
  assert.ok(Math.max(...reader.scrolled) > 0, "nothing is scrolled");

  write("low", upTo(whole.low, 60));
  await page.waitForFunction((count) => Number(/([\d,]+) episodes/.exec(document.querySelector(".brand p").textContent)?.[1]?.replace(",", "")) > count, before, { timeout: 60_000 });
  await page.waitForTimeout(500);
  assert.deepEqual(await place(), reader, "the reader was moved");

  // A log that is gone for a while, then the end of the server.
  rmSync(path("low"));
  await page.waitForSelector(".live-stuck", { timeout: 60_000 });
  assert.ok((await live.innerText()).includes("low.json"));
  assert.deepEqual(await place(), reader, "the reader was moved");
  write("low", whole.low);
  await page.waitForSelector(".live-live", { timeout: 60_000 });
  assert.deepEqual(complaints, [], "what the browser complained about");
  await page.screenshot({ path: join(folder, "live.png") });
  server.kill("SIGINT");
  assert.equal(await ended, 0);
  await page.waitForSelector(".live-ended", { timeout: 60_000 });
  assert.deepEqual(await place(), reader, "the reader was moved");
  assert.deepEqual(requests.filter((url) => !url.startsWith(address) && !/^(blob|data):/.test(url)), []);
  console.log("ok      the page follows, and leaves the reader where he is");
} catch (error) {
  console.log(`FAILED  ${error instanceof assert.AssertionError ? error.message : error.stack}`);
  process.exitCode = 1;
} finally {
  server.kill();
  await context.close();
}
process.exit(process.exitCode ?? 0);
