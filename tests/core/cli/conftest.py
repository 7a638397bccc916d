from __future__ import annotations

import pytest

from fingerpost.cli.main import main
from tests.core.cli.shell import Outcome, Shell


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wish for or against colour."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def shell(capsys: pytest.CaptureFixture[str]) -> Shell:
    """Run a command in this process."""

    def run(*words: str) -> Outcome:
        capsys.readouterr()
        code = main(words)
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run
