"""Nothing outside the root folder is reached, in whichever way, also while links are swapped."""

from __future__ import annotations

import errno
import os
import random
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fingerpost.errors import KnowledgeError, KnowledgeNotFoundError, KnowledgePathError, StoreError
from fingerpost.stores import LocalDocumentStore, confined

SECRET = b"outside the root"


@pytest.fixture
def secret(folder: Path) -> Path:
    """A file next to the root folder, in a folder whose name starts with the root's."""
    file = folder.parent / "kb-secret" / "x"
    file.parent.mkdir()
    file.write_bytes(SECRET)
    return file


@pytest.mark.usefixtures("any_confinement", "secret")
class TestPathsOutOfTheRoot:
    @pytest.mark.parametrize("path", ["../kb-secret/x", "a/../../kb-secret/x", "a/../x.md"])
    def test_dots_are_refused(self, folder: Path, path: str) -> None:
        (folder / "a").mkdir()
        (folder / "x.md").write_bytes(b"inside")
        with pytest.raises(KnowledgePathError, match=r"holds '\.\.'"):
            LocalDocumentStore(folder).read_bytes(path)

    def test_absolute_paths_are_refused_even_within_the_root(self, folder: Path, secret: Path) -> None:
        (folder / "x.md").write_bytes(b"inside")
        for path in (secret, folder / "x.md"):
            with pytest.raises(KnowledgePathError, match="absolute"):
                LocalDocumentStore(folder).read_bytes(str(path))

    @pytest.mark.parametrize(
        ("link", "target", "path"),
        [
            ("leak.md", "../kb-secret/x", "leak.md"),
            ("up", "../..", "up"),
            ("up", "..", "up/kb-secret/x"),
            ("kb-secret", "../kb-secret", "kb-secret/x"),
        ],
    )
    def test_links_out_of_the_root_are_refused_and_left_out_of_the_listing(
        self, folder: Path, link: str, target: str, path: str
    ) -> None:
        (folder / "a.md").write_bytes(b"inside")
        (folder / link).symlink_to(target)
        store = LocalDocumentStore(folder)
        with pytest.raises(KnowledgePathError, match="leads out of the root"):
            store.read_bytes(path)
        assert store.exists(path) is False
        assert store.list() == ["a.md"]
        assert [(entry.path, entry.code) for entry in store.changes().skipped] == [(link, "OKF402")]

    def test_absolute_links_out_of_the_root_are_refused(self, folder: Path, secret: Path) -> None:
        (folder / "passwd.md").symlink_to("/etc/passwd")
        (folder / "all").symlink_to("/")
        (folder / "secret.md").symlink_to(secret)
        store = LocalDocumentStore(folder)
        for path in ("passwd.md", "all/etc/passwd", "secret.md"):
            with pytest.raises(KnowledgePathError, match="leads out of the root"):
                store.read_bytes(path)
        assert store.list() == []
        assert [entry.code for entry in store.changes().skipped] == ["OKF402"] * 3


