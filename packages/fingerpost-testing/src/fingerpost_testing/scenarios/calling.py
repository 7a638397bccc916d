"""What can happen to calls: a failing function, ten at once, good and bad ones mixed, repetition."""

from __future__ import annotations

from fingerpost_testing.scenarios.base import Expected, Scenario
from fingerpost_testing.scenarios.probe import DEFAULTS, find_passages
from fingerpost_testing.script import Script, ToolCall, calls, say


def open_vault(code: str) -> str:
    """Fail, with a secret in the message.

    Args:
        code: Any text.
    """
    raise ValueError(f"the vault at 10.0.0.7 refused {code}")


def recite(lines: int = 4_400) -> str:
    """Return a long text.

    Args:
        lines: How many lines of 50 characters.
    """
    return "".join(f"Line {number:06}, one of very many in a long text.\n" for number in range(lines))


def _found(query: str) -> Expected:
    return Expected({**DEFAULTS, "query": query})


RAISING_FUNCTION = Scenario(
    name="function that raises",
    question="Open the vault.",
    script=Script(
        calls(ToolCall("open_vault", {"code": "1234"})),
        calls(ToolCall("find_passages", {"query": "q"})),
        say("It does not open."),
    ),
    expected=(Expected(mentions=("ValueError", "reference"), hides=("10.0.0.7", "1234")), _found("q")),
    answer="It does not open.",
    functions=(open_vault, find_passages),
)
"""A failing function is answered with a sentence that keeps its secret, and the run goes on."""

PARALLEL_CALLS = Scenario(
    name="ten calls in one message",
    question="Find ten things.",
    script=Script(
        calls(*(ToolCall("find_passages", {"query": f"thing {number}"}) for number in range(10))), say("Ten.")
    ),
    expected=tuple(_found(f"thing {number}") for number in range(10)),
    answer="Ten.",
    functions=(find_passages,),
)
"""Ten calls in one message have ten results, each with its own call."""

MIXED_CALLS = Scenario(
    name="good and bad calls in one message",
    question="Find two things.",
    script=Script(
        calls(
            ToolCall("find_passages", {"query": "first"}),
            ToolCall("find_pasages", {"query": "second"}),
            ToolCall("find_passages", {"limit": 3}),
            ToolCall("find_passages", {"query": "fourth"}),
        ),
        say("Two."),
    ),
    expected=(
        _found("first"),
        Expected(mentions=("find_pas",), runs=False),
        Expected(mentions=("query",), runs=False),
        _found("fourth"),
    ),
    answer="Two.",
    functions=(find_passages,),
)
"""A bad call does not take the good ones beside it along."""

REPEATED_CALL = Scenario(
    name="the same call eight times",
    question="Find the passages.",
    script=Script(*(calls(ToolCall("find_passages", {"query": "q"})) for _ in range(8)), say("Done.")),
    expected=tuple(_found("q") for _ in range(8)),
    answer="Done.",
    functions=(find_passages,),
)
"""A model that goes round in a circle is answered each time."""

REPEATED_MISTAKE = Scenario(
    name="the same mistake eight times",
    question="Find the passages.",
    script=Script(
        *(calls(ToolCall("find_passages", {"limit": "many"})) for _ in range(8)), say("I give up.")
    ),
    expected=tuple(Expected(mentions=("query",), runs=False) for _ in range(8)),
    answer="I give up.",
    functions=(find_passages,),
)
"""No retry budget of a framework is used up by a mistake that the model repeats."""

LONG_ANSWER = Scenario(
    name="answer of 200 kB",
    question="Recite.",
    script=Script(calls(ToolCall("recite", {})), say("Done.")),
    expected=(Expected(mentions=("Line 000001", "Cut here"), hides=("Line 004399",)),),
    answer="Done.",
    functions=(recite,),
)
"""A function that returns far too much is cut within its budget, and says so."""
