"""Google-style docstrings, read as what they are here: the text that a model decides by."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

_HEADING = re.compile(
    r"(Args|Arguments|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?|Warnings?|Attributes|Todo):\s*$"
)
_ARGUMENT_HEADINGS = frozenset({"Args", "Arguments", "Parameters", "Params"})
_LEFT_OUT = _ARGUMENT_HEADINGS | {"Raises", "Todo", "Attributes"}
_ARGUMENT = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Docstring:
    """What a docstring tells a model.

    Attributes:
        description: Everything but the sections about arguments and exceptions. `Returns:` stays: it tells
            the model what it will get, and what to do with it.
        arguments: The text of each documented argument, on one line, by name.
    """

    description: str
    arguments: dict[str, str] = field(default_factory=dict[str, str])


def read_docstring(text: str | None) -> Docstring:
    """Split a docstring into a description for the model and one text per argument.

    Args:
        text: The docstring, as written or cleaned; None for none.

    Returns:
        The parts. Never fails: what is not understood stays in the description.
    """
    kept: list[str] = []
    arguments: list[str] = []
    section = ""
    for line in inspect.cleandoc(text or "").splitlines():
        heading = _HEADING.match(line)
        if heading:
            section = heading[1]
        elif section and line and not line[0].isspace():
            section = ""
        if section in _ARGUMENT_HEADINGS:
            arguments.append(line)
        if section not in _LEFT_OUT:
            kept.append(line)
    description = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return Docstring(description, _read_arguments(arguments[1:]))


def _read_arguments(lines: list[str]) -> dict[str, str]:
    """The entries of an `Args:` section; lines indented deeper than an entry go on with it."""
    found: dict[str, list[str]] = {}
    depth = -1
    current: list[str] = []
    for line in lines:
        content = line.strip()
        indent = len(line) - len(line.lstrip())
        entry = _ARGUMENT.match(content)
        if entry and (depth < 0 or indent <= depth):
            depth = indent
            current = found.setdefault(entry[1], [])
            current.append(entry[2])
        elif content:
            current.append(content)
    return {name: " ".join(part for part in parts if part).strip() for name, parts in found.items()}
