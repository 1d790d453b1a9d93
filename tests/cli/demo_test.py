#!/usr/bin/env python3
"""unmask study demo: the paper's grid with simulated agents.

  demo_test.py PATH_OF_UNMASK
"""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import command_test  # noqa: E402  (it stands beside this file)


PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/simulation.md"


class Demo(command_test.CommandTest):
    def test_shows_the_paper_s_pattern_and_says_what_it_is(self):
        folder = self.folder / "demo"
        text = self.run_command("study", "demo", "-o", folder, "-q", environment={"COLUMNS": "110"}).stdout
        self.assertEqual(len(list((folder / "logs").glob("*/*.zst"))), 32)
        # The same seed gives the same bytes, so the page can hold what the command prints.
        self.assertIn(PAGE.read_text().split("```")[1].strip("\n"), text)
        audit = json.loads(self.run_command("audit", "--study", folder / "study.toml", "--format", "json").stdout)
        verdicts = {(cell["cell"], each["arm"]): each["verdict"]
                    for cell in audit["cells"] for each in cell["comparisons"]}
        self.assertEqual(len(verdicts), 20)
        self.assertIn(verdicts["gemma-like-dense/telecom", "int4"], ("masked_damage", "visible_damage"))
        self.assertNotIn(verdicts["qwen-like-dense/telecom", "int4"],
                         ("masked_damage", "visible_damage", "amplified"))
        self.assertEqual([repair["mode"] for repair in audit["repairs"]], ["reflex", "reflex"])
        # Again: nothing is played, all is said again.
        self.assertEqual(text, self.run_command("study", "demo", "-o", folder, "-q",
                                                environment={"COLUMNS": "110"}).stdout)

    def test_the_study_can_be_had(self):
        text = self.run_command("study", "demo", "--print-study").stdout
        self.assertEqual(text.count("[[cell]]"), 10)
        self.assertEqual(text.count("[[cell.arm]]"), 32)
        official = self.run_command("study", "demo", "--print-study", "--tau2-data", self.folder).stdout
        self.assertEqual(official.count('source = "tau2"'), 10)


if __name__ == "__main__":
    command_test.UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
