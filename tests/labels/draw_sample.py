#!/usr/bin/env python3
"""Draws failed tool calls from real logs for readers to label without seeing what unmask says.

  draw_sample.py --unmask build/release/src/unmask/cli/unmask --logs ../shared/logs --out FOLDER

Writes FOLDER/sheet.jsonl, what a reader sees (number, caller, names offered or known to work there,
the call, the text it got), and FOLDER/key.csv, where each row came from. Neither belongs in the
repository: the sheet quotes other people's logs.

The sample is stratified by unmask's own channel, as evenly as the channels allow, so that rare ones
are judged too; within a channel calls of the same log, tool and kind of text come once before any
comes twice. A seed makes it repeatable.
"""
import argparse
import collections
import csv
import json
import pathlib
import random
import re
import subprocess


def run(unmask, command, path):
    done = subprocess.run([unmask, command, "--quiet", "--format", "jsonl" if command == "diagnose" else "json",
                           str(path)], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def logs_below(folder):
    for path in sorted(folder.rglob("*")):
        name = path.name.removesuffix(".gz")
        if path.is_file() and name.endswith((".json", ".jsonl")):
            yield path


def shape(text):
    """A text without what differs from call to call: digits, quoted parts, identifiers."""
    return re.sub(r"[\d]+|'[^']*'|\"[^\"]*\"|#?\b\w*_\w*\b", "_", text)[:80]


def collect(unmask, folder):
    """Failed calls by channel, each with the names that were offered to its caller."""
    calls = collections.defaultdict(list)
    for path in logs_below(folder):
        listing = run(unmask, "diagnose", path)
        if not listing:
            continue
        log = json.loads(run(unmask, "inspect", path))["logs"][0]
        offered = {party: [t["name"] for t in log["tools"] if t["offered_to_" + party]] for party in ("agent", "user")}
        worked = {party: [t["name"] for t in log["tools"] if t[party]["calls"] > t[party]["failed"]]
                  for party in ("agent", "user")}
        for line in listing.splitlines():
            call = json.loads(line)
            call["sha256"] = log["sha256"]
            call["offered"] = offered[call["party"]]
            call["worked"] = worked[call["party"]]
            calls[call["channel"]].append(call)
    return calls


def spread(calls, rng):
    """The calls in an order in which each log, tool and shape of text comes once before any comes again."""
    groups = collections.defaultdict(list)
    for call in calls:
        groups[(call["sha256"], call["tool"], shape(call["text"]))].append(call)
    keys = sorted(groups)
    rng.shuffle(keys)
    for members in groups.values():
        rng.shuffle(members)
    for round_number in range(max(map(len, groups.values()), default=0)):
        for key in keys:
            if round_number < len(groups[key]):
                yield groups[key][round_number]


def stratified(calls, size, rng):
    """`size` calls, the same number of each channel as far as there are that many."""
    queues = {channel: list(spread(members, rng)) for channel, members in sorted(calls.items())}
    chosen = []
    while len(chosen) < size and any(queues.values()):
        for queue in queues.values():
            if queue and len(chosen) < size:
                chosen.append(queue.pop(0))
    rng.shuffle(chosen)
    return chosen


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unmask", required=True)
    parser.add_argument("--logs", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--seed", type=int, default=2026)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    calls = collect(arguments.unmask, arguments.logs)
    sample = stratified(calls, arguments.size, rng)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with open(arguments.out / "sheet.jsonl", "w") as sheet, open(arguments.out / "key.csv", "w", newline="") as keys:
        key = csv.writer(keys, lineterminator="\n")
        key.writerow(["number", "sha256", "task", "trial", "episode", "call"])
        for number, call in enumerate(sample):
            seen = {"number": number, "caller": call["party"], "offered": call["offered"],
                    "worked_in_this_log": call["worked"], "tool": call["tool"], "arguments": call["arguments"],
                    "text": call["text"]}
            sheet.write(json.dumps(seen, ensure_ascii=False) + "\n")
            trial = "" if call["trial"] is None else call["trial"]
            key.writerow([number, call["sha256"], call["task"], trial, call["episode"] or "", call["call"]])
    print("failed calls by channel:", {channel: len(members) for channel, members in sorted(calls.items())})
    print("in the sample:", dict(sorted(collections.Counter(call["channel"] for call in sample).items())))


if __name__ == "__main__":
    main()
