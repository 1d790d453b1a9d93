#!/usr/bin/env python3
"""Checks what the documents point at: each relative link and its heading, and each path of this
repository that stands in `code` type. Exit status 1 and a line for each that is not there.

  check_docs.py [--root REPOSITORY]
"""

import argparse
import pathlib
import re
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)")
CODE = re.compile(r"`([^`]+)`")
PATH = re.compile(r"(?:src|docs|scripts|tests|fuzz|bench|cmake|examples)/[\w./-]+$")
HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
SKIPPED = {"build", ".git", ".venv", "node_modules"}


def documents(root):
    return sorted(path for path in root.rglob("*.md")
                  if not SKIPPED & set(path.relative_to(root).parts))


def prose(path):
    """(number, line) outside fenced blocks."""
    inside = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip().startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def anchors(path):
    """Headings as the usual hosts spell them in links."""
    found = set()
    for _, line in prose(path):
        heading = HEADING.match(line)
        if heading:
            text = re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading.group(1)).lower()
            found.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return found


def check(root):
    for document in documents(root):
        for number, line in prose(document):
            where = f"{document.relative_to(root)}:{number}"
            for link in LINK.finditer(CODE.sub("", line)):
                target, _, anchor = (link.group(1) or link.group(2)).partition("#")
                if re.match(r"[a-z]+:", target):
                    continue
                path = (document.parent / target).resolve() if target else document
                if not path.exists():
                    yield f"{where}: {target} does not exist"
                elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                    yield f"{where}: {target} has no heading #{anchor}"
            for code in CODE.findall(line):
                if PATH.match(code) and not (root / code).exists():
                    yield f"{where}: {code} does not exist"


def main():
    parser = argparse.ArgumentParser(description="Checks links and paths in the documents.")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    faults = list(check(root))
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(documents(root))} documents, {len(faults)} faults")
    return 1 if faults or not documents(root) else 0


if __name__ == "__main__":
    sys.exit(main())
