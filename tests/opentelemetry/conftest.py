from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fingerpost_opentelemetry import instrument
from tests.opentelemetry.collecting import Telemetry


@pytest.fixture
def telemetry(monkeypatch: pytest.MonkeyPatch) -> Iterator[Telemetry]:
    """An SDK that collects in memory."""
    monkeypatch.delenv("OTEL_SDK_DISABLED", raising=False)  # set for frameworks that would call their makers
    made = Telemetry()
    yield made
    made.close()


@pytest.fixture
def instrumented(telemetry: Telemetry) -> Iterator[Callable[..., None]]:
    """Instruments the tool calls of a test."""
    endings: list[Callable[[], None]] = []

    def start(**options: Any) -> None:
        endings.append(instrument(telemetry.traces, meter_provider=telemetry.metrics, **options))

    yield start
    for end in endings:
        end()
