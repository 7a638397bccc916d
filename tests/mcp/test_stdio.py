"""`fingerpost mcp` as a client starts it: a process that speaks over its standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import subprocess
from pathlib import Path
from typing import Any, TextIO

import pytest
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import TextContent

from fingerpost import Bundle, demo_bundle
from tests.core.cli.shell import command_line, concept, write_files, write_plug_in
from tests.repo.sources import in_fresh_python

DEMO = demo_bundle()

INITIALIZE = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}

# A store that prints in every way that a library might, on import, when opened and when read.
NOISY = r"""
import logging, os, subprocess, sys, warnings
from fingerpost import MemoryDocumentStore

def noise():
    print("noise by print")
    sys.__stdout__.write("noise by the first stdout\n")
    os.write(1, b"noise by descriptor\n")
    subprocess.run(["echo", "noise by a child"], check=True)
    warnings.warn("noise by warning", DeprecationWarning, stacklevel=1)
    logging.getLogger("noisy").debug("noise by logging")

noise()

class Noisy(MemoryDocumentStore):
    def read_bytes(self, path, max_bytes=None):
        noise()
        return super().read_bytes(path, max_bytes)

def open_store(uri):
    noise()
    return Noisy({"a.md": "---\ntype: Note\ntitle: A\n---\n\nquiet\n"})
"""


BROKEN = """
from fingerpost import MemoryDocumentStore

class Broken(MemoryDocumentStore):
    def changes(self, cursor=None):
        raise RuntimeError("The line is cut.")

def open_store(uri):
    return Broken({})
