"""Tool calls as spans and durations, with the names of OpenTelemetry's conventions for generative AI."""

from __future__ import annotations

import json
from collections.abc import Callable

from fingerpost import Tool, __version__
from fingerpost.errors import missing_package
from fingerpost.tools import Call, around_call

try:
    from opentelemetry import context, metrics, trace
    from opentelemetry.trace import Span, SpanKind, StatusCode
except ImportError as cause:
    raise missing_package("the OpenTelemetry instrumentation", "opentelemetry") from cause

_SCOPE = "fingerpost_opentelemetry"
_SECONDS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
_ANSWERED_ERROR = "tool_error"  # the type of an error that a function answered without raising


def instrument(
    tracer_provider: trace.TracerProvider | None = None,
    *,
    meter_provider: metrics.MeterProvider | None = None,
    content: bool = False,
) -> Callable[[], None]:
    """Make a span of every tool call of this process, and measure how long each takes.

    A span is a child of the one that is current where the tool is called; spans that the tool makes are its
    children. It has the tool's name and description, how the call ended and the size of the answer. It has
    no text that a model, a user or a knowledge base wrote, unless `content` is set.

    Args:
        tracer_provider: Makes the spans; by default the global one, which may be set later.
        meter_provider: Takes the durations; by default the global one, which may be set later.
        content: Whether spans also have the arguments, the answers and the sentences of errors.

    Returns:
        A function that ends it; calls under way still get their spans.
    """
    tracer = trace.get_tracer(_SCOPE, __version__, tracer_provider)
    durations = metrics.get_meter(_SCOPE, __version__, meter_provider).create_histogram(
        "gen_ai.execute_tool.duration",
        unit="s",
        description="The duration of a single tool execution.",
        explicit_bucket_boundaries_advisory=_SECONDS,
    )

    def begin(tool: Tool) -> Callable[[Call], None]:
        names = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": tool.name,
            "gen_ai.tool.type": "function",
        }
        described = {**names, "gen_ai.tool.description": tool.description}
        span = tracer.start_span(f"execute_tool {tool.name}", kind=SpanKind.INTERNAL, attributes=described)
        token = context.attach(trace.set_span_in_context(span))

        def end(call: Call) -> None:
            outcome = {"error.type": call.exception or _ANSWERED_ERROR} if call.is_error else {}
            try:
                durations.record(call.duration, {**names, **outcome})
                span.set_attributes(outcome)
                if span.is_recording():
                    _describe(span, call, content)
            finally:
                span.end()
                context.detach(token)

        return end

    return around_call(begin)


def _describe(span: Span, call: Call, content: bool) -> None:
    """Put on a span how its call ended and, where that is wanted, what was said."""
    if call.is_error:
        span.set_status(StatusCode.ERROR, call.error if content else None)
    if call.result is not None:
        span.set_attribute("fingerpost.result.size", call.result_size)
    if content:
        span.set_attribute("gen_ai.tool.call.arguments", _text(call.arguments))
        if call.result is not None:
            span.set_attribute("gen_ai.tool.call.result", call.result.text)


def _text(arguments: object) -> str:
    """Arguments as JSON; a text that could not be read stays as it was sent, but for what is no Unicode."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, default=str)
    return text.encode("utf-8", "replace").decode("utf-8")
