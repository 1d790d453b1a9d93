#!/usr/bin/env python3
"""Makes the mistakes that new users make, and reads what they are told.

  error_test.py PATH_OF_UNMASK
"""

import gzip
import json
import os
import pathlib
import pty
import sqlite3
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)
import tau2_log  # noqa: E402


class Mistakes(command_test.CommandTest):
    def told(self, *arguments, code, says, **options):
        """Ends with `code`, and standard error holds each of `says`."""
        done = self.run_command(*arguments, expect=code, **options)
        for words in says:
            self.assertIn(words, done.stderr)
        return done

    def warned(self, *arguments, says, **options):
        """Succeeds, and the report holds each of `says`, whatever its line breaks."""
        done = self.run_command(*arguments, **options)
        text = " ".join(done.stdout.split())
        for words in says:
            self.assertIn(words, text)
        return done


class CommandLine(Mistakes):
    def test_unknown_command(self):
        self.told("foo", code=2, says=["unmask has no command 'foo'", "audit, report, view, inspect", "see: unmask --help"])
        self.told("audti", code=2, says=["no command 'audti'; did you mean audit?"])
        self.told("card", "chek", code=2, says=["unmask card has no command 'chek'; did you mean check?",
                                                "see: unmask card --help"])
        self.told("card", code=2, says=["a command is missing", "write, render, check"])
        self.told(code=2, says=["a command is missing", "audit"])

    def test_unknown_flag(self):
        self.told("audit", "--fromat", "json", self.good, code=2,
                  says=["unmask audit has no flag --fromat; did you mean --format?", "see: unmask audit --help"])
        self.told("audit", "--fromat=json", self.good, code=2, says=["did you mean --format?"])
        self.told("inspect", "--gate", self.good, code=2, says=["it is a flag of unmask audit"])
        self.told("audit", "--arm", "x", self.good, code=2, says=["it is a flag of unmask card write"])
        self.told("audit", "-z", self.good, code=2, says=["no flag -z"])
        self.told("convert", "--too", "tau2", self.good, code=2, says=["unmask convert has no flag --too; did you mean --to or --tools?"])
        self.told("convert", "--colour", "always", code=2, says=["unmask convert has no flag --colour"])
        self.told("--gate", "audit", self.good, code=2, says=["write unmask audit --gate"])

    def test_values(self):
        self.told("audit", "--format", "jason", self.good, code=2,
                  says=["--format: 'jason' is none of text, json, csv, markdown, html; did you mean json?"])
        self.told("audit", "--format", code=2, says=["--format: its value is missing; one of text, json"])
        self.told("audit", "--alpha", "3", self.good, code=2, says=["--alpha: 3 is not between 0.0001 and 0.25"])
        self.told("audit", "--margin", "wide", self.good, code=2, says=["--margin: wide is not a finite number"])
        self.told("audit", "--seed", "x", self.good, code=2, says=["--seed: 'x' is no number"])
        self.told("power", "--domain", "airline", code=2, says=["'airline' is none of telecom, retail"])
        self.told("audit", self.good, code=2, environment={"UNMASK_FORMAT": "yaml"},
                  says=["from the environment: UNMASK_FORMAT"])

    def test_what_is_missing(self):
        self.told("inspect", code=2, says=["unmask inspect needs PATH: files", "see: unmask inspect --help"])
        self.told("study", "example", code=2, says=["needs --output FOLDER"])
        self.told("worlds", "generate", "-o", "x", code=2, says=["needs --domain"])

    def test_help_on_nothing(self):
        self.told("help", "verdict", code=2, says=["verdicts"])


