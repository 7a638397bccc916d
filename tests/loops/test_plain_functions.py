"""Plain functions come out, in every framework that takes them, as the documentation says."""

from __future__ import annotations

import pytest

from tests.loops.playing import BY_NAME
from tests.loops.present import LOOPS
from tests.loops.recorded import problem


@pytest.mark.parametrize("scenario", BY_NAME)
@pytest.mark.parametrize("name", [name for name, driver in LOOPS.items() if driver.plain is not None])
def test_a_scenario_with_plain_functions(name: str, scenario: str) -> None:
    assert problem("plain", name, scenario) == ""
