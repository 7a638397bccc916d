"""Records as concepts: what writing one to a bundle means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from fingerpost.bundle.change import Change
from fingerpost.bundle.drafts import Wanted
from fingerpost.bundle.names import path_printed_as
from fingerpost.bundle.proposals import is_proposal, name_of
from fingerpost.bundle.writer import BundleWriter
from fingerpost.errors import ArgumentError, KnowledgeError, KnowledgeNotFoundError
from fingerpost.okf.yaml_text import DEPTH_CAP, Value
from fingerpost.records import Record, Records

_FIELDS = ("type", "title", "description", "status", "tags")
_NOBODY = frozenset(("", "agent"))


def write_records(writer: BundleWriter, records: Iterable[Record]) -> Records:
    """Write records to a bundle, all of them or, as far as can be told before, none.

    A record without an id becomes a new concept, signed by its writer. One with an id is written as it is
    given: it makes that concept, or changes what differs in it.

    Args:
        writer: Writes.
        records: The records.

    Returns:
        A record for each, with its id and its revision, and notes on them.

    Raises:
        KnowledgeError: One cannot be written; the sentence says which were, if any.
    """
    given = [_Given.of(record) for record in records]
    for each in given:
        each.drafted(writer)
    changes: list[Change] = []
    for each in given:
        try:
            changes.append(writer.write(lambda each=each: each.drafted(writer)))
        except KnowledgeError as error:
            if not changes:
                raise
            done = ", ".join(change.id for change in changes)
            raise type(error)(f"{error} Written before it were: {done}.") from error
    return Records(map(_written, changes), notes=_notes(changes))


class _Given:
    """A record that is to be written."""

    def __init__(self, text: str, metadata: Mapping[str, Any]) -> None:
        self._text = text
        self._id = _text(metadata, "id").strip()
        self._revision = _text(metadata, "revision").strip()
        self._appends = _is_set(metadata, "append")
        self._source = _text(metadata, "source").strip()
        if self._appends and not self._id:
            raise ArgumentError("A text is added to a record with an id; give it, or write a new record.")
        if _text(metadata, "query").strip():
            raise ArgumentError(
                "A bundle takes no statements; leave out 'query', and give what to store as text."
            )
        self._fields: dict[str, Value] = {
            **dict(_plain_fields(metadata.get("extra"))),
            **dict(_plain_fields({name: metadata.get(name) for name in _FIELDS})),
        }
        if "verified" in metadata:
            self._fields["verified"] = _value(metadata["verified"])
        if not self._fields.get("type") and metadata.get("kind"):
            self._fields["type"] = str(metadata["kind"])

    @classmethod
    def of(cls, record: Record) -> _Given:
        if not isinstance(cast("object", record), Mapping):
            raise ArgumentError("A record is a mapping with a text and metadata.")
        metadata: object = record.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            raise ArgumentError("The metadata of a record is a mapping of names to values.")
        return cls(_text(record, "text"), cast("Mapping[str, Any]", metadata))

    def drafted(self, writer: BundleWriter) -> Change:
        if not self._id:
            return writer.draft(self._text, self._new_fields())
        try:
            return writer.redraft(self._id, self._wanted())
        except KnowledgeNotFoundError:
            if self._appends or self._revision:
                raise
        return writer.draft(self._text, self._new_fields(), id=self._id)

    def _wanted(self) -> Wanted:
        return Wanted(self._text, self._fields, self._revision, appends=self._appends)

    def _new_fields(self) -> dict[str, Value]:
        own = f"{path_printed_as(self._id)}.md"
        if self._source in _NOBODY or self._source == own or "sources" in self._fields:
            return self._fields
        return {**self._fields, "sources": [{"resource": self._source}]}


def _text(holder: Mapping[str, Any], name: str) -> str:
    """A text of a record; a number is one too.

    Raises:
        ArgumentError: It is something else.
    """
    value = holder.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise ArgumentError(f"{name!r} of a record is {type(value).__name__}; give it as a text.")


def _is_set(metadata: Mapping[str, Any], name: str) -> bool:
    value = metadata.get(name) or False
    if not isinstance(value, bool):
        raise ArgumentError(f"{name!r} of a record is to be true or false, and is {value!r}.")
    return value


def _plain_fields(fields: object) -> Iterator[tuple[str, Value]]:
    if not fields:
        return
    if not isinstance(fields, Mapping):
        raise ArgumentError("'extra' of a record is to be a mapping of names to values.")
    for name, value in cast("Mapping[Any, Any]", fields).items():
        if value is not None and value != "" and value != []:
            yield str(name), _value(value)


def _value(value: Any, depth: int = 1) -> Value:
    """A value as frontmatter holds it: texts, lists and mappings.

    Raises:
        ArgumentError: It is of bytes, or holds too much in each other, perhaps itself.
    """
    if depth > DEPTH_CAP:
        raise ArgumentError(f"A field of a record is nested more than {DEPTH_CAP} deep; make it flatter.")
    if isinstance(value, bytes | bytearray):
        raise ArgumentError("A field of a record holds bytes; give it as a text.")
    if isinstance(value, Mapping):
        return {str(key): _value(each, depth + 1) for key, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, set | frozenset):
        return sorted((_value(each, depth + 1) for each in cast("Iterable[Any]", value)), key=str)
    if isinstance(value, list | tuple):
        return [_value(each, depth + 1) for each in cast("Iterable[Any]", value)]
    if isinstance(value, bool):
        return "true" if value else "false"
    return None if value is None else str(value)


def _written(change: Change) -> Record:
    if is_proposal(change.path):
        return {"text": "", "metadata": {"proposal": name_of(change.path)}}
    return {"text": "", "metadata": {"id": change.id, "revision": change.revision}}


def _notes(changes: Sequence[Change]) -> Iterator[str]:
    for change in changes:
        about = f"{change.id}: " if len(changes) > 1 else ""
        yield from (f"{about}{note}" for note in change.notes)
        if is_proposal(change.path):
            yield (
                f"It is proposed as {name_of(change.path)!r}, and is not found before a person has accepted "
                "it."
            )
