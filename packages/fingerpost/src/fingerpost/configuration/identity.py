"""What is opened in the same way: settings that are equal, or the very same objects."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import date, datetime
from pathlib import PurePath
from typing import Any, cast

from fingerpost.errors import ConfigError

_BY_VALUE = frozenset((str, int, float, bool, bytes, date, datetime, type(None)))
_DEEPEST = 50
_MOST = 100_000


def identity_of(value: object, what: str) -> Hashable:
    """Something that is equal for equal plain data, and for any other object for that object alone.

    What an object says of itself does not tell it from others: two secrets may both be shown as asterisks.

    Args:
        value: The data.
        what: What it belongs to, for the sentence.

    Raises:
        ConfigError: The data is within itself, or more than any setting is.
    """
    return _Identity(what).of(value, 0)


class _Identity:
    """One conversion, with how many values are left to be met."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._left = _MOST

    def of(self, value: object, depth: int) -> Hashable:
        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            raise ConfigError(
                f"A setting of {self._what} is nested too deep, too large, or within itself; make it smaller."
            )
        kind = type(value).__qualname__
        if isinstance(value, Mapping):
            members = cast("Mapping[Any, Any]", value).items()
            return kind, frozenset(
                (self.of(key, depth + 1), self.of(each, depth + 1)) for key, each in members
            )
        if isinstance(value, (list, tuple)):
            return kind, tuple(self.of(each, depth + 1) for each in cast("list[Any]", value))
        if isinstance(value, (set, frozenset)):
            return kind, frozenset(self.of(each, depth + 1) for each in cast("set[Any]", value))
        is_plain = type(value) in _BY_VALUE or isinstance(value, PurePath)
        return kind, repr(value) if is_plain else id(value)
