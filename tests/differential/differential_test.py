#!/usr/bin/env python3
"""The worlds against the Python original: random calls that the original answers, checked by `unmask worlds check`.

  differential_test.py DOMAIN --work DIR [--unmask FILE] [--calls N] [--seed S]

DIR keeps the original's environment (tests/differential/venv) from run to run. Without --unmask, the generator
alone is tested: it gives the same lines twice, calls every tool, and, where reference vectors lie beside the
repository, the package answers them as the commit that they come from did but for known differences. Status 77
(skipped) without network or without a Python that can run the original.
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHARED = pathlib.Path(os.environ.get("UNMASK_SHARED") or ROOT.parent / "shared")

# By file: what tau2_vectors.py --compare prints after the path. docs/worlds.md, "Versions", tells of them.
KNOWN_DIFFERENCES = {
    "retail/vectors.jsonl.gz": "1646 lines, 6197 calls; 55 lines and 114 calls differ\n  114 get_item_details\n",
    "retail/vectors_edge.jsonl.gz": "273 lines, 906 calls; 0 lines and 0 calls differ\n",
    "telecom/vectors.jsonl.gz": "1510 lines, 22214 calls; 0 lines and 0 calls differ\n",
    "telecom/vectors_edge.jsonl.gz": "159 lines, 769 calls; 0 lines and 0 calls differ\n",
}
NO_WAY = ("pip could not get", "needs Python 3.12")


def fail(text):
    print(text)
    sys.exit(1)


def run(command, statuses=(0,)):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode not in statuses:
        fail(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("domain", choices=("retail", "telecom"))
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--unmask", type=pathlib.Path)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    made = subprocess.run([HERE / "venv", options.work.resolve()], capture_output=True, text=True, check=False)
    if made.returncode:
        print(made.stderr)
        sys.exit(77 if any(text in made.stderr for text in NO_WAY) else 1)
    package = options.work / "package"
    original = [options.work / "bin" / "python", "-B", HERE / "tau2_vectors.py", "--domain", options.domain,
                "--package", package]

    def generate(name, calls):
        path = options.work / f"{options.domain}-{name}.jsonl"
        printed = run([*original, "--calls", calls, "--seed", options.seed, "-o", path])
        print(printed, end="")
        return path, printed

    if options.unmask:
        path, printed = generate("vectors", options.calls)
        if "never called" in printed:
            fail("every tool should be called")
        checked = run([options.unmask, "worlds", "check", path, "--tau2-data", package / "tau2"])
        print(checked, end="")
        if int(checked.split()[-2]) < options.calls:
            fail(f"at least {options.calls} calls should be checked")
        return
    (first, _), (second, _) = generate("first", 400), generate("second", 400)
    if first.read_bytes() != second.read_bytes():
        fail("two runs with one seed differ")
    for name, expected in KNOWN_DIFFERENCES.items():
        path = SHARED / "tau2" / name
        if not name.startswith(options.domain):
            continue
        if not path.is_file():
            if os.environ.get("UNMASK_REQUIRE_REFERENCE") == "1":
                fail(f"{path} is missing")
            print(f"{name}: not compared, there is no {SHARED}")
        else:
            printed = run([*original, "--compare", path], statuses=(0, 1))
            print(printed, end="")
            if printed != f"{path}: {expected}":
                fail(f"expected: {expected}")


if __name__ == "__main__":
    main()
