"""The knowledge base in memory keeps what it declares, and refuses to lose a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from fingerpost import ArgumentError, KnowledgeCapabilityError, Record
from fingerpost_testing import MemoryKnowledgeBase, Transcript
from fingerpost_testing.scenarios import KNOWLEDGE, ROLE
from fingerpost_testing.transcript import OfferedTool


def notes(**settings: Any) -> MemoryKnowledgeBase:
    records = {"docks/north": "The north dock is closed.", "docks/south": "The south dock opens at seven."}
    return MemoryKnowledgeBase(records={**records, "tides": "High tide at noon."}, **settings)


def ids(rows: Iterable[Record]) -> list[str]:
    return [row["metadata"]["id"] for row in rows]


def row(text: str, **metadata: str) -> Mapping[str, Any]:
    return {"text": text, "metadata": metadata}


def test_the_records_with_most_of_the_words_come_first() -> None:
    found = notes().search("the South dock!", limit=1)
    assert ids(found) == ["docks/south"]
    assert found.total == 2
    assert ids(notes().search("wind")) == []


def test_records_are_fetched_in_the_order_asked_for_and_what_is_not_there_is_named() -> None:
    fetched = notes().fetch(["tides", "wind", "docks/north"])
    assert ids(fetched) == ["tides", "docks/north"]
    assert fetched.notes == ("There is no record 'wind'.",)


def test_browsing_goes_by_the_start_of_ids() -> None:
    assert ids(notes().browse("docks/")) == ["docks/north", "docks/south"]
    assert (ids(notes().browse(limit=1)), notes().browse(limit=1).total) == (["docks/north"], 3)


def test_a_new_record_is_named_after_its_title_and_no_other() -> None:
    base = notes()
    written = [base.write([row("New.", title=title)]) for title in ("High Tide", "high tide!", "")]
    assert [ids(rows) for rows in written] == [["high-tide"], ["high-tide-2"], ["note"]]
    assert base.fetch(["high-tide"])[0]["metadata"]["title"] == "High Tide"


def test_a_record_is_replaced_by_who_has_read_its_last_revision() -> None:
    base = notes()
    written = base.write([row("Low tide at noon.", id="tides", revision="1", source="Ada")])
    assert written[0]["metadata"]["revision"] == "2"
    assert base.format_results(base.fetch(["tides"])) == (
        "- [tides] Low tide at noon. (source: Ada; revision 2)"
    )
    for stale in ("1", ""):
        with pytest.raises(ArgumentError, match=f"the revision '2', and not '{stale}'"):
            base.write([row("Mine.", id="tides", revision=stale)])
    with pytest.raises(ArgumentError, match="no record 'wind' to replace"):
        base.write([row("Mine.", id="wind")])
    assert base.fetch(["tides"])[0]["text"] == "Low tide at noon."


def test_one_that_is_read_only_declares_it_and_refuses() -> None:
    base = notes(writable=False)
    assert not base.capabilities.writable
    with pytest.raises(KnowledgeCapabilityError):
        base.write([row("Mine.")])
    assert base.schema()["records"] == 3


def test_the_scenarios_call_each_of_the_seven_tools() -> None:
    assert {call.name for scenario in KNOWLEDGE for call in scenario.script.calls} == {
        *("get_schemas", "get_all_kb_descriptions", "read_kb", "write_kb"),
        *("search_kb", "fetch_kb", "browse_kb"),
    }


def test_each_playing_of_a_scenario_starts_anew() -> None:
    for scenario in KNOWLEDGE:
        first, second = scenario.tools(), scenario.tools()
        assert [each.__name__ for each in first] == [each.__name__ for each in second]
        assert all(mine is not yours for mine, yours in zip(first, second, strict=True))


def test_a_tool_that_must_be_withheld_is_a_problem_where_it_is_offered() -> None:
    offered = Transcript(tools=(OfferedTool("read_kb"), OfferedTool("write_kb")))
    assert ROLE.problems(offered)[0] == "The model is offered 'write_kb', which must be withheld from it."
    assert not any("withheld" in problem for problem in ROLE.problems(Transcript(tools=offered.tools[:1])))
