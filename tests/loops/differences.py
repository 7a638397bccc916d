"""Where a framework is not the same as no framework, and why it allows no better, in a sentence each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Way = Literal["adapter", "plain"]
Verdict = Literal["own words", "differs", "ends"]
BOTH: tuple[Way, ...] = ("adapter", "plain")


@dataclass(frozen=True)
class Difference:
    """A known difference.

    Attributes:
        name: The driver.
        verdict: What its cells say.
        scenarios: The names of the scenarios.
        sees: A pattern that what is seen must match (`Played.seen`).
        why: What the model sees instead and why, in a sentence.
        ways: Whether with the adapter, with plain functions, or both.
    """

    name: str
    verdict: Verdict
    scenarios: tuple[str, ...]
    sees: str
    why: str
    ways: tuple[Way, ...] = ("adapter",)

    def explains(self, way: Way, scenario: str, name: str, verdict: str) -> bool:
        """Whether this is about a cell."""
        return (
            (name, verdict) == (self.name, self.verdict) and scenario in self.scenarios and way in self.ways
        )

    def matches(self, seen: str) -> bool:
        """Whether this is what was seen."""
        return re.search(self.sees, seen, re.DOTALL) is not None


MIXED = "good and bad calls in one message"
UNKNOWN_TOOL = ("unknown tool", MIXED)
NO_OBJECT = ("array", "encoded twice")
MISSING = ("missing required", "empty text", "the same mistake eight times", MIXED)
PLAIN: tuple[Way, ...] = ("plain",)

Row: TypeAlias = tuple[Verdict, tuple[str, ...], str, str, tuple[Way, ...]]
AGENT_FRAMEWORK: tuple[Row, ...] = (
    (
        "differs",
        ("unknown tool",),
        'Requested function "find_pasages" not found',
        "Agent Framework answers the call of an unknown tool by itself, without the names there are.",
        BOTH,
    ),
    (
        "own words",
        (MIXED,),
        'Requested function "find_pasages" not found',
        "Agent Framework answers the call of an unknown tool by itself.",
        ("adapter",),
    ),
    (
        "differs",
        (*MISSING, "malformed JSON", *NO_OBJECT),
        "Argument parsing failed|reached the function as None",
        "Agent Framework checks a plain function's arguments itself and does not say what is wrong.",
        PLAIN,
    ),
    (
        "differs",
        ("unknown argument",),
        "does not mention 'colour'",
        "Agent Framework drops arguments that a plain function does not have, and so the model is not told.",
        PLAIN,
    ),
)

DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "langchain",
        "own words",
        UNKNOWN_TOOL,
        "find_pasages is not a valid tool, try one of",
        "LangChain answers the call of an unknown tool by itself, with the names there are.",
        BOTH,
    ),
    Difference(
        "langchain",
        "differs",
        NO_OBJECT,
        "No result came back for",
        "LangChain cannot hold arguments that are no object in a message; `MalformedCallMiddleware` asks the "
        "model "
        "again, so that the call itself has no result.",
        BOTH,
    ),
    Difference(
        "langchain",
        "own words",
        MISSING,
        "query: Field required",
        "LangChain checks a plain function's required arguments itself, and tells the model what is missing.",
        PLAIN,
    ),
    Difference(
        "langchain",
        "own words",
        ("malformed JSON",),
        "were no JSON object",
        "`MalformedCallMiddleware` answers broken JSON for a plain function; the tools of the adapter do so "
        "themselves.",
        PLAIN,
    ),
    Difference(
        "langchain",
        "differs",
        ("unknown argument",),
        "does not mention 'colour'",
        "LangChain drops arguments that a plain function does not have, and so the model is not told.",
        PLAIN,
    ),
    Difference(
        "openai_agents",
        "own words",
        UNKNOWN_TOOL,
        "Tool 'find_pasages' not found. There are: find_passages",
        "The SDK ends the run at an unknown tool unless it is told otherwise; with the page's `RunConfig` it "
        "answers "
        "by itself.",
        BOTH,
    ),
    Difference(
        "openai_agents",
        "differs",
        (*MISSING, "malformed JSON", *NO_OBJECT),
        "An error occurred while running the tool|reached the function as None",
        "`function_tool` checks arguments itself and does not tell the model what is wrong with them.",
        PLAIN,
    ),
    Difference(
        "openai_agents",
        "differs",
        ("unknown argument",),
        "does not mention 'colour'",
        "`function_tool` drops arguments that the function does not have, and so the model is not told.",
        PLAIN,
    ),
    Difference(
        "pydantic_ai",
        "own words",
        UNKNOWN_TOOL,
        "Unknown tool name: 'find_pasages'. Available tools",
        "Pydantic AI answers the call of an unknown tool by itself, and counts it against "
        "`Agent(retries=...)`.",
        BOTH,
    ),
    Difference(
        "pydantic_ai",
        "own words",
        ("malformed JSON",),
        "json_invalid",
        "Pydantic AI reads the JSON of a call by itself, tells the model what is wrong with it, and counts "
        "it "
        "against the retries of the tool.",
        BOTH,
    ),
    Difference(
        "pydantic_ai",
        "own words",
        (*MISSING, "array"),
        "Field required|Input should be an object",
        "Pydantic AI checks a plain function's arguments itself, tells the model what is wrong, and counts "
        "it "
        "against the retries of the tool.",
        PLAIN,
    ),
    Difference(
        "pydantic_ai",
        "differs",
        ("unknown argument", "encoded twice"),
        "reached the function as None",
        "Pydantic AI refuses a plain function's unknown arguments, and arguments that are no object.",
        PLAIN,
    ),
    Difference(
        "pydantic_ai",
        "ends",
        ("the same mistake eight times",),
        "exceeded max retries count",
        "With a plain function, a missing argument uses up the retries of the tool, and the run ends with "
        "`UnexpectedModelBehavior`; the adapter's tools use up none, or set `Agent(retries=...)` higher.",
        PLAIN,
    ),
    Difference(
        "adk",
        "own words",
        UNKNOWN_TOOL,
        r"Invoking `find_pasages\(\)` failed as no tool with that name",
        "ADK answers the call of an unknown tool by itself, with the names there are.",
        BOTH,
    ),
    Difference(
        "adk",
        "own words",
        MISSING,
        "mandatory input parameters are not present",
        "ADK checks a plain function's required arguments itself, and tells the model which are missing.",
        PLAIN,
    ),
    Difference(
        "adk",
        "differs",
        ("unknown argument",),
        "does not mention 'colour'",
        "ADK drops arguments that a plain function does not have, and so the model is not told.",
        PLAIN,
    ),
    Difference(
        "adk",
        "differs",
        ("malformed JSON", *NO_OBJECT),
        "mandatory input parameters are not present|reached the function as None",
        "For a plain function ADK drops the text that `MalformedCallClient` keeps, and says that the "
        "required "
        "arguments are missing.",
        PLAIN,
    ),
    *(
        Difference(name, verdict, scenarios, sees, why, ways)
        for name in ("agent_framework", "agent_framework_responses")
        for verdict, scenarios, sees, why, ways in AGENT_FRAMEWORK
    ),
    Difference(
        "smolagents",
        "own words",
        ("unknown tool",),
        "Unknown tool find_pasages, should be one of: find_passages",
        "smolagents answers the call of an unknown tool by itself, with the names there are.",
    ),
    Difference(
        "smolagents",
        "differs",
        (MIXED,),
        "No result came back for",
        "In smolagents a call of an unknown tool costs the results of the calls beside it: the model sees "
        "the one "
        "error.",
    ),
    Difference(
        "haystack",
        "own words",
        UNKNOWN_TOOL,
        "Tool 'find_pasages' not found. Available tools: find_passages",
        "Haystack answers the call of an unknown tool by itself, with the names there are.",
        BOTH,
    ),
    Difference(
        "haystack",
        "differs",
        ("malformed JSON",),
        "No result came back for",
        "Haystack drops a call with broken JSON and asks the model again, so that the call itself has no "
        "result.",
        BOTH,
    ),
    Difference(
        "claude_agent",
        "differs",
        ("unknown tool",),
        "Tool 'find_pasages' not found",
        "The SDK's server answers the call of an unknown tool by itself, without the names there are.",
    ),
    Difference(
        "claude_agent",
        "own words",
        (MIXED,),
        "Tool 'find_pasages' not found",
        "The SDK's server answers the call of an unknown tool by itself.",
    ),
    Difference(
        "llamaindex",
        "differs",
        ("unknown tool",),
        "Tool find_pasages not found",
        "LlamaIndex answers the call of an unknown tool by itself, without the names there are.",
        BOTH,
    ),
    Difference(
        "llamaindex",
        "own words",
        (MIXED,),
        "Tool find_pasages not found",
        "LlamaIndex answers the call of an unknown tool by itself.",
        BOTH,
    ),
    Difference(
        "crewai",
        "differs",
        UNKNOWN_TOOL,
        "Tool not found",
        "CrewAI answers the call of an unknown tool by itself, without its name and without the names there "
        "are.",
        BOTH,
    ),
    Difference(
        "crewai",
        "own words",
        ("the same call eight times", "the same mistake eight times"),
        "call 4 of this run with the same arguments",
        "CrewAI ends a run that gets the same answer to the same call five times; so the answers say from "
        "the fourth "
        "on which one they are.",
    ),
    Difference(
        "crewai",
        "own words",
        ("malformed JSON",),
        "Failed to parse tool arguments as JSON",
        "CrewAI reads the JSON of a call by itself, and tells the model what is wrong with it.",
        BOTH,
    ),
    Difference(
        "crewai",
        "differs",
        ("empty text", "empty text, nothing required"),
        "Failed to parse tool arguments as JSON",
        "CrewAI reads the JSON of a call by itself, and an empty text is none; the model is told to send "
        "JSON.",
        BOTH,
    ),
    Difference(
        "crewai",
        "differs",
        ("array",),
        "No result came back for",
        "CrewAI drops a message with a list for arguments, and asks the model again.",
        BOTH,
    ),
    Difference(
        "crewai",
        "differs",
        ("encoded twice",),
        "reached the function as None",
        "CrewAI refuses arguments that are a JSON text within a JSON text; the model sees a Python error "
        "about it.",
        BOTH,
    ),
    Difference(
        "crewai",
        "ends",
        ("the same call eight times", "the same mistake eight times"),
        "ToolExecutionFailedError",
        "CrewAI ends a run that gets the same answer to the same call five times; the adapter's answers "
        "differ.",
        PLAIN,
    ),
    Difference(
        "crewai",
        "differs",
        ("unknown argument",),
        "does not mention 'colour'",
        "CrewAI drops arguments that a plain function does not have, and so the model is not told.",
        PLAIN,
    ),
    Difference(
        "crewai",
        "own words",
        ("missing required",),
        "validation failed",
        "CrewAI checks a plain function's required arguments itself, and tells the model what is missing.",
        PLAIN,
    ),
)
