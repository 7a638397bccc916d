"""Two wire formats, one reading: a request says the same in either, a stream what the whole answer says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_testing import (
    OfferedTool,
    Reply,
    Request,
    Script,
    Step,
    ToolCall,
    Transcript,
    calls,
    explain_difference,
    say,
)
from fingerpost_testing.chat_completions import CHAT_COMPLETIONS
from fingerpost_testing.messages import Message, last_message, messages_of
from fingerpost_testing.responses import RESPONSES

Items = list[dict[str, Any]]

USER: dict[str, Any] = {"role": "user", "content": "question"}
SAID: dict[str, Any] = {
    "type": "message",
    "role": "assistant",
    "content": [{"type": "output_text", "text": "Hm."}],
}
REASONING: dict[str, Any] = {"type": "reasoning", "id": "rs_1", "summary": []}
REFERENCE: dict[str, Any] = {"type": "item_reference", "id": "msg_1"}


def call(call_id: str) -> dict[str, Any]:
    return {"type": "function_call", "call_id": call_id, "name": "t", "arguments": "{}"}


def output(call_id: str, text: object) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def read(script: Script, *histories: object) -> Transcript:
    """The transcript of a script, with what each of its requests had as input."""
    pairs = zip(script.turns, histories, strict=True)
    return Transcript.of(Request({"input": items}, turn) for turn, items in pairs)


ONE = Script(calls(ToolCall("t")), say("end"))
TWO = Script(calls(ToolCall("t"), ToolCall("t")), say("end"))


def test_outputs_are_the_results_of_the_calls_that_they_name() -> None:
    transcript = read(
        TWO, "question", [USER, call("call_1"), call("call_2"), output("call_2", "b"), output("call_1", "a")]
    )
    assert transcript == Transcript(steps=(Step("t", "{}", "a"), Step("t", "{}", "b")), answer="end")


@pytest.mark.parametrize(
    "before", [[call("call_1")], [SAID, call("call_1")], [call("call_1"), SAID], [REASONING], [REFERENCE]]
)
def test_what_the_model_said_before_a_result_does_not_hide_it(before: Items) -> None:
    history = [USER, call("old"), output("old", "older"), *before, output("call_1", "new")]
    transcript = read(ONE, "question", history)
    assert (transcript.tool_results, transcript.unmatched) == (("new",), ())


def test_new_items_alone_are_enough() -> None:
    assert read(ONE, "question", [output("call_1", "new")]).tool_results == ("new",)


def test_a_result_beside_its_call_is_seen() -> None:
    beside = [USER, SAID, call("call_1"), output("call_1", "a"), call("call_2"), output("call_2", "b")]
    assert read(TWO, "question", beside).tool_results == ("a", "b")


@pytest.mark.parametrize("between", [REASONING, REFERENCE, SAID, {"type": "web_search_call", "id": "ws_1"}])
def test_what_the_model_said_between_two_calls_hides_no_result(between: dict[str, Any]) -> None:
    old = [call("old"), output("old", "older")]
    turn = [between, call("call_1"), output("call_1", "a"), between, call("call_2"), output("call_2", "b")]
    transcript = read(TWO, "question", [USER, *old, *turn])
    assert (transcript.tool_results, transcript.unmatched) == (("a", "b"), ())


def test_a_second_output_of_one_call_never_stands_for_that_of_another() -> None:
    twice = [
        USER,
        call("call_1"),
        output("call_1", "a"),
        output("call_1", "again"),
        REASONING,
        call("call_2"),
    ]
    transcript = read(TWO, "question", twice)
    assert (transcript.tool_results, transcript.unmatched) == (("a", None), ("again",))


def test_ids_that_a_script_uses_again_do_not_bring_back_old_results() -> None:
    twice = calls(ToolCall("t", id="x"), ToolCall("t", id="y"))
    first = [USER, call("x"), output("x", "1"), call("y"), output("y", "2")]
    second = [*first, call("x"), output("x", "3"), call("y"), output("y", "4")]
    script = Script(twice, twice, say("end"))
    expected = (("1", "2", "3", "4"), ())
    transcript = read(script, "question", first, second)
    assert (transcript.tool_results, transcript.unmatched) == expected

    def round_of(*texts: str) -> Items:
        answers = zip("xy", texts, strict=True)
        results = [{"role": "tool", "tool_call_id": name, "content": text} for name, text in answers]
        return [{"role": "assistant", "content": None}, *results]

    chat = [[USER], [USER, *round_of("1", "2")], [USER, *round_of("1", "2"), *round_of("3", "4")]]
    pairs = zip(script.turns, chat, strict=True)
    transcript = Transcript.of(Request({"messages": messages}, turn) for turn, messages in pairs)
    assert (transcript.tool_results, transcript.unmatched) == expected


def test_an_output_in_parts_is_joined() -> None:
    parts = [{"type": "input_text", "text": "on"}, {"type": "input_text", "text": "e"}]
    assert read(ONE, "question", [USER, call("call_1"), output("call_1", parts)]).tool_results == ("one",)


def test_a_call_without_an_output_shows_it() -> None:
    assert read(ONE, "question", [USER, call("call_1"), USER]).tool_results == (None,)


def test_a_test_says_how_to_find_results_in_items_too() -> None:
    def observed(message: Message) -> Iterable[str]:
        return message.text.splitlines()[1:] if message.role == "user" else ()

    history = [USER, SAID, {"role": "user", "content": [{"type": "input_text", "text": "Observed:\na\nb"}]}]
    log = (Request({"input": items}, turn) for turn, items in zip(TWO.turns, ([USER], history), strict=True))
    assert Transcript.of(log, results=observed).tool_results == ("a", "b")


def test_flat_and_nested_tools_are_offered_alike() -> None:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    function: dict[str, Any] = {"name": "t", "description": "Does it.", "parameters": schema}
    flat = {"input": "q", "tools": [{"type": "function", **function, "strict": False}]}
    nested = {"messages": [USER], "tools": [{"type": "function", "function": function}]}
    for body in (flat, nested):
        assert Transcript.of([Request(body, say("end"))]).tools == (OfferedTool("t", "Does it.", schema),)


@pytest.mark.parametrize(
    ("body", "messages"),
    [
        ({"input": "hi"}, [Message("user", "hi")]),
        (
            {"input": [USER], "instructions": "Be brief."},
            [Message("system", "Be brief."), Message("user", "question")],
        ),
        (
            {"input": [SAID, call("c"), output("c", "r"), REASONING]},
            [
                Message("assistant", "Hm."),
                Message("assistant", call_id="c"),
                Message("tool", "r", "c"),
                Message("assistant"),
            ],
        ),
        (
            {"messages": [USER, {"role": "tool", "tool_call_id": "c", "content": "r"}, "stray"]},
            [Message("user", "question"), Message("tool", "r", "c")],
        ),
        ({}, []),
    ],
)
def test_a_conversation_is_read_from_either_format(body: Mapping[str, Any], messages: list[Message]) -> None:
    assert messages_of(body) == messages


def test_the_last_item_is_quoted_in_messages() -> None:
    assert (
        last_message({"input": [USER, call("c"), output("c", "r")]}) == "its last message is from tool: 'r'"
    )


turns = st.lists(st.lists(st.text(max_size=9), min_size=1, max_size=3), max_size=4)


@given(turns, st.sampled_from(["together", "beside", "new"]), st.booleans())
def test_a_conversation_has_one_transcript(said: list[list[str]], shape: str, is_chatty: bool) -> None:
    script = Script(*(calls(*(ToolCall("t") for _ in results)) for results in said), say("end"))
    chat, items = [USER], [USER]
    logs = [
        [Request({"messages": list(chat)}, script.turns[0])],
        [Request({"input": list(items)}, script.turns[0])],
    ]
    for turn, results, following in zip(script.turns, said, script.turns[1:], strict=False):
        assert isinstance(turn, Reply)
        answers = [(each.id, text) for each, text in zip(turn.calls, results, strict=True)]
        outputs = [output(call_id, text) for call_id, text in answers]
        chat.append({"role": "assistant", "content": "Hm." if is_chatty else None})
        chat += [{"role": "tool", "tool_call_id": call_id, "content": text} for call_id, text in answers]
        made = [SAID] if is_chatty else []
        if shape == "beside":
            made += [each for item in outputs for each in (call(item["call_id"]), item)]
        else:
            made += [call(call_id) for call_id, _ in answers] + outputs
        items = outputs if shape == "new" else [*items, *made]
        logs[0].append(Request({"messages": list(chat)}, following))
        logs[1].append(Request({"input": list(items)}, following))
    expected = Transcript(
        steps=tuple(Step("t", "{}", text) for results in said for text in results), answer="end"
    )
    for log in logs:
        assert explain_difference(expected, Transcript.of(log)) == ""


tool_calls = st.builds(ToolCall, st.just("t"), st.text(max_size=30), st.uuids().map(str))
replies = st.builds(Reply, st.text(max_size=30), st.lists(tool_calls, max_size=3).map(tuple))


@given(replies)
def test_streamed_pieces_of_a_response_join_to_the_whole(reply: Reply) -> None:
    body: dict[str, Any] = {"input": "hi"}
    events = [json.loads(event.split(b"data: ")[1]) for event in RESPONSES.events(reply, body, 1)]
    whole = RESPONSES.whole(reply, body, 1)
    assert events[-1]["response"] == whole
    assert [event["item"] for event in events if event["type"] == "response.output_item.done"] == whole[
        "output"
    ]
    for index, item in enumerate(whole["output"]):
        deltas = [
            event["delta"] for event in events if event.get("output_index") == index and "delta" in event
        ]
        assert "".join(deltas) == item.get("arguments", reply.text)
        assert all(deltas)


def test_an_item_and_a_part_begin_empty() -> None:
    reply = calls(ToolCall("t", {"n": 1}), text="Wait.")
    events = [json.loads(event.split(b"data: ")[1]) for event in RESPONSES.events(reply, {"input": "hi"}, 1)]
    message, made = (event["item"] for event in events if event["type"] == "response.output_item.added")
    (part,) = (event["part"] for event in events if event["type"] == "response.content_part.added")
    assert (message["content"], made["arguments"], part["text"]) == ([], "", "")
    assert [event["response"]["output"] for event in events if "response" in event][:2] == [[], []]
    assert {message["status"], made["status"]} == {"in_progress"}


@given(replies)
def test_streamed_pieces_of_a_chat_completion_join_to_the_whole(reply: Reply) -> None:
    body: dict[str, Any] = {"messages": [USER]}
    lines = [event.removeprefix(b"data: ") for event in CHAT_COMPLETIONS.events(reply, body, 1)]
    choices = [json.loads(line)["choices"][0] for line in lines[:-1]]
    whole = CHAT_COMPLETIONS.whole(reply, body, 1)["choices"][0]
    assert lines[-1] == b"[DONE]\n\n"
    assert "".join(choice["delta"].get("content") or "" for choice in choices) == (
        whole["message"]["content"] or ""
    )
    assert choices[-1]["finish_reason"] == whole["finish_reason"]
    joined = [""] * len(reply.calls)
    for choice in choices:
        for piece in choice["delta"].get("tool_calls", ()):
            joined[piece["index"]] += piece["function"]["arguments"]
    assert joined == [each["function"]["arguments"] for each in whole["message"].get("tool_calls", ())]
    assert joined == [each.raw_arguments for each in reply.calls]
