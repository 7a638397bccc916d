"""Transcripts: what happened between a model and an agent, without the agent's framework.

Two frameworks that do the same give equal transcripts, so "this works the same everywhere" is one
assertion:

    assert explain_difference(reference, transcript) == ""
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from fingerpost_testing.messages import Message, functions_of, messages_of, object_of
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
        name: Its name; the type of a tool that has none, because the model's host runs it ("web_search").
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
        unmatched: Tool results that belong to no call, or to one that has a result already.
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

        Each result goes to the call of the turn whose id its message names. A result that names no id, or one
        that the model never gave, goes to the calls left over, in order. A result that names a call which has
        one already, in this turn or before, goes to no other: it is in `unmatched`, as is what is left.
        """
        log = list(requests)
        steps: list[Step] = []
        answer, unmatched = "", list[str]()
        pending: tuple[ToolCall, ...] = ()
        earlier = set[str]()
        for request in log:
            answered, extra = _answered(pending, earlier, _new_results(request.body, pending, results))
            steps[len(steps) - len(pending) :] = answered
            if not isinstance(request.turn, Reply):
                continue
            unmatched += extra
            earlier |= {call.id for call in pending}
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
        OfferedTool(
            str(tool.get("name") or tool.get("type") or ""),
            str(tool.get("description") or ""),
            object_of(tool.get("parameters")),
        )
        for tool in functions_of(body)
    )
    return tuple(sorted(offered, key=lambda tool: tool.name))


def _new_results(
    body: Mapping[str, Any], calls: Sequence[ToolCall], results: ResultReader
) -> list[tuple[str, str]]:
    """The id of the call, if one is named, and the text of each result after the model's last turn.

    Some agents send call, result, call, result for one turn. So a call of this turn ends nothing but what was
    said before the turn: of the results so far it keeps those of the other calls of the turn. In items, all
    else that the model said (reasoning, text, a reference) keeps those of every call of the turn.
    """
    is_in_items = "messages" not in body
    turn = {call.id for call in calls}
    new: list[tuple[str, str]] = []
    for message in messages_of(body):
        if message.role != "assistant":
            new += ((message.call_id, text) for text in results(message))
            continue
        is_part = is_in_items or message.call_id in turn
        kept = turn - {message.call_id} if is_part else set[str]()
        new = [(call_id, text) for call_id, text in new if call_id in kept]
    return new


def _answered(
    calls: Sequence[ToolCall], earlier: Set[str], results: Iterable[tuple[str, str]]
) -> tuple[list[Step], list[str]]:
    """Results go to the call whose id they name; those without a known id to the calls left over in order."""
    left = dict(enumerate(results))
    known = {call.id for call in calls}
    by_id: dict[str, list[int]] = {call_id: [] for call_id in known}
    nameless: list[int] = []
    for place, (call_id, _) in left.items():
        if call_id in known:
            by_id[call_id].append(place)
        elif call_id not in earlier:
            nameless.append(place)
    steps: list[Step] = []
    for call in calls:
        places = by_id[call.id] or nameless
        result = left.pop(places.pop(0))[1] if places else None
        steps.append(Step(call.name, call.raw_arguments, result))
    return steps, [text for _, text in left.values()]
