"""What somebody gives to be written: a text, perhaps with a frontmatter block of its own, and fields."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fingerpost.errors import ArgumentError, ConceptError
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_text import Value
from fingerpost.text.cutting import cut

_TITLE_CHARS = 80
_LINES = frozenset(("type", "title", "description", "status"))
_MARKS = re.compile(r"^(?:#{1,6}[ \t]+|[-*+>][ \t]+|[0-9]{1,9}[.)][ \t]+)+")
_OPENING = re.compile(r"---[ \t]*\r?\n[ \t]*[\w-]+:(?:\s|$)")
_UNSEEN = frozenset(("Cc", "Cf", "Mn"))
_COLONS = dict.fromkeys(map(ord, "\u02d0\u05c3\u2236\ua789"), ":")
# Each letter, or one of another script in its place; one of them at least is no other.
_OTHER = r"[^\x00-\x7f]"
_LIKE_HUMAN = re.compile("(?=.*[a-z])" + "".join(f"(?:{letter}|{_OTHER})" for letter in "human"))
_STAYING = frozenset(("type", "verified", "generated"))
_EMPHASIS = re.compile(r"(\*\*|__|[*_`])(?=\S)(.+?)(?<=\S)\1")


@dataclass(frozen=True, slots=True)
class Given:
    """What was given.

    Attributes:
        body: The text without the block; "" when it has no word.
        fields: What the block says, and over it what was said apart.
        overruled: The fields that the block says otherwise than what was said apart.
    """

    body: str
    fields: dict[str, Value]
    overruled: tuple[str, ...] = ()


def given(text: str, fields: Mapping[str, Value]) -> Given:
    """Take what was given apart.

    Args:
        text: The text, which may start with a frontmatter block.
        fields: Fields by name; None where nothing is said.

    Raises:
        ConceptError: The text starts with a block that cannot be read.
    """
    text = text.removeprefix("\ufeff")
    opened = open_text(text.encode("utf-8", "replace"))
    is_cut_off = not opened.has_block and _OPENING.match(text)
    if is_cut_off or (opened.has_block and opened.frontmatter is None):
        reason = opened.findings[0].reason if opened.findings else "It cannot be read."
        raise ConceptError(
            f"The text starts with a frontmatter block that cannot be read, and was not written: {reason} "
            "Correct it, or give the text without it."
        )
    own = dict(opened.frontmatter.values) if opened.frontmatter is not None else {}
    said = {name: _said(name, value) for name, value in fields.items() if value is not None}
    body = opened.body if own else text
    overruled = tuple(name for name, value in said.items() if own.get(name) not in (None, value))
    return Given(body if body.strip() else "", own | said, overruled)


def _said(name: str, value: Value) -> Value:
    """A field as it is meant: one line where it can only be one, and tags that came as one text."""
    if not isinstance(value, str):
        return value
    if name == "tags":
        return [tag for tag in map(str.strip, value.split(",")) if tag]
    return " ".join(value.split()) if name in _LINES else value


def refuse_claims(fields: Mapping[str, Value]) -> None:
    """Refuse fields by which a program would pass for a person, or its own work for checked.

    What only looks like one, to people who read the file, is refused too.

    Raises:
        ArgumentError: There is one.
    """
    for name, value in fields.items():
        if _seen(name) == "verified":
            raise ArgumentError(
                f"A text is verified by whoever has checked it, and not by writing it; leave out {name!r}."
            )
        if name.strip() == "<<":  # by which other readers of YAML would take in what lies in a mapping
            raise ArgumentError("The key '<<' takes in other fields; write them out.")
        signed = filter(is_person, _texts(value)) if _seen(name) == "generated" else ()
        for actor in signed:
            raise ArgumentError(f"{no_program_signs(actor)}; leave {name!r} out.")


def refuse_removals(names: Iterable[str], fields: Mapping[str, Value]) -> None:
    """Refuse to remove what makes a concept one, what somebody has signed, and what is to be set.

    Raises:
        ArgumentError: Something of it is to be removed.
    """
    for name in names:
        if _seen(name) in _STAYING:
            raise ArgumentError(
                f"{name!r} is not removed from a concept; whoever owns the file does that in it."
            )
        if fields.get(name) is not None:
            raise ArgumentError(f"{name!r} is to be set and removed; decide on one.")


def no_program_signs(actor: str) -> str:
    """The start of the sentence about an actor that passes for a person."""
    return f"{actor!r} is a person's signature, which no program gives"


def is_person(actor: str) -> bool:
    """Whether an actor passes for a person, to any reader, be it a program or somebody who looks at it."""
    kind, colon, _ = _seen(actor.translate(_COLONS)).partition(":")
    return bool(colon) and _LIKE_HUMAN.fullmatch(kind.strip()) is not None


def _seen(text: str) -> str:
    """A text as it looks: without what nobody sees, in one width and in small letters."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(each for each in composed if unicodedata.category(each) not in _UNSEEN).strip().casefold()


def _texts(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif value is not None:
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def title_in(text: str) -> str:
    """The title of a text that has none: its first line with words, without marks, cut at a word."""
    for line in text.splitlines():
        words = " ".join(_EMPHASIS.sub(r"\2", _MARKS.sub("", line.strip())).split())
        if any(map(str.isalnum, words)):
            return cut(words, _TITLE_CHARS, at=" ")
    return ""
