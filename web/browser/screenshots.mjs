// node browser/screenshots.mjs REPORT.html FOLDER: pictures of every view at several widths, light and dark.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openChromium } from "./chromium.mjs";

const [report, folder] = process.argv.slice(2);
if (report === undefined || folder === undefined) {
  console.error("usage: node browser/screenshots.mjs REPORT.html FOLDER");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const url = pathToFileURL(resolve(report)).href;
const context = await openChromium();
for (const [name, width, height, colorScheme] of [
  ["phone", 360, 780, "light"],
  ["phone-dark", 360, 780, "dark"],
  ["desk", 1280, 900, "light"],
  ["desk-dark", 1280, 900, "dark"],
  ["wide", 2560, 1440, "light"],
]) {
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.error(name, message.text()));
  page.on("pageerror", (error) => console.error(name, String(error)));
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height });
  for (const [view, hash] of [["findings", ""], ["methods", "#methods"], ["episodes", "#episodes"]]) {
    await page.goto("about:blank");
    await page.goto(url + hash);
    await page.waitForSelector("html[data-ready]");
    await page.waitForTimeout(150);
    await page.screenshot({ path: join(folder, `${name}-${view}.png`), fullPage: view !== "episodes" });
  }
  await page.selectOption("[name=none], form.filters select >> nth=2", "failed").catch(() => {});
  await page.keyboard.press("j");
  await page.waitForSelector(".message");
  await page.waitForTimeout(150);
  await page.screenshot({ path: join(folder, `${name}-episode.png`) });
  await page.close();
}
await context.close();
