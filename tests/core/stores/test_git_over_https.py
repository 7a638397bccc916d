"""Repositories behind a host: TLS, credentials, and what a host may answer."""

from __future__ import annotations

import logging
import time
import traceback
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from fingerpost import Bundle
from fingerpost.errors import KnowledgeError, StoreError
from fingerpost.stores import GitDocumentStore
from tests.core.stores.gits import NOTE, Repo, Server, serving

CANARY = "canary-7f3a/9"
ENCODED = b64encode(f"user:{CANARY}".encode()).decode()


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "host" / "kb", {"docs/a.md": NOTE.format("apples")})


@pytest.fixture
def server(repo: Repo, tmp_path: Path) -> Iterator[Server]:
    with serving(repo.folder.parent, tmp_path) as server:
        yield server


def store_of(
    server: Server, tmp_path: Path, *, user: str = "", path: str = "kb", rev: str = "main"
) -> GitDocumentStore:
    return GitDocumentStore(
        f"https://{user}{server.place}/{path}",
        rev,
        cache=tmp_path / "cache",
        ca_file=server.ca_file,
        timeout=30,
    )


USER = f"user:{CANARY.replace('/', '%2F')}@"


def test_a_repository_is_fetched_and_followed(repo: Repo, server: Server, tmp_path: Path) -> None:
    with store_of(server, tmp_path) as store, Bundle(store, cache="", refresh_seconds=0) as kb:
        assert kb.ids() == ["docs/a"]
        assert store.revision == repo.head
        repo.commit({"docs/b.md": NOTE.format("berries")})
        assert kb.ids() == ["docs/a", "docs/b"]
        asked = len(server.requests)
        assert kb.ids() == ["docs/a", "docs/b"]
        assert len(server.requests) - asked == 2, "one question for the branch: what is spoken, and the refs"


def test_a_commit_is_asked_for_once(repo: Repo, server: Server, tmp_path: Path) -> None:
    for _ in range(2):
        with store_of(server, tmp_path, rev=repo.head) as store:
            assert store.list() == ["docs/a.md"]
            store.changes(store.changes().cursor)
    fetched = len(server.requests)
    assert 0 < fetched <= 4
    server.status = 500
    with store_of(server, tmp_path, rev=repo.head) as store:
        assert store.read_bytes("docs/a.md").startswith(b"---")
    assert len(server.requests) == fetched


def test_credentials_are_sent_and_never_shown(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.password = CANARY
    told: list[str] = []
    with store_of(server, tmp_path, user=USER) as store:
        assert store.list() == ["docs/a.md"]
        assert ("Basic " + ENCODED) in {given for _, given in server.requests}
        told += [store.identity, repr(store), repr(store.changes()), str(vars(store))]
    server.password, server.says = "another", f"remote: no {CANARY} {ENCODED}"
    for path in ("kb", "gone"):
        with (
            store_of(server, tmp_path / path, user=USER, path=path) as store,
            pytest.raises(StoreError) as caught,
        ):
            store.list()
        told += traceback.format_exception(caught.value)
        assert "asks for credentials, or refuses those given" in str(caught.value)
    told += [record.getMessage() for record in caplog.records]
    kept = b"".join(file.read_bytes() for file in tmp_path.glob("*/git/**/*") if file.is_file())
    for secret in (CANARY, USER.strip("@"), ENCODED):
        assert secret not in "\n".join(told)
        assert secret.encode() not in kept


def test_what_a_host_repeats_of_the_credentials_is_blotted_out(server: Server, tmp_path: Path) -> None:
    from fingerpost.stores.git_command import Git

    git = Git("https", f"user:{CANARY}", str(server.ca_file))
    said = git._without_secrets(f"remote: {CANARY} {ENCODED} user:{CANARY}")  # pyright: ignore[reportPrivateUsage]
    assert said == "remote: *** *** ***"


def test_credentials_are_not_taken_elsewhere(server: Server, tmp_path: Path) -> None:
    with serving(server.top, tmp_path / "host") as other:
        server.status, server.location = 302, f"https://{other.place}/kb/info/refs?service=git-upload-pack"
        with (
            store_of(server, tmp_path, user=USER) as store,
            pytest.raises(StoreError, match="sends credentials else"),
        ):
            store.list()
        assert other.requests == []


@pytest.mark.parametrize(
    ("status", "says"),
    [(404, "there is no repository"), (403, "asks for credentials"), (500, "fetched: git ls-remote failed")],
)
def test_what_a_host_answers_is_told(server: Server, tmp_path: Path, status: int, says: str) -> None:
    server.status = status
    with store_of(server, tmp_path) as store, pytest.raises(StoreError, match=says) as caught:
        store.list()
    assert f"'git+https://{server.place}/kb@main'" in str(caught.value)


def test_a_host_that_is_not_trusted_or_not_there_is_told(server: Server, tmp_path: Path) -> None:
    address = f"https://{server.place}/kb"
    with (
        GitDocumentStore(address, cache=tmp_path) as store,
        pytest.raises(StoreError, match="is not trusted"),
    ):
        store.list()
    server.shutdown()
    server.server_close()
    with (
        store_of(server, tmp_path) as store,
        pytest.raises(StoreError, match="does not answer; check the address"),
    ):
        store.list()
    unknown = GitDocumentStore("https://nowhere.invalid/kb", cache=tmp_path)
    with unknown, pytest.raises(KnowledgeError, match="host is not known"):
        unknown.list()


def test_a_host_that_does_not_answer_in_time_is_given_up(server: Server, tmp_path: Path) -> None:
    server.stalls = True
    store = GitDocumentStore(f"https://{server.place}/kb", cache=tmp_path, ca_file=server.ca_file, timeout=1)
    started = time.monotonic()
    with store, pytest.raises(StoreError, match="too slow or broke off"):
        store.list()
    assert time.monotonic() - started < 5


def test_what_was_fetched_last_is_served_while_the_host_fails(
    repo: Repo, server: Server, tmp_path: Path
) -> None:
    with store_of(server, tmp_path) as store:
        assert store.list() == ["docs/a.md"]
    server.status = 503
    with store_of(server, tmp_path) as store, Bundle(store, cache="", refresh_seconds=0) as kb:
        assert kb.read("docs/a")["title"] == "apples"
        assert "cannot be fetched" in kb.trouble
        server.status = 0
        repo.commit({"docs/b.md": NOTE.format("berries")})
        kb.reload()
        assert (kb.ids(), kb.trouble) == (["docs/a", "docs/b"], "")
