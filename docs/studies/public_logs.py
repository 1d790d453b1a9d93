#!/usr/bin/env python3
"""Makes the tables and figures of public-logs.md from the logs themselves.

  public_logs.py --unmask build/release/src/unmask/cli/unmask           print them
  public_logs.py --unmask ... --check docs/studies/public-logs.md    compare; status 1 if they differ
  public_logs.py --unmask ... --update docs/studies/public-logs.md   write them into the page

The logs are looked for in `logs` of the folder that UNMASK_SHARED names, by default ../shared. Without
them the status is 77, or 1 where UNMASK_REQUIRE_REFERENCE=1 says that they must be there.

In the page a table stands between `<!-- NAME -->` and `<!-- end NAME -->`, a figure of the prose between
`<!-- =NAME -->` and `<!-- / -->`. All come from the JSON of `unmask inspect`, `unmask diagnose` and
`unmask audit`, and from the collection's own list of files; computed here are counts, sums and shares.
"""
import argparse
import collections
import csv
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Logs of the collection that were made for this project, and so are not public logs.
OWN = "small-models/"
# The worlds whose tools and error texts unmask knows.
KNOWN = {path.stem for path in (ROOT / "src/unmask/diagnose/domains").glob("*.json")}

# Arms that are meant to differ in one named thing, and what that is. Paths are relative to the folder of logs.
CODESQUE = "codesque16__tau2-bench/docs/data/_gpt-5-nano__"
REAPOR = "Reapor-Yurnero__tau-bench/results/"
CRASHED = REAPOR + "Llama-3.1-8B-Instruct/retail-temperature-0.0_0717023203.json.gz"
TRAINING = "sierra-research__tau2-bench/src/experiments/model_training/results/"
TUNED = TRAINING + "ft_gpt-4.1-2025-04-14_sierra_tau2-full-sft_BzrYdMNm_"
PAIRS = {
    "nano": ("gpt-5-nano, retail", "a policy graph in the prompt",
             "plain", CODESQUE + "base__all_", "graph", CODESQUE + "mermaid_harness_v1__all_"),
    "llama": ("Llama-3.1-8B, airline", "fine-tuned by imitation",
              "base", REAPOR + "Llama-3.1-8B-Instruct/airline-temperature-0.0_0717023520.json.gz", "tuned",
              REAPOR + "Llama-3.1-8B-Instruct_IL_checkpoint-30/airline-temperature-0.0_0717014101.json.gz"),
    "retail": ("gpt-4.1, retail", "fine-tuned on tau2 tasks",
               "base", TRAINING + "gpt-4.1_retail_defautl_gpt-4.1_1trials.json.gz",
               "tuned", TUNED + "retail_default_gpt-4.1_1trials.json.gz"),
    "telecom": ("gpt-4.1, telecom", "fine-tuned on tau2 tasks",
                "base", TRAINING + "gpt-4.1_telecom_default_gpt-4.1_1trials.json.gz",
                "tuned", TUNED + "telecom_default_gpt-4.1_1trials.json.gz"),
    "smol": ("SmolLM2-135M, shop", "weights q8_0 and q4_0",
             "q8_0", OWN + "smollm2-135m_q8_0.jsonl.gz", "q4_0", OWN + "smollm2-135m_q4_0.jsonl.gz"),
}
OWN_PAIRS = ("smol",)


