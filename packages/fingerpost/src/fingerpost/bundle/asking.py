"""Questions to a bundle whose index may turn out to be damaged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import wraps
from typing import ParamSpec, TypeVar, cast

from fingerpost.catalog.base import CatalogEmptiedError

_P = ParamSpec("_P")
_T = TypeVar("_T")


def asked_again(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a method try once more when it found the index damaged, which by then is begun anew."""
    ask = cast("Callable[..., _T]", method)

    @wraps(method)
    def asked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        given = [_lasting(value) for value in args]
        named = {name: _lasting(value) for name, value in kwargs.items()}
        try:
            return ask(*given, **named)
        except CatalogEmptiedError:
            return ask(*given, **named)

    return asked


def _lasting(value: object) -> object:
    """An argument that can be gone through twice."""
    return list(cast("Iterator[object]", value)) if hasattr(value, "__next__") else value
