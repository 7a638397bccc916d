"""Streamed answers say the same as whole ones."""

from __future__ import annotations

import asyncio

import openai
import pytest
from openai.types.chat import ChatCompletionChunk

from fingerpost_testing import Script, Session, ToolCall, calls, fault, play, say


def stream(session: Session, *, usage: bool = False) -> list[ChatCompletionChunk]:
    with openai.OpenAI(base_url=session.base_url, api_key="x", max_retries=0, timeout=30.0) as model:
        return list(
            model.chat.completions.create(
                model="m",
                messages=[{"role": "user", "content": "hi"}],
                stream=True,
                stream_options={"include_usage": usage},
            )
        )


def test_streamed_text_comes_in_pieces_and_joins_to_the_whole() -> None:
    text = "Grüße aus dem Hafen, مرحبا, 港."
    with play(Script(say(text))) as session:
        chunks = stream(session)
    pieces = [chunk.choices[0].delta.content or "" for chunk in chunks]
    assert "".join(pieces) == text
    assert len([piece for piece in pieces if piece]) > 2
    assert chunks[0].choices[0].delta.role == "assistant"
    assert [chunk.choices[0].finish_reason for chunk in chunks[-2:]] == [None, "stop"]
    assert {(chunk.id, chunk.model, chunk.created) for chunk in chunks} == {
        ("chatcmpl-1", "m", 1_700_000_000)
    }


@pytest.mark.parametrize("raw", ['{"text": broken \\u00', "", "[1, 2]", '{"a": "🙂🙂🙂🙂🙂"}'])
def test_streamed_calls_join_to_their_raw_arguments(raw: str) -> None:
    with play(Script(calls(ToolCall("first", {"n": 1}), ToolCall("second", raw), text="Wait."))) as session:
        chunks = stream(session)
    joined = ["", ""]
    heads: list[tuple[int, str | None, str | None]] = []
    for chunk in chunks:
        for call in chunk.choices[0].delta.tool_calls or []:
            assert call.function is not None
            joined[call.index] += call.function.arguments or ""
            if call.id:
                heads.append((call.index, call.id, call.function.name))
    assert joined == ['{"n": 1}', raw]
    assert heads == [(0, "call_1", "first"), (1, "call_2", "second")]
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "Wait."
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


def test_usage_is_streamed_last_and_only_if_asked_for() -> None:
    with play(Script(say("two words"), say("two words"))) as session:
        plain, counted = stream(session), stream(session, usage=True)
    assert [chunk.usage for chunk in plain] == [None] * len(plain)
    assert counted[-1].choices == []
    assert counted[-1].usage is not None
    assert counted[-1].usage.total_tokens == 3


def test_the_async_client_streams_too() -> None:
    async def talk(session: Session) -> str:
        async with openai.AsyncOpenAI(
            base_url=session.base_url, api_key="x", max_retries=0, timeout=30.0
        ) as model:
            chunks = await model.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}], stream=True
            )
            return "".join([chunk.choices[0].delta.content or "" async for chunk in chunks])

    with play(Script(say("streamed and awaited"))) as session:
        assert asyncio.run(talk(session)) == "streamed and awaited"


def test_a_fault_of_a_streamed_request_is_an_http_error() -> None:
    with (
        play(Script(fault(500, "broken"))) as session,
        pytest.raises(openai.InternalServerError, match="broken"),
    ):
        stream(session)
