// node browser/run.mjs FOLDER: opens the reports of make_reports.mjs in Chromium and checks every view, filter,
// link, slider and colour scheme, hostile logs, accessibility, and the numbers shown against the audit's.
// Exit status 77, with the reason, where there is no Chromium (1 under UNMASK_REQUIRE_REFERENCE=1).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium, openChromium } from "./chromium.mjs";
import { attacks } from "./make_reports.mjs";

const folder = resolve(process.argv[2] ?? "");
if (process.argv[2] === undefined) {
  console.error("usage: node browser/run.mjs FOLDER");
  process.exit(2);
}
if (findChromium() === null) {
  const required = process.env.UNMASK_REQUIRE_REFERENCE === "1";
  console.log(`${required ? "failed" : "skipped"}: there is no Chromium; install Debian's package chromium`);
  process.exit(required ? 1 : 77);
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const context = await openChromium();
const complaints = [];
const requests = [];

async function open(report, { hash = "", width = 1280, height = 900, scheme = "light", script = true } = {}) {
  const page = await (script ? context : await withoutScript()).newPage();
  page.on("pageerror", (error) => complaints.push(`${report}${hash}: ${error}`));
  page.on("console", (entry) => entry.type() === "error" && complaints.push(`${report}${hash}: ${entry.text()}`));
  page.on("dialog", (dialog) => {
    complaints.push(`${report}: a dialog opened`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height });
  await page.goto(pathToFileURL(join(folder, report)).href + hash);
  if (script) await page.waitForSelector("html[data-ready]");
  return page;
}

let scriptless = null;
async function withoutScript() {
  scriptless ??= await openChromium({ javaScriptEnabled: false });
  return scriptless;
}

async function clean(page, what) {
  // Evaluated by the test's own channel, which the page's policy does not bind.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] }),
  );
  const told = violations.map((entry) => `${entry.id}: ${entry.nodes.slice(0, 4).map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? node.failureSummary}`).join(" | ")}`);
  assert.deepEqual(told, [], `axe on ${what}`);
}

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1);
const text = (page, selector) => page.locator(selector).first().innerText();
const setK = (page, k) =>
  page.locator("#k").evaluate((input, value) => {
    input.value = String(value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }, k);

const tests = {
  "findings show every part": async () => {
    const page = await open("study.html");
    for (const id of ["grid", "cell", "score", "channels", "drill", "amplification", "failure-set", "turns", "lives", "recovery", "lengths", "attribution", "study"])
      assert.equal(await page.locator(`main [id="${id}"]`).count(), 1, id);
    assert.equal(await page.locator(".grid .tile").count(), 20);
    for (const figure of await page.locator("svg[role=img]").all()) {
      const labels = await figure.evaluate((svg) => ["aria-labelledby", "aria-describedby"].map((name) => document.getElementById(svg.getAttribute(name) ?? "")?.textContent ?? ""));
      assert.ok(labels.every((label) => label.length > 3), "a figure has no text");
    }
    await page.close();
  },

  "numbers shown are the audit's, for every cell and arm": async () => {
    const audit = JSON.parse(readFileSync(join(folder, "study.json"), "utf8"));
    const page = await open("study.html");
    const shown = (value, decimals = 1) => value.toFixed(decimals).replace(/^-0(\.0*)?$/, (zero) => zero.slice(1)).replace("-", "−");
    let checked = 0;
    for (const [i, cell] of audit.cells.entries()) {
      await page.selectOption("#choose-cell", String(i));
      const cards = page.locator(".card.verdict");
      assert.equal(await cards.count(), cell.comparisons.length);
      const reference = cell.arms.find((arm) => arm.reference);
      for (const [c, comparison] of cell.comparisons.entries()) {
        const card = await cards.nth(c).innerText();
        const arm = cell.arms.find((entry) => entry.arm === comparison.arm);
        const at = (entry) => entry.score[comparison.k_obs - 1].value * 100;
        const gap = comparison.gap.find((point) => point.k === comparison.k_obs);
        assert.ok(card.includes(`${shown(at(reference))} → ${shown(at(arm))} %`), `${cell.cell} ${arm.arm}: scores in ${card}`);
        assert.ok(card.includes(`${shown(gap.points)} [${shown(gap.low)}, ${shown(gap.high)}]`), `${cell.cell} ${arm.arm}: gap in ${card}`);
        const ratio = comparison.amplification.tool_name;
        if (ratio.amplified) assert.ok(card.includes(`×${shown(ratio.ratio, ratio.ratio < 2 ? 2 : 1)}`), `${cell.cell} ${arm.arm}: ratio in ${card}`);
        checked += 3;
      }
      await page.locator("#channels details.numbers").evaluate((details) => (details.open = true));
      const row = await page.locator("#channels tbody tr").nth(1).innerText();
      for (const arm of [reference, ...cell.arms.filter((entry) => entry !== reference)]) {
        const { errors } = arm.channels.tool_name;
        assert.ok(row.includes(errors.toLocaleString("en-US")), `${cell.cell} ${arm.arm}: ${errors} errors in ${row}`);
        ++checked;
      }
    }
    console.log(`  ${checked} numbers of ${audit.cells.length} cells`);
    await page.close();
  },

  "the embedded findings are the audit's JSON, byte for byte": async () => {
    const page = await open("study.html", { hash: "#methods" });
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("main .buttons button").first().click()]);
    assert.equal(readFileSync(await download.path(), "utf8"), readFileSync(join(folder, "study.json"), "utf8"));
    await page.close();
  },

  "a figure is a file of its own, and so are its numbers": async () => {
    const page = await open("pair.html");
    await page.locator("#score details.numbers").evaluate((details) => (details.open = true));
    const taken = async (name) => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.locator(`#score button:has-text("${name}")`).click()]);
      return readFileSync(await download.path(), "utf8");
    };
    const svg = await taken("SVG");
    assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.doesNotMatch(svg, /class=|var\(|script/);
    assert.match(svg, /<title>Score, and the gap below it<\/title>/);
    const csv = (await taken("CSV")).split("\r\n");
    assert.match(csv[0], /^K,bf16,int4,/);
    assert.equal(csv.length, 12);
    assert.ok(csv.slice(1, 11).every((line) => line.split(",").every((cell) => /^-?\d+(\.\d+)?$/.test(cell))), csv.join("\n"));
    await page.goto(`data:image/svg+xml,${encodeURIComponent(svg)}`);
    assert.equal(await page.evaluate(() => document.documentElement.tagName), "svg"); // well-formed
    await page.close();
  },

  "the slider moves every figure": async () => {
    const page = await open("study.html");
    const figures = ["#cell .at-k", "#grid .tile-numbers", "#score-text", "#channels-text", "#lives-text", "#recovery-text", "#attribution h3", "#failure-set-text"];
    for (const details of await page.locator("#channels details, #turns details, #lives details, #recovery details, #attribution details, #amplification details").all())
      await details.evaluate((element) => (element.open = true));
    const tables = ["#channels table", "#turns table", "#lives table", "#recovery table", "#attribution table", "#amplification table", "#drill table", "#lengths table"];
    const before = Object.fromEntries(await Promise.all([...figures, ...tables].map(async (selector) => [selector, await text(page, selector)])));
    await setK(page, 2);
    assert.equal(await text(page, "#k-value"), "K = 2");
    const same = [];
    for (const selector of [...figures.filter((entry) => entry !== "#failure-set-text"), ...tables]) if ((await text(page, selector)) === before[selector]) same.push(selector);
    assert.deepEqual(same, []);
    assert.match(await text(page, "#cell .card.chosen .at-k"), /16\.2 \[/); // the study's known gap at K=2
    await page.locator("#reset").click();
    for (const selector of [...figures, ...tables]) assert.equal(await text(page, selector), before[selector]);
    await page.close();
  },

  "a click on the curve and the keyboard choose a budget": async () => {
    const page = await open("study.html");
    const svg = page.locator("#score svg[role=img]");
    const box = await svg.boundingBox();
    await svg.click({ position: { x: 50, y: box.height / 3 } });
    assert.equal(await text(page, "#k-value"), "K = 1");
    await page.focus("#k");
    await page.keyboard.press("ArrowRight");
    assert.equal(await text(page, "#k-value"), "K = 2");
    await page.keyboard.press("End");
    assert.equal(await text(page, "#k-value"), "K = 10, as audited");
    await page.close();
  },

  "the four switches change the rule, and the audit's verdict under it is shown": async () => {
    const page = await open("study.html");
    const before = await text(page, "#score-text");
    await page.locator("details.rule summary").click();
    for (const [name, value] of [["counts", "agent"], ["how", "consecutive"], ["tested", "call"], ["ends", "exceed"]]) await page.check(`input[name=${name}][value=${value}]`);
    await setK(page, 2);
    assert.notEqual(await text(page, "#score-text"), before);
    assert.match(await text(page, ".card.chosen"), /Under the chosen rule the audit says/);
    await page.locator("#reset").click();
    assert.equal(await text(page, "#score-text"), before);
    await page.close();
  },

  "a channel leads to its names, a name to its calls": async () => {
    const page = await open("study.html");
    const name = await text(page, "#drill tbody code");
    await page.locator("#drill tbody button").first().click();
    assert.match(page.url(), /#episodes$/);
    assert.equal(await page.inputValue("form.filters label:has-text('Name called') input"), name);
    await page.locator(".entry").first().click();
    await page.waitForSelector(".call.failed");
    assert.ok((await page.locator(".call.failed .name").allInnerTexts()).includes(name));
    await page.close();
  },

  "filters": async () => {
    const page = await open("study.html", { hash: "#episodes" });
    const found = async () => Number((await text(page, ".found")).split(" of ")[0].replace(/,/g, ""));
    const field = (label) => page.locator(`form.filters label:has-text("${label}")`);
    const all = await found();
    assert.equal(all, 13680);
    const audit = JSON.parse(readFileSync(join(folder, "study.json"), "utf8"));
    const arms = audit.cells[0].arms;
    await field("Cell").locator("select").selectOption("0");
    assert.equal(await found(), arms.reduce((sum, arm) => sum + arm.episodes, 0));
    await field("Arm").locator("select").selectOption("int4");
    const int4 = arms.find((arm) => arm.arm === "int4");
    assert.equal(await found(), int4.episodes);
    await field("Outcome").locator("select").selectOption("solved");
    const solved = await found();
    await field("Outcome").locator("select").selectOption("failed");
    assert.equal((await found()) + solved, int4.episodes);
    await setK(page, 2);
    await field("Outcome").locator("select").selectOption("lost");
    const lost = await found();
    const mean = (k) => int4.score[k - 1].episode_mean * int4.episodes;
    assert.equal(lost, Math.round(mean(10) - mean(2)));
    await page.locator("#reset").click();
    await field("Outcome").locator("select").selectOption("any");
    await field("Channel").locator("select").selectOption("tool_name");
    const withNames = await found();
    assert.ok(withNames >= int4.channels.tool_name.episodes_with && withNames < int4.episodes);
    await field("Failed calls").locator("input").fill("5");
    assert.ok((await found()) < withNames);
    await field("Task").locator("input").fill("telecom_003");
    const entries = await page.locator(".entry-title").allInnerTexts();
    assert.ok(entries.length > 0 && entries.every((title) => title === "telecom_003"));
    await field("Name called").locator("input").fill("no_such_name");
    assert.equal(await found(), 0);
    await page.locator("button:has-text('Clear the filters')").click();
    assert.equal(await found(), all);
    await page.close();
  },

  "full-text search": async () => {
    const page = await open("study.html", { hash: "#episodes" });
    await page.fill("#search", "Roaming is on");
    await page.waitForFunction(() => /holds? it/.test(document.querySelector(".found")?.textContent ?? ""), null, { timeout: 30000 });
    await page.locator(".entry").first().click();
    await page.waitForSelector(".episode mark");
    assert.equal((await text(page, ".episode mark")).toLowerCase(), "roaming is on");
    await page.fill("#search", "no episode says this");
    await page.waitForFunction(() => /^0 of/.test(document.querySelector(".found")?.textContent ?? "") && /0 episodes hold it/.test(document.querySelector(".found")?.textContent ?? ""), null, { timeout: 30000 });
    await page.close();
  },

  "deep links open an episode, at its first failure or at a message": async () => {
    const at = "#gemma-like-dense%2Ftelecom/int4/telecom_003/0";
    const page = await open("study.html", { hash: at });
    await page.waitForSelector(".message");
    assert.equal(await text(page, ".episode-bar h2"), "telecom_003");
    const place = await page.evaluate(() => {
      const view = document.getElementById("episode").getBoundingClientRect();
      const call = document.querySelector(".mine .call.failed").getBoundingClientRect();
      return { top: call.top - view.top, height: view.height };
    });
    assert.ok(place.top > 0 && place.top < place.height / 2, `the first failure is at ${place.top}`);
    assert.match(await text(page, ".mine .call.failed"), /tool names[\s\S]*error 1 of 10[\s\S]*Evidence: /);
    const link = page.locator(".mine .message header a").nth(2);
    const turn = await link.innerText();
    await link.click();
    assert.ok(page.url().includes(`${at}/`));
    await page.waitForSelector(".message.target");
    assert.ok((await text(page, ".message.target")).includes(turn));
    await page.reload();
    await page.waitForSelector(".message.target");
    await page.close();
  },

  "two arms stand side by side from where they part": async () => {
    const page = await open("study.html", { hash: "#gemma-like-dense%2Ftelecom/int4/telecom_003/0" });
    await page.waitForSelector(".theirs .message");
    assert.equal(await page.locator(".heads .episode-head").count(), 2);
    const [mine, theirs] = await Promise.all([text(page, ".mine .message"), text(page, ".theirs .message")]);
    assert.notEqual(mine, theirs);
    assert.ok((await page.locator(".both .message").count()) > 0);
    await page.locator(".episode-bar select").selectOption("fp8");
    await page.waitForFunction(() => document.querySelectorAll(".heads .episode-head")[1]?.textContent.includes("fp8"));
    await page.locator(".episode-bar select").selectOption("");
    await page.waitForFunction(() => document.querySelectorAll(".theirs").length === 0);
    await page.close();
  },

  "the keyboard goes through episodes and failures": async () => {
    const page = await open("study.html", { hash: "#episodes" });
    await page.selectOption("form.filters label:has-text('Arm') select", "int4");
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await page.waitForSelector(".message");
    const first = page.url();
    await page.keyboard.press("j");
    await page.waitForFunction((url) => location.href !== url, first);
    await page.keyboard.press("k");
    await page.waitForFunction((url) => location.href === url, first);
    await page.goto(`${first.split("#")[0]}#gemma-like-dense%2Ftelecom/int4/telecom_003/1`);
    await page.waitForFunction(() => document.querySelectorAll(".call.failed").length > 3);
    const scroll = () => page.locator("#episode").evaluate((element) => element.scrollTop);
    await page.waitForTimeout(100);
    const before = await scroll();
    await page.keyboard.press("n");
    const after = await scroll();
    assert.ok(after > before);
    await page.keyboard.press("p");
    assert.ok((await scroll()) < after);
    await page.keyboard.press("b");
    await page.waitForFunction(() => document.querySelectorAll(".theirs").length === 0);
    await page.keyboard.press("x");
    assert.ok(await page.locator(".tools input[type=checkbox]").isChecked());
    await page.keyboard.press("/");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "search");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => location.hash === "#episodes");
    await page.close();
  },

  "results are laid out, long texts fold": async () => {
    const page = await open("study.html", { hash: "#gemma-like-dense%2Ftelecom/bf16/telecom_001/0" });
    await page.waitForSelector(".result pre");
    assert.match(await text(page, ".result pre"), /\{\n {2}"customer_id"/);
    await page.close();
    const hostile = await open("hostile.html", { hash: "#episodes" });
    await hostile.selectOption("form.filters label:has-text('Arm') select", "bad");
    await hostile.locator(".entry").first().click();
    await hostile.waitForSelector("button:has-text('characters more')");
    assert.ok((await hostile.evaluate(() => document.querySelector(".episode").textContent.length)) < 400_000);
    await hostile.locator("button:has-text('characters more')").first().click();
    assert.ok((await hostile.evaluate(() => document.querySelector(".episode").textContent.length)) < 500_000);
    await hostile.close();
  },

  "nothing of a hostile log runs, and its text is shown": async () => {
    for (const hash of ["", "#episodes", "#methods"]) {
      const page = await open("hostile.html", { hash });
      await page.waitForTimeout(200);
      assert.equal(await page.evaluate(() => window.pwned), undefined, hash);
      const foreign = await page.evaluate(() => [...document.querySelectorAll("iframe, img, object, embed, base, meta[http-equiv=refresh], style ~ style")].map((element) => element.outerHTML));
      assert.deepEqual(foreign, [], hash);
      assert.ok(await fits(page), `layout at ${hash}`);
      await page.close();
    }
    const page = await open("hostile.html", { hash: "#episodes" });
    assert.doesNotMatch(await page.title(), /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u);
    await page.selectOption("form.filters label:has-text('Arm') select", "good");
    const seen = new Set();
    for (let i = 0; i < attacks.length * 2; ++i) {
      await page.locator("h1").click();
      await page.keyboard.press("j");
      await page.waitForSelector(".message.user");
      await page.waitForTimeout(30);
      const shown = await page.locator(".mine .prose, .both .prose").allInnerTexts();
      for (const attack of attacks) if (shown.some((entry) => entry.startsWith(attack.slice(0, 30)))) seen.add(attack);
      assert.equal(await page.evaluate(() => window.pwned), undefined);
      assert.ok(await fits(page));
    }
    const markup = attacks.filter((attack) => /^["<\]{j]/.test(attack));
    assert.deepEqual(markup.filter((attack) => !seen.has(attack)), [], "attacks that were not shown as they are");
    await page.close();
  },

  "the policy lets no other script run": async () => {
    const page = await open("pair.html");
    const noise = complaints.length;
    const ran = await page.evaluate(async () => {
      const script = document.createElement("script");
      script.textContent = "window.injected = true";
      document.body.append(script);
      const holder = document.createElement("div");
      holder.innerHTML = "<img src=x onerror='window.injected=true'>";
      document.body.append(holder);
      // Not in this turn: what a debugger evaluates may evaluate more.
      setTimeout(() => new Function("window.injected = true")(), 0);
      await new Promise((done) => setTimeout(done, 200));
      return window.injected === true;
    });
    assert.equal(ran, false);
    complaints.length = noise; // the browser's words on what it refused
    await page.close();
  },

  "logs without a budget and with vanished trials": async () => {
    const page = await open("free.html");
    assert.match(await text(page, "#cell table"), /not enforced/);
    await setK(page, 3);
    assert.equal(await text(page, "#k-value"), "K = 3");
    await page.goto(page.url().split("#")[0] + "#episodes");
    await page.selectOption("form.filters label:has-text('Outcome') select", "vanished");
    assert.match(await text(page, ".found"), /^3 of/);
    await page.close();
  },

  "a page without texts says so; audit --format html is the same page": async () => {
    const page = await open("pair.html", { hash: "#episodes" });
    await page.locator(".entry").first().click();
    await page.waitForSelector("text=holds no text of this episode");
    await page.close();
    const audit = await open("pair-audit.html", { hash: "#episodes" });
    await audit.locator(".entry").first().click();
    await audit.waitForSelector(".message");
    await audit.close();
  },

  "without JavaScript there are verdicts and tables": async () => {
    const page = await open("study.html", { script: false });
    const shown = await page.locator("noscript, main.static").first().innerText();
    assert.match(shown, /MASKED DAMAGE, score equivalent/);
    assert.ok((await page.locator("main.static table").count()) >= 21);
    await page.close();
  },

  "light, dark and the switch between them": async () => {
    const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const choose = async (page, theme) => {
      await page.selectOption("#theme", theme);
      await page.waitForFunction((chosen) => document.documentElement.dataset.theme === chosen, theme);
    };
    const dark = await open("pair.html", { scheme: "dark" });
    const black = await paper(dark);
    await choose(dark, "light");
    const white = await paper(dark);
    assert.notEqual(black, white);
    await dark.selectOption("#theme", "auto");
    await dark.close();
    const light = await open("pair.html");
    assert.equal(await paper(light), white);
    await choose(light, "dark");
    assert.equal(await paper(light), black);
    await light.reload();
    await light.waitForSelector("html[data-ready]");
    assert.equal(await paper(light), black);
    await light.selectOption("#theme", "auto");
    await light.close();
  },

  "nothing is wider than the screen, from a phone to 4K": async () => {
    for (const [width, height] of [[360, 780], [768, 1024], [1280, 900], [2560, 1440], [3840, 2160]])
      for (const hash of ["", "#episodes", "#methods", "#gemma-like-dense%2Ftelecom/int4/telecom_003/0"]) {
        const page = await open("study.html", { width, height, hash });
        assert.ok(await fits(page), `${width} ${hash}`);
        await page.close();
      }
  },

  "prints without controls": async () => {
    const page = await open("pair.html");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.locator(".controls").isVisible(), false);
    assert.equal(await page.locator("#score svg[role=img]").isVisible(), true);
    await page.close();
  },

  "a folder's page loads the texts beside it": async () => {
    const page = await open("folder/index.html", { hash: "#gemma-like-dense%2Ftelecom/int4/telecom_003/0" });
    await page.waitForSelector(".message");
    assert.ok((await text(page, ".message")).length > 3);
    assert.equal(await page.evaluate(() => document.querySelectorAll("head script[src]").length), 0);
    await page.evaluate(() => (location.hash = "#episodes"));
    await page.fill("#search", "toggle_airplane_mode");
    await page.waitForFunction(() => /episodes hold it/.test(document.querySelector(".found")?.textContent ?? ""), null, { timeout: 60_000 });
    assert.equal(await page.evaluate(() => Object.keys(window.unmaskBlocks).length), 0);
    const alone = await open("study.html", { hash: "#episodes" });
    await alone.fill("#search", "toggle_airplane_mode");
    await alone.waitForFunction(() => /episodes hold it/.test(document.querySelector(".found")?.textContent ?? ""), null, { timeout: 60_000 });
    assert.equal(await text(page, ".found"), await text(alone, ".found"));
    await page.close();
    await alone.close();
  },

  "axe finds nothing": async () => {
    for (const scheme of ["light", "dark"])
      for (const width of [360, 1280])
        for (const hash of ["", "#methods", "#episodes", "#gemma-like-dense%2Ftelecom/int4/telecom_003/0"]) {
          const page = await open("study.html", { scheme, width, hash });
          if (hash.includes("/")) await page.waitForSelector(".message");
          else for (const details of await page.locator("details.numbers, details.rule").all()) await details.evaluate((element) => (element.open = true));
          await clean(page, `${hash} at ${width}, ${scheme}`);
          await page.close();
        }
  },
};

let failed = 0;
const wanted = process.argv[3] ?? "";
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(wanted)) continue;
  const before = complaints.length;
  const started = performance.now();
  try {
    await test();
    assert.deepEqual(complaints.slice(before), [], "what the browser complained about");
    console.log(`ok      ${name} (${Math.round(performance.now() - started)} ms)`);
  } catch (error) {
    ++failed;
    console.log(`FAILED  ${name}\n${error instanceof assert.AssertionError ? error.message : error.stack}`);
    for (const page of context.pages().slice(1)) await page.close();
  }
}
const foreign = requests.filter((url) => !/^(file|blob|data):/.test(url));
if (foreign.length > 0) {
  ++failed;
  console.log(`FAILED  the page asked the network for ${foreign.slice(0, 5).join(", ")}`);
}
await context.close();
if (scriptless !== null) await scriptless.close();
console.log(failed === 0 ? "all passed" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
