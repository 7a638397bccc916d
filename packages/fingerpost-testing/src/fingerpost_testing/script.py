"""Scripts: what the scripted model says, turn by turn.

A script is strict. Each request takes the next turn; a request after the last turn and a turn that nobody
asked for are both errors, so a test cannot pass by accident.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from fingerpost_testing.messages import excerpt


class ScriptError(AssertionError):
    """An agent did not follow its script."""


class UnexpectedRequest(ScriptError):  # noqa: N818 - named for what happened, as test doubles do
    """A request came that the script has no turn for, or that the server cannot answer."""


class UnconsumedTurns(ScriptError):  # noqa: N818 - named for what happened, as test doubles do
    """The agent stopped before the script ended."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call of the model.

    Attributes:
        name: The tool to call. It need not exist.
        arguments: A mapping is sent as JSON; a `str` is sent exactly as it is, be it broken JSON.
        id: The call's id; a `Script` numbers calls that have none ("call_1", "call_2", ...). Not compared.
    """

    name: str
    arguments: Mapping[str, object] | str = field(default_factory=dict[str, object])
    id: str = field(default="", compare=False)

    @property
    def raw_arguments(self) -> str:
        """The arguments as the text that is sent."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(dict(self.arguments), ensure_ascii=False)

    def __str__(self) -> str:
        return f"{self.name}({self.raw_arguments})"


@dataclass(frozen=True, slots=True)
class Reply:
    """A turn that answers: with text, with tool calls, or with both.

    Attributes:
        text: The text of the message.
        calls: The tool calls of the message, in order.
        delay: Seconds to wait before answering.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    delay: float = 0.0

    def __str__(self) -> str:
        said = [f"say {excerpt(self.text)!r}"] if self.text or not self.calls else []
        return " and ".join([*said, *(f"call {excerpt(str(call))}" for call in self.calls)])


@dataclass(frozen=True, slots=True)
class Fault:
    """A turn that answers with an HTTP error.

    Attributes:
        status: The HTTP status, 400 to 599.
        message: The message in the error's body.
        delay: Seconds to wait before answering.
    """

    status: int = 500
    message: str = "The script asked for this fault."
    delay: float = 0.0

    def __str__(self) -> str:
        return f"fail with status {self.status}"


@dataclass(frozen=True, slots=True)
class HangUp:
    """A turn that closes the connection without an answer.

    Attributes:
        delay: Seconds to wait before closing.
    """

    delay: float = 0.0

    def __str__(self) -> str:
        return "hang up"


Turn: TypeAlias = Reply | Fault | HangUp
AnyTurn = TypeVar("AnyTurn", Reply, Fault, HangUp)


def calls(*tool_calls: ToolCall, text: str = "") -> Reply:
    """A turn in which the model calls tools, all in one message.

    Args:
        *tool_calls: The calls, in order.
        text: What the model says beside them.

    Raises:
        ValueError: No call was given.
    """
    if not tool_calls:
        raise ValueError("calls() needs at least one ToolCall; use say() for a turn without calls.")
    return Reply(text=text, calls=tool_calls)


def say(text: str) -> Reply:
    """A turn in which the model answers with text, which ends an agent's loop."""
    return Reply(text=text)


def fault(status: int = 500, message: str = "The script asked for this fault.") -> Fault:
    """A turn that answers with an HTTP error. Most clients repeat the request unless told `max_retries=0`.

    Args:
        status: The HTTP status.
        message: The message in the error's body.

    Raises:
        ValueError: The status is not an error status.
    """
    if not 400 <= status <= 599:
        raise ValueError(f"fault() needs a status from 400 to 599, not {status}.")
    return Fault(status=status, message=message)


def hang_up() -> HangUp:
    """A turn that closes the connection without an answer."""
    return HangUp()


def slow(seconds: float, turn: AnyTurn) -> AnyTurn:
    """The same turn, answered only after a while; for tests of timeouts and cancellation.

    Args:
        seconds: How long to wait before answering. Closing the server ends the wait.
        turn: The turn to delay.
    """
    return replace(turn, delay=seconds)


class Script:
    """The turns of one session, in order.

    Args:
        *turns: What the model answers to the first request, the second, and so on.
    """

    def __init__(self, *turns: Turn) -> None:
        self.turns: tuple[Turn, ...] = _numbered(turns)

    def __len__(self) -> int:
        return len(self.turns)

    def __repr__(self) -> str:
        return f"Script({', '.join(repr(turn) for turn in self.turns)})"

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All tool calls of the script, in order."""
        return tuple(call for turn in self.turns if isinstance(turn, Reply) for call in turn.calls)


def _numbered(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    numbered: list[Turn] = []
    count = 0
    for turn in turns:
        if not isinstance(turn, Reply):
            numbered.append(turn)
            continue
        ids = [f"call_{number}" for number in range(count + 1, count + len(turn.calls) + 1)]
        count += len(turn.calls)
        named = (replace(call, id=call.id or new) for call, new in zip(turn.calls, ids, strict=True))
        numbered.append(replace(turn, calls=tuple(named)))
    return tuple(numbered)