class Arms(Mistakes):
    def test_spaces_around_the_equals_sign(self):
        meant = f"bf16={self.good}"
        self.told("audit", "bf16", "=", self.good, f"int4={self.other}", code=2, says=["without spaces", meant])
        self.told("audit", "bf16=", self.good, code=2, says=["without spaces", meant])
        self.told("audit", "bf16", f"={self.good}", code=2, says=["without spaces", meant])

    def test_no_equals_sign(self):
        self.told("audit", "bf16", self.good, "int4", self.other, code=2, says=[f"write bf16={self.good}"])
        self.told("audit", f"bf16:{self.good}", code=2, says=[f"write bf16={self.good}"])

    def test_swapped(self):
        self.warned("audit", f"int4={self.good}", f"bf16={self.other}",
                    says=["arm_contradicts_log", "arm 'int4' has a log of the model made-up-bf16",
                          "is it swapped with arm 'bf16'?"])
        self.told("audit", "--strict", f"int4={self.good}", f"bf16={self.other}", code=3, says=["swapped"])
        self.told("audit", "--gate", "-q", f"int4={self.good}", f"bf16={self.other}", code=3,
                  says=["--gate: an arm's name says another precision than its log"])
        fine = self.run_command("audit", f"bf16={self.good}", f"int4={self.other}")
        self.assertNotIn("arm_contradicts_log", fine.stdout)

    def test_one_file_for_two_arms(self):
        self.warned("audit", f"bf16={self.good}", f"int4={self.good}",
                    says=["same_bytes_in_two_arms", "the two can't differ; give each arm its own log",
                          "arm 'int4' has a log of the model made-up-bf16; is it the right file?"])
        self.told("audit", "--gate", "-q", f"bf16={self.good}", f"int4={self.good}", code=3,
                  says=["--gate: one log was given as two arms"])

    def test_one_log_packed_again_or_converted_is_one_log(self):
        packed = self.folder / "again.json.gz"
        packed.write_bytes(gzip.compress(self.good.read_bytes(), 1))
        lines = self.folder / "again.jsonl"
        table = self.folder / "table.jsonl"
        self.run_command("convert", "--to", "openai", "-q", "-o", lines, self.good)
        self.run_command("convert", "--to", "table", "-q", "-o", table, self.good)
        for again in (packed, lines, table):
            with self.subTest(again.name):
                arms = ["--cell", "c", f"a={self.good}", f"b={again}"]
                self.warned("audit", *arms, says=["same_episodes_in_two_arms", "'b' has the same episodes as 'a'"])
                self.told("audit", "--gate", "-q", *arms, code=3,
                          says=["--gate: two arms have the same episodes, call by call"])
        fine = self.run_command("audit", f"a={self.good}", f"b={self.other}")
        self.assertNotIn("same_episodes", fine.stdout)

    def test_a_log_of_several_arms(self):
        lines = self.folder / "mixed.jsonl"
        lines.write_text("".join(json.dumps({"task_id": str(task), "trial": 0, "reward": 1, "arm": f"arm{task % 2}",
                                             "messages": [{"role": "user", "content": "Hello"}]}) + "\n"
                                 for task in range(4)))
        arms = [f"a={lines}", f"b={self.good}", "--cell", "c"]
        done = self.told("audit", "--format", "json", *arms, code=0, says=["error: ", "[several_arms]"])
        self.assertEqual([remark["severity"] for remark in json.loads(done.stdout)["warnings"]
                          if remark["code"] == "several_arms"], ["error"])
        self.told("audit", "--gate", *arms, code=3, says=["--gate: a log holds several arms"])

    def test_an_equals_sign_in_a_files_name(self):
        packed = self.folder / "eq=name.json"
        packed.write_bytes(self.good.read_bytes())
        self.told("audit", "eq=name.json", code=2, says=["write ./eq=name.json"], cwd=self.folder)
        self.run_command("audit", "./eq=name.json", cwd=self.folder)

    def test_names_that_no_arm_can_have(self):
        for name in ("größe", "a b", "a/b"):
            self.told("audit", f"{name}={self.good}", code=2, says=[f"'{name}' can't name an arm"])

    def test_one_file_twice_for_one_arm(self):
        self.warned("audit", f"a={self.good}", f"a={self.good}", says=["same_file_twice", "give each file once"])

    def test_the_lower_precision_as_reference(self):
        done = self.told("audit", "--reference", "int4", f"bf16={self.good}", f"int4={self.other}", code=0,
                         says=["--reference int4 is of a lower precision than 'bf16'"])
        self.assertIn("reference int4", done.stdout)
        # What the log says counts where the name says nothing.
        self.told("audit", "--reference", "candidate", f"base={self.good}", f"candidate={self.other}", code=0,
                  says=["--reference candidate is of a lower precision than 'base'"])
        self.assertEqual(self.run_command("audit", "-q", "--reference", "int4", f"bf16={self.good}",
                                          f"int4={self.other}").stderr, "")

    def test_a_reference_that_is_not_there(self):
        self.told("audit", "--reference", "fp8", self.good, self.other, code=2,
                  says=["--reference fp8: no arm has that name", "bf16, int4"])

    def test_a_folder_of_several_models(self):
        self.told("audit", f"bf16={self.folder}", code=3,
                  says=["made-up-bf16", "made-up-int4", "give each model an arm of its own, as NAME=PATH"])

    def test_different_models(self):
        strange = self.write("strange.json", tau2_log.log("zebra-7b-int4"))
        self.warned("audit", f"bf16={self.good}", f"int4={strange}", says=["zebra-7b-int4"])

    def test_different_domains(self):
        retail = self.write("retail.json", tau2_log.log("made-up-int4", domain="retail"))
        self.told("audit", f"bf16={self.good}", f"int4={retail}", code=3,
                  says=["no two arms can be compared", "give logs of one domain"])

    def test_no_common_task(self):
        others = self.write("others.json", tau2_log.log("made-up-int4", task_text="has other wishes"))
        self.warned("audit", f"bf16={self.good}", f"int4={others}",
                    says=["no_common_task", "'int4' and the reference 'bf16' have no task in common",
                          "different versions of the benchmark"])
        self.told("audit", "--gate", "-q", f"bf16={self.good}", f"int4={others}", code=3,
                  says=["--gate: an arm has no task in common"])

    def test_tasks_of_one_text_pair_by_id(self):
        def one_text(document):
            for task in document["tasks"]:
                task["user_scenario"]["instructions"] = "Calls."
        first = self.write("first.json", tau2_log.changed(tau2_log.log(), one_text))
        second = self.write("second.json", tau2_log.changed(tau2_log.log("made-up-int4"), one_text))
        audit = json.loads(self.run_command("audit", "--format", "json", f"bf16={first}", f"int4={second}").stdout)
        gaps = [point["points"] for point in audit["cells"][0]["comparisons"][0]["gap"]]
        self.assertEqual(set(gaps), {0.0})

    def test_a_log_without_task_texts_pairs_by_id(self):
        lines = self.folder / "lines.jsonl"
        self.run_command("convert", "--to", "openai", "-q", "-o", lines, self.other)
        done = self.run_command("audit", "--gate", f"bf16={self.good}", f"int4={lines}", "--cell", "c", expect=4)
        self.assertNotIn("no_common_task", done.stdout)

    def test_an_unfinished_run(self):
        cut = self.write("cut.json", tau2_log.changed(
            tau2_log.log("made-up-int4"), lambda d: d.update(simulations=d["simulations"][:9])))
        self.warned("audit", f"bf16={self.good}", f"int4={cut}",
                    says=["15 not recorded", "scores of each arm's own tasks, gap and tests of the 5 shared"])

    def test_domain(self):
        self.warned("audit", self.good, "--domain", "telekom", says=["unknown_domain", "did you mean telecom?"])
        self.warned("audit", self.good, "--domain", "retail",
                    says=["domain_contradicts_log", "its domain is telecom"])
        nameless = self.write("nameless.json", tau2_log.changed(
            tau2_log.log(), lambda d: d["info"]["environment_info"].pop("domain_name")))
        fits = self.audit_json(nameless, "--domain", "telecom")
        self.assertEqual(fits["cells"][0]["arms"][0]["channels"]["tool_name"]["kinds"]["wrong_owner"]["errors"], 12)


