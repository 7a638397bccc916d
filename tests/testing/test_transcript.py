"""Transcripts read a request log the same way, whatever the framework did to the history."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fingerpost_testing import (
    OfferedTool,
    Request,
    Script,
    Step,
    ToolCall,
    Transcript,
    Turn,
    calls,
    explain_difference,
    fault,
    say,
)
from fingerpost_testing.messages import Message

USER = {"role": "user", "content": "question"}
ASSISTANT = {"role": "assistant", "content": None}
TWO_STEPS = Script(calls(ToolCall("a", "{1"), ToolCall("b", "{2")), calls(ToolCall("c", "{3")), say("end"))


def result(call_id: str, content: object) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def request(turn: Turn | None, *messages: dict[str, Any], **more: object) -> Request:
    return Request({"messages": list(messages), **more}, turn)


def read(*later: list[dict[str, Any]], script: Script = TWO_STEPS) -> Transcript:
    histories = [[USER], *later]
    return Transcript.of(
        request(turn, *history) for turn, history in zip(script.turns, histories, strict=True)
    )


FULL = (
    [USER, ASSISTANT, result("call_1", "one"), result("call_2", "two")],
    [USER, ASSISTANT, result("call_1", "one"), result("call_2", "two"), ASSISTANT, result("call_3", "three")],
)


def test_results_are_read_once_and_matched_to_their_calls() -> None:
    transcript = read(*FULL)
    assert transcript.steps == (Step("a", "{1", "one"), Step("b", "{2", "two"), Step("c", "{3", "three"))
    assert transcript.tool_results == ("one", "two", "three")
    assert transcript.answer == "end"
    assert transcript.unmatched == ()


def test_results_in_another_order_find_their_calls_by_id() -> None:
    swapped = [USER, ASSISTANT, result("call_2", "two"), result("call_1", "one")]
    assert read(swapped, FULL[1]) == read(*FULL)


def test_a_rewritten_history_gives_the_same_transcript() -> None:
    summary = {"role": "user", "content": "summary of what was before"}
    assert read(FULL[0], [summary, ASSISTANT, result("call_3", "three")]) == read(*FULL)


def test_results_under_renamed_ids_go_to_the_calls_in_order() -> None:
    renamed = [USER, ASSISTANT, result("x", "one"), result("call_2", "two")]
    assert read(renamed, FULL[1]).tool_results == ("one", "two", "three")


def test_content_in_parts_is_joined() -> None:
    parts = [{"type": "text", "text": "on"}, {"type": "text", "text": "e"}]
    split = [USER, ASSISTANT, result("call_1", parts), result("call_2", "two")]
    assert read(split, FULL[1]) == read(*FULL)


def test_a_call_without_a_result_shows_it() -> None:
    dropped = [USER, ASSISTANT, result("call_2", "two")]
    transcript = read(dropped, FULL[1])
    assert transcript.tool_results == (None, "two", "three")
    assert "step 1: a({1)\n  nothing came back" in str(transcript)


def test_a_result_without_a_call_is_kept_apart() -> None:
    twice = [USER, ASSISTANT, result("call_1", "one"), result("call_1", "again"), result("call_2", "two")]
    transcript = read(twice, FULL[1])
    assert transcript.tool_results == ("one", "two", "three")
    assert transcript.unmatched == ("again",)


def test_a_second_result_of_one_call_never_stands_for_that_of_another() -> None:
    twice = [USER, ASSISTANT, result("call_1", "one"), result("call_1", "again")]
    transcript = read(twice, FULL[1])
    assert transcript.tool_results == ("one", None, "three")
    assert transcript.unmatched == ("again",)


def test_a_result_of_an_earlier_turn_that_is_sent_again_never_stands_for_that_of_another_call() -> None:
    late = [*FULL[0], ASSISTANT, result("call_1", "one")]
    transcript = read(FULL[0], late)
    assert transcript.tool_results == ("one", "two", None)
    assert transcript.unmatched == ("one",)


def test_results_without_a_call_are_kept_in_the_order_in_which_they_were_sent() -> None:
    names = ["call_1", "x", "call_1", "y", "z", "call_2"]
    sent = [USER, ASSISTANT, *(result(name, f"{number} {name}") for number, name in enumerate(names))]
    transcript = read(sent, FULL[1])
    assert transcript.tool_results == ("0 call_1", "5 call_2", "three")
    assert transcript.unmatched == ("1 x", "2 call_1", "3 y", "4 z")


def test_calls_of_one_turn_that_are_sent_one_by_one_keep_their_results() -> None:
    def single(call_id: str) -> dict[str, Any]:
        return {"role": "assistant", "content": None, "tool_calls": [{"id": call_id, "type": "function"}]}

    apart = [USER, single("call_1"), result("call_1", "one"), single("call_2"), result("call_2", "two")]
    transcript = read(apart, [*apart, single("call_3"), result("call_3", "three")])
    assert transcript.tool_results == ("one", "two", "three")
    assert transcript.unmatched == ()


def test_a_request_repeated_after_a_fault_counts_once() -> None:
    first, second, third = TWO_STEPS.turns
    repeated = [
        request(first, USER),
        request(fault(503), *FULL[0]),
        request(second, *FULL[0]),
        request(third, *FULL[1]),
    ]
    assert Transcript.of(repeated) == read(*FULL)


def test_results_sent_with_a_refused_request_are_still_seen() -> None:
    log = [
        request(calls(ToolCall("a", id="call_1")), USER),
        request(None, USER, ASSISTANT, result("call_1", "one")),
    ]
    assert Transcript.of(log) == Transcript(steps=(Step("a", "{}", "one"),))


def test_an_agent_that_stops_early_has_no_answer() -> None:
    assert Transcript.of([request(calls(ToolCall("a", id="call_1")), USER)]).answer == ""
    assert Transcript.of([]) == Transcript()


def test_offered_tools_are_read_from_the_first_request_by_name() -> None:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    tools = [
        {"type": "function", "function": {"name": "z"}},
        {
            "type": "function",
            "function": {"name": "a", "description": "First.", "parameters": schema, "strict": False},
        },
    ]
    transcript = Transcript.of([request(say("end"), USER, tools=tools)])
    assert transcript.tools == (OfferedTool("a", "First.", schema), OfferedTool("z"))
    assert transcript.tool_names == ("a", "z")
    assert transcript.without_definitions().tools == (OfferedTool("a"), OfferedTool("z"))


def test_a_hosted_tool_is_offered_under_its_type() -> None:
    custom = {"type": "custom", "custom": {"name": "grammar", "description": "Parses."}}
    tools = [{"type": "web_search"}, {"type": "function", "name": "a"}, custom]
    transcript = Transcript.of([request(say("end"), USER, tools=tools)])
    assert transcript.tools == (
        OfferedTool("a"),
        OfferedTool("grammar", "Parses."),
        OfferedTool("web_search"),
    )


def test_tools_with_names_and_texts_of_any_kind_are_shown_as_text() -> None:
    tools = [
        {"type": "function", "function": {"name": 7, "description": ["x"], "parameters": "none"}},
        {"type": "function", "function": {"name": "a", "description": None}},
        {"type": "function", "name": {"en": "b"}},
    ]
    transcript = Transcript.of([request(say("end"), USER, tools=tools)])
    assert transcript.tools == (OfferedTool("7", "['x']"), OfferedTool("a"), OfferedTool("{'en': 'b'}"))
    assert "description ['x']" in str(transcript)


def test_equal_transcripts_have_no_difference() -> None:
    assert explain_difference(read(*FULL), read(*FULL)) == ""


def test_a_difference_is_shown_line_by_line_with_its_step() -> None:
    other = [USER, ASSISTANT, result("call_1", "one"), result("call_2", "first line\nTWO")]
    expected = read([USER, ASSISTANT, result("call_1", "one"), result("call_2", "first line\ntwo")], FULL[1])
    lines = explain_difference(expected, read(other, FULL[1])).split("\n")
    assert lines[:2] == ["--- expected", "+++ actual"]
    assert lines[3:] == [" step 2: b({2)", "   first line", "-  two", "+  TWO", " step 3: c({3)", "   three"]


def test_a_difference_in_a_description_is_shown() -> None:
    old, new = Transcript((OfferedTool("a", "Old."),)), Transcript((OfferedTool("a", "New."),))
    assert "-  description Old." in explain_difference(old, new)
    assert explain_difference(old.without_definitions(), new.without_definitions()) == ""


def observations(message: Message) -> Iterator[str]:
    """Results as some agents send them: lines of one message from the user."""
    if message.role == "user" and message.text.startswith("Observed:"):
        yield from message.text.splitlines()[1:]


def test_a_test_says_how_to_find_results_that_do_not_come_from_a_tool() -> None:
    observed = {"role": "user", "content": [{"type": "text", "text": "Observed:\none\ntwo"}]}
    again = {"role": "user", "content": "Observed:\nthree"}
    first, second, third = TWO_STEPS.turns
    log = [
        request(first, USER),
        request(second, USER, ASSISTANT, observed),
        request(third, USER, ASSISTANT, observed, ASSISTANT, again),
    ]
    assert Transcript.of(log, results=observations) == read(*FULL)
    assert Transcript.of(log).tool_results == (None, None, None)


def test_a_test_says_how_to_unwrap_results() -> None:
    def wrapped(call_id: str, text: str) -> dict[str, Any]:
        return result(call_id, json.dumps({"result": text}))

    first = [USER, ASSISTANT, wrapped("call_1", "one"), wrapped("call_1", "again")]
    transcript = read(first, [USER, ASSISTANT, wrapped("x", "three"), wrapped("y", "more")])
    unwrapped = transcript.with_results(lambda text: json.loads(text)["result"])
    assert unwrapped.tool_results == ("one", None, "three")
    assert unwrapped.unmatched == ("again", "more")
    assert unwrapped.answer == "end"


def test_a_missing_result_is_not_unwrapped() -> None:
    dropped = [USER, ASSISTANT, result("call_2", "two")]
    assert read(dropped, FULL[1]).with_results(str.upper).tool_results == (None, "TWO", "THREE")
