"""How a server over standard input and output ends: with its input, whatever is still under way."""

from __future__ import annotations

import io
import json
import os
import subprocess
from collections.abc import Sequence
from io import FileIO
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from fingerpost_mcp import wire
from tests.core.cli.shell import command_line
from tests.mcp import stuck
from tests.mcp.stuck import install_stuck_store
from tests.mcp.test_stdio import DEMO, INITIALIZE, line, piped, read_call, results, send, started


def test_a_tool_that_is_stuck_does_not_keep_the_end_waiting(variables: dict[str, str], site: Path) -> None:
    flag = install_stuck_store(site)
    with started(variables, stuck.URI) as server:
        send(server, read_call(1, "a"))
        assert server.stdout is not None
        assert b"quiet" in server.stdout.readline()
        flag.touch()
        send(server, read_call(2, "a"))
        assert server.stderr is not None
        assert server.stderr.readline() == stuck.SAID.encode()
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(timeout=60) == 0
        assert server.stderr.read() == b""
        assert [json.loads(answer)["id"] for answer in server.stdout.read().splitlines()] in ([], [2])


def test_a_bundle_that_is_stuck_while_nobody_asks_does_not_keep_the_end_waiting(
    variables: dict[str, str], site: Path
) -> None:
    install_stuck_store(site).touch()
    served = piped(stuck.URI, variables=variables)
    assert (served.returncode, list(results(served.stdout))) == (0, [0])


def test_a_client_that_reads_no_answer_does_not_keep_the_end_waiting(
    variables: dict[str, str], site: Path
) -> None:
    install_stuck_store(site)
    with started(variables, stuck.URI) as server:
        for number in range(1, 9):  # more than a pipe holds
            send(server, read_call(number, "a"))
        assert server.stdin is not None
        server.stdin.close()
        assert server.wait(timeout=60) == 0
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()


def failed(server: subprocess.Popen[bytes], code: int) -> str:
    """The one sentence with which a server ended whose input is still open."""
    assert server.wait(timeout=60) == code
    assert server.stderr is not None
    said = server.stderr.read().decode()
    assert (said.startswith("fingerpost: "), said.count("\n")) == (True, 1)
    return said


def test_an_output_that_takes_nothing_is_said_in_one_sentence(variables: dict[str, str]) -> None:
    with (
        open("/dev/full", "wb") as full,
        subprocess.Popen(
            command_line("mcp", DEMO),
            env=variables,
            stdin=subprocess.PIPE,
            stdout=full,
            stderr=subprocess.PIPE,
        ) as server,
    ):
        send(server, {"id": 0, **INITIALIZE})
        assert "No space left on device" in failed(server, 3)


def test_an_input_that_cannot_be_read_is_said_in_one_sentence(
    variables: dict[str, str], tmp_path: Path
) -> None:
    with (
        open(tmp_path / "written", "wb") as written,
        subprocess.Popen(
            command_line("mcp", DEMO),
            env=variables,
            stdin=written,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as server,
    ):
        failed(server, 3)


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_stream_that_is_closed_is_said_in_one_sentence(closed: str, variables: dict[str, str]) -> None:
    with subprocess.Popen(
        ["/bin/sh", "-c", f'exec "$@" {closed}', "sh", *command_line("mcp", DEMO)],
        env=variables,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert "one of them is closed" in failed(server, 2)


DROPPED = [
    b'{"id": 1, "method": "tools/list"}',
    b'{"jsonrpc": "1.0", "id": 1, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": true, "method": "tools/list"}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [1]}',
    b'{"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}',
    b'[{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}]',
]


def test_requests_that_are_never_answered_do_not_keep_the_end_waiting(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    monkeypatch.setattr(wire, "LAST_ANSWERS_SECONDS", 3600)
    assert read_to_the_end(*DROPPED) == len(DROPPED)
    served = piped(DEMO, *DROPPED, variables=variables)
    assert (served.returncode, list(results(served.stdout))) == (0, [0])


@pytest.mark.parametrize(
    ("sent", "cancelled"), [([1], 1), ([1], "1"), (["1"], 1), ([1, 2], 2), ([1, "1"], "1"), ([1, 1], 1)]
)
def test_the_end_waits_for_each_request_until_it_is_answered_or_cancelled(
    sent: list[int | str], cancelled: int | str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire, "LAST_ANSWERS_SECONDS", 3600)
    calls = [line({"id": id_, "method": "ping"}) for id_ in sent]
    cancel = line({"method": "notifications/cancelled", "params": {"requestId": cancelled}})
    assert read_to_the_end(*calls, cancel, answers=sent[:-1]) == len(sent) + 1


def read_to_the_end(*lines: bytes, answers: Sequence[int | str] = ()) -> int:
    """How many lines are read, when the end comes with the last of some answers and not before."""

    async def read(output: FileIO) -> int:
        found: list[str] = []
        ended = anyio.Event()
        requests = io.StringIO("".join(f"{each.decode()}\n" for each in lines))
        with anyio.CancelScope() as scope:
            streams = wire.Wire(requests, output, scope)

            async def read_all() -> None:
                async for each in streams:
                    found.append(each)
                ended.set()

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(read_all)
                with anyio.fail_after(60):
                    while len(found) < len(lines):
                        await anyio.lowlevel.checkpoint()
                for id_ in answers:
                    for _ in range(100):  # in which an end that came too early would be seen
                        await anyio.lowlevel.checkpoint()
                    assert not ended.is_set()
                    await streams.write(f'{{"jsonrpc": "2.0", "id": {json.dumps(id_)}, "result": {{}}}}\n')
                with anyio.fail_after(60):
                    await ended.wait()
        return len(found)

    with open(os.devnull, "wb", buffering=0) as output:
        return anyio.run(read, output)