class Paths(Mistakes):
    def test_near_names(self):
        wrong = self.folder / "bf61.json"
        self.told("audit", f"a={wrong}", code=3, says=[f"{wrong}: no such file; did you mean {self.good}?"])
        self.told("inspect", wrong, code=3, says=[f"did you mean {self.good}?"])
        self.told("card", "render", wrong, code=3, says=[f"did you mean {self.good}?"])
        (self.folder / "runs").mkdir()
        tau2_log.write(self.folder / "runs/x.json", tau2_log.log())
        self.told("inspect", self.folder / "rnus/x.json", code=3,
                  says=[f"did you mean {self.folder / 'runs/x.json'}?"])

    def test_what_is_there(self):
        self.told("inspect", self.folder / "something-else.txt", code=3, says=["holds bf16.json, int4.json"])
        self.told("inspect", "/nowhere/a.json", code=3, says=["/nowhere", "no such folder"])
        self.told("inspect", "~/a.json", code=3, says=["$HOME"], cwd=self.folder)

    def test_the_reason_stands_on_standard_error_wherever_the_report_goes(self):
        wrong = self.folder / "nope.json"
        for options in ([], ["-q"], ["--format", "json"]):
            done = self.told("audit", f"a={self.good}", f"b={wrong}", *options, code=3,
                             says=[f"{wrong}: no such file", "a log that was named could not be used"])
            self.assertEqual(done.stderr.count(str(wrong)), 1, done.stderr)
        report = self.run_command("audit", f"a={self.good}", f"b={wrong}", expect=3, environment={"COLUMNS": "300"})
        self.assertNotIn(f"{wrong}: {wrong}", report.stdout)

    def test_standard_input_twice(self):
        for arguments in (["audit", "bf16=-", "int4=-"], ["audit", "bf16=-", "--null", "again=-"],
                          ["inspect", "-", "-"], ["convert", "--to", "table", "-o", self.folder / "out", "-", "-"]):
            self.told(*arguments, code=2, says=["standard input (-) is given twice"], stdin=subprocess.DEVNULL)

    def test_a_line_end_in_a_name(self):
        done = self.told("inspect", self.folder / "a\nunmask: all is well", code=3, says=["a\\x0aunmask: all is well"])
        self.assertEqual(len(done.stderr.splitlines()), 1)
        done = self.told("inspect", "--no\nsuch", self.good, code=2, says=["--no\\x0asuch", "\nsee: unmask inspect --help"])
        self.assertEqual(len(done.stderr.splitlines()), 2)

    def test_globs(self):
        self.told("audit", f"a={self.folder}/*.jsonn", code=3, says=["no file matches", "holds bf16.json"])
        self.told("audit", f"a={self.folder}/nope/*.json", code=3, says=["no file matches", "nope"])

    def test_folders(self):
        (self.folder / "empty").mkdir()
        self.told("audit", f"a={self.folder / 'empty'}", code=3, says=["the folder holds no log"])
        self.told("card", "render", self.folder, code=3, says=["is a folder; give a file"])
        self.told("audit", self.good, "--tools", self.folder, code=3, says=["is a folder; give a file"])

    def test_other_files(self):
        table = self.folder / "results.csv"
        table.write_text("task,trial,reward\n1,0,1\n")
        self.told("audit", f"a={table}", code=3, says=["is a table (CSV), not a log"])
        self.told("audit", "--study", self.good, code=3, says=["is JSON, perhaps a log", "without --study"])
        self.told("audit", "--study", self.folder / "stduy.toml", code=3, says=["no such file"])
        done = self.run_command("card", "check", self.good, expect=3)
        self.assertIn("is a log, not a card; unmask card write", done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 2)

    def test_output_over_an_input(self):
        log = self.folder / "again.json"
        log.write_bytes(self.good.read_bytes())
        study = self.folder / "study.toml"
        study.write_text('[[cell]]\nid = "c"\n[[cell.arm]]\nname = "bf16"\nfiles = "again.json"\n', encoding="utf-8")
        for arguments in (["audit", log], ["audit", "--study", study], ["inspect", log], ["diagnose", log],
                          ["card", "write", log], ["convert", "--to", "table", log], ["report", log],
                          ["replay", log], ["audit", self.folder / "*gain.json"]):
            self.told(*arguments, "-o", log, code=2, says=[f"{log}: is read here", "give another place with -o"])
        for name, option in (("f/score.svg", "--figures"), ("f/index.html", "--folder"), ("f/blocks/0.js", "--folder")):
            place = self.folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.good.read_bytes())
            self.told("report", place, option, self.folder / "f", code=2, says=[f"{place}: is read here"])
            self.assertEqual(place.read_bytes(), self.good.read_bytes())
            place.unlink()
        self.told("audit", "--study", study, "-o", study, code=2, says=[f"{study}: is read here"])
        self.told("audit", study, "-o", study, code=2, says=[f"{study}: is read here"])
        self.assertEqual(log.read_bytes(), self.good.read_bytes())

    def test_output_over_a_run(self):
        run = self.folder / "run" / "run.sqlite"
        run.parent.mkdir()
        with sqlite3.connect(run) as database:
            database.execute("create table unit (id integer)")
        before = run.read_bytes()
        (run.parent / "log.json").write_bytes(self.good.read_bytes())
        for command in ("audit", "report"):
            self.told(command, run.parent, "-o", run, code=2, says=[f"{run}: is a database", "another place with -o"])
        self.assertEqual(run.read_bytes(), before)

    def test_empty_names_of_folders(self):
        for option in ("--figures", "--folder"):
            self.told("report", self.good, option, "", code=2, says=[f"{option}: ", "the name of the folder is empty"])

    def test_output(self):
        for command in (["audit", self.good], ["inspect", self.good], ["diagnose", self.good],
                        ["card", "write", self.good], ["convert", "--to", "table", self.good], ["power"]):
            out = self.folder / "missing" / "out.txt"
            self.told(*command, "-o", out, code=5, says=["the folder", "is not there; make it (mkdir -p)"])
        self.told("audit", self.good, "-o", self.folder, code=5, says=["is a folder; give a file"])

    def test_no_permission(self):
        self.folder.chmod(0o755)
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(0)
        options = {"user": "nobody"} if os.getuid() == 0 else {}
        self.told("audit", f"a={closed}", code=5, says=["closed", "permission"], **options)
        closed.chmod(0o755)

    def test_an_example_is_not_written_over(self):
        (self.folder / "study.toml").write_text("mine")
        self.told("study", "example", "-o", self.folder, code=2, says=["is not empty", "--force"])
        self.assertEqual((self.folder / "study.toml").read_text(), "mine")


