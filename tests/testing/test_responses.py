"""The server speaks the Responses API to a real OpenAI client, whole and streamed."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from openai.types.responses import Response, ResponseFunctionToolCall, ResponseStreamEvent
from pydantic import TypeAdapter

from fingerpost_testing import (
    Script,
    ScriptedServer,
    Session,
    ToolCall,
    UnexpectedRequest,
    calls,
    fault,
    hang_up,
    play,
    say,
    slow,
)

BROKEN = '{"text": broken \\u00'
BOTH = calls(ToolCall("first", {"n": 1}), ToolCall("second", BROKEN), text="Wait a moment.")


def client(session: Session, **options: Any) -> openai.OpenAI:
    settings: dict[str, Any] = {"api_key": "secret-key", "max_retries": 0, "timeout": 30.0, **options}
    return openai.OpenAI(base_url=session.base_url, **settings)


def ask(session: Session, text: str = "hi", **options: Any) -> Response:
    with client(session, **options) as model:
        return model.responses.create(model="some-model", instructions="Be brief.", input=text)


def events(session: Session) -> list[ResponseStreamEvent]:
    with client(session) as model:
        return list(model.responses.create(model="some-model", input="hi", stream=True))


def sent(session: Session, body: object) -> tuple[int, str]:
    """What the server sends, byte for byte."""
    host, path = session.base_url.removeprefix("http://").split("/", 1)
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        connection.request("POST", f"/{path}/responses", json.dumps(body))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def called(response: Response) -> list[tuple[str, str, str]]:
    items = [item for item in response.output if isinstance(item, ResponseFunctionToolCall)]
    return [(item.call_id, item.name, item.arguments) for item in items]


def test_a_text_turn_arrives_as_a_complete_response() -> None:
    with play(Script(say("Good day."))) as session:
        response = ask(session, "one two three")
    assert response.output_text == "Good day."
    assert [item.type for item in response.output] == ["message"]
    assert (response.id, response.model, response.status) == ("resp_1", "some-model", "completed")
    assert (response.created_at, response.instructions) == (1_700_000_000, "Be brief.")
    assert response.usage is not None
    assert (response.usage.input_tokens, response.usage.output_tokens) == (5, 2)
    assert response.usage.total_tokens == 7


def test_several_calls_of_one_turn_arrive_in_order_with_raw_arguments() -> None:
    with play(Script(calls(ToolCall("first", {"n": 1}), ToolCall("second", BROKEN)))) as session:
        response = ask(session)
    assert [item.type for item in response.output] == ["function_call", "function_call"]
    assert called(response) == [("call_1", "first", '{"n": 1}'), ("call_2", "second", BROKEN)]


def test_text_comes_before_the_calls_of_the_same_turn() -> None:
    with play(Script(BOTH)) as session:
        response = ask(session)
    assert [item.type for item in response.output] == ["message", "function_call", "function_call"]
    assert response.output_text == BOTH.text
    assert len({item.id for item in response.output}) == 3


def test_an_empty_text_is_a_message_all_the_same() -> None:
    with play(Script(say(""), say(""))) as session:
        assert [item.type for item in ask(session).output] == ["message"]
        assert "response.output_text.delta" not in [event.type for event in events(session)]


@pytest.mark.parametrize("turn", [say("Grüße aus dem Hafen, مرحبا, 港."), say(""), BOTH], ids=str)
def test_a_streamed_response_is_the_whole_one_in_the_end(turn: Any) -> None:
    with ScriptedServer() as server:
        streamed, whole = server.play(Script(turn)), server.play(Script(turn))
        with client(streamed) as model, model.responses.stream(model="m", input="hi") as stream:
            stream.until_done()
            final = stream.get_final_response()
        with client(whole) as model:
            expected = model.responses.create(model="m", input="hi")
    assert (final.output_text, called(final)) == (expected.output_text, called(expected))
    assert final.usage == expected.usage


def test_a_stream_tells_each_item_from_its_beginning_to_its_end() -> None:
    with play(Script(calls(ToolCall("look", "{}"), text="Wait."))) as session:
        heard = events(session)
    assert [event.type.removeprefix("response.") for event in heard] == [
        "created",
        "in_progress",
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    assert [event.sequence_number for event in heard] == list(range(len(heard)))
    assert [event.output_index for event in heard if hasattr(event, "output_index")] == [0] * 6 + [1] * 4  # type: ignore[union-attr]
    assert {event.response.id for event in heard if hasattr(event, "response")} == {"resp_1"}  # type: ignore[union-attr]


def test_every_event_is_one_that_the_api_defines() -> None:
    def parsed(stream: str) -> Iterator[tuple[str, ResponseStreamEvent]]:
        for block in stream.strip().split("\n\n"):
            name, data = block.split("\n")
            value = TypeAdapter[ResponseStreamEvent](ResponseStreamEvent).validate_json(
                data.removeprefix("data: ")
            )
            yield name.removeprefix("event: "), value

    with play(Script(BOTH, say("Done."))) as session:
        tool: dict[str, object] = {"type": "function", "name": "first", "parameters": {}, "strict": False}
        streams = [sent(session, {"input": "hi", "stream": True, "tools": [tool]}) for _ in range(2)]
    for status, stream in streams:
        assert status == 200
        assert all(name == event.type for name, event in parsed(stream))


def test_a_whole_response_is_one_that_the_api_defines() -> None:
    with play(Script(BOTH, say("Done."))) as session:
        for _ in range(2):
            Response.model_validate_json(sent(session, {"input": "hi"})[1])


def test_the_async_client_is_answered_and_streamed_to() -> None:
    async def talk(session: Session) -> tuple[str, str]:
        async with openai.AsyncOpenAI(
            base_url=session.base_url, api_key="x", max_retries=0, timeout=30.0
        ) as model:
            whole = await model.responses.create(model="m", input="hi")
            stream = await model.responses.create(model="m", input="hi", stream=True)
            deltas = [event.delta async for event in stream if event.type == "response.output_text.delta"]
            assert len(deltas) > 2
            return whole.output_text, "".join(deltas)

    with play(Script(say("awaited"), say("streamed and awaited"))) as session:
        assert asyncio.run(talk(session)) == ("awaited", "streamed and awaited")


def test_both_apis_take_turns_of_one_script() -> None:
    with play(Script(say("first"), say("second"), say("third"))) as session:
        first = ask(session)
        with client(session) as model:
            second = model.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
        third = ask(session)
    assert (first.output_text, second.choices[0].message.content, third.output_text) == (
        "first",
        "second",
        "third",
    )
    assert (first.id, third.id) == ("resp_1", "resp_3")


def test_turns_that_go_wrong_go_wrong_here_too() -> None:
    script = Script(fault(503, "overloaded"), fault(500, "broken"), hang_up(), slow(300, say("late")))
    with play(script) as session:
        with pytest.raises(openai.InternalServerError, match="overloaded"):
            ask(session)
        with pytest.raises(openai.InternalServerError, match="broken"):
            events(session)
        with pytest.raises(openai.APIConnectionError):
            ask(session)
        with pytest.raises(openai.APITimeoutError):
            ask(session, timeout=0.5)


def test_a_request_after_the_last_turn_is_refused_and_quoted() -> None:
    with ScriptedServer() as server:
        session = server.play(Script(), "greeting")
        with pytest.raises(openai.BadRequestError, match="its script has 0 turns"):
            ask(session, "and again")
        with pytest.raises(UnexpectedRequest, match="from user: 'and again'"):
            session.finish()


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([], "the body is not a JSON object"),
        ({}, "'input' is neither"),
        ({"input": ""}, "'input' is neither"),
        ({"input": []}, "'input' is neither"),
        ({"input": ["hi"]}, "'input' is neither"),
        ({"messages": [{"role": "user", "content": "hi"}]}, "'input' is neither"),
        ({"input": "hi", "tools": ["x"]}, "'tools' is not"),
    ],
)
def test_a_request_that_cannot_be_answered_fails_the_session(body: object, reason: str) -> None:
    with ScriptedServer() as server:
        session = server.play(Script(say("x")), "strict")
        status, text = sent(session, body)
        assert status == 400
        assert reason in text
        with pytest.raises(UnexpectedRequest, match=f"'strict'.*{reason}"):
            session.finish()
