"""`Bundle.find`: a question to the catalog, and its answer with the signals of each concept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import NotRequired, cast

from fingerpost.bundle.entries import (
    FOLDER,
    HEADER_FIELDS,
    KIND,
    STALE_AFTER,
    STATUS,
    TAG,
    TRUST,
    TYPE,
    folder_value,
    moment,
)
from fingerpost.bundle.header import CONCEPT, header_of, read_card
from fingerpost.bundle.shapes import FindView, HitView, WhyView
from fingerpost.bundle.silence import nothing_found, passed_over
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.catalog.base import Among, AtMost, Condition, Hit, Match, Query
from fingerpost.catalog.ranking import MOST_ASKED
from fingerpost.errors import ArgumentError
from fingerpost.text.cutting import cut
from fingerpost.text.words import query_words

MAX_LIMIT = 100
_TITLE_CHARS, _DESCRIPTION_CHARS = 200, 400
_KEPT_VIEWS = 4000
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)
_DEPRECATED = Among(STATUS, ("deprecated",))


@dataclass(frozen=True, slots=True)
class Filters:
    """What concepts have to be like to be found; "" and None for whatever.

    Attributes:
        type: Their type, letter case aside.
        tags: Tags that they all have, letter case aside.
        folder: The folder that they lie in, or below.
        status: Their status, letter case aside.
        trust: Their trust tier.
        stale: Whether they are stale.
        include_deprecated: Whether deprecated ones are returned; a `status` that names them asks for them.
    """

    type: str = ""
    tags: tuple[str, ...] = ()
    folder: str = ""
    status: str = ""
    trust: str = ""
    stale: bool | None = None
    include_deprecated: bool = False

    @classmethod
    def of(
        cls,
        *,
        type: object,  # noqa: A002 - the name of the field
        tags: object,
        folder: str,
        status: object,
        trust: object,
        stale: object,
        include_deprecated: bool,
    ) -> Filters:
        """The filters of somebody who may have given anything; see `Bundle.find`.

        Raises:
            ArgumentError: One is of a kind that it cannot be of.
        """
        several: Iterable[object]
        if tags is None or isinstance(tags, str):
            several = (tags,)
        elif isinstance(tags, Iterable):
            several = cast("Iterable[object]", tags)
        else:
            raise ArgumentError(f"tags are texts, and {tags!r} is none.")
        if not (stale is None or isinstance(stale, bool)):
            raise ArgumentError(f"stale is true or false, and {stale!r} is neither.")
        return cls(
            type=text_of("type", type).strip(),
            tags=tuple(filter(None, [text_of("a tag", tag).strip() for tag in several])),
            folder=folder,
            status=text_of("status", status).strip(),
            trust=text_of("trust", trust).strip(),
            stale=stale,
            include_deprecated=include_deprecated,
        )

    def required(self, now: datetime) -> Iterator[Condition]:
        """The filters as conditions of the catalog."""
        named = {TYPE: self.type, STATUS: self.status, TRUST: self.trust}
        yield from (Among(facet, (value.casefold(),)) for facet, value in named.items() if value)
        yield from (Among(TAG, (tag.casefold(),)) for tag in self.tags)
        if self.folder:
            yield Among(FOLDER, (folder_value(self.folder),))
        if self.stale is not None:
            yield AtMost(STALE_AFTER, moment(now), holds=self.stale)

    @property
    def are_given(self) -> bool:
        """Whether there is anything that concepts have to be like."""
        named = (self.type, self.tags, self.folder, self.status, self.trust)
        return any(named) or self.stale is not None

    @property
    def leaves_out_deprecated(self) -> bool:
        """Whether deprecated concepts are left out."""
        return not self.include_deprecated and self.status.casefold() != "deprecated"


def text_of(name: str, given: object) -> str:
    """An argument that has to be a text, "" for None.

    Args:
        name: What it is called.
        given: What was given.

    Raises:
        ArgumentError: It is none.
    """
    if given is None or isinstance(given, str):
        return given or ""
    raise ArgumentError(f"{name} is a text, and {given!r} is none.")


def whole_number(name: str, given: object) -> int:
    """An argument that has to be a whole number; the arguments are those of `text_of`.

    Raises:
        ArgumentError: It is none.
    """
    if isinstance(given, int):
        return given
    raise ArgumentError(f"{name} is a whole number, and {given!r} is none.")


def find(
    snapshot: Snapshot,
    text: str,
    filters: Filters,
    *,
    limit: int,
    offset: int,
    explain: bool,
    now: datetime,
) -> FindView:
    """Search the concepts of a snapshot; see `Bundle.find`."""
    query = Query(
        text=text,
        require=(Among(KIND, (CONCEPT,)), *filters.required(now)),
        leave_out=(_DEPRECATED,) if filters.leaves_out_deprecated else (),
        limit=max(1, min(MAX_LIMIT, whole_number("limit", limit))),
        offset=max(0, whole_number("offset", offset)),
        explain=explain,
    )
    found = snapshot.view.search(query)
    view: FindView = {
        "results": [_hit_view(hit, now, explain=explain) for hit in found.hits],
        "total": found.total,
        "skipped_invalid": snapshot.invalid_count,
        "left_out_deprecated": found.left_out,
    }
    if unreadable := sum(item.count for item in snapshot.unreadable):
        view["skipped_unreadable"] = unreadable
    if found.corrected:
        view["corrected"] = {word: list(spellings) for word, spellings in found.corrected.items()}
    if snapshot.unread:
        view["still_reading"] = snapshot.unread
    too_many = len(query_words(text)) - MOST_ASKED if len(text) > MOST_ASKED else 0
    if too_many > 0:
        view["left_out_words"] = too_many
    if not found.total:
        view["message"] = nothing_found(snapshot, text, filters, found.left_out)
    elif not found.hits:
        view["message"] = passed_over(found.total, offset)
    return view


def left_out_words_note(count: int) -> str:
    """What to say of the words of a question that are more than can be asked for, "" when there are none.

    Args:
        count: How many they are.
    """
    if not count:
        return ""
    left_out = "1 more was" if count == 1 else f"{count} more were"
    return f"Only the first {MOST_ASKED} words of the question were searched for; {left_out} left out."


def _hit_view(hit: Hit, now: datetime, *, explain: bool) -> HitView:
    view = _shown(hit.id, hit.card).copy()
    view["snippet"] = hit.snippet
    expiry = view.pop("expiry", None)
    if expiry is not None:
        view["stale"] = now >= expiry
    if explain:
        view["why"] = [_why(match) for match in hit.matches]
    return view


class _KeptView(HitView):
    """A result, with the moment from which on it is stale.

    It is kept by thousands, and has nothing in it that the garbage collector would look after.
    """

    expiry: NotRequired[datetime]


@lru_cache(_KEPT_VIEWS)
def _shown(path: str, card: str) -> _KeptView:
    """What a result says of a concept, whatever was asked."""
    header = header_of(path, read_card(card))
    view: _KeptView = {
        **header.view(_BEFORE_ALL),
        "title": shortened(header.title, _TITLE_CHARS),
        "description": shortened(header.description, _DESCRIPTION_CHARS),
        "snippet": "",
    }
    if header.outdated_check:
        view["verified_before_last_change"] = True
    if header.expiry_unreadable:
        view["expiry_unreadable"] = True
    if header.stale_after is not None:
        view["expiry"] = header.stale_after
    return view


def _why(match: Match) -> WhyView:
    """How a word that was asked for matched, in words of the bundle."""
    fields = [HEADER_FIELDS[number] for number in match.fields]
    return {
        "asked": match.asked,
        "found": list(match.words),
        "as": match.manner,
        "edits": match.edits,
        "in": [*fields, *(["text"] if match.in_body else [])],
        "weight": match.weight,
    }


def shortened(text: str, limit: int) -> str:
    """A text, cut at a blank and marked with "…" when it is longer than a listing has room for."""
    return text if len(text) <= limit else f"{cut(text, limit - 1, at=' ')}…"
