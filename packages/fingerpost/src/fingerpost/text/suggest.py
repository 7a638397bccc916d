"""Did you mean: the names closest to one that was not found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fingerpost.text.distance import distance
from fingerpost.text.folding import fold

_LONGEST = 200  # names are short; what is longer is compared by its head
_PART = re.compile(r"[^\W_]+")


def nearest(word: str, choices: Iterable[str], limit: int = 3) -> list[str]:
    """The choices that `word` was most likely meant to be, best first.

    A choice is close when it differs in case, accents or separators alone, when its last path segment is the
    word, when few edits lie between the two, when one contains the other, or when they share a word.

    Args:
        word: What was asked for.
        choices: The names that exist.
        limit: How many to return at most.

    Returns:
        At most `limit` choices; none when nothing is close. Equal closeness is broken by the choice itself,
        so that the same question always gets the same answer.
    """
    asked = _words(word)
    if not asked:
        return []
    ranked = ((rank, choice) for choice in choices if (rank := _closeness(asked, _words(choice))) is not None)
    return [choice for _, choice in sorted(ranked)[:limit]]


def did_you_mean(near: Sequence[str]) -> str:
    """The question that follows an error about a name, "" when there is nothing to offer.

    Args:
        near: What may be meant, best first, as it is to be shown.
    """
    if not near:
        return ""
    offered = f"{', '.join(near[:-1])} or {near[-1]}" if len(near) > 1 else near[0]
    return f"Did you mean {offered}?"


def _words(name: str) -> list[str]:
    return _PART.findall(fold(name[:_LONGEST]))


def _closeness(asked: list[str], choice: list[str]) -> tuple[int, int] | None:
    """How close two names are, smaller being closer; None when they have nothing in common."""
    if not choice:
        return None
    wanted, offered = "".join(asked), "".join(choice)
    if wanted == offered:
        return 0, 0
    allowed = max(1, len(wanted) // 3)
    edits = distance(wanted, offered, allowed)
    if edits <= allowed and edits < len(wanted):
        return 1, edits
    if choice[-len(asked) :] == asked or asked[-len(choice) :] == choice:
        return 2, abs(len(offered) - len(wanted))
    shorter, longer = sorted((wanted, offered), key=len)
    if len(shorter) >= 3 and shorter in longer:
        return 3, len(longer) - len(shorter)
    shared = sum(1 for part in asked if len(part) >= 3 and _has_like(part, choice))
    return (4, len(asked) + len(choice) - 2 * shared) if shared else None


def _has_like(part: str, words: list[str]) -> bool:
    """Whether a word is among others, give or take one edit for words of five letters and more."""
    allowed = 1 if len(part) >= 5 else 0
    return any(distance(part, word, allowed) <= allowed for word in words)
