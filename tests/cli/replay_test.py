#!/usr/bin/env python3
"""unmask replay, on logs made here of what the worlds of this project answer.

  replay_test.py PATH_OF_UNMASK
"""

import copy
import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)
import tau2_log  # noqa: E402

READ = "list_all_product_types"


class Replay(command_test.CommandTest):
    def setUp(self):
        super().setUp()
        self.answer = self.run_command("worlds", "call", "retail", READ).stdout.rstrip("\n")
        json.loads(self.answer)

    def log(self, contents, domain="retail"):
        """Episodes of one read each, with these results; the task wants nothing done."""
        document = tau2_log.log(tasks=1, trials=len(contents), domain=domain)
        document["tasks"][0]["evaluation_criteria"] = {
            "actions": [], "communicate_info": ["hello"], "reward_basis": ["DB", "COMMUNICATE"]}
        for simulation, content in zip(document["simulations"], contents):
            simulation["messages"] = [
                {"role": "assistant", "content": "Hello!", "tool_calls": [
                    {"id": "c", "name": READ, "arguments": {}, "requestor": "assistant"}]},
                {"role": "tool", "id": "c", "content": content, "error": False, "requestor": "assistant"}]
            simulation["reward_info"] = {
                "reward": 1.0, "db_check": {"db_match": True, "db_reward": 1.0}, "action_checks": [],
                "communicate_checks": [{"info": "hello", "met": True, "justification": ""}],
                "reward_basis": ["DB", "COMMUNICATE"]}
        return document

    def replayed(self, *arguments, **options):
        done = self.run_command("replay", "--format", "json", *arguments, **options)
        return json.loads(done.stdout)["logs"]

    def test_an_honest_log_is_equal(self):
        [log] = self.replayed(self.write("log.json", self.log([self.answer, self.answer])))
        self.assertEqual(log["domain"], "retail")
        self.assertEqual(log["episodes"], {"recorded": 2, "replayed": 2, "equal": 2, "judged_as_other_task": 0, "not_replayed": {}})
        self.assertEqual((log["calls"]["compared"], log["calls"]["differ"]), (2, 0))
        self.assertEqual(log["data_version"]["verdict"], "same")
        self.assertEqual((log["rewards"]["compared"], log["rewards"]["equal"]), (2, 2))
        self.assertEqual(log["rewards"]["parts"]["communicate"], {"compared": 2, "equal": 2, "other_number": 0})

    def test_an_edited_result_is_shown(self):
        path = self.write("log.json", self.log([self.answer, '{"Made up": "1"}', self.answer]))
        [log] = self.replayed(path)
        self.assertEqual(log["data_version"]["verdict"], "uncertain")
        [difference] = log["differences"]
        self.assertEqual(difference["first_episode"], {"id": "sim-0-1", "task": "task_0", "trial": 1})
        self.assertEqual((difference["cause"], difference["place"]), ("other_data", "Made up"))
        text = self.run_command("replay", path).stdout
        for words in ('recorded  "1"', "replayed  (absent)", "task task_0, trial 1", "1 of 3"):
            self.assertIn(words, text)

    def test_other_data_are_summed_up(self):
        path = self.write("log.json", self.log(['{"Made up": "1"}'] * 30))
        text = self.run_command("replay", path).stdout
        self.assertIn("made with other data: 30 of 30", " ".join(text.split()))
        self.assertLess(text.count("\n"), 30)

    def test_many_kinds_are_cut_short_unless_asked_for(self):
        document = self.log([json.dumps({f"Made up {i}": "1"}) for i in range(14)])
        for simulation in document["simulations"]:
            simulation["reward_info"]["reward"] = 0.0
        path = self.write("log.json", document)
        text = self.run_command("replay", path).stdout
        self.assertEqual(text.count("recorded  "), 12)
        self.assertEqual(text.count("recorded 0, replayed 1"), 8)
        self.assertIn("2 more kinds with --verbose", text)
        self.assertIn("6 more with --verbose", text)
        text = self.run_command("replay", "--verbose", path).stdout
        self.assertEqual((text.count("recorded  "), text.count("recorded 0, replayed 1")), (14, 14))
        self.assertNotIn("--verbose", text)

    def test_an_edited_reward_is_shown(self):
        document = self.log([self.answer])
        document["simulations"][0]["reward_info"]["reward"] = 0.0
        document["simulations"][0]["reward_info"]["db_check"]["db_match"] = False
        path = self.write("log.json", document)
        [log] = self.replayed(path)
        [difference] = log["rewards"]["differences"]
        self.assertEqual((difference["recorded"], difference["replayed"]), (0, 1))
        self.assertEqual(difference["checks"],
                         [{"part": "db", "what": None, "recorded": False, "replayed": True}])
        self.assertIn("recorded 0, replayed 1", self.run_command("replay", path).stdout)

    def test_of_a_trial_that_stands_twice_the_last_counts(self):
        document = self.log(["{}", self.answer])
        for simulation in document["simulations"]:
            simulation["trial"] = 0
        [log] = self.replayed(self.write("log.json", document))
        self.assertEqual((log["episodes"]["recorded"], log["calls"]["differ"]), (1, 0))

    def test_a_task_that_nobody_has(self):
        document = self.log([self.answer])
        document["tasks"] = []
        [log] = self.replayed(self.write("log.json", document))
        self.assertEqual((log["episodes"]["replayed"], log["calls"]["differ"]), (1, 0))
        self.assertEqual(log["rewards"]["not_evaluated"], {"its task is neither in the log nor in the data": 1})

    def test_a_task_that_can_not_be_read_is_said(self):
        document = self.log([self.answer])
        document["tasks"][0]["evaluation_criteria"]["actions"] = 5
        path = self.write("log.json", document)
        done = self.run_command("replay", path)
        self.assertIn("evaluation_criteria.actions", done.stderr)
        self.run_command("replay", "--strict", path, expect=3)

    def test_worlds_that_there_are_not(self):
        done = self.run_command("replay", self.write("a.json", self.log([self.answer], domain="airline")), expect=3)
        self.assertIn("airline", done.stderr)
        self.assertIn("retail", done.stderr)
        path = self.write("b.json", self.log([self.answer], domain=""))
        self.assertIn("--domain", self.run_command("replay", path, expect=3).stderr)
        [log] = self.replayed(path, "--domain", "retail")
        self.assertEqual(log["calls"]["differ"], 0)
        mock = self.run_command("replay", self.write("c.json", self.log([self.answer], domain="mock")), expect=2)
        self.assertIn("--tau2-data", mock.stderr)

    def test_several_logs_and_one_that_is_none(self):
        good = self.write("good.json", self.log([self.answer]))
        bad = self.write("bad.json", "no log")
        out = self.folder / "out.json"
        self.run_command("replay", good, bad, good, "--format", "json", "-o", out, expect=3)
        self.assertEqual([log["file"] for log in json.loads(out.read_text())["logs"]], [str(good), str(good)])
        self.run_command("replay", good, "-o", "/nowhere/out.txt", expect=5)

    def test_a_folder_is_searched_and_what_is_no_log_passed_over(self):
        (self.folder / "logs").mkdir()
        self.write("logs/run.json", self.log([self.answer]))
        self.write("logs/settings.json", {"temperature": 0})
        [log] = self.replayed("--color", "never", self.folder / "logs")
        self.assertEqual(log["episodes"]["equal"], 1)

    def test_nothing_in_a_log_steers_the_terminal(self):
        document = self.log(['{"\x1b[31m": "\x1b[2J"}'])
        copy_of = copy.deepcopy(document)
        copy_of["simulations"][0]["messages"][0]["tool_calls"][0]["name"] = "\x1b[31mred"
        for name, each in (("a.json", document), ("b.json", copy_of)):
            self.assertNotIn("\x1b", self.run_command("replay", self.write(name, each)).stdout)


if __name__ == "__main__":
    command_test.UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
