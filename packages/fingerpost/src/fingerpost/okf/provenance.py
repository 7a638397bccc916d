"""Where a concept comes from and who checked it: `sources`, `generated` and `verified` (OKF 0.2 §5, §7)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from fingerpost.okf.dates import Instant, parse_instant
from fingerpost.okf.field_reader import FieldReader, kind_of
from fingerpost.okf.yaml_problems import Path, field_name, shown
from fingerpost.okf.yaml_text import Value

ActorKind = Literal["human", "process", "producer", "other"]

_PRODUCER = re.compile(r"[^\s/:]+(?:/[^\s/]+)+")
_NAMELESS = frozenset(("human:", "process:"))


class Actor(NamedTuple):
    """Who did something. Nothing proves it: an actor is what the file says.

    Attributes:
        kind: "human" (`human:<id>`), "process" (`process:<id>`), "producer" (`<name>/<version>`), or "other"
            for what has none of these forms.
        name: The text without its prefix.
    """

    kind: ActorKind
    name: str


class Event(NamedTuple):
    """Something that an actor did to a concept.

    Attributes:
        by: The actor as written; "" when the file does not say.
        at: When, or None when that is absent or cannot be read.
        at_text: When, as written.
    """

    by: str
    at: Instant | None = None
    at_text: str = ""

    @property
    def actor(self) -> Actor:
        """Who it was, by form."""
        return parse_actor(self.by)


class UsageWindow(NamedTuple):
    """The period that usage counts cover; None where the file does not say."""

    start: Instant | None
    end: Instant | None


class Source(NamedTuple):
    """Material that a concept derives from; a field that is absent is "" or None.

    Attributes:
        resource: URL, path, or a description of a scope in words.
        id: Label by which footnotes in the body refer to it.
        title: Title.
        author: Actor, as written.
        usage_count: How often it is used, as written; good for an order of magnitude.
        last_modified: When it last changed.
        last_modified_text: The same, as written.
        usage_window: Period of the usage count, where the entry has its own.
    """

    resource: str
    id: str = ""
    title: str = ""
    author: str = ""
    usage_count: str = ""
    last_modified: Instant | None = None
    last_modified_text: str = ""
    usage_window: UsageWindow | None = None


@lru_cache(1024)
def parse_actor(text: str) -> Actor:
    """Tell the forms of actors apart (§7).

    The prefix `human:` counts as it stands, in small letters, and needs a name after it.

    Args:
        text: The actor as written.

    Returns:
        The actor.
    """
    prefix, colon, name = text.partition(":")
    if colon and name.strip():
        if prefix == "human":
            return Actor("human", name.strip())
        if prefix == "process":
            return Actor("process", name.strip())
    return Actor("producer" if _PRODUCER.fullmatch(text) else "other", text)


def read_generated(reader: FieldReader) -> Event | None:
    """Who produced the content and when; `timestamp` of OKF 0.1 stands in when `generated` is absent."""
    values = reader.values
    generated = values.get("generated")
    if isinstance(generated, dict):
        event = _event(reader, generated, ("generated",))
        if not event.by:
            reader.report("OKF517", ("generated",), "`generated` does not say by whom.")
        return event
    if generated is not None:
        text = generated.strip() if isinstance(generated, str) else ""
        at = parse_instant(text)
        reason = f"`generated` is {kind_of(generated)}, not a mapping of by and at."
        reader.report("OKF517", ("generated",), reason, f"Write it as {_as_generated(at)}." if at else "")
        return Event("", at, text) if at else None
    if values.get("timestamp") is None:
        return None
    at = reader.instant(values, "timestamp", needs_offset=False)
    reader.report(
        "OKF511",
        ("timestamp",),
        "`timestamp` is read as `generated.at`.",
        f"Replace it by {_as_generated(at)}, naming who wrote the content." if at else "",
    )
    return Event("", at, reader.text(values, "timestamp")) if at else None


def read_verified(reader: FieldReader) -> tuple[Event, ...]:
    """The verifications of a concept; whatever does not name an actor is none."""
    if "verified" not in reader.values:
        return ()
    verified = reader.values["verified"]
    if isinstance(verified, dict):
        event = _verification(reader, verified, ("verified",))
        return (event,) if event else ()
    if not isinstance(verified, list) or not verified:
        what = "an empty list" if isinstance(verified, list) else kind_of(verified)
        reader.report("OKF505", ("verified",), f"`verified` is {what}, so the concept counts as unverified.")
        return ()
    events = (_verification(reader, item, ("verified", index)) for index, item in enumerate(verified))
    return tuple(event for event in events if event)


def read_sources(reader: FieldReader) -> tuple[Source, ...]:
    """The sources of a concept."""
    sources = reader.values.get("sources")
    if sources is None:
        return ()
    if isinstance(sources, list):
        read = (_source(reader, item, ("sources", index)) for index, item in enumerate(sources))
        return tuple(source for source in read if source)
    reader.report("OKF510", ("sources",), f"`sources` is {kind_of(sources)}, and is read as a list of one.")
    if isinstance(sources, str):
        return (Source(sources.strip()),) if sources.strip() else ()
    source = _source(reader, sources, ("sources",))
    return (source,) if source else ()


def read_usage_window(
    reader: FieldReader, holder: dict[str, Value], key: str, within: Path = ()
) -> UsageWindow | None:
    """The period in a `usage_window` field, or None."""
    window = reader.mapping(holder, key, within)
    if window is None:
        return None
    path = (*within, key)
    return UsageWindow(reader.instant(window, "from", path), reader.instant(window, "to", path))


def _as_generated(at: Instant) -> str:
    return f"`generated: {{by: <who>, at: {at.in_full}}}`"


def _event(reader: FieldReader, holder: dict[str, Value], path: Path) -> Event:
    by = reader.text(holder, "by", path)
    if by and parse_actor(by).kind == "other":
        by_path = (*path, "by")
        reader.report(
            "OKF508", by_path, f"`{field_name(by_path)}` is `{shown(by)}`, which is no form of an actor."
        )
    at = reader.instant(holder, "at", path)
    written = holder.get("at")
    return Event(by, at, written.strip() if isinstance(written, str) else "")


def _verification(reader: FieldReader, item: Value, path: Path) -> Event | None:
    if not isinstance(item, dict):
        kind = kind_of(item)
        reader.report(
            "OKF505", path, f"`{field_name(path)}` is {kind}, not a mapping of by and at, and does not count."
        )
        return None
    by = item.get("by")
    if not isinstance(by, str) or not reader.is_text((*path, "by"), by) or by.strip() in _NAMELESS:
        reader.report("OKF505", path, f"`{field_name(path)}` does not say by whom, and does not count.")
        return None
    event = _event(reader, item, path)
    if item.get("at") is None:
        reader.report("OKF505", path, f"`{field_name(path)}` does not say when.")
    return event


def _source(reader: FieldReader, item: Value, path: Path) -> Source | None:
    if not isinstance(item, dict):
        text = item.strip() if isinstance(item, str) else ""
        outcome = "is read as its resource" if text else "is left out"
        reader.report(
            "OKF510", path, f"`{field_name(path)}` is {kind_of(item)}, not a mapping, and {outcome}."
        )
        return Source(text) if text else None
    if item.get("resource") is None:
        reader.report("OKF510", path, f"`{field_name(path)}` has no resource.")
    author = reader.text(item, "author", path)
    if author and parse_actor(author).kind == "other" and not author.startswith("team:"):
        here = (*path, "author")
        reader.report(
            "OKF508", here, f"`{field_name(here)}` is `{shown(author)}`, which is no form of an actor."
        )
    written = item.get("last_modified")
    return Source(
        resource=reader.text(item, "resource", path),
        id=reader.text(item, "id", path),
        title=reader.text(item, "title", path),
        author=author,
        usage_count=reader.text(item, "usage_count", path),
        last_modified=reader.instant(item, "last_modified", path),
        last_modified_text=written.strip() if isinstance(written, str) else "",
        usage_window=read_usage_window(reader, item, "usage_window", path),
    )
