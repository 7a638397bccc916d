"""OpenTelemetry's own SDK, with what it collects at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint, InMemoryMetricReader, ResourceMetrics
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


class Telemetry:
    """Providers of traces and metrics, and what they have got."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        self._reader = InMemoryMetricReader()
        self.traces = TracerProvider(shutdown_on_exit=False)
        self.traces.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.metrics = MeterProvider([self._reader], shutdown_on_exit=False)
        self.tracer = self.traces.get_tracer("tests")

    def spans(self) -> dict[str, ReadableSpan]:
        """The spans that have ended, by name; no name may occur twice."""
        ended = self.ended()
        by_name = {span.name: span for span in ended}
        assert len(by_name) == len(ended)
        return by_name

    def ended(self) -> tuple[ReadableSpan, ...]:
        """The spans that have ended, in this order."""
        return self._exporter.get_finished_spans()

    def span(self) -> ReadableSpan:
        """The one span that has ended."""
        (span,) = self.ended()
        return span

    def durations(self) -> list[HistogramDataPoint]:
        """What was measured, one entry for each set of attributes."""
        data = self._reader.get_metrics_data()
        resources: Sequence[ResourceMetrics] = data.resource_metrics if data else []
        found = [
            metric for resource in resources for scope in resource.scope_metrics for metric in scope.metrics
        ]
        assert {(metric.name, metric.unit) for metric in found} <= {("gen_ai.execute_tool.duration", "s")}
        return [
            point
            for metric in found
            for point in metric.data.data_points
            if isinstance(point, HistogramDataPoint)
        ]

    def close(self) -> None:
        """Shut the providers down."""
        self.traces.shutdown()
        self.metrics.shutdown()


def attributes(span: ReadableSpan) -> Mapping[str, Any]:
    """The attributes of a span, none if it has none."""
    return dict(span.attributes or {})
