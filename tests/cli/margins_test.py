#!/usr/bin/env python3
"""unmask margins: decisions replayed over endpoints, files of scores gone on with, recorded choices.

  margins_test.py PATH_OF_UNMASK
"""
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

UNMASK = ""
TOOLS = [{"type": "function", "function": {"name": name, "description": "Does it.", "parameters": {
    "type": "object", "properties": {"lamp_id": {"type": "string"}, "mode": {"enum": ["on", "off"]}}}}}
         for name in ("find_lamp", "set_light")]


class Server(http.server.ThreadingHTTPServer):
    """Tells log-probabilities of the last message, a byte a token; `model` gives those of a letter."""

    def __init__(self, noise, offers=True):
        self.noise, self.offers, self.asked = noise, offers, 0
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1#tiny"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked += 1
        answer = {"choices": [{"message": {"role": "assistant", "content": "x"}, "finish_reason": "stop"}]}
        if self.server.offers and body.get("continue_final_message"):
            assert body["model"] == "tiny" and not body["add_generation_prompt"]
            text = body["messages"][-1]["content"]
            answer["prompt_logprobs"] = [None] + [
                {"1": {"logprob": -(ord(byte) % 7) / 10 - self.server.noise * (ord(byte) % 3), "decoded_token": byte}}
                for byte in text]
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def episode(number, name, arguments, **more):
    return {"task_id": f"t{number}", "tools": TOOLS, "reward": 1, "messages": [
        {"role": "system", "content": "Help."}, {"role": "user", "content": f"Lamp L{1000 + number}, please."},
        {"role": "assistant", "content": None, **more, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}]}]}


class Margins(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="unmask-margins-"))
        self.log = self.folder / "log.jsonl"
        names = ["find_lamp", "find_lmp", "set_light", "dim"]
        self.write(self.log, [episode(i, names[i % 4], {"lamp_id": f"L{1000 + i}"}) for i in range(12)])
        self.scores = self.folder / "scores.jsonl"

    @staticmethod
    def write(path, episodes):
        path.write_text("".join(json.dumps(each) + "\n" for each in episodes))

    def unmask(self, *arguments, code=0):
        done = subprocess.run([UNMASK, "margins", *map(str, arguments)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def replay(self, reference, arm, *more, code=0):
        return self.unmask("--contexts", self.log, "--reference", f"bf16={reference.url}", "--arm", f"int4={arm.url}",
                           "-o", self.scores, *more, code=code)

    def test_replay_and_print(self):
        reference, arm = Server(0.0), Server(0.2)
        done = self.replay(reference, arm)
        self.assertIn("int4", done.stdout)
        lines = [json.loads(line) for line in self.scores.read_text().splitlines()]
        self.assertEqual(lines[0]["schema"], "unmask.decisions/1")
        decisions = [line for line in lines if "decision" in line]
        scores = [line for line in lines if "score" in line]
        self.assertEqual(lines[0]["decisions"], len(decisions))
        kinds = [line["kind"] for line in decisions]
        self.assertEqual({kind: kinds.count(kind) for kind in sorted(set(kinds))},
                         {"call_or_answer": 12, "entity_argument": 6, "tool_name": 12})
        self.assertEqual(len(scores), 2 * len(decisions))
        self.assertFalse([line for line in scores if "fault" in line])
        found = json.loads(self.unmask(self.scores, "--format", "json").stdout)
        self.assertEqual(found["schema"], "unmask.margins/1")
        self.assertIn("int4", self.unmask(self.scores, "--format", "markdown").stdout)
        self.assertTrue(self.unmask(self.scores, "--format", "csv").stdout.startswith("arm,"))
        self.assertEqual(self.unmask(self.scores).stdout, done.stdout)
        self.unmask(self.scores, "--figures", self.folder / "figures")

    def test_going_on(self):
        reference, arm = Server(0.0), Server(0.2)
        self.replay(reference, arm)
        whole = self.scores.read_bytes()
        self.scores.write_bytes(whole[:-20])
        asked = reference.asked, arm.asked
        done = self.replay(reference, arm, "-v")
        self.assertEqual(self.scores.read_bytes(), whole)
        self.assertEqual(reference.asked, asked[0], "the reference had scored all")
        self.assertLess(arm.asked - asked[1], 30)
        self.assertIn("its last line is incomplete", done.stderr)

    def test_refusals(self):
        reference, arm = Server(0.0), Server(0.2)
        self.replay(reference, arm)
        for more, words in ((["--tempting", 1], "other contexts or options"), (["--temperature", 0.7], "temperatures"),
                            (["--kinds", "tool_name"], "other contexts or options")):
            self.assertIn(words, self.replay(reference, arm, *more, code=2).stderr)
        done = self.unmask("--contexts", self.log, "--reference", f"int4={arm.url}", "-o", self.scores, code=2)
        self.assertIn("its reference is bf16", done.stderr)
        for arguments, words in (([], "give a file of scores"), (["--contexts", self.log], "needs --reference"),
                                 (["--contexts", self.log, "--reference", "a=b.gguf"], "needs -o"),
                                 (["--reference", "a=b.gguf"], "need --contexts"),
                                 (["--contexts", self.log, "--reference", "a", "-o", self.scores], "not NAME=MODEL"),
                                 (["--contexts", self.log, "--reference", "a=b", "-o", self.scores], "neither a .gguf")):
            self.assertIn(words, self.unmask(*arguments, code=2).stderr)
        self.assertIn("no such file", self.unmask("--contexts", self.log, "--reference", "a=gone.gguf", "-o",
                                                  self.folder / "new.jsonl", code=5).stderr)

    def test_endpoint_without_scores(self):
        done = self.replay(Server(0.0, offers=False), Server(0.0), code=5)
        self.assertIn("serve the model with vLLM", done.stderr)

    def test_recorded_choices(self):
        tokens = [{"token": token, "logprob": -0.2, "top_logprobs": [{"token": other, "logprob": -1.5}]}
                  for token, other in (('{"name": "', "x"), ("find", "dim"), ("_lamp", "_light"), ('"', "s"))]
        covered = episode(0, "find_lamp", {}, logprobs={"content": tokens})
        bare = episode(1, "find_lamp", {}, logprobs={"content": [{"token": "Hm", "logprob": -0.1}]})
        self.write(self.log, [covered, bare])
        done = self.unmask(self.log, "-o", self.folder / "own.jsonl")
        self.assertIn("1 of 2 calls", done.stdout)
        self.assertIn("1 call: the log-probabilities leave the call's tokens out", done.stdout)
        own = (self.folder / "own.jsonl").read_text()
        self.assertIn('"kind":"capture"', own)
        self.assertIn('"at_most":[', own)
        self.unmask(self.folder / "own.jsonl")

    def test_a_damaged_line(self):
        self.replay(Server(0.0), Server(0.2))
        with self.scores.open("a") as file:
            file.write("{nonsense\n")
        self.assertIn("is no JSON", self.unmask(self.scores).stderr)
        self.unmask(self.scores, "--strict", code=3)


if __name__ == "__main__":
    UNMASK = sys.argv.pop(1)
    unittest.main()