@pytest.mark.usefixtures("confinement")
class TestLinksWithinTheRoot:
    def test_a_linked_file_and_a_linked_folder_are_read_under_the_links_path(self, folder: Path) -> None:
        (folder / "real").mkdir()
        (folder / "real" / "x.md").write_bytes(b"x")
        (folder / "deep").mkdir()
        (folder / "deep" / "file.md").symlink_to("../real/x.md")
        (folder / "deep" / "folder").symlink_to("../real")
        (folder / "winding.md").symlink_to("deep/../real/../deep/folder/./x.md")
        store = LocalDocumentStore(folder)
        assert store.list() == ["deep/file.md", "deep/folder/x.md", "real/x.md", "winding.md"]
        assert {store.read_bytes(path) for path in store.list()} == {b"x"}
        assert store.changes().skipped == ()

    def test_dots_in_a_target_count_from_where_the_link_really_leads(self, folder: Path) -> None:
        (folder / "a" / "b").mkdir(parents=True)
        (folder / "a" / "x.md").write_bytes(b"in a")
        (folder / "x.md").write_bytes(b"on top")
        (folder / "jump").symlink_to("a/b")
        (folder / "link.md").symlink_to("jump/../x.md")
        assert LocalDocumentStore(folder).read_bytes("link.md") == b"in a"

    def test_an_absolute_target_is_refused_even_within_the_root(self, folder: Path) -> None:
        (folder / "x.md").write_bytes(b"x")
        (folder / "link.md").symlink_to(folder / "x.md")
        store = LocalDocumentStore(folder)
        with pytest.raises(KnowledgePathError, match="absolute target"):
            store.read_bytes("link.md")
        assert store.list() == ["x.md"]

    def test_a_target_that_leaves_the_root_and_comes_back_is_refused(self, folder: Path) -> None:
        (folder / "x.md").write_bytes(b"x")
        (folder / "link.md").symlink_to("../kb/x.md")
        store = LocalDocumentStore(folder)
        with pytest.raises(KnowledgePathError, match="leads out of the root"):
            store.read_bytes("link.md")
        assert store.list() == ["x.md"]

    def test_forty_links_are_followed_and_one_more_is_not(self, folder: Path) -> None:
        (folder / "0").write_bytes(b"end")
        for number in range(1, 42):
            (folder / str(number)).symlink_to(str(number - 1))
        store = LocalDocumentStore(folder)
        assert store.read_bytes("40") == b"end"
        with pytest.raises(StoreError, match="circle, or too many"):
            store.read_bytes("41")

    def test_a_mounted_configuration_with_its_hidden_data_folder_is_served(self, folder: Path) -> None:
        for version in ("1", "2"):
            (folder / f"..v{version}").mkdir()
            (folder / f"..v{version}" / "x.md").write_text(f"version {version}")
        (folder / "..data").symlink_to("..v1")
        (folder / "x.md").symlink_to("..data/x.md")
        store = LocalDocumentStore(folder)
        before = store.changes()
        assert (before.changed, store.read_bytes("x.md")) == (("x.md",), b"version 1")
        (folder / "..new").symlink_to("..v2")
        (folder / "..new").replace(folder / "..data")
        assert store.changes(before.cursor).changed == ("x.md",)
        assert store.read_bytes("x.md") == b"version 2"


def _outcome(root_fd: int, path: str, flags: int, use_openat2: bool) -> tuple[int, int] | str:
    try:
        opened = confined.open_beneath(root_fd, path, flags, use_openat2=use_openat2)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    try:
        found = os.fstat(opened)
        return found.st_dev, found.st_ino
    finally:
        os.close(opened)