class Oddities(Mistakes):
    def test_one_note_is_one(self):
        odd = self.write("odd.json", tau2_log.changed(tau2_log.log(), lambda d: d["simulations"][0].update(
            termination_reason="bored")))
        done = self.run_command("inspect", odd)
        self.assertIn("1 note not shown; --verbose shows it", done.stderr)

    def test_no_average_where_none_is_published(self):
        def published(name, document):
            done = self.run_command("inspect", self.write(name, document))
            return [line for line in done.stdout.splitlines() if line.strip().startswith("published")]
        self.assertRegex(published("good.json", tau2_log.log())[0], "average reward 0.")
        unscored = tau2_log.changed(tau2_log.log(), lambda d: [s.update(reward_info=None) for s in d["simulations"]])
        self.assertIn("none: no episode is scored", published("unscored.json", unscored)[0])
        table = json.dumps({"task": 1, "trial": 0, "reward": 1, "calls": [["agent", "look", 1]]}) + "\n"
        self.assertEqual(published("table.jsonl", table), [])

    def test_budgets_that_are_none(self):
        for value in (0, -3, "ten", 2.5, True):
            odd = self.write("odd.json", tau2_log.changed(tau2_log.log(), lambda d, v=value: d["info"].update(max_errors=v)))
            done = self.run_command("inspect", odd)
            self.assertIn("odd_max_errors", done.stderr + done.stdout, value)
        fine = self.run_command("inspect", self.good)
        self.assertNotIn("odd_max_errors", fine.stderr + fine.stdout)

    def test_budgets_beyond_the_logs_own_are_marked(self):
        small = self.write("small.json", tau2_log.changed(tau2_log.log(), lambda d: d["info"].update(max_errors=4)))
        done = self.run_command("inspect", small)
        self.assertRegex(done.stdout, r"score % at K .* 4 +5\* ")
        self.assertIn("* beyond the log's own budget of 4", done.stdout)

    def test_plain_ascii(self):
        done = self.run_command("audit", f"bf16={self.good}", f"int4={self.other}", environment={"LC_ALL": "C"})
        self.assertNotIn("\\u{", done.stdout)
        self.assertTrue(done.stdout.isascii())
        self.assertIn("made-up - telecom", done.stdout)

    def test_hostile_names(self):
        text = json.dumps(tau2_log.log()).replace("toggle_data", r"to\u001b[31m\u202egg")
        hostile = self.write("hostile.json", text)
        for arguments in (["diagnose", "--format", "jsonl"], ["audit", "--format", "json"], ["inspect", "--format", "json"]):
            done = self.run_command(*arguments, hostile)
            self.assertNotIn("\x1b", done.stdout)
            self.assertNotIn("\u202e", done.stdout)
        rows = [json.loads(line) for line in
                self.run_command("diagnose", "--format", "jsonl", hostile).stdout.splitlines()]
        self.assertIn("to\x1b[31m\u202egg", [row["tool"] for row in rows])  # the same text after all
        piped = self.run_command("diagnose", "--format", "csv", hostile).stdout
        self.assertIn("\u202e", piped)  # a file for programs is faithful
        shown = self.on_a_terminal("diagnose", "--format", "csv", hostile)
        self.assertNotIn("\x1b[31m", shown)
        self.assertNotIn("\u202e", shown)
        self.assertIn(r"\x1b[31m\u{202e}gg", shown)
        self.assertEqual(shown.count("\n"), piped.count("\n"))

    def on_a_terminal(self, *arguments):
        ours, theirs = pty.openpty()
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        process = subprocess.Popen([command_test.UNMASK, *map(str, arguments)], stdout=theirs, stderr=subprocess.DEVNULL,
                                   env=environment)
        os.close(theirs)
        output = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            output += more
        os.close(ours)
        self.assertEqual(process.wait(timeout=60), 0)
        return output.decode().replace("\r\n", "\n")


if __name__ == "__main__":
    command_test.UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
