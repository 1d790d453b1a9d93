#!/usr/bin/env python3
"""Each schema in docs/schemas fits what the command writes, and refuses what it should.

  schema_test.py PATH_OF_UNMASK
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

UNMASK = ""
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADLINE = ROOT / "examples/headline"
ARMS = [f"{arm}={HEADLINE / arm}.json.gz" for arm in ("bf16", "fp8", "int4")]
FEW = ["--replicates", "200"]  # the shape of the output does not depend on them

# Commands whose standard output the schema describes.
COMMANDS = {
    "audit": [["audit", *ARMS, "--format", "json", *FEW],
              ["audit", ARMS[0], ARMS[2], "--null", f"again={HEADLINE}/fp8.json.gz", "--format", "json",
               *FEW]],
    "card": [["card", "write", ARMS[0], ARMS[2], *FEW]],
    "inspect": [["inspect", *[f"{HEADLINE}/{arm}.json.gz" for arm in ("bf16", "int4")],
                 "--format", "json"]],
    "replay": [["replay", f"{HEADLINE}/int4.json.gz", "--format", "json"]],
    "screen": [["screen", ARMS[0], ARMS[2], "--format", "json"]],
    "power": [["power", "--rate", "0.2", "--amplification", "2", "--studies", "20", "--format", "json"]],
}

# Commands that write lines, each of which the schema describes.
LINES = {
    "table": [["convert", f"{HEADLINE}/int4.json.gz", "--to", "table"],
              ["convert", f"{HEADLINE}/int4.json.gz", "--to", "table", "--texts"]],
}
# Schemas of what no command here writes without a model: src/unmask/report's tests check them.
IN_UNIT_TESTS = {"margins"}
# Lines that a user may write, and such as may not be written.
GOOD_LINES = {
    "table": ['{"schema": "unmask.table/1", "tools": {"agent": ["a", {"name": "b", "parameters": {}}]}}',
              '{"task": 7, "success": true, "calls": [], "own": 1}',
              '{"task_id": "a", "arm": "int4", "reward": null, "calls": [["user", "look", 1]]}',
              '{"task": "a", "calls": [{"name": "b", "error": null}, {"name": "c", "ok": false}]}'],
}
BAD_LINES = {
    "table": ['{}', '{"schema": "unmask.table/2"}', '{"calls": []}', '{"task": 1, "calls": {}}',
              '{"task": 1, "reward": 2, "calls": []}', '{"task": 1, "calls": [["robot", "a", 1]]}',
              '{"task": 1, "calls": [["agent", "a"]]}', '{"task": 1, "calls": [["agent", "a", 0, "name"]]}',
              '{"task": 1, "calls": [{"name": "a"}]}'],
}


def refuse_constant(name):
    raise AssertionError(f"{name} is no JSON number")


class Schemas(unittest.TestCase):
    def outputs(self, name):
        for arguments in COMMANDS[name]:
            with tempfile.TemporaryDirectory() as folder:
                done = subprocess.run([UNMASK, *arguments], capture_output=True, text=True, cwd=folder,
                                      timeout=600, check=False)
            self.assertEqual(done.returncode, 0, f"{arguments}\n{done.stderr}")
            yield json.loads(done.stdout, parse_constant=refuse_constant)

    def validator(self, name):
        schema = json.loads((ROOT / f"docs/schemas/{name}.json").read_text(encoding="utf-8"))
        validator = jsonschema.validators.validator_for(schema, default=None)
        self.assertIsNotNone(validator, f"{name}.json: $schema is missing or unknown")
        validator.check_schema(schema)
        return validator(schema), schema

    def test_every_schema_has_a_command(self):
        self.assertEqual({path.stem for path in (ROOT / "docs/schemas").glob("*.json")}, set(COMMANDS) | set(LINES) | IN_UNIT_TESTS)

    def test_lines_fit(self):
        for name, commands in LINES.items():
            validator, _ = self.validator(name)
            for arguments in commands:
                done = subprocess.run([UNMASK, *arguments], capture_output=True, text=True, timeout=600,
                                      check=True)
                lines = done.stdout.splitlines()
                self.assertGreater(len(lines), 100)
                for line in lines:
                    errors = [f"/{'/'.join(map(str, error.path))}: {error.message[:200]}"
                              for error in validator.iter_errors(json.loads(line, parse_constant=refuse_constant))]
                    self.assertEqual(errors, [])

    def test_lines_of_users(self):
        for name in LINES:
            validator, _ = self.validator(name)
            for line in GOOD_LINES[name]:
                with self.subTest(line):
                    self.assertTrue(validator.is_valid(json.loads(line)))
            for line in BAD_LINES[name]:
                with self.subTest(line):
                    self.assertFalse(validator.is_valid(json.loads(line)))

    def test_outputs_fit(self):
        for name in COMMANDS:
            validator, _ = self.validator(name)
            for document in self.outputs(name):
                with self.subTest(name):
                    errors = [f"/{'/'.join(map(str, error.path))}: {error.message[:200]}"
                              for error in validator.iter_errors(document)]
                    self.assertEqual(errors, [])

    def test_missing_and_foreign_are_refused(self):
        for name in COMMANDS:
            validator, schema = self.validator(name)
            document = next(self.outputs(name))
            self.assertIn("schema", schema["required"], name)
            for key in schema["required"]:
                with self.subTest(f"{name} without {key}"):
                    self.assertFalse(validator.is_valid(
                        {other: value for other, value in document.items() if other != key}))
            with self.subTest(f"{name} of another version"):
                other = copy.deepcopy(document)
                other["schema"] = "unmask.other/9"
                self.assertFalse(validator.is_valid(other))


if __name__ == "__main__":
    UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
