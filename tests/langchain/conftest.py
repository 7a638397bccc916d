from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def nothing_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A developer's own tracing settings must not make a test talk to anybody."""
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "false")
