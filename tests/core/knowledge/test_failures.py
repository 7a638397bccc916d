"""Knowledge bases that do not do as they should: the agent goes on, and the others are served."""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest

from fingerpost import KnowledgeBase, KnowledgeBuilder, KnowledgeCapabilities, Record, Records, StoreError
from fingerpost.tools import let_through
from tests.core.knowledge.shelves import Archive, Tables, row


class Broken(KnowledgeBase):
    """One of which everything fails in a foreign way."""

    def __init__(self, failure: BaseException) -> None:
        super().__init__(KnowledgeCapabilities(search=True, fetch=True, browse=True, writable=True), "broken")
        self.failure = failure

    @property
    def backend_name(self) -> str:
        return "broken"

    def connect(self, **kwargs: Any) -> None:
        raise self.failure

    def get_description(self) -> str:
        raise self.failure

    def schema(self) -> dict[str, Any]:
        raise self.failure

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        raise self.failure

    def fetch(self, ids: Iterable[str], **kwargs: Any) -> Sequence[Record]:
        raise self.failure

    def browse(self, path: str = "", limit: int = 50, **kwargs: Any) -> Sequence[Record]:
        raise self.failure

    def write(self, records: Iterable[Record], **kwargs: Any) -> Sequence[Record] | None:
        raise self.failure


CALLS: dict[str, tuple[str, ...]] = {
    "get_schemas": (),
    "get_all_kb_descriptions": (),
    "read_kb": ("broken", "x"),
    "search_kb": ("broken", "x"),
    "fetch_kb": ("broken", "x"),
    "browse_kb": ("broken",),
    "write_kb": ("broken", "x"),
}


def tools(*bases: KnowledgeBase) -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in KnowledgeBuilder(bases).build()}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("failure", [RuntimeError("host=10.0.0.1"), RecursionError(), MemoryError()])
def test_each_operation_may_fail(name: str, failure: Exception, caplog: pytest.LogCaptureFixture) -> None:
    called = tools(Broken(failure), Archive("fine", [row("refund", id="a")]))
    said = called[name](*CALLS[name])
    assert type(failure).__name__ in said
    assert "reference " in said
    assert "10.0.0.1" not in said
    (record,) = [
        each for each in caplog.records if each.levelno == logging.ERROR and "Error" in str(each.exc_info)
    ]
    assert record.exc_info is not None
    assert record.exc_info[1] is failure
    assert "- [a] refund" in called["search_kb"]("fine", "refund")


@pytest.mark.parametrize("name", [name for name in CALLS if name.startswith("get")])
def test_one_that_fails_is_told_among_the_others(name: str) -> None:
    said = tools(Broken(StoreError("It is down.")), Archive("fine").add_schema({"usage": "ask"}))[name]()
    assert "It is down." in said
    assert "What fine holds." in said or '"usage": "ask"' in said


class Pause(Exception):  # noqa: N818 - how hosts call theirs
    """With what a host steers an agent."""


@pytest.mark.parametrize("name", CALLS)
def test_what_steers_an_agent_goes_through(name: str) -> None:
    let_through(__name__, "Pause")
    with pytest.raises(Pause):
        tools(Broken(Pause()))[name](*CALLS[name])


def endless() -> Iterator[Record]:
    for number in itertools.count():
        assert number < 20, "more was taken than was asked for"
        yield row(f"Row {number}", id=str(number))


class Endless(Tables):
    """One that does not heed the limit, and whose rows have no end."""

    def query(self, statement: str, limit: int = 3, **kwargs: Any) -> Any:
        return endless()


def test_no_more_is_taken_than_was_asked_for() -> None:
    answer = tools(Endless("t"))["read_kb"]("t", "MATCH (n) RETURN n", limit=5, offset=2)
    assert "- Row 2\n" in answer
    assert "- Row 6\n" in answer
    assert "Row 7" not in answer
    assert "Row 1\n" not in answer
    assert answer.endswith("Call again with offset=7.")


class Odd(Archive):
    """One that returns what it should not."""

    returned: Any = None

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Any:
        return self.returned

    def write(self, records: Iterable[Record], **kwargs: Any) -> Any:
        return self.returned


def test_nothing_instead_of_a_list_is_an_empty_list() -> None:
    called = tools(Odd("odd"))
    assert json.loads(called["search_kb"]("odd", "x"))["records"] == []
    assert called["write_kb"]("odd", "x") == "Stored in 'odd'."


@pytest.mark.parametrize("row_", [{}, {"text": None}, {"text": 5, "metadata": None}, {"metadata": {"id": 7}}])
def test_records_that_lack_something_are_shown_as_far_as_they_go(row_: dict[str, Any]) -> None:
    odd = Odd("odd")
    odd.returned = Records([row_], total=1)
    assert tools(odd)["search_kb"]("odd", "x").startswith("===== From odd")


@pytest.mark.parametrize("returned", ["text", [5], [None], 5])
def test_what_is_no_record_is_a_failure_that_is_told(returned: Any) -> None:
    odd = Odd("odd")
    odd.returned = returned
    assert "failed with" in json.loads(tools(odd)["search_kb"]("odd", "x"))["error"]
