#!/usr/bin/env python3
"""Holds the sources and the table of modules in docs/architecture.md together.

  check_layers.py [--root REPOSITORY]    exit status 1 and a line for each breach
  check_layers.py --self-test            proves on broken samples that breaches are found

The table has the columns Level, Module, May include, Pure, Heavy headers. Checked:
- each `#include "unmask/MODULE/..."` in src/unmask stands in its module's row, and so do the DEPS of
  its CMakeLists.txt; no row names a module of a higher level, and arrows make no circle;
- each folder has a row, each row a folder, and each arrow is used;
- third-party headers that are slow to compile stand in no .h, but for those named in the row;
- a pure module includes no header for files, clocks, network, threads or random devices;
- nothing but the command prints to the standard streams, exits or reads the environment.
"""

import argparse
import pathlib
import re
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')
OWN = re.compile(r"unmask/([a-z0-9_]+)/")
HEAVY = re.compile(r"(nlohmann|boost|CLI|toml\+\+|openssl|Random123)/|simdjson|toml\.hpp|zlib\.h|zstd\.h|sqlite3\.h")
IMPURE = {"chrono", "cstdio", "ctime", "filesystem", "fstream", "future", "iostream", "mutex",
          "random", "semaphore", "stop_token", "thread", "condition_variable", "atomic"}
IMPURE_PREFIX = ("sys/", "unistd.h", "fcntl.h", "pthread.h", "netinet/", "arpa/")
HOST_CALL = re.compile(r"\bstd::(cout|cerr|clog|getenv|exit|quick_exit|abort|printf|fprintf|puts)\b"
                       r"|(?<![\w:.>])(printf|fprintf|puts|getenv|exit|abort)\s*\(")
TEST = re.compile(r"(^|_)(test|fixtures)(_|$)")
COMMENT = re.compile(r"//.*$")
# May print, exit and read the environment: the command, and programs that are only run by tests.
HOSTS = {"cli"}


class Row:
    def __init__(self, level, may_include, pure, heavy):
        self.level, self.may_include, self.pure, self.heavy = level, may_include, pure, heavy


def cells(line):
    return [cell.strip().replace("`", "") for cell in line.strip().strip("|").split("|")]


def names(cell):
    return {word for word in re.split(r"[,\s]+", cell) if word not in ("", "-", "—", "none")}


def read_table(text):
    """{module: Row}. Raises ValueError if the table is missing or malformed."""
    lines = text.splitlines()
    wanted = ["level", "module", "may include", "pure", "heavy headers"]
    for number, line in enumerate(lines):
        header = [cell.lower() for cell in cells(line)]
        if not all(name in header for name in wanted):
            continue
        column = {name: header.index(name) for name in wanted}
        table = {}
        for row in lines[number + 2:]:
            if not row.strip().startswith("|"):
                break
            cell = cells(row)
            if len(cell) != len(header):
                raise ValueError(f"row with {len(cell)} cells instead of {len(header)}: {row}")
            table[cell[column["module"]]] = Row(
                int(cell[column["level"]]), names(cell[column["may include"]]),
                cell[column["pure"]] == "yes", names(cell[column["heavy headers"]]))
        return table
    raise ValueError("no table with the columns " + ", ".join(wanted))


def check_table(table):
    for module, row in table.items():
        for other in sorted(row.may_include):
            if other not in table:
                yield f"architecture.md: {module} may include {other}, which has no row"
            elif table[other].level > row.level:
                yield f"architecture.md: {module} (level {row.level}) may include {other} above it"
    done, path = set(), []

    def visit(module):
        if module in path:
            return path[path.index(module):] + [module]
        if module in done or module not in table:
            return None
        path.append(module)
        for other in sorted(table[module].may_include):
            circle = visit(other)
            if circle:
                return circle
        path.pop()
        done.add(module)
        return None

    for module in table:
        circle = visit(module)
        if circle:
            yield "architecture.md: a circle: " + " -> ".join(circle)
            return


def check_source(path, place, module, row):
    is_test = TEST.search(path.stem) is not None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{place}:{number}"
        include = INCLUDE.match(line)
        if include:
            header = include.group(2)
            own = OWN.match(header)
            if own and own.group(1) != module and own.group(1) not in row.may_include:
                yield f"{where}: {module} may not include {own.group(1)} (docs/architecture.md)"
            if path.suffix == ".h" and not is_test and HEAVY.match(header) and header not in row.heavy:
                yield f"{where}: {header} belongs into a .cc file"
            if row.pure and not is_test and include.group(1) == "<" and (
                    header in IMPURE or header.startswith(IMPURE_PREFIX)):
                yield f"{where}: {module} is pure and may not use <{header}>"
        elif not is_test and module not in HOSTS:
            call = HOST_CALL.search(COMMENT.sub("", line))
            if call:
                yield f"{where}: {call.group(0).strip(' (')} is for the command only"


def declared(text):
    """The DEPS of a CMakeLists.txt."""
    return {name for deps in re.findall(r"\bDEPS\s+([^A-Z)]*)", text) for name in deps.split()}


