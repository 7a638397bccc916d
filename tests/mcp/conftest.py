from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fingerpost.cli.main import main
from tests.core.cli.shell import Outcome, Shell, environment, write_plug_in


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of packages in which the command is installed."""
    write_plug_in(tmp_path / "site", "fingerpost-mcp", {"mcp": "fingerpost_mcp.command:command"}, {})
    return tmp_path / "site"


@pytest.fixture
def variables(site: Path) -> dict[str, str]:
    """The environment of a process in which the command is installed."""
    return environment(PYTHONPATH=f"{site}:{environment()['PYTHONPATH']}")


@pytest.fixture
def shell(site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """Run `fingerpost mcp` in this process, for what does not get as far as serving."""
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])

    def run(*words: str) -> Outcome:
        capsys.readouterr()
        code = main(["mcp", *words])
        printed = capsys.readouterr()
        return Outcome(code, printed.out, printed.err)

    return run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder; the current folder is a project in it."""
    (tmp_path / "home" / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(tmp_path / "home" / "project")
    monkeypatch.setattr("sys.stdin", None)
    return tmp_path / "home"
