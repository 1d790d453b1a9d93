"""Descriptions of tau2-bench's tools, read from its source text.

They exist only in the docstrings and annotations of its toolkits. tau2 hands a model, for each tool,
the docstring's description (first line, blank line, rest) and the line of the section `Args` for each
parameter; for a parameter whose type is a model, also that model's docstring and field descriptions.
`describe` gives the same texts without running any of that code, as

    {world: {"agent" | "user": {tool: {"description": text,
                                       "parameters": {name: text},        # "" if it has none
                                       "definitions": {model: {"description": text,
                                                               "fields": {name: text}}}}}}}

with tools in the order in which tau2 lists them, and `definitions` only where there are any.
"""

import ast
import inspect
import pathlib
import re

TOOLKITS = {"agent": "tools.py", "user": "user_tools.py"}
MODELS = ("data_model.py", "user_data_model.py")

# What ends a description and starts a list of parameters, results or errors.
SECTION = re.compile(
    r"^(Arguments|Args|Parameters|Params|Raises|Exceptions|Except|Attributes|Example|Examples|Returns"
    r"|Yields):[ \t\r\f\v]*$", re.MULTILINE)
PARAMETER_SECTIONS = ("Arguments", "Args", "Parameters", "Params")


def describe(domains, worlds):
    """Descriptions of the tools of `worlds`, folders below the folder `domains`."""
    return {world: describe_world(pathlib.Path(domains) / world) for world in worlds}


def describe_world(folder):
    models = {}
    for name in MODELS:
        if (folder / name).is_file():
            models.update((node.name, node) for node in parse(folder / name).body
                          if isinstance(node, ast.ClassDef))
    parties = {}
    for party, name in TOOLKITS.items():
        if not (folder / name).is_file():
            continue  # not every world has tools of the user, nor had each version
        tools = {function.name: describe_tool(function, models)
                 for node in parse(folder / name).body if isinstance(node, ast.ClassDef)
                 for function in node.body if is_tool(function)}
        if not tools:
            raise ValueError(f"{folder / name} declares no tool; is it tau2-bench's?")
        parties[party] = tools
    if not parties:
        raise ValueError(f"{folder} holds neither {' nor '.join(TOOLKITS.values())}")
    return parties


def parse(path):
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def is_tool(node):
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "is_tool"
        for mark in node.decorator_list)


def describe_tool(function, models):
    description, texts = split_docstring(ast.get_docstring(function, clean=False) or "")
    parameters = [argument for argument in function.args.args if argument.arg != "self"]
    described = {"description": description or function.name,
                 "parameters": {p.arg: texts.get(p.arg, "") for p in parameters}}
    definitions = {}
    for parameter in parameters:
        for node in ast.walk(parameter.annotation) if parameter.annotation else ():
            if isinstance(node, ast.Name) and node.id in models:
                definition = describe_model(models[node.id])
                if definition["description"] or definition["fields"]:
                    definitions[node.id] = definition
    if definitions:
        described["definitions"] = definitions
    return described


def describe_model(node):
    fields = {}
    for entry in node.body:
        if not isinstance(entry, ast.AnnAssign) or not isinstance(entry.value, ast.Call):
            continue
        for keyword in entry.value.keywords:
            if keyword.arg == "description":
                fields[entry.target.id] = ast.literal_eval(keyword.value)
    return {"description": inspect.cleandoc(ast.get_docstring(node, clean=False) or ""),
            "fields": fields}


def split_docstring(text):
    """The description of a docstring in Google's style, and the texts of its parameters."""
    text = inspect.cleandoc(text)
    sections = list(SECTION.finditer(text))
    description = text[:sections[0].start()] if sections else text
    first, _, rest = description.partition("\n")
    rest = rest.strip()
    parameters = {}
    for section, following in zip(sections, sections[1:] + [None]):
        if section.group(1) in PARAMETER_SECTIONS:
            body = text[section.end():following.start() if following else len(text)]
            parameters.update(parameter_texts(body))
    return (f"{first}\n\n{rest}" if rest else first), parameters


def parameter_texts(body):
    """{name: text} of `name: text` entries; lines indented deeper than the first continue a text."""
    outdented = re.search(r"\n\S", body)
    body = (body[:outdented.start()] if outdented else body).strip("\n")
    indent = re.match(r"\s*", body).group()
    texts = {}
    for entry in re.split(rf"(?m)^{indent}(?=\S)", body)[1:]:
        name, _, text = entry.strip("\n").partition(":")
        first, _, rest = text.removeprefix(" ").partition("\n")
        name = re.sub(r"\s*\(.*\)$", "", name.strip())  # `name (type)`
        texts[name] = (f"{first}\n{inspect.cleandoc(rest)}" if rest else first).strip("\n")
    return texts
