#!/usr/bin/env python3
"""Random call sequences with what the original tau2-bench answers, for `unmask worlds check`.

  tau2_vectors.py --domain retail|telecom --package DIR --calls N --seed S -o FILE.jsonl[.gz]
  tau2_vectors.py --domain retail|telecom --package DIR --compare FILE...

Runs in the environment of tests/differential/venv; DIR is its folder `package`. Lines have the formats of
vectors.jsonl.gz (retail SPEC 14, telecom SPEC 18), with all hashes on every line, and are a function of the
domain, N, S and the package. Each starts from the pristine state and holds several calls: sessions and walks
with ids drawn from the database, and among them wrong ids and types, missing, unexpected and reserved
arguments, unknown tools, both requestors, solo mode (telecom), expressions, and initial functions and
assertions (telecom).

--compare runs the calls of given vector lines (those of another version, say) and prints how many lines and
calls answer otherwise, by tool; status 1 if any does.

Left out, because the text is the interpreter's or the package's own and not the worlds':
- get_item_details (retail): the package has no such tool;
- powers of large numbers, which keep the original busy without end, and tuples times large numbers;
- NaN and infinities as arguments, which JSON does not have;
- texts that Python 3.13 changed: hints and a longer text about unknown attributes, other syntax errors. The
  environment has an earlier Python; 3.10, 3.11 and 3.12 give the same lines.
"""

import argparse
import gzip
import json
import random
import sys
from collections import Counter

import original
from retail_lines import RetailLines
from telecom_lines import TelecomLines


LINES = {"retail": RetailLines, "telecom": TelecomLines}


def open_text(path, mode):
    opened = gzip.open if path.endswith(".gz") else open
    return opened(path, mode + "t", encoding="utf-8")


def generate(domain, package, calls, seed, out):
    world = original.WORLDS[domain](package)
    lines = LINES[domain](world)
    made = number = errors = 0
    tools = Counter()
    with open_text(out, "w") as stream:
        while made < calls:
            # A line does not depend on how many were made before it.
            line = world.run(lines.line(random.Random(f"{domain}/{seed}/{number}"), number, seed))
            stream.write(json.dumps(line) + "\n")
            number += 1
            made += len(line["calls"])
            errors += sum(result["error"] for result in line["results"])
            tools.update(call["name"] for call in line["calls"])
    unused = [name for name in lines.tool_names if name not in tools]
    print(f"{out}: {number} lines, {made} calls, {errors} of them errors, Python {sys.version.split()[0]}"
          + (f"; never called: {', '.join(unused)}" if unused else ""))


def compare(domain, package, paths):
    world = original.WORLDS[domain](package)
    status = 0
    for path in paths:
        lines = calls = other_lines = other_calls = 0
        kinds = Counter()
        with open_text(path, "r") as stream:
            for recorded in map(json.loads, stream):
                found = world.run(recorded)
                lines += 1
                calls += len(recorded["calls"])
                if found == recorded:
                    continue
                other_lines += 1
                answers = zip(recorded["calls"], recorded["results"], found["results"])
                differing = [call["name"] for call, one, two in answers if one != two]
                other_calls += len(differing)
                kinds.update(differing or [key for key in recorded if recorded[key] != found[key]])
        print(f"{path}: {lines} lines, {calls} calls; {other_lines} lines and {other_calls} calls differ"
              + "".join(f"\n  {count} {kind}" for kind, count in kinds.most_common()))
        status |= other_lines > 0
    return int(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--domain", required=True, choices=sorted(LINES))
    parser.add_argument("--package", required=True)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", dest="out")
    parser.add_argument("--compare", nargs="+", metavar="FILE")
    options = parser.parse_args()
    if bool(options.out) == bool(options.compare):
        parser.error("give either -o FILE or --compare FILE...")
    if options.compare:
        return compare(options.domain, options.package, options.compare)
    generate(options.domain, options.package, options.calls, options.seed, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
