"""Whoever began to observe a call is told of its end, also where another observer is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from fingerpost import ConfigError, Tool
from fingerpost.tools import Call, around_call, on_call


def double(number: int) -> int:
    """Double a number."""
    return 2 * number


@pytest.fixture
def told() -> Iterator[list[Call]]:
    calls: list[Call] = []
    take_away = around_call(lambda _: calls.append)
    yield calls
    take_away()


def interrupted(_: object) -> Callable[[Call], None]:
    raise KeyboardInterrupt


def interrupted_later(_: object) -> Callable[[Call], None]:
    def end(_: Call) -> None:
        raise KeyboardInterrupt

    return end


@pytest.mark.parametrize(("begin", "error"), [(interrupted, "KeyboardInterrupt"), (interrupted_later, None)])
def test_an_interrupt_keeps_no_other_from_its_end(
    begin: Callable[[object], Callable[[Call], None]], error: str | None, told: list[Call]
) -> None:
    take_away = around_call(begin)
    with pytest.raises(KeyboardInterrupt):
        Tool.of(double).call({"number": 1})
    take_away()
    (call,) = told
    assert call.exception == error
    assert call.is_error is (error is not None)


def test_an_object_that_must_be_awaited_cannot_observe() -> None:
    class Observer:
        async def __call__(self, call: Call) -> None:
            pass

    with pytest.raises(ConfigError, match=r"is a plain function, and .*Observer is none\.$"):
        on_call(Observer())