class Unmask:
    def __init__(self, program, logs):
        self.program = str(program.resolve())
        self.logs = logs

    def output(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--quiet"], cwd=self.logs, text=True, capture_output=True,
                              check=False)
        if not done.stdout:
            sys.exit(f"unmask {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def inspected(self):
        """Every log of the folder, `file` relative to it."""
        logs = json.loads(self.output("inspect", ".", "--format", "json"))["logs"]
        return [{**log, "file": log["file"].removeprefix("./")} for log in logs]

    def failed_calls(self):
        calls = map(json.loads, self.output("diagnose", ".", "--format", "jsonl").splitlines())
        return [{**call, "file": call["file"].removeprefix("./")} for call in calls]

    def audited(self, pair):
        """Arms, in the pair's order, and the comparison of its second arm with its first."""
        _, _, first, first_path, second, second_path = PAIRS[pair]
        audit = json.loads(self.output("audit", f"{first}={first_path}", f"{second}={second_path}", "--reference",
                                       first, "--format", "json"))
        arms = {arm["arm"]: arm for arm in audit["cells"][0]["arms"]}
        return [arms[first], arms[second]], audit["cells"][0]["comparisons"][0]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join("---" if i == 0 else "---:" for i in range(len(head))) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def percent(share):
    return "—" if share is None else f"{100 * share:.1f} %"


def short(log):
    """A log's owner and its own name. Of a world that unmask does not know the name may be a person's: its digest."""
    parts = pathlib.PurePath(log["file"]).parts
    name = re.sub(r"[.](json|jsonl)([.]gz)?$", "", parts[-1])[:60]
    name = f"`{name}`" if log["domain"] in KNOWN else f"sha256 {log['sha256'][:8]}"
    return f"{parts[0].replace('__', '/')} {name}"


def files_read(folder, logs):
    """The collection's own list of files: how many of each kind are in a log that unmask reads."""
    read, others = collections.Counter(), collections.Counter()
    with open(folder / "MANIFEST.tsv", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            inside = any(row["file"] == log["file"] or row["file"].startswith(log["file"].rstrip("/") + "/")
                         for log in logs)
            (read if inside else others)[row["format"]] += 1
    return read, others


def unread(others):
    rows = [[f"`{kind}`", count] for kind, count in sorted(others.items(), key=lambda item: (-item[1], item[0]))]
    return table(["what the file is", "files"], [*rows, ["all", sum(others.values())]])


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


def channels(calls):
    counts = collections.Counter((call["channel"], call["party"]) for call in calls)
    names = sorted({channel for channel, _ in counts}, key=lambda name: -counts[name, "agent"] - counts[name, "user"])
    rows = []
    for name in names:
        agent, user = counts[name, "agent"], counts[name, "user"]
        rows.append([f"`{name}`", f"{agent:,}", f"{user:,}", percent((agent + user) / len(calls))])
    return table(["channel", "agent", "simulated user", "share"], rows)


def domain_counts(logs, calls):
    """By domain, the unknown ones together: logs, failed calls, and those that nothing explains."""
    kind = {log["file"]: log["domain"] if log["domain"] in KNOWN else "not known to unmask" if log["domain"]
            else "none named or told by its tools" for log in logs}
    counts = collections.defaultdict(collections.Counter)
    for name in kind.values():
        counts[name]["logs"] += 1
    for call in calls:
        counts[kind[call["file"]]].update(failed=1, other=call["channel"] == "other")
    return counts


def domains(counts):
    rows = [[f"`{name}`" if name in KNOWN else name, count["logs"], f"{count['failed']:,}", count["other"]]
            for name, count in sorted(counts.items(), key=lambda item: (item[0] not in KNOWN, item[0]))]
    return table(["domain of the log", "logs", "failed calls", "`other` among them"], rows)


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
        rows.append([short(log), promised, trials["observed"], trials["missing"], trials["infrastructure"],
                     percent(trials["vanished"] / promised)])
    return table(["log", "promised", "observed", "not recorded", "crashed", "vanished"], rows)


def points(figure):
    if figure["points"] is None:
        return "—"
    if figure.get("low") is None:
        return f"{figure['points']:.1f}"
    return f"{figure['points']:.1f} [{figure['low']:.1f}, {figure['high']:.1f}]"


def ranged(ratio):
    return f"×{ratio['ratio']:.2f} [{ratio['low']:.2f}, {ratio['high']:.2f}]"


def ratios(comparison):
    """The tested channels; where an arm has none of its errors, so that there is no ratio, the counts."""
    tested = [(name, a) for name, a in comparison["amplification"].items() if a["tested"]]
    return "; ".join(f"`{name}` {ranged(a)}" if a["low"] is not None
                     else f"`{name}` {a['errors_ref']} → {a['errors_arm']} errors" for name, a in tested)


def scores(arm):
    return {row["k"]: row["value"] for row in arm["score"]}


def pairs(names, audits):
    rows = []
    for name in names:
        (first, second), comparison = audits[name]
        gap = {row["k"]: row for row in comparison["gap"]}
        rows.append([": ".join(PAIRS[name][:2]),
                     *(f"{percent(scores(first)[k])} / {percent(scores(second)[k])}" for k in (10, 1)),
                     points(gap[10]), points(gap[1]), ratios(comparison) or "none has enough errors",
                     comparison["verdict"].replace("_", " "), "; ".join(comparison["not_equal"]) or "—"])
    return table(["pair (reference / other)", "score, K = 10", "score, K = 1", "gap, K = 10", "gap, K = 1",
                  "errors an episode", "verdict", "not equal, by the logs"], rows)


def figures_of_pairs(audits):
    made = {}
    for name, (arms, comparison) in audits.items():
        for row in comparison["gap"]:
            made[f"{name} gap {row['k']}"] = f"{row['points']:.1f}"
            made[f"{name} gain {row['k']}"] = f"{-row['points']:.1f}"
        made[f"{name} tasks"] = f"{comparison['shared_tasks']}"
        for which, arm in zip(("first", "second"), arms):
            made[f"{name} {which} score 1"] = percent(scores(arm)[1])
            made[f"{name} {which} calls"] = f"{arm['agent_calls']:,}"
            made[f"{name} {which} failed"] = percent(arm["agent_failed"] / arm["agent_calls"])
        for channel, a in comparison["amplification"].items():
            made[f"{name} {channel} first"] = f"{a['errors_ref']:,}"
            made[f"{name} {channel} second"] = f"{a['errors_arm']:,}"
            for unit, ratio in (("episode", a), ("call", a["per_call"])):
                if ratio["low"] is not None:
                    made[f"{name} {channel} per {unit}"] = f"{ratio['ratio']:.1f}"
                    made[f"{name} {channel} range per {unit}"] = ranged(ratio)
    return made


def figures_of_logs(logs, own, calls, counts, read, others):
    unknown = [count for name, count in counts.items() if name not in KNOWN]
    llama = [log["file"] for log in logs if "Llama-3.1-8B" in (log["identity"]["model"] or "")]
    crashed = next(log for log in logs if log["file"] == CRASHED)
    logs_unknown, failed_unknown, other_unknown = (sum(count[key] for count in unknown)
                                                   for key in ("logs", "failed", "other"))
    return {
        "files": f"{sum(read.values()) + sum(others.values())}", "files read": f"{sum(read.values())}",
        "files not read": f"{sum(others.values())}",
        "quant files": f"{sum(count for kind, count in others.items() if kind.startswith('quant-mcp-bench'))}",
        "llama logs": f"{len(llama)}",
        "llama share": percent(sum(call["file"] in llama for call in calls) / len(calls)),
        "unknown logs": f"{logs_unknown}", "logs": f"{len(logs)}",
        "unknown failed": f"{failed_unknown}", "failed": f"{len(calls):,}", "unknown other": f"{other_unknown}",
        "crashed": f"{crashed['trials']['infrastructure']}", "crashed of": f"{crashed['trials']['recorded']}",
        "crashed published": percent(crashed["averages"]["average_reward"]),
        "crashed score": percent(crashed["score"][-1]["low"]),
        "empty logs": f"{sum(log['trials']['recorded'] == 0 for log in logs)}",
        "own logs": f"{len(own)}", "own episodes": f"{sum(log['trials']['recorded'] for log in own)}",
    }


def made_from(unmask):
    """Tables and figures by name."""
    everything = unmask.inspected()
    own = [log for log in everything if log["file"].startswith(OWN)]
    logs = [log for log in everything if not log["file"].startswith(OWN)]
    calls = [call for call in unmask.failed_calls() if not call["file"].startswith(OWN)]
    audits = {name: unmask.audited(name) for name in PAIRS}
    read, others = files_read(unmask.logs, logs)
    counts = domain_counts(logs, calls)
    tables = {"formats": formats(logs), "unread": unread(others), "channels": channels(calls),
              "domains": domains(counts), "budgets": budgets(logs), "vanished": vanished(logs),
              "pairs": pairs([name for name in PAIRS if name not in OWN_PAIRS], audits),
              "precision": pairs(OWN_PAIRS, audits)}
    return tables, figures_of_pairs(audits) | figures_of_logs(logs, own, calls, counts, read, others)


def filled(page, tables, figures):
    for name, text in tables.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.S)
        page, times = pattern.subn(lambda match: match[1] + text + "\n" + match[2], page)
        if times != 1:
            sys.exit(f"the page has {times} places for the table '{name}'")

    def figure(match):
        if match[1] not in figures:
            sys.exit(f"the page names the figure '{match[1]}', which nothing makes")
        return f"<!-- ={match[1]} -->{figures[match[1]]}<!-- / -->"

    return re.sub(r"<!-- =([^>]*?) -->.*?<!-- / -->", figure, page, flags=re.S)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unmask", type=pathlib.Path, required=True)
    shared = pathlib.Path(os.environ.get("UNMASK_SHARED") or ROOT.parent / "shared")
    parser.add_argument("--logs", type=pathlib.Path, default=shared / "logs")
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--update", type=pathlib.Path)
    arguments = parser.parse_args()
    if not arguments.logs.is_dir():
        print(f"{arguments.logs}: no such folder; the public logs were not read")
        sys.exit(1 if os.environ.get("UNMASK_REQUIRE_REFERENCE") == "1" else 77)
    tables, figures = made_from(Unmask(arguments.unmask, arguments.logs))
    if arguments.update:
        arguments.update.write_text(filled(arguments.update.read_text(), tables, figures))
    elif arguments.check:
        page = arguments.check.read_text()
        wanted = filled(page, tables, figures)
        if page != wanted:
            sys.stdout.writelines(difflib.unified_diff(page.splitlines(True), wanted.splitlines(True), "in the page",
                                                       "from the logs"))
            sys.exit(1)
        print(f"{len(tables)} tables and {page.count('<!-- =')} figures agree with the logs")
    else:
        for name, text in tables.items():
            print(f"## {name}\n{text}\n")
        for name, text in figures.items():
            print(f"{name}: {text}")


if __name__ == "__main__":
    main()
