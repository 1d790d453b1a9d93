#!/usr/bin/env python3
"""Makes the tables of public-logs.md from the logs themselves.

  public_logs.py --unmask build/release/src/unmask/cli/unmask           print them
  public_logs.py --unmask ... --check docs/studies/public-logs.md    compare; status 1 if they differ
  public_logs.py --unmask ... --update docs/studies/public-logs.md   write them into the page

The logs are looked for in `logs` of the folder that UNMASK_SHARED names, by default ../shared. Without
them the status is 77, or 1 where UNMASK_REQUIRE_REFERENCE=1 says that they must be there.

In the page a table stands between `<!-- NAME -->` and `<!-- end NAME -->`. Every figure comes from
`unmask inspect --format json` or `unmask audit --format json`; nothing is computed here but sums.
"""
import argparse
import collections
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

# Arms that differ in one named thing, and what that is. Paths are relative to the folder of logs.
CODESQUE = "codesque16__tau2-bench/docs/data/_gpt-5-nano__"
REAPOR = "Reapor-Yurnero__tau-bench/results/"
TRAINING = "sierra-research__tau2-bench/src/experiments/model_training/results/"
TUNED = TRAINING + "ft_gpt-4.1-2025-04-14_sierra_tau2-full-sft_BzrYdMNm_"
PAIRS = [
    ("gpt-5-nano, retail", "a policy graph in the prompt",
     "plain", CODESQUE + "base__all_", "graph", CODESQUE + "mermaid_harness_v1__all_"),
    ("Llama-3.1-8B, airline", "fine-tuned by imitation",
     "base", REAPOR + "Llama-3.1-8B-Instruct/airline-temperature-0.0_0717023520.json.gz",
     "tuned", REAPOR + "Llama-3.1-8B-Instruct_IL_checkpoint-30/airline-temperature-0.0_0717014101.json.gz"),
    ("gpt-4.1, retail", "fine-tuned on tau2 tasks",
     "base", TRAINING + "gpt-4.1_retail_defautl_gpt-4.1_1trials.json.gz",
     "tuned", TUNED + "retail_default_gpt-4.1_1trials.json.gz"),
    ("gpt-4.1, telecom", "fine-tuned on tau2 tasks",
     "base", TRAINING + "gpt-4.1_telecom_default_gpt-4.1_1trials.json.gz",
     "tuned", TUNED + "telecom_default_gpt-4.1_1trials.json.gz"),
    ("SmolLM2-135M, shop", "weights q8_0 and q4_0",
     "q8_0", "small-models/smollm2-135m_q8_0.jsonl.gz", "q4_0", "small-models/smollm2-135m_q4_0.jsonl.gz"),
]


class Unmask:
    def __init__(self, program, logs):
        self.program = str(program.resolve())
        self.logs = logs

    def json(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--quiet", "--format", "json"], cwd=self.logs, text=True,
                              capture_output=True, check=False)
        if not done.stdout:
            sys.exit(f"unmask {' '.join(arguments)}: {done.stderr}")
        return json.loads(done.stdout)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def percent(share):
    return "—" if share is None else f"{100 * share:.1f} %"


def short(path):
    """A log's owner and its own name, without what every name repeats."""
    parts = pathlib.PurePath(path).parts
    return f"{parts[0].replace('__', '/')} `{re.sub(r'[.](json|jsonl)([.]gz)?$', '', parts[-1])[:60]}`"


def formats(logs):
    groups = collections.OrderedDict()
    for log in sorted(logs, key=lambda log: log["format"]):
        group = groups.setdefault(log["format"], collections.Counter())
        group.update(logs=1, episodes=log["trials"]["recorded"], calls=log["agent"]["calls"] + log["user"]["calls"],
                     failed=log["agent"]["failed"] + log["user"]["failed"])
    total = sum(groups.values(), collections.Counter())
    columns = ("logs", "episodes", "calls", "failed")
    rows = [[name, *(f"{group[c]:,}" for c in columns)] for name, group in groups.items()]
    return table(["format", "logs", "episodes", "calls", "failed calls"],
                 [*rows, ["all", *(f"{total[c]:,}" for c in columns)]])


def channels(unmask):
    done = subprocess.run([unmask.program, "diagnose", ".", "--quiet", "--format", "jsonl"], cwd=unmask.logs, text=True,
                          capture_output=True, check=False)
    counts = collections.Counter()
    for line in done.stdout.splitlines():
        call = json.loads(line)
        counts[call["channel"], call["party"]] += 1
    total = sum(counts.values())
    names = sorted({channel for channel, _ in counts}, key=lambda name: -counts[name, "agent"] - counts[name, "user"])
    rows = []
    for name in names:
        agent, user = counts[name, "agent"], counts[name, "user"]
        rows.append([f"`{name}`", f"{agent:,}", f"{user:,}", percent((agent + user) / total)])
    return table(["channel", "agent", "simulated user", "share"], rows)


