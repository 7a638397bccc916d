"""Tools as frameworks bind them: the field cases 70, 71, 72 and 78, each with its smallest input."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable
from typing import Any, Literal

import mcp
import pytest
from langchain_core.utils.function_calling import convert_to_openai_tool

import fingerpost_langchain
import fingerpost_mcp
from fingerpost import ConfigError, OKFTools, Tool, demo_bundle
from fingerpost_testing import Script, ToolCall, calls, run_loop, say
from tests.field_cases.adapters import WAYS
from tests.langchain.playing import AGENTS, Agent, agent_id

DEMO = OKFTools(demo_bundle())

GOLDEN: dict[str, dict[str, Any]] = {
    "kb_index": {
        "required": [],
        "path": {"type": "string", "default": "/"},
        "page": {"type": "integer", "default": 1},
    },
    "kb_read": {
        "required": ["concept_id"],
        "concept_id": {"type": "string"},
        "section": {"type": "string", "default": ""},
        "page": {"type": "integer", "default": 1},
    },
    "kb_find": {
        "required": [],
        "text": {"type": "string"},
        "type": {"type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "include_deprecated": {"type": "boolean", "default": False},
        "limit": {"type": "integer", "default": 20},
        "offset": {"type": "integer", "default": 0},
    },
    "postponed": {
        "required": ["words"],
        "words": {"type": "string"},
        "near": {"type": "array", "items": {"type": "string"}},
        "depth": {"type": "integer"},
    },
    "function": {"required": ["word"], "word": {}},
}
DESCRIBED = {"kb_index", "kb_read", "kb_find"}


def postponed(words: str, near: list[str] | None = None, depth: int | None = None) -> str:
    """Look up, with annotations that are texts until somebody resolves them."""
    return f"{words} {near} {depth}"


bracket: Callable[[str], str] = lambda word: f"<{word}>"  # noqa: E731 - a lambda is what is tried
EVERYTHING: list[Callable[..., object]] = [*DEMO.functions(), postponed, bracket]


def shapes(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema in the form of the golden ones: no descriptions."""
    properties: dict[str, dict[str, Any]] = schema["properties"]
    bare = {
        name: {
            key: value for key, value in member.items() if key not in ("description", "minimum", "maximum")
        }
        for name, member in properties.items()
    }
    return {"required": schema["required"], **bare}


def offered_by_mcp(functions: list[Callable[..., object]]) -> dict[str, tuple[str, dict[str, Any]]]:
    async def ask() -> dict[str, tuple[str, dict[str, Any]]]:
        async with mcp.Client(fingerpost_mcp.bind(functions)) as client:
            listed = (await client.list_tools()).tools
            return {tool.name: (tool.description or "", tool.input_schema) for tool in listed}

    return asyncio.run(ask())


def offered_on_the_wire(agent: Agent | None, functions: list[Callable[..., object]]) -> dict[str, Any]:
    """What a model server is offered, by an agent of LangChain or by the loop without a framework."""
    script = Script(say("Done."))
    if agent is None:
        transcript = run_loop(functions, script, "Go.")
    else:
        transcript = agent.play(script, fingerpost_langchain.bind(functions)).transcript
    return {tool.name: (tool.description, dict(tool.schema)) for tool in transcript.tools}


def test_the_golden_schemas_are_those_of_the_core() -> None:
    """Row 70."""
    assert {Tool.of(item).name: shapes(Tool.of(item).schema) for item in EVERYTHING} == GOLDEN


@pytest.mark.parametrize("agent", [None, *AGENTS], ids=lambda agent: agent_id(agent) if agent else "loop")
def test_every_agent_offers_a_model_the_same_names_required_lists_and_descriptions(
    agent: Agent | None,
) -> None:
    """Row 70."""
    offered = offered_on_the_wire(agent, EVERYTHING)
    tools = [Tool.of(item) for item in EVERYTHING]
    assert offered == {tool.name: (tool.description, tool.schema) for tool in tools}
    assert {name: shapes(schema) for name, (_, schema) in offered.items()} == GOLDEN
    for name in DESCRIBED:
        assert all(member["description"] for member in offered[name][1]["properties"].values())


def test_an_mcp_client_is_offered_the_same() -> None:
    """Row 70."""
    tools = [Tool.of(item) for item in EVERYTHING]
    assert offered_by_mcp(EVERYTHING) == {tool.name: (tool.description, tool.schema) for tool in tools}


def badly_documented(options: dict[str, Any], more: dict[str, int] | None = None) -> str:
    """Take anything.

    Args
        options - what to do
       :param more
          Args:
        options
    """
    return json.dumps({"options": options, "more": more})


def undocumented(options, more=None):  # type: ignore[no-untyped-def]
    return f"{options} {more}"


ODD: list[Callable[..., object]] = [*DEMO.functions(), badly_documented, undocumented]


