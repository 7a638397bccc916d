"""A revision of a git repository as a store."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost import Bundle
from fingerpost.errors import ConfigError, KnowledgeCapabilityError, KnowledgeNotFoundError, StoreError
from fingerpost.stores import DocumentStore, GitDocumentStore, from_uri
from fingerpost.stores.listed import Listing
from fingerpost_testing.contracts import DocumentStoreContract, run_contract
from tests.core.stores.gits import NOTE, Repo


class Watched(GitDocumentStore):
    """Notes whether it serves a revision already."""

    is_serving = False

    def current(self) -> Listing:
        self.is_serving = True
        return super().current()


class OfGit(DocumentStoreContract):
    """It serves a revision until it is asked for changes, so each later commit is followed by that."""

    def make(self) -> DocumentStore:
        self.repo = Repo(self.folder / "repo")
        return Watched(self.repo.folder, "main", cache=self.folder / "cache")

    def put(self, store: DocumentStore, path: str, data: bytes | None) -> None:
        assert isinstance(store, Watched)
        self.repo.commit({path: data})
        if store.is_serving:
            store.changes()

    def remove(self, store: DocumentStore, path: str) -> None:
        self.put(store, path, None)


def test_it_keeps_the_contract() -> None:
    report = run_contract(OfGit)
    assert (report.broken, report.left_out) == ({}, {})


class Counted(GitDocumentStore):
    """Counts what is read."""

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        self.reads = getattr(self, "reads", Counter[str]())
        self.reads[path] += 1
        return super().read_bytes(path, max_bytes)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo", {f"kb/{name}.md": NOTE.format(name) for name in ("a", "b", "c")})


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def store(repo: Repo, cache: Path) -> Iterator[Counted]:
    with Counted(repo.folder, "main", "kb", cache=cache) as store:
        yield store


def test_a_bundle_opens_searches_and_follows_by_reading_what_changed(
    repo: Repo, store: Counted, cache: Path
) -> None:
    with Bundle(store, cache=cache, refresh_seconds=0) as kb:
        assert kb.find("b")["results"][0]["id"] == "b"
        assert store.reads == {"a.md": 1, "b.md": 1, "c.md": 1}
        store.reads.clear()
        repo.commit({"kb/b.md": NOTE.format("berries"), "kb/d.md": NOTE.format("dates"), "kb/a.md": None})
        assert kb.ids() == ["b", "c", "d"]
        assert kb.find("berries")["total"] == 1
        assert store.reads == {"b.md": 1, "d.md": 1}


def test_another_pin_starts_with_what_is_known_of_an_earlier_one(
    repo: Repo, cache: Path, tmp_path: Path
) -> None:
    old = repo.head
    new = repo.commit({"kb/b.md": NOTE.format("berries"), "kb/d.md": NOTE.format("dates"), "kb/a.md": None})
    with Counted(repo.folder, old, "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert kb.wait().left == 0
        assert store.earlier_identities == ()
    with Counted(repo.folder, new, "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert store.earlier_identities == (f"{repo.address}@{old}#kb",)
        assert kb.ids() == ["b", "c", "d"]
        assert [kb.find(word)["total"] for word in ("berries", "dates", "c", "a")] == [1, 1, 1, 0]
        assert store.reads == {"b.md": 1, "d.md": 1}
        with Counted(repo.folder, old, "kb", cache=cache) as before, Bundle(before, cache=cache) as known:
            assert known.ids() == ["a", "b", "c"]
            assert known.find("berries")["total"] == 0
            assert not hasattr(before, "reads"), "each pin has an index of its own"
        assert kb.ids() == ["b", "c", "d"]
    with Counted(repo.folder, "main", "", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert store.earlier_identities == (), "another folder has other paths"
        assert len(kb) == 3


@pytest.mark.parametrize("rev", ["v2.0", "0" * 40])
def test_a_pin_that_does_not_exist_is_never_answered_with_what_another_one_holds(
    repo: Repo, cache: Path, rev: str
) -> None:
    with Counted(repo.folder, "main", "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert kb.wait().left == 0
    for _ in range(2):
        with (
            GitDocumentStore(repo.folder, rev, "kb", cache=cache) as store,
            Bundle(store, cache=cache) as kb,
            pytest.raises(StoreError),
        ):
            kb.find("c")
    with GitDocumentStore(repo.folder, rev, "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        with pytest.raises(StoreError):
            kb.ids()
        if rev == "v2.0":
            repo.git("tag", rev)
            assert kb.ids() == ["a", "b", "c"]
            assert kb.trouble == ""


def test_what_a_pin_holds_and_cannot_be_read_is_not_answered_with_another_ones(
    repo: Repo, cache: Path
) -> None:
    with Counted(repo.folder, "main", "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert kb.wait().left == 0
    new = repo.commit({"kb/b.md": NOTE.format("berries")})

    class Unread(GitDocumentStore):
        def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
            raise StoreError(f"{path!r} cannot be read.")

    with Unread(repo.folder, new, "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert kb.ids() == ["a", "c"], "the same in both"
    with GitDocumentStore(repo.folder, new, "kb", cache=cache) as store, Bundle(store, cache=cache) as kb:
        assert kb.ids() == ["a", "b", "c"]
        assert kb.find("berries")["total"] == 1


def test_a_branch_is_asked_for_at_its_pace_and_a_commit_never(
    repo: Repo, store: Counted, cache: Path
) -> None:
    assert store.has_cheap_changes is False
    with Bundle(store, cache=cache) as kb:
        assert len(kb) == 3
        repo.commit({"kb/d.md": NOTE.format("dates")})
        assert len(kb) == 3
        kb.reload()
        assert len(kb) == 4
    pinned = GitDocumentStore(repo.folder, repo.head.upper(), "kb", cache=cache)
    assert pinned.has_cheap_changes is True
    repo.folder.rename(repo.folder.with_name("away"))
    with pinned, Bundle(pinned, cache=cache) as kb:
        assert (len(kb), kb.trouble) == (4, "")
        assert pinned.changes(first := pinned.changes().cursor).cursor is first


def test_tags_and_branches_and_names_that_both_have(repo: Repo, cache: Path) -> None:
    old = repo.head
    repo.git("tag", "-m", "annotated", "v1")
    repo.git("branch", "v1")
    repo.git("branch", "feature/x")
    repo.commit({"kb/d.md": NOTE.format("dates")})
    repo.git("branch", "-f", "v1")
    repo.git("branch", "2024")
    for rev, wanted in (
        ("v1", old),
        ("refs/heads/v1", repo.head),
        ("feature/x", old),
        ("2024", repo.head),
        ("HEAD", repo.head),
    ):
        with GitDocumentStore(repo.folder, rev, "kb", cache=cache) as store:
            assert store.revision == wanted, rev


def test_what_has_no_such_revision_or_folder_says_so(repo: Repo, cache: Path) -> None:
    for rev, subdir, says in (
        ("gone", "", r"has no branch or tag 'gone'; name one that it has\.$"),
        (
            repo.head[:8],
            "",
            r"has no branch or tag '[0-9a-f]{8}'; of a commit, give all 40 characters of its id\.$",
        ),
        ("0" * 40, "", "it has no such revision, or no branch that leads to it; check the revision"),
        ("main", "nowhere", "has no folder 'nowhere' at "),
        ("main", "kb/a.md", "has no folder 'kb/a.md' at "),
    ):
        with (
            GitDocumentStore(repo.folder, rev, subdir, cache=cache) as store,
            pytest.raises(StoreError, match=says),
        ):
            store.changes()
    absent = GitDocumentStore(repo.folder.parent / "none", cache=cache)
    with absent, pytest.raises(StoreError, match="there is no repository, or none that these credentials"):
        absent.list()


def test_a_branch_that_is_gone_leaves_what_was_served(repo: Repo, store: Counted, cache: Path) -> None:
    repo.git("branch", "other")
    with (
        GitDocumentStore(repo.folder, "other", "kb", cache=cache) as other,
        Bundle(other, cache="", refresh_seconds=0) as kb,
    ):
        assert len(kb) == 3
        repo.git("branch", "-D", "other")
        assert len(kb) == 3
        assert "has no branch or tag 'other'" in kb.trouble
        assert kb.read("a")["title"] == "a"
        repo.git("branch", "other")
        kb.reload()
        assert kb.trouble == ""


def test_a_folder_that_is_gone_leaves_what_was_served(repo: Repo, store: Counted) -> None:
    with Bundle(store, cache="", refresh_seconds=0) as kb:
        assert len(kb) == 3
        repo.git("mv", "kb", "elsewhere")
        repo.commit({})
        assert len(kb) == 3
        assert "has no folder 'kb'" in kb.trouble


def test_only_regular_files_with_usable_names_are_served(repo: Repo, cache: Path) -> None:
    blob = repo.blob(b"x")
    lines = [
        f"100644 blob {blob}\tplain.md".encode(),
        f"100755 blob {blob}\trunnable.md".encode(),
        f"120000 blob {blob}\tlink.md".encode(),
        f"160000 commit {repo.head}\tmodule".encode(),
        f"100644 blob {blob}\t\xff.md".encode("latin-1"),
        f"100644 blob {blob}\tback\\slash.md".encode(),
        f"100644 blob {blob}\t.hidden.md".encode(),
        f"100644 blob {blob}\ttwo\nlines.md".encode(),
    ]
    repo.commit_tree(b"\0".join(lines) + b"\0")
    with GitDocumentStore(repo.folder, cache=cache) as store:
        assert store.list() == ["plain.md", "runnable.md", "two\nlines.md"]
        found = store.changes()
        assert [(item.path, item.code, item.count) for item in found.skipped] == [
            ("\\xff.md", "OKF404", 1),
            ("back\\slash.md", "OKF404", 1),
            ("link.md", "OKF402", 1),
            ("module", "OKF403", 1),
            ("", "OKF401", 1),
        ]
        assert "is a symbolic link" in found.skipped[2].reason
        for path in ("link.md", "module", ".hidden.md"):
            with pytest.raises(KnowledgeNotFoundError):
                store.read_bytes(path)


def test_a_tree_that_leads_out_is_not_followed(repo: Repo, cache: Path) -> None:
    blob = repo.blob(b"x")
    raw = b"".join(
        mode + b" " + name + b"\0" + bytes.fromhex(blob)
        for mode, name in ((b"100644", b".."), (b"100644", b"a.md"))
    )
    above = repo.git("hash-object", "-t", "tree", "--literally", "-w", "--stdin", stdin=raw)
    repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", above, "-m", "odd"))
    with GitDocumentStore(repo.folder, cache=cache) as store:
        assert store.list() == ["a.md"]
        assert [(item.path, item.code) for item in store.changes().skipped] == [("..", "OKF402")]


def test_the_signature_is_the_id_of_the_blob_and_a_large_file_is_refused(repo: Repo, store: Counted) -> None:
    assert store.signature("a.md") == repo.git("rev-parse", "main:kb/a.md")
    repo.commit({"kb/large.md": b"x" * 3_000_000})
    store.changes()
    with pytest.raises(StoreError, match=r"'large\.md' holds 3,000,000 bytes, more than the 1,000 bytes"):
        store.read_bytes("large.md", 1_000)
    assert store.read_bytes("a.md", 1_000) == NOTE.format("a").encode(), (
        "the next answer is to the next question"
    )
    assert len(store.read_bytes("large.md", 3_000_000)) == 3_000_000


def test_it_is_only_read(store: Counted) -> None:
    assert store.writable is False
    with pytest.raises(KnowledgeCapabilityError, match="can only be read"):
        store.write_bytes("a.md", b"x")


def test_without_a_cache_nothing_stays(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "scratch"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "scratch").mkdir()
    store = GitDocumentStore(repo.folder, "main", "kb", cache="off")
    assert len(store.list()) == 3
    assert len(list((tmp_path / "scratch").iterdir())) == 1
    store.close()
    store.close()
    assert list((tmp_path / "scratch").iterdir()) == []
    assert len(store.list()) == 3, "it may be used again"
    del store
    assert list((tmp_path / "scratch").iterdir()) == []


def test_a_cache_that_cannot_be_written_is_told_and_done_without(
    repo: Repo, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    with GitDocumentStore(repo.folder, "main", "kb", cache=tmp_path / "file") as store:
        assert len(store.list()) == 3
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.startswith(
        "A repository is fetched into a temporary folder, by each process anew. The folder "
    )


def test_without_git_a_sentence_says_so(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(ConfigError, match="the program git, which is not installed; install it"):
        from_uri(repo.address)


def test_eight_threads_read_while_very_different_branches_take_turns(repo: Repo, cache: Path) -> None:
    states: dict[str, dict[str, str]] = {}
    for branch in ("one", "two"):
        files = {f"{branch if n % 2 else 'both'}/{n}.md": NOTE.format(f"{branch} {n}") for n in range(60)}
        repo.git("checkout", "-q", "--orphan", branch)
        repo.git("rm", "-rqf", ".")
        repo.commit(dict(files))
        states[branch] = files
    repo.git("branch", "-f", "main", "one")
    failures: list[str] = []
    done = threading.Event()

    def read(kb: Bundle) -> None:
        while not done.is_set():
            try:
                for id_ in ("both/0", "both/8"):
                    text = kb.read(id_)["body"]
                    if text.strip() not in {f"The text about {branch} {id_[5:]}." for branch in states}:
                        failures.append(text)
                titles = {hit["title"].split()[0] for hit in kb.find("text", limit=100)["results"]}
                if titles not in ({"one"}, {"two"}):
                    failures.append(str(titles))
            except Exception as error:  # noqa: BLE001 - to be shown
                failures.append(repr(error))

    with (
        GitDocumentStore(repo.folder, "main", cache=cache) as store,
        Bundle(store, cache="", refresh_seconds=0) as kb,
    ):
        threads = [threading.Thread(target=read, args=(kb,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for turn in range(10):
            repo.git("branch", "-f", "main", ("two", "one")[turn % 2])
            done.wait(0.15)
        done.set()
        for thread in threads:
            thread.join(20)
        assert failures == []
        repo.git("branch", "-f", "main", "two")
        assert set(kb.ids()) == {path.removesuffix(".md") for path in states["two"]}


def test_a_forked_process_reads_on_its_own(store: Counted) -> None:
    assert store.read_bytes("a.md")
    child = os.fork()
    if not child:
        is_right = store.read_bytes("b.md") == NOTE.format("b").encode() and len(store.list()) == 3
        os._exit(0 if is_right else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert store.read_bytes("c.md") == NOTE.format("c").encode()


def test_no_process_stays_when_the_store_is_forgotten(repo: Repo, cache: Path) -> None:
    program = (
        "import sys, gc, os\nfrom fingerpost.stores import GitDocumentStore\n"
        "store = GitDocumentStore(sys.argv[1], 'main', 'kb', cache=sys.argv[2])\n"
        "store.read_bytes('a.md')\n"
        "running = store._blobs._running[0]\n"
        "del store; gc.collect()\n"
        "print(running.returncode)\n"
        "GitDocumentStore(sys.argv[1], 'main', 'kb', cache=sys.argv[2]).read_bytes('a.md')\n"
    )
    command = [sys.executable, "-W", "error", "-c", program, str(repo.folder), str(cache)]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (outcome.stdout, outcome.stderr) == ("-9\n", "")
