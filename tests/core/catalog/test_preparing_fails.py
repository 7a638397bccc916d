"""Whatever becomes of the process that prepares documents, the index is right, and nothing is left of it."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fingerpost
from fingerpost.catalog import apart, preparing
from fingerpost.catalog.base import CatalogEmptiedError, Entry
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry, found, listed
from tests.core.catalog.helped import ALONE, HELPED, Rows, built, documents, with_call

AT_ITS_START, BETWEEN, IN_THE_END = 11, 35, 59  # the entry that is taken then

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="there is one process on Windows"),
    pytest.mark.usefixtures("started"),
]


@pytest.fixture
def right(tmp_path: Path) -> Rows:
    """The rows of an index that one process has made."""
    return built(tmp_path / "right.db", documents(), ALONE)


def ended(process: int, seconds: float = 10) -> bool:
    """Whether a process ends within some time; one that nobody waits for has ended as well."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    with open(handle, "rb") as file:
        return bool(select.select([file], [], [], seconds)[0])


# ---- what may become of it


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
@pytest.mark.parametrize("place", [AT_ITS_START, BETWEEN, IN_THE_END])
def test_one_that_is_killed_or_stopped_is_done_without(
    kind: signal.Signals,
    place: int,
    tmp_path: Path,
    right: object,
    started: list[subprocess.Popen[bytes]],
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preparing, "SECONDS_FOR_ANSWER", 0.2 if kind == signal.SIGSTOP else 60)

    def strike() -> None:
        os.kill(started[0].pid, kind)

    assert built(tmp_path / "helped.db", with_call(strike, place)) == right
    assert len(started) == 1
    assert started[0].returncode == -signal.SIGKILL
    if place != IN_THE_END:  # it may have answered all by then
        assert len(said) == 1
        assert said[0].startswith("Documents are prepared in one process from here on; the other failed: ")


PROGRAMS = {
    "ends at once": ("", "it is b"),
    "says something else": ("out.write(b'Python 2.7\\n'); out.flush(); time.sleep(60)", "Python 2.7"),
    "says much": ("out.write(b'x' * 5000); out.flush(); time.sleep(60)", "xxxxx"),
    "says nothing": ("time.sleep(60)", "timed out"),
    "answers nothing": ("greet(); take(); take(); time.sleep(60)", "timed out"),
    "answers nothing but ends": ("greet(); take(); take()", "it has ended"),
    "answers nonsense": (
        "greet(); take(); take(); out.write(b'\\1\\0\\0\\0~'); out.flush(); take()",
        "bad marshal",
    ),
    "answers half": ("greet(); take(); take(); out.write(b'\\5\\0\\0\\0'); out.flush()", "EOF"),
    "answers something else": (
        "greet(); take(); take(); say(['a'] * 10); time.sleep(60)",
        "not enough values",
    ),
    "answers too little": ("greet(); take(); take(); say([]); time.sleep(60)", "given 10 documents"),
}
SPEAKING = """
import sys, time; sys.path[:0] = sys.argv[2:]
from fingerpost.catalog.apart import message, received
greeting, asked, out = sys.argv[1].encode(), open(0, "rb"), open(0, "wb", closefd=False)
def greet(): out.write(greeting); out.flush()
def say(what): out.write(message(what)); out.flush()
def take(): return received(asked)
"""


def speaking(program: str) -> list[str]:
    """The command of a process that is not what it should be."""
    return [sys.executable, "-c", SPEAKING + program, apart.greeting().decode(), *sys.path]


