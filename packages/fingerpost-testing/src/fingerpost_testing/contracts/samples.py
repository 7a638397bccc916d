"""The records that a knowledge base is filled with, so that a contract knows what is to be found in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fingerpost import Record

SHARED_WORD = "signpost"
"""A word that stands in the text of every sample."""

UNKNOWN_WORD = "zyxquvw"
"""A word that stands nowhere."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A record that is stored, and how it is known again.

    Attributes:
        record: The record.
        word: A word as it stands in the text of this record, and of no other.
    """

    record: Record
    word: str

    @property
    def text(self) -> str:
        """The text of the record."""
        return self.record["text"]

    @property
    def id(self) -> str:
        """The id of the record, "" if it has none."""
        return self.record["metadata"].get("id", "")


def sample(word: str, text: str, **metadata: Any) -> Sample:
    """A sample of a record with this metadata."""
    return Sample({"text": text, "metadata": metadata}, word)


SAMPLES = (
    sample(
        "barrels",
        "The keeper orders lamp oil in October. It comes in barrels, and a signpost shows where they go.",
        id="lamp-oil",
        title="Lamp oil",
        source="keeper",
        kind="Supply",
        tags=["oil", "winter"],
        links=[{"target": "fog-bell", "text": "the bell"}],
    ),
    sample(
        "minute",
        "In fog the bell is rung twice a minute. The signpost below it names the watch of the day.",
        id="fog-bell",
        title="The bell",
        source="harbour office",
        kind="Rule",
        tags=["fog"],
        links=[],
    ),
    sample(
        "stairs",
        "Visitors climb the tower on Sundays. Follow the signpost in the yard to the stairs.",
        id="visitors",
        title="Visits: Sundays, 10-16",
        source="notice board",
        kind="Notice",
        tags=["tower", "open days"],
        links=[{"target": "lamp-oil", "text": "where the oil is kept", "seen": {"times": 2, "again": True}}],
    ),
    sample(
        "geräumt",
        "Die Straße zum Turm wird im Winter geräumt, vom signpost am Hügel bis zur Tür.",
        id="winter-road",
        title="Straße im Winter",
        source="Gemeinde Südhöhe",
        kind="Regel",
        tags=["Straße"],
        links=[{"target": "visitors", "text": "Öffnungszeiten"}],
    ),
    sample(
        "الميناء",
        "تقف لافتة signpost عند الميناء وتدل على المنارة",
        id="harbour-sign",
        title="لافتة المنارة",
        source="مكتب السفن",
        kind="ملاحظة",
        tags=["لافتة"],
        links=[],
    ),
    sample(
        "道しるべ",
        "灯台 への 道しるべ signpost は 桟橋 に 立つ 🗼",
        id="pier-sign",
        title="灯台 🗼",
        source="灯台守",
        kind="案内",
        tags=["灯台", "🗼"],
        links=[{"target": "harbour-sign", "text": "لافتة"}],
    ),
)
"""Six short records in four scripts, each with a word of its own."""
