#!/usr/bin/env python3
"""An exported run loads in the original's own models, with the same counts.

  store_export_test.py STORE_EXPORT_TEST --work DIR

STORE_EXPORT_TEST is the test program that makes the export. DIR keeps the original's environment from run to run.
Status 77 (skipped) without network or without a Python that can run the original.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
NO_WAY = ("pip could not get", "needs Python 3.12")
# As tests/store_export_test.cc makes it: one of six units is open, each has ten messages and four calls.
EXPECTED = "2 tasks 5 simulations 50 messages 20 calls 2.0 reward"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    options = parser.parse_args()
    made = subprocess.run([HERE / "venv", options.work.resolve()], capture_output=True, text=True, check=False)
    if made.returncode:
        print(made.stderr)
        sys.exit(77 if any(text in made.stderr for text in NO_WAY) else 1)
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "int4.json"
        subprocess.run([options.program, "--gtest_filter=StoreExport.*"], check=True, stdout=subprocess.DEVNULL,
                       env={**os.environ, "UNMASK_EXPORT_TO": str(log)})
        loaded = subprocess.run([options.work / "bin" / "python", "-B", HERE / "load_results.py",
                                 options.work / "package", log], capture_output=True, text=True, check=False)
    print(loaded.stdout, loaded.stderr, end="")
    if loaded.returncode or loaded.stdout.strip() != EXPECTED:
        print("expected:", EXPECTED)
        sys.exit(1)


if __name__ == "__main__":
    main()
