"""Transcripts: what happened between a model and an agent, without the agent's framework.

Two frameworks that do the same give equal transcripts, so "this works the same everywhere" is one
assertion:

    assert explain_difference(reference, transcript) == ""
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from fingerpost_testing.messages import content_text, messages_of
from fingerpost_testing.script import Reply, ToolCall, Turn


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
    def of(cls, requests: Iterable[Request]) -> Transcript:
        """Read the transcript out of a session's requests.

        Of each request only what is new is read: the tool results after its last assistant message. So a
        framework that rewrites or cuts the older history gives the same transcript.

        Args:
            requests: The requests of one session, in order.
        """
        log = list(requests)
        steps: list[Step] = []
        answer, unmatched = "", list[str]()
        pending: tuple[ToolCall, ...] = ()
        for request in log:
            if pending:
                answered, extra = _answered(pending, _new_results(request.body))
                steps[len(steps) - len(pending) :] = answered
            else:
                extra = [content_text(message.get("content")) for message in _new_results(request.body)]
            if not isinstance(request.turn, Reply):
                continue
            unmatched += extra
            pending = request.turn.calls
            steps += [Step(call.name, call.raw_arguments) for call in pending]
            answer = "" if pending else request.turn.text
        return cls(_offered(log[0].body) if log else (), tuple(steps), answer, tuple(unmatched))

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
    tools = cast("Sequence[Mapping[str, Any]]", body.get("tools") or ())
    functions = [cast("Mapping[str, Any]", tool.get("function") or {}) for tool in tools]
    offered = (
        OfferedTool(
            function.get("name", ""), function.get("description") or "", function.get("parameters") or {}
        )
        for function in functions
    )
    return tuple(sorted(offered, key=lambda tool: tool.name))


def _new_results(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    new: list[Mapping[str, Any]] = []
    for message in messages_of(body):
        if message.get("role") == "assistant":
            new.clear()
        elif message.get("role") == "tool":
            new.append(message)
    return new


def _answered(
    calls: Sequence[ToolCall], results: Sequence[Mapping[str, Any]]
) -> tuple[list[Step], list[str]]:
    """Results go to the call whose id they name; the rest go to the calls left over, in order."""
    known = {call.id for call in calls}
    by_id: dict[str, str] = {}
    rest: list[str] = []
    for message in results:
        text, call_id = content_text(message.get("content")), message.get("tool_call_id")
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
