// node browser/make_reports.mjs UNMASK FOLDER [NAME...]: makes logs and the reports that the tests open.
//   study     the simulated ten-cell study of `unmask study example`
//   pair      one cell of it, without texts (--episodes none)
//   folder    the study once more, as a folder
//   hostile   logs that try to get out of the page
//   free      logs that no budget stopped, with vanished trials
//   large     5,000 episodes, for the benchmark
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const marker = "window.pwned=(window.pwned||0)+1";
export const attacks = [
  `<script>${marker}</script>`,
  `</script><script>${marker}</script>`,
  `<img src=x onerror="${marker}">`,
  `<svg/onload=${marker}>`,
  `"><iframe srcdoc="<script>parent.${marker}</script>"></iframe>`,
  `<!--<script>${marker}//`,
  `]]>--><style>*{display:none!important}</style>`,
  `javascript:${marker}`,
  "\u202egnp.exe\u202c\u2066 turned \u2069",
  "zero\u200bwidth\u200d\ufeff and \u0007\u001b[31mcontrol\u0000 bytes",
  `{{constructor.constructor("${marker}")()}}`,
  "<meta http-equiv=refresh content='0;url=https://example.invalid/'>",
  "<base href=https://example.invalid/>",
  "עברית و عربي mixed with latin",
  "Z̸̧̢̛͔͎a̶l̷g̸o̵".repeat(40),
];

const message = (role, content, calls = null) => ({ role, content, tool_calls: calls });

// A tau2-bench results file.
function log({ tasks, trials, episode, version = null }) {
  const simulations = [];
  for (let task = 0; task < tasks; ++task)
    for (let trial = 0; trial < trials; ++trial) {
      const { messages, reward = 1, termination = "user_stop" } = episode(task, trial);
      messages.forEach((entry, i) => (entry.turn_idx = i));
      simulations.push({
        id: `sim-${task}-${trial}`, task_id: taskName(task), trial, seed: trial, start_time: "2026-06-01T10:00:00",
        end_time: "2026-06-01T10:01:00", duration: 60, timestamp: "2026-06-01T10:01:00", termination_reason: termination,
        agent_cost: null, user_cost: null,
        reward_info: reward === null ? null : { reward, reward_basis: ["ENV_ASSERTION"], info: { note: attacks[task % attacks.length] } },
        messages, mode: "half_duplex",
      });
    }
  return {
    timestamp: version ?? "2026-06-01T10:00:00",
    info: {
      git_commit: "0".repeat(40), num_trials: trials, max_steps: 200, max_errors: 10, seed: 300,
      agent_info: { implementation: "llm_agent", llm: "made-up-model", llm_args: { temperature: 0 } },
      user_info: { implementation: "user_simulator", llm: "made-up-user", llm_args: {} },
      environment_info: { domain_name: "telecom", policy: "Be kind.", tool_defs: null },
    },
    tasks: Array.from({ length: tasks }, (_unused, task) => ({
      id: taskName(task), user_scenario: { instructions: `Customer ${task} is unhappy.` },
      evaluation_criteria: { actions: [], reward_basis: ["ENV_ASSERTION"] },
    })),
    simulations, simulation_index: null,
  };
}

let taskName = (task) => `task_${task}`;

// An episode of a greeting and calls; a failed one where `fails` says so.
function episodeOf(calls, { text = "My phone does not work." } = {}) {
  const messages = [message("assistant", "Hello!"), message("user", text)];
  calls.forEach(({ name, failed, result, args }, i) => {
    messages.push(message("assistant", null, [{ id: `call_${i}`, name, arguments: args ?? { customer_id: "C1" }, requestor: "assistant" }]));
    messages.push({ role: "tool", id: `call_${i}`, content: failed ? (result ?? `Error: Tool '${name}' not found.`) : (result ?? '{"ok": true}'), error: failed, requestor: "assistant" });
  });
  return messages;
}

const good = { name: "get_customer_by_id", failed: false };

function hostile(arm) {
  taskName = (task) => `${attacks[task % attacks.length].slice(0, 300)} #${task}`;
  const made = log({
    tasks: 30,
    trials: 2,
    episode: (task, trial) => {
      const attack = attacks[(task + trial) % attacks.length];
      const errors = arm === "bad" ? 3 : 1;
      const calls = [good];
      for (let i = 0; i < errors; ++i) {
        calls.push({ name: attacks[(task + i) % attacks.length], failed: true, result: `Error: ${attack} not found` }, { ...good, args: { customer_id: attack, ["<b>key</b>"]: [attack] } });
      }
      // Ten thousand names between them, and one text of ten million characters.
      for (let i = 0; i < (arm === "bad" ? 170 : 2); ++i) calls.push({ name: `made_up_${task}_${trial}_${i}_${"x".repeat(i % 7)}`, failed: true });
      const text = task === 0 && trial === 0 && arm === "bad" ? `start ${"long text ".repeat(1_000_000)} end` : attack;
      return { messages: episodeOf(calls, { text }), reward: (task + trial) % 3 === 0 ? 0 : 1 };
    },
  });
  taskName = (task) => `task_${task}`;
  return made;
}

// Made by a version whose counter never moved; some trials are gone.
export function free(arm) {
  return log({
    tasks: 24,
    trials: 3,
    version: "2025-08-01T10:00:00",
    episode: (task, trial) => {
      const errors = (task * 7 + trial * 3) % (arm === "low" ? 16 : 6);
      const calls = [good];
      for (let i = 0; i < errors; ++i) calls.push({ name: ["toggle_data", "reboot_device", "check_sim_status"][(task + i) % 3], failed: true }, good);
      const vanished = arm === "low" && task % 8 === 0 && trial === 2;
      return { messages: vanished ? [] : episodeOf(calls), reward: vanished ? null : (task + trial) % 4 === 0 ? 0 : 1, termination: vanished ? "infrastructure_error" : "user_stop" };
    },
  });
}

