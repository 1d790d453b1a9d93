#!/usr/bin/env python3
"""Makes report pages and takes them apart, without a browser.

  report_test.py PATH_OF_UNMASK

Skipped where the build has no page.
"""

import base64
import gzip
import json
import os
import re
import subprocess
import sys
import unittest
import pathlib

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)
import tau2_log  # noqa: E402


def unpacked(text):
    return json.loads(gzip.decompress(base64.b64decode(text)))


class Page:
    def __init__(self, html):
        self.html = html
        self.findings = re.search(r'<script type="application/json" id="findings">(.*?)</script>', html, re.S)[1]
        self.rows = unpacked(re.search(r'<script type="text/plain" id="rows">([^<]*)</script>', html)[1])
        self.blocks = [unpacked(block) for block in
                       re.findall(r'<script type="text/plain" class="block">([^<]*)</script>', html)]

    def bodies(self):
        return [body for block in self.blocks for body in block]

    def arm(self, name):
        return next(arm for arm in self.rows["cells"][0]["arms"] if arm["arm"] == name)


class Report(command_test.CommandTest):
    def page(self, *arguments, **options):
        out = self.folder / "page.html"
        self.run_command("report", *arguments, "-o", out, **options)
        return Page(out.read_text(encoding="utf-8"))

    def logs(self):
        return f"bf16={self.good}", f"int4={self.other}"

    def test_holds_the_findings_of_the_audit(self):
        audit = self.run_command("audit", "--format", "json", *self.logs()).stdout
        self.assertEqual(self.page(*self.logs()).findings.replace("\\u003c", "<"), audit)

    def test_holds_every_call_and_text(self):
        page = self.page(*self.logs())
        for name, path in (("bf16", self.good), ("int4", self.other)):
            arm = page.arm(name)
            log = json.loads(path.read_text(encoding="utf-8"))
            calls = [call for simulation in log["simulations"] for message in simulation["messages"]
                     for call in message.get("tool_calls") or []]
            self.assertEqual(sorted(arm["names"][name] for name in arm["calls"]["name"]),
                             sorted(call["name"] for call in calls))
            self.assertEqual(sum(arm["episodes"]["calls"]), len(calls))
            for index, block in enumerate(arm["episodes"]["block"]):
                body = page.blocks[block][arm["episodes"]["place"][index]]
                task = arm["tasks"][arm["episodes"]["task"][index]]
                self.assertEqual(body["id"], f"sim-{task.removeprefix('task_')}-{arm['episodes']['trial'][index]}")
                self.assertEqual(len([call for call in body["calls"] if "history" not in call]),
                                 arm["episodes"]["calls"][index])

    def test_same_bytes_on_any_number_of_threads_and_from_audit(self):
        one = self.page(*self.logs(), "-j", 1).html
        self.assertEqual(one, self.page(*self.logs(), "-j", 2).html)
        self.assertEqual(one, self.run_command("audit", "--format", "html", *self.logs()).stdout)
        self.assertEqual(one, self.run_command("report", *self.logs(), "-o", "-").stdout)

    def test_packed_logs(self):
        packed = self.folder / "packed.json.gz"
        packed.write_bytes(gzip.compress(self.other.read_bytes()))
        self.assertEqual(len(self.page(f"bf16={self.good}", f"int4={packed}").bodies()), 48)

    def test_episodes(self):
        self.assertEqual(len(self.page(*self.logs()).bodies()), 48)
        none = self.page(*self.logs(), "--episodes", "none")
        self.assertEqual(none.blocks, [])
        self.assertEqual(set(none.arm("int4")["episodes"]["block"]), {-1})
        sampled = self.page(*self.logs(), "--episodes", "sample:5")
        self.assertEqual(len(sampled.bodies()), 10)
        chosen = [[(arm["episodes"]["task"][i], arm["episodes"]["trial"][i])
                   for i, block in enumerate(arm["episodes"]["block"]) if block >= 0]
                  for arm in sampled.rows["cells"][0]["arms"]]
        self.assertEqual(chosen[0], chosen[1])
        failed = self.page(*self.logs(), "--episodes", "failed")
        self.assertTrue(failed.bodies())
        self.assertTrue(all(body["reward"] != 1 for body in failed.bodies()))
        for wrong in ("some", "sample:0", "sample:x"):
            done = self.run_command("report", *self.logs(), "--episodes", wrong, expect=2)
            self.assertIn("none of all, failed, sample:N, none", done.stderr)

    def test_nothing_leaves_its_element(self):
        evil = "</script><script>alert(1)</script><!--"
        log = self.write("evil.json", tau2_log.log("made-up-int4", errors=lambda t, r: 1, task_text=evil))
        text = log.read_text(encoding="utf-8").replace("toggle_data", json.dumps(evil)[1:-1])
        log.write_text(text, encoding="utf-8")
        page = self.page(f"bf16={self.good}", f"int4={log}")
        self.assertIn(evil, page.arm("int4")["names"])
        own = page.html[page.html.index("<script>"):]  # the page's script ends where it should
        self.assertNotIn("alert(1)", page.html.replace("\\u003c/script>\\u003cscript>alert(1)", "")
                         .replace("&lt;/script&gt;&lt;script&gt;alert(1)", ""))
        self.assertEqual(own.count("<script>"), 1)

    def test_folder(self):
        folder = self.folder / "report"
        (folder / "blocks").mkdir(parents=True)
        for number in (1, 3):  # of an earlier, larger report, one of whose blocks is gone
            (folder / "blocks" / f"{number}.js").write_text('window.unmaskBlocks[1]="";', encoding="utf-8")
        self.run_command("report", *self.logs(), "--folder", folder, cwd=self.folder)
        self.assertFalse((self.folder / "unmask-report.html").exists())
        page = Page((folder / "index.html").read_text(encoding="utf-8"))
        whole = self.page(*self.logs())
        self.assertEqual((page.findings, page.rows, page.blocks), (whole.findings, whole.rows, []))
        self.assertIn('id="blocks-beside">1</script>', page.html)
        self.assertEqual([path.name for path in (folder / "blocks").iterdir()], ["0.js"])
        text = (folder / "blocks" / "0.js").read_text(encoding="utf-8")
        self.assertEqual(unpacked(re.fullmatch(r'window\.unmaskBlocks\[0\]="([A-Za-z0-9+/=]*)";\n', text)[1]),
                         whole.blocks[0])
        self.run_command("report", *self.logs(), "--folder", folder, "-o", "x.html", expect=2)
        self.run_command("report", *self.logs(), "--folder", self.good, expect=5)

    def test_folder_of_others(self):
        folder = self.folder / "site"
        (folder / "blocks").mkdir(parents=True)
        for place in ("index.html", "blocks/7.js"):
            (folder / place).write_text("somebody's own", encoding="utf-8")
            done = self.run_command("report", *self.logs(), "--folder", folder, expect=2)
            self.assertIn(f"{place}: no report wrote this file", done.stderr)
            self.assertEqual((folder / place).read_text(encoding="utf-8"), "somebody's own")
            self.assertEqual([path.name for path in folder.rglob("*.*")], [pathlib.Path(place).name])
            (folder / place).unlink()
        for place in ("style.css", "blocks/own.js", "blocks/07.js"):  # no report's names
            (folder / place).write_text("somebody's own", encoding="utf-8")
        for _ in range(2):  # what a report wrote is replaced
            self.run_command("report", *self.logs(), "--folder", folder)
        self.assertEqual(sorted(path.name for path in folder.rglob("*.*")),
                         ["0.js", "07.js", "index.html", "own.js", "style.css"])

    def test_folder_of_the_output_is_asked_for_first(self):
        done = self.run_command("report", *self.logs(), "-o", self.folder / "nowhere" / "page.html", expect=5)
        self.assertIn("nowhere", done.stderr)


if __name__ == "__main__":
    command_test.UNMASK = os.path.abspath(sys.argv.pop(1))
    probe = subprocess.run([command_test.UNMASK, "report", "-o", os.devnull], capture_output=True, text=True, check=False)
    if "no report page" in probe.stderr:
        print("skipped: this build of the command has no page (UNMASK_PAGE)")
        sys.exit(77)
    unittest.main()
