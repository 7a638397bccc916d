"""What a command prints: UTF-8 in any locale, colour where wanted, nothing that could drive a terminal."""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TextIO

BOLD, DIM, RED, YELLOW = "1", "2", "31", "33"

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_CONTROL_IN_JSON = re.compile(r"[\x7f-\x9f]")
_TOOL_NAME = re.compile(r"\bkb_(index|read|find)\b")


@dataclass(frozen=True, slots=True)
class Styled:
    """A part of a line that is set off where colour is on.

    Attributes:
        text: The text.
        style: An SGR code: `BOLD`, `DIM`, `RED` or `YELLOW`.
    """

    text: str
    style: str


def write_utf8() -> None:
    """Make the standard streams write UTF-8, whatever the locale.

    What UTF-8 cannot hold, such as an undecodable file name, is escaped. A stream that the process was
    started without is replaced by one that goes nowhere.
    """
    for name in ("stdout", "stderr"):
        stream: object = getattr(sys, name)
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        elif stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def say(*parts: str | Styled) -> None:
    """Print one piece of text, which may have several lines, on standard output."""
    print(_rendered(parts, sys.stdout), file=sys.stdout)  # noqa: T201


def note(*parts: str | Styled) -> None:
    """Print what is not part of the answer on standard error."""
    print(_rendered(parts, sys.stderr), file=sys.stderr)  # noqa: T201


def say_json(data: object) -> None:
    """Print the one JSON document of a command; control characters beyond ASCII are escaped too."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    escaped = _CONTROL_IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    print(escaped, file=sys.stdout)  # noqa: T201


def flat(text: str) -> str:
    """A title, description or other field as a part of one line."""
    return " ".join(text.split())


def as_commands(sentence: str) -> str:
    """A sentence written for a model, with commands in place of the tools that it names."""
    told = sentence.replace("set include_deprecated to true", "add --include-deprecated")
    return _TOOL_NAME.sub(r"`fingerpost \1`", told)


def _rendered(parts: tuple[str | Styled, ...], stream: TextIO) -> str:
    in_colour = wants_colour(stream)
    is_shown = in_colour or stream.isatty()
    pieces: list[str] = []
    for part in parts:
        text = part.text if isinstance(part, Styled) else part
        if is_shown:
            text = _CONTROL.sub(_escape, text.replace("\r\n", "\n"))
        if isinstance(part, Styled) and part.style and in_colour:
            text = f"\x1b[{part.style}m{text}\x1b[0m"
        pieces.append(text)
    return "".join(pieces)


def _escape(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"


def wants_colour(stream: TextIO) -> bool:
    """Whether to colour: NO_COLOR says no, else FORCE_COLOR says yes, else it depends on the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
