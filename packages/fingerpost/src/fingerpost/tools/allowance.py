"""How long the answer of the call under way may be, for functions that part what they answer into pages.

A host may allow a tool less than the tool was made with. Pages of the tool's own length would then be cut,
and what was cut off would stand on no page.
"""

from __future__ import annotations

from contextvars import ContextVar, Token

_allowed: ContextVar[int | None] = ContextVar("fingerpost_allowed", default=None)


def allowed_chars(own: int) -> int:
    """The most characters of an answer.

    Args:
        own: What the function would take.

    Returns:
        That, or less where the tool that calls it may answer no more.
    """
    allowed = _allowed.get()
    return own if allowed is None else min(own, allowed)


class Allowing:
    """Allows so many characters to a function that is called within, as a context manager.

    Args:
        max_chars: The most characters.
    """

    __slots__ = ("_before", "_max_chars")

    def __init__(self, max_chars: int) -> None:
        self._max_chars = max_chars

    def __enter__(self) -> None:
        self._before: Token[int | None] = _allowed.set(self._max_chars)

    def __exit__(self, *_exception: object) -> None:
        _allowed.reset(self._before)
