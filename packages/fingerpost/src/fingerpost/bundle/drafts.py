"""Working out what a file is to hold: a new concept, or one that changes. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from fingerpost.bundle.change import Change, naming
from fingerpost.bundle.given_text import Given, given, refuse_claims, refuse_removals
from fingerpost.bundle.names import concept_id
from fingerpost.bundle.scanned import no_concept, revision_of
from fingerpost.errors import ArgumentError, ConflictError
from fingerpost.okf.compose import compose
from fingerpost.okf.document import Document, read_document
from fingerpost.okf.edit import GONE, Field, Gone, set_fields
from fingerpost.okf.edit_body import append_to_body, replace_body
from fingerpost.okf.yaml_text import Value
from fingerpost.text.suggest import did_you_mean, nearest

DEFAULT_TYPE = "Note"
_ORDER = ("type", "title", "description", "status", "tags")
_MUCH_SHORTER = 2  # times
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_ATTESTED = frozenset(("type", "computation", "parameters", "runtime", "executor", "attester"))


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who writes, and when.

    Attributes:
        by: The actor.
        at: The moment, with a time zone.
    """

    by: str
    at: datetime

    @property
    def at_text(self) -> str:
        """The moment as bundles write it (OKF 0.2 §5.2)."""
        return f"{self.at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"

    def field(self) -> dict[str, Value]:
        """The moment and the actor as the field `generated`."""
        return {"by": self.by, "at": self.at_text}


