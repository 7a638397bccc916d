"""A toolbox that is told of runs says in its answers that a run goes round in a circle."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from fingerpost import ToolResult, tool
from fingerpost.tools import Toolbox
from fingerpost.tools.repeats import MOST_KEPT

SAYS = (
    "This is call {} of this run with the same arguments and the same answer; go on with what you have, or "
    "call with other arguments."
)


def shout(text: str, times: int = 1) -> str:
    """Say it loudly."""
    return text.upper() * times


def length(text: str) -> dict[str, int]:
    """Count the letters."""
    return {"letters": len(text)}


def in_one_run(*functions: Any, **options: Any) -> Toolbox:
    return Toolbox(functions, run=lambda: "the run", **options)


def test_the_fourth_equal_call_of_a_run_is_told_so_and_each_later_one_differs() -> None:
    box = in_one_run(shout)
    answers = [box.call("shout", {"text": "hi"}) for _ in range(6)]
    assert [answer.text for answer in answers] == [
        "HI",
        "HI",
        "HI",
        *(f"HI\nNote: {SAYS.format(number)}" for number in (4, 5, 6)),
    ]
    assert [answer.notes for answer in answers[2:4]] == [(), (SAYS.format(4),)]
    assert [answer.data for answer in answers] == ["HI"] * 6


def test_equal_calls_give_equal_answers_where_nobody_tells_of_runs() -> None:
    box = Toolbox([shout])
    assert {box.call("shout", {"text": "hi"}).text for _ in range(8)} == {"HI"}
    assert {asyncio.run(box.acall("shout", {"text": "hi"})).text for _ in range(8)} == {"HI"}


def test_nothing_is_counted_while_no_run_is_under_way() -> None:
    box = Toolbox([shout], run=lambda: None)
    assert {box.call("shout", {"text": "hi"}).text for _ in range(8)} == {"HI"}


def test_each_run_is_counted_by_itself() -> None:
    runs: list[Hashable] = [("kickoff", number % 2) for number in range(8)]
    box = Toolbox([shout], run=iter(runs).__next__)
    notes = [box.call("shout", {"text": "hi"}).notes for _ in runs]
    assert notes == [()] * 6 + [(SAYS.format(4),)] * 2


def test_calls_in_between_start_no_new_count() -> None:
    box = in_one_run(shout)
    answers = [box.call("shout", {"text": text}).notes for text in "abababab"]
    assert answers == [()] * 6 + [(SAYS.format(4),)] * 2


def test_other_arguments_another_tool_and_another_answer_are_other_calls() -> None:
    changing = iter("abcdefgh")

    def next_letter() -> str:
        """Say the next letter."""
        return next(changing)

    box = in_one_run(shout, length, next_letter)
    for number in range(3):
        assert box.call("shout", {"text": "hi", "times": number}).notes == ()
        assert box.call("shout", {"text": "hi"}).notes == ()
        assert box.call("length", {"text": "hi"}).notes == ()
    assert [box.call("next_letter").text for _ in range(8)] == list("abcdefgh")


def test_the_order_in_which_arguments_were_sent_does_not_matter() -> None:
    box = in_one_run(shout)
    for sent in ({"text": "hi", "times": 2}, {"times": 2, "text": "hi"}, {"text": "hi", "times": 2}):
        assert box.call("shout", sent).text == "HIHI"
    assert box.call("shout", {"times": 2, "text": "hi"}).notes == (SAYS.format(4),)


def test_data_stay_json_and_keep_the_notes_that_they_had() -> None:
    box = in_one_run(length)
    for _ in range(3):
        box.call("length", {"text": "hi", "colour": "red"})
    answer = box.call("length", {"text": "hi", "colour": "red"})
    ignored = 'There is no argument "colour"; it was ignored.'
    assert json.loads(answer.text) == {"letters": 2, "notes": [ignored, SAYS.format(4)]}
    assert answer.data == json.loads(answer.text)
    assert answer.notes == (ignored, SAYS.format(4))


def test_an_error_stays_an_error() -> None:
    box = in_one_run(length)
    for _ in range(3):
        box.call("length")
    answer = box.call("length")
    assert answer.is_error
    assert json.loads(answer.text)["notes"] == [SAYS.format(4)]
    assert "is missing" in json.loads(answer.text)["error"]


def test_a_text_with_data_keeps_both() -> None:
    def described() -> ToolResult:
        """Describe the thing."""
        return ToolResult(data={"size": 3}, text="It is three wide.")

    box = in_one_run(described)
    answers = [box.call("described") for _ in range(4)]
    assert answers[3].text == f"It is three wide.\nNote: {SAYS.format(4)}"
    assert answers[3].data == {"size": 3}


@pytest.mark.parametrize("value", [None, 5, [], "", "null"])
def test_an_answer_of_any_kind_can_bear_the_note(value: Any) -> None:
    def give() -> Any:
        """Give it."""
        return value

    box = in_one_run(give)
    answers = [box.call("give").text for _ in range(5)]
    assert len(set(answers[:3])) == 1
    assert SAYS.format(4).split(";")[0] in answers[3]
    assert answers[3] != answers[4]


def test_the_note_fits_into_the_budget() -> None:
    box = in_one_run(tool(lambda: "x" * 5_000, name="long"), max_chars=2_000)
    answers = [box.call("long").text for _ in range(4)]
    assert [len(answer) for answer in answers] == [2_000] * 4
    assert answers[3].endswith(f"\nNote: {SAYS.format(4)}")


def test_an_unknown_tool_and_arguments_that_are_no_object_are_answered_as_ever() -> None:
    box = in_one_run(shout)
    assert len({box.call("shuot").text for _ in range(5)}) == 1
    unreadable = [box.call("shout", sent).text for sent in ("[", b"\xff", "[", "[", "[")]
    assert SAYS.format(4) in unreadable[4]


def test_calls_at_the_same_time_are_counted_once_each() -> None:
    box = in_one_run(shout)
    with ThreadPoolExecutor(8) as pool:
        running = [pool.submit(box.call, "shout", {"text": "hi"}) for _ in range(200)]
    texts = [each.result().text for each in running]
    assert len(set(texts)) == 198
    assert texts.count("HI") == 3


def test_async_calls_are_counted_with_the_others() -> None:
    box = in_one_run(shout)
    for _ in range(3):
        box.call("shout", {"text": "hi"})
    assert asyncio.run(box.acall("shout", {"text": "hi"})).notes == (SAYS.format(4),)


def test_calls_that_were_made_long_ago_are_forgotten() -> None:
    box = in_one_run(shout)
    for _ in range(3):
        box.call("shout", {"text": "hi"})
    for number in range(MOST_KEPT):
        box.call("shout", {"text": str(number)})
    assert box.call("shout", {"text": "hi"}).notes == ()
