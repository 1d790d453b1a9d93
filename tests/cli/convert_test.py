#!/usr/bin/env python3
"""unmask convert as a person would run it: what it writes says the same as what it read.

  convert_test.py PATH_OF_UNMASK
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import tau2_log  # noqa: E402  (it stands beside this file)

UNMASK = ""
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HEADLINE = ROOT / "examples/headline"
ENVIRONMENT = {**{name: value for name, value in os.environ.items() if not name.startswith("UNMASK_")},
               "COLUMNS": "100", "LC_ALL": "C.UTF-8"}


def run(*arguments, expect=0, **options):
    done = subprocess.run([UNMASK, *map(str, arguments)], capture_output=True, timeout=300, env=ENVIRONMENT,
                          check=False, **options)
    assert done.returncode == expect, f"{arguments}\n{done.stdout[-2000:]}\n{done.stderr.decode()}"
    return done


def without(node, keys):
    if isinstance(node, dict):
        return {key: without(value, keys) for key, value in node.items() if key not in keys}
    if isinstance(node, list):
        return [without(value, keys) for value in node]
    return node


class ConvertTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = tau2_log.write(self.folder / "int4.json",
                                  tau2_log.log("made-up-int4", errors=lambda t, r: t % 3))

    def convert(self, source, target, out, *more):
        out = self.folder / out
        run("convert", source, "--to", target, "-o", out, "-q", *more)
        return out

    def facts(self, log):
        """What an audit counts in one log."""
        audit = json.loads(run("audit", log, "--format", "json", "--replicates", "100").stdout)
        arm = audit["cells"][0]["arms"][0]
        return {key: arm[key] for key in (
            "tasks", "episodes", "excluded", "missing_trials", "vanished", "stopped_by_budget", "agent_calls",
            "user_calls", "agent_failed", "user_failed", "channels", "score", "recovery", "names", "budget",
            "reward_basis")}

    def assert_same_facts(self, first, second, keep_kinds=True):
        skipped = {"evidence"} if keep_kinds else {"evidence", "kinds"}
        self.assertEqual(without(self.facts(first), skipped), without(self.facts(second), skipped))


class RoundTrips(ConvertTest):
    def test_chains_of_conversions_change_no_fact(self):
        for name, source in (("made up", self.log), ("headline", HEADLINE / "int4.json.gz")):
            for chain in (["openai", "tau2"], ["table"], ["table", "table"], ["tau2", "openai"], ["tau2", "tau2"]):
                with self.subTest(f"{name}: {' -> '.join(chain)}"):
                    log = source
                    for step, target in enumerate(chain):
                        log = self.convert(log, target, f"{step}-{target}.json.gz")
                    self.assert_same_facts(source, log)

    def test_a_table_without_texts_keeps_counts_in_other_formats(self):
        table = self.convert(self.log, "table", "table.jsonl")
        for target in ("tau2", "openai"):
            there = self.facts(self.convert(table, target, f"from-table-{target}.json"))
            here = self.facts(self.log)
            self.assertEqual(there["episodes"], here["episodes"])
            self.assertEqual(there["score"], here["score"])
            self.assertEqual(sum(channel["errors"] for channel in there["channels"].values()),
                             sum(channel["errors"] for channel in here["channels"].values()))

    def test_what_is_guessed_stays_a_guess(self):
        log = self.folder / "act-Wizard-4B-AWQ-0.7_range_0--1_user-Big-Model-llm_0717023520.json"
        log.write_text(json.dumps([{"task_id": 0, "trial": 0, "reward": 1.0, "info": {}, "traj": [
            {"role": "user", "content": "Open it."}, {"role": "assistant", "content": "Done."}]}]))
        def said(path):
            inspected = json.loads(run("inspect", path, "--format", "json").stdout)["logs"][0]
            return inspected["identity"], inspected["harness"]["evidence"]
        identity, evidence = said(log)
        self.assertTrue(identity["model_is_guess"])
        self.assertTrue(identity["precision_is_guess"])
        for target in ("openai", "tau2", "table"):
            with self.subTest(target):
                converted = self.convert(log, target, f"guessed-{target}.json")
                there, evidence_there = said(converted)
                self.assertEqual(there["model"], "Wizard-4B-AWQ")
                self.assertTrue(there["model_is_guess"])
                self.assertTrue(there["precision_is_guess"])
                self.assertIn(evidence, evidence_there)

    def test_calls_that_name_no_tool_stay_malformed(self):
        log = self.folder / "nameless.jsonl"
        log.write_text("".join(json.dumps({"task_id": str(task), "trial": 0, "reward": 0, "messages": [
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c", "type": "function", "function": {"name": name, "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c", "content": "what?", "error": True}]}) + "\n"
            for task, name in enumerate(["", None])))
        for source, target in ((log, None), (log, "tau2"), (log, "openai"), (log, "table")):
            with self.subTest(target):
                path = source if target is None else self.convert(source, target, f"nameless-{target}")
                channels = self.facts(path)["channels"]
                self.assertEqual(channels["malformed"]["errors"], 2)
                self.assertEqual(channels["other"]["errors"], 0)

    def test_converting_again_changes_no_byte(self):
        for target in ("tau2", "openai", "table"):
            first = self.convert(self.log, target, f"first-{target}")
            second = self.convert(self.log, target, f"second-{target}")
            self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_converted_arms_pair_with_arms_as_they_were(self):
        table = self.convert(HEADLINE / "int4.json.gz", "table", "int4.jsonl")
        arguments = ["--format", "json", "--replicates", "100"]
        before = json.loads(run("audit", f"bf16={HEADLINE}/bf16.json.gz", f"int4={HEADLINE}/int4.json.gz",
                                *arguments).stdout)
        after = json.loads(run("audit", f"bf16={HEADLINE}/bf16.json.gz", f"int4={table}", *arguments).stdout)
        verdicts = [audit["cells"][0]["comparisons"][0]["verdict"] for audit in (before, after)]
        self.assertEqual(verdicts[0], verdicts[1])


class Outputs(ConvertTest):
    def test_standard_output_and_standard_input(self):
        there = run("convert", "-", "--to", "table", input=self.log.read_bytes())
        lines = there.stdout.decode().splitlines()
        self.assertEqual(json.loads(lines[0])["schema"], "unmask.table/1")
        self.assertEqual(len(lines), 25)
        self.assertIn("note: standard input: texts of messages", there.stderr.decode())

    def test_gz_by_name(self):
        packed = self.convert(self.log, "openai", "log.jsonl.gz")
        plain = self.convert(self.log, "openai", "log.jsonl")
        self.assertEqual(gzip.decompress(packed.read_bytes()), plain.read_bytes())

    def test_zst_by_name(self):
        packed = self.convert(self.log, "table", "table.jsonl.zst")
        self.assertEqual(packed.read_bytes()[:4], b"\x28\xb5\x2f\xfd")
        self.assertEqual(self.facts(packed), self.facts(self.convert(self.log, "table", "table.jsonl")))

    def test_several_logs_do_not_go_into_one_file(self):
        other = tau2_log.write(self.folder / "bf16.json", tau2_log.log("made-up-bf16"))
        for name in ("both.jsonl", "both.gz"):
            done = run("convert", self.log, other, "--to", "table", "-o", self.folder / name, expect=2)
            self.assertIn(b"2 logs can't go into one file; name a folder with -o", done.stderr)
            self.assertFalse((self.folder / name).exists())
        run("convert", self.log, other, "--to", "table", "-o", f"{self.folder / 'both.jsonl'}/")

    def test_the_number_of_threads_changes_no_byte(self):
        for target in ("tau2", "openai", "table"):
            one = self.convert(self.log, target, "one", "-j", "1").read_bytes()
            self.assertEqual(self.convert(self.log, target, "two", "-j", "2").read_bytes(), one)

    def test_several_logs_go_into_a_folder(self):
        run("convert", HEADLINE, "--to", "table", "-o", self.folder / "out", "-q")
        self.assertEqual(sorted(path.name for path in (self.folder / "out").iterdir()),
                         ["bf16.jsonl", "fp8.jsonl", "int4.jsonl"])
        error = run("convert", HEADLINE, "--to", "table", expect=2).stderr.decode()
        self.assertIn("name a folder with -o", error)
        other = self.folder / "other"
        other.mkdir()
        (other / "int4.json").write_bytes(self.log.read_bytes())
        error = run("convert", self.log, other / "int4.json", "--to", "table", "-o", self.folder / "out2",
                    expect=2).stderr.decode()
        self.assertIn("would both be written", error)

    def test_nothing_is_left_of_what_failed(self):
        bad = self.folder / "bad.json"
        bad.write_text('{"simulations": "none"}')
        for arguments, status in ((("--strict",), 3),):
            damaged = self.folder / "damaged.json"
            damaged.write_bytes(self.log.read_bytes()[:-200])
            run("convert", damaged, "--to", "table", "-o", self.folder / "never.jsonl", *arguments,
                expect=status)
        run("convert", bad, "--to", "table", "-o", self.folder / "never.jsonl", expect=3)
        run("convert", self.log, "--to", "table", "-o", self.folder / "no" / "never.jsonl", expect=5)
        self.assertEqual([path.name for path in self.folder.iterdir() if "never" in path.name], [])

    def test_the_log_itself_is_never_replaced(self):
        before = self.log.read_bytes()
        error = run("convert", self.log, "--to", "table", "-o", self.log, expect=2).stderr.decode()
        self.assertIn("is read here", error)
        self.assertEqual(self.log.read_bytes(), before)

    def test_outcomes_alone_cannot_be_converted(self):
        bare = tau2_log.write(self.folder / "outcomes.json",
                              {"config": {"domain": "retail"}, "results": {"n_tasks": 1},
                               "task_results": [{"task_id": "1", "success": True, "reward": 1.0, "trial": 0}]})
        error = run("convert", bare, "--to", "table", expect=3).stderr.decode()
        self.assertIn("can't be converted", error)

    def test_wrong_usage(self):
        for arguments in (["convert", self.log], ["convert", "--to", "table"],
                          ["convert", self.log, "--to", "csv"]):
            run(*arguments, expect=2)

    def test_no_credential_gets_through(self):
        secret = "sk-not-for-anyone-123456"
        document = json.loads(self.log.read_text())
        for agent in ("agent_info", "user_info"):
            document["info"][agent]["llm_args"] = {"temperature": 0.5, "api_key": secret,
                                                   "extra_headers": {"Authorization": f"Bearer {secret}"}}
        document["simulations"][0]["info"] = {"error": f"401 for key {secret}"}
        log = tau2_log.write(self.folder / "secret.json", document)
        for target in ("tau2", "openai", "table"):
            for more in ([], ["--texts"]):
                written = self.convert(log, target, "secret-out", *more).read_text()
                self.assertNotIn(secret, written)
                self.assertIn("0.5", written)

    def test_a_duplicate_is_written_once(self):
        document = json.loads(self.log.read_text())
        document["simulations"].append(document["simulations"][0])
        log = tau2_log.write(self.folder / "twice.json", document)
        lines = self.convert(log, "table", "twice.jsonl").read_text().splitlines()
        self.assertEqual(len(lines) - 1, len(document["simulations"]) - 1)

    def test_tables_state_channels_and_an_audit_says_so(self):
        table = self.convert(self.log, "table", "stated.jsonl")
        rows = [call for line in table.read_text().splitlines() for call in json.loads(line).get("calls", [])]
        failed = [row for row in rows if row[2] == 0]
        self.assertTrue(failed)
        self.assertEqual({row[3] for row in failed}, {"tool_name"})
        self.assertIn("stated", run("diagnose", table, "--format", "csv").stdout.decode())


if __name__ == "__main__":
    UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
