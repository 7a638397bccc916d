"""Scenarios as data: a question, the script that plays the model, and what must come of it.

Play a scenario with any agent and ask it what is missing:

    with play(NAVIGATION.script) as session:
        ...  # run the agent with NAVIGATION.tools() and NAVIGATION.question
    assert NAVIGATION.problems(session.transcript) == []
"""

from __future__ import annotations

from fingerpost_testing.scenarios.arguments import BAD_ARGUMENTS
from fingerpost_testing.scenarios.base import Expected, Scenario
from fingerpost_testing.scenarios.bundles import (
    LONG_DOCUMENT,
    NAVIGATION,
    NO_ARGUMENTS,
    OTHER_SCRIPTS,
    TWO_BUNDLES,
    UNKNOWN_ID,
)
from fingerpost_testing.scenarios.calling import (
    LONG_ANSWER,
    MIXED_CALLS,
    PARALLEL_CALLS,
    RAISING_FUNCTION,
    REPEATED_CALL,
    REPEATED_MISTAKE,
)
from fingerpost_testing.scenarios.knowledge import (
    CORRECTION,
    FAILING_KNOWLEDGE_BASE,
    KNOWLEDGE,
    LISTS_AND_OBJECTS,
    LONG_RECORD,
    ROLE,
    TWO_KNOWLEDGE_BASES,
    WRITE_TO_READ_ONLY,
    WRITE_WITHOUT_ROLE,
)
from fingerpost_testing.scenarios.probe import find_passages, received_arguments

SCENARIOS: tuple[Scenario, ...] = (
    NAVIGATION,
    UNKNOWN_ID,
    TWO_BUNDLES,
    OTHER_SCRIPTS,
    LONG_DOCUMENT,
    *KNOWLEDGE,
    LONG_ANSWER,
    RAISING_FUNCTION,
    PARALLEL_CALLS,
    MIXED_CALLS,
    REPEATED_CALL,
    REPEATED_MISTAKE,
    NO_ARGUMENTS,
    *BAD_ARGUMENTS,
)
"""All of them, in the order of the documentation."""

__all__ = [
    "BAD_ARGUMENTS",
    "CORRECTION",
    "FAILING_KNOWLEDGE_BASE",
    "KNOWLEDGE",
    "LISTS_AND_OBJECTS",
    "LONG_ANSWER",
    "LONG_DOCUMENT",
    "LONG_RECORD",
    "MIXED_CALLS",
    "NAVIGATION",
    "NO_ARGUMENTS",
    "OTHER_SCRIPTS",
    "PARALLEL_CALLS",
    "RAISING_FUNCTION",
    "REPEATED_CALL",
    "REPEATED_MISTAKE",
    "ROLE",
    "SCENARIOS",
    "TWO_BUNDLES",
    "TWO_KNOWLEDGE_BASES",
    "UNKNOWN_ID",
    "WRITE_TO_READ_ONLY",
    "WRITE_WITHOUT_ROLE",
    "Expected",
    "Scenario",
    "find_passages",
    "received_arguments",
]
