"""The vocabulary that all rooms share: the records of knowledge bases; what was found wrong, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypedDict

Record: TypeAlias = Mapping[str, Any]
"""What knowledge bases give and take: `{"text": ..., "metadata": {...}}`; see `KnowledgeRecord`."""


class KnowledgeMetadata(TypedDict, total=False):
    """The usual keys of a record's metadata. Nothing is checked against it, and a backend may have others.

    Attributes:
        id: What the record is fetched by, without a comma.
        source: Where it comes from, or who wrote it.
        title: What it is called.
        kind: What kind of thing it is, such as the type of a concept.
        trust: How far it was checked: "human-reviewed", "machine-confirmed" or "unverified".
        stale: Whether it was to be looked at again by now.
        links: What it leads to.
        revision: The state of it that was read or written.
    """

    id: str
    source: str
    title: str
    kind: str
    trust: str
    stale: bool
    links: list[Any]
    revision: str


class KnowledgeRecord(TypedDict):
    """The shape of a record: its text, and what is known about it."""

    text: str
    metadata: KnowledgeMetadata


class Records(list[Record]):
    """Records as a knowledge base returns them where there is more to say than they hold; a plain list else.

    Args:
        records: The records.
        total: How many there are in all.
        notes: What is to be said of them.

    Attributes:
        total: How many there are in all, None where that is not known.
        notes: Sentences for whoever asked: why there are none, what is missing, what could not be looked at.
    """

    def __init__(
        self, records: Iterable[Record] = (), total: int | None = None, notes: Iterable[str] = ()
    ) -> None:
        super().__init__(records)
        self.total = total
        self.notes = tuple(notes)


Severity = Literal["error", "warning", "note"]
Verdict = Literal["conformance", "lint"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong within a text, before it is known which file the text is.

    Attributes:
        code: The rule's stable code, such as "OKF104"; `fingerpost.okf.rules.RULES` has them all.
        line: Line in the file, from 1; 0 when the finding is about the file as a whole.
        column: Column in characters, from 1; 0 when the finding is about the whole line or file.
        reason: One sentence that names what was found, with the offending key or value.
        cure: What to do in this very case; "" where the cure of the rule says it.
    """

    code: str
    line: int
    column: int
    reason: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding in a file of a bundle, with how grave it is and how to cure it.

    Attributes:
        code: The rule's stable code.
        rule: The rule's readable name, such as "yaml-colon".
        severity: "error", "warning" or "note".
        verdict: Whether the specification's three conformance clauses are at stake, or good practice alone.
        path: Bundle-relative path of the file, "" for the bundle as a whole.
        line: Line, from 1; 0 for the whole file.
        column: Column in characters, from 1; 0 for the whole line.
        reason: What was found.
        cure: What to do about it.
    """

    code: str
    rule: str
    severity: Severity
    verdict: Verdict
    path: str
    line: int
    column: int
    reason: str
    cure: str

    @property
    def location(self) -> str:
        """`path:line:column`, leaving out the parts that are not known."""
        parts = [self.path or "."]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)

    def __str__(self) -> str:
        return f"{self.location}: {self.code} {self.reason} {self.cure}"
