#!/usr/bin/env python3
"""Runs the command as a person would, above all on input that is bad.

  command_test.py PATH_OF_UNMASK
"""

import csv
import io
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tau2_log  # noqa: E402  (it stands beside this file)

UNMASK = ""
HEADLINE = pathlib.Path(__file__).resolve().parent.parent.parent / "examples/headline"


class CommandTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.good = tau2_log.write(self.folder / "bf16.json", tau2_log.log("made-up-bf16"))
        self.other = tau2_log.write(self.folder / "int4.json",
                                    tau2_log.log("made-up-int4", errors=lambda t, r: t % 3))

    def run_command(self, *arguments, expect=0, environment=None, patience=120, **options):
        outside = {name: value for name, value in os.environ.items() if not name.startswith("UNMASK_")}
        environment = {**outside, "COLUMNS": "100", "LC_ALL": "C.UTF-8", **(environment or {})}
        done = subprocess.run([UNMASK, *map(str, arguments)], capture_output=True, text=True, timeout=patience,
                              env=environment, **options)
        self.assertEqual(done.returncode, expect, f"{arguments}\n{done.stdout}\n{done.stderr}")
        return done

    def write(self, name, document):
        return tau2_log.write(self.folder / name, document)

    def audit_json(self, *arguments, **options):
        return json.loads(self.run_command("audit", "--format", "json", *arguments, **options).stdout)


