"""What can be wrong with a YAML text, said for the person who has to mend it."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

Path: TypeAlias = "tuple[str | int, ...]"

LINE_END = re.compile("\r\n|\n|\r")
# Compiled when it is needed, for that takes long.
_NOT_YAML = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_ENTRY = re.compile(r"[ \t]*+(?:-[ \t]++)*+(?P<key>(?:[^:]|:(?=\S))++):(?:[ \t]++(?P<value>\S?)|$)")
_LIST_ENTRY = re.compile(r"[ \t]*+(?:-[ \t]++)++(?P<value>\S)")
_TOKENS_OPENED_EARLIER = (
    "while scanning a quoted scalar",
    "while scanning a simple key",
    "while scanning an alias",
    "while scanning an anchor",
    "while parsing a flow",
)
_RESERVED = "@`%"
QUOTE = "Put the value in quotes."
"""What to do with a value that YAML takes for something else."""
_BLOCK_TEXT = "Start the text on the next line, indented; or put the value in quotes."
_STARTS = {
    "*": ("starts with *, which repeats an anchor in YAML", QUOTE),
    "&": ("starts with &, which names an anchor in YAML", QUOTE),
    "!": ("starts with !, which is a tag in YAML", QUOTE),
    "[": (
        "starts with [, which opens a list in YAML; it is not closed, lacks a comma, or text follows it",
        "Close the list with ], with commas between its entries; or put the value in quotes if it is text.",
    ),
    "{": (
        "starts with {, which opens a mapping in YAML; it is not closed, lacks a comma, or text follows it",
        "Close the mapping with }, with commas between its keys; or put the value in quotes if it is text.",
    ),
    "|": ("starts with |, which opens block text in YAML", _BLOCK_TEXT),
    ">": ("starts with >, which opens block text in YAML", _BLOCK_TEXT),
    "%": ("starts with %, which YAML reserves", QUOTE),
    "@": ("starts with @, which YAML reserves", QUOTE),
    "`": ("starts with `, which YAML reserves", QUOTE),
    '"': (
        "starts with a double quote, and the quoted part does not end where the value ends",
        'Close the quotes at the end of the value, and write each double quote within them as \\".',
    ),
    "'": (
        "starts with a single quote, and the quoted part does not end where the value ends",
        "Close the quotes at the end of the value, and write each single quote within them twice.",
    ),
    "-": (
        "starts with -, which is a list entry in YAML",
        "Start the list on the next line, or quote the value.",
    ),
    "?": ("starts with ?, which is a key in YAML", QUOTE),
    ",": ("starts with a comma, which YAML reserves", QUOTE),
    "]": ("starts with ], which closes a list that was not opened", "Remove the bracket."),
    "}": ("starts with }, which closes a mapping that was not opened", "Remove the bracket."),
}
_INDENT = "Indent the line with blanks exactly like the other lines of its mapping or list."
_TAB = (
    "a tab indents this line, and YAML indents with blanks alone",
    "Replace the tab by blanks, as many as the lines beside it have.",
)
_LIST = (
    "a list entry stands where YAML expects none",
    "Indent it like the other entries of its list, or start the list below a key without a value.",
)
_ESCAPE = (
    "a backslash within double quotes starts an escape that YAML does not know",
    "Use single quotes, or double the backslash.",
)
_NO_ENTRY = (
    "The line is no `key: value` line; a colon and a blank have to follow the key.",
    "Write it as `key: value`, or indent it if it goes on with the value above.",
)
_DIRECTIVE = (
    "a line that starts with % is a directive in YAML and has no place here",
    "Remove the line, or put its key in quotes.",
)
_STRAY_BRACKET = ("a bracket closes what was not opened", "Remove the bracket.")
_INDENTATION = ("the indentation fits nothing above", _INDENT)
_PROBLEMS = (
    (
        "mapping values are not",
        (
            "a colon stands where YAML expects none",
            "Indent the line like the keys beside it, or put the value in quotes if the colon belongs to it.",
        ),
    ),
    ("sequence entries are not", _LIST),
    ("expected key", _INDENTATION),
    ("expected '-'", _INDENTATION),
    ("<block end>", _INDENTATION),
    ("document start", ("the line is indented less than the first one", _INDENT)),
)


class YamlRefusedError(Exception):
    """A text that is no YAML, or more of it than the caps allow.

    Attributes:
        code: "OKF103" or "OKF106".
        line: Line in the text, from 0.
        column: Column in characters, from 0.
        reason: One sentence.
        cure: What to do, "" where the cure of the rule says it.
        repairable: Whether an unquoted colon, or text after a quoted part, may be the cause.
    """

    def __init__(
        self, code: str, line: int, column: int, reason: str, cure: str = "", *, repairable: bool = False
    ) -> None:
        super().__init__(reason)
        self.code = code
        self.line = line
        self.column = column
        self.reason = reason
        self.cure = cure
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
    forbidden = re.search(_NOT_YAML, text)
    if forbidden:
        line, column = _place(text, forbidden.start())
        character = f"U+{ord(forbidden.group()):04X}"
        name = _name(_line_of(text, line), last_path)
        within = f" in `{name}`" if name else ""
        reason = f"The character {character}{within} cannot stand in YAML."
        return YamlRefusedError("OKF103", line, column, reason, "Remove the character.")
    context, problem = str(getattr(error, "context", None) or ""), str(getattr(error, "problem", None) or "")
    code = "OKF106" if "nesting" in problem else "OKF103"
    mark: Any = getattr(error, "problem_mark", None)
    if context.startswith(_TOKENS_OPENED_EARLIER):
        mark = getattr(error, "context_mark", None) or mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    repairable = problem.startswith("mapping values are not") or context == "while parsing a block mapping"
    above = _line_of(text, line - 1) if line else ""
    if problem.startswith("mapping values are not") and _is_stray(above, _line_of(text, line)):
        return YamlRefusedError("OKF103", line - 1, len(above) - len(above.lstrip()), *_NO_ENTRY)
    if "document start" in problem and text.lstrip().startswith("%"):
        context = "while scanning a directive"
        line, column = _place(text, len(text) - len(text.lstrip()))
    words = _words(_line_of(text, line), column, last_path, context, problem or type(error).__name__)
    return YamlRefusedError(code, line, column, *words, repairable=repairable)


def _words(line: str, column: int, last_path: Path, context: str, problem: str) -> tuple[str, str]:
    """What was found and what to do, for a place and what the parser says of it."""
    name = _name(line, last_path)
    found = _ENTRY.match(line) or _LIST_ENTRY.match(line)
    start = (found["value"] if found and column >= found.start("value") else "") or ""
    character = line[column : column + 1]
    if "tab character" in problem or character == "\t":
        what, cure = _TAB
    elif "escape" in problem or "hexdecimal" in problem:
        what, cure = _ESCAPE
    elif "directive" in context:
        what, cure = _DIRECTIVE
    elif "cannot start any token" in problem and character in _RESERVED:
        return _reserved(line, column, name)
    elif "could not find expected ':'" in problem:
        return _NO_ENTRY
    elif start in _STARTS:
        what, cure = _STARTS[start]
        return f"The value{f' of `{name}`' if name else ''} {what}.", cure
    elif "expected" in problem and line.lstrip().startswith("- "):
        what, cure = _LIST
    elif "expected" in problem and character in ("]", "}"):
        what, cure = _STRAY_BRACKET
    else:
        unknown = (f"the YAML cannot be read ({problem})", "")
        what, cure = next((words for part, words in _PROBLEMS if part in problem), unknown)
    return (f"At `{name}`, {what}." if name else f"{what[0].upper()}{what[1:]}."), cure


def _reserved(line: str, column: int, name: str) -> tuple[str, str]:
    """The words for a key, a value or an entry of a list that starts with a character of no use in YAML."""
    which = f"starts with {line[column]}, which YAML reserves."
    found = _ENTRY.match(line)
    if found and column <= found.start("key"):
        return f"The key `{shown(found['key'])}` {which}", "Put the key in quotes."
    whole = found or _LIST_ENTRY.match(line)
    subject = "The value" if whole and column == whole.start("value") else "A part"
    return f"{subject} of `{name}` {which}" if name else f"The line {which}", QUOTE


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