def test_all_tools_bind_in_strict_mode_also_one_with_free_objects_and_a_bad_docstring() -> None:
    """Row 71."""
    natives = fingerpost_langchain.bind(ODD)
    strict = {native.name: convert_to_openai_tool(native, strict=True)["function"] for native in natives}
    assert list(strict) == ["kb_index", "kb_read", "kb_find", "badly_documented", "undocumented"]
    for function in strict.values():
        parameters = function["parameters"]
        assert function["strict"] is True
        assert parameters["additionalProperties"] is False
        assert parameters["required"] == list(parameters["properties"])
    assert list(offered_by_mcp(ODD)) == list(strict)
    assert sorted(offered_on_the_wire(None, ODD)) == sorted(strict)
    assert (
        WAYS["langchain"](badly_documented, {"options": {"a": [1]}})
        == '{"options": {"a": [1]}, "more": null}'
    )


COUNTS = {"include_deprecated": False, "limit": 20, "offset": 0}
OMITTED: list[tuple[Callable[..., object], dict[str, Any], dict[str, Any]]] = [
    (DEMO.kb_index, {}, {"path": "/", "page": 1}),
    (DEMO.kb_read, {"concept_id": "policies/damage"}, {"section": "", "page": 1}),
    (
        DEMO.kb_find,
        {"text": "refund"},
        {"type": "", "tags": [], **COUNTS},
    ),
    (DEMO.kb_find, {"type": "Policy"}, {"text": "", "tags": [], **COUNTS}),
    (DEMO.kb_find, {}, {"text": "", "type": "", "tags": [], **COUNTS}),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("function", "given", "defaults"), OMITTED)
def test_strict_mode_which_sends_every_argument_gets_the_answer_of_those_left_out(
    function: Callable[..., object], given: dict[str, Any], defaults: dict[str, Any], way: str
) -> None:
    """Row 71."""
    assert WAYS[way](function, {**given, **defaults}) == Tool.of(function).call(given).text


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("function", "given", "defaults"), OMITTED)
def test_null_for_every_optional_argument_is_the_same_as_leaving_it_out(
    function: Callable[..., object], given: dict[str, Any], defaults: dict[str, Any], way: str
) -> None:
    """Row 72."""
    answer = WAYS[way](function, {**given, **dict.fromkeys(defaults)})
    assert answer == Tool.of(function).call(given).text
    assert '"error"' not in answer
    assert '"notes"' not in answer


@pytest.mark.parametrize("agent", [None, *AGENTS], ids=lambda agent: agent_id(agent) if agent else "loop")
def test_nulls_that_a_model_sends_over_the_wire_are_left_out(agent: Agent | None) -> None:
    """Row 72."""
    sent = [ToolCall(Tool.of(f).name, {**given, **dict.fromkeys(defaults)}) for f, given, defaults in OMITTED]
    script = Script(calls(*sent), say("Done."))
    transcript = (
        run_loop(DEMO.functions(), script, "Go.")
        if agent is None
        else agent.play(script, fingerpost_langchain.bind(DEMO.functions())).transcript
    )
    assert transcript.tool_results == tuple(Tool.of(f).call(given).text for f, given, _ in OMITTED)


def optional(
    words: str = "w",
    depth: int = 3,
    share: float = 0.5,
    exact: bool = True,
    kind: Literal["a", "b"] = "b",
    near: list[str] | None = None,
    sizes: dict[str, int] | None = None,
    rest: Any = "anything",
) -> str:
    """Answer what arrives, with a parameter of every kind that can be left out."""
    return json.dumps([words, depth, share, exact, kind, near, sizes, rest])


OPTIONAL = tuple(inspect.signature(optional).parameters)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("names", [OPTIONAL, *((name,) for name in OPTIONAL)], ids="-".join)
def test_null_for_a_parameter_of_any_kind_is_its_default(names: tuple[str, ...], way: str) -> None:
    """Row 72."""
    assert WAYS[way](optional, dict.fromkeys(names)) == optional()


@pytest.mark.parametrize("way", WAYS)
def test_null_for_what_has_to_be_sent_is_named_as_missing(way: str) -> None:
    """Row 72."""
    assert json.loads(WAYS[way](DEMO.kb_read, {"concept_id": None})) == {
        "error": 'The argument "concept_id" is missing; send one JSON object such as {"concept_id": "text"}.'
    }


BAD_PREFIXES = {"متجر ": "kb_index", "x" * 70: "x" * 64, "a.b": "a_bkb_index"}


@pytest.mark.parametrize("prefix", BAD_PREFIXES)
def test_a_prefix_that_some_model_api_refuses_is_refused_when_the_tools_are_built(prefix: str) -> None:
    """Row 78."""
    for build in (OKFTools, fingerpost_langchain.okf_tools, fingerpost_mcp.okf_tools):
        with pytest.raises(ConfigError) as caught:
            build(demo_bundle(), prefix=prefix)
        said = str(caught.value)
        assert "use 1 to 64 of a-z, 0-9 and _, no digit first, and no word of Python" in said
        assert said.endswith(f'such as "{BAD_PREFIXES[prefix]}".')


def test_the_same_prefix_twice_is_refused_in_every_framework() -> None:
    """Row 78."""
    twice = [function for _ in range(2) for function in OKFTools(demo_bundle(), prefix="shop_").functions()]
    builds: list[Callable[[list[Callable[..., str]]], object]] = [
        fingerpost_langchain.bind,
        fingerpost_mcp.bind,
        lambda functions: run_loop(functions, Script(say("Done.")), "Go."),
    ]
    for build in builds:
        with pytest.raises(ConfigError, match=r'named "shop_kb_index".*prefix="second_"'):
            build(twice)
