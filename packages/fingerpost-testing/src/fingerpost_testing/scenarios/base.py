"""Scenarios as data: a question, the script that plays the model, and what must come of it.

Play a scenario with any agent and ask it what is missing:

    with play(NAVIGATION.script) as session:
        ...  # run the agent with NAVIGATION.question
    assert NAVIGATION.problems(session.transcript) == []
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Optional, cast

from fingerpost_testing.messages import excerpt
from fingerpost_testing.script import Script, ToolCall, calls, say
from fingerpost_testing.transcript import Step, Transcript


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come of one tool call.

    Attributes:
        received: The arguments that must have reached `find_passages`; `None` to demand nothing.
        mentions: What the result must mention, in any case.
        runs: False if the function must not have been called.
    """

    received: Mapping[str, object] | None = None
    mentions: tuple[str, ...] = ()
    runs: bool = True

    def problems(self, step: Step) -> Iterator[str]:
        """What the step falls short of, one sentence each."""
        call = f"{step.name}({excerpt(step.arguments)})"
        if step.result is None:
            yield f"No result came back for {call}."
            return
        received = received_arguments(step.result)
        if not self.runs and received is not None:
            yield f"{call} ran with {received}, but should have been refused."
        if self.received is not None and received != self.received:
            yield f"{call} reached the function as {received}, not as {dict(self.received)}."
        for word in self.mentions:
            if word.casefold() not in step.result.casefold():
                yield f"The result of {call} does not mention {word!r}: {excerpt(step.result)!r}."


@dataclass(frozen=True, slots=True)
class Scenario:
    """A conversation to play, and what must come of it.

    Attributes:
        name: A short name, fit for a test id.
        question: What the user asks.
        script: What the model says; its last turn is the final answer.
        expected: One entry for each tool call of the script, in order.
        answer: The final answer that must be reached.
        files: The documents that the tools need, path to text; empty if they need none.
    """

    name: str
    question: str
    script: Script
    expected: tuple[Expected, ...]
    answer: str
    files: Mapping[str, str] = field(default_factory=dict[str, str])

    def problems(self, transcript: Transcript) -> list[str]:
        """What a transcript of this scenario falls short of, one sentence each; empty if nothing."""
        problems: list[str] = []
        if len(transcript.steps) != len(self.expected):
            problems.append(
                f"{self.name!r} has {len(self.expected)} tool calls, but {len(transcript.steps)} were made."
            )
        for expected, step in zip(self.expected, transcript.steps, strict=False):
            problems += expected.problems(step)
        if transcript.answer != self.answer:
            problems.append(f"{self.name!r} ended with {transcript.answer!r} instead of {self.answer!r}.")
        return problems


def find_passages(
    query: str,
    limit: int = 10,
    tags: Optional[list[str]] = None,
    exact: bool = False,
    mode: Literal["fast", "full"] = "fast",
) -> str:
    """Find passages, or rather: report the arguments that arrived.

    Args:
        query: Words to look for.
        limit: How many passages to return.
        tags: Tags that a passage must carry.
        exact: Whether to look for the exact words.
        mode: How thoroughly to look.

    Returns:
        The received arguments as a JSON object.
    """
    received = {"query": query, "limit": limit, "tags": tags, "exact": exact, "mode": mode}
    return json.dumps(received, ensure_ascii=False)


_DEFAULTS: Mapping[str, object] = {"query": "q", "limit": 10, "tags": None, "exact": False, "mode": "fast"}


def received_arguments(result: str) -> dict[str, Any] | None:
    """The arguments that `find_passages` reports in a tool result, among notes; `None` if it did not run."""
    decoder = json.JSONDecoder()
    for start, character in enumerate(result):
        if character != "{":
            continue
        try:
            value: object = decoder.raw_decode(result, start)[0]
        except ValueError:
            continue
        if isinstance(value, dict) and cast("dict[str, Any]", value).keys() == _DEFAULTS.keys():
            return cast("dict[str, Any]", value)
    return None


