"""A tool of Fingerpost becomes a LlamaIndex tool without losing or adding anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Optional

import pytest
from llama_index.core.agent.workflow import ReActAgent
from llama_index.core.llms import MockLLM
from llama_index.core.tools import FunctionTool, ToolOutput, calling
from llama_index.core.workflow import Context

from fingerpost import ConfigError, Tool, ToolContext, demo_bundle, tool
from fingerpost_llamaindex import bind, okf_tools
from fingerpost_testing.scenarios import find_passages


def called(native: FunctionTool, arguments: dict[str, Any]) -> ToolOutput:
    """Call a tool as an agent does, in both ways."""
    output = native.call(**arguments)
    again = asyncio.run(native.acall(**arguments))
    assert output.model_dump() == again.model_dump()
    return output


def schema(native: FunctionTool) -> dict[str, Any]:
    """The schema that a model is shown."""
    metadata: Any = native.metadata
    return metadata.get_parameters_dict()


def add(first: int, second: int = 1) -> str:
    """Add two numbers.

    Args:
        first: A number.
        second: Another one.
    """
    return str(first + second)


def test_the_model_is_shown_the_description_and_the_schema_of_the_core() -> None:
    (native,) = bind([find_passages])
    core = Tool.of(find_passages)
    assert native.metadata.to_openai_tool() == {
        "type": "function",
        "function": {"name": "find_passages", "description": core.description, "parameters": core.schema},
    }
    assert json.loads(native.metadata.fn_schema_str) == core.schema


def test_what_a_model_class_does_to_the_schema_stays_with_it() -> None:
    core = Tool.of(add)
    (native,) = bind([core])
    schema(native)["properties"].clear()
    assert list(core.schema["properties"]) == ["first", "second"]
    assert list(schema(native)["properties"]) == ["first", "second"]


def test_the_descriptions_of_the_tools_over_a_bundle_are_as_short_as_llamaindex_wants_them() -> None:
    shown = [native.metadata.to_openai_tool() for native in okf_tools(demo_bundle())]  # raises when too long
    assert [each["function"]["name"] for each in shown] == ["kb_index", "kb_read", "kb_find"]


def test_a_lambda_a_guarded_function_and_a_tool_are_bound_in_the_order_given() -> None:
    guarded = tool(add, name="sum_up")
    bracket: Callable[[str], str] = lambda word: f"<{word}>"  # noqa: E731
    tools = bind([bracket, guarded, Tool.of(find_passages)])
    assert [native.metadata.name for native in tools] == ["function", "sum_up", "find_passages"]
    assert called(tools[0], {"word": "x"}).content == "<x>"
    assert called(tools[1], {"first": 2.0, "second": "3"}).content == "5"


def test_a_method_and_a_coroutine_function_are_bound() -> None:
    class Shelf:
        def count(self, kind: str = "all") -> int:
            """Count the books."""
            return len(kind)

    async def wait(turns: int) -> str:
        """Wait for some turns of the loop."""
        for _ in range(turns):
            await asyncio.sleep(0)
        return f"waited {turns}"

    count, waiting = bind([Shelf().count, wait])
    assert called(count, {}).content == "3"
    assert called(waiting, {"turns": "4"}).content == "waited 4"


def test_a_prefix_tells_two_bundles_apart() -> None:
    names = [native.metadata.name for native in okf_tools(demo_bundle(), prefix="support_")]
    assert names == ["support_kb_index", "support_kb_read", "support_kb_find"]


def test_a_prefix_that_no_model_takes_is_refused_when_the_tools_are_made() -> None:
    with pytest.raises(ConfigError, match=r"my\.kb_index"):
        okf_tools(demo_bundle(), prefix="my.")


def test_the_raw_output_is_the_result_as_data() -> None:
    read = okf_tools(demo_bundle())[1]
    output = called(read, {"concept_id": "/policies/cancellation-2024.md"})
    assert output.raw_output["id"] == "policies/cancellation-2024"
    assert (output.raw_output["status"], output.raw_output["trust"]) == ("deprecated", "human-reviewed")
    assert json.loads(output.content) == output.raw_output
    assert output.raw_input == {"kwargs": {"concept_id": "/policies/cancellation-2024.md"}}
    assert (output.tool_name, output.is_error) == ("kb_read", False)


def test_an_error_is_flagged_and_raises_nothing() -> None:
    def fail(reason: str) -> str:
        """Fail."""
        raise ValueError(reason)

    for native, arguments, mention in (
        (bind([fail])[0], {"reason": "secret"}, "ValueError"),
        (bind([add])[0], {"second": 1}, '\\"first\\" is missing'),
        (okf_tools(demo_bundle())[1], {"concept_id": "policies/cancelation"}, "policies/cancellation"),
    ):
        output = called(native, arguments)
        assert output.is_error
        assert mention in output.content
        assert "secret" not in output.content


@pytest.mark.parametrize("name", ["self", "args", "kwargs", "ctx", "input", "tool_input", "call"])
def test_an_argument_with_a_name_that_llamaindex_uses_is_ignored_with_a_note(name: str) -> None:
    output = called(bind([add])[0], {"first": 1, name: 7})
    assert output.content.startswith("2\n")
    assert f'"{name}"' in output.content


def test_a_parameter_with_a_name_that_llamaindex_uses_gets_what_the_model_sent() -> None:
    def describe(ctx: str, args: int = 0, kwargs: Optional[str] = None, input: str = "none") -> str:  # noqa: A002
        """Describe a thing."""
        return f"{ctx} {args} {kwargs} {input}"

    (native,) = bind([describe])
    assert list(schema(native)["properties"]) == ["ctx", "args", "kwargs", "input"]
    assert called(native, {"ctx": "a", "args": "2", "kwargs": "b", "input": "c"}).content == "a 2 b c"


def test_a_tool_is_called_like_a_function_by_name_or_by_position() -> None:
    (native,) = bind([add])
    outputs = [native(first=1), native(1), native(1, "2"), native(1, second=3)]
    assert [str(output) for output in outputs] == ["2", "2", "3", "4"]


def test_a_tool_with_one_parameter_gets_it_from_llamaindexs_own_callers() -> None:
    def shout(text: str) -> str:
        """Say it loudly."""
        return text.upper()

    (native,) = bind([shout])
    callers: Any = calling
    assert callers.call_tool(native, {"text": "hi"}).content == "HI"
    assert asyncio.run(callers.acall_tool(native, {"text": "hi"})).content == "HI"


def test_the_function_of_a_tool_is_the_guarded_one() -> None:
    async def awaited() -> str:
        return await native.async_fn(first=1)

    (native,) = bind([add])
    answers = [native.fn(1, "2"), native.real_fn("1", second=3), asyncio.run(awaited())]
    assert answers == ["3", "4", "2"]
    assert (native.fn.__name__, native.fn.__doc__) == ("add", "Add two numbers.")


@pytest.mark.skipif(not hasattr(calling, "_function_tool_accepts_kwargs"), reason="older releases do not ask")
@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"raw": '{"text": "hi"}'}, "HI"),
        ({"arguments": {"text": "hi"}}, "HI"),
        ({"words": "hi"}, '"words" is no argument of this tool'),
    ],
)
def test_a_name_that_a_model_made_up_reaches_the_core_from_llamaindexs_own_callers(
    arguments: dict[str, Any], answer: str
) -> None:
    def shout(text: str) -> str:
        """Say it loudly."""
        return text.upper()

    (native,) = bind([shout])
    callers: Any = calling
    outputs = [callers.call_tool(native, arguments), asyncio.run(callers.acall_tool(native, arguments))]
    assert all(answer in json.dumps(output.raw_output).replace("\\", "") for output in outputs)


def whose(context: ToolContext, word: str = "") -> str:
    """Say whose data this is."""
    return f"{word}{sorted(context)}"


@pytest.mark.parametrize("function", [whose, add])
def test_a_model_cannot_set_the_context(function: Callable[..., Any]) -> None:
    (native,) = bind([function])
    for value in ("EVIL", {"ctx": "EVIL"}, None, ["EVIL"]):
        sent = (
            {"first": 1, "llama_index.Context": value} if function is add else {"llama_index.Context": value}
        )
        output = called(native, sent)
        assert output.content.splitlines()[0] == ("2" if function is add else "[]")
        assert '"llama_index.Context"; it was ignored.' in output.content
        assert output.raw_input == {"kwargs": sent}


def test_the_context_of_a_workflow_is_taken_and_shown_to_nobody() -> None:
    (native,) = bind([whose])
    context: Any = Context(ReActAgent(llm=MockLLM()))
    output = called(native, {"word": "x", "llama_index.Context": context})
    assert output.content == "x['ctx']"
    assert output.raw_input == {"kwargs": {"word": "x"}}


def test_a_function_that_asks_for_the_workflows_context_itself_is_refused() -> None:
    def remember(ctx: Context, word: str) -> str:
        """Remember a word."""
        return word

    with pytest.raises(ConfigError, match="is filled by a framework \\(Context\\)"):
        bind([remember])
