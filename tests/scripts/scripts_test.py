#!/usr/bin/env python3
"""Tests of the scripts that judge other things: each must pass good input and fail bad input."""

import json
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"

README = """# x
<!-- test -->
```sh
greet world > made.txt
cat made.txt
```
It prints
<!-- output -->
```text
hello world
```
<!-- test: exit 3 -->
```sh
exit 3
```
```sh
this is not run
```
"""

JUNIT = """<testsuite>
<testcase name="good" status="run"><system-out>reference a/b.json: 4 of 5 vectors
reference c.json: 7 of 7 vectors
</system-out></testcase>
<testcase name="bad" status="fail"><system-out>what it said</system-out></testcase>
<testcase name="absent" status="notrun"><skipped message="no data"/></testcase>
</testsuite>"""


class ScriptCase(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_script(self, name, *arguments, **environment):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("UNMASK_")}
        done = subprocess.run([sys.executable, SCRIPTS / name, *arguments], capture_output=True,
                              text=True, env={**kept, **environment}, check=False)
        return done.returncode, done.stdout, done.stderr


class CheckReadme(ScriptCase):
    def check(self, text):
        program = self.write("bin/greet", '#!/bin/sh\necho "hello $1"\n')
        program.chmod(0o755)
        root = self.folder / "root"
        root.mkdir(exist_ok=True)
        document = self.write("root/README.md", text)
        result = self.run_script("check_readme.py", document, "--bin", program.parent, "--root", root)
        self.assertFalse((root / "made.txt").exists(), "commands must run in a copy")
        return result

    def test_good(self):
        self.assertEqual(self.check(README), (0, "README.md: 2 blocks run, 1 outputs compared\n", ""))

    def test_bad(self):
        for text, complaint in [
            (README.replace("hello world", "hallo world"), "shows other output"),
            (README.replace("greet world", "great world"), "exit status 127, not 0"),
            (README.replace("exit 3 -->", "exit 4 -->"), "exit status 3, not 4"),
            (README.replace("<!-- test -->", "<!-- test -->\nwords"), "must follow the mark"),
            ("# nothing\n", "no block is marked"),
            ("<!-- output -->\n```text\nx\n```\n<!-- test -->\n```sh\ntrue\n```\n", "no test stands"),
            ("<!-- test -->\n```sh\ntrue\n", "has no end"),
        ]:
            with self.subTest(complaint):
                status, _, errors = self.check(text)
                self.assertEqual(status, 1)
                self.assertIn(complaint, errors)


class CheckSchema(ScriptCase):
    SCHEMA = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
              "required": ["k"], "properties": {"k": {"type": "integer", "minimum": 1}}}

    def check(self, schema, *texts):
        files = [self.write(f"{i}.json", text) for i, text in enumerate(texts)]
        return self.run_script("check_schema.py", self.write("schema", json.dumps(schema)), *files)

    def test_verdicts(self):
        for schema, text, expected, complaint in [
            (self.SCHEMA, '{"k": 1}', 0, ""),
            (self.SCHEMA, '{"k": 0}', 1, "/k: 0 is less than"),
            (self.SCHEMA, "{}", 1, "'k' is a required property"),
            (self.SCHEMA, '{"k": 1, "x": NaN}', 2, "NaN is no JSON number"),
            (self.SCHEMA, '{"k": ', 2, "check_schema:"),
            ({"type": "object"}, "{}", 2, "'$schema' is missing"),
            ({**self.SCHEMA, "type": "objekt"}, "{}", 2, "not a JSON Schema"),
        ]:
            with self.subTest(text=text, complaint=complaint):
                status, _, errors = self.check(schema, text)
                self.assertEqual(status, expected)
                self.assertIn(complaint, errors)

    def test_one_bad_file_of_two_fails(self):
        status, printed, _ = self.check(self.SCHEMA, '{"k": 1}', '{"k": "1"}')
        self.assertEqual(status, 1)
        self.assertIn("1 of 2 files fit", printed)

    def test_usage(self):
        self.assertEqual(self.run_script("check_schema.py")[0], 2)


class Help(ScriptCase):
    def test_every_script_says_what_it_does(self):
        scripts = [path for path in sorted(SCRIPTS.iterdir()) if path.is_file() and os.access(path, os.X_OK)]
        self.assertGreater(len(scripts), 10)
        for script in scripts:
            for flag in ("--help", "-h"):
                with self.subTest(f"{script.name} {flag}"):
                    done = subprocess.run([script, flag], capture_output=True, text=True, timeout=60,
                                          stdin=subprocess.DEVNULL, cwd=self.folder, check=False)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertGreater(len(done.stdout), 40)
                    self.assertNotIn("#!", done.stdout)
                    self.assertNotIn("set -", done.stdout)

    def test_usage_of_scripts_test(self):
        done = subprocess.run([SCRIPTS / "test", "--help"], capture_output=True, text=True, check=False)
        self.assertIn("scripts/test --stage NAME", done.stdout)
        self.assertIn("UNMASK_SHARED", done.stdout)


