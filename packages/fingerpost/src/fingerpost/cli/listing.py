"""Which diagnostics a report lists, and how many of a kind it only counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from fingerpost.records import Diagnostic

MOST_OF_A_KIND = 1_000
"""How many diagnostics of one rule in one file a report lists."""


def listed(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics to list: all, but of one rule in one file the first `MOST_OF_A_KIND` alone.

    Args:
        diagnostics: What was found, in the order to list it.

    Returns:
        The same in the same order. Where some are left out, one more of their rule and file, at the place of
        the first of them, counts them.
    """
    counts: Counter[tuple[str, str]] = Counter()
    counting: dict[tuple[str, str], int] = {}
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        kind = diagnostic.path, diagnostic.code
        counts[kind] += 1
        if counts[kind] == MOST_OF_A_KIND + 1:
            counting[kind] = len(kept)
        if counts[kind] <= MOST_OF_A_KIND + 1:
            kept.append(diagnostic)
    for kind, position in counting.items():
        left_out = counts[kind] - MOST_OF_A_KIND
        if left_out > 1:
            reason = f"{left_out:,} more from here on, of this rule in this file, are not listed."
            kept[position] = replace(kept[position], reason=reason)
    return kept
