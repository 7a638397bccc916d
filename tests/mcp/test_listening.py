"""Where `fingerpost mcp --http` listens, with which token, and what it says when it cannot."""

from __future__ import annotations

import signal
import socket
from pathlib import Path

import pytest

from fingerpost import demo_bundle
from tests.core.cli.shell import Shell
from tests.mcp.http_serving import call, post, served

DEMO = demo_bundle()
TOKEN = "a-token-of-more-than-16"
READ = call("kb_read", concept_id="plans/day")


ALLOW_HOST = "Other machines are refused until --allow-host says by which name they call this one.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_token_of_the_environment_or_of_a_file_is_asked_for(
    encoding: str, variables: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "token").write_text(f"{TOKEN}\n", encoding=encoding)
    (tmp_path / "token").chmod(0o600)
    ways: list[tuple[list[str], dict[str, str]]] = [
        (["--token-file", str(tmp_path / "token")], {}),
        ([], {"FINGERPOST_MCP_TOKEN": TOKEN}),
    ]
    for words, more in ways:
        with served(DEMO, "--http", "0.0.0.0:0", *words, variables=variables | more) as server:
            assert server.url.startswith("http://localhost:")
            assert "with a token; " in server.said
            assert TOKEN not in server.said
            assert post(server.url, READ).status == 401
            assert "14 euros" in post(server.url, READ, Authorization=f"Bearer {TOKEN}").text
            assert server.stop(signal.SIGTERM) == (0, ALLOW_HOST)


def test_a_token_that_other_users_can_read_is_warned_of(variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN, encoding="utf-8")
    (tmp_path / "token").chmod(0o640)
    words = ("--http", "0.0.0.0:0", "--allow-host", "kb.example.org", "--token-file", str(tmp_path / "token"))
    with served(DEMO, *words, variables=variables) as server:
        assert server.stop(signal.SIGTERM) == (
            0,
            f"Other users can read the token in {str(tmp_path / 'token')!r}: run chmod 600 on it.\n",
        )


def refused(shell: Shell, *words: str) -> str:
    """The one sentence with which a server does not start."""
    done = shell(*words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith("fingerpost: ")
    return done.err


@pytest.mark.parametrize("place", ["0.0.0.0:0", "[::]:0"])
def test_an_address_that_others_can_reach_needs_a_token(place: str, shell: Shell) -> None:
    said = refused(shell, DEMO, "--http", place)
    assert "FINGERPOST_MCP_TOKEN" in said
    assert "--token-file" in said


@pytest.mark.parametrize(
    "token", ["tiny", "fifteen-letters", "sixteen letters with blanks", "sixteen-letters-é"]
)
def test_a_token_that_is_too_short_or_cannot_be_sent_is_refused(
    token: str, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "token").write_text(token, encoding="utf-8")
    monkeypatch.setenv("FINGERPOST_MCP_TOKEN", token)
    for words in (("--token-file", str(tmp_path / "token")), ()):
        said = refused(shell, DEMO, "--http", "0", *words)
        assert token not in said
        assert "use 16 or more" in said


@pytest.mark.parametrize("content", [None, b"", b"\xff\xfe"])
def test_a_token_file_without_a_token_is_refused(content: bytes | None, shell: Shell, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "token").write_bytes(content)
    words = (DEMO, "--http", "0", "--token-file", str(tmp_path / "token"))
    said = refused(shell, *words)
    assert said.count(str(tmp_path / "token")) == 1
    assert ("use 16 or more" if content == b"" else "name a file that holds") in said


def test_a_port_in_use_is_named_with_a_way_out(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = refused(shell, DEMO, "--http", str(port))
    assert f"127.0.0.1:{port}" in said
    assert "--http 0" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--http", "70000"), "70000"),
        (("--http", "http://localhost"), "http://localhost"),
        (("--http", "nowhere.invalid:0"), "no address of that name"),
        (("--http", f"{'a' * 100}.invalid:0"), "cannot listen at aaa"),
        (("--http", "0", "--allow-host", "https://kb.example"), "https://kb.example"),
        (("--http", "0", "--allow-host", "*"), "'*'"),
        (("--http", "0", "--allow-host", "kb.example:443"), "kb.example:443"),
        (("--allow-host", "kb.example"), "--allow-host is for serving with --http"),
        (("--token-file", "x"), "--token-file is for serving with --http"),
        (("--client", "cursor"), "--client is for `fingerpost mcp install`"),
    ],
)
def test_options_that_make_no_sense_are_explained(words: tuple[str, ...], said: str, shell: Shell) -> None:
    assert said in refused(shell, DEMO, *words)


def test_a_bundle_that_is_taken_for_the_port_is_named_with_a_way_out(shell: Shell) -> None:
    assert "put --http last" in refused(shell, "--http", DEMO)
