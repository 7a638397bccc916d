from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.loops.drivers.crewai import FOLDER  # first of all: it tells CrewAI what to leave alone

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """CrewAI warns of fields of its own that it reads."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning:crewai"))


@pytest.fixture(autouse=True)
def nothing_is_stored_elsewhere() -> None:
    """CrewAI keeps what it stores in a folder of the tests."""
    assert os.environ["CREWAI_STORAGE_DIR"] == FOLDER.name