def check(root):
    """All breaches, in order."""
    table = read_table((root / "docs/architecture.md").read_text(encoding="utf-8"))
    breaches = list(check_table(table))
    source = root / "src/unmask"
    folders = {folder.name for folder in source.iterdir() if folder.is_dir()}
    breaches += [f"src/unmask/{name} has no row in docs/architecture.md"
                 for name in sorted(folders - set(table))]
    breaches += [f"docs/architecture.md: {name} has a row but no folder"
                 for name in sorted(set(table) - folders)]
    for module in sorted(folders & set(table)):
        cmake = source / module / "CMakeLists.txt"
        used = declared(cmake.read_text(encoding="utf-8")) if cmake.exists() else set()
        breaches += [f"src/unmask/{module}/CMakeLists.txt: DEPS {other} is not in its row"
                     for other in sorted(used - table[module].may_include)]
        for path in sorted((source / module).rglob("*")):
            if path.suffix in (".h", ".cc"):
                breaches += check_source(path, path.relative_to(root), module, table[module])
                used |= set(re.findall(r'#\s*include "unmask/([a-z0-9_]+)/', path.read_text("utf-8")))
        breaches += [f"docs/architecture.md: {module} may include {other}, but nothing there does"
                     for other in sorted(table[module].may_include - used)]
    return breaches


SAMPLE_TABLE = """
| Level | Module | May include | Pure | Heavy headers | Job |
|---|---|---|---|---|---|
| 0 | `base` | — | no | — | |
| 1 | `stats` | base | yes | boost/ok.hpp | |
| 2 | `cli` | base, stats | no | — | |
"""
CLEAN = {
    "base/a.h": '#include "unmask/base/b.h"\n#include <fstream>\n// exit( printf(\n',
    "stats/a.cc": '#include "unmask/base/a.h"\n#include <boost/math.hpp>\nint printf_of(int);\n',
    "stats/a.h": "#include <boost/ok.hpp>\nstruct S { int exit; void f() { loop.exit(); } };\n",
    "stats/a_test.cc": "#include <fstream>\n",
    "stats/test_files.h": "#include <zlib.h>\n",
    "stats/CMakeLists.txt": "unmask_module(stats DEPS base LIBS Boost::headers)\n",
    "cli/main.cc": '#include "unmask/base/a.h"\n#include "unmask/stats/a.h"\nvoid f() { std::cout << 1; exit(1); }\n',
}
# (changed table, changed files, what the complaint must say)
BROKEN = [
    (None, {"base/a.h": '#include "unmask/stats/a.h"\n'}, "base may not include stats"),
    (None, {"base/a_test.cc": '#include "unmask/stats/a.h"\n'}, "base may not include stats"),
    (None, {"base/a.h": "#include <nlohmann/json.hpp>\n"}, "belongs into a .cc"),
    (None, {"base/a.h": '#include "simdjson.h"\n'}, "belongs into a .cc"),
    (None, {"stats/contest.h": "#include <zlib.h>\n"}, "belongs into a .cc"),
    (None, {"stats/a.h": "#include <boost/other.hpp>\n"}, "belongs into a .cc"),
    (None, {"stats/a.cc": "#include <fstream>\n"}, "is pure"),
    (None, {"stats/a.cc": "#include <unistd.h>\n"}, "is pure"),
    (None, {"stats/a.cc": 'void f() { std::cerr << "x"; }\n'}, "for the command only"),
    (None, {"base/a.cc": 'const char* f() { return getenv("X"); }\n'}, "for the command only"),
    (None, {"stats/CMakeLists.txt": "unmask_module(stats DEPS cli)\n"}, "DEPS cli"),
    (None, {"other/a.h": "\n"}, "has no row"),
    (SAMPLE_TABLE + "| 3 | gone | — | no | — | |\n", {}, "no folder"),
    (None, {"cli/main.cc": '#include "unmask/stats/a.h"\n'}, "cli may include base, but"),
    (SAMPLE_TABLE.replace("| base | yes", "| base, cli | yes"), {}, "above it"),
    (SAMPLE_TABLE.replace("`base` | — |", "`base` | base2 |"), {}, "has no row"),
    (SAMPLE_TABLE.replace("| 0 | `base` | — ", "| 1 | `base` | stats "), {}, "a circle"),
]


def breaches_of(table, files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "docs").mkdir()
        (root / "docs/architecture.md").write_text(table)
        for name, text in files.items():
            path = root / "src/unmask" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check(root)


def self_test():
    wrong = [f"the clean sample: {breach}" for breach in breaches_of(SAMPLE_TABLE, CLEAN)]
    for table, files, expected in BROKEN:
        found = breaches_of(table or SAMPLE_TABLE, {**CLEAN, **files})
        if not any(expected in breach for breach in found):
            wrong.append(f"nothing said '{expected}' of {files or 'the table'}; found {found}")
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{len(BROKEN) + 1} samples, {len(wrong)} judged wrongly")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description="Checks the sources against docs/architecture.md.")
    parser.add_argument("--root", type=pathlib.Path,
                        default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    given = parser.parse_args()
    if given.self_test:
        return self_test()
    try:
        breaches = check(given.root)
    except (OSError, ValueError) as error:
        print(f"check_layers: {error}", file=sys.stderr)
        return 1
    for breach in breaches:
        print(breach, file=sys.stderr)
    print(f"layers: {len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
