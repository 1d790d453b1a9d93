#!/usr/bin/env python3
"""unmask replay, on logs made here of what the worlds of this project answer.

  replay_test.py PATH_OF_UNMASK
"""

import copy
import json
import pathlib
import re
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

    def test_a_log_of_another_world_is_told(self):
        log = self.write("log.json", self.log([self.answer]))
        done = self.run_command("replay", log, "--domain", "telecom", expect=3)
        self.assertIn("is no log of the world telecom", done.stderr)
        self.assertIn("--domain (retail, telecom", done.stderr)

    def audit_log(self, order, address=None):
        """One episode that asks for an order that nobody has, and may move a user elsewhere."""
        document = self.log([self.answer])
        [simulation] = document["simulations"]
        user = self.some_user()
        calls = [("get_order_details", {"order_id": order}, "Error: Order not found", True)]
        if address:
            arguments = {"user_id": user, "address1": address, "address2": "", "city": "Elsewhere",
                         "state": "ZZ", "country": "USA", "zip": "00000"}
            calls.append(("modify_user_address", arguments, "{}", False))
        for number, (name, arguments, content, error) in enumerate(calls):
            simulation["messages"] += [
                {"role": "assistant", "content": None, "tool_calls": [
                    {"id": f"d{number}", "name": name, "arguments": arguments, "requestor": "assistant"}]},
                {"role": "tool", "id": f"d{number}", "content": content, "error": error, "requestor": "assistant"}]
        return document

    def some_user(self):
        [task] = [name for name in self.run_command("worlds", "tasks", "retail").stdout.splitlines()
                  if name.endswith("-modify_user_address")][:1]
        text = self.run_command("worlds", "tasks", "retail", "--task-ids", task).stdout
        return re.search(r'"user_id": ?"([^"]+)"', text)[1]

    def test_an_audit_takes_it_as_evidence(self):
        clean = self.write("a.json", self.audit_log("#none"))
        stray = self.write("b.json", self.audit_log("#none", "1 Far Street"))
        done = self.run_command("audit", "--replay", "--format", "json", "-q", f"ref={clean}", f"arm={stray}")
        [cell] = json.loads(done.stdout)["cells"]
        for arm in cell["arms"]:
            self.assertEqual(arm["evidence"], {
                "stated": 0, "structure": 0, "reexecution": 1, "error_text": 0, "none": 0,
                "executed_again": True, "answered_otherwise": 0})
        ref, arm = (arm["consequence"] for arm in cell["arms"])
        self.assertEqual((ref["episodes_with"], ref["score_consequence"]["value"]), (0, 1))
        self.assertEqual((arm["episodes_with"], arm["solved_with"], arm["score"]["value"],
                          arm["score_consequence"]["value"]), (1, 1, 1, 0))
        # Of the episode's three calls the last; its message comes after two calls and two results.
        self.assertEqual((arm["first_call"]["value"], arm["first_message"]["value"]), (3, 4))
        [comparison] = cell["comparisons"]
        self.assertEqual(comparison["consequence"]["gap"]["points"], 0)
        self.assertEqual(comparison["consequence"]["gap_consequence"]["points"], 100)
        text = self.run_command("audit", "--replay", "-q", f"ref={clean}", f"arm={stray}").stdout
        self.assertIn("1 by executing them again", text)
        plain = self.run_command("audit", "--format", "json", "-q", f"ref={clean}", f"arm={stray}").stdout
        self.assertEqual(json.loads(plain)["cells"][0]["arms"][1]["consequence"]["reason"],
                         "the calls were not executed again; --replay does that")

    def test_diagnose_takes_it_as_evidence(self):
        path = self.write("a.json", self.audit_log("#none"))
        for options, evidence in (([], "error_text"), (["--replay"], "reexecution")):
            [call] = self.run_command("diagnose", "--format", "jsonl", *options, path).stdout.splitlines()
            self.assertEqual(json.loads(call)["evidence"], evidence)
            self.assertEqual((json.loads(call)["channel"], json.loads(call)["kind"]), ("entity", "order"))

    def test_a_log_without_a_world_is_told(self):
        path = self.write("a.json", self.log([self.answer], domain="harbour"))
        done = self.run_command("diagnose", "--replay", path)
        self.assertIn("there is no world `harbour`", done.stderr)

    def test_an_edited_refusal_is_no_evidence(self):
        document = self.audit_log("#none")
        document["simulations"][0]["messages"][-1]["content"] = "Error: Order not found here"
        path = self.write("a.json", document)
        done = self.run_command("audit", "--replay", "--format", "json", "-q", path)
        evidence = json.loads(done.stdout)["cells"][0]["arms"][0]["evidence"]
        self.assertEqual((evidence["reexecution"], evidence["answered_otherwise"]), (0, 1))

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
        copy_of = copy.deepcopy(self.log([self.answer] * 2))
        copy_of["simulations"][0]["messages"][0]["tool_calls"][0]["name"] = "\x1b[31mred"
        for name, each in (("a.json", document), ("b.json", copy_of)):
            self.assertNotIn("\x1b", self.run_command("replay", self.write(name, each)).stdout)


if __name__ == "__main__":
    command_test.UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
