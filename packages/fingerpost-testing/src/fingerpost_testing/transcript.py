"""Transcripts: what happened between a model and an agent, without the agent's framework.

Two frameworks that do the same give equal transcripts, so "this works the same everywhere" is one
assertion:

    assert explain_difference(reference, transcript) == ""
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from fingerpost_testing.messages import Message, functions_of, messages_of
from fingerpost_testing.script import Reply, ToolCall, Turn

ResultReader: TypeAlias = Callable[[Message], Iterable[str]]
"""Finds the tool results in a message that was sent after the model's last one."""


def tool_messages(message: Message) -> Iterable[str]:
    """The `ResultReader` for agents that send each result in a message of its own, in the role of a tool."""
    return (message.text,) if message.role == "tool" else ()


@dataclass(frozen=True, slots=True)
class Request:
    """One request to the model and the turn that answered it.

    Attributes:
        body: The parsed JSON body.
        turn: What it was answered with; `None` if it was refused.
        headers: The headers, names in lower case, without keys and cookies.
    """

    body: Mapping[str, Any]
    turn: Turn | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as the framework offered it to the model.

    Attributes:
        name: Its name.
        description: Its description.
        schema: The JSON schema of its arguments.
    """

    name: str
    description: str = ""
    schema: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Step:
    """One tool call and what came back.

    Attributes:
        name: The tool that the model called.
        arguments: The raw arguments that the model sent.
        result: The text that the framework sent back; `None` if it sent nothing for this call.
    """

    name: str
    arguments: str
    result: str | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """What happened in one session, in order.

    Attributes:
        tools: The tools that the first request offered, by name.
        steps: Every tool call with its result.
        answer: The last text that the model said without calling a tool; empty if it did not get that far.
        unmatched: Tool results that belong to no call.
    """

    tools: tuple[OfferedTool, ...] = ()
    steps: tuple[Step, ...] = ()
    answer: str = ""
    unmatched: tuple[str, ...] = ()

    @classmethod
    def of(cls, requests: Iterable[Request], results: ResultReader = tool_messages) -> Transcript:
        """Read the transcript out of a session's requests.

        Of each request only what is new is read: the tool results after its last assistant message. So a
        framework that rewrites or cuts the older history gives the same transcript.

        Args:
            requests: The requests of one session, in order.
            results: Finds the results in a message, for agents that do not send them in the role of a tool.
                Results of messages that name no call go to the calls in order.
        """
        log = list(requests)
        steps: list[Step] = []
        answer, unmatched = "", list[str]()
        pending: tuple[ToolCall, ...] = ()
        for request in log:
            answered, extra = _answered(pending, _new_results(request.body, pending, results))
            steps[len(steps) - len(pending) :] = answered
            if not isinstance(request.turn, Reply):
                continue
            unmatched += extra
            pending = request.turn.calls
            steps += [Step(call.name, call.raw_arguments) for call in pending]
            answer = "" if pending else request.turn.text
        return cls(_offered(log[0].body) if log else (), tuple(steps), answer, tuple(unmatched))

    def with_results(self, read: Callable[[str], str]) -> Transcript:
        """The same transcript with every result read anew, for agents that wrap what a tool returns.

        Args:
            read: Takes a result as the agent sent it and returns what the tool said.
        """
        steps = (
            step if step.result is None else replace(step, result=read(step.result)) for step in self.steps
        )
        return replace(self, steps=tuple(steps), unmatched=tuple(map(read, self.unmatched)))

    @property
    def tool_results(self) -> tuple[str | None, ...]:
        """The results of all steps, in order."""
        return tuple(step.result for step in self.steps)

    @property
    def tool_names(self) -> tuple[str, ...]:
        """The names of the tools that were offered."""
        return tuple(tool.name for tool in self.tools)

    def without_definitions(self) -> Transcript:
        """The same transcript with tools by name alone, to compare frameworks that rewrite schemas."""
        return replace(self, tools=tuple(OfferedTool(tool.name) for tool in self.tools))

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        lines: list[str] = []
        for tool in self.tools:
            lines += [f"offered {tool.name}", *_indented("description ", tool.description)]
            lines += _indented(
                "schema ", json.dumps(tool.schema, indent=1, sort_keys=True, ensure_ascii=False)
            )
        for number, step in enumerate(self.steps, 1):
            lines.append(f"step {number}: {step.name}({step.arguments})")
            lines += ["  nothing came back"] if step.result is None else _indented("", step.result)
        lines += [line for text in self.unmatched for line in ("result without a call", *_indented("", text))]
        return [*lines, "answer", *_indented("", self.answer)]


def explain_difference(expected: Transcript, actual: Transcript) -> str:
    """Say how two transcripts differ, as a line diff; an empty text if they are equal."""
    if expected == actual:
        return ""
    old, new = str(expected).split("\n"), str(actual).split("\n")
    return "\n".join(difflib.unified_diff(old, new, "expected", "actual", n=2, lineterm=""))


def _indented(label: str, text: str) -> list[str]:
    return [f"  {label}{line}" for line in text.split("\n")]


def _offered(body: Mapping[str, Any]) -> tuple[OfferedTool, ...]:
    offered = (
        OfferedTool(tool.get("name") or "", tool.get("description") or "", tool.get("parameters") or {})
        for tool in functions_of(body)
    )
    return tuple(sorted(offered, key=lambda tool: tool.name))


def _new_results(
    body: Mapping[str, Any], calls: Sequence[ToolCall], results: ResultReader
) -> list[tuple[str, str]]:
    """The id of the call, if one is named, and the text of each result after the last assistant message.

    Some agents send call, result, call, result for one turn. So a call of this turn ends nothing but what was
    said before the turn: of the results so far it keeps those of the other calls of the turn.
    """
    turn = {call.id for call in calls}
    new: list[tuple[str, str]] = []
    for message in messages_of(body):
        if message.role != "assistant":
            new += ((message.call_id, text) for text in results(message))
            continue
        others = turn - {message.call_id} if message.call_id in turn else set[str]()
        new = [(call_id, text) for call_id, text in new if call_id in others]
    return new


def _answered(calls: Sequence[ToolCall], results: Iterable[tuple[str, str]]) -> tuple[list[Step], list[str]]:
    """Results go to the call whose id they name; the rest go to the calls left over, in order."""
    known = {call.id for call in calls}
    by_id: dict[str, str] = {}
    rest: list[str] = []
    for call_id, text in results:
        if call_id in known and call_id not in by_id:
            by_id[call_id] = text
        else:
            rest.append(text)
    steps: list[Step] = []
    for call in calls:
        result = by_id.get(call.id)
        if result is None and rest:
            result = rest.pop(0)
        steps.append(Step(call.name, call.raw_arguments, result))
    return steps, rest