"""


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"id": number, "method": method, "params": params}


def read_call(number: int, concept_id: str) -> dict[str, Any]:
    return request(number, "tools/call", name="kb_read", arguments={"concept_id": concept_id})


def line(message: dict[str, Any]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()


def piped(
    bundle: str, *messages: dict[str, Any] | bytes, variables: dict[str, str], options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    """Pipe messages into a server, the handshake first."""
    handshake = [{"id": 0, **INITIALIZE}, {"method": "notifications/initialized"}]
    lines = [message if isinstance(message, bytes) else line(message) for message in [*handshake, *messages]]
    return subprocess.run(
        command_line("mcp", bundle, *options),
        input=b"\n".join(lines) + b"\n",
        env=variables,
        capture_output=True,
        timeout=60,
        check=False,
    )


def results(output: bytes) -> dict[int, Any]:
    """The results by their ids; every line must be a message of the protocol."""
    messages = [json.loads(line) for line in output.decode("utf-8").splitlines()]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    return {message["id"]: message["result"] for message in messages}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_walks_from_the_index_to_the_concept(
    mode: str, variables: dict[str, str], tmp_path: Path
) -> None:
    command, *words = command_line("mcp", DEMO, "--prefix", "hire_")
    parameters = StdioServerParameters(command=command, args=words, env=variables)

    async def walk(errors: TextIO) -> list[str]:
        async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
            texts = [tool.name for tool in (await client.list_tools()).tools]
            for name, sent in (
                ("hire_kb_index", {"path": "policies"}),
                ("hire_kb_find", {"text": "cancelling", "limit": "1"}),
                ("hire_kb_read", {"concept_id": "policies/cancellation"}),
            ):
                (part,) = (await client.call_tool(name, sent)).content
                assert isinstance(part, TextContent)
                texts.append(part.text)
            return texts

    with open(tmp_path / "errors", "w", encoding="utf-8") as log:
        *names, index, found, read = asyncio.run(walk(log))
    assert names == ["hire_kb_index", "hire_kb_read", "hire_kb_find"]
    assert "(/policies/cancellation)" in index
    assert "policies/cancellation" in found
    assert "30 days" in read
    assert (tmp_path / "errors").read_text(encoding="utf-8") == ""


def test_the_end_of_the_input_ends_the_server_after_its_last_answers(variables: dict[str, str]) -> None:
    calls = [read_call(number, "policies/damage") for number in range(1, 9)]
    served = piped(DEMO, *calls, variables=variables)
    assert (served.returncode, served.stderr) == (0, b"")
    answers = results(served.stdout)
    assert sorted(answers) == list(range(9))
    assert all("180 euros" in answers[number]["content"][0]["text"] for number in range(1, 9))


def test_lines_that_are_no_requests_do_not_end_the_server(variables: dict[str, str]) -> None:
    lines: list[dict[str, Any] | bytes] = [
        b"\xff\xfe no UTF-8",
        b"[" * 100_000,
        {"method": "notifications/cancelled", "params": ["no mapping"]},
        {"method": "notifications/cancelled", "params": {"requestId": []}},
        {"id": [], "method": 5},
    ]
    served = piped(DEMO, *lines, read_call(1, "plans/day"), variables=variables)
    assert served.returncode == 0
    assert b"14 euros" in served.stdout


def test_standard_output_holds_the_protocol_alone_whatever_prints(
    variables: dict[str, str], tmp_path: Path
) -> None:
    write_plug_in(
        tmp_path / "site",
        "noisy",
        {"noisy": "noisy_store:open_store"},
        {"noisy_store": NOISY},
        "fingerpost.stores",
    )
    served = piped(
        "noisy://x", read_call(1, "a"), variables=variables | {"PYTHONWARNINGS": "always"}, options=("-vv",)
    )
    assert served.returncode == 0
    assert "quiet" in results(served.stdout)[1]["content"][0]["text"]
    for way in ("print", "the first stdout", "descriptor", "a child", "warning", "logging"):
        assert f"noise by {way}".encode() in served.stderr
    assert served.stderr.index(b"by print") < served.stderr.index(b"by descriptor")


def test_the_bytes_are_the_same_in_every_locale(variables: dict[str, str], tmp_path: Path) -> None:
    bundle = write_files(tmp_path / "kb", {"shop.md": concept("متجر", "سياسة الإرجاع – 30 €")})
    calls = (read_call(1, "shop"), request(2, "tools/call", name="kb_find", arguments={"text": "سياسة"}))
    plain = piped(bundle, *calls, variables=variables | {"PYTHONUTF8": "1"})
    answers = results(plain.stdout)
    assert "سياسة الإرجاع – 30 €" in answers[1]["content"][0]["text"]
    assert "متجر" in answers[2]["content"][0]["text"]
    ascii_only = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for locale in ({"LC_ALL": "C", "PYTHONIOENCODING": "cp1252"}, ascii_only):
        other = piped(bundle, *calls, variables=variables | locale)
        assert (other.returncode, other.stderr) == (0, plain.stderr)
        assert results(other.stdout) == answers
        assert sorted(other.stdout.splitlines()) == sorted(plain.stdout.splitlines())


@pytest.mark.parametrize(
    ("bundle", "options", "said"),
    [("/no/such/folder", (), "/no/such/folder"), (DEMO, ("--prefix", "No Good"), "No Good")],
)
def test_a_server_that_cannot_start_says_why_in_one_sentence(
    bundle: str, options: tuple[str, ...], said: str, variables: dict[str, str]
) -> None:
    served = piped(bundle, variables=variables, options=options)
    assert (served.returncode, served.stdout) == (2, b"")
    assert served.stderr.startswith(b"fingerpost: ")
    assert said.encode() in served.stderr
    assert served.stderr.count(b"\n") == 1


def test_an_empty_bundle_is_served_with_a_warning(variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    with started(variables, str(tmp_path / "kb")) as server:
        assert server.stderr is not None
        assert b"No concept was found in" in server.stderr.readline()
        assert server.communicate(timeout=60) == (b"", b"")
        assert server.returncode == 0


def test_a_bundle_that_cannot_be_read_is_served_with_a_warning(
    variables: dict[str, str], tmp_path: Path
) -> None:
    write_plug_in(
        tmp_path / "site",
        "broken",
        {"broken": "broken_store:open_store"},
        {"broken_store": BROKEN},
        "fingerpost.stores",
    )
    with started(variables, "broken://x") as server:
        assert server.stderr is not None
        assert b"The bundle cannot be read now. The line is cut." in server.stderr.readline()
        answer, _ = server.communicate(line(read_call(1, "a")) + b"\n", timeout=60)
        assert (server.returncode, json.loads(answer)["id"]) == (0, 1)


def test_a_person_at_a_terminal_is_told_that_the_server_waits(variables: dict[str, str]) -> None:
    terminal, theirs = pty.openpty()
    with subprocess.Popen(
        command_line("mcp", DEMO),
        env=variables,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        assert server.stdout is not None
        assert server.stderr.readline() == (
            f"Serving {Bundle(DEMO).store.identity} over standard input and output; waiting for a client, "
            "Ctrl-C ends.\n"
        )
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) == -signal.SIGINT
        assert (server.stdout.read(), server.stderr.read()) == ("", "")
    os.close(terminal)
    os.close(theirs)


def started(variables: dict[str, str], bundle: str = DEMO) -> subprocess.Popen[bytes]:
    """A server that has answered the handshake."""
    server = subprocess.Popen(
        command_line("mcp", bundle),
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    send(server, {"id": 0, **INITIALIZE})
    assert server.stdout is not None
    assert json.loads(server.stdout.readline())["id"] == 0
    return server


def send(server: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert server.stdin is not None
    server.stdin.write(line(message) + b"\n")
    server.stdin.flush()


def test_an_interrupt_ends_the_server_at_once_and_quietly(variables: dict[str, str]) -> None:
    with started(variables) as server:
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) == -signal.SIGINT
        assert server.stderr is not None
        assert server.stderr.read() == b""


def test_a_client_that_is_gone_ends_the_server_quietly(variables: dict[str, str]) -> None:
    with started(variables) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdout.close()
        send(server, read_call(1, "plans/day"))
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(timeout=60) == 0
        assert server.stderr.read() == b""


OLD = """
import importlib.abc, sys

