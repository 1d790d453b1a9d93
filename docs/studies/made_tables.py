"""What scripts that make tables of a page share: their command line, and the blocks of the page."""
import argparse
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main(doc, make):
    """Prints, compares (`--check`) or writes (`--update`) the tables that `make(unmask, shared)` gives by
    the name of their block in the page, `<!-- NAME --> ... <!-- end NAME -->`. Returns the exit status."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unmask", required=True)
    parser.add_argument("--check", type=pathlib.Path)
    parser.add_argument("--update", type=pathlib.Path)
    options = parser.parse_args()
    shared = pathlib.Path(os.environ.get("UNMASK_SHARED", ROOT.parent / "shared"))
    if not (shared / "logs").is_dir() or not (shared / "tau2/data").is_dir():
        print(f"no logs and data in {shared}; set UNMASK_SHARED", file=sys.stderr)
        return 1 if os.environ.get("UNMASK_REQUIRE_REFERENCE") == "1" else 77
    tables = make(options.unmask, shared)
    page = options.check or options.update
    if page is None:
        print("\n\n".join(tables.values()))
        return 0
    text = new = page.read_text(encoding="utf-8")
    for name, made in tables.items():
        block = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        if not block.search(new):
            sys.exit(f"{page}: has no block <!-- {name} -->")
        new = block.sub(lambda match, made=made: match[1] + made + "\n" + match[2], new)
    if options.update:
        page.write_text(new, encoding="utf-8")
        return 0
    if new != text:
        print(f"{page}: the tables are not what the logs give:\n" + "\n\n".join(tables.values()), file=sys.stderr)
        return 1
    print(f"{page}: as the logs give it")
    return 0