class GoodInput(CommandTest):
    def test_a_file_beyond_the_limit_of_sizes_is_told(self):
        out = self.folder / "audit.json"
        done = self.run_command("audit", f"bf16={self.good}", f"int4={self.other}", "--format", "json", "-o", out,
                                expect=5, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
        self.assertIn("File too large", done.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir() if "audit" in path.name], [])

    def test_text_names_arms_and_verdict(self):
        done = self.run_command("audit", f"bf16={self.good}", f"int4={self.other}")
        self.assertIn("bf16", done.stdout)
        self.assertRegex(done.stdout, "CLEAN|INCONCLUSIVE|AMPLIFIED")
        self.assertNotIn("\x1b", done.stdout)

    def test_arms_are_guessed_from_model_names(self):
        audit = self.audit_json(self.good, self.other)
        self.assertEqual([arm["arm"] for arm in audit["cells"][0]["arms"]], ["bf16", "int4"])
        self.assertEqual(audit["cells"][0]["reference"], "bf16")

    def test_counts_reach_the_output(self):
        audit = self.audit_json(f"a={self.good}", f"b={self.other}", "--reference", "a")
        arms = {arm["arm"]: arm for arm in audit["cells"][0]["arms"]}
        self.assertEqual(arms["a"]["channels"]["tool_name"]["errors"], 12)
        self.assertEqual(arms["a"]["channels"]["tool_name"]["kinds"]["wrong_owner"]["errors"], 12)
        self.assertEqual(arms["b"]["episodes"], 24)

    def test_same_bytes_on_any_number_of_threads(self):
        one = self.run_command("audit", f"a={self.good}", f"b={self.other}", "--format", "json", "-j", 1)
        two = self.run_command("audit", f"a={self.good}", f"b={self.other}", "--format", "json", "-j", 2)
        self.assertEqual(one.stdout, two.stdout)

    def test_csv_is_rectangular(self):
        done = self.run_command("audit", f"a={self.good}", f"b={self.other}", "--format", "csv")
        rows = list(csv.reader(io.StringIO(done.stdout)))
        self.assertGreater(len(rows), 50)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_output_file_is_whole_and_alone(self):
        out = self.folder / "audit.md"
        self.run_command("audit", f"a={self.good}", f"b={self.other}", "--format", "markdown", "-o", out)
        self.assertIn("|", out.read_text())
        self.assertEqual([p.name for p in self.folder.iterdir() if "partial" in p.name], [])

    def test_standard_input_and_compression(self):
        import gzip
        packed = self.folder / "packed"
        packed.write_bytes(gzip.compress(self.good.read_bytes()))
        audit = self.audit_json(f"a={packed}")
        self.assertEqual(audit["cells"][0]["arms"][0]["episodes"], 24)
        with open(self.good, "rb") as stream:
            done = subprocess.run([UNMASK, "inspect", "-", "--format", "json"], stdin=stream, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        # A pipe can be read only once.
        piped = subprocess.run([UNMASK, "inspect", "-", "--format", "json"], input=packed.read_bytes(),
                               capture_output=True)
        self.assertEqual(piped.returncode, 0, piped.stderr)

    def test_environment_sets_flags(self):
        audit = self.audit_json(f"a={self.good}", f"b={self.other}", environment={"UNMASK_MARGIN": "12"})
        self.assertEqual(audit["cells"][0]["comparisons"][0]["equivalence"][0]["margin"], 12.0)

        for format_ in ("csv", "markdown"):
            self.run_command("audit", f"a={self.good}", environment={"UNMASK_FORMAT": format_})

    def test_environment_does_not_redirect_help_and_completions(self):
        elsewhere = self.folder / "elsewhere"
        for command in (["help", "verdicts"], ["help"], ["help", "man"], ["completion", "bash"]):
            done = self.run_command(*command, environment={"UNMASK_OUTPUT": str(elsewhere)})
            self.assertGreater(len(done.stdout), 300)
        self.assertFalse(elsewhere.exists())
        self.run_command("audit", self.good, environment={"UNMASK_OUTPUT": str(elsewhere)})
        self.assertTrue(elsewhere.exists())

    def test_flags_may_stand_before_the_logs(self):
        self.run_command("audit", "--gate", "--fail-on", "visible_damage", "--budgets", "2,5", f"a={self.good}",
                         f"b={self.other}", expect=4)

    def test_a_device_is_written_to_and_a_link_is_followed(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
        self.run_command("audit", f"a={self.good}", "-o", pipe)
        self.assertIn(b"one arm", reader.communicate(timeout=60)[0])
        self.assertTrue(pipe.is_fifo())
        target, link = self.folder / "target.txt", self.folder / "link.txt"
        target.write_text("old")
        link.symlink_to(target)
        self.run_command("audit", f"a={self.good}", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertNotEqual(target.read_text(), "old")

    def test_a_secret_never_reaches_any_output(self):
        for arguments in (["audit", "--format", "json"], ["audit"], ["inspect"], ["inspect", "--format", "json"]):
            done = self.run_command(*arguments, self.good, "--verbose")
            self.assertNotIn("very-secret", done.stdout + done.stderr)

    def test_a_name_before_a_path_is_an_audits_alone(self):
        for command in (["inspect"], ["diagnose"], ["convert", "--to", "table"]):
            plain = self.run_command(*command, self.good)
            self.assertEqual(self.run_command(*command, f"bf16={self.good}").stdout, plain.stdout)
        odd = self.write("a=b.json", self.good.read_text())
        self.run_command("inspect", odd.name, cwd=self.folder)

    def test_what_a_folder_holds_besides_logs_is_passed_over(self):
        (self.folder / "settings.json").write_text('{"colour": "blue"}')
        for command in (["audit"], ["inspect"], ["diagnose"], ["convert", "--to", "table", "-o", self.folder / "out"]):
            done = self.run_command(*command, self.folder, "-v")
            self.assertIn("settings.json: is JSON of no known log format", done.stdout + done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["bf16.jsonl", "int4.jsonl"])
        other = self.folder / "nothing"
        other.mkdir()
        (other / "settings.json").write_text('{"colour": "blue"}')
        for command in (["audit"], ["inspect"], ["diagnose"], ["convert", "--to", "table"]):
            self.assertIn("no known log format", self.run_command(*command, other, expect=3).stderr)

    def test_diagnose_lists_failed_calls(self):
        done = self.run_command("diagnose", self.good, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), 12)
        self.assertEqual({row["channel"] for row in rows}, {"tool_name"})

    def test_card_is_written_checked_and_rendered(self):
        card = self.folder / "card.json"
        self.run_command("card", "write", f"bf16={self.good}", f"int4={self.other}", "-o", card)
        self.run_command("card", "check", card)
        self.assertIn("#", self.run_command("card", "render", card).stdout)
        document = json.loads(card.read_text())
        for key in list(document):
            if key in ("schema", "unmask"):
                continue
            self.write("cut.json", {k: v for k, v in document.items() if k != key})
        self.write("cut.json", {"schema": "unmask.card/1"})
        done = self.run_command("card", "check", self.folder / "cut.json", expect=3)
        self.assertIn("score", done.stdout)

    def test_a_generated_world_is_the_same_each_time_and_is_not_replaced_unasked(self):
        command = ["worlds", "generate", "--domain", "telecom", "--tasks", "5", "--seed", "7"]
        for name in ("first", "second"):
            self.run_command(*command, "-o", self.folder / name)
        first, second = ({str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*")
                          if file.is_file()} for root in (self.folder / "first", self.folder / "second"))
        self.assertEqual(first, second)
        self.assertEqual(len(json.loads(first["data/tau2/domains/telecom/tasks.json"])), 5)
        # Another domain goes beside it; the same one only when asked for.
        self.run_command("worlds", "generate", "--domain", "retail", "--tasks", "5", "-o", self.folder / "first")
        again = self.run_command(*command, "-o", self.folder / "first", expect=2)
        self.assertIn("--force", again.stderr)
        self.run_command(*command, "--force", "-o", self.folder / "first")

    def test_help_topics(self):
        for topic in ("verdicts", "channels", "budget", "audit"):
            self.assertGreater(len(self.run_command("help", topic).stdout), 300)
        self.run_command("help", "nonsense", expect=2)

    def test_gate(self):
        self.run_command("audit", "--gate", f"a={self.good}", f"b={self.other}", expect=4)
        damaged = self.write("damaged.json", tau2_log.log(tasks=60, trials=4, reward=lambda t, r: 0.0))
        fine = self.write("fine.json", tau2_log.log(tasks=60, trials=4, reward=lambda t, r: 1.0))
        self.run_command("audit", "--gate", f"a={fine}", f"b={damaged}", expect=1)
        self.run_command("audit", "--gate", f"a={fine}", f"b={damaged}", "--fail-on", "amplified", expect=0)
        equal = self.write("equal.json", tau2_log.log("made-up-int4", tasks=60, trials=4, reward=lambda t, r: 1.0))
        self.run_command("audit", "--gate", f"a={fine}", f"b={equal}", expect=0)


class BadInput(CommandTest):
    def complaint(self, *arguments, expect, names, **options):
        """The command ends with `expect` and its message holds every one of `names`."""
        done = self.run_command(*arguments, expect=expect, **options)
        for name in names:
            self.assertIn(name, done.stderr)
        self.assertNotIn("terminate called", done.stderr)
        return done

    def test_usage(self):
        self.complaint(expect=2, names=["--help"])
        self.complaint("audit", expect=2, names=["no logs given"])
        self.complaint("audit", "--no-such-flag", expect=2, names=["--no-such-flag"])
        self.complaint("audit", "--study", "x.toml", self.good, expect=2, names=["not both"])
        self.complaint("audit", f"a={self.good}", "--reference", "z", expect=2, names=["z"])
        self.complaint("audit", f"a={self.good}", "--margin", "-3", expect=2, names=["margin"])
        for flag in ("--margin", "--alpha"):
            self.complaint("audit", f"a={self.good}", flag, "nan", expect=2, names=["not a finite number"])

    def test_no_such_file(self):
        self.complaint("audit", "a=/nowhere/a.json", expect=3, names=["/nowhere/a.json"])

    def test_no_read_permission(self):
        secret = self.write("secret.json", tau2_log.log())
        secret.chmod(0)
        self.folder.chmod(0o755)
        options = {"user": "nobody"} if os.getuid() == 0 else {}
        self.complaint("audit", f"a={secret}", expect=5, names=["secret.json"], **options)

    def test_files_that_are_no_logs(self):
        for name, content, word in (("empty.json", "", "empty"), ("blank.json", "  \n", "empty"),
                                    ("page.html", "<!DOCTYPE html><html><body>404</body></html>", "web page"),
                                    ("words.txt", "hello there", "words.txt"), ("number.json", "12", "number.json"),
                                    ("object.json", '{"a": 1}', "object.json")):
            self.complaint("audit", f"a={self.write(name, content)}", expect=3, names=[name, word])
            self.complaint("inspect", self.folder / name, expect=3, names=[name])

    def test_a_bad_log_beside_a_good_one_is_left_out_and_the_exit_code_says_so(self):
        self.write("empty.json", "")
        done = self.run_command("audit", f"a={self.good}", f"b={self.other}", f"b={self.folder / 'empty.json'}", expect=3)
        self.assertIn("empty.json", done.stdout + done.stderr)

    def test_truncated_json_keeps_what_stands_before(self):
        text = self.good.read_text()
        cut = self.write("cut.json", text[:len(text) * 2 // 3])
        done = self.run_command("audit", "--format", "json", f"a={cut}")
        episodes = json.loads(done.stdout)["cells"][0]["arms"][0]["episodes"]
        self.assertGreater(episodes, 8)
        self.assertLess(episodes, 24)
        self.assertIn("cut.json", done.stderr)
        self.complaint("audit", "--strict", f"a={cut}", expect=3, names=["cut.json", "--strict"])

    def one_bad_episode(self, change, code=None, left=23):
        """An audit of a log whose third episode is changed keeps the others and says what happened."""
        bad = self.write("bad.json", tau2_log.changed(tau2_log.log(), lambda d: change(d["simulations"][2])))
        done = self.run_command("audit", "--format", "json", f"a={bad}")
        self.assertEqual(json.loads(done.stdout)["cells"][0]["arms"][0]["episodes"], left)
        self.assertIn("bad.json", done.stderr)
        if code:
            self.assertIn(f"[{code}]", done.stderr)
        return done

    def test_wrong_types(self):
        self.one_bad_episode(lambda s: s.update(messages="none"))
        self.one_bad_episode(lambda s: s.update(reward_info=[1, 2]))
        self.one_bad_episode(lambda s: s["reward_info"].update(reward="high"))

    def test_rewards_that_are_none(self):
        done = self.one_bad_episode(lambda s: s["reward_info"].update(reward=float("nan")))
        self.assertIn("NaN", done.stderr)

    def test_fractional_rewards_are_failures_and_reported(self):
        done = self.one_bad_episode(lambda s: s["reward_info"].update(reward=0.5), left=24)
        self.assertIn("0.5", done.stderr)

    def test_duplicate_trials_the_last_counts(self):
        def again(document):
            document["simulations"].append(tau2_log.simulation(0, 0, reward=1.0, errors=5))
        bad = self.write("twice.json", tau2_log.changed(tau2_log.log(), again))
        done = self.run_command("audit", "--format", "json", f"a={bad}")
        arm = json.loads(done.stdout)["cells"][0]["arms"][0]
        self.assertEqual(arm["episodes"], 24)
        self.assertEqual(arm["channels"]["tool_name"]["errors"], 12 + 5)
        self.assertIn("task_0", done.stderr)

    def test_duplicate_keys_the_last_counts(self):
        text = json.dumps(tau2_log.log()).replace('"reward": 1.0', '"reward": 0.0, "reward": 1.0', 1)
        done = self.run_command("audit", "--format", "json", f"a={self.write('keys.json', text)}")
        self.assertEqual(json.loads(done.stdout)["cells"][0]["arms"][0]["episodes"], 24)
        self.assertIn("keys.json", done.stderr)

    def test_strange_bytes(self):
        raw = json.dumps(tau2_log.log(task_text="MARK")).replace("MARK", r"MARK \ud83d lone").encode()
        raw = raw.replace(b"My phone", b"My \xff\xfe phone", 1)
        path = self.folder / "bytes.json"
        path.write_bytes(raw)
        done = self.run_command("audit", "--format", "json", f"a={path}")
        self.assertEqual(json.loads(done.stdout)["cells"][0]["arms"][0]["episodes"], 24)

    def test_deep_nesting(self):
        deep = "[" * 100000 + "]" * 100000
        text = json.dumps(tau2_log.log()).replace('"duration": 60.0', f'"duration": {deep}', 1)
        done = self.run_command("audit", "--format", "json", f"a={self.write('deep.json', text)}")
        self.assertGreaterEqual(json.loads(done.stdout)["cells"][0]["arms"][0]["episodes"], 23)
        self.complaint("audit", f"a={self.write('deeper.json', deep)}", expect=3, names=["deeper.json"])

    def test_arms_without_a_common_task(self):
        strange = self.write("strange.json", tau2_log.log(task_text="has other wishes"))
        done = self.run_command("audit", f"a={self.good}", f"b={strange}")
        self.assertIn("share no task", done.stdout)

    def test_one_arm_only(self):
        done = self.run_command("audit", f"a={self.good}")
        self.assertIn("a", done.stdout)
        self.complaint("audit", "--gate", f"a={self.good}", expect=4, names=["no arm was compared"])

    def test_one_log_given_twice(self):
        done = self.run_command("audit", f"a={self.good}", f"b={self.good}")
        self.assertIn("same_bytes_in_two_arms", done.stdout)

    def test_an_arm_that_can_not_be_read_fails_the_gate(self):
        self.complaint("audit", "--gate", f"a={self.good}", f"b={self.good}", f"c={self.folder / 'none.json'}",
                       expect=3, names=["could not be used"])

    def test_files_of_one_arm_from_different_models(self):
        self.complaint("audit", f"a={self.good}", f"a={self.other}", expect=3,
                       names=["made-up-bf16", "made-up-int4", "arm of its own"])
        self.complaint("audit", f"a={self.good}", "--null", f"a={self.other}", expect=2, names=["another arm"])

    def test_models_that_differ_in_more_than_precision_are_named(self):
        strange = self.write("strange.json", tau2_log.log("another-model-int4"))
        done = self.run_command("audit", f"bf16={self.good}", f"int4={strange}")
        self.assertIn("another-model-int4", done.stdout)

    def test_a_budget_beyond_all_reason_is_no_budget(self):
        huge = self.write("huge.json", tau2_log.changed(tau2_log.log(), lambda d: d["info"].update(max_errors=10**9)))
        self.run_command("inspect", huge)
        self.assertEqual(len(self.audit_json(f"a={huge}")["cells"][0]["arms"][0]["score"]), 10)

    def test_an_arm_without_episodes(self):
        nobody = self.write("nobody.json", tau2_log.changed(tau2_log.log(), lambda d: d.update(simulations=[])))
        done = self.run_command("audit", f"a={self.good}", f"b={nobody}")
        self.assertIn("INCONCLUSIVE", done.stdout)

    def test_mixed_domains(self):
        retail = self.write("retail.json", tau2_log.log(domain="retail"))
        self.complaint("audit", f"a={self.good}", f"b={retail}", expect=3, names=["no two arms", "telecom", "retail"])
        self.run_command("audit", f"a={self.good}", f"b={retail}", "--cell", "all")

    def test_hostile_names_do_not_reach_the_terminal(self):
        bad = self.write("hostile.json", tau2_log.log("\x1b[31mred\u202etxt"))
        done = self.run_command("audit", bad)
        self.assertNotIn("\x1b", done.stdout + done.stderr)
        self.assertNotIn("\u202e", done.stdout + done.stderr)

    def test_hostile_names_do_not_reach_complaints(self):
        hostile = "\x1b[31mred\u202e-int4"
        bad = self.write("hostile.json", tau2_log.log(hostile))
        shown = "\\x1b[31mred\\u{202e}-int4"
        for arguments, code in ((["--format", "json", f"bf16={bad}", f"int4={self.good}"], 0),
                                ([f"a={self.good}", f"a={bad}"], 3)):
            done = self.run_command("audit", *arguments, expect=code)
            self.assertIn(shown, done.stderr)
            self.assertNotIn("\x1b", done.stderr)
            self.assertNotIn("\u202e", done.stderr)

    def test_screen(self):
        log = f"bf16={HEADLINE}/bf16.json.gz"
        done = self.run_command("screen", log)
        self.assertIn("GUARDED RISK", done.stdout)
        self.assertIn("points lost", done.stdout)
        # Exit codes: at or above the class, below it, and where the log does not tell.
        self.run_command("screen", log, "--gate", "guarded", expect=1)
        self.run_command("screen", log, "--gate", "high")
        self.run_command("screen", log, "--serious", 5, "--gate", "high", "--format", "json", expect=1)
        one_task = self.write("one.json", tau2_log.log("made-up-bf16", tasks=1))
        unknown = self.run_command("screen", one_task, "--gate", "high", expect=4)
        self.assertIn("risk unknown", unknown.stderr)
        # Settings reach the figures; the judged factor is always among them.
        out = self.folder / "screen.json"
        self.run_command("screen", log, "--factors", "4", "--judge-at", "1.5", "--near-zero", "30", "--budgets", "3",
                         "--format", "json", "-o", out)
        arm = json.loads(out.read_text())["cells"][0]["arms"][0]
        self.assertEqual([curve["factor"] for curve in arm["what_if"]], [1.5, 4])
        self.assertEqual(arm["budgets"], [3, 10])
        self.assertTrue(arm["propensity"]["tool_name"]["near_zero"])
        for bad in (["--factors", "0.5"], ["--judge-at", "nan"], ["--near-zero", "0"], ["--gate", "low"],
                    ["--format", "csv"]):
            self.run_command("screen", log, *bad, expect=2)
        self.run_command("screen", expect=2)
        self.assertIn("| cell", self.run_command("screen", log, "--format", "markdown").stdout)

    def test_a_hostile_domain_does_not_reach_the_terminal(self):
        bad = self.write("hostile.json", tau2_log.log("made-up-bf16", domain="\x1b[31mred\u202etxt", tasks=20))
        for format_ in ("text", "json"):
            done = self.run_command("power", bad, "--studies", 10, "--tasks", 10, "--trials", 1, "--amplification", 2,
                                    "--format", format_)
            self.assertIn("[31mred", done.stdout)
            self.assertNotIn("\x1b", done.stdout)
            self.assertNotIn("\u202e", done.stdout)

    def test_a_hostile_card_does_not_reach_the_terminal(self):
        card = self.folder / "card.json"
        self.run_command("card", "write", f"bf16={self.good}", "-o", card)
        document = json.loads(card.read_text())
        document["score_by_budget"]["\x1b[31m\u202e\nother.json: a valid card"] = {}
        done = self.run_command("card", "check", self.write("hostile.json", document), expect=3)
        self.assertIn("\\x1b[31m\\u{202e}\\x0aother.json", done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        self.assertNotIn("\u202e", done.stdout)

    def test_rules_and_tools(self):
        self.complaint("audit", self.good, "--rules", self.write("r.toml", "[[rule]]\nid = 3\n"), expect=3,
                       names=["r.toml"])
        self.complaint("audit", self.good, "--tools", self.write("t.json", "{}"), expect=3, names=["t.json", "list"])
        tools = self.write("tools.json", [{"name": name} for name in tau2_log.TOOLS_OF_USER + ["get_customer_by_id"]])
        audit = self.audit_json(f"a={self.good}", "--tools", tools)
        self.assertEqual(audit["cells"][0]["arms"][0]["channels"]["tool_name"]["errors"], 12)

    def test_study_file(self):
        study = self.write("study.toml", "[[cell]]\nid = 'x'\n[[cell.arm]]\nname = 'a'\nfile = 'b'\n")
        self.complaint("audit", "--study", study, expect=3, names=["study.toml:5", "file"])

    def test_output_that_can_not_be_written(self):
        self.complaint("audit", self.good, "-o", "/nowhere/out.txt", expect=5, names=["/nowhere/out.txt", "-o"])

    def test_interrupt_leaves_no_half_file(self):
        out = self.folder / "study"
        process = subprocess.Popen([UNMASK, "study", "example", "-o", str(out)], stderr=subprocess.PIPE)
        for _ in range(200):
            if out.exists() and any(out.iterdir()):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (130, 0))
        if process.returncode == 130:
            self.assertFalse((out / "study.toml").exists())
        self.assertEqual([p.name for p in out.iterdir() if ".partial" in p.name], [])


if __name__ == "__main__":
    UNMASK = sys.argv.pop(1)
    unittest.main()
