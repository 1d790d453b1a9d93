#!/usr/bin/env python3
"""Joins the key of a sample with the labels of its two readers into tests/labels/labels.csv.

  join_labels.py KEY.csv READER_A.csv READER_B.csv

A reader's file has the columns number, label, reason. Rows keep no text of the logs: file hash,
episode, call, labels and reasons.
"""
import csv
import pathlib
import sys

LABELS = {"malformed", "tool_name", "arguments", "entity", "precondition", "infrastructure", "other"}


def labels_in(path):
    with open(path, newline="") as file:
        rows = {int(row["number"]): (row["label"].strip(), row["reason"].strip()) for row in csv.DictReader(file)}
    unknown = sorted({label for label, _ in rows.values()} - LABELS)
    if unknown:
        sys.exit(f"{path}: unknown labels {unknown}; known: {sorted(LABELS)}")
    return rows


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    first, second = labels_in(sys.argv[2]), labels_in(sys.argv[3])
    with open(sys.argv[1], newline="") as file:
        key = list(csv.DictReader(file))
    numbers = {int(row["number"]) for row in key}
    for path, rows in ((sys.argv[2], first), (sys.argv[3], second)):
        if set(rows) != numbers:
            sys.exit(f"{path}: labels {len(rows)} numbers where the key has {len(numbers)}")
    target = pathlib.Path(__file__).with_name("labels.csv")
    with open(target, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["sha256", "task", "trial", "episode", "call", "label_a", "reason_a", "label_b", "reason_b"])
        for row in sorted(key, key=lambda row: (row["sha256"], row["task"], row["trial"], int(row["call"]))):
            number = int(row["number"])
            out.writerow([row["sha256"], row["task"], row["trial"], row["episode"], row["call"], *first[number],
                          *second[number]])
    both = sum(first[number][0] == second[number][0] for number in numbers)
    print(f"{target}: {len(key)} rows; the readers agree on {both}")


if __name__ == "__main__":
    main()