@pytest.fixture(scope="module")
def maze(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("maze") / "root"
    yield root
    shutil.rmtree(root.parent)


SEGMENT = st.sampled_from(["a", "b", "c", "..", ".", "", "absent"])
TARGET = st.lists(SEGMENT, min_size=1, max_size=4).map("/".join).filter(bool)
NODE = st.one_of(st.none(), st.just("file"), TARGET)
PLACES = ("a", "b", "c", "a/a", "a/b", "b/a", "b/c", "c/a/b")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(nodes=st.lists(NODE, min_size=len(PLACES), max_size=len(PLACES)), path=TARGET)
@example(nodes=["file", "a/", None, None, None, None, None, None], path="b")
@example(nodes=["file", "a/.", "a/..", None, None, None, None, None], path="c")
@example(nodes=[None, "a/..", None, "file", None, None, None, None], path="b/a/a")
@example(nodes=[None, "../root/a", None, "file", None, None, None, None], path="b/a")
def test_the_walk_and_the_kernel_give_the_same_answer_on_any_maze_of_links(
    maze: Path, nodes: list[str | None], path: str
) -> None:
    shutil.rmtree(maze, ignore_errors=True)
    maze.mkdir()
    for place, node in zip(PLACES, nodes, strict=True):
        where = maze / place
        if not where.parent.is_dir() or os.path.lexists(where) or where.parent.resolve() != where.parent:
            continue
        if node is None:
            where.mkdir()
        elif node == "file":
            where.write_bytes(b"")
        else:
            where.symlink_to(node)
    root_fd = os.open(maze, confined.THROUGH)
    try:
        for flags in (confined.READ, confined.LOOK, confined.FOLDER):
            kernel = _outcome(root_fd, path, flags, use_openat2=True)
            assert _outcome(root_fd, path, flags, use_openat2=False) == kernel
            if not isinstance(kernel, str):
                inside = [os.lstat(place) for place in [maze, *maze.rglob("*")]]
                assert kernel in {(found.st_dev, found.st_ino) for found in inside}
    finally:
        os.close(root_fd)


def test_a_path_longer_than_the_system_takes_is_refused_alike(folder: Path) -> None:
    root_fd = os.open(folder, confined.THROUGH)
    try:
        for path in ("a/" * 2048, "a/" * 2047 + "b", "x" * 256):
            both = {_outcome(root_fd, path, confined.READ, use_openat2=way) for way in (True, False)}
            assert both == {"ENOENT" if path.endswith("b") else "ENAMETOOLONG"}
    finally:
        os.close(root_fd)


@pytest.mark.parametrize("refusal", [errno.ENOSYS, errno.EPERM])
def test_a_system_without_openat2_is_asked_once_and_then_walked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refusal: int
) -> None:
    asked: list[bytes] = []

    def refused(root_fd: int, path: bytes, flags: int) -> int:
        asked.append(path)
        raise OSError(refusal, "refused")

    monkeypatch.setattr(confined, "openat2", refused)
    monkeypatch.setattr(confined, "_openat2_refused", threading.Event())
    (folder / "x.md").write_bytes(b"x")
    (folder / "out.md").symlink_to("../kb-secret/x")
    store = LocalDocumentStore(folder)
    asked.clear()
    assert store.read_bytes("x.md") == b"x"
    with pytest.raises(KnowledgePathError):
        store.read_bytes("out.md")
    assert asked == [], "the refusal at construction is remembered"


def test_a_look_up_that_races_with_renames_is_tried_again_and_then_walked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bytes] = []

    def uncertain(root_fd: int, path: bytes, flags: int) -> int:
        asked.append(path)
        raise BlockingIOError(errno.EAGAIN, "again")

    (folder / "x.md").write_bytes(b"x")
    store = LocalDocumentStore(folder)
    monkeypatch.setattr(confined, "_openat2_refused", threading.Event())  # as at the start of a process
    monkeypatch.setattr(confined, "openat2", uncertain)
    assert store.read_bytes("x.md") == b"x"
    assert 1 < len(asked) < 1000


def _read_until_all_seen(read: Callable[[], str], wanted: set[str], at_least: int) -> Counter[str]:
    """Read at least so often, and until each wanted outcome came up; never longer than 20 s."""
    seen: Counter[str] = Counter()
    guard = time.monotonic() + 20
    while (seen.total() < at_least or not wanted <= seen.keys()) and time.monotonic() < guard:
        seen[read()] += 1
    return seen


@pytest.mark.usefixtures("confinement", "secret")
@pytest.mark.parametrize("swapped", ["file", "folder"])
def test_a_link_that_is_swapped_in_during_reads_never_leaks(folder: Path, swapped: str) -> None:
    honest = folder / "honest"
    honest.mkdir()
    (honest / "x").write_bytes(b"inside")
    swinging = folder / "swinging"
    path = "swinging" if swapped == "file" else "swinging/x"
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            swinging.symlink_to("../kb-secret/x" if swapped == "file" else "../kb-secret")
            swinging.unlink()
            swinging.symlink_to("honest/x" if swapped == "file" else "honest")
            swinging.unlink()
            os.rename(honest / "x" if swapped == "file" else honest, swinging)
            os.rename(swinging, honest / "x" if swapped == "file" else honest)

    store = LocalDocumentStore(folder)

    def read() -> str:
        try:
            return store.read_bytes(path).decode()
        except (KnowledgePathError, KnowledgeNotFoundError) as refusal:
            return type(refusal).__name__

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        seen = _read_until_all_seen(read, {"inside", "KnowledgePathError"}, at_least=5000)
        listed = {name for _ in range(50) for name in store.list()}
    finally:
        stop.set()
        swapper.join()
    assert (
        {"inside", "KnowledgePathError"}
        <= seen.keys()
        <= {"inside", "KnowledgePathError", "KnowledgeNotFoundError"}
    )
    assert listed <= {"honest/x", "swinging", "swinging/x"}


