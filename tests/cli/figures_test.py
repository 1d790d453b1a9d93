#!/usr/bin/env python3
"""Makes the SVG figures of `unmask report --figures` and holds their numbers and places against the audit's.

  figures_test.py PATH_OF_UNMASK
"""

import json
import math
import os
import pathlib
import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)
import tau2_log  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = [f"{arm}={ROOT}/examples/headline/{arm}.json.gz" for arm in ("bf16", "fp8", "int4")]
NEAR = 0.011  # places are written to a hundredth


class Drawing:
    """What a reader of the file sees: marks with what they say, and the labels of axes."""

    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.marks = {}
        self.texts = []
        for element in self.root:
            title = element.find(f"{SVG}title")
            if title is not None:
                x, y = re.fullmatch(r"translate\((-?[\d.]+),(-?[\d.]+)\)", element.get("transform")).groups()
                self.marks[title.text] = (float(x), float(y))
            if element.tag == f"{SVG}text" and element.get("x"):
                middle = float(element.get("y")) - 0.34 * float(element.get("font-size", "12"))
                self.texts.append((element.text, float(element.get("x")), middle, element.get("text-anchor")))

    def mark(self, start):
        found = [(title, at) for title, at in self.marks.items() if title.startswith(start + ":")]
        assert len(found) == 1, f"{start}: {found}"
        return self.said(found[0][0]), found[0][1]

    @staticmethod
    def said(title):
        """The numbers after the last colon."""
        numbers = title.rpartition(":")[2].replace("\u2212", "-").replace(",", " ")
        return [float(number) for number in re.findall(r"-?\d+\.?\d*", numbers)]


def percent(label):
    return float(label.replace("\u2212", "-")) / 100


