"""Tool calls as spans and durations, in OpenTelemetry's own SDK."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode

from fingerpost import OKFTools, ToolResult, demo_bundle
from fingerpost.tools import Tool, tool
from fingerpost_opentelemetry import instrument
from tests.opentelemetry.collecting import Telemetry, attributes

Instrumented = Callable[..., None]
SECRET = "swordfish"


def look_up(word: str) -> str:
    """Look a word up."""
    with trace.get_tracer("tests").start_as_current_span("the database"):
        return f"{word} is a password."


async def look_up_later(word: str) -> str:
    """Look a word up, later."""
    await asyncio.sleep(0)
    return look_up(word)


def fail(word: str) -> str:
    """Fail."""
    raise ValueError(word)


def refuse(word: str) -> ToolResult:
    """Answer an error without raising."""
    return ToolResult({"error": f"Nobody knows {word}."}, is_error=True)


def interrupt(word: str) -> str:
    """Be interrupted."""
    raise KeyboardInterrupt(word)


def acall(function: Callable[..., Any], word: str) -> ToolResult:
    return asyncio.run(Tool.of(function).acall({"word": word}))


def call(function: Callable[..., Any], word: str) -> ToolResult:
    return Tool.of(function).call({"word": word})


def test_a_call_is_a_span_with_the_names_of_the_conventions(
    telemetry: Telemetry, instrumented: Instrumented
) -> None:
    instrumented()
    call(look_up, SECRET)
    span = telemetry.span()
    assert (span.name, span.kind) == ("execute_tool look_up", SpanKind.INTERNAL)
    assert span.status.status_code is StatusCode.UNSET
    assert attributes(span) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look_up",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.description": "Look a word up.",
        "fingerpost.result.size": len(f"{SECRET} is a password."),
    }
    scope = span.instrumentation_scope
    assert scope is not None
    assert (scope.name, scope.version) == ("fingerpost_opentelemetry", "0.1.0")


@pytest.mark.parametrize("start", [call, acall])
@pytest.mark.parametrize("function", [look_up, look_up_later])
def test_spans_nest_as_calls_do(
    start: Callable[[Callable[..., Any], str], ToolResult],
    function: Callable[..., Any],
    telemetry: Telemetry,
    instrumented: Instrumented,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trace, "get_tracer", telemetry.traces.get_tracer)
    instrumented()
    with telemetry.tracer.start_as_current_span("the agent"):
        assert start(function, "x").text == "x is a password."
        current = trace.get_current_span()
    spans = telemetry.spans()
    agent, called, inner = (
        spans[name] for name in ("the agent", f"execute_tool {function.__name__}", "the database")
    )
    assert (inner.parent, called.parent, agent.parent) == (called.context, agent.context, None)
    assert current.get_span_context() == agent.context
    assert trace.get_current_span() is trace.INVALID_SPAN


def test_a_tool_within_a_tool_is_a_span_within_a_span(
    telemetry: Telemetry, instrumented: Instrumented
) -> None:
    def ask_an_expert(word: str) -> str:
        """Ask an agent, which has tools of its own."""
        return acall(look_up_later, word).text + tool(look_up)(word)

    instrumented()
    acall(ask_an_expert, "x")
    spans = telemetry.spans()
    outer = spans["execute_tool ask_an_expert"]
    parents = {name: span.parent for name, span in spans.items() if span is not outer}
    assert parents == {"execute_tool look_up_later": outer.context, "execute_tool look_up": outer.context}


def test_parallel_calls_are_siblings(telemetry: Telemetry, instrumented: Instrumented) -> None:
    async def run() -> None:
        names = ("one", "two", "three")
        calls = [Tool.of(tool(look_up_later, name=name)).acall({"word": "x"}) for name in names]
        with telemetry.tracer.start_as_current_span("the agent"):
            await asyncio.gather(*calls)

    instrumented()
    asyncio.run(run())
    spans = telemetry.spans()
    agent = spans.pop("the agent")
    assert [span.parent for span in spans.values()] == [agent.context] * 3


@pytest.mark.parametrize(
    ("function", "error_type", "sentence"),
    [
        (fail, "ValueError", 'The tool "fail" failed with ValueError; '),
        (refuse, "tool_error", f"Nobody knows {SECRET}."),
        (interrupt, "KeyboardInterrupt", "The call was ended by KeyboardInterrupt."),
    ],
)
@pytest.mark.parametrize("content", [False, True])
def test_an_error_has_its_type_and_only_with_content_its_sentence(
    function: Callable[..., Any],
    error_type: str,
    sentence: str,
    content: bool,
    telemetry: Telemetry,
    instrumented: Instrumented,
    caplog: pytest.LogCaptureFixture,
) -> None:
    instrumented(content=content)
    if function is interrupt:
        with pytest.raises(KeyboardInterrupt):
            call(function, SECRET)
    else:
        call(function, SECRET)
    span = telemetry.span()
    assert span.status.status_code is StatusCode.ERROR
    assert attributes(span)["error.type"] == error_type
    assert (span.status.description or "").startswith(sentence if content else "")
    assert bool(span.status.description) is content
    assert ("fingerpost.result.size" in attributes(span)) is (function is not interrupt)
    assert (SECRET in span.to_json()) is content
    assert "observer" not in caplog.text


def test_nothing_that_was_said_is_on_a_span_unless_it_is_asked_for(
    telemetry: Telemetry, instrumented: Instrumented
) -> None:
    instrumented()
    call(look_up, SECRET)
    Tool.of(look_up).call(f"{{broken {SECRET}")
    assert [SECRET in json.dumps(attributes(span)) for span in telemetry.ended()] == [False, False]


@pytest.mark.parametrize(
    ("sent", "recorded"),
    [
        ({"word": 7}, '{"word": "7"}'),
        ({"word": "Zürich"}, '{"word": "Zürich"}'),
        ("{broken", "{broken"),
        ("[\ud800]", "[?]"),
        ({"wort": {1}}, '{"wort": "{1}"}'),
    ],
)
def test_content_is_the_arguments_and_the_answer(
    sent: Any, recorded: str, telemetry: Telemetry, instrumented: Instrumented
) -> None:
    instrumented(content=True)
    answer = Tool.of(look_up).call(sent)
    found = attributes(telemetry.span())
    assert found["gen_ai.tool.call.arguments"] == recorded
    assert found["gen_ai.tool.call.result"] == answer.text


def test_arguments_that_no_json_can_hold_cost_no_span_its_end(
    telemetry: Telemetry, instrumented: Instrumented
) -> None:
    instrumented(content=True)
    assert Tool.of(look_up).call({("a", "b"): 1}).is_error  # type: ignore[dict-item]
    assert attributes(telemetry.span())["error.type"] == "ArgumentError"
    assert trace.get_current_span() is trace.INVALID_SPAN


def test_durations_are_measured_by_tool_and_kind_of_error(
    telemetry: Telemetry, instrumented: Instrumented
) -> None:
    instrumented()
    call(look_up, "x")
    call(look_up, "y")
    call(fail, "z")
    common = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "function"}
    points = telemetry.durations()
    assert [(dict(point.attributes or {}), point.count) for point in points] == [
        ({**common, "gen_ai.tool.name": "look_up"}, 2),
        ({**common, "gen_ai.tool.name": "fail", "error.type": "ValueError"}, 1),
    ]
    assert all(0 < point.sum < 10 for point in points)
    assert list(points[0].explicit_bounds)[:2] == [0.01, 0.02]
    assert points[0].exemplars
    traced = [span.context.span_id for span in telemetry.ended() if span.context]
    assert points[0].exemplars[-1].span_id in traced


def test_spans_that_nobody_records_cost_no_content(caplog: pytest.LogCaptureFixture) -> None:
    class Unwritten:
        def __str__(self) -> str:
            raise AssertionError("It was written.")

    end = instrument(trace.NoOpTracerProvider(), content=True)
    Tool.of(look_up).call({"wort": Unwritten()})
    end()
    assert caplog.records == []


def test_the_tools_over_a_bundle_are_spans_too(telemetry: Telemetry, instrumented: Instrumented) -> None:
    kb = OKFTools(demo_bundle())
    instrumented()
    kb.kb_read("policies/cancelation")
    span = telemetry.span()
    assert (span.name, attributes(span)["error.type"]) == ("execute_tool kb_read", "tool_error")


def test_it_ends_when_it_is_told_so(telemetry: Telemetry) -> None:
    end = instrument(telemetry.traces, meter_provider=telemetry.metrics)
    call(look_up, "x")
    end()
    end()
    call(look_up, "x")
    assert len(telemetry.ended()) == 1


def test_a_provider_that_is_set_later_gets_the_spans_of_the_global_one(
    telemetry: Telemetry, monkeypatch: pytest.MonkeyPatch
) -> None:
    end = instrument()
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", telemetry.traces)
    call(refuse, "x")
    end()
    assert telemetry.span().name == "execute_tool refuse"
