#!/usr/bin/env python3
"""Serves pages with `unmask view` and asks for them as a browser would, and as it must not.

  view_test.py PATH_OF_UNMASK

Skipped where the build has no page.
"""

import contextlib
import http.client
import json
import os
import pathlib
import re
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
import tau2_log  # noqa: E402

PATIENCE = 60  # seconds; a busy machine

STUDY = """
[study]
name = "tiny"
trials = {trials}
[[cell]]
id = "gemma-like/telecom"
domain = "telecom"
user = "scripted"
[cell.tasks]
number = 8
"""
ARM = """
[[cell.arm]]
name = "{name}"
precision = "{name}"
agent = "simulated"
model = "gemma-like-dense"
"""


class Server:
    """A running `unmask view`."""

    def __init__(self, process, address):
        self.process = process
        self.address = address
        self.port = int(address.rstrip("/").rpartition(":")[2])

    def get(self, path="", headers=None):
        request = urllib.request.Request(self.address + path, headers=headers or {})
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:
            return response.read(), response.headers

    def status(self):
        return json.loads(self.get("status")[0])

    def wait_for(self, what):
        """The status once `what` holds of it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            status = self.status()
            if what(status):
                return status
            time.sleep(0.1)
        raise AssertionError(f"waited in vain; {status}")

    def raw(self, bytes_):
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(bytes_)
            said = b""
            while piece := connection.recv(65536):
                said += piece
        return said

    def findings(self):
        html = self.get()[0].decode("utf-8")
        text = re.search(r'<script type="application/json" id="findings">(.*?)</script>', html, re.S)[1]
        return json.loads(text)


class View(command_test.CommandTest):
    @contextlib.contextmanager
    def view(self, *arguments, expect=0, path=os.environ["PATH"]):
        scratch = self.folder / "tmp"
        scratch.mkdir(exist_ok=True)
        environment = {**{name: value for name, value in os.environ.items() if not name.startswith("UNMASK_")},
                       "TMPDIR": str(scratch), "LC_ALL": "C.UTF-8", "PATH": path}
        process = subprocess.Popen([command_test.UNMASK, "view", *map(str, arguments)], text=True, env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            address = process.stdout.readline().strip()
            if not address:
                self.fail(process.stderr.read())
            self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/$")
            server = Server(process, address)
            yield server
            process.send_signal(signal.SIGINT)
            server.said = process.communicate(timeout=PATIENCE)[1]
            self.assertEqual(process.returncode, expect)
            self.assertEqual(list(scratch.iterdir()), [])  # nothing is left behind
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def report(self, *arguments):
        out = self.folder / "report.html"
        self.run_command("report", *arguments, "-q", "-o", out)
        return out.read_bytes()

    def logs(self):
        return f"bf16={self.good}", f"int4={self.other}"

    def play(self, folder, trials, arms=("bf16", "int4")):
        study = self.folder / f"study-{trials}-{len(arms)}.toml"
        text = STUDY.format(trials=trials) + "".join(ARM.format(name=name) for name in arms)
        study.write_text(text.replace('name = "bf16"\n', 'name = "bf16"\nreference = true\n'), encoding="utf-8")
        self.run_command("run", study, "-o", folder, "--no-audit", "-q")

    def test_serves_the_very_report_until_interrupted(self):
        with self.view(*self.logs()) as server:
            page, headers = server.get()
            self.assertEqual(page, self.report(*self.logs()))
            self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
            self.assertEqual(headers["Cache-Control"], "no-store")
            self.assertIn(server.status()["version"], headers["Server-Timing"])
            self.assertEqual(server.get("?x=1")[0], page)
            with self.assertRaises(urllib.error.HTTPError) as refused:
                server.get("etc/passwd")
            self.assertEqual(refused.exception.code, 404)
            refused.exception.close()

    def test_opens_the_page_in_the_browser(self):
        programs = self.folder / "bin"
        programs.mkdir()
        opened = self.folder / "opened"
        browser = programs / "xdg-open"
        browser.write_text(f'#!/bin/sh\necho chatter\nprintf %s "$*" >{opened}.part\nmv {opened}.part {opened}\n')
        browser.chmod(0o755)
        with self.view(*self.logs(), "--open", path=f"{programs}:{os.environ['PATH']}") as server:
            end = time.monotonic() + PATIENCE
            while not opened.exists() and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual(opened.read_text(), server.address)

    def test_lives_without_a_browser(self):
        (self.folder / "empty").mkdir()
        with self.view(*self.logs(), "--open", path=str(self.folder / "empty")) as server:
            self.assertEqual(server.get()[1]["Content-Type"], "text/html; charset=utf-8")
        self.assertIn(f"there is no xdg-open to open the page with; open {server.address}", server.said)

    def test_takes_what_the_options_say(self):
        arguments = (*self.logs(), "--episodes", "none", "--margin", "3")
        with self.view(*arguments) as server:
            self.assertEqual(server.get()[0], self.report(*arguments))

    def test_follows_its_logs(self):
        with self.view(*self.logs()) as server:
            before = server.status()
            tau2_log.write(self.other, tau2_log.log("made-up-int4", tasks=14, errors=lambda t, r: t % 4))
            after = server.wait_for(lambda status: status["version"] != before["version"])
            self.assertEqual(after["problem"], "")
            self.assertEqual(server.get()[0], self.report(*self.logs()))
            self.assertEqual(server.findings()["cells"][0]["arms"][1]["episodes"], 28)

    def test_follows_a_folder_that_gets_another_log(self):
        folder = self.folder / "logs"
        folder.mkdir()
        tau2_log.write(folder / "a.json", tau2_log.log("made-up-int4", trials=1))
        with self.view(f"bf16={self.good}", f"int4={folder}", "--append-trials") as server:
            before = server.status()
            tau2_log.write(folder / "b.json", tau2_log.log("made-up-int4", trials=1, errors=lambda t, r: 1))
            server.wait_for(lambda status: status["version"] != before["version"])
            self.assertEqual(server.findings()["cells"][0]["arms"][1]["episodes"], 24)

    def test_log_that_vanishes_and_comes_back(self):
        with self.view(*self.logs()) as server:
            page = server.get()[0]
            text = self.other.read_bytes()
            self.other.unlink()
            status = server.wait_for(lambda status: status["problem"] != "")
            self.assertIn("int4.json", status["problem"])
            self.assertEqual(server.get()[0], page)
            self.other.write_bytes(text)
            server.wait_for(lambda status: status["problem"] == "")
            self.assertEqual(server.get()[0], page)

    def test_run_that_has_ended(self):
        folder = self.folder / "run"
        self.play(folder, 1)
        expected = self.report("--study", folder / "study.toml")
        for place in (folder, folder / "run.sqlite"):
            with self.view(place) as server:
                self.assertEqual(server.get()[0], expected)

    def test_run_that_goes_on(self):
        folder = self.folder / "run"
        self.play(folder, 1, ["bf16"])
        (folder / "study.toml").unlink()  # as before its end
        with self.view(folder) as server:
            before = server.status()
            findings = server.findings()
            self.assertEqual([arm["episodes"] for arm in findings["cells"][0]["arms"]], [8])
            self.assertTrue(all(entry["path"].startswith(str(folder)) for entry in findings["inputs"]))
            self.play(folder, 2)
            expected = self.report("--study", folder / "study.toml")
            server.wait_for(lambda status: status["version"] != before["version"] and server.get()[0] == expected)
            self.assertEqual([arm["episodes"] for arm in server.findings()["cells"][0]["arms"]], [16, 16])

    def test_only_this_machine_is_answered_and_only_get(self):
        with self.view(*self.logs()) as server:
            for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", ""):
                said = server.raw(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                self.assertTrue(said.startswith(b"HTTP/1.1 403 "), said[:60])
                self.assertNotIn(b"<html", said)
            for host in ("localhost", f"localhost:{server.port}", "127.0.0.1"):
                said = server.raw(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                self.assertTrue(said.startswith(b"HTTP/1.1 200 "), said[:60])
            for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS"):
                connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
                connection.request(method, "/")
                self.assertEqual(connection.getresponse().status, 405)
                connection.close()
            self.assertTrue(server.raw(b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 "))
            with socket.socket() as elsewhere:  # of this machine's other addresses none listens
                elsewhere.settimeout(2)
                with self.assertRaises(OSError):
                    elsewhere.connect(("127.0.0.2", server.port))

    def test_ports(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = self.run_command("view", *self.logs(), "--port", port, expect=5)
            self.assertIn(f"port {port} ", done.stderr)
        with self.view(*self.logs(), "--port", port) as server:
            self.assertEqual(server.port, port)
        for wrong in ("70000", "-1", "x"):
            self.run_command("view", *self.logs(), "--port", wrong, expect=2)

    def test_what_can_not_be_shown(self):
        self.assertIn("can't be read again", self.run_command("view", "-", self.good, expect=2).stderr)
        self.run_command("view", f"bf16={self.folder}/nothing.json", expect=3)
        (self.folder / "run.sqlite").write_text("no database", encoding="utf-8")
        self.assertIn("run.sqlite", self.run_command("view", self.folder, expect=3).stderr)


if __name__ == "__main__":
    command_test.UNMASK = os.path.abspath(sys.argv.pop(1))
    probe = subprocess.run([command_test.UNMASK, "report", "-o", os.devnull], capture_output=True, text=True, check=False)
    if "no report page" in probe.stderr:
        print("skipped: this build of the command has no page (UNMASK_PAGE)")
        sys.exit(77)
    unittest.main()