class NoTypes(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "mcp_types":
            raise ModuleNotFoundError("No module named 'mcp_types'", name=name)

sys.meta_path.insert(0, NoTypes())
sys.path.insert(0, {site!r})
{use}
"""

OLD_SENTENCE = (
    "The MCP server works only with a newer release than mcp 1.30.0. "
    "Run: pip install --upgrade 'fingerpost[mcp]'"
)
COMMAND = "from fingerpost.cli.main import main; sys.exit(main({words!r}))"


@pytest.mark.parametrize(
    ("use", "said"),
    [
        ("import fingerpost_mcp", f"fingerpost.errors.MissingPackageError: {OLD_SENTENCE}"),
        (COMMAND.format(words=["mcp", DEMO]), f"fingerpost: {OLD_SENTENCE}"),
        (COMMAND.format(words=["mcp", "install", "--client", "cursor", DEMO]), f"fingerpost: {OLD_SENTENCE}"),
    ],
)
def test_an_old_release_of_mcp_is_named_with_the_way_to_a_newer_one(use: str, said: str, site: Path) -> None:
    write_files(
        site, {"mcp/__init__.py": "", "mcp/server/__init__.py": "", "mcp/server/lowlevel.py": "Server = 1"}
    )
    write_files(
        site, {"mcp-1.30.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: mcp\nVersion: 1.30.0\n"}
    )
    outcome = in_fresh_python(OLD.format(site=str(site), use=use))
    assert outcome.stderr.splitlines()[-1] == said
    assert outcome.returncode != 0


@pytest.mark.parametrize("number", [5, "five"])
def test_half_of_an_emoji_in_a_request_is_answered(variables: dict[str, str], number: object) -> None:
    call = {"name": "kb_find", "arguments": {"text": "caf\ud83d"}}
    request = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}
    with started(variables) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(request).encode("ascii") + b"\n")
        server.stdin.close()
        answers = [json.loads(line) for line in server.stdout.read().splitlines()]
        assert server.wait(timeout=60) == 0
    assert [answer["id"] for answer in answers] == [number]
    assert "result" in answers[0]
