"""What is kept of a repository: shared by processes, closed to its surroundings, made anew when damaged."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fingerpost import Bundle
from fingerpost.errors import StoreError
from fingerpost.stores import GitDocumentStore
from fingerpost.stores.git_command import Git, GitError
from fingerpost.stores.locks import locked
from tests.core.stores.gits import NOTE, Repo

READ = (
    "import sys\nfrom fingerpost.stores import GitDocumentStore\n"
    "with GitDocumentStore(sys.argv[1], sys.argv[2], cache=sys.argv[3]) as store:\n"
    "    print(len([store.read_bytes(path) for path in store.list()]), flush=True)\n"
)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo", {f"{n}.md": NOTE.format(n) for n in range(20)})


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def reading(repo: Repo, cache: Path, rev: str = "main") -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "error", "-c", READ, str(repo.folder), rev, str(cache)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def kept(cache: Path) -> Path:
    (folder,) = (cache / "git").glob("*.git")
    return folder


def count(repo: Repo, cache: Path, rev: str = "main") -> int:
    with GitDocumentStore(repo.folder, rev, cache=cache) as store:
        return len([store.read_bytes(path) for path in store.list()])


def test_processes_that_start_at_once_share_one_repository(repo: Repo, cache: Path) -> None:
    old = repo.head
    repo.commit({"new.md": NOTE.format("new")})
    processes = [reading(repo, cache, rev) for rev in ("main", old) * 3]
    assert [process.communicate(timeout=60) for process in processes] == [("21\n", ""), ("20\n", "")] * 3
    assert kept(cache).is_dir()


def test_another_process_that_fetches_is_waited_for_but_not_forever(repo: Repo, cache: Path) -> None:
    assert count(repo, cache) == 20
    repo.commit({"new.md": NOTE.format("new")})
    lock = str(kept(cache).with_suffix(".lock"))
    with GitDocumentStore(repo.folder, "main", cache=cache, timeout=0.3) as store:
        with locked(lock, 0) as is_mine, pytest.raises(StoreError, match=r"fetching .* for 0\.3 seconds"):
            store.changes(store.changes().cursor if is_mine else None)
        assert len(store.changes().changed) == 21


def test_a_process_that_is_killed_while_it_fetches_leaves_what_can_be_used(repo: Repo, cache: Path) -> None:
    chance = random.Random(5)
    for turn in range(12):
        repo.commit({"large.bin": chance.randbytes(2_000_000), "turn.md": NOTE.format(turn)})
        process = reading(repo, cache)
        time.sleep(0.12 + chance.random() * 0.25)
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=20)
    assert count(repo, cache) == 22


def test_locks_that_a_killed_process_has_left_are_no_hindrance(repo: Repo, cache: Path) -> None:
    assert count(repo, cache) == 20
    repo.commit({"new.md": NOTE.format("new")})
    for name in ("shallow.lock", f"refs/fingerpost/{repo.head}.lock", "packed-refs.lock"):
        (kept(cache) / name).write_bytes(b"")
    before = {pack.name for pack in kept(cache).rglob("*.pack")}
    assert count(repo, cache) == 21
    assert before < {pack.name for pack in kept(cache).rglob("*.pack")}, (
        "what was there has not been fetched anew"
    )


@pytest.mark.parametrize("harm", ["packs", "head", "everything", "cut"])
def test_what_is_damaged_is_fetched_anew(repo: Repo, cache: Path, harm: str) -> None:
    assert count(repo, cache) == 20
    folder = kept(cache)
    if harm == "everything":
        shutil.rmtree(folder)
    elif harm == "head":
        (folder / "HEAD").write_bytes(b"nonsense")
    for pack in folder.rglob("*.pack"):
        pack.chmod(0o600)
        if harm == "packs":
            pack.unlink()
        elif harm == "cut":
            pack.write_bytes(pack.read_bytes()[:100])
    repo.commit({"new.md": NOTE.format("new")})
    assert count(repo, cache) == 21


def test_what_is_kept_stays_when_the_repository_is_gone(repo: Repo, cache: Path) -> None:
    commit = repo.head
    assert count(repo, cache, commit) == 20
    repo.folder.rename(repo.folder.with_name("moved"))
    with pytest.raises(StoreError, match=r"cannot be fetched: there is no repository"):
        count(repo, cache, "0" * 40)
    assert count(repo, cache, commit) == 20


def test_what_is_damaged_under_way_is_fetched_anew(repo: Repo, cache: Path) -> None:
    with GitDocumentStore(repo.folder, "main", cache=cache) as store, Bundle(store, cache="") as kb:
        assert len(kb) == 20
        shutil.rmtree(kept(cache))
        store._blobs.close()  # pyright: ignore[reportPrivateUsage] - it holds its files open
        assert kb.read("3")["title"] == "3"
    assert count(repo, cache) == 20


def test_what_nobody_has_used_for_long_is_removed(repo: Repo, cache: Path, tmp_path: Path) -> None:
    assert count(repo, cache) == 20
    old = kept(cache)
    other = Repo(tmp_path / "other", {"a.md": "x"})
    assert count(other, cache) == 1
    assert old.is_dir()
    os.utime(old.with_suffix(".lock"), (0, 0))
    shutil.rmtree(next(folder for folder in (cache / "git").glob("*.git") if folder != old))
    assert count(other, cache) == 1
    assert not old.exists()
    assert count(repo, cache) == 20


def test_only_what_changed_is_fetched(repo: Repo, cache: Path) -> None:
    repo.commit({"large.bin": random.Random(1).randbytes(3_000_000)})
    assert count(repo, cache) == 21
    before = {pack.name for pack in kept(cache).rglob("*.pack")}
    repo.commit({"new.md": NOTE.format("new")})
    assert count(repo, cache) == 22
    fetched = [pack for pack in kept(cache).rglob("*.pack") if pack.name not in before]
    assert sum(pack.stat().st_size for pack in fetched) < 100_000


def test_what_was_fetched_piece_by_piece_is_put_together_and_none_of_it_lost(
    repo: Repo, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingerpost.stores.git_repository._MOST_PACKS", 3)
    commits = [repo.commit({f"new-{n}.md": NOTE.format(n)}) for n in range(8)]
    with GitDocumentStore(repo.folder, commits[0], cache=cache) as early:
        assert early.read_bytes("new-0.md")
        for number, commit in enumerate(commits):
            assert count(repo, cache, commit) == 21 + number
            assert len(list(kept(cache).rglob("*.pack"))) <= 3
        assert len([early.read_bytes(path) for path in early.list()]) == 21
    repo.folder.rename(repo.folder.with_name("away"))
    assert [count(repo, cache, commit) for commit in commits] == list(range(21, 29))


def test_git_is_closed_to_its_surroundings(
    repo: Repo, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, trace = tmp_path / "home", tmp_path / "trace"
    hooks = home / "hooks"
    hooks.mkdir(parents=True)
    for hook in ("post-checkout", "reference-transaction", "post-merge", "pre-auto-gc"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {tmp_path}/hooked\n")
        (hooks / hook).chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[core]\n\thooksPath = {hooks}\n\tfsmonitor = {hooks}/post-merge\n"
        f'[url "{tmp_path}/elsewhere"]\n\tinsteadOf = {repo.folder.as_uri()}\n'
        f"[uploadpack]\n\tpackObjectsHook = {hooks}/post-merge\n"
        f'[fetch]\n\tfsckObjects = true\n[filter "x"]\n\tsmudge = touch {tmp_path}/filtered\n'
    )
    for name, value in {
        "HOME": home,
        "XDG_CONFIG_HOME": home,
        "GIT_CONFIG_GLOBAL": home / ".gitconfig",
        "GIT_DIR": tmp_path / "elsewhere",
        "GIT_WORK_TREE": tmp_path,
        "GIT_TRACE": trace,
        "GIT_ASKPASS": hooks / "post-merge",
        "GIT_OBJECT_DIRECTORY": tmp_path / "elsewhere",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": hooks,
        "GIT_ALLOW_PROTOCOL": "ext",
    }.items():
        monkeypatch.setenv(name, str(value))
    repo.commit({".gitattributes": "*.md filter=x\n"})
    assert count(repo, cache) == 20
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "home", "repo"]


def test_a_command_is_ended_with_all_that_it_started_when_it_takes_too_long(tmp_path: Path) -> None:
    sleeper, noted = tmp_path / "sleeper", tmp_path / "noted"
    sleeper.write_text(f"#!/bin/sh\nsleep 30 & echo $! > {noted}\nwait\n")
    sleeper.chmod(0o755)
    started = time.monotonic()
    with pytest.raises(GitError, match=r"git -c took longer than 0\.5 seconds"):
        Git("file").run("", ["-c", f"alias.x=!{sleeper}", "x"], 0.5)
    assert time.monotonic() - started < 5
    child = int(noted.read_text())
    for _ in range(100):
        if (
            not Path(f"/proc/{child}").exists()
            or "Z" in Path(f"/proc/{child}/stat").read_text().split(")")[1][:3]
        ):
            break
        time.sleep(0.02)
    else:
        pytest.fail("what it started goes on")


def test_a_command_that_prints_too_much_is_ended() -> None:
    with pytest.raises(GitError, match=r"printed more than 10,000 bytes"):
        Git("file").run("", ["-c", "alias.x=!yes", "x"], 20, max_bytes=10_000)
    with pytest.raises(GitError, match=r"took longer than 0\.3 seconds"):
        Git("file").run("", ["-c", "alias.x=!yes", "x"], 0.3, max_bytes=1 << 40)


def test_a_tree_that_unfolds_without_end_is_refused(repo: Repo, cache: Path) -> None:
    entry, tree = f"100644 blob {repo.blob(b'x')}", ""
    for _ in range(10):
        tree = repo.git("mktree", stdin="".join(f"{entry}\tf{n}\n" for n in range(10)).encode())
        entry = f"040000 tree {tree}"
    repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", tree, "-m", "bomb"))
    started = time.monotonic()
    with (
        GitDocumentStore(repo.folder, "main", cache=cache) as store,
        pytest.raises(StoreError, match="holds more than"),
    ):
        store.list()
    assert time.monotonic() - started < 60