def new_concept(path: str, new: Given, stamp: Stamp | None) -> Change:
    """A concept that is not there yet.

    Args:
        path: Where it is to lie.
        new: Its text and fields.
        stamp: Whose work it is; None to leave it as it was given.
    """
    refuse_claims(new.fields)
    fields: dict[str, Value] = {"type": DEFAULT_TYPE, **new.fields}
    ordered = {name: fields.pop(name) for name in _ORDER if name in fields} | fields
    if stamp is not None:
        ordered["generated"] = stamp.field()
    after = compose(ordered, new.body)
    _check(read_document(after, path))
    return Change(path, None, after, tuple(_overruled(new)))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of a concept that is there.

    Attributes:
        text: The text that is to stand in it, or to follow what does; one without words leaves it alone.
        fields: Fields to set; None where nothing is said of one.
        revision: The revision that was read; "" if that is not said.
        appends: Whether the text is to follow what stands there.
        section: The heading of the section that the text is to follow, "" for the end.
        unset: Fields to remove.
    """

    text: str = ""
    fields: Mapping[str, Value] | None = None
    revision: str = ""
    appends: bool = False
    section: str = ""
    unset: tuple[str, ...] = ()


def changed_concept(path: str, before: bytes, wanted: Wanted, stamp: Stamp) -> Change:
    """A concept with some of it changed, and no other byte.

    A text that is replaced or added to is the work of whoever does it: where the concept says who generated
    it, that is brought up to date, and nowhere added.

    Args:
        path: Where it lies.
        before: What it holds.
        wanted: What is to change.
        stamp: Who changes it.

    Raises:
        ConceptError: It cannot be read as a concept.
        ConflictError: It is not of the revision that was read.
        ArgumentError: A text is to be replaced that nobody has read, or something is claimed.
    """
    document = read_document(before, path)
    _check(document)
    revision = revision_of(before)
    if wanted.revision and wanted.revision != revision:
        raise ConflictError(
            f"{concept_id(path)!r} was changed since you read it: its revision is {revision!r} now, and not "
            f"{wanted.revision!r}. Read it again, and repeat your change on what it says now."
        )
    with naming(path):
        after, notes = _changed(path, before, document, wanted, stamp)
    return Change(path, before, after, notes)


def _changed(
    path: str, before: bytes, document: Document, wanted: Wanted, stamp: Stamp
) -> tuple[bytes, tuple[str, ...]]:
    after = before
    refuse_removals(wanted.unset, wanted.fields or {})
    if wanted.appends:
        new = Given("", dict(wanted.fields or {}))
        after = append_to_body(after, wanted.text, wanted.section)
    else:
        new = given(wanted.text, wanted.fields or {})
        after = _with_body(before, document, new.body, wanted) if new.body else before
    is_reworked = after != before
    fields = {name: value for name, value in new.fields.items() if name not in wanted.unset}
    different = dict(_different(document, fields))
    refuse_claims(different)
    there = document.frontmatter.values
    gone = {name: GONE for name in wanted.unset if name in there}
    if document.attested is not None and (is_reworked or _ATTESTED & (different.keys() | gone.keys())):
        raise ArgumentError(
            f"{concept_id(path)!r} is an attested computation, which its owner changes in the file itself; "
            "only what is said about it can be set."
        )
    changes: dict[Field, Value | Gone] = {(name,): value for name, value in (different | gone).items()}
    if is_reworked and "generated" not in different:
        changes |= dict(_stamped(document, stamp))
    after = set_fields(after, changes)
    now = read_document(after, path)
    if not now.is_concept:
        raise no_concept(now, "It would be no valid concept any more.")
    absent = tuple(name for name in wanted.unset if name not in there)
    told = _notes(document, now, is_changed=after != before, is_said=not absent)
    return after, (*_overruled(new), *(_no_field(name, there) for name in absent), *told)


def _with_body(before: bytes, document: Document, body: str, wanted: Wanted) -> bytes:
    """A file with another body; the same bytes when it is no other."""
    after = replace_body(before, body)
    if after != before and document.body.strip() and not wanted.revision:
        raise ArgumentError(
            f"{concept_id(document.path)!r} has a text already, which yours would replace: read it, and give "
            f"its revision with your text (it is {revision_of(before)!r} now), or append to it."
        )
    return after


def check_proposed(change: Change) -> None:
    """Refuse a change of a concept that no draft could be.

    Raises:
        ConceptError: What it makes is no concept.
        ArgumentError: It claims something.
    """
    document = read_document(change.after, change.path)
    _check(document)
    before = {} if change.before is None else read_document(change.before, change.path).frontmatter.values
    values = document.frontmatter.values
    refuse_claims({name: value for name, value in values.items() if before.get(name) != value})


def _check(document: Document) -> None:
    """Refuse what is no concept.

    Raises:
        ConceptError: It is none; the sentence says why.
    """
    if not document.is_concept:
        raise no_concept(document)


def _different(document: Document, fields: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """Those of some fields that the concept has not, or not like that."""
    values = document.frontmatter.values
    read: dict[str, Value] = {
        "type": document.type,
        "title": document.display_title,
        "description": document.description,
        "status": document.status,
        "tags": list(document.tags),
    }
    for name, value in fields.items():
        if value is None or value == values.get(name) or (name in read and value == read[name]):
            continue
        yield name, value


def _stamped(document: Document, stamp: Stamp) -> Iterator[tuple[Field, Value]]:
    generated = document.frontmatter.values.get("generated")
    if isinstance(generated, dict):
        yield ("generated", "by"), stamp.by
        yield ("generated", "at"), stamp.at_text


def _overruled(new: Given) -> Iterator[str]:
    for name in new.overruled:
        yield f"The {name!r} in the frontmatter of the text gave way to the one that was given."


def _no_field(name: str, fields: Iterable[str]) -> str:
    return f"It has no field {name!r}. {did_you_mean(nearest(name, fields))}".rstrip()


def _notes(before: Document, after: Document, *, is_changed: bool, is_said: bool) -> Iterator[str]:
    if not is_changed:
        yield "Nothing was changed: it says that already." if is_said else "Nothing was changed."
        return
    if before.verified:
        latest = max(before.verified, key=lambda event: event.at.value if event.at else _LONG_AGO)
        when = f" on {latest.at_text}" if latest.at_text else ""
        yield f"{latest.by} has verified it{when}, which was before this change; it has to be verified anew."
    if len(after.body) * _MUCH_SHORTER < len(before.body):
        yield (
            f"Its text had {len(before.body):,} characters and has {len(after.body):,} now; if you have read "
            "only a part of it, read it again."
        )
