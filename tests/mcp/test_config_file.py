"""A configuration file is replaced in one step or left as it was, and only if it is a file."""

from __future__ import annotations

import json
import os
import resource
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost import ConfigError, StoreError, demo_bundle
from fingerpost_mcp.install.config_file import read_config, write_config
from tests.core.cli.shell import Shell

DEMO = demo_bundle()


def test_a_configuration_that_was_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text("{}", encoding="utf-8")
    config = read_config(str(path))
    path.write_text('{"a": 1}', encoding="utf-8")
    with pytest.raises(StoreError, match="changed meanwhile"):
        write_config(config, '{"b": 2}')
    assert path.read_text(encoding="utf-8") == '{"a": 1}'
    assert sorted(other.name.rpartition(".")[2] for other in tmp_path.iterdir()) == ["json"]


def test_a_write_that_fails_leaves_the_old_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.json"
    path.write_text("{}", encoding="utf-8")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_config(read_config(str(path)), '{"b": 2}')
    assert path.read_text(encoding="utf-8") == "{}"
    assert [other.name for other in tmp_path.iterdir() if other.name.startswith(".c.json")] == []


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(os.path.relpath(path))


def make_folder(path: Path) -> None:
    path.mkdir()


def make_link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


def make_link_to_a_device(path: Path) -> None:
    try:
        os.mknod(path.with_name("device"), 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        pytest.skip("Only the superuser may make a device.")
    path.symlink_to("device")


@pytest.mark.parametrize(
    "make", [make_pipe, make_socket, make_folder, make_link_to_a_pipe, make_link_to_a_device]
)
def test_what_is_no_file_is_neither_read_nor_replaced(
    make: Callable[[Path], None], shell: Shell, home: Path
) -> None:
    path = home / "project" / ".mcp.json"
    make(path)
    before = {each.name: stat.S_IFMT(each.lstat().st_mode) for each in path.parent.iterdir()}
    for words in (("install", DEMO), ("uninstall",)):
        done = shell(*words, "--client", "claude-code", "--yes")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert f"{os.path.realpath(path)} is no regular file" in done.err
    assert {each.name: stat.S_IFMT(each.lstat().st_mode) for each in path.parent.iterdir()} == before


@pytest.mark.parametrize("text", ["", "{}"])
def test_what_has_become_no_file_meanwhile_is_not_replaced(text: str, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(text, encoding="utf-8")
    config = read_config(str(path))
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(ConfigError, match="no regular file"):
        write_config(config, '{"b": 2}')
    assert path.is_fifo()
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_fills_up_leaves_the_configuration_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"history": "x" * 200_000}), encoding="utf-8")
    before, config = path.read_bytes(), read_config(str(path))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            write_config(config, "{}")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
