"""Scripts are data: numbered calls, raw arguments, turns that go wrong."""

from __future__ import annotations

import pytest

from fingerpost_testing import Fault, HangUp, Script, ToolCall, calls, fault, hang_up, say, slow


def test_calls_are_numbered_through_the_whole_script() -> None:
    script = Script(calls(ToolCall("a"), ToolCall("b")), fault(), calls(ToolCall("c")), say("end"))
    assert [call.id for call in script.calls] == ["call_1", "call_2", "call_3"]


def test_an_id_of_ones_own_is_kept_and_does_not_change_equality() -> None:
    script = Script(calls(ToolCall("a", id="mine"), ToolCall("b")))
    assert [call.id for call in script.calls] == ["mine", "call_2"]
    assert script.calls[0] == ToolCall("a")


@pytest.mark.parametrize("raw", ['{"a": ', "", "[1]", '"{}"', "\ud800"])
def test_text_arguments_stay_as_they_are(raw: str) -> None:
    assert ToolCall("a", raw).raw_arguments == raw


def test_mapping_arguments_become_json_in_their_own_script() -> None:
    assert ToolCall("a", {"word": "Straße", "n": None}).raw_arguments == '{"word": "Straße", "n": null}'
    assert ToolCall("a").raw_arguments == "{}"


def test_a_turn_can_be_slowed_down_whatever_its_kind() -> None:
    assert slow(2.5, say("x")).delay == 2.5
    assert slow(1.0, fault(503)) == Fault(503, delay=1.0)
    assert slow(1.0, hang_up()) == HangUp(delay=1.0)


@pytest.mark.parametrize("status", [200, 399, 600])
def test_a_fault_needs_an_error_status(status: int) -> None:
    with pytest.raises(ValueError, match=f"400 to 599, not {status}"):
        fault(status)


def test_a_turn_of_calls_needs_a_call() -> None:
    with pytest.raises(ValueError, match=r"use say\(\)"):
        calls()


def test_turns_say_in_words_what_they_do() -> None:
    turns = (say("hello"), calls(ToolCall("a", "{"), text="wait"), fault(503), hang_up())
    assert [str(turn) for turn in turns] == [
        "say 'hello'",
        "say 'wait' and call a({)",
        "fail with status 503",
        "hang up",
    ]
