#!/usr/bin/env python3
"""Tests the report page of a built command: units, agreement with the audit, and every view in Chromium.

  page_test.py --unmask COMMAND --web FOLDER --work FOLDER [--node NODE]

`--web` is the page's source with its packages installed. Exit status 77, with the reason, where the command
has no page, or Node or Chromium is missing; 1 where UNMASK_REQUIRE_REFERENCE=1 says that they must be there.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

REPORTS = ["study", "pair", "folder", "hostile", "free"]
SKIPPED = 77


def skip(reason):
    required = os.environ.get("UNMASK_REQUIRE_REFERENCE") == "1"
    print(f"{'failed' if required else 'skipped'}: {reason}")
    sys.exit(1 if required else SKIPPED)


def run(what, *command, **more):
    print(f"== {what}", flush=True)
    status = subprocess.run(command, check=False, **more).returncode
    if status == SKIPPED:
        sys.exit(SKIPPED)
    if status != 0:
        print(f"{what}: failed with status {status}")
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unmask", required=True, type=pathlib.Path)
    parser.add_argument("--web", required=True, type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--node", default="node")
    options = parser.parse_args()
    options.web = options.web.resolve()
    modules = options.web / "node_modules"
    if shutil.which(options.node) is None or not (modules / "vitest").is_dir():
        skip("there is no node, or web/node_modules is not installed (npm ci)")
    work = options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    probe = subprocess.run([options.unmask, "report", "-o", os.devnull], capture_output=True, text=True, check=False)
    if "no report page" in probe.stderr:
        skip("this build of the command has no page (UNMASK_PAGE)")

    node = [options.node]
    run("types", *node, modules / "typescript/bin/tsc", "--noEmit", cwd=options.web)
    run("reports", *node, options.web / "browser/make_reports.mjs", options.unmask.resolve(), work, *REPORTS)
    reports = ":".join(str(path) for path in sorted(work.glob("*.html")))
    run("units, and agreement with the audit", *node, modules / "vitest/vitest.mjs", "run", "--reporter=dot",
        cwd=options.web, env={**os.environ, "UNMASK_REPORTS": reports, "CI": "1"})
    run("browser", *node, options.web / "browser/run.mjs", work)
    run("served page", *node, options.web / "browser/live.mjs", options.unmask.resolve(), work)


if __name__ == "__main__":
    main()
