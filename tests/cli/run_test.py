#!/usr/bin/env python3
"""unmask run as a person would run it: against an endpoint that answers by the request alone, killed and
interrupted at random moments, with endpoints that fail and disks that are full.

  run_test.py PATH_OF_UNMASK [--kills N] [unittest's arguments]
"""

import fcntl
import gzip
import json
import os
import pathlib
import pty
import random
import re
import resource
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (they stand beside this file)
import mock_endpoint  # noqa: E402

SCHEMA = pathlib.Path(__file__).resolve().parent.parent.parent / "docs/schemas/audit.json"
KEY = "sk-mock-5f1c9a7e3b2d48609c1e"
KILLS = 20
# Differ between a run that was disturbed and one that was not.
PASSING = ("timestamp", "start_time", "end_time", "duration", "generation_time_seconds")

LOCAL = """[study]
trials = 2
[[cell]]
id = "small/telecom"
domain = "telecom"
[cell.tasks]
number = 8
[[cell.arm]]
name = "bf16"
precision = "bf16"
agent = "simulated"
model = "gemma-like-dense"
reference = true
[[cell.arm]]
name = "int4"
precision = "int4"
agent = "simulated"
model = "gemma-like-dense"
"""


def without_times(value):
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if key not in PASSING}
    if isinstance(value, list):
        return [without_times(each) for each in value]
    return value


