"""What frameworks fill in by themselves: parameters that must never become arguments of a model."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from typing import Any

_FILLED: set[tuple[str, str]] = set()


def filled_by_host(package: str, name: str) -> None:
    """Have functions refused that ask a host for something with a class of its own.

    A parameter with such a class as its type, or among the extras of `Annotated`, is one that only this host
    may fill; as an argument, a model could set it. It holds for every tool that is built from then on. A
    package that connects Fingerpost with a host calls it on import.

    Args:
        package: The top-level package that defines the class.
        name: The name of the class; subclasses count too.
    """
    _FILLED.add((package, name))


def host_class_in(annotation: Any) -> str:
    """The name of a host's class in an annotation, at any depth; "" if there is none.

    Of an annotation that could not be resolved (a name that is imported for type checkers alone), the text.
    """
    if isinstance(annotation, str):
        return next((name for _, name in sorted(_FILLED) if re.search(rf"\b{name}\b", annotation)), "")
    for kind in _classes(annotation):
        for base in kind.__mro__:
            if (base.__module__.partition(".")[0], base.__name__) in _FILLED:
                return kind.__name__
    return ""


def _classes(annotation: Any) -> Iterator[type]:
    """The classes that an annotation is made of, those of its extras included."""
    if isinstance(annotation, type):
        yield annotation
    origin: Any = typing.get_origin(annotation)
    if isinstance(origin, type):
        yield origin
    extras: tuple[Any, ...] = getattr(annotation, "__metadata__", ())
    yield from (extra if isinstance(extra, type) else type(extra) for extra in extras)
    for part in typing.get_args(annotation):
        yield from _classes(part)
