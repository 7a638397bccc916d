"""Observers learn of every tool call once, where it ran, and can neither change nor break it."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import logging
import os
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator

import pytest

from fingerpost import ToolResult
from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.tools import Call, Tool, ToolContext, around_call, let_through, on_call, tool
from fingerpost.tools.observing import observers

WHERE = contextvars.ContextVar("WHERE", default="outside")


def double(number: int, context: ToolContext) -> str:
    """Double a number."""
    return f"{number * 2} {WHERE.get()}"


async def later(number: int) -> str:
    """Double a number, later."""
    await asyncio.sleep(0)
    return f"{number * 2} {WHERE.get()}"


plain_double: Callable[..., str] = tool(double)


def fail(error: str = "") -> str:
    """Fail."""
    raise KnowledgeError("Send a name.") if error == "ours" else ValueError("secret")


@pytest.fixture
def seen() -> Iterator[list[Call]]:
    """The calls of a test, in the order in which they ended."""
    calls: list[Call] = []
    take_away = on_call(calls.append)
    yield calls
    take_away()
    assert observers.listening == ()


WAYS: dict[str, Callable[[], object]] = {
    "call": lambda: Tool.of(double).call({"number": "4"}),
    "call of JSON": lambda: Tool.of(double).call('{"number": "4"}'),
    "invoke": lambda: Tool.of(double).invoke({"number": "4"}),
    "a plain function": lambda: plain_double("4"),
    "acall of a function": lambda: asyncio.run(Tool.of(double).acall({"number": "4"})),
    "call of a coroutine function": lambda: Tool.of(later).call({"number": "4"}),
    "acall of a coroutine function": lambda: asyncio.run(Tool.of(later).acall({"number": "4"})),
}


@pytest.mark.parametrize("way", WAYS)
def test_every_call_is_observed_once_with_the_arguments_as_read(way: str, seen: list[Call]) -> None:
    WAYS[way]()
    (call,) = seen
    assert call.name == ("later" if "coroutine" in way else "double")
    assert call.arguments == {"number": 4}
    assert call.result == ToolResult("8 outside", "8 outside")
    assert (call.result_size, call.is_error, call.error, call.exception) == (9, False, None, None)


def test_the_duration_is_that_of_the_call_and_not_of_its_observers(seen: list[Call]) -> None:
    def slow() -> str:
        """Take a while."""
        time.sleep(0.05)
        return ""

    take_away = around_call(lambda _: time.sleep(0.1))
    Tool.of(slow).call()
    take_away()
    assert 0.05 <= seen[0].duration < 0.1


def test_what_the_host_supplies_is_no_argument(seen: list[Call]) -> None:
    Tool.of(double).call({"number": 1}, {"user": "ann"})
    plain_double(number=1, context=ToolContext({"user": "ann"}))
    plain_double(number="?", context=ToolContext({"user": "ann"}))
    assert [call.arguments for call in seen] == [{"number": 1}, {"number": 1}, {"number": "?"}]


@pytest.mark.parametrize(
    ("call", "sent"),
    [
        (lambda: Tool.of(double).call({"number": "?"}), {"number": "?"}),
        (lambda: Tool.of(double).call("{broken"), "{broken"),
        (lambda: Tool.of(double).call(None), None),
        (lambda: Tool.of(double).call({"number": "?"}, {"user": "ann"}), {"number": "?"}),
        (lambda: plain_double(1, 2, number=3), [1, 2, {"number": 3}]),
        (lambda: asyncio.run(Tool.of(later).acall({"number": "?"})), {"number": "?"}),
    ],
)
def test_arguments_that_cannot_be_read_are_shown_as_sent(
    call: Callable[[], object], sent: object, seen: list[Call]
) -> None:
    call()
    assert (seen[0].arguments, seen[0].is_error, seen[0].exception) == (sent, True, "ArgumentError")


def on_a_loop(tool: Tool, args: dict[str, str]) -> ToolResult:
    return asyncio.run(tool.acall(args))


@pytest.mark.parametrize("start", [Tool.call, on_a_loop])
def test_an_error_is_named_by_its_sentence_and_the_class_of_the_exception(
    start: Callable[[Tool, dict[str, str]], ToolResult], seen: list[Call]
) -> None:
    def answer_an_error() -> ToolResult:
        """Answer an error, without raising."""
        return ToolResult({"error": "There is no such plan."}, is_error=True)

    start(Tool.of(fail), {"error": "ours"})
    start(Tool.of(fail), {})
    start(Tool.of(answer_an_error), {})
    assert [(call.is_error, call.exception) for call in seen] == [
        (True, "KnowledgeError"),
        (True, "ValueError"),
        (True, None),
    ]
    ours, foreign, answered = (str(call.error) for call in seen)
    assert (ours, answered) == ("Send a name.", "There is no such plan.")
    assert foreign.startswith('The tool "fail" failed with ValueError')
    assert "secret" not in foreign


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_what_ends_more_than_the_tool_is_observed_and_goes_on(
    error: type[BaseException], seen: list[Call]
) -> None:
    def leave() -> str:
        """Leave."""
        raise error

    async def leave_later() -> str:
        """Leave, later."""
        raise error

    with pytest.raises(error):
        Tool.of(leave).call()
    with pytest.raises(error):
        asyncio.run(Tool.of(leave_later).acall())
    assert [(call.result, call.result_size, call.is_error, call.exception) for call in seen] == [
        (None, 0, True, error.__name__)
    ] * 2
    assert seen[0].error == f"The call was ended by {error.__name__}."


class Pause(Exception):  # noqa: N818 - named as a host would
    """With which a host steers its agent."""


def test_what_a_host_lets_through_is_observed_and_goes_on(
    seen: list[Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    def pause() -> str:
        """Pause."""
        raise Pause

    host = types.ModuleType("observed_host")
    host.Pause = Pause  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "observed_host", host)
    let_through("observed_host", "Pause")
    with pytest.raises(Pause):
        Tool.of(pause).call()
    assert (seen[0].exception, seen[0].result) == ("Pause", None)


def test_a_cancelled_call_is_observed(seen: list[Call]) -> None:
    async def wait() -> str:
        """Wait for ever."""
        await asyncio.sleep(60)
        return ""

    async def run() -> None:
        await asyncio.wait_for(Tool.of(wait).acall(), 0.01)

    with pytest.raises(TimeoutError):
        asyncio.run(run())
    assert [(call.name, call.exception, call.result) for call in seen] == [("wait", "CancelledError", None)]


def test_tools_called_within_tools_are_observed_too(seen: list[Call]) -> None:
    def outer() -> str:
        """Call two tools."""
        return plain_double(1) + Tool.of(later).invoke({"number": 1})

    asyncio.run(Tool.of(outer).acall())
    assert [call.name for call in seen] == ["double", "later", "outer"]


def test_an_observer_runs_where_the_call_ran() -> None:
    places: list[tuple[int, str]] = []
    take_away = on_call(lambda _: places.append((threading.get_ident(), WHERE.get())))

    def here() -> str:
        """Say where this runs."""
        return str(threading.get_ident())

    async def run() -> str:
        WHERE.set("inside")
        return (await Tool.of(here).acall()).text

    ran_in = contextvars.copy_context().run(asyncio.run, run())
    take_away()
    assert places == [(int(ran_in), "inside")]
    assert places[0][0] != threading.get_ident()


def placing(tool: Tool) -> Callable[[Call], None]:
    token = WHERE.set(f"{WHERE.get()} {tool.name}")
    return lambda _: WHERE.reset(token)


@pytest.mark.parametrize("way", WAYS)
def test_a_function_runs_in_the_context_that_was_set_before_it(way: str, seen: list[Call]) -> None:
    take_away = around_call(placing)
    WAYS[way]()
    take_away()
    (call,) = seen
    assert call.result is not None
    assert call.result.text == f"8 outside {call.name}"
    assert WHERE.get() == "outside"


def test_parallel_calls_have_contexts_of_their_own() -> None:
    async def run() -> list[str]:
        results = await asyncio.gather(*(Tool.of(later).acall({"number": n}) for n in range(3)))
        return [result.text for result in results]

    take_away = around_call(placing)
    texts = asyncio.run(run())
    take_away()
    assert texts == ["0 outside later", "2 outside later", "4 outside later"]


def test_what_began_last_ends_first(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []

    def telling(name: str) -> Callable[[Tool], Callable[[Call], None]]:
        def begin(tool: Tool) -> Callable[[Call], None]:
            told.append(f"{name} begins {tool.name}")
            return lambda call: told.append(f"{name} ends {call.name}")

        return begin

    take_away = [around_call(telling("first")), around_call(telling("second")), around_call(lambda _: None)]
    Tool.of(double).call({"number": 1})
    for each in take_away:
        each()
    assert told == ["first begins double", "second begins double", "second ends double", "first ends double"]
    assert caplog.records == []


def test_an_observer_is_taken_away_by_itself_and_more_than_once(seen: list[Call]) -> None:
    more: list[Call] = []
    once, twice = on_call(more.append), on_call(more.append)
    once()
    once()
    Tool.of(double).call({"number": 1})
    twice()
    Tool.of(double).call({"number": 1})
    assert (len(more), len(seen)) == (1, 2)


def test_a_call_under_way_is_observed_to_its_end_by_whom_it_began_with() -> None:
    calls: list[Call] = []
    take_away = [on_call(calls.append)]

    def change() -> str:
        """Change the observers during a call."""
        take_away.pop()()
        take_away.append(on_call(lambda _: calls.clear()))
        return ""

    Tool.of(change).call()
    take_away.pop()()
    assert [call.name for call in calls] == ["change"]


def test_an_observer_that_raises_harms_nobody_and_is_logged_once(
    seen: list[Call], caplog: pytest.LogCaptureFixture
) -> None:
    def broken(call: Call) -> None:
        raise ValueError(call.name)

    def broken_before(tool: Tool) -> None:
        raise asyncio.CancelledError

    take_away = [on_call(broken), around_call(broken_before), around_call(lambda _: broken)]
    answers = [Tool.of(double).invoke({"number": 1}) for _ in range(3)]
    for each in take_away:
        each()
    assert (answers, len(seen)) == (["2 outside"] * 3, 3)
    said = [(record.name, record.levelno, record.getMessage().split(", ")[0]) for record in caplog.records]
    own = test_an_observer_that_raises_harms_nobody_and_is_logged_once.__qualname__ + ".<locals>"
    assert said == [
        ("fingerpost.tools", logging.ERROR, f"The observer {own}.broken_before"),
        ("fingerpost.tools", logging.ERROR, f"The observer {own}.<lambda>"),
        ("fingerpost.tools", logging.ERROR, f"The observer {own}.broken"),
    ]
    assert all(", whose further failures are not logged, failed (ref" in text for text in caplog.messages)


def test_an_interrupt_in_an_observer_is_an_interrupt() -> None:
    def interrupt(_: Call) -> None:
        raise KeyboardInterrupt

    take_away = on_call(interrupt)
    with pytest.raises(KeyboardInterrupt):
        Tool.of(double).call({"number": 1})
    take_away()


def test_what_must_be_awaited_cannot_observe() -> None:
    async def observe(call: Call) -> None:
        pass

    with pytest.raises(ConfigError, match=r"is a plain function, and .*observe is none\.$"):
        on_call(observe)
    with pytest.raises(ConfigError, match="list is none"):
        around_call([])  # type: ignore[arg-type]
    assert observers.listening == ()


def test_a_call_cannot_be_changed_by_one_observer_for_the_next(seen: list[Call]) -> None:
    Tool.of(double).call({"number": 1})
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(seen[0], "name", "other")  # noqa: B010 - a type checker would refuse the plain form


def test_changes_of_the_observers_wait_for_each_other(seen: list[Call]) -> None:
    added: list[Callable[[], None]] = []

    def add() -> None:
        added.append(on_call(seen.append))

    def take_away() -> None:
        added.pop()()

    for change in (add, take_away):
        thread = threading.Thread(target=change)
        with observers._changing:  # pyright: ignore[reportPrivateUsage]
            thread.start()
            thread.join(0.05)
            assert thread.is_alive()
        thread.join()
        Tool.of(double).call({"number": 1})
    assert len(seen) == 3


def test_a_forked_child_keeps_its_observers_and_takes_new_ones_while_its_parent_was_changing_them(
    seen: list[Call],
) -> None:
    with observers._changing:  # pyright: ignore[reportPrivateUsage]  # as if another thread was in there
        child = os.fork()
        if child == 0:
            signal.alarm(20)  # rather than to hang
            on_call(seen.append)
            Tool.of(double).call({"number": 1})
            os._exit(len(seen))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
    assert seen == []
