"""The two types of a scenario: the conversation to play, and what must come of each call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fingerpost import MemoryDocumentStore, OKFTools, tool
from fingerpost_testing.messages import excerpt
from fingerpost_testing.scenarios.probe import received_arguments
from fingerpost_testing.script import Script
from fingerpost_testing.transcript import Step, Transcript


@dataclass(frozen=True, slots=True)
class Expected:
    """What must come of one tool call.

    Attributes:
        received: The arguments that must have reached `find_passages`; `None` to demand nothing.
        mentions: What the result must mention, in any case.
        hides: What it must not mention.
        runs: False if the function must not have been called.
    """

    received: Mapping[str, object] | None = None
    mentions: tuple[str, ...] = ()
    hides: tuple[str, ...] = ()
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
        for word in self.hides:
            if word.casefold() in step.result.casefold():
                yield f"The result of {call} mentions {word!r}, which it must not."


def _none(_max_chars: int | None) -> tuple[Callable[..., str], ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A conversation to play, and what must come of it.

    Attributes:
        name: A short name, fit for a test id.
        question: What the user asks.
        script: What the model says; its last turn is the final answer.
        expected: One entry for each tool call of the script, in order.
        answer: The final answer that must be reached.
        bundles: What the knowledge tools are over: for each prefix of their names, paths and texts.
        functions: Further functions that the model calls.
        knowledge: Makes the tools over knowledge bases anew; called with the most that any may answer.
        withheld: Names of tools that the model must not be offered.
    """

    name: str
    question: str
    script: Script
    expected: tuple[Expected, ...]
    answer: str
    bundles: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])
    functions: tuple[Callable[..., object], ...] = ()
    knowledge: Callable[[int | None], Iterable[Callable[..., str]]] = _none
    withheld: tuple[str, ...] = ()

    def tools(self, max_chars: int | None = None) -> list[Callable[..., str]]:
        """What to give to the agent: guarded functions, over bundles of their own.

        Args:
            max_chars: The most that any of them may answer, in characters; None for their own budgets.
        """
        made: list[Callable[..., str]] = []
        for prefix, files in self.bundles.items():
            made += OKFTools(MemoryDocumentStore(files), prefix, max_chars).functions()
        made += self.knowledge(max_chars)
        return made + [tool(function, max_chars=max_chars) for function in self.functions]

    def problems(self, transcript: Transcript) -> list[str]:
        """What a transcript of this scenario falls short of, one sentence each; empty if nothing."""
        problems = [
            f"The model is offered {name!r}, which must be withheld from it."
            for name in self.withheld
            if name in transcript.tool_names
        ]
        if len(transcript.steps) != len(self.expected):
            problems.append(
                f"{self.name!r} has {len(self.expected)} tool calls, but {len(transcript.steps)} were made."
            )
        for expected, step in zip(self.expected, transcript.steps, strict=False):
            problems += expected.problems(step)
        if transcript.answer != self.answer:
            problems.append(f"{self.name!r} ended with {transcript.answer!r} instead of {self.answer!r}.")
        return problems
