"""How requests over HTTP end that do not arrive, are too many, or are cut off by the end of the server."""

from __future__ import annotations

import signal
import socket
import struct
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from fingerpost import demo_bundle
from fingerpost_mcp import asgi, bind
from fingerpost_mcp.http import MOST_CONNECTIONS
from tests.mcp import stuck
from tests.mcp.http_serving import HANG_SECONDS, Served, begun, call, connected, in_this_process, post, served
from tests.mcp.stuck import install_stuck_store

DEMO = demo_bundle()
READ = call("kb_read", concept_id="plans/day")


def test_a_request_that_does_not_arrive_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.05)
    with in_this_process(bind([])) as url, begun(url) as line, line.makefile("rb") as answer:
        text = answer.read()
    assert text.startswith(b"HTTP/1.1 408 ")
    assert b"did not arrive" in text


def test_a_client_that_is_gone_before_its_request_arrived_is_no_news(variables: dict[str, str]) -> None:
    with served(DEMO, "--http", "0", variables=variables) as server:
        for reset in (False, True):
            with begun(server.url) as line:
                if reset:
                    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        assert post(server.url, READ).status == 200
        assert server.stop(signal.SIGTERM) == (0, "")


def test_connections_are_limited_and_who_comes_too_much_is_told_to_come_later(
    variables: dict[str, str],
) -> None:
    with served(DEMO, "--http", "0", variables=variables) as server, ExitStack() as lines:
        for _ in range(MOST_CONNECTIONS):
            lines.enter_context(begun(server.url))
        assert post(server.url, READ).status == 503


def test_an_interrupt_in_a_call_lets_it_come_to_its_answer(variables: dict[str, str], tmp_path: Path) -> None:
    with served(DEMO, "--http", "0", variables=variables) as server:
        answers: list[Any] = []
        threads = [threading.Thread(target=lambda: answers.append(ask_or_none(server))) for _ in range(4)]
        for thread in threads:
            thread.start()
        assert server.stop(signal.SIGINT) == (0, "")
        for thread in threads:
            thread.join(timeout=HANG_SECONDS)
    assert all(answer is None or "14 euros" in answer for answer in answers)


def ask_or_none(server: Served) -> str | None:
    try:
        return post(server.url, READ).text
    except OSError:
        return None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_call_that_does_not_end_is_answered_when_the_server_ends_without_it(
    number: int, variables: dict[str, str], site: Path
) -> None:
    with stuck_in_a_call(variables, site) as (server, answers, half):
        code, said = server.stop(number)
        assert (code, said.splitlines()[-1]) == (
            0,
            "The server has ended; requests that were left without an answer: 2.",
        )
        assert "Traceback" not in said
        with half.makefile("rb") as answer:
            assert answer.read().startswith(b"HTTP/1.1 503 ")
    assert answers == ["The server ended before the answer; send the request again later.\n"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_ends_the_server_at_once(number: int, variables: dict[str, str], site: Path) -> None:
    with stuck_in_a_call(variables, site) as (server, _, _):
        server.process.send_signal(number)
        while True:
            try:
                connected(server.url).close()
            except ConnectionError:
                break  # so that the first one was heeded
        assert server.stop(number) == (-number, "")


@contextmanager
def stuck_in_a_call(
    variables: dict[str, str], site: Path
) -> Generator[tuple[Served, list[str | None], socket.socket]]:
    """A server with a call that does not end, where its answer will be, and half of another request."""
    flag = install_stuck_store(site)
    answers: list[str | None] = []
    with served(stuck.URI, "--http", "0", variables=variables) as server:
        assert "quiet" in post(server.url, call("kb_read", concept_id="a")).text
        half = begun(server.url)
        flag.touch()
        asking = threading.Thread(target=lambda: answers.append(ask_or_none(server)))
        asking.start()
        assert server.process.stderr is not None
        assert server.process.stderr.readline() == stuck.SAID
        try:
            yield server, answers, half
        finally:
            server.process.kill()
            half.close()
            asking.join(timeout=HANG_SECONDS)
