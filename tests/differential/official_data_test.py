#!/usr/bin/env python3
"""scripts/get-tau2-data from end to end, with the package of the registry: what it installs, a second run,
and, where reference data lies beside the repository, the tools' descriptions and what docs/worlds.md says
about other versions. Status 77 (skipped) if pip finds no package because there is no network.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("UNMASK_SHARED") or ROOT.parent / "shared")
WORLDS_PAGE = ROOT / "docs" / "worlds.md"

# What the package's worlds lack, by comparison with the commit that the reference data come from.
NEWER_TOOLS = {("retail", "agent"): ["get_item_details"],
               ("mock", "user"): ["check_notifications", "dismiss_notification"]}


def get_data(**places):
    return subprocess.run([ROOT / "scripts" / "get-tau2-data", *places.get("to", [])], capture_output=True,
                          text=True, env={**os.environ, **places.get("environment", {})}, check=False)


def texts(schema):
    """A schema of OpenAI's form, as tool_descriptions.json has it."""
    function = schema["function"]
    parameters = function["parameters"]
    described = {"description": function["description"],
                 "parameters": {name: entry.get("description", "")
                                for name, entry in parameters["properties"].items()}}
    definitions = {}
    for name, model in parameters.get("$defs", {}).items():
        fields = {field: entry["description"] for field, entry in model.get("properties", {}).items()
                  if "description" in entry}
        if "description" in model or fields:
            definitions[name] = {"description": model.get("description", ""), "fields": fields}
    return {**described, **({"definitions": definitions} if definitions else {})}


class OfficialData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.descriptions = json.loads((FOLDER / "tool_descriptions.json").read_text(encoding="utf-8"))

    def test_layout(self):
        for place in ("LICENSE", "data/tau2/domains/retail/db.json", "data/tau2/domains/telecom/tasks.json",
                      "data/tau2/domains/mock/policy.md", "data/tau2/user_simulator/simulation_guidelines.md"):
            self.assertTrue((FOLDER / place).is_file(), place)

    def test_again_in_the_default_place(self):
        done = get_data(environment={"XDG_DATA_HOME": str(FOLDER.parent.parent), "PIP_NO_INDEX": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("files are there", done.stdout)

    def same_tools(self, world, party, schemas):
        expected = {schema["function"]["name"]: texts(schema) for schema in schemas}
        for name in NEWER_TOOLS.get((world, party), []):
            del expected[name]
        found = self.descriptions[world].get(party, {})
        self.assertEqual(found, expected)
        self.assertEqual(list(found), list(expected), "the order")

    def test_descriptions_of_telecom(self):
        path = SHARED / "tau2" / "telecom" / "tool_schemas.json"
        if not path.is_file():
            self.skipTest(f"{path} is not there")
        schemas = json.loads(path.read_text(encoding="utf-8"))
        for party in ("agent", "user"):
            self.same_tools("telecom", party, schemas[party])

    def test_descriptions_in_recorded_requests(self):
        path = SHARED / "tau2" / "orchestrator" / "llm_requests.jsonl.gz"
        if not path.is_file():
            self.skipTest(f"{path} is not there")
        compared = set()
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for request in map(json.loads, lines):
                # A solo agent has the tools of both parties and one of its own.
                if "solo" not in request["name"]:
                    for party, schemas in request["tools"].items():
                        self.same_tools(request["domain"], party, schemas or [])
                        compared.add((request["domain"], party))
        self.assertTrue({("retail", "agent"), ("mock", "agent")} <= compared, compared)

    def test_page_shows_the_comparison(self):
        if not (SHARED / "tau2" / "data").is_dir():
            self.skipTest(f"{SHARED / 'tau2' / 'data'} is not there")
        done = subprocess.run([sys.executable, "-B", ROOT / "scripts" / "tau2_data.py", "compare", FOLDER,
                               SHARED / "tau2" / "data"], capture_output=True, text=True, check=True)
        page = WORLDS_PAGE.read_text(encoding="utf-8")
        for table in done.stdout.split("\n\n"):
            self.assertIn(table.strip(), page)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        FOLDER = pathlib.Path(scratch) / "unmask" / "tau2"
        first = get_data(to=["--to", str(FOLDER)])
        if first.returncode and "pip could not download" in first.stderr:
            print(first.stderr)
            sys.exit(77)
        if first.returncode:
            sys.exit(first.stderr)
        unittest.main()
