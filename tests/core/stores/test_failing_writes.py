"""Each system call of a write fails once, in each way: the old state is left, and a clear sentence."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from fingerpost.errors import KnowledgeError
from fingerpost.stores import LocalDocumentStore, replacing
from tests.core.stores.failing import failing_calls

MORE_THAN_ARE_MADE = 100
CODES = [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EMFILE]
ADVICE = {
    errno.ENOSPC: "make room on the disk|put it back",
    errno.EIO: "check the disk",
    errno.EACCES: "let this process",
    errno.EMFILE: "too many files are open",
}
OPERATIONS: dict[str, Callable[[LocalDocumentStore], None]] = {
    "create": lambda store: store.swap_bytes("new/deep/x.md", None, b"new"),
    "create beside": lambda store: store.write_bytes("a/new.md", b"new"),
    "replace": lambda store: store.swap_bytes("a/x.md", b"old", b"new"),
    "write through a link": lambda store: store.write_bytes("a/link.md", b"new"),
    "remove": lambda store: store.delete("a/x.md"),
}


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """All files and folders, with content and mode."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else b"", path.lstat().st_mode)
        for path in sorted(folder.rglob("*"))
    }


@pytest.fixture
def filled(folder: Path) -> Path:
    (folder / "a").mkdir()
    (folder / "a" / "x.md").write_bytes(b"old")
    (folder / "a" / "x.md").chmod(0o640)
    (folder / "a" / "link.md").symlink_to("x.md")
    return folder


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.get)
def test_every_call_that_fails_leaves_the_old_state(filled: Path, operation: str, code: int) -> None:
    before = state(filled)
    run = OPERATIONS[operation]
    refusals = 0
    stores = [LocalDocumentStore(filled) for _ in range(MORE_THAN_ARE_MADE)]
    with failing_calls() as failing:
        for number, store in enumerate(stores, 1):
            failing.nth(number, code)
            try:
                run(store)
            except KnowledgeError as error:
                refusals += 1
                message = str(error)
            else:
                message = ""
            made = list(failing.made)
            failing.nth(0, 0)
            if len(made) < number:
                break
            left = state(filled)
            what = f"{operation}: the call {number} of {made[: number + 2]}"
            assert not [name for name in left if replacing.is_temporary(os.path.basename(name))], what
            if message:
                assert left == before, f"{what} said {message}, and something changed"
                assert _is_clear(message, code), f"{what}: {message}"
            else:  # the call could do without it
                assert left != before, f"{what} was told to be done, and was not"
                _restore(filled, before)
        else:
            pytest.fail("It never ended.")
    assert refusals > 8


def _is_clear(message: str, code: int) -> bool:
    return bool(re.search(ADVICE[code], message)) and message.endswith(".") and "Errno" not in message


def _restore(folder: Path, before: dict[str, tuple[bytes, int]]) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if str(path.relative_to(folder)) not in before:
            path.rmdir() if path.is_dir() else path.unlink()
    (folder / "a" / "x.md").write_bytes(b"old")
    (folder / "a" / "x.md").chmod(0o640)
    assert state(folder) == before
