#!/usr/bin/env python3
"""Runs the commands that a document shows, and compares what it says they print.

  check_readme.py DOCUMENT --bin FOLDER [--root REPOSITORY]

A fenced block with a comment on the line before it is run or compared:

  <!-- test -->             the commands of the ```sh block succeed
  <!-- test: exit 1 -->     the last of them ends with that status
  <!-- output -->           the block is exactly what the test before it printed (standard output)

The blocks of a document run in order in one copy of the repository, with FOLDER first in PATH, 100
columns, no colour and a UTF-8 locale. A document without a tested block fails: it lost its marks.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

MARK = re.compile(r"<!--\s*(test|output)\s*(?::\s*exit\s+(\d+))?\s*-->\s*$")
LEFT_OUT = shutil.ignore_patterns("build", ".git", ".venv", "__pycache__")
TIME_LIMIT_S = 600


class Block:
    def __init__(self, kind, status, line):
        self.kind, self.status, self.line, self.text = kind, status, line, []


def read_blocks(text):
    """Marked blocks in order. Raises ValueError where a mark has no block or a block no end."""
    blocks, mark, inside, current = [], None, False, None
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        found = MARK.match(stripped)
        if inside:
            if stripped == "```":
                inside, current = False, None
            elif current:
                current.text.append(line)
        elif found:
            mark = (found.group(1), int(found.group(2) or 0))
        elif stripped.startswith("```"):
            inside = True
            if mark:
                current = Block(mark[0], mark[1], number)
                blocks.append(current)
                mark = None
        elif mark and stripped:
            raise ValueError(f"line {number}: a fenced block must follow the mark")
    if mark or inside:
        raise ValueError("the last mark or block has no end")
    return blocks


def environment(bin_folder):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("UNMASK_")}
    kept.update(PATH=f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}", COLUMNS="100",
                NO_COLOR="1", LC_ALL="C.UTF-8")
    return kept


def strip_ends(text):
    return [line.rstrip() for line in text.strip("\n").splitlines()]


def run_blocks(blocks, folder, bin_folder, name):
    """Returns the complaints."""
    complaints, printed = [], None
    for block in blocks:
        where = f"{name}:{block.line}"
        if block.kind == "output":
            if printed is None:
                complaints.append(f"{where}: no test stands before this output")
            elif strip_ends("\n".join(block.text)) != strip_ends(printed):
                complaints.append(f"{where}: the document shows other output; it is now:\n{printed}")
            continue
        script = "\n".join(block.text)
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder,
                              env=environment(bin_folder), stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=TIME_LIMIT_S, check=False)
        printed = done.stdout
        if done.returncode != block.status:
            complaints.append(f"{where}: exit status {done.returncode}, not {block.status}, of\n"
                              f"{script}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description="Runs the commands that a document shows.")
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    given = parser.parse_args()
    try:
        blocks = read_blocks(given.document.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(f"{given.document}: {error}", file=sys.stderr)
        return 1
    tests = sum(block.kind == "test" for block in blocks)
    if tests == 0:
        print(f"{given.document}: no block is marked <!-- test -->", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="unmask-readme-") as scratch:
        folder = pathlib.Path(scratch) / "unmask"
        shutil.copytree(given.root, folder, ignore=LEFT_OUT, symlinks=True)
        complaints = run_blocks(blocks, folder, given.bin.resolve(), given.document.name)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    print(f"{given.document.name}: {tests} blocks run, {len(blocks) - tests} outputs compared")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
