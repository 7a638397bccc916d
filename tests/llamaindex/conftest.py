from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """LlamaIndex looks at every field of an agent, also at those that pydantic warns of, and warns itself."""
    its_own = [
        "ignore::DeprecationWarning:inspect",
        "ignore:is_running called from within a step:DeprecationWarning",
    ]
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.filterwarnings(*its_own))
