"""What can be wrong with a YAML text, said for the person who has to mend it."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Path: TypeAlias = "tuple[str | int, ...]"

LINE_END = re.compile("\r\n|\n|\r")
_NOT_YAML = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTRY = re.compile(r"[ \t]*+(?:-[ \t]++)*+(?P<key>(?:[^:]|:(?=\S))++):(?:[ \t]++(?P<value>\S?)|$)")
_LIST_ENTRY = re.compile(r"[ \t]*+(?:-[ \t]++)++(?P<value>\S)")
_TOKENS_OPENED_EARLIER = (
    "while scanning a quoted scalar",
    "while scanning a simple key",
    "while scanning an alias",
    "while scanning an anchor",
    "while parsing a flow",
)
_STARTS = {
    "*": "starts with *, which repeats an anchor in YAML",
    "&": "starts with &, which names an anchor in YAML",
    "!": "starts with !, which is a tag in YAML",
    "[": "starts with [, which opens a list in YAML; it is not closed, lacks a comma, or text follows it",
    "{": "starts with {, which opens a mapping in YAML; it is not closed, lacks a comma, or text follows it",
    "|": "starts with |, which opens block text in YAML",
    ">": "starts with >, which opens block text in YAML",
    "%": "starts with %, which YAML reserves",
    "@": "starts with @, which YAML reserves",
    "`": "starts with `, which YAML reserves",
    '"': "starts with a double quote, and the quoted part does not end where the value ends",
    "'": "starts with a single quote, and the quoted part does not end where the value ends",
    "-": "starts with -, which is a list entry in YAML",
    ",": "starts with a comma, which YAML reserves",
    "]": "starts with ], which closes a list that was not opened",
    "}": "starts with }, which closes a mapping that was not opened",
}
_TAB = "a tab indents this line, and YAML indents with blanks alone"
_LIST = "a list entry stands where YAML expects none; start the list on a line of its own"
_ESCAPE = "a backslash within double quotes starts an escape; use single quotes, or double the backslash"
_NO_ENTRY = "The line is no `key: value` line; a colon and a blank have to follow the key."
_PROBLEMS = (
    (
        "mapping values are not",
        "a colon stands where YAML expects none; check the indentation and quote the value",
    ),
    ("could not find expected ':'", "the line is no `key: value` line"),
    ("sequence entries are not", _LIST),
    ("expected key", "the indentation fits no mapping above"),
    ("expected '-'", "the indentation fits no list above"),
    ("<block end>", "the indentation fits nothing above"),
    ("document start", "a line that starts with % is a directive in YAML and has no place here"),
)


class YamlRefusedError(Exception):
    """A text that is no YAML, or more of it than the caps allow.

    Attributes:
        code: "OKF103" or "OKF106".
        line: Line in the text, from 0.
        column: Column in characters, from 0.
        reason: One sentence.
        repairable: Whether an unquoted colon, or text after a quoted part, may be the cause.
    """

    def __init__(self, code: str, line: int, column: int, reason: str, *, repairable: bool = False) -> None:
        super().__init__(reason)
        self.code = code
        self.line = line
        self.column = column
        self.reason = reason
        self.repairable = repairable


def field_name(path: Path) -> str:
    """A path as it is written in sentences: `sources[0].title`."""
    name = ""
    for part in path:
        if isinstance(part, int):
            name += f"[{part}]"
        else:
            name += f".{part}" if name else part
    return shown(name, 80)


def shown(text: str, limit: int = 40) -> str:
    """A text of the bundle as it is quoted in a sentence: on one line, and not long."""
    line = " ".join(text[: limit * 4].split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def refusal_of(text: str, error: Exception, last_path: Path) -> YamlRefusedError:
    """Turn what a YAML parser threw into a place and a sentence.

    Args:
        text: What was parsed.
        error: What was thrown.
        last_path: The last key or list entry that was read before.

    Returns:
        The error to raise instead.
    """
    forbidden = _NOT_YAML.search(text)
    if forbidden:
        line, column = _place(text, forbidden.start())
        character = f"U+{ord(forbidden.group()):04X}"
        name = _name(_line_of(text, line), last_path)
        within = f" in `{name}`" if name else ""
        reason = f"The character {character}{within} cannot stand in YAML."
        return YamlRefusedError("OKF103", line, column, reason)
    context, problem = str(getattr(error, "context", None) or ""), str(getattr(error, "problem", None) or "")
    code = "OKF106" if "nesting" in problem else "OKF103"
    mark: Any = getattr(error, "problem_mark", None)
    if context.startswith(_TOKENS_OPENED_EARLIER):
        mark = getattr(error, "context_mark", None) or mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    repairable = problem.startswith("mapping values are not") or context == "while parsing a block mapping"
    above = _line_of(text, line - 1) if line else ""
    if problem.startswith("mapping values are not") and _is_stray(above, _line_of(text, line)):
        return YamlRefusedError("OKF103", line - 1, len(above) - len(above.lstrip()), _NO_ENTRY)
    reason = _reason(_line_of(text, line), last_path, problem or type(error).__name__)
    return YamlRefusedError(code, line, column, reason, repairable=repairable)


def _reason(line: str, last_path: Path, problem: str) -> str:
    name = _name(line, last_path)
    found = _ENTRY.match(line) or _LIST_ENTRY.match(line)
    start = (found["value"] if found else "") or ""
    if "tab character" in problem or "'\\t'" in problem:
        what = _TAB
    elif "escape" in problem or "hexdecimal" in problem:
        what = _ESCAPE
    elif start in _STARTS:
        return f"The value{f' of `{name}`' if name else ''} {_STARTS[start]}."
    else:
        known = [sentence for part, sentence in _PROBLEMS if part in problem]
        what = known[0] if known else f"the YAML cannot be read ({problem})"
    return f"At `{name}`, {what}." if name else f"{what[0].upper()}{what[1:]}."


def _name(line: str, last_path: Path) -> str:
    """The field, from the line itself or from what was read before."""
    entry = _ENTRY.match(line)
    while entry is None and len(last_path) > 1 and isinstance(last_path[-2], int):
        last_path = last_path[:-1]
    if entry is None:
        return field_name(last_path)
    key = entry["key"].strip("\"' \t")
    return field_name(last_path) if last_path and last_path[-1] == key else shown(key)


def _is_stray(above: str, line: str) -> bool:
    """Whether the fault lies in the line above: as deep as this one, and without a key."""
    stripped = above.lstrip()
    level = len(above) - len(stripped) == len(line) - len(line.lstrip())
    return level and bool(stripped) and stripped[0] not in "-#" and _ENTRY.match(above) is None


def _line_of(text: str, number: int) -> str:
    lines = LINE_END.split(text)
    return lines[number] if number < len(lines) else ""


def _place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 0, of a character."""
    ends = list(LINE_END.finditer(text, 0, offset))
    return len(ends), offset - (ends[-1].end() if ends else 0)