STATES: dict[str, dict[str, bytes]] = {
    "one": {
        "policies/refund.md": b"one",
        "both.md": b"one of both",
        "kind": b"a file",
        "a/b/c/d.md": b"one d",
    },
    "two": {
        "policies": b"now a file",
        "both.md": b"two of both",
        "kind/inner.md": b"two",
        "a/b.md": b"two b",
    },
}
COMMITTED = {path: {s[path] for s in STATES.values() if path in s} for s in STATES.values() for path in s}


def _check_out(root: Path, state: dict[str, bytes]) -> None:
    """Change a tree into a state file by file, as `git checkout` does it."""
    for file in sorted(root.rglob("*"), reverse=True):
        relative = str(file.relative_to(root))
        if file.is_dir():
            if not any(path.startswith(f"{relative}/") for path in state):
                file.rmdir()
        elif relative not in state:
            file.unlink()
    for path, content in state.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        fresh = root.parent / "fresh"
        fresh.write_bytes(content)
        fresh.replace(root / path)


def _read_at_random(store: LocalDocumentStore, stop: threading.Event, seed: int) -> Counter[str]:
    chosen = random.Random(seed)
    seen: Counter[str] = Counter()
    cursor = None
    while not stop.is_set():
        path = chosen.choice(sorted(COMMITTED))
        try:
            content = store.read_bytes(path)
            assert content in COMMITTED[path], (path, content)
            seen[path] += 1
            cursor = store.changes(cursor).cursor
            assert set(cursor.paths()) <= COMMITTED.keys()
        except (KnowledgeNotFoundError, StoreError) as error:
            seen[type(error).__name__] += 1
    return seen


@pytest.mark.usefixtures("confinement")
def test_answers_are_from_a_committed_state_while_two_trees_are_swapped(folder: Path) -> None:
    _check_out(folder, STATES["one"])
    store = LocalDocumentStore(folder)
    cursor = store.changes().cursor
    other, spare = folder.parent / "other", folder.parent / "spare"
    stop = threading.Event()
    with ThreadPoolExecutor(8) as pool:
        readers = [pool.submit(_read_at_random, store, stop, seed) for seed in range(8)]
        until = time.monotonic() + 1.2
        while time.monotonic() < until:
            for name in ("two", "one"):
                _check_out(folder, STATES[name])
            other.mkdir()
            _check_out(other, STATES["two"])
            folder.rename(spare)
            other.rename(folder)
            shutil.rmtree(spare)
        stop.set()
    seen: Counter[str] = Counter()
    for reader in readers:
        seen.update(reader.result())
    assert seen.keys() >= COMMITTED.keys() | {"KnowledgeNotFoundError", "StoreError"}
    final = store.changes(cursor)
    assert set(final.cursor.paths()) == set(store.list()) == STATES["two"].keys()
    assert final.removed == tuple(sorted(STATES["one"].keys() - STATES["two"].keys()))
    assert {path: store.read_bytes(path) for path in store.list()} == STATES["two"]


@pytest.mark.usefixtures("confinement")
def test_every_error_of_a_local_store_is_a_knowledge_error(folder: Path) -> None:
    (folder / "loop").symlink_to("loop")
    (folder / "x.md").write_bytes(b"x")
    store = LocalDocumentStore(folder)
    for path in ("loop", "loop/x", "x.md/x", "y" * 300, "y/" * 3000 + "y", "é" * 130, "\ud800"):
        for ask in (store.read_bytes, store.signature):
            with pytest.raises(KnowledgeError):
                ask(path)
