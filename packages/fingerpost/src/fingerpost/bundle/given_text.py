"""What somebody gives to be written: a text, perhaps with a frontmatter block of its own, and fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from fingerpost.errors import ArgumentError, ConceptError
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_text import Value
from fingerpost.text.cutting import cut

_TITLE_CHARS = 80
_MARKS = re.compile(r"^(?:#{1,6}[ \t]+|[-*+>][ \t]+|[0-9]{1,9}[.)][ \t]+)+")
_EMPHASIS = re.compile(r"(\*\*|__|[*_`])(?=\S)(.+?)(?<=\S)\1")


@dataclass(frozen=True, slots=True)
class Given:
    """What was given.

    Attributes:
        body: The text without the block.
        fields: What the block says, and over it what was said apart.
    """

    body: str
    fields: dict[str, Value]


def given(text: str, fields: Mapping[str, Value]) -> Given:
    """Take what was given apart.

    Args:
        text: The text, which may start with a frontmatter block.
        fields: Fields by name; None where nothing is said.

    Raises:
        ConceptError: The text starts with a block that cannot be read.
    """
    opened = open_text(text.encode("utf-8", "replace"))
    if opened.has_block and opened.frontmatter is None:
        reason = opened.findings[0].reason if opened.findings else "It cannot be read."
        raise ConceptError(
            f"The text starts with a frontmatter block that cannot be read, and was not written: {reason} "
            "Correct it, or give the text without it."
        )
    own = dict(opened.frontmatter.values) if opened.frontmatter is not None else {}
    said = {name: value for name, value in fields.items() if value is not None}
    return Given(opened.body if own else text, own | said)


def refuse_claims(fields: Mapping[str, Value]) -> None:
    """Refuse fields by which a program would pass for a person, or its own work for checked.

    Raises:
        ArgumentError: There is one.
    """
    for name in fields:
        if name.strip().casefold() == "verified":
            raise ArgumentError(
                f"A text is verified by whoever has checked it, and not by writing it; leave out {name!r}."
            )
        if name.strip() == "<<":  # by which other readers of YAML would take in what lies in a mapping
            raise ArgumentError("The key '<<' takes in other fields; write them out.")
    generated = fields.get("generated")
    by = generated.get("by") if isinstance(generated, dict) else generated
    if isinstance(by, str) and is_person(by):
        raise ArgumentError(
            f"{by!r} in 'generated' is a person's signature, which no program gives; leave it out."
        )


def is_person(actor: str) -> bool:
    """Whether an actor passes for a person, to any reader."""
    return actor.strip().lower().startswith("human:")


def title_in(text: str) -> str:
    """The title of a text that has none: its first line with words, without marks, cut at a word."""
    for line in text.splitlines():
        words = " ".join(_EMPHASIS.sub(r"\2", _MARKS.sub("", line.strip())).split())
        if any(map(str.isalnum, words)):
            return cut(words, _TITLE_CHARS, at=" ")
    return ""
