"""What is known of a promise: where it is made, what it says, and what keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Later = Literal["engines", "local", "sources", "page"]
"""A part that is still to come: Chroma, Neo4j, Trino and PostgreSQL; LocalKB; knowledge sources over REST;
their web page."""


@dataclass(frozen=True, slots=True)
class Promise:
    """One promise of a seed, and what keeps it: tests, or where those will be.

    Attributes:
        id: A name that stays, such as "KB-014".
        quotes: Words of the seed's section by which to find the promise there: names, or up to six words.
        says: The promise in a sentence of ours.
        tests: Tests that show it, as "file below tests/::function".
        later: The part that will keep it.
        differs: First cell of the row of docs/differences.md that says why it is answered otherwise; then the
            rest tells what is answered instead.
    """

    id: str
    quotes: tuple[str, ...]
    says: str
    tests: tuple[str, ...] = ()
    later: Later | None = None
    differs: str = ""


Section: TypeAlias = tuple[Promise, ...]


@dataclass(frozen=True, slots=True)
class Seed:
    """A document that the product is built from.

    Attributes:
        number: The number that its file name starts with.
        prefix: What the ids of its promises start with.
        sections: Its promises by the headings that they stand under.
        asides: Words of it that promise nothing, by the reason why.
    """

    number: str
    prefix: str
    sections: dict[str, Section]
    asides: dict[str, tuple[str, ...]]

    @property
    def promises(self) -> tuple[Promise, ...]:
        """All of its promises, in order."""
        return tuple(promise for section in self.sections.values() for promise in section)


def at(file: str, *functions: str) -> tuple[str, ...]:
    """Tests of a file, as `Promise.tests` has them."""
    return tuple(f"{file}::{function}" for function in functions)
