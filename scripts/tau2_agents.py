"""What tau2-bench tells its agents, read from its source text.

It exists only in the code of its LLM agents. `describe` gives it without running any of that code, as

    {"llm_agent": text, "llm_agent_gt": text, "llm_agent_solo": text,   # instructions
     "agent_step": pattern, "user_step": pattern,                       # `{}` stands for a golden action
     "done": text}                                                      # describes the tool `done`
"""

import ast
import pathlib

INSTRUCTIONS = {"llm_agent": "AGENT_INSTRUCTION", "llm_agent_gt": "AGENT_GT_INSTRUCTION",
                "llm_agent_solo": "AGENT_SOLO_INSTRUCTION"}
STEPS = {"agent_step": "assistant", "user_step": "user"}
DONE = "done"


def describe(path):
    tree = ast.parse(pathlib.Path(path).read_text(encoding="utf-8"), filename=str(path))
    texts = {name: instruction(tree, constant) for name, constant in INSTRUCTIONS.items()}
    texts["llm_agent_solo"] = texts["llm_agent_solo"].format(stop_function_name=DONE, stop_token="###STOP###")
    texts.update((name, step(tree, requestor)) for name, requestor in STEPS.items())
    texts[DONE] = done_tool(tree)
    missing = sorted(name for name, text in texts.items() if not text)
    if missing:
        raise ValueError(f"{path} does not tell {', '.join(missing)}; is it tau2-bench's?")
    return texts


def instruction(tree, constant):
    """The text of `CONSTANT = \"\"\"...\"\"\".strip()`."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == constant
                                                for target in node.targets):
            return "".join(part.value for part in ast.walk(node.value)
                           if isinstance(part, ast.Constant) and isinstance(part.value, str)).strip()
    return ""


def step(tree, requestor):
    """The f-string that tells an action with its arguments, of the branch for `requestor`."""
    for branch in ast.walk(tree):
        if not (isinstance(branch, ast.If) and isinstance(branch.test, ast.Compare)
                and isinstance(branch.test.comparators[0], ast.Constant)
                and branch.test.comparators[0].value == requestor):
            continue
        for node in (node for statement in branch.body for node in ast.walk(statement)):
            if isinstance(node, ast.JoinedStr) and "get_func_format" in ast.dump(node):
                return "".join(part.value if isinstance(part, ast.Constant) else "{}"
                               for part in node.values)
    return ""


def done_tool(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == DONE:
            return ast.get_docstring(node) or ""
    return ""
