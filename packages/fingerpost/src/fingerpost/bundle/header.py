"""What is kept of a concept beside its text, and how it is written into the catalog."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from fingerpost.bundle.names import concept_id
from fingerpost.bundle.shapes import HeaderView
from fingerpost.okf.trust import Tier

CONCEPT, INVALID, UNREADABLE, FILE = "concept", "invalid", "unreadable", "file"
"""What a file of a bundle can be; each card starts with one of them."""

# Of texts, one by one, which takes a tenth of the time that a list of them takes.
_as_json: Callable[[str], str] = json.encoder.encode_basestring
_TRUTH = ("false", "true")


class Header(NamedTuple):
    """What is kept of a concept beside its text.

    Attributes:
        path: Bundle-relative path of the file.
        id: Concept id, as it is printed.
        type: Non-empty text.
        title: The title, or one made of the file name.
        description: One sentence, or "".
        status: "stable", "draft", "deprecated", or what the author wrote.
        tags: Tags in the order written.
        trust: Trust tier.
        outdated_check: Whether the latest verification is older than the content.
        stale_after: From when on the concept is stale.
        expiry_unreadable: Whether it says so in a way that nobody can read.
        revision: Content hash, 16 hexadecimal digits; equal bytes have equal revisions.
    """

    path: str
    id: str
    type: str
    title: str
    description: str
    status: str
    tags: tuple[str, ...]
    trust: Tier
    outdated_check: bool
    stale_after: datetime | None
    expiry_unreadable: bool
    revision: str

    def stale(self, now: datetime) -> bool:
        """Whether `stale_after` has come (OKF 0.2 §5.5, the instant itself included)."""
        return self.stale_after is not None and now >= self.stale_after

    def view(self, now: datetime) -> HeaderView:
        """What every answer says of the concept."""
        return {
            "id": self.id,
            "type": self.type,
            "title": self.title,
            "description": self.description,
            "status": self.status,
            "trust": self.trust,
            "stale": self.stale(now),
        }

    def card(self) -> str:
        """The header as the text that the catalog keeps."""
        expiry = f'"{self.stale_after.isoformat()}"' if self.stale_after else "null"
        texts = CONCEPT, self.revision, self.type, self.title, self.description, self.status
        tags = ",".join(map(_as_json, self.tags))
        flags = f"{_TRUTH[self.outdated_check]},{_TRUTH[self.expiry_unreadable]}"
        return f'[{",".join(map(_as_json, texts))},[{tags}],"{self.trust}",{expiry},{flags}]'


def read_card(card: str) -> list[Any]:
    """A card as a list: what the file is, its revision, then the rest of the header when it is a concept."""
    return json.loads(card)


def header_of(path: str, card: list[Any]) -> Header:
    """The header of a concept.

    Args:
        path: Where the concept lies.
        card: Its card, as read.
    """
    _, revision, type_, title, description, status, tags, trust, expiry, outdated, unreadable = card
    return Header(
        path,
        concept_id(path),
        type_,
        title,
        description,
        status,
        tuple(tags),
        trust,
        outdated,
        datetime.fromisoformat(expiry) if expiry else None,
        unreadable,
        revision,
    )


def is_concept_card(card: str | None) -> bool:
    """Whether a card is that of a concept."""
    return card is not None and card.startswith(f'["{CONCEPT}"')
