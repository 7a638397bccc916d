"""How a contract says that it is broken."""

from __future__ import annotations

from typing import Any, NoReturn

_LONGEST = 200


class ContractError(AssertionError):
    """A contract is broken; the sentence says by what, and what to do."""


def demand(holds: object, sentence: str) -> None:
    """Demand something of a backend.

    Args:
        holds: What must be true.
        sentence: What is wrong where it is not, and what to do.

    Raises:
        ContractError: It is not.
    """
    __tracebackhide__ = True
    if not holds:
        raise ContractError(sentence)


def broken(sentence: str) -> NoReturn:
    """Say that a contract is broken.

    Raises:
        ContractError: Always.
    """
    __tracebackhide__ = True
    raise ContractError(sentence)


def left_out(reason: str) -> NoReturn:
    """Leave a check out, as every test runner understands it.

    Raises:
        SkipTest: Always.
    """
    from unittest import SkipTest  # here, because it is slow to load

    raise SkipTest(reason)


def is_a(value: object, kind: type) -> bool:
    """Whether a value is of a kind, also where its annotation promises so: a stranger's need not keep it."""
    return isinstance(value, kind)


def shown(value: object) -> str:
    """A value as sentences show it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def call_text(operation: str, *arguments: Any, **named: Any) -> str:
    """A call as sentences show it."""
    words = [*map(shown, arguments), *(f"{name}={shown(value)}" for name, value in named.items())]
    return f"{operation}({', '.join(words)})"


def raised(error: BaseException) -> str:
    """An error as sentences show it."""
    return f"{type(error).__name__}({shown(str(error))})" if str(error) else type(error).__name__
