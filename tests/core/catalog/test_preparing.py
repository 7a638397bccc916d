"""Much is prepared by a second process, and whatever becomes of that one, nobody can tell from the index."""

from __future__ import annotations

import logging
import os
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fingerpost.catalog import apart, preparing
from fingerpost.catalog.base import CatalogEmptiedError, Entry
from fingerpost.catalog.building import Limits
from fingerpost.catalog.documents import Indexed, Sample, Stored, prepare
from fingerpost.catalog.memory import MemoryCatalog
from fingerpost.catalog.persisted import PersistedCatalog
from tests.core.catalog.asked import entry, found, listed
from tests.core.catalog.test_catalogs_alike import Chance, assert_alike

AT_ONCE = 10
HELPED, ALONE = Limits(small=0, headers=0, apart=0), Limits(small=0, headers=0, apart=10**9)
AT_ITS_START, BETWEEN, IN_THE_END = 11, 35, 59  # the entry that is taken then
Rows = dict[str, list[tuple[object, ...]]]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is one process on Windows")


def two_processors(_process: int) -> set[int]:
    return {0, 1}


def one_processor(_process: int) -> set[int]:
    return {3}


@pytest.fixture(autouse=True)
def started(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that were started, of a computer with two processors, where batches are small."""
    processes: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            processes.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    monkeypatch.setattr(preparing, "_DOCUMENTS_AT_ONCE", AT_ONCE)
    monkeypatch.setattr(os, "sched_getaffinity", two_processors, raising=False)
    monkeypatch.delenv(preparing.VARIABLE, raising=False)
    return processes


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the documents that this process prepares."""
    ids: list[str] = []

    def noted(each: Entry, sample: Sample) -> tuple[Stored, Indexed]:
        ids.append(each.id)
        return prepare(each, sample)

    monkeypatch.setattr(preparing, "prepare", noted)
    return ids


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the log says of the other process."""
    lines: list[str] = []

    def note(line: str, *values: object) -> None:
        lines.append(line % values)

    monkeypatch.setattr(logging.getLogger("fingerpost.catalog"), "info", note)
    return lines


def documents(count: int = 65) -> list[Entry]:
    """Documents with much text, in order of their ids, some of them of unusual kinds."""
    kinds: list[Callable[[str], Entry]] = [
        lambda id_: entry(id_, f"title{id_}", f"körper orderId {id_} " * 60, edges=("e1", "e1"), tag="a b a"),
        lambda id_: Entry(id_, (f"lone \ud800 {id_}",), "half \udfff of a pair " * 50, card="\ud83d"),
        lambda id_: Entry(id_, ("no text", id_), ordered={"day": 1 << 70, "hour": -3}, details="{}"),
        lambda id_: Entry(id_, (), "hidden " * 80, {"kind": ("invalid",)}, card="why", details="more"),
        lambda id_: Entry(id_, ("東京都 中央区",), "the " * 300 + "検索 " * 9, {}, {}, ("e2",)),
    ]
    return [kinds[number % len(kinds)](f"{number:03}") for number in range(count)]


def stored_in(path: Path) -> Rows:
    """Every row of an index but those that tell when it was made."""
    with sqlite3.connect(path) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        names = [name for (name,) in tables if name not in ("state", "build")]
        rows = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
        rows["state"] = connection.execute("SELECT next, live, hidden, free FROM state").fetchall()
    connection.close()
    return rows


def built(path: Path, entries: Iterable[Entry], limits: Limits = HELPED) -> Rows:
    """The rows of an index of some documents."""
    with PersistedCatalog(path, limits) as catalog:
        catalog.update(entries)
    return stored_in(path)


@pytest.fixture
def right(tmp_path: Path) -> Rows:
    """The rows of an index that one process has made."""
    return built(tmp_path / "right.db", documents(), ALONE)


def with_call(call: Callable[[], object], place: int) -> Iterator[Entry]:
    """Documents, with a call before one of them is taken."""
    for number, each in enumerate(documents()):
        if number == place:
            call()
        yield each


def ended(process: int, seconds: float = 10) -> bool:
    """Whether a process ends within some time; one that nobody waits for has ended as well."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    with open(handle, "rb") as file:
        return bool(select.select([file], [], [], seconds)[0])


# ---- the same index


def test_the_index_is_the_same_row_for_row(
    tmp_path: Path, started: list[subprocess.Popen[bytes]], here: list[str], said: list[str]
) -> None:
    alone = built(tmp_path / "alone.db", documents(), ALONE)
    assert (len(here), started) == (65, [])
    here.clear()
    assert built(tmp_path / "helped.db", documents()) == alone
    assert here == [each.id for each in documents(AT_ONCE)]
    assert len(started) == 1
    assert said == []


def test_every_question_has_the_same_answer(started: list[subprocess.Popen[bytes]]) -> None:
    chance = Chance(3)
    entries = [chance.entry() for _ in range(120)]
    reference = MemoryCatalog()
    with PersistedCatalog(None, HELPED) as catalog:
        for _ in range(2):
            catalog.update(entries)
            reference.update(entries)
            assert_alike(reference, catalog, chance)
    assert len(started) == 2


def test_of_an_id_that_comes_twice_the_last_document_stays(here: list[str]) -> None:
    twice = [entry(f"{number % 4}", f"round{number}", "text") for number in range(60)]
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update(twice + documents(30))
        assert (found(catalog, "round59"), found(catalog, "round55")) == (["3"], [])
        assert len(listed(catalog)) == 34


# ---- when there is a second process


def test_it_is_started_once_the_first_has_prepared_much_text_and_prepares_what_follows(
    here: list[str], started: list[subprocess.Popen[bytes]]
) -> None:
    entries = [entry(f"{number:02}", "title", "x" * 10) for number in range(65)]
    with PersistedCatalog(None, Limits(small=0, headers=0, apart=250)) as catalog:
        catalog.update(entries[:25])
        assert started == []
        here.clear()
        catalog.update(entries)
    assert here == [each.id for each in entries[:30]]
    assert len(started) == 1


def test_documents_without_text_are_prepared_by_one(started: list[subprocess.Popen[bytes]]) -> None:
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update([entry(f"{number}", "title") for number in range(65)])
    assert started == []


def test_a_batch_ends_where_its_text_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "_TEXT_AT_ONCE", 100)
    lengths = [(99, 0), (1, 0), (0, 100), (5000, 0), *[(1, 0)] * 11]
    entries = [
        Entry(str(number), body="x" * body, details="x" * details)
        for number, (body, details) in enumerate(lengths)
    ]
    sizes = [len(batch) for batch in preparing.prepared(entries, lambda _: Sample(), 10**9)]
    assert sizes == [2, 1, 1, 10, 1]


