"""What a command prints: UTF-8 in any locale, colour where wanted, nothing that could drive a terminal."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import sys
from contextlib import suppress
from dataclasses import dataclass
from io import TextIOWrapper
from typing import TextIO

from fingerpost.cli.visible import visible_json, visible_line, visible_text

BOLD, DIM, RED, GREEN, YELLOW = "1", "2", "31", "32", "33"

_TOOL_NAME = re.compile(r"\bkb_(index|read|find)\b")
_ABOUT_AN_ID = re.compile(
    r"(?P<id>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\") "
    r"(?P<advice>is [^`]*)kb_(?P<tool>index|read)(?: with this path)?\."
)
_OFFSET = re.compile(r"(?<=; )offset=(?=\d+ passes over)")
_STANDING_FOR = {"index": "", "read": " ID", "find": " WORD"}


@dataclass(frozen=True, slots=True)
class Styled:
    """A part of a line that is set off where colour is on.

    Attributes:
        text: The text.
        style: An SGR code: `BOLD`, `DIM`, `RED`, `GREEN` or `YELLOW`.
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
    """Print one line on standard output; line breaks within its parts are shown as escapes."""
    _print(_line(parts, sys.stdout), sys.stdout)


def say_text(text: str) -> None:
    """Print a text that may have several lines on standard output."""
    _print(visible_text(text), sys.stdout)


def say_json(data: object) -> None:
    """Print the one JSON document of a command."""
    _print(visible_json(json.dumps(data, ensure_ascii=False, indent=2)), sys.stdout)


def note(*parts: str | Styled) -> None:
    """Print one line that is not part of the answer on standard error."""
    _print(_line(parts, sys.stderr), sys.stderr)


def note_text(text: str) -> None:
    """Print a text that may have several lines on standard error."""
    _print(visible_text(text), sys.stderr)


def flush() -> None:
    """Hand over what was printed, to whoever still reads it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        let_go(sys.stdout)


def let_go(stream: TextIO) -> None:
    """Send the rest of a stream nowhere."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def flat(text: str) -> str:
    """A title, description or other prose as a part of one line."""
    return " ".join(text.split())


def as_commands(sentence: str, bundle: str = "BUNDLE") -> str:
    """A sentence written for a model, with commands in place of the tools that it names.

    Args:
        sentence: The sentence. One that starts with an id in quotes and ends with a tool is about that id.
        bundle: The bundle that the commands are to be run on.
    """
    kb = shlex.quote(bundle)
    told = sentence.replace("set include_deprecated to true", "add --include-deprecated")
    told = _OFFSET.sub("--offset ", told)
    about = _ABOUT_AN_ID.fullmatch(told)
    if about is not None:
        id_ = shlex.quote(ast.literal_eval(about["id"]))
        return f"{about['id']} {about['advice']}`fingerpost {about['tool']} {kb} {id_}`."
    return _TOOL_NAME.sub(lambda tool: f"`fingerpost {tool[1]} {kb}{_STANDING_FOR[tool[1]]}`", told)


def _print(text: str, stream: TextIO) -> None:
    try:
        print(text, file=stream)
    except BrokenPipeError:  # its reader has seen enough; the command goes on, for the exit code's sake
        let_go(stream)


def _line(parts: tuple[str | Styled, ...], stream: TextIO) -> str:
    in_colour = wants_colour(stream)
    pieces: list[str] = []
    for part in parts:
        text = visible_line(part.text if isinstance(part, Styled) else part)
        if isinstance(part, Styled) and part.style and in_colour:
            text = f"\x1b[{part.style}m{text}\x1b[0m"
        pieces.append(text)
    return "".join(pieces)


def wants_colour(stream: TextIO) -> bool:
    """Whether to colour: NO_COLOR says no, else FORCE_COLOR says yes, else it depends on the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
