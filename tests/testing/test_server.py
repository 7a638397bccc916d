"""The server answers a real OpenAI client from its script, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletion
from openai.types.chat.chat_completion_message_function_tool_call import ChatCompletionMessageFunctionToolCall

from fingerpost_testing import (
    Script,
    ScriptedServer,
    ScriptError,
    Session,
    ToolCall,
    UnconsumedTurns,
    UnexpectedRequest,
    calls,
    fault,
    hang_up,
    play,
    say,
    slow,
)

BROKEN = '{"text": broken \\u00'


def client(session: Session, **options: Any) -> openai.OpenAI:
    settings: dict[str, Any] = {"api_key": "secret-key", "max_retries": 0, "timeout": 30.0, **options}
    return openai.OpenAI(base_url=session.base_url, **settings)


def ask(session: Session, text: str = "hi", system: str = "", **options: Any) -> ChatCompletion:
    with client(session, **options) as model:
        return model.chat.completions.create(
            model="some-model",
            messages=[{"role": "system", "content": system}, {"role": "user", "content": text}],
        )


def post(session: Session, body: bytes, path: str = "/chat/completions", **headers: str) -> tuple[int, str]:
    host, prefix = session.base_url.removeprefix("http://").split("/", 1)
    connection = http.client.HTTPConnection(host, timeout=30)
    try:
        connection.request("POST", f"/{prefix}{path}", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_a_text_turn_arrives_as_a_complete_chat_completion() -> None:
    with play(Script(say("Good day."))) as session:
        answer = ask(session, "one two three")
    assert answer.choices[0].message.content == "Good day."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.choices[0].message.tool_calls is None
    assert (answer.id, answer.model, answer.created) == ("chatcmpl-1", "some-model", 1_700_000_000)
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens, answer.usage.total_tokens) == (
        3,
        2,
        5,
    )


def test_several_calls_of_one_turn_arrive_in_order_with_raw_arguments() -> None:
    with play(Script(calls(ToolCall("a", {"n": 1}), ToolCall("b", BROKEN)))) as session:
        choice = ask(session).choices[0]
    assert choice.finish_reason == "tool_calls"
    assert choice.message.content is None
    arrived: list[tuple[str, str, str]] = []
    for call in choice.message.tool_calls or []:
        assert isinstance(call, ChatCompletionMessageFunctionToolCall)
        arrived.append((call.id, call.function.name, call.function.arguments))
    assert arrived == [("call_1", "a", '{"n": 1}'), ("call_2", "b", BROKEN)]


def test_the_async_client_is_answered_too() -> None:
    async def talk(session: Session) -> str | None:
        async with openai.AsyncOpenAI(
            base_url=session.base_url, api_key="x", max_retries=0, timeout=30.0
        ) as model:
            answer = await model.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}]
            )
            return answer.choices[0].message.content

    with play(Script(say("async"))) as session:
        assert asyncio.run(talk(session)) == "async"


def test_a_request_after_the_last_turn_is_refused_and_fails_the_session() -> None:
    with ScriptedServer() as server:
        session = server.play(Script(say("only")), "greeting")
        ask(session)
        with pytest.raises(openai.BadRequestError, match="its script has 1 turns"):
            ask(session, "and again", system="Be brief.")
        with pytest.raises(UnexpectedRequest) as caught:
            session.finish()
    message = str(caught.value)
    assert "'greeting' got request 2" in message
    assert "from user: 'and again'" in message


def test_leftover_turns_fail_the_session_and_are_named() -> None:
    with ScriptedServer() as server:
        session = server.play(Script(say("one"), calls(ToolCall("find", {"text": "x"})), say("three")))
        ask(session)
        with pytest.raises(UnconsumedTurns) as caught:
            session.finish()
    message = str(caught.value)
    assert "'session-1' ended after 1 of 3 turns" in message
    assert 'turn 2: call find({"text": "x"}); turn 3: say \'three\'' in message


def test_leaving_the_context_of_a_session_checks_its_script() -> None:
    with (
        ScriptedServer() as server,
        pytest.raises(UnconsumedTurns, match="0 of 1"),
        server.play(Script(say("x"))),
    ):
        pass


def test_leaving_the_server_checks_sessions_that_nobody_finished() -> None:
    server = ScriptedServer()
    server.play(Script(), "empty")
    server.play(Script(say("x")), "left")
    with pytest.raises(UnconsumedTurns, match="'left'"), server:
        pass


def test_an_error_on_its_way_is_not_replaced_but_gets_a_note() -> None:
    with pytest.raises(KeyError) as caught, play(Script(say("x"))):
        raise KeyError("the agent broke")
    assert ["0 of 1 turns" in note for note in caught.value.__notes__] == [True]


def test_finishing_twice_complains_once() -> None:
    with ScriptedServer() as server:
        session = server.play(Script(say("x")))
        with pytest.raises(UnconsumedTurns):
            session.finish()
        session.finish()
        assert session.finished
        with pytest.raises(openai.BadRequestError, match="it is finished"):
            ask(session)


def test_sessions_of_one_server_are_separate_and_run_in_parallel() -> None:
    count = 8
    with ScriptedServer() as server:
        sessions = [server.play(Script(say(f"first {n}"), say(f"second {n}"))) for n in range(count)]
        start = threading.Barrier(count)

        def talk(session: Session) -> list[str | None]:
            start.wait(30)
            return [ask(session, session.name).choices[0].message.content for _ in range(2)]

        with ThreadPoolExecutor(count) as pool:
            heard = list(pool.map(talk, sessions))
    assert heard == [[f"first {n}", f"second {n}"] for n in range(count)]
    for session in sessions:
        assert [request.body["messages"][1]["content"] for request in session.requests] == [session.name] * 2


def test_parallel_requests_of_one_session_each_take_a_turn_of_their_own() -> None:
    count = 8
    with play(Script(*(say(str(n)) for n in range(count)))) as session, ThreadPoolExecutor(count) as pool:
        answers = pool.map(ask, [session] * count)
        assert sorted(str(a.choices[0].message.content) for a in answers) == [str(n) for n in range(count)]


def test_the_log_holds_bodies_and_headers_without_the_key() -> None:
    script = Script(say("hello"))
    with play(script) as session:
        with client(session, default_headers={"X-Trace": "t1", "Api-Key": "other-secret"}) as model:
            model.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}], temperature=0
            )
        (request,) = session.requests
    assert request.body == {"model": "m", "messages": [{"role": "user", "content": "hi"}], "temperature": 0}
    assert request.turn == script.turns[0]
    assert request.headers["x-trace"] == "t1"
    assert "secret" not in repr(request)


def test_a_fault_takes_a_turn_and_a_retrying_client_gets_the_next_one() -> None:
    with play(Script(fault(503, "overloaded"), say("recovered"))) as session:
        with pytest.raises(openai.InternalServerError, match="overloaded") as caught:
            ask(session)
        assert caught.value.status_code == 503
        assert ask(session).choices[0].message.content == "recovered"


def test_hanging_up_is_a_connection_error() -> None:
    with play(Script(hang_up(), say("back"))) as session:
        with pytest.raises(openai.APIConnectionError):
            ask(session)
        assert ask(session).choices[0].message.content == "back"


def test_a_slow_turn_outlasts_an_impatient_client_and_closing_does_not_wait_for_it() -> None:
    threads = set(threading.enumerate())
    with play(Script(slow(300, say("late")))) as session, pytest.raises(openai.APITimeoutError):
        ask(session, timeout=0.5)
    for thread in set(threading.enumerate()) - threads:
        thread.join(30)
        assert not thread.is_alive()


def test_models_are_listed_without_taking_a_turn() -> None:
    with play(Script(say("x"))) as session:
        with client(session) as model:
            assert [entry.id for entry in model.models.list()] == ["scripted"]
        ask(session)
        assert len(session.requests) == 1


@pytest.mark.parametrize(
    ("body", "path", "status", "reason"),
    [
        (b"{}", "/embeddings", 404, "POST knows /v1/chat/completions and /v1/responses"),
        (b"not json", "/chat/completions", 400, "not a JSON object"),
        (b"[]", "/chat/completions", 400, "not a JSON object"),
        (b"[" * 20_000, "/chat/completions", 400, "not a JSON object"),
        (b'{"input": ' + b'{"a":' * 20_000, "/responses", 400, "not a JSON object"),
        (b'{"messages": []}', "/chat/completions", 400, "'messages' is not"),
        (b'{"messages": [{}], "tools": ["x"]}', "/chat/completions", 400, "'tools' is not"),
    ],
)
def test_a_request_that_cannot_be_answered_fails_the_session(
    body: bytes, path: str, status: int, reason: str
) -> None:
    with ScriptedServer() as server:
        session = server.play(Script(), "strict")
        answer = post(session, body, path)
        assert answer[0] == status
        assert reason in answer[1]
        with pytest.raises(UnexpectedRequest, match=f"'strict'.*{reason}"):
            session.finish()


@pytest.mark.parametrize(("depth", "status"), [(250, 200), (300, 400), (980, 400), (1_000, 400)])
@pytest.mark.parametrize("path", ["/chat/completions", "/responses"])
def test_a_request_of_any_depth_gets_an_answer(path: str, depth: int, status: int) -> None:
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    tool = b'{"type": "function", "name": "f", "parameters": ' + nested + b"}"
    body = b'{"input": "hi", "messages": [{"role": "user"}], "tools": [' + tool + b"]}"
    with ScriptedServer() as server:
        session = server.play(Script(say("x")))
        assert post(session, body, path)[0] == status
        with contextlib.nullcontext() if status == 200 else pytest.raises(UnexpectedRequest, match="deeply"):
            session.finish()
        assert len(str(session.transcript)) > 0


def test_an_oversized_request_is_refused_before_it_is_read() -> None:
    with ScriptedServer() as server:
        session = server.play(Script())
        status, text = post(session, b"{}", **{"Content-Length": str(2**40)})
        assert status == 413
        assert str(2**40) in text
        with pytest.raises(UnexpectedRequest, match="more than"):
            session.finish()


def test_an_address_without_a_session_names_the_sessions() -> None:
    with ScriptedServer() as server:
        server.play(Script(), "here")
        stranger = Session("there", Script(), f"{server.address}/s/there/v1")
        status, text = post(stranger, b"{}")
    assert status == 404
    assert "the sessions are: here" in text


@pytest.mark.parametrize("name", ["a/b", "a b", "ü", "a" * 101])
def test_a_session_name_must_fit_an_address(name: str) -> None:
    with ScriptedServer() as server, pytest.raises(ValueError, match="cannot name a session"):
        server.play(Script(), name)


def test_a_session_name_is_used_once() -> None:
    with ScriptedServer() as server:
        server.play(Script(), "twin")
        with pytest.raises(ValueError, match="already has a session named 'twin'"):
            server.play(Script(), "twin")


def test_a_stopped_server_is_gone_and_plays_nothing_more() -> None:
    threads = set(threading.enumerate())
    server = ScriptedServer()
    session = server.play(Script(say("x")))
    with client(session) as model:  # its connection is kept open and must not keep the server alive
        model.chat.completions.create(model="m", messages=[{"role": "user", "content": "hi"}])
        server.finish()
        for thread in set(threading.enumerate()) - threads:
            thread.join(30)
            assert not thread.is_alive()
    with pytest.raises(ConnectionRefusedError):
        post(session, b"{}")
    with pytest.raises(ScriptError, match="start another one"):
        server.play(Script())
    server.finish()
