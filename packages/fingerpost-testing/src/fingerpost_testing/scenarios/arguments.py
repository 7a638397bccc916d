"""Bad arguments: what models really send instead of proper ones, one scenario each."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fingerpost_testing.scenarios.base import Expected, Scenario
from fingerpost_testing.scenarios.probe import DEFAULTS, find_passages
from fingerpost_testing.script import Script, ToolCall, calls, say


def _bad_arguments(
    name: str, arguments: Mapping[str, object] | str, expected: Expected, tool: str = ""
) -> Scenario:
    script = Script(calls(ToolCall(tool or "find_passages", arguments)), say("Done."))
    return Scenario(name, "Find the passages.", script, (expected,), "Done.", functions=(find_passages,))


def _reaches(*mentions: str, **received: object) -> Expected:
    return Expected({**DEFAULTS, **received}, mentions)


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
