"""Questions to a bundle whose index may turn out to be damaged."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from fingerpost.catalog.base import CatalogEmptiedError

_P = ParamSpec("_P")
_T = TypeVar("_T")


def asked_again(method: Callable[_P, _T]) -> Callable[_P, _T]:
    """Let a method try once more when it found the index damaged, which by then is begun anew."""

    @wraps(method)
    def asked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return method(*args, **kwargs)
        except CatalogEmptiedError:
            return method(*args, **kwargs)

    return asked