def budgets(logs):
    kinds = collections.Counter()
    for log in logs:
        budget = log["budget"]
        if log["trials"]["recorded"] == 0:
            kind = "no episode, so nothing to tell it by"
        elif not budget["known"]:
            kind = "neither version nor episodes tell"
        elif budget["enforced"]:
            kind = "enforced: an episode ended by it, or a version that enforces it"
        elif budget["nominal"] is not None:
            kind = f"dead: `max_errors` {budget['nominal']} is written and was never applied"
        else:
            kind = "none: the harness has no budget"
        kinds[kind] += 1
    stopped = sum(log["budget"]["stopped"] for log in logs)
    recorded = sum(log["trials"]["recorded"] for log in logs)
    rows = [[kind, count] for kind, count in sorted(kinds.items(), key=lambda item: (-item[1], item[0]))]
    return table(["error budget of the log", "logs"], rows) + \
        f"\n\nOf {recorded:,} episodes, {stopped} ended because their budget was used up."


def vanished(logs):
    rows = []
    for log in sorted(logs, key=lambda log: -log["trials"]["vanished"]):
        trials = log["trials"]
        promised = trials["promised"] or trials["recorded"]
        if trials["vanished"] == 0 or promised < 2:
            continue
        rows.append([short(log["file"]), promised, trials["observed"], trials["missing"], trials["infrastructure"],
                     percent(trials["vanished"] / promised)])
    return table(["log", "promised", "observed", "not recorded", "crashed", "vanished"], rows)


def points(figure):
    if figure["points"] is None:
        return "—"
    if figure.get("low") is None:
        return f"{figure['points']:.1f}"
    return f"{figure['points']:.1f} [{figure['low']:.1f}, {figure['high']:.1f}]"


def pairs(unmask):
    rows = []
    for title, difference, first, first_path, second, second_path in PAIRS:
        audit = unmask.json("audit", f"{first}={first_path}", f"{second}={second_path}", "--reference", first)
        cell = audit["cells"][0]
        comparison = cell["comparisons"][0]
        score = {arm["arm"]: {row["k"]: row["value"] for row in arm["score"]} for arm in cell["arms"]}
        gap = {row["k"]: row for row in comparison["gap"]}
        ratios = [(name, a) for name, a in comparison["amplification"].items() if a["tested"] and a["low"] is not None]
        ratio = "; ".join(f"`{name}` ×{a['ratio']:.2f} [{a['low']:.2f}, {a['high']:.2f}]" for name, a in ratios)
        rows.append([f"{title}: {difference}", *(f"{percent(score[first][k])} / {percent(score[second][k])}"
                                                 for k in (10, 1)),
                     points(gap[10]), points(gap[1]), ratio or "none has enough errors",
                     comparison["verdict"].replace("_", " ")])
    return table(["pair (reference / other)", "score, K = 10", "score, K = 1", "gap, K = 10", "gap, K = 1",
                  "errors an episode", "verdict"], rows)


def tables(unmask):
    logs = unmask.json("inspect", ".")["logs"]
    return {"formats": formats(logs), "channels": channels(unmask), "budgets": budgets(logs),
            "vanished": vanished(logs), "pairs": pairs(unmask)}


def filled(page, made):
    for name, text in made.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.S)
        page, times = pattern.subn(lambda match: match[1] + text + "\n" + match[2], page)
        if times != 1:
            sys.exit(f"the page has {times} places for the table '{name}'")
    return page


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unmask", type=pathlib.Path, required=True)
    shared = pathlib.Path(os.environ.get("UNMASK_SHARED") or pathlib.Path(__file__).parents[3] / "shared")
    parser.add_argument("--logs", type=pathlib.Path, default=shared / "logs")
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--update", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.logs.is_dir():
        print(f"{arguments.logs}: no such folder; the public logs were not read")
        sys.exit(1 if os.environ.get("UNMASK_REQUIRE_REFERENCE") == "1" else 77)
    made = tables(Unmask(arguments.unmask, arguments.logs))
    if arguments.update:
        arguments.update.write_text(filled(arguments.update.read_text(), made))
    elif arguments.check:
        page = arguments.check.read_text()
        wanted = filled(page, made)
        if page != wanted:
            sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), wanted.splitlines(True), "in the page",
                                                       "from the logs"))
            sys.exit(1)
        print(f"{len(made)} tables agree with the logs")
    else:
        for name, text in made.items():
            print(f"## {name}\n{text}\n")


if __name__ == "__main__":
    main()
