"""A tool as the Python function that a `CodeAgent` shows to its model.

The model writes JSON values, whatever types the function behind has: the code that it writes cannot import
them. So choices are shown as their values, objects as dicts with their keys told, dates as texts.
"""

from __future__ import annotations

import json
import textwrap
from typing import Any

import fingerpost
from fingerpost_smolagents.schemas import Schema, arguments_of, options

_DEEPEST = 4  # levels of keys that are told; a type may hold itself
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "object": "dict"}


def code_prompt(tool: fingerpost.Tool) -> str:
    """The head of a function with its docstring, as valid Python.

    Args:
        tool: The tool.

    Returns:
        The text; a call that follows it is one that the tool takes.
    """
    arguments = arguments_of(tool)
    by_name = [each.name for each in tool.parameters if each.name in tool.signature.keyword]
    required = {each.name for each in tool.parameters if each.required}
    shown: list[str] = []
    for name, schema in arguments.items():
        if name in by_name[:1]:
            shown.append("*")
        shown.append(f"{name}: {_type(schema)}" if name in required else f"{name}: {_with_default(schema)}")
    described = [
        f"    {name}: {text}" for name, schema in arguments.items() if (text := _description(schema))
    ]
    docstring = "\n".join([tool.description, *(["", "Args:", *described] if described else []), ""])
    quoted = docstring.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f"def {tool.name}({', '.join(shown)}) -> str:\n" + textwrap.indent(f'"""{quoted}"""', "    ")


def _with_default(schema: Schema) -> str:
    """A type with its default; None stands for one that no model could send."""
    python_type, default = _type(schema), json.loads(json.dumps(schema.get("default")))
    if default is None and python_type != "Any":
        python_type = f"Optional[{python_type}]"
    return f"{python_type} = {default!r}"


def _type(schema: Schema) -> str:
    """A schema as the annotation of the values that it takes, None left out."""
    types = list(dict.fromkeys(map(_single_type, options(schema))))
    return types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"


def _single_type(schema: Schema) -> str:
    if schema.get("enum"):
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if schema.get("type") == "array":
        items = _type(schema.get("items", {}))
        return "list" if items == "Any" else f"list[{items}]"
    return _TYPES.get(schema.get("type", ""), "Any")


def _description(schema: Schema) -> str:
    """What is said of an argument, and in a sentence of its own what its Python type cannot say."""
    said: str = schema.get("description", "")
    told = _told({key: value for key, value in schema.items() if key != "description"})
    if not told:
        return said
    ended = said if not said or said[-1] in ".!?:" else f"{said}."
    return f"{ended} {told[0].upper()}{told[1:]}.".lstrip()


def _told(schema: Schema, depth: int = 0) -> str:
    """What the type of a schema cannot say, in clauses: descriptions, formats, bounds, keys."""
    several = options(schema)
    if len(several) > 1:
        told = [(each, _told(each, depth)) for each in several]
        return "; ".join(f"as {_type(each)}: {text}" for each, text in told if text)
    single = several[0]
    bounds = [("at least", single.get("minimum")), ("at most", single.get("maximum"))]
    clauses: list[str] = [
        single.get("description", "").rstrip("."),
        f"format {single['format']}" if "format" in single else "",
        ", ".join(f"{words} {bound}" for words, bound in bounds if bound is not None),
    ]
    properties: dict[str, Any] = single.get("properties", {})
    if properties and depth < _DEEPEST:
        required = single.get("required", [])
        keys = (_key(name, member, name in required, depth + 1) for name, member in properties.items())
        clauses.append(f"keys {', '.join(keys)}")
    if "items" in single and (text := _told(single["items"], depth + 1)):
        clauses.append(f"each: {text}")
    return "; ".join(clause for clause in clauses if clause)


def _key(name: str, schema: Schema, is_required: bool, depth: int) -> str:
    facts = [f"{_type(schema)}{', required' if is_required else ''}", _told(schema, depth)]
    return f'"{name}" ({"; ".join(fact for fact in facts if fact)})'