class Figures(command_test.CommandTest):
    def figures(self, *arguments):
        folder = self.folder / "figures"
        self.run_command("report", *arguments, "--figures", folder)
        return folder

    def drawn(self, *arguments):
        audit = json.loads(self.run_command("audit", "--format", "json", "-q", *arguments).stdout)
        folder = self.figures(*arguments)
        return audit["cells"][0], {path.stem: Drawing(path) for path in folder.iterdir()}

    def check_line(self, points):
        """Numbers and their places lie on one line; so do the ticks among them."""
        (first, a), (last, b) = min(points), max(points)
        self.assertLess(first, last)
        for number, place in points:
            expected = a + (number - first) / (last - first) * (b - a)
            self.assertLess(abs(place - expected), 2 * NEAR, f"{number} stands at {place}, not {expected}")

    def check_said(self, said, figure, times=1.0, value="value"):
        expected = [figure[key] * times for key in (value, "low", "high") if figure[key] is not None]
        self.assertEqual(len(said), len(expected), f"{said} {figure}")
        for number, exact in zip(said, expected):
            self.assertLessEqual(abs(number - exact), 0.0501 if exact < 100 else 0.51)

    def test_scores_and_gaps(self):
        cell, drawings = self.drawn(*EXAMPLE)
        drawing = drawings["score"]
        scores, gaps, budgets = [], [], []
        for arm in cell["arms"]:
            for point in arm["score"]:
                marks = [(title, at) for title, at in drawing.marks.items()
                         if title.startswith(f"{arm['arm']}, K={point['k']}: ") and title.endswith(" %")]
                self.assertEqual(len(marks), 1)
                title, at = marks[0]
                self.check_said(Drawing.said(title), point, 100)
                scores.append((point["value"], at[1]))
                budgets.append((point["k"], at[0]))
        for comparison in cell["comparisons"]:
            for point in comparison["gap"]:
                marks = [(title, at) for title, at in drawing.marks.items()
                         if title.startswith(f"{comparison['arm']}, K={point['k']}: ") and title.endswith(" points")]
                self.assertEqual(len(marks), 1)
                title, at = marks[0]
                self.check_said(Drawing.said(title), point, value="points")
                gaps.append((point["points"] / 100, at[1]))
        ticks = [text for text in drawing.texts if text[3] == "end"]
        of_gaps = next(i for i, text in enumerate(ticks) if i > 0 and percent(text[0]) < percent(ticks[i - 1][0]))
        self.check_line(scores + [(percent(label), y) for label, _x, y, _anchor in ticks[:of_gaps]])
        self.check_line(gaps + [(percent(label), y) for label, _x, y, _anchor in ticks[of_gaps:]])
        self.check_line(budgets + [(int(label), x) for label, x, _y, anchor in drawing.texts
                                   if anchor == "middle" and label.isdigit()])

    def test_channels(self):
        cell, drawings = self.drawn(*EXAMPLE)
        words = json.loads((ROOT / "src/unmask/report/figures.json").read_text(encoding="utf-8"))["words"]["channel"]
        rates = []
        for arm in cell["arms"]:
            for name, channel in arm["channels"].items():
                said, at = drawings["channels"].mark(f"{arm['arm']}, {words[name]}")
                self.check_said(said, channel["rate"], 100)
                rates.append((math.sqrt(channel["rate"]["value"]), at[0]))
        ticks = [(math.sqrt(percent(label)), x) for label, x, _y, anchor in drawings["channels"].texts
                 if anchor == "middle" and re.fullmatch(r"[\d.]+", label)]
        self.assertGreater(len(ticks), 4)
        self.check_line(rates + ticks)

    def test_amplification(self):
        cell, drawings = self.drawn(*EXAMPLE)
        words = json.loads((ROOT / "src/unmask/report/figures.json").read_text(encoding="utf-8"))["words"]["channel"]
        for comparison in cell["comparisons"]:
            drawing = drawings[f"amplification-{comparison['arm']}"]
            ratios = []
            for name, channel in comparison["amplification"].items():
                if channel["ratio"] is None or not channel["in_family"]:
                    continue
                said, at = drawing.mark(words[name])
                self.check_said(said, channel, value="ratio")
                ratios.append((math.log(channel["ratio"]), at[0]))
            self.assertEqual(len(ratios), len(drawing.marks))
            ratios += [(math.log(float(label[1:])), x) for label, x, _y, anchor in drawing.texts
                       if anchor == "middle" and re.fullmatch("×[\\d.]+", label) and float(label[1:]) >= 0.25]
            self.check_line(ratios)

    def test_failure_set(self):
        cell, drawings = self.drawn(*EXAMPLE)
        arms = {arm["arm"]: {name["name"]: name["count"] for name in arm["names"]} for arm in cell["arms"]}
        for other in ("fp8", "int4"):
            drawing = drawings[f"failure-set-{other}"]
            across, up = [], []
            names = set(arms["bf16"]) | set(arms[other])
            self.assertEqual(len(drawing.marks), len(names))
            for name in names:
                counts = arms["bf16"].get(name, 0), arms[other].get(name, 0)
                at = drawing.marks[f"{name}: {counts[0]} → {counts[1]}"]
                across += [(math.log(counts[0]), at[0])] if counts[0] else []
                up += [(math.log(counts[1]), at[1])] if counts[1] else []
            self.check_line(across)
            self.check_line(up)

    def test_alternatives_and_loneliness(self):
        cell, drawings = self.drawn(*EXAMPLE)
        for name, drawing in drawings.items():
            children = list(drawing.root)
            self.assertEqual([child.tag for child in children[:3]], [SVG + "title", SVG + "desc", SVG + "rect"], name)
            self.assertGreater(len(children[0].text), 5, name)
            self.assertGreater(len(children[1].text), 20, name)
            self.assertEqual(drawing.root.get("role"), "img")
            self.assertLessEqual({child.tag.removeprefix(SVG) for child in drawing.root.iter()},
                                 {"svg", "title", "desc", "rect", "line", "path", "text"})
            for element in drawing.root.iter():
                self.assertFalse([key for key in element.attrib if key.startswith("on") or "href" in key])
        for comparison in cell["comparisons"]:
            verdict = comparison["verdict"].replace("_", " ").capitalize()
            self.assertIn(f"{comparison['arm']}: {verdict}.", list(drawings["grid"].root)[1].text)

    def test_pictures_of_the_readme_are_those_of_the_example(self):
        folder = self.figures(*EXAMPLE)
        for name in ("score.svg", "channels.svg"):
            self.assertEqual((folder / name).read_bytes(), (ROOT / "docs/images" / name).read_bytes(),
                             f"docs/images/{name} is out of date: run scripts/update_pictures")

    def test_same_bytes_on_any_number_of_threads(self):
        texts = []
        for threads in (1, 2):
            folder = self.figures(*EXAMPLE, "-j", threads)
            texts.append({path.name: path.read_bytes() for path in folder.iterdir()})
        self.assertEqual(texts[0], texts[1])

    def test_hostile_names(self):
        evil = "../</svg><script>alert(1)</script>\u202e\x01"
        folder = self.figures(f"bf16={self.good}", f"int4={self.other}", "--cell", evil)
        self.assertEqual(sorted(folder.parent.glob("*.svg")), [])
        for path in folder.iterdir():
            self.assertRegex(path.name, r"^[A-Za-z0-9._-]+\.svg$")
            self.assertEqual([element for element in ElementTree.parse(path).getroot().iter()
                              if "script" in element.tag], [])

    def test_page_only_where_it_is_asked_for(self):
        done = self.run_command("report", *EXAMPLE, "--figures", self.folder / "a" / "b", cwd=self.folder)
        self.assertIn("wrote 7 figures to", done.stderr)
        self.assertFalse((self.folder / "unmask-report.html").exists())
        self.assertEqual(len(list((self.folder / "a" / "b").iterdir())), 7)

    def test_figures_of_an_earlier_report_go_and_those_of_others_stay(self):
        folder = self.figures(*EXAMPLE)
        (folder / "own.svg").write_text("<svg/>", encoding="utf-8")
        done = self.run_command("report", *EXAMPLE[:2], "--figures", folder)
        self.assertIn("removed 2 figures of an earlier report", done.stderr)
        self.assertEqual(sorted(path.stem for path in folder.iterdir()),
                         ["amplification-fp8", "channels", "failure-set-fp8", "grid", "own", "score"])
        (folder / "score.svg").write_text("<svg/>", encoding="utf-8")
        done = self.run_command("report", *EXAMPLE, "--figures", folder, expect=2)
        self.assertIn("score.svg: no report wrote this file", done.stderr)
        self.assertEqual((folder / "score.svg").read_text(encoding="utf-8"), "<svg/>")
        self.assertFalse((folder / "amplification-int4.svg").exists())

    def test_a_page_among_the_figures(self):
        folder = self.folder / "figures"
        folder.mkdir()
        for page, cwd in ((folder / "score.svg", None), ("score.svg", folder)):
            done = self.run_command("report", *EXAMPLE, "--figures", folder, "-o", page, cwd=cwd, expect=2)
            self.assertIn("score.svg: figures are written there", done.stderr)
            self.assertEqual(list(folder.iterdir()), [])

    def test_logs_that_hold_no_figure(self):
        log = tau2_log.log("made-up-bf16")
        for simulation in log["simulations"]:
            simulation["info"] = {"first_call": {"outcome": "right", "state": 0, "by": "agent"}}
        arms = [f"{arm}={self.write(f'{arm}-first.json', log)}" for arm in ("bf16", "int4")]
        done = self.run_command("report", *arms, "--figures", self.folder / "figures")
        self.assertIn("no figure was written", done.stderr)
        self.assertNotIn("wrote 0", done.stderr)

    def test_folder_that_can_not_be(self):
        (self.folder / "file").write_text("", encoding="utf-8")
        done = self.run_command("report", *EXAMPLE, "--figures", self.folder / "file", expect=5)
        self.assertIn("give another one to --figures", done.stderr)


if __name__ == "__main__":
    command_test.UNMASK = os.path.abspath(sys.argv.pop(1))
    unittest.main()
