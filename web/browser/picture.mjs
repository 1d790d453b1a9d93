// node browser/picture.mjs REPORT.html PICTURE.png: the README's picture: verdicts, and the score against the budget.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openChromium } from "./chromium.mjs";

const [report, picture] = process.argv.slice(2);
if (report === undefined || picture === undefined) {
  console.error("usage: node browser/picture.mjs REPORT.html PICTURE.png");
  process.exit(2);
}
const context = await openChromium();
const page = await context.newPage();
await page.setViewportSize({ width: 1000, height: 1200 });
await page.goto(pathToFileURL(resolve(report)).href);
await page.waitForSelector("html[data-ready]");
await page.locator("#k").evaluate((input) => {
  input.value = "2";
  input.dispatchEvent(new Event("input", { bubbles: true }));
});
const bottom = await page.locator("#score .plot").evaluate((plot) => Math.ceil(plot.getBoundingClientRect().bottom));
await page.screenshot({ path: picture, fullPage: true, clip: { x: 0, y: 0, width: 1000, height: bottom } });
await context.close();
