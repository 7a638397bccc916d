"""Every scenario comes out in every framework as the documentation says, and what differs is explained."""

from __future__ import annotations

import pytest

from tests.loops.differences import DIFFERENCES, Difference
from tests.loops.playing import BY_NAME
from tests.loops.present import DRIVERS, FRAMEWORKS
from tests.loops.recorded import PAGE, page, problem, read

RECORDED = read()


@pytest.mark.parametrize("scenario", BY_NAME)
@pytest.mark.parametrize("name", DRIVERS)
def test_a_scenario_with_the_adapter(name: str, scenario: str) -> None:
    assert problem("adapter", name, scenario) == ""


def test_the_page_is_made_of_what_is_recorded() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(RECORDED)


def test_every_framework_and_every_scenario_is_recorded() -> None:
    assert list(RECORDED["frameworks"]) == list(FRAMEWORKS)
    assert list(RECORDED["adapter"]) == list(RECORDED["plain"]) == list(BY_NAME)
    assert {tuple(row) for row in RECORDED["adapter"].values()} == {tuple(FRAMEWORKS)}


def test_no_scenario_ends_a_run_with_the_adapter() -> None:
    verdicts = {verdict for row in RECORDED["adapter"].values() for verdict in row.values()}
    assert verdicts == {"same", "own words", "differs", "not sent"}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda each: f"{each.name} {each.scenarios[0]}")
def test_a_difference_explains_cells_that_there_are(difference: Difference) -> None:
    for way in difference.ways:
        cells = {scenario: RECORDED[way][scenario].get(difference.name) for scenario in difference.scenarios}
        assert difference.verdict in cells.values()
