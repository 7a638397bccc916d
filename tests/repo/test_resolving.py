"""A resolution that does not succeed is said, and not taken for a lock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from environments import resolving
from environments.programs import Failure


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands that uv is given; it succeeds only with an output called `good`."""
    commands: list[Sequence[str]] = []

    def call(command: Sequence[str], **_settings: Any) -> int:
        commands.append(command)
        return 0 if "good" in command else 1

    monkeypatch.setattr(resolving, "call", call)
    return commands


def test_a_lock_is_resolved_from_its_inputs_and_the_packages_with_hashes(asked: list[Sequence[str]]) -> None:
    resolving.resolve("uv", "floors-b", "good", [])
    (command,) = asked
    assert {"--generate-hashes", "lowest-direct", "locks/b.in"} <= set(command)
    assert "packages/fingerpost-crewai/pyproject.toml" in command
    assert "packages/fingerpost-mcp/pyproject.toml" not in command


def test_what_cannot_be_resolved_stops_with_a_sentence(asked: list[Sequence[str]]) -> None:
    with pytest.raises(Failure, match=r"locks/a\.in could not be resolved for the environment a\."):
        resolving.resolve("uv", "a", "bad", [])
    assert len(asked) == 1
