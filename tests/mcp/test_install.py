"""`fingerpost mcp install` and `uninstall`: a change is shown, made in one step, and can be undone."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

from fingerpost import demo_bundle
from fingerpost_mcp.install.entries import is_ours
from tests.core.cli.shell import Shell, command_line, concept, write_files
from tests.mcp.test_server import text_of

DEMO = demo_bundle()

OTHERS = """{
    "numStartups" : 17,
    "mcpServers": {
        "weather": {"command": "npx", "args": ["-y", "weather"], "env": {"KEY": "s3cret\\u00e9"}}
    },
    "big": 1.50e3
}
"""


PLACES = [
    ("claude-code", "project", "project/.mcp.json"),
    ("claude-code", "user", ".claude.json"),
    ("cursor", "project", "project/.cursor/mcp.json"),
    ("cursor", "user", ".cursor/mcp.json"),
]


def servers(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))["mcpServers"]


@pytest.mark.parametrize(("client", "scope", "place"), PLACES)
def test_the_server_is_written_where_the_client_looks_for_it(
    client: str, scope: str, place: str, shell: Shell, home: Path
) -> None:
    done = shell("install", "--client", client, "--scope", scope, DEMO, "--yes")
    assert (done.code, list(servers(home / place))) == (0, ["harbour-bikes"])
    entry = servers(home / place)["harbour-bikes"]
    assert list(entry) == ["type", "command", "args"]
    assert entry["type"] == "stdio"
    assert os.path.isabs(entry["command"])
    assert entry["args"][-2:] == ["mcp", DEMO]
    assert str(home / place) in done.out
    assert "which is new" in done.out


def test_the_entry_starts_a_server_that_answers(shell: Shell, home: Path, variables: dict[str, str]) -> None:
    write_files(home / "my kb=1", {"a.md": concept("A", "quiet")})
    shell("install", "--client", "claude-code", f"shop={DEMO}", "mine=../my kb=1", "--yes")
    ((name, entry),) = servers(home / "project" / ".mcp.json").items()
    assert name == "fingerpost"
    assert entry["args"][-3:] == ["mcp", f"shop={DEMO}", f"mine={home}/my kb=1"]
    parameters = StdioServerParameters(command=entry["command"], args=entry["args"], env=variables)

    async def ask() -> str:
        async with Client(stdio_client(parameters)) as client:
            return text_of(await client.call_tool("mine_kb_read", {"concept_id": "a"}))

    assert "quiet" in asyncio.run(ask())


def test_without_consent_the_change_is_only_shown(shell: Shell, home: Path) -> None:
    for words, code, said in ((), 1, "add --yes"), (("--dry-run",), 0, "Nothing was changed."):
        done = shell("install", "--client", "claude-code", DEMO, *words)
        assert done.code == code
        assert said in done.err
        assert '+    "harbour-bikes": {' in done.lines
        assert list((home / "project").iterdir()) == []


def test_everything_else_stays_byte_for_byte_and_is_not_shown(shell: Shell, home: Path) -> None:
    path = home / ".claude.json"
    path.write_text(OTHERS, encoding="utf-8")
    path.chmod(0o640)
    words = ("--client", "claude-code", "--scope", "user", "--yes")
    done = shell("install", *words, DEMO, "--name", "docs", "--prefix", "hire_")
    assert done.code == 0
    assert "s3cret" not in done.out
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    added = [line for line in lines if line not in OTHERS.splitlines(keepends=True)]
    assert "".join(line for line in lines if line not in added) == OTHERS
    assert servers(path)["docs"]["args"][-2:] == ["--prefix", "hire_"]
    assert path.stat().st_mode & 0o777 == 0o640
    (backup,) = home.glob(".claude.json.*.backup")
    assert backup.read_text(encoding="utf-8") == OTHERS
    assert backup.stat().st_mode & 0o777 == 0o640
    assert str(backup) in done.out
    undone = shell("uninstall", *words)
    assert (undone.code, path.read_text(encoding="utf-8")) == (0, OTHERS)


def test_installing_again_changes_nothing_and_an_update_keeps_what_was_added(
    shell: Shell, home: Path
) -> None:
    path = home / "project" / ".mcp.json"
    words = ("install", "--client", "claude-code", "--name", "docs", "--yes")
    shell(*words, DEMO)
    before = path.read_bytes()
    again = shell(*words, DEMO)
    assert (again.code, path.read_bytes()) == (0, before)
    assert "has this already" in again.out
    assert list(path.parent.glob("*.backup")) == []
    with_more = json.loads(before)
    with_more["mcpServers"]["docs"]["env"] = {"A": "b"}
    path.write_text(json.dumps(with_more), encoding="utf-8")
    assert shell(*words, DEMO, "--prefix", "hire_").code == 0
    assert servers(path)["docs"]["env"] == {"A": "b"}
    assert servers(path)["docs"]["args"][-1] == "hire_"


def test_the_folder_of_a_project_and_of_the_configuration_can_be_given(
    shell: Shell, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "other").mkdir()
    shell("install", "--client", "cursor", "--project", "../other", DEMO, "--yes")
    assert list(servers(home / "other" / ".cursor" / "mcp.json")) == ["harbour-bikes"]
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "claude"))
    shell("install", "--client", "claude-code", "--scope", "user", DEMO, "--yes")
    assert list(servers(home / "claude" / ".claude.json")) == ["harbour-bikes"]
    assert (home / "claude" / ".claude.json").stat().st_mode & 0o777 == 0o600


def test_a_linked_configuration_is_changed_where_it_lies(shell: Shell, home: Path) -> None:
    (home / "dotfiles").mkdir()
    (home / "dotfiles" / "mcp.json").write_text("{}\n", encoding="utf-8")
    (home / "project" / ".mcp.json").symlink_to("../dotfiles/mcp.json")
    assert shell("install", "--client", "claude-code", DEMO, "--yes").code == 0
    assert (home / "project" / ".mcp.json").is_symlink()
    assert list(servers(home / "dotfiles" / "mcp.json")) == ["harbour-bikes"]
    assert len(list((home / "dotfiles").glob("mcp.json.*.backup"))) == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": 1,}', "not valid JSON"),
        (b"// a comment\n{}", "not valid JSON"),
        (b"\xff{}", "not UTF-8"),
        (b"[]", "does not name servers"),
        (b'{"mcpServers": []}', "does not name servers"),
        (b'{"a": NaN}', "NaN"),
        (b'{"mcpServers": {"a": {"x": -Infinity}}}', "-Infinity"),
        ("\u00a0".encode(), "not valid JSON"),
        (
            b'{"mcpServers": {"docs": {}, "docs": {"command": "fingerpost", "args": ["mcp"]}}}',
            "names docs more than once",
        ),
        (b"[" * 100_000, "not valid JSON"),
    ],
)
def test_a_configuration_that_is_none_is_left_alone(
    content: bytes, said: str, shell: Shell, home: Path
) -> None:
    path = home / "project" / ".mcp.json"
    path.write_bytes(content)
    for words in (("install", DEMO), ("uninstall",)):
        done = shell(*words, "--client", "claude-code", "--yes")
        assert (done.code, done.err.count("\n"), path.read_bytes()) == (2, 1, content)
        assert said in done.err
        assert str(path) in done.err
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("content", [b"", b" \n"])
def test_an_empty_configuration_is_filled(content: bytes, shell: Shell, home: Path) -> None:
    path = home / "project" / ".mcp.json"
    path.write_bytes(content)
    assert shell("install", "--client", "claude-code", DEMO, "--yes").code == 0
    assert list(servers(path)) == ["harbour-bikes"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("install", DEMO), 2, "--client claude-code or --client cursor"),
        (("install", "--client", "claude-code"), 2, "No bundle was named"),
        (("install", "--client", "claude-code", "/no/such"), 2, "/no/such"),
        (("install", "--client", "claude-code", "a", "b"), 2, "needs a name"),
        (("install", "--client", "claude-code", DEMO, "--prefix", "No"), 2, "nokb_index"),
        (("install", "--client", "claude-code", DEMO, "--name", "weather"), 2, "none of Fingerpost's"),
        (("install", "--client", "claude-code", DEMO, "--http", "1"), 2, "--http is for serving"),
        (("install", "--client", "vim", DEMO), 2, "vim"),
        (("install", "--client", "cursor", "--scope", "user", "--project", "x", DEMO), 2, "leave it out"),
        (("install", "--client", "cursor", "--project", "no/such", DEMO), 2, "no folder 'no/such'"),
        (("install", "--client", "cursor", "--project", ".mcp.json", DEMO), 2, "no folder '.mcp.json'"),
        (("install", "--client", "cursor", "--project", "", DEMO), 2, "no folder ''"),
        (("install", "--client", "claude-code", DEMO, "--name", ""), 2, "cannot be named ''"),
        (("install", "--client", "claude-code", DEMO, "--name", "a b"), 2, "cannot be named 'a b'"),
        (("install", "--client", "claude-code", DEMO, "--name", "a" * 65), 2, "use 1 to 64"),
        (("uninstall", "--client", "claude-code"), 1, "has no server of Fingerpost"),
        (("uninstall", "--client", "claude-code", "--name", "weather"), 1, "named 'weather'"),
        (("uninstall", "--client", "claude-code", DEMO), 2, "give no bundle"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_changed(
    words: tuple[str, ...], code: int, said: str, shell: Shell, home: Path
) -> None:
    path = home / "project" / ".mcp.json"
    path.write_text(OTHERS, encoding="utf-8")
    done = shell(*words, "--yes")
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err
    assert path.read_text(encoding="utf-8") == OTHERS
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ({"command": "fingerpost", "args": ["mcp", "kb"]}, True),
        ({"command": "/usr/bin/python3", "args": ["-m", "fingerpost", "mcp", "kb"]}, True),
        ({"command": "fingerpost", "args": ["validate", "a", "b", "mcp"]}, False),
        ({"command": "/usr/bin/python3", "args": ["-m", "weather", "mcp"]}, False),
        ({"command": "fingerpost-like", "args": ["mcp", "kb"]}, False),
        ({"command": 5, "args": ["mcp"]}, False),
        ({"command": "fingerpost", "args": "mcp"}, False),
        ({"url": "http://localhost/mcp"}, False),
        (None, False),
    ],
)
def test_an_entry_is_ours_when_it_starts_this_server(entry: object, expected: bool) -> None:
    assert is_ours(entry) is expected


def test_of_several_servers_of_ours_one_is_taken_out_by_name(shell: Shell, home: Path) -> None:
    for name in ("one", "two"):
        shell("install", "--client", "cursor", DEMO, "--name", name, "--yes")
    which = shell("uninstall", "--client", "cursor", "--yes")
    assert which.code == 2
    assert "(two, one)" in which.err
    assert shell("uninstall", "--client", "cursor", "--name", "one", "--yes").code == 0
    assert list(servers(home / "project" / ".cursor" / "mcp.json")) == ["two"]


def test_a_script_gets_one_json_document(shell: Shell, home: Path) -> None:
    path = home / "project" / ".mcp.json"
    shown = shell("install", "--client", "claude-code", DEMO, "--json")
    assert (shown.code, shown.json["written"], shown.json["file"]) == (1, False, str(path))
    assert '"harbour-bikes"' in shown.json["diff"]
    assert not path.exists()
    done = shell("install", "--client", "claude-code", DEMO, "--json", "--yes")
    assert (done.code, done.err) == (0, "")
    assert done.json == {**shown.json, "written": True}
    assert done.json["entry"] == servers(path)["harbour-bikes"]
    undone = shell("uninstall", "--client", "claude-code", "--json", "--yes")
    assert (undone.json["name"], undone.json["entry"], undone.json["written"]) == (
        "harbour-bikes",
        None,
        True,
    )
    assert Path(undone.json["backup"]).exists()


@pytest.mark.parametrize(
    ("typed", "code", "written"), [("y\n", 0, True), ("\n", 1, False), ("no\n", 1, False)]
)
def test_a_person_at_a_terminal_is_asked(
    typed: str, code: int, written: bool, variables: dict[str, str], home: Path
) -> None:
    terminal, theirs = pty.openpty()
    with subprocess.Popen(
        command_line("mcp", "install", "--client", "claude-code", DEMO),
        env=variables,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as asking:
        os.write(terminal, typed.encode())
        out, err = asking.communicate(timeout=60)
    os.close(terminal)
    os.close(theirs)
    assert asking.returncode == code
    assert '+    "harbour-bikes": {' in out
    assert err.startswith(f"Change {home}/project/.mcp.json? [y/N] ")
    assert (home / "project" / ".mcp.json").exists() is written


def test_where_no_script_is_installed_the_interpreter_is_named(
    shell: Shell, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/opt/python/bin/python3")
    shell("install", "--client", "claude-code", DEMO, "--yes")
    entry = servers(home / "project" / ".mcp.json")["harbour-bikes"]
    assert (entry["command"], entry["args"][:3]) == ("/opt/python/bin/python3", ["-m", "fingerpost", "mcp"])
    assert shell("uninstall", "--client", "claude-code", "--yes").code == 0


@pytest.mark.parametrize("indent", [None, 2])
def test_nothing_of_other_servers_is_shown_whatever_the_layout(
    indent: int | None, shell: Shell, home: Path
) -> None:
    path = home / "project" / ".mcp.json"
    weather = {"command": "npx", "env": {"KEY": "s3cret"}}
    path.write_text(json.dumps({"mcpServers": {"weather": weather}}, indent=indent), encoding="utf-8")
    words = ("--client", "claude-code", "--name", "docs", "--yes")
    write_files(home / "kb", {"a.md": concept("A")})
    done = [
        shell("install", *words, DEMO),
        shell("install", *words, str(home / "kb")),
        shell("uninstall", *words),
    ]
    assert [each.code for each in done] == [0, 0, 0]
    for each in done:
        assert f"{path} docs" in each.out
        assert "s3cret" not in each.out
    assert '+    "docs": {' in done[0].lines
    assert [line for line in done[1].lines if line.startswith(("+ ", "- "))] == [
        f'-        "{DEMO}"',
        f'+        "{home}/kb"',
    ]
    assert '-    "docs": {' in done[2].lines
    assert servers(path) == {"weather": weather}


def test_only_the_folder_of_the_client_is_made(shell: Shell, home: Path) -> None:
    assert shell("install", "--client", "cursor", "--project", str(home / "projcet"), DEMO, "--yes").code == 2
    assert not (home / "projcet").exists()
    assert shell("install", "--client", "cursor", DEMO, "--yes").code == 0
    assert list(servers(home / "project" / ".cursor" / "mcp.json")) == ["harbour-bikes"]


def test_a_second_bundle_takes_the_place_of_another_only_under_a_given_name(shell: Shell, home: Path) -> None:
    path = home / "project" / ".mcp.json"
    for folder in ("one", "two"):
        write_files(home / folder / "kb", {"a.md": concept("A")})
    words = ("install", "--client", "claude-code", "--yes")
    assert shell(*words, str(home / "one" / "kb")).code == 0
    before = path.read_bytes()
    second = shell(*words, str(home / "two" / "kb"))
    assert (second.code, second.out, path.read_bytes()) == (2, "", before)
    assert f"'kb' already, which serves {home}/one/kb" in second.err
    assert "--name" in second.err
    assert shell(*words, str(home / "one" / "kb"), "--prefix", "one_").code == 0
    assert shell(*words, str(home / "two" / "kb"), "--name", "kb").code == 0
    assert servers(path)["kb"]["args"][-1] == f"{home}/two/kb"
    assert shell(*words, str(home / "one" / "kb"), "--name", "other").code == 0
    assert list(servers(path)) == ["other", "kb"]


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"HOME": ""}, "set HOME"),
        ({"HOME": "here"}, "set HOME"),
        ({"CLAUDE_CONFIG_DIR": "~/claude"}, "set CLAUDE_CONFIG_DIR"),
    ],
)
def test_a_folder_of_the_user_that_is_not_known_is_asked_for(
    variables: dict[str, str], named: str, shell: Shell, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    done = shell("install", "--client", "claude-code", "--scope", "user", DEMO, "--yes")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert named in done.err
    assert list((home / "project").iterdir()) == []
