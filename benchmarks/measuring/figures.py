"""Figures, the bounds that they are held to, and the table that shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STANDARD_SIZES = (1000, 10_000, 100_000)


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that a figure may be: so many times its floor, and so much."""

    plus: float = 0.0
    times: float = 0.0

    def value(self, floor: float | None) -> float | None:
        """The bound in the unit of the figure; None where it depends on a floor that was not measured."""
        if self.times and floor is None:
            return None
        return self.times * (floor or 0.0) + self.plus


@dataclass(frozen=True, slots=True)
class Specification:
    """What a figure is.

    Attributes:
        name: Its name in the table.
        unit: ms, us, MB, x or "" for a number of things.
        bounds: The bounds at the standard sizes; none for what is shown for comparison alone.
    """

    name: str
    unit: str
    bounds: tuple[Bound, ...] = ()

    def bound(self, concepts: int) -> Bound | None:
        """The bound for a bundle: that of the next standard size."""
        places = (place for place, size in enumerate(STANDARD_SIZES) if concepts <= size)
        return self.bounds[next(places, -1)] if self.bounds else None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as it was measured.

    Attributes:
        key: Which it is, of `SPECIFICATIONS`.
        measured: The figure, None where it was not measured.
        floor: The least that is possible, or what it is compared with, measured in the same run.
        note: What the floor is, or why nothing was measured.
    """

    key: str
    measured: float | None
    floor: float | None = None
    note: str = ""

    def row(self, concepts: int) -> dict[str, object]:
        """The figure with its bound, the ratio to its floor, and whether it is within its bound."""
        specified = SPECIFICATIONS[self.key]
        bound = specified.bound(concepts)
        most = bound.value(self.floor) if bound else None
        known = self.measured is not None and most is not None
        return {
            "figure": specified.name,
            "unit": specified.unit,
            "measured": self.measured,
            "bound": most,
            "floor": self.floor,
            "ratio": self.measured / self.floor if self.measured is not None and self.floor else None,
            "verdict": ("ok" if self.measured <= most else "over") if known else "",  # type: ignore[operator]
            "note": self.note,
        }


def _plus(*values: float) -> tuple[Bound, ...]:
    return tuple(Bound(plus=value) for value in values)


def _times(*values: float, plus: float = 0.0) -> tuple[Bound, ...]:
    return tuple(Bound(plus, value) for value in values)


SPECIFICATIONS: Mapping[str, Specification] = {
    "spelt right p50": Specification("find, words spelt right, p50", "ms", _plus(0.3, 0.5, 2)),
    "spelt right p99": Specification("find, words spelt right, p99", "ms", _plus(2, 4, 60)),
    "filtered p50": Specification("find, type, tag or path filter, p50", "ms", _plus(0.3, 0.5, 3)),
    "filtered p99": Specification("find, type, tag or path filter, p99", "ms", _plus(2, 4, 80)),
    "common p50": Specification("find, only common words, p50", "ms", _plus(0.5, 2, 5)),
    "common p99": Specification("find, only common words, p99", "ms", _plus(3, 8, 120)),
    "misspelt p50": Specification("find, one word misspelt, p50", "ms", _plus(1.5, 3, 6)),
    "misspelt p99": Specification("find, one word misspelt, p99", "ms", _plus(4, 8, 80)),
    "engine p50": Specification("for comparison: FTS5, header first, p50", "ms"),
    "engine p99": Specification("for comparison: FTS5, header first, p99", "ms"),
    "files of a page": Specification("for comparison: the files of 20 results", "ms"),
    "texts of a page": Specification("for comparison: the texts of 20 results", "ms"),
    "warm": Specification("warm open and first answer", "ms", _times(1.5, 1.4, 1.4, plus=10)),
    "warm whole": Specification("the same, the whole process", "ms"),
    "unchanged": Specification("freshness, nothing changed", "us", _plus(20, 20, 20)),
    "edit p50": Specification("an edit, to the first answer, p50", "ms", _plus(2, 2, 3)),
    "edit p99": Specification("an edit, to the first answer, p99", "ms"),
    "edits missed": Specification("edits that the first answer missed", "", _plus(0, 0, 0)),
    "headers": Specification("headers searchable, cold", "ms", _times(1.5, 1.5, 1.5)),
    "build": Specification("full cold build", "ms", _times(8, 8, 9)),
    "build wall": Specification("the same, by the clock", "ms"),
    "build wall alone": Specification("for comparison: by one process", "ms"),
    "memory open": Specification("memory over bare Python, after open", "MB", _plus(15, 25, 60)),
    "memory build": Specification("memory over bare Python, peak of a build", "MB", _plus(100, 200, 1000)),
    "index size": Specification("index size over bundle size", "x", _plus(1.2, 1.1, 1.0)),
}
"""The table of what search is held to, and what is shown beside it."""

_HEAD = ("figure", "measured", "bound", "floor", "ratio", "")
_WIDTHS = (42, 12, 12, 12, 8, 7)
_MOST_FURTHER_DIGITS = 4


def table(title: str, figures: Sequence[Figure], concepts: int) -> str:
    """The figures of one bundle as a table."""
    lines = ["", title, "".join(_cells(_HEAD))]
    for row in (figure.row(concepts) for figure in figures):
        unit = str(row["unit"])
        numbers = [*_told_apart(row["measured"], row["bound"], unit), _shown(row["floor"], unit)]
        ratio = _shown(row["ratio"], "x")
        line = "".join(_cells((str(row["figure"]), *numbers, ratio, str(row["verdict"]))))
        lines.append(f"{line}  {row['note']}".rstrip())
    return "\n".join(lines)


def _cells(texts: Sequence[str]) -> list[str]:
    first, *others = zip(texts, _WIDTHS, strict=True)
    return [f"{first[0]:<{first[1]}}", *(f"{text:>{width}}" for text, width in others)]


def _told_apart(measured: object, bound: object, unit: str) -> tuple[str, str]:
    """A figure and its bound, with digits enough to see that they differ."""
    for further in range(_MOST_FURTHER_DIGITS):
        shown = _shown(measured, unit, further), _shown(bound, unit, further)
        if shown[0] != shown[1]:
            return shown
    return _shown(measured, unit), _shown(bound, unit)


def _shown(number: object, unit: str, further: int = 0) -> str:
    if not isinstance(number, int | float):
        return "-"
    digits = 0 if number >= 100 or not unit else 1 if number >= 10 else 2
    return f"{number:.{digits + further}f} {unit}".rstrip()
