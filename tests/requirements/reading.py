"""What a seed holds, found without understanding it: headings, statements, rows of tables, names of code.

The seeds are texts without markup. So a heading is a short line by itself that is no sentence, a table is
lines with tabs, and code is what starts like code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_CODE = re.compile(
    r"""(?x)
    \s | [@\#{}\[)"'] | -[Hd]\s
    | (?:from|import|class|def|async|return)\s | (?:curl|pip|claude|sequenceDiagram)\b
    | \w+: $ | [\w.]+ (?:,\s\w+)* \s = | [\w.()]+ [(] $ | [\w.]+ [(] .* [)] $
    """,
    re.MULTILINE,
)
_ENTRY = re.compile(r"\s*(?:•|\d+\.)\s")
_SENTENCE = re.compile(r"[.:;,!?]$|^[(a-z].*\)$")
_NAME = re.compile(
    r"(?<![\w-])--\w[\w-]*"  # an option
    r"|<[A-Z][A-Z_]+>"  # a placeholder
    r"|(?<!\w)_?[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?!\w)"  # with underscores
    r"|(?<!\w)[A-Z]+[a-z0-9]+[A-Z]\w*|(?<!\w)[A-Z][A-Z0-9]+[a-z]\w*"  # with capitals within
    r"|(?<!\w)[A-Za-z]\w*(?=\()"  # called
)


def one_spaced(text: str) -> str:
    """A text with single blanks, as quotes are compared."""
    return " ".join(text.split())


def _chunks(text: str) -> list[str]:
    return [chunk for chunk in re.split(r"\n[ \t]*\n", text.strip("\n")) if chunk.strip()]


def is_heading(chunk: str) -> bool:
    """Whether a piece between empty lines is a heading."""
    line = chunk.strip()
    return (
        len(line) <= 60
        and not any(mark in line for mark in "\n\t=/<{•")
        and not _SENTENCE.search(line)
        and not (_CODE.match(line) and not line.isidentifier())
    )


def sections(text: str) -> dict[str, list[str]]:
    """The pieces of a text by the headings that they stand under, those with nothing below left out."""
    found: dict[str, list[str]] = {}
    heading = ""
    for chunk in _chunks(text):
        if is_heading(chunk):
            heading = chunk.strip()
        else:
            found.setdefault(heading, []).append(chunk)
    return found


def table_rows(chunks: list[str]) -> Iterator[tuple[str, str]]:
    """The first cell and the whole of each row of the tables among some pieces, their heads left out."""
    for chunk in chunks:
        lines = [line for line in chunk.split("\n") if "\t" in line]
        yield from ((line.partition("\t")[0].strip(), line) for line in lines[1:])


def statements(chunks: list[str]) -> Iterator[str]:
    """The paragraphs and the entries of lists among some pieces; neither code nor tables."""
    for chunk in chunks:
        entries = [line for line in chunk.split("\n") if _ENTRY.match(line)]
        if entries:
            yield from map(one_spaced, entries)
        elif "\t" not in chunk and not _CODE.match(chunk):
            yield one_spaced(chunk)


def names(text: str) -> list[str]:
    """The names of code in a text."""
    return sorted(set(_NAME.findall(text)))
