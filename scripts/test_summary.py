#!/usr/bin/env python3
"""Prints what scripts/test found: failures with their output, minutes a stage, reference vectors,
and last the line `N passed, N failed`. Exit status 1 if anything failed or nothing ran.

The folder given holds STAGE.xml (JUnit, from ctest), checks.tsv (stage, outcome, name, reason) and
seconds.tsv (stage, seconds).
"""

import collections
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

REFERENCE = re.compile(r"^reference (\S+): (\d+) of (\d+) vectors( \(data not found\))?$", re.M)
SHOWN_LINES = 120


class Stage:
    def __init__(self):
        self.passed = self.failed = 0
        self.skipped = []  # (name, reason)
        self.failures = []  # (name, output)
        self.seconds = 0


def read_rows(path):
    if not path.exists():
        return []
    return [line.split("\t") for line in path.read_text().splitlines() if line]


def read_results(folder):
    """Stages in the order they ran, and the reference lines as {file: [checked, expected]}."""
    stages = collections.OrderedDict()
    for name, seconds in read_rows(folder / "seconds.tsv"):
        stages.setdefault(name, Stage()).seconds = int(seconds)
    for name, outcome, check, reason in read_rows(folder / "checks.tsv"):
        stage = stages.setdefault(name, Stage())
        if outcome == "skipped":
            stage.skipped.append((check, reason))
        elif outcome == "passed":
            stage.passed += 1
        else:
            stage.failed += 1
            stage.failures.append((check, reason))
    references = {}
    for path in sorted(folder.glob("*.xml")):
        stage = stages.setdefault(path.stem, Stage())
        counted = {}
        for case in ElementTree.parse(path).getroot().iter("testcase"):
            output = case.findtext("system-out") or ""
            status = case.get("status")
            if status == "run":
                stage.passed += 1
            elif status == "disabled" or case.find("skipped") is not None:
                element = case.find("skipped")
                reason = element.get("message", "") if element is not None else "disabled"
                stage.skipped.append((case.get("name"), reason))
            else:
                stage.failed += 1
                stage.failures.append((case.get("name"), output))
            for file, checked, expected, _ in REFERENCE.findall(output):
                row = counted.setdefault(file, [0, 0])
                row[0] += int(checked)
                row[1] += int(expected)
        # Every build checks the same vectors; the first that has them speaks for all.
        for file, row in counted.items():
            if file not in references or path.stem == "release":
                references[file] = row
    return stages, references


def print_failures(stages):
    for name, stage in stages.items():
        for check, output in stage.failures:
            print(f"\nFAILED {name}: {check}")
            lines = output.splitlines()
            if len(lines) > SHOWN_LINES:
                print(f"  ... {len(lines) - SHOWN_LINES} lines before")
            for line in lines[-SHOWN_LINES:]:
                print(f"  {line}")


def print_references(references):
    """Returns True if vectors are missing that the environment requires."""
    if not references:
        return False
    print("\nreference vectors")
    for file in sorted(references):
        checked, expected = references[file]
        print(f"  {checked:>8} of {expected:>8}  {file}")
    missing = sum(max(0, expected - checked) for checked, expected in references.values())
    print(f"  {sum(row[0] for row in references.values()):>8} of "
          f"{sum(row[1] for row in references.values()):>8}  all")
    if missing:
        print(f"  {missing} vectors were not checked: is there reference data at "
              f"{os.environ.get('UNMASK_SHARED', '../shared')}? (UNMASK_SHARED names the folder)")
    return missing > 0 and os.environ.get("UNMASK_REQUIRE_REFERENCE") == "1"


def main():
    stages, references = read_results(pathlib.Path(sys.argv[1]))
    print_failures(stages)
    print("\nstage      minutes   passed   failed  skipped")
    for name, stage in stages.items():
        print(f"{name:<10} {stage.seconds / 60:>7.1f} {stage.passed:>8} {stage.failed:>8} "
              f"{len(stage.skipped):>8}")
    for name, stage in stages.items():
        for check, reason in stage.skipped:
            print(f"skipped in {name}: {check}" + (f" ({reason})" if reason else ""))
    passed = sum(stage.passed for stage in stages.values())
    failed = sum(stage.failed for stage in stages.values())
    if print_references(references):
        failed += 1
    print()
    if passed + failed == 0:
        print("no test ran")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed == 0 else 0


if __name__ == "__main__":
    if sys.argv[1:] in (["-h"], ["--help"]):
        print(__doc__.strip())
        sys.exit(0)
    sys.exit(main())