class Progress(ScriptCase):
    BUILD = ('. "$0"; progress_seconds=$1; with_progress "$2" bash -c '
             '\'for i in 1 2 3; do echo "[$i/3] Building"; sleep 1.2; done; exit $0\' "$3"')

    def build(self, seconds, status, out):
        return subprocess.run(["bash", "-c", self.BUILD, SCRIPTS / "lib.sh", str(seconds),
                               self.folder / "log", str(status)],
                              stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)

    def test_a_line_now_and_then_where_nobody_watches(self):
        done = self.build(1, 0, subprocess.PIPE)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"  [2/3]\n", done.stdout)
        self.assertNotIn(b"\r", done.stdout)
        self.assertEqual(self.build(60, 0, subprocess.PIPE).stdout, b"")

    def test_the_counter_on_a_terminal(self):
        ours, theirs = pty.openpty()
        done = self.build(60, 0, theirs)
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"\r\033[K  [2/3]", shown)
        self.assertTrue(shown.endswith(b"\r\033[K"), shown)

    def test_a_failure_is_shown_as_ever(self):
        done = self.build(60, 3, subprocess.PIPE)
        self.assertEqual(done.returncode, 3)
        self.assertIn(b"failed with status 3", done.stdout)


class CheckDocs(ScriptCase):
    def test_verdicts(self):
        self.write("docs/a.md", "# The `x` of it\n[b](b.md#two-words) [up](../c.md) `docs/b.md`\n")
        self.write("docs/b.md", "## Two words\n[a](a.md#the-x-of-it) [w](https://x.y) `docs/<name>.md`\n")
        self.write("c.md", "```\n[gone](gone.md)\n```\n")
        self.assertEqual(self.run_script("check_docs.py", "--root", self.folder)[0], 0)
        for text, complaint in [
            ("[x](gone.md)", "gone.md does not exist"),
            ("[x](docs/a.md#other)", "no heading #other"),
            ("`docs/gone.md`", "docs/gone.md does not exist"),
            ("\n[x]: gone.md", "c.md:2: gone.md does not exist"),
        ]:
            with self.subTest(text):
                self.write("c.md", text)
                status, _, errors = self.run_script("check_docs.py", "--root", self.folder)
                self.assertEqual(status, 1)
                self.assertIn(complaint, errors)


class TestSummary(ScriptCase):
    def summary(self, **environment):
        status, printed, _ = self.run_script("test_summary.py", self.folder, **environment)
        return status, printed.splitlines()

    def test_nothing_ran(self):
        status, lines = self.summary()
        self.assertEqual((status, lines[-1]), (1, "0 passed, 0 failed"))

    def test_only_skipped_is_nothing(self):
        self.write("checks.tsv", "fuzz\tskipped\tfuzz\tno target\n")
        status, lines = self.summary()
        self.assertEqual((status, lines[-1]), (1, "0 passed, 0 failed"))
        self.assertIn("skipped in fuzz: fuzz (no target)", lines)

    def test_sums_and_failures(self):
        self.write("release.xml", JUNIT)
        self.write("checks.tsv", "format\tpassed\tclang-format\t\n")
        self.write("seconds.tsv", "release\t90\nformat\t1\n")
        status, lines = self.summary()
        self.assertEqual((status, lines[-1]), (1, "2 passed, 1 failed"))
        self.assertIn("FAILED release: bad", lines)
        self.assertIn("  what it said", lines)
        self.assertIn("skipped in release: absent (no data)", lines)

    def test_reference_vectors(self):
        self.write("release.xml", JUNIT.replace('status="fail"', 'status="run"'))
        status, lines = self.summary()
        self.assertEqual((status, lines[-1]), (0, "2 passed, 0 failed"))
        self.assertIn("        11 of       12  all", lines)
        status, lines = self.summary(UNMASK_REQUIRE_REFERENCE="1")
        self.assertEqual((status, lines[-1]), (1, "2 passed, 1 failed"))

    def test_other_builds_do_not_count_vectors_again(self):
        good = JUNIT.replace('status="fail"', 'status="run"')
        self.write("release.xml", good.replace("4 of 5", "5 of 5"))
        self.write("asan.xml", good)
        status, lines = self.summary(UNMASK_REQUIRE_REFERENCE="1")
        self.assertEqual((status, lines[-1]), (0, "4 passed, 0 failed"))


if __name__ == "__main__":
    unittest.main()