class Run(command_test.CommandTest):
    def endpoint(self, **options):
        endpoint = mock_endpoint.MockEndpoint(**options)
        self.addCleanup(endpoint.close)
        return endpoint

    def study(self, text, name="study.toml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def models_study(self, *urls, trials=1, tasks=3, user="scripted"):
        text = f"[study]\ntrials = {trials}\nmax_steps = 20\nmax_errors = 4\n"
        for i, url in enumerate(urls):
            text += (f'[[endpoint]]\nname = "e{i}"\nbase_url = "{url}"\nmodel = "mock-{i}"\n'
                     f'api_key_env = "MOCK_KEY"\nmax_concurrency = 4\nretries = 4\ntimeout = 20\n')
        text += (f'[[cell]]\nid = "mock/telecom"\ndomain = "telecom"\nuser = "{user}"\n'
                 f'[cell.tasks]\nnumber = {tasks}\n')
        for i in range(len(urls)):
            text += f'[[cell.arm]]\nname = "arm{i}"\nagent = "llm"\nendpoint = "e{i}"\n'
        return self.study(text)

    def command(self, study, folder, *arguments):
        return [command_test.UNMASK, "run", str(study), "-o", str(folder), "--no-audit", "--pack", "gzip",
                *map(str, arguments)]

    def environment(self):
        outside = {name: value for name, value in os.environ.items() if not name.startswith("UNMASK_")}
        return {**outside, "MOCK_KEY": KEY, "LC_ALL": "C.UTF-8"}

    def run_study(self, study, folder, *arguments, expect=0):
        done = subprocess.run(self.command(study, folder, *arguments), capture_output=True, text=True,
                              timeout=240, env=self.environment())
        self.assertEqual(done.returncode, expect, done.stdout + done.stderr)
        self.assertNotIn(KEY, done.stdout + done.stderr)
        return done

    def logs(self, folder, kind="logs"):
        return {path.relative_to(folder).as_posix(): without_times(json.loads(gzip.decompress(path.read_bytes())))
                for path in sorted(pathlib.Path(folder).glob(f"{kind}/*/*.json.gz"))}

    def audit(self, folder):
        """The audit of a run's folder, which fits its schema."""
        audit = json.loads(self.run_command("audit", "--study", folder, "--format", "json",
                                            "--replicates", "200").stdout)
        jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(audit)
        return audit

    def assert_no_key(self, folder):
        for path in pathlib.Path(folder).rglob("*"):
            if not path.is_file():
                continue
            data = path.read_bytes()
            self.assertNotIn(KEY.encode(), data, path)
            if path.suffix == ".gz":
                self.assertNotIn(KEY.encode(), gzip.decompress(data), path)


class WithoutModels(Run):
    def test_ends_with_the_audit(self):
        done = self.run_command("run", self.study(LOCAL), "-o", self.folder / "run")
        self.assertIn("small/telecom", done.stdout)
        self.assertRegex(done.stdout, r"int4  [A-Z]+")
        audit = json.loads(self.run_command("audit", "--study", self.folder / "run", "--format", "json").stdout)
        self.assertEqual(audit["cells"][0]["reference"], "bf16")
        self.assertEqual([arm["episodes"] for arm in audit["cells"][0]["arms"]], [16, 16])
        # The same once more: nothing is left to play.
        again = self.run_command("run", self.study(LOCAL), "-o", self.folder / "run")
        self.assertEqual(again.stdout, done.stdout)

    def test_replay_confirms_rewards(self):
        self.run_study(self.study(LOCAL.replace("tasks]\nnumber = 8", "tasks]\nnumber = 114")), self.folder / "run")
        for log in sorted((self.folder / "run").glob("logs/*/*.json.gz")):
            replayed = json.loads(self.run_command("replay", log, "--format", "json").stdout)
            [found] = replayed["logs"]
            self.assertEqual(found["calls"]["differ"], 0)
            self.assertGreater(found["rewards"]["compared"], 0)
            self.assertEqual(found["rewards"]["equal"], found["rewards"]["compared"])

    def test_two_runs_are_the_same(self):
        study = self.study(LOCAL)
        for name, threads in (("a", 1), ("b", 3)):
            self.run_study(study, self.folder / name, "-j", threads)
        self.assertEqual(len(self.logs(self.folder / "a")), 2)
        self.assertEqual(self.logs(self.folder / "a"), self.logs(self.folder / "b"))

    def test_mistakes(self):
        for text, says, code in (
                ("", "no [[cell]]", 3),
                (LOCAL.replace("gemma-like-dense", "nobody"), "no simulated model 'nobody'", 3),
                (LOCAL.replace('precision = "int4"', 'precision = "int3"'), "knows no precision 'int3'", 3),
                (LOCAL.replace("number = 8", 'source = "tau2"'), "--tau2-data", 2),
                (LOCAL.replace("trials = 2", "trails = 2"), "study.toml:2: unknown key 'trails'", 3)):
            done = self.run_command("run", self.study(text), "-o", self.folder / "none", expect=code)
            self.assertIn(says, done.stderr)
        self.run_study(self.study(LOCAL), self.folder / "run")
        done = self.run_study(self.study(LOCAL.replace("trials = 2", "trials = 1")), self.folder / "run", expect=3)
        self.assertIn("trials was 2 and is now 1", done.stderr)
        # A study to be run is no study of logs.
        done = self.run_command("audit", "--study", self.study(LOCAL), expect=3)
        self.assertIn("unmask run", done.stderr)

    def test_full_disk(self):
        study = self.study(LOCAL.replace("trials = 2", "trials = 60"))

        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

        done = subprocess.run(self.command(study, self.folder / "run"), capture_output=True, text=True,
                              timeout=120, env=self.environment(), preexec_fn=small_files)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("run.sqlite", done.stderr)
        self.run_study(study, self.folder / "run")
        self.run_study(study, self.folder / "whole")
        self.assertEqual(self.logs(self.folder / "run"), self.logs(self.folder / "whole"))


class WithModels(Run):
    def test_plays_and_keeps_the_key_to_itself(self):
        endpoint = self.endpoint(key=KEY)
        folder = self.folder / "run"
        self.run_study(self.models_study(endpoint.url, endpoint.url, user="e0"), folder)
        logs = self.logs(folder)
        self.assertEqual(len(logs), 2)
        for log in logs.values():
            self.assertEqual(len(log["simulations"]), 3)
            self.assertEqual(log["info"]["agent_info"]["implementation"], "llm_agent")
        self.assert_no_key(folder)
        # Each message but the greetings was paid for, once.
        spoken = sum(1 for log in logs.values() for simulation in log["simulations"]
                     for message in simulation["messages"][1:] if message["role"] != "tool")
        self.assertEqual(sum(endpoint.answered.values()), spoken)

    def test_wrong_key(self):
        endpoint = self.endpoint(key="another-key-of-the-server")
        done = self.run_study(self.models_study(endpoint.url), self.folder / "run", expect=5)
        self.assertIn("arm0: 3 of 3", done.stderr)
        self.assertIn("401", done.stderr)
        self.assert_no_key(self.folder / "run")
        environment = self.environment()
        del environment["MOCK_KEY"]
        done = subprocess.run(self.command(self.folder / "study.toml", self.folder / "other"), env=environment,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("MOCK_KEY is not set", done.stderr)

    def test_kill_at_any_moment(self):
        quiet = self.endpoint(key=KEY)
        # Two names for one server: the answers are the same, the requests' bytes too.
        study = self.models_study(quiet.url, quiet.url, tasks=6 * KILLS // 20, trials=2, user="e0")
        self.run_study(study, self.folder / "whole")
        whole = self.logs(self.folder / "whole")
        asked = sum(quiet.answered.values())
        quiet.answered.clear()
        quiet.attempts.clear()
        quiet.chaos, quiet.latency = True, 0.1
        rng = random.Random(5)
        folder = self.folder / "killed"
        kills = 0
        while kills < KILLS:
            process = subprocess.Popen(self.command(study, folder), env=self.environment(),
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                out, _ = process.communicate(timeout=0.05 + rng.random() * 0.6)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            if process.returncode == 0:
                break
            self.assertEqual(process.returncode, 5, out)  # an undecodable answer, taken up again
        for _ in range(10):
            done = subprocess.run(self.command(study, folder), env=self.environment(), capture_output=True,
                                  text=True, timeout=240)
            if done.returncode == 0:
                break
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreaterEqual(kills, KILLS // 5, "the run ended before it was disturbed enough")
        print(f"{kills} kills")
        killed = self.logs(folder)
        self.assertEqual(killed.keys(), whole.keys())
        for name, log in whole.items():
            for before, after in zip(log["simulations"], killed[name]["simulations"]):
                self.assertEqual(before, after, f"{name}, task {before['task_id']}, trial {before['trial']}")
            self.assertEqual(log, killed[name])
        # At most what was under way at a kill is paid for again: eight requests.
        again = sum(quiet.answered.values()) - asked
        self.assertLessEqual(again, 8 * kills)
        self.assert_no_key(folder)

    def test_interrupt(self):
        endpoint = self.endpoint(key=KEY)
        study = self.models_study(endpoint.url, tasks=4, trials=2)
        self.run_study(study, self.folder / "whole")
        endpoint.latency = 0.05
        process = subprocess.Popen(self.command(study, self.folder / "run"), env=self.environment(),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while not any((self.folder / "run").glob("run.sqlite")):
            time.sleep(0.02)
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130, error)
        self.assertIn("same command", error)
        endpoint.latency = 0
        self.run_study(study, self.folder / "run")
        self.assertEqual(self.logs(self.folder / "run"), self.logs(self.folder / "whole"))
        # What was under way at the interrupt was waited for.
        self.assertEqual(set(endpoint.answered.values()), {2})

    def test_check(self):
        free, bound, gone = self.endpoint(key=KEY), self.endpoint(key=KEY, constrained=True), self.endpoint()
        study = self.models_study(free.url, bound.url, user="e0")
        study.write_text(study.read_text().replace('model = "mock-0"', 'model = "mock"'))
        environment = {"MOCK_KEY": KEY}
        text = self.run_command("run", study, "--check", environment=environment).stdout
        first, second, estimate = re.split(r"endpoint e1|the whole run", text)
        for line in ("model listed      yes", "context           32768 tokens", "calls tools       yes",
                     "undeclared names  yes", "log-probabilities yes", "reasoning         no"):
            self.assertIn(line, first)
        for line in ("model listed      no: 'mock-1' is not among mock", "undeclared names  no: ",
                     "reasoning         yes"):
            self.assertIn(line, second)
        self.assertRegex(estimate, r"e0 +90 requests")
        self.assertRegex(estimate, r"e1 +42 requests")
        self.assertNotIn(KEY, text)
        gone.close()
        study = self.models_study(gone.url)
        done = self.run_command("run", study, "--check", environment=environment, expect=5)
        self.assertIn("NOT USABLE", done.stdout)
        self.assertFalse((self.folder / "run").exists())
        self.run_command("run", study, expect=2)

    def test_one_endpoint_fails(self):
        good, bad = self.endpoint(key=KEY), self.endpoint(key=KEY)
        bad.down = True
        study = self.models_study(good.url, bad.url).read_text().replace("retries = 4", "retries = 0")
        study = self.study(study)
        done = self.run_study(study, self.folder / "run", expect=5)
        self.assertIn("arm1: 3 of 3 episodes are not done", done.stderr)
        self.assertNotIn("arm0", done.stderr)
        logs = self.logs(self.folder / "run")
        self.assertEqual(len(logs["logs/mock-telecom/arm0.json.gz"]["simulations"]), 3)
        bad.down = False
        self.run_study(study, self.folder / "run")
        self.assertEqual(len(self.logs(self.folder / "run")), 2)


REPAIRED = """[[cell.arm]]
name = "held"
agent = "llm"
endpoint = "e0"
repair = "intercept"
repairs = "arm0"
mode = "intercept"
"""


class Intercepted(Run):
    def test_is_counted_apart(self):
        endpoint = self.endpoint(key=KEY)
        study = self.models_study(endpoint.url, tasks=6, trials=2)
        study.write_text(study.read_text() + REPAIRED)
        self.run_study(study, self.folder / "run")
        log = self.logs(self.folder / "run")["logs/mock-telecom/held.json.gz"]
        held = [call for simulation in log["simulations"] for message in simulation["info"]["held_back"]
                for call in message["tool_calls"]]
        self.assertGreater(len(held), 0)
        audit = self.audit(self.folder / "run")
        [repair] = audit["repairs"]
        # A message with one wrong call is held back whole: the mock's other calls lack arguments, or are right.
        self.assertGreater(repair["intercepted"], 0)
        self.assertLessEqual(repair["intercepted"], len(held))
        channels = repair["intercepted_calls"]["by_channel"]
        self.assertEqual(channels["tool_name"], sum(call["name"] == "invented_tool" and not isinstance(call["arguments"], str)
                                                    for call in held))
        self.assertEqual(channels["malformed"], sum(isinstance(call["arguments"], str) for call in held))
        self.assertEqual(sum(channels.values()), repair["intercepted"])
        arms = {arm["arm"]: arm for arm in audit["cells"][0]["arms"]}
        calls = [call for simulation in log["simulations"] for message in simulation["messages"]
                 for call in message.get("tool_calls") or [] if call["requestor"] == "assistant"]
        self.assertEqual(arms["held"]["agent_calls"], len(calls), "what was held back is no call")
        self.assertEqual(arms["held"]["intercepted"]["calls"], repair["intercepted"])
        self.assertNotIn("intercepted", arms["arm0"])
        for point in repair["intercepted_calls"]["score"]:
            if point["score"]["value"] is not None:
                self.assertLessEqual(point["score_intercepted_counted"]["value"], point["score"]["value"])
        text = self.run_command("audit", "--study", self.folder / "run").stdout
        self.assertRegex(text, r"held back +[0-9]+ wrong calls? in")


class Terminal(Run):
    def drawn(self, columns, rows):
        """The lines that a run draws on a terminal."""
        endpoint = self.endpoint(key=KEY, latency=0.15)
        study = self.models_study(endpoint.url, endpoint.url)
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        process = subprocess.Popen(self.command(study, self.folder / f"{columns}x{rows}"), env=self.environment(),
                                   stdout=subprocess.DEVNULL, stderr=follower)
        os.close(follower)
        said = b""
        try:
            while piece := os.read(leader, 65536):
                said += piece
        except OSError:  # the other end is closed
            pass
        os.close(leader)
        self.assertEqual(process.wait(timeout=60), 0, said)
        return [re.sub(r"\x1b\[\d*[A-Z]", "", line).strip("\r") for line in said.decode().split("\n")]

    def test_lines_fit(self):
        narrow = self.drawn(60, 30)
        self.assertTrue(any("not offered" in line for line in narrow), narrow)
        self.assertLessEqual(max(map(len, narrow)), 59)
        self.assertFalse(any("..." in line for line in narrow), narrow)
        self.assertTrue(any(re.search("arm0.*S\\(10\\).*not offered", line) for line in self.drawn(200, 30)))
        low = self.drawn(60, 3)
        self.assertTrue(any("and 2 more arms" in line for line in low), low)

    def test_a_check_ends_at_the_first_interrupt(self):
        endpoint = self.endpoint(key=KEY, latency=20)
        process = subprocess.Popen([command_test.UNMASK, "run", str(self.models_study(endpoint.url)), "--check"],
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=10)
        self.assertEqual((process.returncode, out), (130, ""), error)
        self.assertIn("interrupted", error)


class NoRun(Run):
    def test_what_stands_where_the_run_should_be(self):
        study = self.study(LOCAL)
        (self.folder / "a" / "run.sqlite").mkdir(parents=True)
        (self.folder / "b").mkdir()
        (self.folder / "b" / "run.sqlite").touch()
        for name, says in (("a", "is a folder where a run's file should be"), ("b", "is empty")):
            done = self.run_command("run", study, "-o", self.folder / name, expect=3)
            self.assertIn(f"{name}/run.sqlite: {says}", done.stderr)

    def test_cells_of_one_arm(self):
        [head, cell] = LOCAL.split("[[cell]]")
        alone = "[[cell]]" + cell[:cell.rindex("[[cell.arm]]")]
        study = self.study(head + alone + alone.replace('id = "', 'id = "other-'))
        done = self.run_command("run", study, "-o", self.folder / "run")
        self.assertIn("2 cells, 0 comparisons", done.stdout)

    def test_a_study_of_logs(self):
        study, folder = self.study(LOCAL), self.folder / "run"
        self.run_command("run", study, "-o", folder, "--no-audit")
        done = self.run_command("run", folder, "-o", folder, expect=3)
        self.assertIn("this is a study of logs", done.stderr)
        self.assertIn("the study that it was begun with", done.stderr)


class SingleTurn(Run):
    def test_stands_beside_the_loop(self):
        study, folder = self.study(LOCAL), self.folder / "run"
        alone = self.run_command("run", study, "-o", folder, "--single-turn").stdout
        self.assertIn("first calls only", alone)
        self.assertRegex(alone, r"first call +at each state")
        audit = self.audit(folder)
        [cell] = audit["cells"]
        self.assertEqual(cell["arms"], [])
        self.assertEqual([arm["arm"] for arm in cell["single_turn"]["arms"]], ["bf16", "int4"])
        self.assertEqual(cell["reference"], "bf16")
        both = self.run_command("run", study, "-o", folder).stdout
        self.assertIn("in the loop", both)
        with_episodes = self.audit(folder)["cells"][0]
        self.assertEqual(with_episodes["single_turn"], cell["single_turn"])
        self.assertEqual([arm["episodes"] for arm in with_episodes["arms"]], [16, 16])
        again = self.run_command("run", study, "-o", folder, "--single-turn").stdout
        self.assertEqual(again, both)
        markdown = self.run_command("audit", "--study", folder, "--format", "markdown").stdout
        self.assertIn("*first call*", markdown)
        self.assertIn("nothing to probe", self.run_command("run", study, "--check", "--single-turn").stdout)

    def test_kill_at_any_moment(self):
        endpoint = self.endpoint(key=KEY)
        study = self.models_study(endpoint.url, endpoint.url, tasks=4, trials=2, user="e0")
        self.run_study(study, self.folder / "whole", "--single-turn")
        whole = self.logs(self.folder / "whole", "single-turn")
        self.assertEqual(len(whole), 2)
        asked = sum(endpoint.answered.values())
        self.assertEqual(asked, sum(len(log["simulations"]) for log in whole.values()), "one request an answer")
        endpoint.answered.clear()
        endpoint.attempts.clear()
        endpoint.chaos, endpoint.latency = True, 0.1
        rng, folder, kills = random.Random(7), self.folder / "killed", 0
        for _ in range(200):
            process = subprocess.Popen(self.command(study, folder, "--single-turn"), env=self.environment(),
                                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            try:
                out, _ = process.communicate(timeout=0.1 + rng.random() * 0.6 if kills < 8 else 240)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            if process.returncode == 0:
                break
            self.assertEqual(process.returncode, 5, out)  # an undecodable answer, taken up again
        self.assertEqual(self.logs(folder, "single-turn"), whole)
        self.assertLessEqual(sum(endpoint.answered.values()) - asked, 8 * kills)
        self.assert_no_key(folder)


if __name__ == "__main__":
    command_test.UNMASK = sys.argv[1]
    arguments = sys.argv[2:]
    if arguments[:1] == ["--kills"]:
        KILLS = int(arguments[1])
        arguments = arguments[2:]
    unittest.main(argv=[sys.argv[0], *arguments])
