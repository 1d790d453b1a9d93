#!/usr/bin/env python3
"""Makes the tables of docs/replay.md on `--replay`: channels by rules and by re-execution, and the
consequence budget, from the logs of replayed_logs.py.

  reexecuted_calls.py --unmask build/release/src/unmask/cli/unmask           print them
  reexecuted_calls.py --unmask ... --check docs/replay.md    compare; status 1 if they differ
  reexecuted_calls.py --unmask ... --update docs/replay.md   write them into the page

Logs and data are looked for as by replayed_logs.py, and the statuses are the same.
"""
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import made_tables  # noqa: E402  (these stand beside this file)
from replayed_logs import LOGS, TRAINING, TUNED, grouped  # noqa: E402

# Arms of one comparison each: the benchmark's own model, and the same fine-tuned.
PAIRS = [
    ("retail", "gpt-4.1_retail_defautl_gpt-4.1_1trials.json.gz", "retail_default_gpt-4.1_1trials.json.gz"),
    ("telecom", "gpt-4.1_telecom_default_gpt-4.1_1trials.json.gz", "telecom_default_gpt-4.1_1trials.json.gz"),
    ("telecom, solo", "gpt-4.1_telecom_no-user_gpt-4.1_1trials.json.gz", "telecom_no-user_gpt-4.1_1trials.json.gz"),
]


def markdown(head, aligned, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(aligned) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


class Command:
    def __init__(self, unmask, shared):
        self.unmask, self.logs, self.data = unmask, shared / "logs", str(shared / "tau2/data")

    def output(self, *arguments):
        done = subprocess.run([self.unmask, *arguments, "-q"], capture_output=True, text=True, check=False, timeout=600)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return done.stdout

    def failed_calls(self, *options):
        files = [str(self.logs / path) for _, path in LOGS]
        return [json.loads(line) for line in
                self.output("diagnose", "--format", "jsonl", *options, *files).splitlines()]

    def audited(self, *arms):
        text = self.output("audit", "--format", "json", "--replay", "--tau2-data", self.data, *arms)
        return json.loads(text)["cells"][0]


def channel(call):
    return call["channel"] + (":" + call["kind"] if call["kind"] else "")


def channels_table(command):
    counts = collections.Counter()
    plain = command.failed_calls()
    again = command.failed_calls("--replay", "--tau2-data", command.data)
    places = [[(call["file"], call["episode"], call["call"]) for call in calls] for calls in (plain, again)]
    if places[0] != places[1]:
        sys.exit("the two diagnoses list other calls")
    for rules, world in zip(plain, again):
        counts[(world["evidence"], channel(rules), channel(world))] += 1
    rows = []
    for (evidence, rules, world), count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])):
        rows.append([f"`{rules}`", f"`{world}`" if evidence == "reexecution" else "—", grouped(count),
                     "" if rules == world else "**differs**"])
    decided = sum(count for (evidence, _, _), count in counts.items() if evidence == "reexecution")
    differ = sum(count for (_, rules, world), count in counts.items() if rules != world)
    rows.append(["all", "", grouped(sum(counts.values())), f"{grouped(decided)} executed again, {differ} differ"])
    return markdown(["without a world", "executed again", "calls", ""], ["---", "---", "---:", "---"], rows)


def percent(value):
    return "—" if value is None else f"{100 * value:.1f}"


def mean(value):
    return "—" if value is None else f"{value:.1f}"


def writes_table(command):
    rows = []
    for label, path in LOGS:
        [arm] = command.audited(f"log={command.logs / path}")["arms"]
        found = arm["consequence"]
        world = "retail" if "telecom" not in path else "telecom, solo" if "no-user" in path else "telecom"
        rows.append([label, world, grouped(found["episodes"]), found["episodes_with"], percent(found["share"]["value"]),
                     found["solved_with"], mean(found["first_call"]["value"]), mean(found["first_message"]["value"]),
                     percent(found["score"]["value"]), percent(found["score_consequence"]["value"])])
    return markdown(["log", "world", "episodes", "with one", "%", "solved", "first call", "message", "S", "S consequence"],
                    ["---", "---"] + ["---:"] * 8, rows)


def gaps_table(command):
    rows = []
    for label, plain, tuned in PAIRS:
        cell = command.audited(f"plain={command.logs / (TRAINING + plain)}", f"tuned={command.logs / (TUNED + tuned)}",
                               "--reference", "plain")
        [comparison] = cell["comparisons"]
        figures = []
        for key in ("gap", "gap_consequence"):
            gap = comparison["consequence"][key]
            figures.append(f"{gap['points']:.1f} [{gap['low']:.1f}, {gap['high']:.1f}]")
        rows.append([label, comparison["consequence"]["shared_tasks"], comparison["consequence"]["k"], *figures])
    return markdown(["world", "tasks", "K", "gap, points", "consequence gap, points"],
                    ["---", "---:", "---:", "---:", "---:"], rows)


def tables(unmask, shared):
    command = Command(unmask, shared)
    return {"channels": channels_table(command), "writes": writes_table(command), "gaps": gaps_table(command)}


if __name__ == "__main__":
    sys.exit(made_tables.main(__doc__, tables))
