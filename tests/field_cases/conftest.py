from __future__ import annotations

from pathlib import Path

import pytest

from tests.core.cli.shell import environment, write_plug_in


@pytest.fixture
def server_environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a process in which the command `fingerpost mcp` is installed."""
    site = tmp_path / "site"
    write_plug_in(site, "fingerpost-mcp", {"mcp": "fingerpost_mcp.command:command"}, {})
    return environment(PYTHONPATH=f"{site}:{environment()['PYTHONPATH']}")
