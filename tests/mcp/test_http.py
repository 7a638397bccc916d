"""`fingerpost mcp --http`: a process that answers clients over HTTP, and whom it answers."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client

from fingerpost import demo_bundle
from fingerpost_mcp import bind
from tests.mcp.http_serving import HANG_SECONDS, call, in_this_process, post, served
from tests.mcp.test_server import both_generations, text_of

DEMO = demo_bundle()
TOKEN = "a-token-of-more-than-16"
READ = call("kb_read", concept_id="plans/day")


@pytest.fixture(scope="module")
def demo() -> Iterator[str]:
    """The URL of a server over a function, which all tests of a kind share."""

    def day_ticket() -> str:
        """Say what a day ticket costs."""
        return "14 euros"

    with in_this_process(bind([day_ticket])) as url:
        yield url


ASK = call("day_ticket")


def walked(url: str, mode: str) -> list[str]:
    """What the official client sees on its way from the index to a concept."""

    async def walk() -> list[str]:
        async with Client(url, mode=mode) as client:
            texts = [tool.name for tool in (await client.list_tools()).tools]
            for name, sent in (
                ("kb_index", {"path": "policies"}),
                ("kb_find", {"text": "cancelling", "limit": "1"}),
                ("kb_read", {"concept_id": "policies/cancellation"}),
            ):
                texts.append(text_of(await client.call_tool(name, sent)))
            prompt = (await client.list_prompts()).prompts[0].name
            resource = (await client.list_resources()).resources[0].uri
            return [*texts, prompt, resource]

    return asyncio.run(walk())


def test_the_official_client_walks_from_the_index_to_the_concept_in_both_generations(
    variables: dict[str, str],
) -> None:
    with served(DEMO, "--http", "0", variables=variables) as server:
        new, old = walked(server.url, "auto"), walked(server.url, "legacy")
        assert server.url.startswith("http://127.0.0.1:")
        assert server.stop(signal.SIGTERM) == (0, "")
    *names, index, found, read, prompt, resource = new
    assert names == ["kb_index", "kb_read", "kb_find"]
    assert "(/policies/cancellation)" in index
    assert "policies/cancellation" in found
    assert "30 days" in read
    assert (prompt, resource) == ("index", "okf://kb/computations/active-riders")
    assert old == new


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_with_exit_code_0_and_no_word(
    number: int, variables: dict[str, str]
) -> None:
    with served(DEMO, "--http", "0", variables=variables) as server:
        assert server.said == (f"Serving file://{DEMO} at {server.url}; Ctrl-C ends.\n")
        assert post(server.url, READ).status == 200
        assert server.stop(number) == (0, "")


def test_several_bundles_are_served_over_http(variables: dict[str, str]) -> None:
    with served(f"hire={DEMO}", f"shop={DEMO}", "--http", "127.0.0.1:0", variables=variables) as server:
        reply = post(server.url, call("shop_kb_read", concept_id="plans/day"))
        assert "14 euros" in reply.text


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:80", "127.0.0.1:9", "[::1]:9", "[::1]", "LocalHost:80"]
)
def test_every_name_of_the_loopback_interface_is_answered(host: str, demo: str) -> None:
    assert post(demo, ASK, Host=host).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:80",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "0.0.0.0",
        "localhost:80:evil.example",
        "localhost:80@evil.example",
        "localhost:",
        "localhost:port",
        "",
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "OPTIONS"])
def test_a_request_for_another_host_is_refused(host: str, method: str, demo: str) -> None:
    reply = post(demo, ASK, method=method, Host=host)
    assert reply.status == 421
    assert f"the host {host!r}; if that is a name of this server, start it with --allow-host" in reply.text


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://localhost.evil.example",
        "http://localhost@evil.example",
        "http://localhost:80@evil.example",
        "http://localhost:80.evil.example",
        "http://localhost/",
        "null",
        "file://",
    ],
)
@pytest.mark.parametrize("method", ["POST", "GET", "OPTIONS"])
def test_a_request_from_a_foreign_web_page_is_refused(origin: str, method: str, demo: str) -> None:
    reply = post(demo, ASK, method=method, Origin=origin)
    assert reply.status == 403
    assert repr(origin) in reply.text
    assert "--allow-host" in reply.text


def test_what_a_client_sent_is_not_sent_back_at_length(demo: str) -> None:
    assert len(post(demo, ASK, Host="x" * 5_000).text) < 300


def test_a_web_page_of_this_machine_is_answered_but_browsers_are_not_told_so(demo: str) -> None:
    for origin in ("http://localhost:6274", "HTTP://LocalHost"):
        reply = post(demo, ASK, Origin=origin)
        assert reply.status == 200
        assert "access-control-allow-origin" not in reply.headers


@pytest.mark.parametrize("method", ["GET", "DELETE", "OPTIONS", "PUT"])
def test_only_posts_are_taken_since_there_are_no_sessions(method: str, demo: str) -> None:
    reply = post(demo, b"", method=method)
    assert (reply.status, reply.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("path", ["/", "/mcp/", "/mcp/x"])
def test_another_path_is_not_found_and_leads_nowhere(path: str, demo: str) -> None:
    reply = post(demo, ASK, path=path)
    assert (reply.status, reply.headers.get("location")) == (404, None)


def test_a_plain_request_without_a_handshake_is_answered_as_json(demo: str) -> None:
    reply = post(demo, ASK, Accept="application/json")
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    assert reply.json["result"]["content"][0]["text"] == "14 euros"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"x" * (1024 * 1024 + 1), 413),
        (b"not JSON", 400),
        (b"[" * 100_000, 400),
        (b'[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', 400),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":"\\ud83d"}}}',
            400,
        ),
    ],
)
def test_what_is_no_request_is_refused_and_the_next_one_is_answered(
    body: bytes, status: int, demo: str
) -> None:
    assert post(demo, body).status == status
    assert post(demo, ASK).status == 200


def test_a_request_of_unknown_length_is_limited_too(demo: str) -> None:
    host, port = demo.removeprefix("http://").removesuffix("/mcp").split(":")
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
        "Accept: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    with socket.create_connection((host, int(port)), timeout=HANG_SECONDS) as line:
        line.sendall(head.encode() + chunk * 17 + b"0\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 413 ")


class TestToken:
    @pytest.fixture(scope="class")
    @staticmethod
    def url() -> Iterator[str]:
        def greet() -> str:
            """Greet."""
            return "Hello."

        with in_this_process(bind([greet]), token=TOKEN, hosts=["kb.example.org"]) as url:
            yield url

    def test_a_request_with_the_token_is_answered(self, url: str) -> None:
        for sent in (f"Bearer {TOKEN}", f"bearer  {TOKEN}"):
            assert "Hello." in post(url, call("greet"), Authorization=sent).text

    @pytest.mark.parametrize(
        "sent",
        [
            "",
            "Bearer",
            "Bearer ",
            f"Basic {TOKEN}",
            TOKEN,
            f"Bearer {TOKEN}x",
            f"Bearer {TOKEN[:-1]}",
            "Bearer \xe9",
        ],
    )
    def test_a_request_without_the_token_is_refused_and_told_how_to_send_it(
        self, sent: str, url: str
    ) -> None:
        reply = post(url, call("greet"), Authorization=sent)
        assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")
        assert TOKEN not in reply.text
        assert "Hello." not in reply.text

    @pytest.mark.parametrize(("method", "path"), [("GET", "/mcp"), ("POST", "/other"), ("OPTIONS", "/mcp")])
    def test_nothing_is_answered_without_the_token(self, method: str, path: str, url: str) -> None:
        assert post(url, b"", method=method, path=path).status == 401

    @pytest.mark.parametrize(
        ("host", "status"), [("kb.example.org", 200), ("kb.example.org:443", 200), ("x.org", 421)]
    )
    def test_the_names_that_were_allowed_are_answered(self, host: str, status: int, url: str) -> None:
        authorization = f"Bearer {TOKEN}"
        assert post(url, call("greet"), Host=host, Authorization=authorization).status == status
        assert post(url, call("greet"), Origin=f"https://{host}", Authorization=authorization).status == (
            200 if status == 200 else 403
        )


def test_a_host_is_allowed_in_whatever_case_it_was_written() -> None:
    def greet() -> str:
        """Greet."""
        return "Hello."

    with in_this_process(bind([greet]), hosts=["KB.Example.org"]) as url:
        assert post(url, call("greet"), Host="kb.EXAMPLE.org:443").status == 200
        assert post(url, call("greet"), Host="kb-example.org").status == 421


@both_generations
def test_ten_calls_that_wait_do_not_keep_others_from_being_answered(mode: str) -> None:
    here, done = threading.Barrier(11), threading.Event()

    def wait() -> str:
        """Wait until it is over."""
        here.wait(timeout=HANG_SECONDS)
        assert done.wait(timeout=HANG_SECONDS)
        return "over"

    def quick() -> str:
        """Answer at once."""
        return "at once"

    async def ask(url: str) -> list[str]:
        async with Client(url, mode=mode) as client:
            waiting = [asyncio.create_task(client.call_tool("wait")) for _ in range(10)]
            await asyncio.to_thread(here.wait, HANG_SECONDS)
            first = text_of(await client.call_tool("quick"))
            assert not any(task.done() for task in waiting)
            done.set()
            return [first, *[text_of(await task) for task in waiting]]

    with in_this_process(bind([wait, quick])) as url:
        assert asyncio.run(ask(url)) == ["at once", *["over"] * 10]


CLIENT = """
import sys
sys.path.insert(0, {root!r})
from tests.mcp import stuck
from tests.mcp.http_serving import call, post
post({url!r}, call("wait"))
"""


def test_a_client_that_is_killed_in_a_call_takes_nothing_with_it() -> None:
    called, done, calls = threading.Event(), threading.Event(), list[str]()

    def wait() -> str:
        """Wait until it is over."""
        calls.append("begun")
        called.set()
        assert done.wait(timeout=HANG_SECONDS)
        calls.append("ended")
        return "over"

    root = str(Path(__file__).resolve().parents[2])
    with in_this_process(bind([wait])) as url:
        client = subprocess.Popen([sys.executable, "-c", CLIENT.format(root=root, url=url)])
        assert called.wait(timeout=HANG_SECONDS)
        client.kill()
        client.wait(timeout=HANG_SECONDS)
        done.set()
        assert "over" in post(url, call("wait")).text
    assert sorted(calls) == ["begun", "begun", "ended", "ended"]
