"""Ways through several knowledge bases: routing, one that fails, roles, refused writes, a correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fingerpost import KnowledgeBuilder, LocalDocumentStore, OKFManager, Records, demo_bundle, kb_tools
from fingerpost_testing.knowledge import MemoryKnowledgeBase
from fingerpost_testing.scenarios.base import Expected, Scenario
from fingerpost_testing.script import Script, ToolCall, calls, say

_NOTES: Mapping[str, str] = {
    "docks/north": "The north dock stays closed in a storm.",
    "docks/south": "The south dock opens at seven.",
}
_LINE = "A line of the log of the harbour, with a wind, a tide and a ship that came in.\n"
_TROUBLE = "the ledger at 10.0.0.7 refused the code 1234"

Functions = list[Callable[..., str]]


class UnreachableKnowledgeBase(MemoryKnowledgeBase):
    """One whose every answer fails, with a secret in the message."""

    def get_description(self) -> str:
        """Fail."""
        raise ConnectionError(_TROUBLE)

    def _derived_schema(self) -> Mapping[str, Any]:
        raise ConnectionError(_TROUBLE)

    def search(self, *_args: Any, **_kwargs: Any) -> Records:
        """Fail."""
        raise ConnectionError(_TROUBLE)


def _notes(writable: bool = True) -> MemoryKnowledgeBase:
    return MemoryKnowledgeBase("notes", _NOTES, "What the crew has learned.", writable)


def _handbook_and_notes(max_chars: int | None) -> Functions:
    rules = LocalDocumentStore(demo_bundle(), writable=False)
    handbook = OKFManager(rules, "handbook", "The rules of the bicycle hire.")
    return KnowledgeBuilder([handbook, _notes()]).build(max_chars=max_chars)


def _one_unreachable(max_chars: int | None) -> Functions:
    return KnowledgeBuilder([UnreachableKnowledgeBase("ledger"), _notes()]).build(max_chars=max_chars)


def _read_only(max_chars: int | None) -> Functions:
    return KnowledgeBuilder([_notes(writable=False)]).build(max_chars=max_chars)


def _long(max_chars: int | None) -> Functions:
    log = MemoryKnowledgeBase("log", {"log": "Wind of the year.\n" + _LINE * 2_600})
    return KnowledgeBuilder([log]).build(max_chars=max_chars)


def _database(description: str, records: Mapping[str, str], **roles: str) -> dict[str, Any]:
    kind = f"{MemoryKnowledgeBase.__module__}.{MemoryKnowledgeBase.__name__}"
    return {"type": kind, "description": description, "records": dict(records), **roles}


_CONFIGURATION: Mapping[str, Any] = {
    "okf": {
        "databases": {
            "handbook": {
                "uri": demo_bundle(),
                "description": "The rules of the bicycle hire.",
                "consumer": ["desk", "clerk"],
            }
        }
    },
    "knowledge": {
        "databases": {
            "notes": _database("What the crew has learned.", _NOTES, consumer="clerk", curator="mate"),
            "log": _database("What happened today.", {}, producer="clerk"),
        }
    },
}


def _of_the_desk(max_chars: int | None) -> Functions:
    return kb_tools(_CONFIGURATION, "desk", max_chars=max_chars)


def _of_the_clerk(max_chars: int | None) -> Functions:
    return kb_tools(_CONFIGURATION, "clerk", max_chars=max_chars)


_REFUND = "A full refund: three weeks are within the 30 days. [policies/cancellation]"
_CLOSED = "It stays closed. [docks/north]"

TWO_KNOWLEDGE_BASES = Scenario(
    name="two knowledge bases: schemas, search, fetch, answer",
    question="What does a customer get back three weeks after buying a Season plan, and what of the docks?",
    script=Script(
        calls(ToolCall("get_schemas", {})),
        calls(ToolCall("get_all_kb_descriptions", {})),
        calls(ToolCall("browse_kb", {"backend": "handbook", "path": "policies"})),
        calls(
            ToolCall("search_kb", {"backend": "handbook", "query": "season plan refund", "limit": "2"}),
            ToolCall("read_kb", {"backend": "notes", "query": "north dock"}),
        ),
        calls(ToolCall("fetch_kb", {"backend": "handbook", "ids": "policies/cancellation"})),
        say(_REFUND),
    ),
    expected=(
        Expected(mentions=('"handbook"', '"notes"', '"search_mode": "lexical"', '"writable": true')),
        Expected(mentions=("handbook: The rules of the bicycle hire", "notes: What the crew has learned")),
        Expected(mentions=("[policies/cancellation]", "DEPRECATED"), hides=("north dock",)),
        Expected(mentions=("[policies/cancellation]", "offset=2"), hides=("north dock",)),
        Expected(mentions=("[docks/north]", "stays closed in a storm"), hides=("refund",)),
        Expected(mentions=("**30 days** of purchase", "human-reviewed", "plans/season", "Revision")),
    ),
    answer=_REFUND,
    knowledge=_handbook_and_notes,
)
"""The way through two knowledge bases: a bundle, and one in memory."""

FAILING_KNOWLEDGE_BASE = Scenario(
    name="knowledge base that fails beside one that works",
    question="Is the north dock open in a storm?",
    script=Script(
        calls(ToolCall("get_schemas", {})),
        calls(ToolCall("get_all_kb_descriptions", {})),
        calls(
            ToolCall("search_kb", {"backend": "ledger", "query": "north dock"}),
            ToolCall("search_kb", {"backend": "notes", "query": "north dock"}),
        ),
        say(_CLOSED),
    ),
    expected=(
        Expected(mentions=("'ledger' failed with ConnectionError", '"notes"'), hides=("10.0.0.7", "1234")),
        Expected(mentions=("ledger", "ConnectionError", "the crew"), hides=("10.0.0.7", "1234")),
        Expected(mentions=("ConnectionError", "reference"), hides=("10.0.0.7", "1234")),
        Expected(mentions=("[docks/north]",)),
    ),
    answer=_CLOSED,
    knowledge=_one_unreachable,
)
"""A failing knowledge base is answered with a sentence that keeps its secret; the others work on."""

ROLE = Scenario(
    name="tools and knowledge bases of a role",
    question="What does a customer get back after three weeks?",
    script=Script(
        calls(ToolCall("get_schemas", {})),
        calls(
            ToolCall("search_kb", {"backend": "notes", "query": "refund"}),
            ToolCall("search_kb", {"backend": "handbook", "query": "refund"}),
        ),
        say(_REFUND),
    ),
    expected=(
        Expected(mentions=('"handbook"',), hides=('"notes"',)),
        Expected(mentions=("Unknown backend 'notes'", "Available: 'handbook'")),
        Expected(mentions=("[policies/cancellation]",)),
    ),
    answer=_REFUND,
    knowledge=_of_the_desk,
    withheld=("write_kb",),
)
"""An agent that may read one knowledge base of a configuration sees no other, and has no tool to write."""

WRITE_WITHOUT_ROLE = Scenario(
    name="write without the role",
    question="Note that the south dock opens at six.",
    script=Script(
        calls(ToolCall("write_kb", {"backend": "notes", "text": "The south dock opens at six."})),
        calls(ToolCall("search_kb", {"backend": "notes", "query": "south dock"})),
        say("I may not."),
    ),
    expected=(
        Expected(mentions=("'clerk' has read-only access to 'notes'", "Writes go to 'log'")),
        Expected(mentions=("opens at seven",), hides=("opens at six",)),
    ),
    answer="I may not.",
    knowledge=_of_the_clerk,
)
"""An agent that may write elsewhere is told that it only reads this one, and where it may write."""

WRITE_TO_READ_ONLY = Scenario(
    name="write to a knowledge base that can only be read",
    question="Note that the south dock opens at six.",
    script=Script(
        calls(ToolCall("write_kb", {"backend": "notes", "text": "The south dock opens at six."})),
        calls(ToolCall("fetch_kb", {"backend": "notes", "ids": "docks/south"})),
        say("It takes no notes."),
    ),
    expected=(
        Expected(mentions=('{"error": ', "notes")),
        Expected(mentions=("opens at seven",), hides=("opens at six",)),
    ),
    answer="It takes no notes.",
    knowledge=_read_only,
)
"""What cannot be written to refuses, and is as it was."""

CORRECTION = Scenario(
    name="correction by a curator",
    question="The south dock opens at six now. Correct the note.",
    script=Script(
        calls(ToolCall("search_kb", {"backend": "notes", "query": "south dock"})),
        calls(ToolCall("fetch_kb", {"backend": "notes", "ids": "[docks/south]"})),
        calls(ToolCall("write_kb", {"backend": "notes", "id": "docks/south", "text": "It opens at six."})),
        calls(
            ToolCall(
                "write_kb",
                {
                    "backend": "notes",
                    "id": "docks/south",
                    "revision": "1",
                    "text": "The south dock opens at six.",
                    "source": "the harbour master",
                },
            )
        ),
        calls(ToolCall("fetch_kb", {"backend": "notes", "ids": "docks/south"})),
        say("It says six now. [docks/south]"),
    ),
    expected=(
        Expected(mentions=("[docks/south]", "opens at seven")),
        Expected(mentions=("opens at seven", "revision 1)")),
        Expected(mentions=("has the revision '1'", "read it again")),
        Expected(mentions=("id 'docks/south', revision '2'",)),
        Expected(mentions=("opens at six", "the harbour master", "revision 2)"), hides=("seven",)),
    ),
    answer="It says six now. [docks/south]",
    knowledge=_handbook_and_notes,
)
"""Search, read, and write with the id and the revision that were read; without it nothing is overwritten."""

LISTS_AND_OBJECTS = Scenario(
    name="list of ids and object of filters",
    question="Which rules are there, and what of the docks?",
    script=Script(
        calls(
            ToolCall(
                "search_kb", {"backend": "handbook", "query": "refund", "filters_json": {"type": "Policy"}}
            )
        ),
        calls(ToolCall("fetch_kb", {"backend": "notes", "ids": ["docks/north", "docks/south"]})),
        say("Two docks."),
    ),
    expected=(
        Expected(mentions=("[policies/cancellation]",), hides=("default", "plans/day]")),
        Expected(mentions=("[docks/north]", "[docks/south]")),
    ),
    answer="Two docks.",
    knowledge=_handbook_and_notes,
)
"""What models send in the place of a text that stands for a list or an object."""

LONG_RECORD = Scenario(
    name="record of 200 kB",
    question="What was the wind?",
    script=Script(
        calls(ToolCall("search_kb", {"backend": "log", "query": "wind"})),
        calls(ToolCall("fetch_kb", {"backend": "log", "ids": "log"})),
        calls(ToolCall("fetch_kb", {"backend": "log", "ids": "log", "page": 2})),
        say("Strong."),
    ),
    expected=(
        Expected(mentions=("[log] Wind of the year", "Cut here", "fetch_kb reads it whole")),
        Expected(mentions=("page 1 of", "Wind of the year", "call again with page=2"), hides=("Cut here",)),
        Expected(mentions=("page 2 of", "call again with page=3"), hides=("Cut here", "Wind of the year")),
    ),
    answer="Strong.",
    knowledge=_long,
)
"""A record that no model should get whole: a part in a list, and then page by page."""

KNOWLEDGE: tuple[Scenario, ...] = (
    TWO_KNOWLEDGE_BASES,
    FAILING_KNOWLEDGE_BASE,
    ROLE,
    WRITE_WITHOUT_ROLE,
    WRITE_TO_READ_ONLY,
    CORRECTION,
    LISTS_AND_OBJECTS,
    LONG_RECORD,
)
"""Those over knowledge bases; together they call each of the seven tools."""
