"""The reference loop runs tools over real HTTP, against a script or any endpoint."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from fingerpost.errors import ConfigError
from fingerpost.tools import Tool
from fingerpost_testing import (
    Endpoint,
    LoopError,
    Script,
    ToolCall,
    UnconsumedTurns,
    calls,
    explain_difference,
    fault,
    hang_up,
    play,
    run_loop,
    say,
    slow,
)


def shout(text: str) -> str:
    """Say it loudly.

    Args:
        text: What to say.
    """
    return text.upper()


def count(text: str) -> str:
    """Count the letters.

    Args:
        text: What to count.
    """
    return str(len(text))


SCRIPT = Script(
    calls(ToolCall("shout", {"text": "grüße"}), ToolCall("count", {"text": "abc"})),
    calls(ToolCall("shout", '{"text": broken')),
    say("Finished."),
)


def test_the_loop_runs_every_call_and_returns_what_happened() -> None:
    transcript = run_loop([shout, count], SCRIPT, "Go.")
    assert transcript.tool_results[:2] == ("GRÜSSE", "3")
    assert [step.arguments for step in transcript.steps][2] == '{"text": broken'
    assert transcript.tool_results[2] is not None
    assert "JSON" in transcript.tool_results[2]
    assert transcript.answer == "Finished."


def test_the_loop_offers_name_description_and_schema_of_each_tool() -> None:
    (offered, _) = run_loop([shout, count], Script(say("Nothing to do.")), "Go.").tools
    tool = Tool.of(count)
    assert (offered.name, offered.description, offered.schema) == ("count", tool.description, tool.schema)


def test_a_tool_object_is_taken_like_a_callable() -> None:
    assert run_loop([Tool.of(shout), count], SCRIPT, "Go.") == run_loop([shout, count], SCRIPT, "Go.")


def test_the_servers_log_gives_the_same_transcript_as_the_loop() -> None:
    with play(SCRIPT) as session:
        transcript = run_loop(
            [shout, count], Endpoint(session.base_url, "some-model"), "Go.", system="Be brief."
        )
        first, _, last = session.requests
    assert explain_difference(transcript, session.transcript) == ""
    assert first.body["model"] == "some-model"
    assert first.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Go."},
    ]
    roles = [message["role"] for message in last.body["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "tool", "assistant", "tool"]


def test_an_unknown_tool_is_answered_with_the_names_of_the_tools() -> None:
    transcript = run_loop([shout, count], Script(calls(ToolCall("whisper")), say("end")), "Go.")
    assert transcript.tool_results == ('{"error": "There is no tool \'whisper\'; there are: shout, count."}',)


def test_a_loop_without_tools_offers_none() -> None:
    with play(Script(calls(ToolCall("whisper")), say("end"))) as session:
        transcript = run_loop([], Endpoint(session.base_url), "Go.")
        assert "tools" not in session.requests[0].body
    assert transcript.tool_results == ('{"error": "There is no tool \'whisper\'; there is none."}',)


def test_turns_after_the_answer_fail_a_script() -> None:
    with pytest.raises(UnconsumedTurns, match="1 of 2"):
        run_loop([shout], Script(say("early"), say("never")), "Go.")


def test_a_model_that_never_ends_is_stopped() -> None:
    endless = Script(*(calls(ToolCall("shout", {"text": "again"})) for _ in range(4)))
    with pytest.raises(LoopError, match="after 4 requests"):
        run_loop([shout], endless, "Go.", max_requests=4)


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigError, match='Two tools are named "shout"'):
        run_loop([shout, Tool.of(shout)], Script(), "Go.")


def test_faults_of_the_model_come_as_one_error() -> None:
    with pytest.raises(LoopError, match=r"answered with status 503.*overloaded"):
        run_loop([], Script(fault(503, "overloaded")), "Go.")
    with pytest.raises(LoopError, match="did not answer"):
        run_loop([], Script(hang_up()), "Go.")
    with play(Script(slow(300, say("late")))) as session, pytest.raises(LoopError, match="timed out"):
        run_loop([], Endpoint(session.base_url, timeout=0.5), "Go.")


def test_an_address_that_is_not_http_is_refused() -> None:
    with pytest.raises(LoopError, match="unlike 'file:///etc'"):
        run_loop([], Endpoint("file:///etc"), "Go.")


def test_the_key_stays_out_of_repr() -> None:
    assert "hush" not in repr(Endpoint("http://localhost/v1", api_key="hush"))


class _OtherServer(BaseHTTPRequestHandler):
    """A model server as strangers write them; what it answers and what it saw are on the server object."""

    def do_POST(self) -> None:
        server: Any = self.server
        server.seen.append((self.path, self.headers["Authorization"]))
        server.bodies.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self._answer(server.answers.pop(0))

    def do_GET(self) -> None:
        server: Any = self.server
        server.seen.append((self.path, self.headers["Authorization"]))
        self._answer(b"elsewhere")

    def _answer(self, answer: bytes) -> None:
        self.send_response(302 if answer.startswith(b"/") else 200)
        self.send_header("Location", answer.decode("latin-1") if answer.startswith(b"/") else "")
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def other() -> Generator[Any]:
    with HTTPServer(("127.0.0.1", 0), _OtherServer) as server:
        server.answers, server.seen, server.bodies = [], [], []  # type: ignore[attr-defined]
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join(30)


def completion(**message: object) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", **message}}]}).encode()


def test_other_servers_may_send_objects_for_arguments_and_leave_ids_out(other: Any) -> None:
    call = {"type": "function", "function": {"name": "shout", "arguments": {"text": "ok"}}}
    other.answers += [
        completion(tool_calls=[call, call]),
        completion(content=[{"type": "text", "text": "Fine."}]),
    ]
    endpoint = Endpoint(f"http://127.0.0.1:{other.server_port}/v1/", "m", "key-1")
    transcript = run_loop([shout], endpoint, "Go.")
    assert transcript.tool_results == ("OK", "OK")
    assert transcript.answer == "Fine."
    assert other.seen == [("/v1/chat/completions", "Bearer key-1")] * 2
    _, assistant, *results = other.bodies[1]["messages"]
    assert [call["id"] for call in assistant["tool_calls"]] == ["call_1", "call_2"]
    assert [result["tool_call_id"] for result in results] == ["call_1", "call_2"]


def test_calls_of_other_servers_under_one_id_have_a_result_each(other: Any) -> None:
    def call(text: str) -> dict[str, object]:
        return {"id": "x", "function": {"name": "shout", "arguments": {"text": text}}}

    other.answers += [completion(tool_calls=[call("a"), call("b")]), completion(content="Fine.")]
    transcript = run_loop([shout], Endpoint(f"http://127.0.0.1:{other.server_port}/v1"), "Go.")
    assert (transcript.tool_results, transcript.unmatched) == (("A", "B"), ())


def test_an_answer_that_is_nested_too_deeply_is_named(other: Any) -> None:
    other.answers.append(b"[" * 20_000)
    with pytest.raises(LoopError, match=r"not answer with a chat completion: '\[\[\["):
        run_loop([], Endpoint(f"http://127.0.0.1:{other.server_port}/v1"), "Go.")


def test_the_key_does_not_follow_a_redirect(other: Any) -> None:
    other.answers.append(b"/elsewhere")
    with pytest.raises(LoopError, match="chat completion: 'elsewhere'"):
        run_loop([], Endpoint(f"http://127.0.0.1:{other.server_port}/v1", api_key="key-1"), "Go.")
    assert other.seen == [("/v1/chat/completions", "Bearer key-1"), ("/elsewhere", None)]


@pytest.mark.parametrize(
    "answer", [b"<html>", b"{}", b'{"choices": []}', b'{"choices": [{"message": null}]}', b"[]"]
)
def test_an_answer_in_another_format_is_named(other: Any, answer: bytes) -> None:
    other.answers.append(answer)
    with pytest.raises(LoopError, match=f"not answer with a chat completion: '{re.escape(answer.decode())}'"):
        run_loop([], Endpoint(f"http://127.0.0.1:{other.server_port}/v1"), "Go.")
