"""Objects are read within a cap, many at the same time, in order and within bounded memory."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from fingerpost import KnowledgeNotFoundError, StoreError
from fingerpost.errors import TooLargeError
from fingerpost_s3.connection import WORKERS
from fingerpost_s3.failures import UnavailableError
from fingerpost_s3.reading import ahead
from tests.s3.buckets import Bucket, counted
from tests.s3.faulty import between


def test_an_object_above_the_cap_is_not_read(bucket: Bucket) -> None:
    bucket.put("kb/a.md", body=b"1234")
    store = bucket.store()
    assert store.read_bytes("a.md", 4) == b"1234"
    with pytest.raises(TooLargeError, match=r"^'a\.md' holds 4 bytes, more than the 3 bytes"):
        store.read_bytes("a.md", 3)


def test_many_are_read_in_order_with_their_errors_among_them(bucket: Bucket) -> None:
    paths = [f"{number}.md" for number in range(150)]
    bucket.fill({f"kb/{path}": path.encode() for path in paths if path != "7.md"})
    bucket.put("kb/8.md", body=b"far too large" * 10)
    asked = [*paths, "../out.md"]
    found = list(bucket.store().read_many(asked, 100))
    assert [path for path, _ in found] == asked
    contents = dict(found)
    assert isinstance(contents["7.md"], KnowledgeNotFoundError)
    assert isinstance(contents["8.md"], TooLargeError)
    assert isinstance(contents["../out.md"], ValueError)
    assert [contents[path] for path in paths if path not in {"7.md", "8.md"}] == [
        path.encode() for path in paths if path not in {"7.md", "8.md"}
    ]


def test_a_large_object_among_many_is_read_when_it_is_its_turn(moto_bucket: Bucket) -> None:
    large = bytes(1_500_000)
    moto_bucket.fill({"kb/large.md": large, "kb/small.md": b"x"})
    store = moto_bucket.store()
    assert list(store.read_many(["large.md", "small.md"])) == [("large.md", large), ("small.md", b"x")]
    assert list(store.read_many(["large.md"], 2_000_000)) == [("large.md", large)]


def test_reads_are_under_way_at_the_same_time() -> None:
    barrier = threading.Barrier(WORKERS, timeout=20)

    def read(path: str, _max_bytes: int | None) -> bytes:
        barrier.wait()
        return path.encode()

    paths = [str(number) for number in range(WORKERS * 3)]
    assert [path for path, _ in ahead(read, paths, None)] == paths


def test_no_more_is_held_than_is_soon_taken() -> None:
    started: list[str] = []

    def read(path: str, _max_bytes: int | None) -> bytes:
        started.append(path)
        return b""

    found = ahead(read, map(str, range(10_000)), None)
    assert started == []
    next(found)
    assert len(started) <= WORKERS * 2
    found.close()  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_server_that_is_down_is_not_asked_ten_thousand_times() -> None:
    asked: list[str] = []

    def read(path: str, _max_bytes: int | None) -> bytes:
        asked.append(path)
        raise UnavailableError("It is down.")

    found = list(ahead(read, map(str, range(10_000)), None))
    assert len(found) == 10_000
    assert {str(content) for _, content in found} == {"It is down."}
    assert len(asked) < WORKERS * 4


def test_objects_that_are_denied_do_not_keep_others_from_being_read() -> None:
    def read(path: str, _max_bytes: int | None) -> bytes:
        if int(path) < 9_000:
            raise StoreError("It is denied.")
        return b"x"

    found = list(ahead(read, map(str, range(10_000)), None))
    assert sum(content == b"x" for _, content in found) == 1_000


def test_one_store_serves_many_threads_with_one_client(moto_bucket: Bucket) -> None:
    moto_bucket.put("kb/a.md")
    store = moto_bucket.store()
    with ThreadPoolExecutor(16) as threads:
        pending = [threads.submit(lambda: id(store._connection.client)) for _ in range(64)]  # pyright: ignore[reportPrivateUsage]
        clients = {each.result() for each in pending}
        contents = set(threads.map(store.read_bytes, ["a.md"] * 64))
    assert (len(clients), contents) == (1, {b"x"})


@pytest.mark.parametrize("is_given", [False, True])
def test_a_forked_process_uses_connections_of_its_own(moto_bucket: Bucket, is_given: bool) -> None:
    moto_bucket.put("kb/a.md", body=b"whole")
    with between(moto_bucket.url) as middle:
        near = Bucket(middle.url, moto_bucket.name, None)
        store = near.quick_store() if is_given else near.store()
        assert store.read_bytes("a.md") == b"whole"
        child = os.fork()
        if not child:
            try:
                os._exit(store.read_bytes("a.md") != b"whole")
            finally:
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert store.read_bytes("a.md") == b"whole"
        ports = [request.port for request in middle.seen]
    assert (len(ports), len(set(ports)), ports[0]) == (3, 2, ports[2])


def test_a_store_that_was_closed_opens_again(moto_bucket: Bucket) -> None:
    moto_bucket.put("kb/a.md")
    store = moto_bucket.store()
    with store:
        assert store.read_bytes("a.md") == b"x"
    assert store.read_bytes("a.md") == b"x"


def test_nothing_is_asked_before_the_first_use(moto_bucket: Bucket) -> None:
    store = moto_bucket.store()
    asked = counted(store)
    assert (store.identity, store.writable, store.has_cheap_changes, store.is_lasting) == (
        f"s3://{moto_bucket.name}/kb?endpoint_url={moto_bucket.url}",
        True,
        False,
        True,
    )
    assert asked == {}
