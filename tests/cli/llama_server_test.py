#!/usr/bin/env python3
"""Probes and plays a real llama-server: `unmask run --check`, a small study, a server that goes away.

  llama_server_test.py PATH_OF_UNMASK PATH_OF_LLAMA_SERVER

The model is SmolLM2-135M of scripts/get-small-models; without it the test is skipped (status 77).
"""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)

SERVER = ""
DATA = pathlib.Path(os.environ.get("XDG_DATA_HOME") or pathlib.Path.home() / ".local/share")
MODEL = DATA / "unmask/models/smollm2-135m-instruct-q4_1.gguf"
PATIENCE = 300  # seconds; a busy machine

STUDY = """
[study]
name = "served"
trials = 1
max_steps = 4
[[endpoint]]
name = "served"
base_url = "{url}/v1"
max_concurrency = 2
temperature = 0.0
max_tokens = 32
top_logprobs = 5
retries = 0
text_protocol = {text_protocol}
[[cell]]
id = "smollm2/retail"
domain = "retail"
user = "scripted"
[cell.tasks]
number = 1
difficulty = "tiny"
policy = "short"
[[cell.arm]]
name = "q4_1"
agent = "llm"
endpoint = "served"
"""


@contextlib.contextmanager
def llama_server(folder, context=8192):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    with open(folder / "server.log", "w", encoding="utf-8") as log:
        process = subprocess.Popen([SERVER, "-m", str(MODEL), "--port", str(port), "--host", "127.0.0.1", "-np", "2",
                                    "-c", str(2 * context), "-t", "2", "--jinja"], stdout=log, stderr=log)
        try:
            end = time.monotonic() + PATIENCE
            while True:
                with contextlib.suppress(urllib.error.URLError, ConnectionError):
                    if urllib.request.urlopen(f"{url}/health", timeout=5).status == 200:
                        break
                if process.poll() is not None or time.monotonic() > end:
                    raise AssertionError((folder / "server.log").read_text(encoding="utf-8")[-2000:])
                time.sleep(0.1)
            yield url, process
        finally:
            process.kill()
            process.wait()


class LlamaServer(command_test.CommandTest):
    def study(self, url, text_protocol=True):
        path = self.folder / "study.toml"
        path.write_text(STUDY.format(url=url, text_protocol=str(text_protocol).lower()), encoding="utf-8")
        return path

    def run_command(self, *arguments, **options):
        return super().run_command(*arguments, patience=PATIENCE, **options)

    def log(self, run):
        found = sorted((run / "logs").rglob("*.json"))
        self.assertEqual(len(found), 1)
        return json.loads(found[0].read_text(encoding="utf-8"))

    def test_check(self):
        with llama_server(self.folder) as (url, _):
            text = self.run_command("run", self.study(url), "--check").stdout
        self.assertRegex(text, r"context +8192 tokens")
        # A model of this size copies the placeholder of the instructions; that its names are free is seen all the same.
        self.assertRegex(text, r"undeclared names +yes|calls tools +yes")
        self.assertRegex(text, r"log-probabilities +yes")

    def test_tools_that_a_template_ignores_are_told(self):
        with llama_server(self.folder) as (url, _):
            text = self.run_command("run", self.study(url, text_protocol=False), "--check").stdout
        # SmolLM2's template has no tools: the server takes them and says nothing.
        self.assertRegex(text, r"calls tools +no")

    def test_study_with_log_probabilities(self):
        run = self.folder / "run"
        with llama_server(self.folder) as (url, _):
            study = self.study(url)
            self.run_command("run", study, "-o", run, "--pack", "none", "-q")
            first = self.log(run)
            self.assertEqual(len(first["simulations"]), 1)
            self.assertTrue(all(each["termination_reason"] != "infrastructure_error" for each in first["simulations"]))
        spoken = [message for each in first["simulations"] for message in each["messages"]
                  if message["role"] == "assistant" and message.get("raw_data")]
        self.assertGreater(len(spoken), 0)
        for message in spoken:
            for token in message["raw_data"]["choices"][0]["logprobs"]["content"]:
                self.assertLessEqual(token["logprob"], 0)
                self.assertEqual(len(token["top_logprobs"]), 5)

    def test_server_that_goes_away(self):
        run = self.folder / "run"
        with llama_server(self.folder) as (url, process):
            study = self.study(url)
            going = subprocess.Popen([command_test.UNMASK, "run", study, "-o", run, "--pack", "none", "-q"],
                                     stderr=subprocess.PIPE, text=True)
            end = time.monotonic() + PATIENCE
            while not (run / "run.sqlite").exists() and time.monotonic() < end:
                time.sleep(0.05)
            process.send_signal(signal.SIGKILL)
            said = going.communicate(timeout=PATIENCE)[1]
            self.assertEqual(going.returncode, 5, said)
            self.assertIn("episodes are not done", said)


if __name__ == "__main__":
    command_test.UNMASK, SERVER = sys.argv.pop(1), sys.argv.pop(1)
    if not MODEL.exists():
        print(f"skipped: {MODEL} is not there; scripts/get-small-models gets it")
        sys.exit(77)
    unittest.main()
