"""The Python of every page runs and prints what the page says, where the page's framework is installed."""

from __future__ import annotations

import subprocess

import pytest

from environments.table import current, home_of
from tests.docs.pages import PAGES, ROOT, blocks_of, settings_for, strict_python

PAGES_HERE = [
    page
    for page in PAGES
    if home_of(page) == current() and any(block.language == "python" for block in blocks_of(page))
]


@pytest.mark.parametrize("page", PAGES_HERE)
def test_the_python_on_a_page_runs_and_prints_what_the_page_says(page: str) -> None:
    program = [*strict_python(page), str(ROOT / "tests/docs/blocks.py"), str(ROOT / page)]
    settings = settings_for(page)
    outcome = subprocess.run(program, capture_output=True, text=True, timeout=120, check=False, env=settings)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
