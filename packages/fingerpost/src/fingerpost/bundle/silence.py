"""What to say when a search finds nothing: what was searched, what that proves, and what to try next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fingerpost.bundle.entries import LABEL, STATUS, TAG, TRUST, TYPE
from fingerpost.bundle.names import SUFFIX
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.text.suggest import did_you_mean, nearest
from fingerpost.text.words import query_words

if TYPE_CHECKING:
    from fingerpost.bundle.search import Filters

_SHOWN_VALUES = 12
_NO_WORDS = (
    "The question holds no word, letters or digits, so nothing was searched, and this proves nothing. "
    "Ask for words, or call kb_index to browse."
)


@dataclass(frozen=True, slots=True)
class _Silence:
    """How it is told that nothing was found: what no concept did, what stays open, who says nothing."""

    missed: str
    unproven: str
    proven: str
    advice: str


_SILENCES = {
    (True, False): _Silence(
        "matches",
        "says nothing of it",
        "nothing in this bundle",
        "Try fewer or other words, or call kb_index to browse.",
    ),
    (True, True): _Silence(
        "matches",
        "says nothing of it",
        "no concept that passes these filters",
        "Try fewer or other words, leave a filter out, or call kb_index to browse.",
    ),
    (False, True): _Silence(
        "passes all these filters",
        "holds no such concept",
        "",
        "Leave a filter out, or call kb_index to browse.",
    ),
    (False, False): _Silence("matches", "holds nothing", "", "Call kb_index to browse."),
}
"""By whether words were asked for, and whether filters were given."""


def nothing_found(snapshot: Snapshot, text: str, filters: Filters, left_out: int) -> str:
    """What was searched, what the silence proves, and what to try next.

    Args:
        snapshot: What was searched.
        text: What was asked.
        filters: What results had to be.
        left_out: How many deprecated concepts match.
    """
    if text.strip() and not query_words(text):
        return _NO_WORDS
    silence = _SILENCES[bool(text.strip()), filters.are_given]
    unread = sum(item.count for item in snapshot.unreadable)
    files = sum(item.count for item in snapshot.unreadable if item.path.endswith(SUFFIX))
    searched = snapshot.concept_count
    told = f"{counted(searched, 'concept')} of this bundle {was(searched)} searched"
    parts = [f"{told}, and none {silence.missed}."]
    if snapshot.invalid_count:
        count = snapshot.invalid_count
        parts.append(f"{counted(count, 'file')} {was(count)} not searched: no valid concept.")
    if files:
        parts.append(f"{counted(files, 'file')} {was(files)} not searched: not readable.")
    if further := unread - files:
        parts.append(f"{files_or_folders(further)} {was(further)} not searched: not readable.")
    if snapshot.unread:
        count = snapshot.unread
        parts.append(f"The text of {counted(count, 'concept')} is still being read; search again in a while.")
    if left_out:
        found = f"{counted(left_out, 'deprecated concept')} match" + ("es" if left_out == 1 else "")
        parts.append(f"{found}: set include_deprecated to true to see what is retired.")
    parts += _unknown_values(snapshot, filters)
    if snapshot.invalid_count or unread or snapshot.unread or left_out or snapshot.trouble:
        parts.append(f"So this does not show that the bundle {silence.unproven}.")
    elif silence.proven:
        parts.append(f"So {silence.proven} says it in these words; that does not make it untrue.")
    parts.append(silence.advice)
    return " ".join(part for part in parts if part)


def passed_over(total: int, offset: int) -> str:
    """What to say when an offset passes over all results.

    Args:
        total: How many there are.
        offset: How many were passed over.
    """
    if total == 1:
        return f"There is 1 result; offset={offset} passes over it."
    return f"There are {total} results; offset={offset} passes over all of them."


def files_or_folders(count: int) -> str:
    """So many of what could not be read, of which nobody knows whether they are files or folders."""
    return "1 file or folder" if count == 1 else f"{count} files or folders"


def counted(count: int, noun: str) -> str:
    """So many of something, in words."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def was(count: int) -> str:
    """The verb that goes with so many."""
    return "was" if count == 1 else "were"


def _unknown_values(snapshot: Snapshot, filters: Filters) -> Iterator[str]:
    """What to say of each value of a filter that no concept has: which is like it, and which there are."""
    asked = [(TYPE, filters.type), *((TAG, tag) for tag in filters.tags), (STATUS, filters.status)]
    for facet, value in (*asked, (TRUST, filters.trust)):
        if not value:
            continue
        known = list(snapshot.view.values(LABEL.get(facet, facet)))
        if value.casefold() not in {other.casefold() for other in known}:
            yield f"No concept has the {facet} {value!r}."
            yield did_you_mean(nearest(value, known))
            more = f" and {len(known) - _SHOWN_VALUES} more" if len(known) > _SHOWN_VALUES else ""
            yield f"There are: {', '.join(known[:_SHOWN_VALUES])}{more}." if known else "There is none."