def _bad_arguments(
    name: str, arguments: Mapping[str, object] | str, expected: Expected, tool: str = ""
) -> Scenario:
    script = Script(calls(ToolCall(tool or "find_passages", arguments)), say("Done."))
    return Scenario(name, "Find the passages.", script, (expected,), "Done.")


def _reaches(*mentions: str, **received: object) -> Expected:
    return Expected({**_DEFAULTS, **received}, mentions)


def _refused(*mentions: str) -> Expected:
    return Expected(None, mentions, runs=False)


BAD_ARGUMENTS: tuple[Scenario, ...] = (
    _bad_arguments("digits for int", {"query": "q", "limit": "2"}, _reaches(limit=2)),
    _bad_arguments("float for int", {"query": "q", "limit": 2.0}, _reaches(limit=2)),
    _bad_arguments("word for int", {"query": "q", "limit": "many"}, _reaches("limit")),
    _bad_arguments("text for list", {"query": "q", "tags": "finance"}, _reaches(tags=["finance"])),
    _bad_arguments("JSON text for list", {"query": "q", "tags": '["finance"]'}, _reaches(tags=["finance"])),
    _bad_arguments("text for bool", {"query": "q", "exact": "false"}, _reaches(exact=False)),
    _bad_arguments("null for optional", {"query": "q", "tags": None}, _reaches(tags=None)),
    _bad_arguments("null for int", {"query": "q", "limit": None}, _reaches(limit=10)),
    _bad_arguments("unknown literal", {"query": "q", "mode": "turbo"}, _reaches("mode")),
    _bad_arguments("int for text", {"query": 5}, _reaches(query="5")),
    _bad_arguments("unknown argument", {"query": "q", "colour": "red"}, _reaches("colour")),
    _bad_arguments("missing required", {"limit": 2}, _refused("query")),
    _bad_arguments("malformed JSON", '{"query": "q", "limit":', _refused("JSON")),
    _bad_arguments("empty text", "", _refused("query")),
    _bad_arguments("array", '["q"]', _refused("object")),
    _bad_arguments("encoded twice", json.dumps(json.dumps({"query": "q", "limit": 2})), _reaches(limit=2)),
    _bad_arguments("unknown tool", {"query": "q"}, _refused("find_passages"), tool="find_pasages"),
)
"""What models really send instead of proper arguments, over the tool `find_passages`, one call each."""

_HARBOUR: Mapping[str, str] = {
    "index.md": (
        "# Harbour office\n\n"
        "* [Berths](/tables/berths.md) - every berth and its length\n"
        "* [Berth occupancy](/metrics/occupancy.md) - how full the harbour is\n"
    ),
    "tables/berths.md": (
        "---\ntype: Table\ntitle: Berths\ndescription: Every berth and its length\n---\n\n"
        "One row per berth: `number`, `length_m`, `in_service`.\n"
    ),
    "metrics/occupancy.md": (
        "---\ntype: Metric\ntitle: Berth occupancy\ndescription: How full the harbour is\n---\n\n"
        "Occupied berths divided by berths in service, from [Berths](/tables/berths.md).\n"
    ),
}

_OCCUPANCY = "Berth occupancy is the number of occupied berths divided by the berths in service."

NAVIGATION = Scenario(
    name="navigation",
    question="How is berth occupancy defined?",
    script=Script(
        calls(ToolCall("kb_index", {"path": "/"})),
        calls(ToolCall("kb_find", {"text": "occupancy"})),
        calls(ToolCall("kb_read", {"concept_id": "metrics/occupancy"})),
        say(_OCCUPANCY),
    ),
    expected=(
        Expected(mentions=("metrics/occupancy", "how full the harbour is")),
        Expected(mentions=("metrics/occupancy",)),
        Expected(mentions=("divided by berths in service", "tables/berths")),
    ),
    answer=_OCCUPANCY,
    files=_HARBOUR,
)
"""Index, find, read, answer: the way through a small bundle with `kb_index`, `kb_find` and `kb_read`."""
