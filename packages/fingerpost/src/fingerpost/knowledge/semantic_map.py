"""The semantic map: names that agents use for resources, and what each stands for in this deployment."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

from fingerpost.errors import ArgumentError, ConfigError

_TOKEN = re.compile(r"<[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*>")
_SHORT = 3
_SPELT = {".": "[\"'`]?\\.[\"'`]?", "\\": r"\\{1,2}", "'": r"\\?'", '"': r'\\?"'}
_LIKE_MARKUP = frozenset(f"<{name}>" for name in "A B BR DIV HR I LI OL P PRE UL".split())


class SemanticMap:
    """Puts the physical names of resources in the place of logical ones, and back.

    A text is gone through once: the longest name wins where several begin alike, and what was put in is not
    gone through again.

    Args:
        names: What each logical name stands for. A name may be any text; `<UPPER_CASE>` is what is usual.

    Raises:
        ConfigError: A name or what it stands for is no text, or a name is empty.
    """

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        self._names = dict(names or {})
        for name, physical in cast("dict[object, object]", self._names).items():
            if not isinstance(name, str) or not isinstance(physical, str) or not name:
                raise ConfigError(
                    f"The semantic map takes texts to texts, and {name!r}: {physical!r} is no such pair."
                )
        self._logical = _any_of(_longest_first(self._names))
        backwards = {physical: name for name, physical in reversed(self._names.items()) if physical.strip()}
        ordered = _longest_first(backwards)
        self._shown = [backwards[physical] for physical in ordered]
        self._physical = _any_of(ordered, _by_itself)

    def resolved(self, text: str) -> str:
        """A text with what the names in it stand for."""
        return self._logical.sub(lambda found: self._names[found[0]], text) if self._logical else text

    def resolved_statement(self, statement: str) -> str:
        """The same for a statement of a query language, where an unknown name can only be a mistake.

        Raises:
            ArgumentError: It has a name in angle brackets that the map does not know; the sentence lists the
                known ones.
        """
        if self._names:
            unknown = [token for token in _TOKEN.findall(statement) if token not in self._names]
            unknown = [token for token in unknown if token not in _LIKE_MARKUP]
            if unknown:
                raise ArgumentError(
                    f"The placeholder {unknown[0]} stands for nothing; the known ones are "
                    f"{', '.join(sorted(self._names))}."
                )
        return self.resolved(statement)

    def hidden(self, text: str) -> str:
        """A text, such as an error, with the names in the place of what they stand for."""
        if self._physical is None:
            return text
        return self._physical.sub(lambda found: self._shown[(found.lastindex or 1) - 1], text)


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=len, reverse=True)


def _any_of(names: Sequence[str], of_one: Callable[[str], str] = re.escape) -> re.Pattern[str] | None:
    """Any one of some names, each a group of its own."""
    return re.compile("|".join(f"({of_one(name)})" for name in names)) if names else None


def _by_itself(physical: str) -> str:
    """A physical name where it is no part of a word, and where it is very short, in quotes alone.

    It is known in the spellings in which errors have it: quoted part by part and in another letter case, as
    engines write what has parts, and with the escapes of a text in quotes.
    """
    if len(physical) < _SHORT:
        return f"(?<=['\"`]){re.escape(physical)}(?=['\"`])"
    spelt = "".join(_SPELT.get(character) or re.escape(character) for character in physical)
    return rf"(?<!\w)(?i:{spelt})(?!\w)" if "." in physical else rf"(?<!\w){spelt}(?!\w)"
