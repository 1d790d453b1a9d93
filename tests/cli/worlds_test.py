#!/usr/bin/env python3
"""unmask worlds as a person would run it: what the worlds answer, and what the command says to mistakes.

  worlds_test.py PATH_OF_UNMASK
"""

import gzip
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)


class Worlds(command_test.CommandTest):
    def run_worlds(self, *arguments, code=0):
        return self.run_command("worlds", *arguments, expect=code)

    def told(self, *arguments, code, says):
        self.assertIn(says, self.run_worlds(*arguments, code=code).stderr)

    def test_list(self):
        rows = [line.split() for line in self.run_worlds("list").stdout.splitlines()]
        self.assertEqual([row[:4] for row in rows[1:]],
                         [["retail", "16", "-", "114"], ["telecom", "13", "30", "114"],
                          ["telecom-workflow", "13", "30", "114"]])
        self.told("list", "--tau2-data", "/nowhere", code=3, says="/nowhere: there is no such folder")

    def test_tools_are_described(self):
        for world, parties in (("retail", [()]), ("telecom", [(), ("--user",)])):
            for party in parties:
                tools = json.loads(self.run_worlds("tools", world, "--format", "json", *party).stdout)
                for tool in tools:
                    function = tool["function"]
                    self.assertTrue(function["description"], function)
                    for name, schema in function["parameters"]["properties"].items():
                        self.assertTrue(schema.get("description"), f"{function['name']}: {name}")
        self.assertIn("get_order_details(order_id)", self.run_worlds("tools", "retail").stdout)
        self.told("tools", "retail", "--user", code=2, says="the user of the world retail has no tools")
        self.told("tools", "mock", code=2, says="--tau2-data")
        self.told("tools", "retial", code=2, says="there are retail, telecom")

    def test_tasks(self):
        ids = self.run_worlds("tasks", "telecom").stdout.split()
        self.assertEqual(len(ids), 114)
        train, test = (self.run_worlds("tasks", "telecom", "--split", split).stdout.split()
                       for split in ("train", "test"))
        self.assertEqual(sorted(train + test), sorted(ids))
        shown = self.run_worlds("tasks", "telecom", "--task-ids", ids[0]).stdout
        for heading in ("reason_for_call", "before the episode", "golden actions", "reward basis"):
            self.assertIn(heading, shown)
        self.told("tasks", "telecom", "--task-ids", "x", code=2, says="no task `x`")
        self.told("tasks", "telecom", "--split", "x", code=2, says="no split `x`")

    def test_calls_follow_one_another(self):
        said = self.run_worlds("call", "telecom", "user:toggle_airplane_mode", "user:check_status_bar",
                               "user:toggle_airplane_mode").stdout.splitlines()
        self.assertEqual(said[0], "Airplane Mode is now ON.")
        self.assertIn("Airplane Mode", said[2])
        self.assertEqual(said[3], "Airplane Mode is now OFF.")
        self.assertEqual(self.run_worlds("call", "retail", "calculate", '{"expression": "2 * (3 + 4) / 5"}').stdout,
                         "2.8\n")
        self.assertEqual(self.run_worlds("call", "retail", "get_order_details").stdout,
                         "Error: RetailTools.get_order_details() missing 1 required positional argument: "
                         "'order_id'\n")
        self.told("call", "retail", "calculate", "{bad", code=2, says="are no JSON")
        self.told("call", "retail", '{"a": 1}', code=2, says="a tool's name goes before")
        self.told("call", "retail", "--solo", "calculate", code=2, says="does not support solo mode")

    def vector(self, answer="2.33"):
        return {"id": "v1", "domain": "retail",
                "calls": [{"name": "calculate", "arguments": {"expression": "7 / 3"}, "requestor": "assistant"},
                          {"name": "nothing", "arguments": {}, "requestor": "assistant"}],
                "results": [{"content": answer, "error": False},
                            {"content": "Error: Tool 'nothing' not found.", "error": True}]}

    def test_check(self):
        good = self.folder / "good.jsonl.gz"
        good.write_bytes(gzip.compress((json.dumps(self.vector()) + "\n\n").encode()))
        self.assertIn("1 of 1 vectors equal, 2 calls", self.run_worlds("check", good).stdout)
        wrong = self.folder / "wrong.jsonl"
        wrong.write_text(json.dumps(self.vector()) + "\n" + json.dumps(self.vector("2.34")) + "\n")
        done = self.run_worlds("check", wrong, code=3)
        self.assertIn("1 of 2 vectors equal, 4 calls", done.stdout)
        for words in ("line 2, v1, calls[0] calculate: content", "expected  2.34", "found     2.33"):
            self.assertIn(words, done.stderr)
        wrong.write_text(json.dumps(self.vector("one line\nand\x1b another")) + "\n")
        self.assertIn("\n  expected  one line\n            and\\x1b another\n  found     2.33",
                      self.run_worlds("check", wrong, code=3).stderr)

    def test_check_of_runs(self):
        expected = {"raises": None, "termination_reason": "user_stop", "num_errors": 1, "step_count": 5,
                    "messages": [{"role": "assistant", "content": "Hi! How can I help you today?", "tool_calls": None},
                                 {"role": "user", "content": "hello", "tool_calls": None},
                                 {"role": "assistant", "content": None, "tool_calls": [
                                     {"id": "1", "name": "nothing", "arguments": {}, "requestor": "assistant"}]},
                                 {"role": "tool", "id": "1", "content": "Error: Tool 'nothing' not found.",
                                  "requestor": "assistant", "error": True},
                                 {"role": "assistant", "content": "sorry", "tool_calls": None},
                                 {"role": "user", "content": "bye ###STOP###", "tool_calls": None}],
                    "reward": 1.0, "agent_consumed": 2, "user_consumed": 2}
        run = {"id": "r1", "domain": "retail", "task": {"id": "t", "user_scenario": {"instructions": "Say hello."}},
               "solo_mode": False, "max_steps": 20, "max_errors": 2, "validate_communication": False,
               "agent_script": [{"content": None, "tool_calls": [{"id": "1", "name": "nothing", "arguments": {}}]},
                                {"content": "sorry"}],
               "user_script": [{"content": "hello"}, {"content": "bye ###STOP###"}], "expected": expected}
        budgets = {"sim": "r1", "K": 2, "success_at": {"1": False, "2": True}, "vector": run,
                   "termination_at": {"1": "too_many_errors", "2": "user_stop"}, "num_errors_at": {"1": 1, "2": 1},
                   "num_messages_at": {"1": 4, "2": 6}, "evaluation_raises_at": {"1": None, "2": None}}
        path = self.folder / "runs.jsonl"
        path.write_text(json.dumps(run) + "\n" + json.dumps(budgets) + "\n")
        self.assertIn("2 of 2 vectors equal, 4 calls", self.run_worlds("check", path).stdout)
        expected["num_errors"] = 0
        budgets["termination_at"]["1"] = "user_stop"
        path.write_text(json.dumps(run) + "\n" + json.dumps(budgets) + "\n")
        done = self.run_worlds("check", path, code=3)
        self.assertIn("0 of 2 vectors equal", done.stdout)
        for words in ("line 1, r1, num_errors", "line 2, r1, num_errors", "and 1 more in this vector"):
            self.assertIn(words, done.stderr)
        del run["max_steps"]
        path.write_text(json.dumps(run))
        self.told("check", path, code=3, says="max_steps")

    def test_what_is_no_vector(self):
        for text, says in (("{}", "line 1: this is no vector"), ("[1", "line 1"), ("", "there is no vector"),
                           (json.dumps({**self.vector(), "domain": None}), "name it with --domain"),
                           (json.dumps({**self.vector(), "task_id": "x"}), "has no task of this id"),
                           (json.dumps({**self.vector(), "results": []}), "as many results as calls")):
            path = self.folder / "odd.jsonl"
            path.write_text(text)
            with self.subTest(text[:40]):
                self.assertIn(says, self.run_worlds("check", path, code=2 if "--domain" in says else 3).stderr)
        self.told("check", "/nowhere.jsonl", code=3, says="no such file")

    def test_a_written_world_is_read_again(self):
        self.run_worlds("generate", "--domain", "retail", "--tasks", "5", "--seed", "3", "-o", self.folder, "-q")
        ids = self.run_worlds("tasks", "retail", "--tau2-data", self.folder).stdout.split()
        self.assertEqual(len(ids), 5)
        self.assertIn("Finds a customer", self.run_worlds("tools", "retail", "--tau2-data", self.folder).stdout)
        listed = self.run_worlds("list", "--tau2-data", self.folder)
        self.assertEqual([line.split()[0] for line in listed.stdout.splitlines()], ["WORLD", "retail"])
        self.assertIn(f"{self.folder}: no data of mock, telecom, telecom-workflow here", listed.stderr)
        (self.folder / "empty").mkdir()
        self.told("list", "--tau2-data", self.folder / "empty", code=3, says="no data of the domain retail")


if __name__ == "__main__":
    command_test.UNMASK = sys.argv.pop(1)
    unittest.main()