const subjects = ["I", "My daughter", "The app", "Your colleague", "The technician", "My phone", "The bill", "The store"];
const verbs = ["noticed", "told me about", "shows", "can't find", "still has", "lost", "asked for", "keeps dropping"];
const objects = ["the second line", "a charge from last month", "the roaming pass", "any signal at home", "the old plan", "the new address", "a refund", "the data limit", "the SIM card", "my last payment"];
const times = ["since Monday", "after the update", "every evening", "for two weeks", "when I am abroad", "as of this morning"];

// As long as real ones, and as alike: sentences of one way of talking, results from one data base.
function large(arm) {
  let seed = arm === "low" ? 7 : 11;
  const next = (n) => {
    seed = (seed + 0x9e3779b9) >>> 0; // splitmix32
    let z = seed ^ (seed >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) % n;
  };
  const of = (list) => list[next(list.length)];
  const sentence = () => `${of(subjects)} ${of(verbs)} ${of(objects)} ${of(times)}${next(3) === 0 ? `, number ${next(9999)}` : ""}.`;
  const prose = (n) => Array.from({ length: n }, sentence).join(" ");
  const customers = Array.from({ length: 80 }, (_unused, i) => ({
    customer_id: `C${1000 + i}`, phone_number: `555-${next(9000) + 1000}`, name: `${of(subjects)} ${i}`, plan_id: `P${next(20)}`,
    bills: Array.from({ length: 5 }, () => ({ bill_id: `B${next(999999)}`, amount: next(9000) / 100, status: of(["paid", "due", "overdue"]), note: sentence() })),
  }));
  return log({
    tasks: 625,
    trials: 4,
    episode: (task, trial) => {
      const mine = customers.slice(task % 70, (task % 70) + 8);
      const calls = Array.from({ length: 14 }, (_unused, i) => {
        if (i % 4 === 1 && next(arm === "low" ? 2 : 4) === 0) return { name: "toggle_data", failed: true };
        const customer = of(mine);
        return { name: "get_customer_by_id", failed: false, args: { customer_id: customer.customer_id, reason: sentence() }, result: JSON.stringify(customer) };
      });
      const messages = episodeOf(calls, { text: prose(4) });
      for (let i = 0; i < 10; ++i) messages.push(message(i % 2 === 0 ? "assistant" : "user", prose(6)));
      if (task === 300 && trial === 0 && arm === "low") messages.push(message("user", "needle in the haystack"));
      return { messages, reward: next(3) === 0 ? 0 : 1 };
    },
  });
}

const makers = {
  study: (run, folder) => {
    const study = join(folder, "study");
    if (!existsSync(study)) run("study", "example", "-o", study);
    run("report", "--study", join(study, "study.toml"), "-o", join(folder, "study.html"), "-q");
    run("audit", "--study", join(study, "study.toml"), "--format", "json", "-o", join(folder, "study.json"), "-q");
  },
  pair: (run, folder) => {
    const logs = ["bf16", "int4"].map((arm) => `${arm}=${join(folder, "study", `gemma-like-dense_telecom_${arm}.json.gz`)}`);
    run("report", ...logs, "-o", join(folder, "pair.html"), "--episodes", "none", "-q");
    run("audit", ...logs, "--format", "html", "-o", join(folder, "pair-audit.html"), "-q");
  },
  hostile: (run, folder) => {
    const logs = ["good", "bad"].map((arm) => {
      writeFileSync(join(folder, `hostile-${arm}.json`), JSON.stringify(hostile(arm)));
      return `${arm}=${join(folder, `hostile-${arm}.json`)}`;
    });
    run("report", ...logs, "--cell", attacks[1], "-o", join(folder, "hostile.html"), "-q");
  },
  folder: (run, folder) => {
    rmSync(join(folder, "folder"), { recursive: true, force: true });
    run("report", "--study", join(folder, "study", "study.toml"), "--folder", join(folder, "folder"), "-q");
  },
  free: (run, folder) => {
    const logs = ["high", "low"].map((arm) => {
      writeFileSync(join(folder, `free-${arm}.json`), JSON.stringify(free(arm)));
      return `${arm}=${join(folder, `free-${arm}.json`)}`;
    });
    run("report", ...logs, "-o", join(folder, "free.html"), "-q");
  },
  large: (run, folder) => {
    const logs = ["high", "low"].map((arm) => {
      const path = join(folder, `large-${arm}.json`);
      writeFileSync(path, JSON.stringify(large(arm)));
      return `${arm}=${path}`;
    });
    run("report", ...logs, "-o", join(folder, "large.html"), "-q");
  },
};

export function makeReports(unmask, folder, names) {
  mkdirSync(folder, { recursive: true });
  const run = (...args) => execFileSync(unmask, args, { stdio: ["ignore", "inherit", "inherit"] });
  for (const name of names) {
    rmSync(join(folder, `${name}.html`), { force: true });
    makers[name](run, folder);
  }
}

if (process.argv[1]?.endsWith("make_reports.mjs")) {
  const [unmask, folder, ...names] = process.argv.slice(2);
  if (unmask === undefined || folder === undefined) {
    console.error("usage: node browser/make_reports.mjs UNMASK FOLDER [study|pair|folder|hostile|free|large ...]");
    process.exit(2);
  }
  makeReports(unmask, folder, names.length > 0 ? names : ["study", "pair", "folder", "hostile", "free"]);
}
