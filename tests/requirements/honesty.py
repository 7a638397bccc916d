"""What is wrong with the list of promises, measured against the seeds and the tests that it names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.requirements.promise import Promise, Seed
from tests.requirements.reading import names, one_spaced, sections, statements, table_rows

QUOTED_WORDS = 6
"""The most words that are quoted at once, and one less than may stand in a row as they do in a seed."""


@cache
def tests_of(file: Path) -> frozenset[str]:
    """The names of the tests of a file, those of its classes included."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return frozenset(
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    )


def missing_tests(promise: Promise, folder: Path) -> list[str]:
    """The tests of a promise that there are not."""
    return [
        test
        for test in promise.tests
        for file, _, name in [test.partition("::")]
        if not (folder / file).is_file() or name not in tests_of(folder / file)
    ]


def first_cells(page: str) -> set[str]:
    """The first cell of every row of the tables of a page."""
    return {line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")}


def misquoted(seed: Seed, text: str) -> list[str]:
    """Quotes that do not stand in the section that they are quoted from."""
    found = {heading: one_spaced("\n".join(chunks)) for heading, chunks in sections(text).items()}
    return [
        f"{promise.id}: {quote}"
        for heading, promises in seed.sections.items()
        for promise in promises
        for quote in promise.quotes
        if quote not in found.get(heading, "")
    ]


def unpromised(seed: Seed, text: str) -> list[str]:
    """Sections, statements, rows and names of a seed that no promise quotes and that are no asides."""
    return [what for what in _uncovered(seed, text) if not _is_aside(seed, what)]


def stale_asides(seed: Seed, text: str) -> list[str]:
    """Asides that stand nowhere, or where a promise is quoted."""
    uncovered = list(_uncovered(seed, text))
    return [
        words
        for listed in seed.asides.values()
        for words in listed
        if not any(_covers(words, what) for what in uncovered)
    ]


def copied(promise: Promise, text: str) -> list[str]:
    """Runs of words of a promise that stand in the seed as well, too long to be anyone's."""
    seed_words = f" {' '.join(_words(text))} "
    words = _words(promise.says)
    runs = (" ".join(words[at : at + QUOTED_WORDS]) for at in range(len(words) - QUOTED_WORDS + 1))
    return [run for run in runs if f" {run} " in seed_words]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _is_aside(seed: Seed, what: str) -> bool:
    return any(_covers(words, what) for listed in seed.asides.values() for words in listed)


def _covers(words: str, what: str) -> bool:
    """Whether words stand for a statement or a name; a single name only for itself or what starts with it."""
    is_name = re.fullmatch(r"[\w<>-]+", words) is not None
    return (
        words == what
        or (not is_name and words in what)
        or bool(re.match(rf"(?:• )?{re.escape(words)}\b", what))
    )


def _uncovered(seed: Seed, text: str) -> Iterator[str]:
    """What no promise quotes; a whole section only if it has no statements to be missed one by one."""
    for heading, chunks in sections(text).items():
        quotes = [quote for promise in seed.sections.get(heading, ()) for quote in promise.quotes]
        said = list(statements(chunks))
        if not quotes and not said:
            yield heading
        yield from (statement for statement in said if not any(_covers(quote, statement) for quote in quotes))
        yield from (row for first, row in table_rows(chunks) if first not in quotes)
    quoted = "\n".join(quote for promise in seed.promises for quote in promise.quotes)
    for name in names(text):
        if not re.search(rf"(?<![\w-]){re.escape(name)}(?!\w)", quoted):
            yield name
