#!/usr/bin/env python3
"""The man page and the shell completions that the command makes of its own definitions.

  completion_test.py PATH_OF_UNMASK
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

UNMASK = ""


def made(*arguments):
    done = subprocess.run([UNMASK, *arguments], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Made(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def needs(self, program):
        found = shutil.which(program)
        self.assertIsNotNone(found, f"{program} is not installed; scripts/install-deps installs it")
        return found


class ManPage(Made):
    def test_every_command_and_flag_stands_in_it(self):
        page = made("help", "man").replace("\\-", "-").replace("\\fB", "").replace("\\fR", "")
        commands = re.findall(r"^  (\w+) +\w", made("--help").split("Subcommands:")[1], re.M)
        self.assertGreater(len(commands), 6)
        for command in commands:
            self.assertIn(f".SS unmask {command}\n", page)
            for flag in re.findall(r"(--[a-z-]+)", made(command, "--help").split("Options:")[1]):
                self.assertIn(flag, page)
        self.assertIn(".SS unmask card write\n", page)
        self.assertIn(".SH EXIT STATUS", page)

    def test_roff_has_no_complaint(self):
        path = self.write("unmask.1", made("help", "man"))
        done = subprocess.run([self.needs("groff"), "-man", "-ww", "-z", str(path)], capture_output=True,
                              text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_no_line_begins_with_an_unknown_request(self):
        for line in made("help", "man").splitlines():
            if line.startswith((".", "'")):
                self.assertRegex(line, r"^\.(TH|SH|SS|TP|PP|B|nf|fi)\b")


class Bash(Made):
    def complete(self, line):
        """What bash offers at the end of `line`, whose words it is given as readline splits them."""
        words = [word for word in re.split(r"(=)| ", line) if word is not None and word != ""]
        if line.endswith(" "):
            words.append("")
        script = self.write("unmask.bash", made("completion", "bash"))
        test = ('. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; _unmask; '
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run([self.needs("bash"), "--norc", "-c", test, "bash", str(script), *words],
                              capture_output=True, text=True, cwd=self.folder, timeout=60, check=False)
        self.assertEqual(done.stderr, "")
        return sorted(filter(None, done.stdout.split("\n")))

    def test_syntax(self):
        script = self.write("unmask.bash", made("completion", "bash"))
        done = subprocess.run([self.needs("bash"), "-n", str(script)], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_it_registers_itself(self):
        script = self.write("unmask.bash", made("completion", "bash"))
        done = subprocess.run([self.needs("bash"), "--norc", "-c", f". {script}; complete -p unmask"],
                              capture_output=True, text=True, timeout=60, check=False)
        self.assertIn("_unmask unmask", done.stdout)

    def test_cases(self):
        (self.folder / "runs").mkdir()
        self.write("run one.json", "{}")
        for line, offered in (
                ("unmask au", ["audit"]),
                ("unmask audit --form", ["--format"]),
                ("unmask audit --format ", ["csv", "html", "json", "markdown", "text"]),
                ("unmask audit --format=", ["csv", "html", "json", "markdown", "text"]),
                ("unmask audit --format=j", ["json"]),
                ("unmask inspect --format ", ["json", "text"]),
                ("unmask audit --fail-on masked_damage,vis", ["masked_damage,visible_damage"]),
                ("unmask card ", ["check", "render", "write"]),
                ("unmask card wr", ["write"]),
                ("unmask card write --ar", ["--arm"]),
                ("unmask audit ru", ["run one.json", "runs"]),
                ("unmask audit bf16=ru", ["run one.json", "runs"]),
                ("unmask audit bf16=runs int4=run", ["run one.json", "runs"]),
                ("unmask study example -o ", ["runs"]),
                ("unmask audit --cell ", []),
                ("unmask completion ", ["bash", "fish", "zsh"]),
                ("unmask help verd", ["verdicts"]),
                ("unmask --ver", ["--version"])):
            with self.subTest(line):
                self.assertEqual(self.complete(line), offered)


class OtherShells(Made):
    def test_zsh_syntax(self):
        script = self.write("_unmask", made("completion", "zsh"))
        done = subprocess.run([self.needs("zsh"), "-f", "-n", str(script)], capture_output=True, text=True,
                              timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_fish_offers(self):
        fish = self.needs("fish")
        script = self.write("unmask.fish", made("completion", "fish"))
        environment = {**os.environ, "HOME": str(self.folder),
                       "PATH": f"{pathlib.Path(UNMASK).parent}:{os.environ['PATH']}"}
        for line, offered in (("unmask au", {"audit"}), ("unmask card ", {"check", "render", "write"}),
                              ("unmask audit --format ", {"csv", "html", "json", "markdown", "text"})):
            done = subprocess.run([fish, "-c", f"source {script}; complete -C '{line}'"], capture_output=True,
                                  text=True, env=environment, timeout=60, check=False)
            self.assertEqual({reply.split("\t")[0] for reply in done.stdout.splitlines()}, offered,
                             f"{line}\n{done.stderr}")


if __name__ == "__main__":
    UNMASK = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