@pytest.mark.parametrize("manner", PROGRAMS)
def test_one_that_does_not_do_what_it_should_is_done_without(
    manner: str,
    tmp_path: Path,
    right: object,
    started: list[subprocess.Popen[bytes]],
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    program, reason = PROGRAMS[manner]
    monkeypatch.setattr(preparing, "command", lambda: speaking(program))
    monkeypatch.setattr(preparing, "SECONDS_FOR_ANSWER", 0.4 if reason == "timed out" else 60)
    assert built(tmp_path / "helped.db", documents()) == right
    assert (len(said), len(started)) == (1, 1)
    assert reason in said[0]
    assert started[0].returncode is not None


def test_one_that_does_not_take_what_it_is_given_is_done_without(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "command", lambda: speaking("greet(); take(); time.sleep(60)"))
    monkeypatch.setattr(preparing, "SECONDS_FOR_ANSWER", 0.4)
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update([entry(f"{number}", "title", "text " * 40_000) for number in range(25)])
        assert len(listed(catalog)) == 25
    assert len(said) == 1


@pytest.mark.parametrize(("of", "name"), [(sys, "version"), (fingerpost, "__version__")])
def test_one_of_another_version_is_done_without(
    of: object, name: str, tmp_path: Path, right: object, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(of, name, "another")
    assert built(tmp_path / "helped.db", documents()) == right
    assert len(said) == 1


def test_one_that_is_not_needed_any_more_is_not_waited_for(
    started: list[subprocess.Popen[bytes]], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preparing, "command", lambda: speaking("time.sleep(60)"))
    monkeypatch.setattr(preparing, "SECONDS_FOR_ANSWER", 0.4)
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update(documents(10))
    assert (len(started), said) == (1, [])


def test_one_that_cannot_be_started_is_done_without(
    tmp_path: Path, right: object, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    before = open_files()
    assert built(tmp_path / "helped.db", documents()) == right
    assert open_files() == before
    [line] = said
    assert "FileNotFoundError" in line


def test_one_that_is_started_as_the_interpreter_ends_is_done_without(
    tmp_path: Path, right: object, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> object:
        raise RuntimeError("can't fork at interpreter shutdown")

    monkeypatch.setattr(subprocess, "Popen", refused)
    before = open_files()
    assert built(tmp_path / "helped.db", documents()) == right
    assert (open_files(), len(said)) == (before, 1)


def test_it_does_not_matter_which_timeout_sockets_have_by_default(
    tmp_path: Path, right: object, said: list[str], started: list[subprocess.Popen[bytes]]
) -> None:
    socket.setdefaulttimeout(5)
    try:
        assert built(tmp_path / "helped.db", documents()) == right
    finally:
        socket.setdefaulttimeout(None)
    assert (len(started), said) == (1, [])


def test_what_a_signal_raises_meanwhile_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class LimitError(Exception):
        """What somebody's time limit raises."""

    def interrupted(_: object) -> object:
        raise LimitError

    monkeypatch.setattr(preparing, "received", interrupted)
    with PersistedCatalog(tmp_path / "helped.db", HELPED) as catalog, pytest.raises(LimitError):
        catalog.update(documents())


def test_a_document_that_cannot_be_sent_is_prepared_all_the_same(tmp_path: Path, said: list[str]) -> None:
    class Title(str):
        __slots__ = ()

    with PersistedCatalog(tmp_path / "helped.db", HELPED) as catalog:
        catalog.update([*documents(30), Entry("special", (Title("margin"),)), *documents(20)])
        assert found(catalog, "margin") == ["special"]
    assert len(said) == 1


def test_a_document_that_cannot_be_prepared_is_the_error_that_it_is_with_one_process(
    tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    wrong: Any = Entry("wrong", ("title",), ordered={"day": "monday"})  # type: ignore[dict-item]
    errors: list[str] = []
    for limits in (ALONE, HELPED):
        with PersistedCatalog(tmp_path / "index.db", limits) as catalog:
            with pytest.raises(TypeError) as caught:
                catalog.update([*documents(30), wrong, *documents(20)])
            errors.append(str(caught.value))
            assert listed(catalog) == []
    assert errors[0] == errors[1]
    assert started[0].returncode is not None


# ---- what it leaves


def open_files() -> int:
    """How many files this process has open."""
    return len(os.listdir("/dev/fd"))


def fails() -> None:
    raise KeyboardInterrupt


def test_nothing_is_left_of_it_after_any_end(
    tmp_path: Path, started: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "index.db"
    before = open_files()
    built(path, documents())
    for error, entries in (
        (KeyboardInterrupt, with_call(fails, BETWEEN)),
        (CatalogEmptiedError, with_call(path.unlink, BETWEEN)),
    ):
        with PersistedCatalog(path, HELPED) as catalog, pytest.raises(error) as caught:
            catalog.update(entries)
        assert started[-1].returncode == -signal.SIGKILL, caught
    assert [process.returncode for process in started] == [-signal.SIGKILL] * 3
    assert open_files() == before


def test_it_is_in_a_session_of_its_own_and_has_nothing_open_but_the_connection(
    tmp_path: Path, started: list[subprocess.Popen[bytes]]
) -> None:
    seen: list[tuple[int, set[str]]] = []

    def look() -> None:
        files = Path(f"/proc/{started[0].pid}/fd").glob("*")
        seen.append((os.getsid(started[0].pid), {os.readlink(file).split(":")[0] for file in files}))

    built(tmp_path / "index.db", with_call(look, BETWEEN))
    [(session, kinds)] = seen
    assert session == started[0].pid
    assert kinds <= {"socket", "/dev/null"}


def test_it_reads_nothing_of_the_settings_of_python_and_writes_nothing_beside_the_package(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "struct.py").write_text("raise SystemExit")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    package = tmp_path / "copied" / "fingerpost"
    shutil.copytree(Path(fingerpost.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(apart, "__file__", str(package / "catalog" / "apart.py"))
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update(documents(30))
    assert said == []
    assert not list(package.rglob("__pycache__"))


LARGE_BUILD = """
import itertools, os, subprocess, sys, time
from fingerpost.catalog import preparing
from fingerpost.catalog.base import Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.persisted import PersistedCatalog

os.sched_getaffinity = lambda _: {0, 1}
preparing._DOCUMENTS_AT_ONCE = 10
class Recorded(subprocess.Popen):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        processes.append(self.pid)
subprocess.Popen, processes = Recorded, []

def entries():
    for number in itertools.count():
        yield Entry(str(number), ("title",), "text " * 50)
        if number == 45:
            forked = os.fork() if sys.argv[1] == "forks" else 0
            if forked or sys.argv[1] == "alone":
                print(*processes, forked, flush=True)
                sys.stdin.read()
            else:
                time.sleep(60)
PersistedCatalog(None, Limits(small=0, apart=0)).update(entries())
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="there is no waiting for the child of another here")
@pytest.mark.parametrize("manner", ["alone", "forks"])
def test_it_ends_with_the_one_that_started_it(manner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-W", "ignore", "-c", LARGE_BUILD, manner]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as builder:
        assert builder.stdout is not None
        helper, forked = map(int, builder.stdout.readline().split())
        assert not ended(helper, 0)
        builder.kill()
        builder.wait()
        assert ended(helper)
        if forked:
            assert not ended(forked, 0)
            os.kill(forked, signal.SIGKILL)