ONE_PROCESS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "when that is wished": lambda patch: patch.setenv("FINGERPOST_PROCESSES", " 1 "),
    "on one processor": lambda patch: patch.setattr(os, "sched_getaffinity", one_processor),
    "on one processor of an unknown number": lambda patch: (
        patch.delattr(os, "sched_getaffinity"),
        patch.setattr(os, "cpu_count", lambda: None),
    )[1],
    "in a frozen program": lambda patch: patch.setattr(sys, "frozen", True, raising=False),
    "in a program that holds a Python": lambda patch: patch.setattr(sys, "executable", "/usr/bin/uwsgi"),
    "where the program is unknown": lambda patch: patch.setattr(sys, "executable", None),
    "on Windows": lambda patch: patch.setattr(sys, "platform", "win32"),
}


@pytest.mark.parametrize("where", ONE_PROCESS)
def test_there_is_one_process(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert preparing.may_have_help()
    ONE_PROCESS[where](monkeypatch)
    assert not preparing.may_have_help()


def test_processors_are_counted_where_it_is_unknown_which_of_them_may_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert preparing.may_have_help()
    monkeypatch.setenv("FINGERPOST_PROCESSES", "2")
    assert preparing.may_have_help()


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
    "ends at once": "",
    "says something else": "out.write(b'Python 2.7\\n'); out.flush(); time.sleep(60)",
    "says much": "out.write(greeting.replace(b'\\n', b'!\\n')); out.flush(); time.sleep(60)",
    "says nothing": "time.sleep(60)",
    "answers nothing": "greet(); take(); take(); time.sleep(60)",
    "answers nonsense": "greet(); take(); take(); out.write(b'\\1\\0\\0\\0x'); out.flush(); take()",
    "answers half": "greet(); take(); take(); out.write(b'\\5\\0\\0\\0'); out.flush()",
    "answers something else": "greet(); take(); take(); say(['a'] * 10); time.sleep(60)",
    "answers too little": "greet(); take(); take(); say([]); time.sleep(60)",
}
SPEAKING = """
import sys, time; sys.path[:0] = sys.argv[2:]
from fingerpost.catalog.apart import message, received
greeting, asked, out = sys.argv[1].encode(), open(0, "rb"), open(0, "wb", closefd=False)
def greet(): out.write(greeting); out.flush()
def say(what): out.write(message(what)); out.flush()
def take(): return received(asked)
"""


@pytest.mark.parametrize("manner", PROGRAMS)
def test_one_that_does_not_do_what_it_should_is_done_without(
    manner: str,
    tmp_path: Path,
    right: object,
    started: list[subprocess.Popen[bytes]],
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = [sys.executable, "-c", SPEAKING + PROGRAMS[manner], apart.greeting().decode(), *sys.path]
    monkeypatch.setattr(preparing, "command", lambda: command)
    is_silent = "nothing" in manner
    monkeypatch.setattr(preparing, "SECONDS_FOR_ANSWER", 0.4 if is_silent else 60)
    assert built(tmp_path / "helped.db", documents()) == right
    assert (len(said), len(started)) == (1, 1)
    assert started[0].returncode is not None


def test_one_that_does_not_take_what_it_is_given_is_done_without(
    said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = SPEAKING + "greet(); take(); time.sleep(60)"
    command = [sys.executable, "-c", program, apart.greeting().decode(), *sys.path]
    monkeypatch.setattr(preparing, "command", lambda: command)
    monkeypatch.setattr(preparing, "SECONDS_FOR_ANSWER", 0.4)
    with PersistedCatalog(None, HELPED) as catalog:
        catalog.update([entry(f"{number}", "title", "text " * 40_000) for number in range(25)])
        assert len(listed(catalog)) == 25
    assert len(said) == 1


def test_one_that_cannot_be_started_is_done_without(
    tmp_path: Path, right: object, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    before = open_files()
    assert built(tmp_path / "helped.db", documents()) == right
    assert open_files() == before
    [line] = said
    assert "FileNotFoundError" in line


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
        with PersistedCatalog(path, HELPED) as catalog, pytest.raises(error):
            catalog.update(entries)
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
