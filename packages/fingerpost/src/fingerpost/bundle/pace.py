"""How often a store is asked what changed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import cast

from fingerpost.errors import ConfigError

_SECONDS_TO_RECOVER = 10.0
_FOREVER = 1e15  # which added to a clock, or to any float, is still a number


class Pace:
    """When it is time to ask a store again.

    Args:
        seconds: Least seconds between two questions; 0 to ask at every call, None to ask but once.
        clock: Tells seconds that only ever grow.

    Raises:
        ConfigError: The seconds are no number, or less than 0.
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        given = cast("object", seconds)  # it may come of a file
        is_allowed = isinstance(given, (int, float)) and not isinstance(given, bool) and given >= 0
        if given is not None and not is_allowed:
            raise ConfigError(
                f"refresh_seconds={given!r} is no number of seconds; give one from 0 on, or None to look for "
                "changes on reload alone."
            )
        self._seconds = math.inf if seconds is None or seconds > _FOREVER else seconds
        self._clock = clock
        self._next = -math.inf
        self._hurried = self._hurried_before = object()

    @property
    def is_due(self) -> bool:
        """Whether the store is to be asked."""
        return not self._seconds or self._clock() >= self._next  # of a folder, without a look at the clock

    def asking(self) -> None:
        """Note that the store is about to be asked; whoever hurries from now on is not answered by that."""
        self._hurried_before = self._hurried

    def asked(self, *, has_failed: bool = False) -> None:
        """Note that the store was asked just now; one that failed is asked again before long."""
        if not self._seconds:
            return
        self._next = self._clock() + (
            min(self._seconds, _SECONDS_TO_RECOVER) if has_failed else self._seconds
        )
        if self._hurried is not self._hurried_before:  # looked at last, since others hurry at any moment
            self._next = -math.inf

    def hurry(self) -> None:
        """Have the store asked at the next call, also if another thread is asking it just now."""
        self._hurried = object()
        self._next = -math.inf
