"""Every example runs by itself, offline, in the environment that has its framework."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from environments.table import current, home_of
from tests.docs.pages import ROOT, strict_python

EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))
EXAMPLES_HERE = [name for name in EXAMPLES if home_of(f"examples/{name}") == current()]


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES_HERE)
def test_an_example_runs(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [*strict_python(f"examples/{name}"), str(ROOT / "examples" / name)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "30 days" in done.stdout
