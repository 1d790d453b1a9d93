#!/usr/bin/env python3
"""Builds the program beside this file against the installed package, or as a parent of the sources.

  package_test.py consumer|subproject SOURCES BUILD WORK [CMAKE OPTION...]

SOURCES: the repository. BUILD: a finished build folder of it. WORK: a folder for what this makes; what
stands in it from before is removed first, but for compiled objects of a subproject.
"""

import os
import pathlib
import shutil
import subprocess
import sys


def run(*arguments, **options):
    print("$", *arguments, flush=True)
    return subprocess.run([str(a) for a in arguments], check=True, text=True, **options)


def expect(condition, what):
    if not condition:
        sys.exit(f"not so: {what}")


def try_consumer(build, sources):
    logs = [sources / f"examples/headline/{arm}.json.gz" for arm in ("bf16", "int4")]
    done = run(build / "consumer", *logs, stdout=subprocess.PIPE)
    expect(done.stdout == "masked_damage\n", f"the verdict is masked_damage: {done.stdout}")
    done = run(build / "one_module", stdout=subprocess.PIPE)
    expect(done.stdout == "0 cells\n", f"one module works alone: {done.stdout}")


def try_installed_command(prefix, sources):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("UNMASK_")}
    done = run(prefix / "bin/unmask", "inspect", sources / "examples/headline/int4.json.gz", "--format", "json",
               stdout=subprocess.PIPE, env=environment)
    expect('"unmask.inspect/1"' in done.stdout, "the installed command runs")
    for path in ("share/man/man1/unmask.1", "share/bash-completion/completions/unmask",
                 "share/zsh/site-functions/_unmask", "share/fish/vendor_completions.d/unmask.fish",
                 "share/unmask/schemas/audit.json", "share/doc/unmask/LICENSE"):
        expect((prefix / path).stat().st_size > 500, f"{path} is installed")
    headers = list((prefix / "include").rglob("*.h"))
    expect(len(headers) > 50, "headers are installed")
    for text in (prefix / "include", next(prefix.rglob("unmaskConfig.cmake")).parent):
        for path in text.rglob("*"):
            if path.is_file():
                expect(str(sources) not in path.read_text(encoding="utf-8"),
                       f"{path} does not point into the sources")


def main():
    how, sources, build, work = sys.argv[1], *(pathlib.Path(a).resolve() for a in sys.argv[2:5])
    consumer = pathlib.Path(__file__).resolve().parent
    configure = ["cmake", "-G", "Ninja", "-S", consumer, "-B", work / "build", "-DCMAKE_BUILD_TYPE=Release"]
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        os.environ.update(CCACHE_BASEDIR=str(sources), CCACHE_NOHASHDIR="1", CCACHE_SLOPPINESS="time_macros")
    if how == "consumer":
        shutil.rmtree(work, ignore_errors=True)
        prefix = work / "prefix"
        run("cmake", "--install", build, "--prefix", prefix, stdout=subprocess.DEVNULL)
        try_installed_command(prefix, sources)
        run(*configure, f"-DCMAKE_PREFIX_PATH={prefix}")
    else:
        run(*configure, f"-DUNMASK_SOURCE={sources}", *sys.argv[5:])
        listed = run("cmake", "--build", work / "build", "--target", "help", stdout=subprocess.PIPE).stdout
        expect("unmask_command" not in listed, "the command is not built for a parent")
        expect("report_test" not in listed, "tests are not built for a parent")
    run("cmake", "--build", work / "build", "--target", "consumer", "one_module")
    try_consumer(work / "build", sources)
    if how != "consumer":
        done = subprocess.run(["cmake", "--install", work / "build", "--prefix", work / "prefix"], text=True,
                              capture_output=True, check=False)
        expect(not (work / "prefix").exists() or not list((work / "prefix").rglob("*.h")),
               f"a parent installs nothing of unmask: {done.stdout}")


if __name__ == "__main__":
    main()
