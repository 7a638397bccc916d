"""Of several writers one succeeds, and where a server cannot see to that, nothing is swapped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from environments import services
from fingerpost import ConflictError, KnowledgeCapabilityError, KnowledgeNotFoundError, StoreError
from fingerpost_s3 import S3DocumentStore
from tests.s3.buckets import Bucket, Server, counted
from tests.s3.faulty import Between, between


@pytest.fixture(scope="module")
def swapping(moto_server: Server) -> tuple[Bucket, S3DocumentStore]:
    """A bucket for many swaps, and a store that knows that its server minds conditions."""
    bucket = moto_server.new_bucket("swapping")
    store = bucket.store()
    store.swap_bytes("probe.md", None, b"")
    return bucket, store


def held(store: S3DocumentStore) -> bytes | None:
    try:
        return store.read_bytes("a.md")
    except KnowledgeNotFoundError:
        return None


@pytest.mark.parametrize("before", [None, b"", b"one"])
@pytest.mark.parametrize("old", [None, b"", b"one"])
@pytest.mark.parametrize("new", [None, b"", b"one", b"two"])
def test_a_swap_goes_through_only_when_the_object_holds_what_was_read(
    swapping: tuple[Bucket, S3DocumentStore], before: bytes | None, old: bytes | None, new: bytes | None
) -> None:
    bucket, store = swapping
    bucket.remove("kb/a.md")
    if before is not None:
        bucket.put("kb/a.md", body=before)
    if before == old:
        store.swap_bytes("a.md", old, new)
        assert held(store) == new
    else:
        with pytest.raises(ConflictError, match=r"^'a\.md' was changed by somebody else"):
            store.swap_bytes("a.md", old, new)
        assert held(store) == before


@pytest.mark.parametrize("old", [None, b"old"])
def test_of_many_writers_at_the_same_time_one_succeeds(bucket: Bucket, old: bytes | None) -> None:
    stores = [bucket.store() for _ in range(4)]
    stores[0].swap_bytes("probe.md", None, b"")
    if old is not None:
        bucket.put("kb/a.md", body=old)

    def swap(number: int) -> bool:
        try:
            stores[number % 4].swap_bytes("a.md", old, str(number).encode())
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(16) as threads:
        won = [number for number, has_won in enumerate(threads.map(swap, range(16))) if has_won]
    assert [str(number).encode() for number in won] == [stores[0].read_bytes("a.md")]


def test_one_of_many_removals_at_the_same_time_succeeds(bucket: Bucket) -> None:
    bucket.put("kb/a.md", body=b"old")
    store = bucket.store()
    store.swap_bytes("probe.md", None, b"")

    def remove(number: int) -> bool:
        try:
            store.swap_bytes("a.md", b"old", None if number % 2 else b"new")
        except ConflictError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(remove, range(8))) == 1


def test_counters_of_many_writers_lose_nothing(bucket: Bucket) -> None:
    store = bucket.store()
    store.swap_bytes("count", None, b"0")

    def add(_: int) -> None:
        while True:
            now = store.read_bytes("count")
            try:
                return store.swap_bytes("count", now, str(int(now) + 1).encode())
            except ConflictError:
                continue

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(add, range(18)))
    assert store.read_bytes("count") == b"18"


def test_whether_the_server_minds_conditions_is_found_out_once_and_leaves_nothing(bucket: Bucket) -> None:
    store = bucket.store()
    asked = counted(store)
    store.swap_bytes("a.md", None, b"one")
    assert asked == {"PutObject": 4, "DeleteObject": 2, "GetObject": 1}
    asked.clear()
    store.swap_bytes("a.md", b"one", b"two")
    assert asked == {"PutObject": 1, "GetObject": 1}
    assert bucket.all_keys() == ["kb/a.md"]


def test_plain_writes_and_removals_need_no_conditions(bucket: Bucket) -> None:
    store = bucket.store()
    asked = counted(store)
    store.write_bytes("a.md", b"one")
    store.write_bytes("b/raw.bin", b"\0")
    assert asked == {"PutObject": 2}
    kinds = [
        bucket.client.head_object(Bucket=bucket.name, Key=key)["ContentType"] for key in bucket.all_keys()
    ]
    assert kinds == ["text/markdown; charset=utf-8", "application/octet-stream"]
    store.delete("a.md")
    with pytest.raises(KnowledgeNotFoundError):
        store.delete("a.md")
    assert store.list() == ["b/raw.bin"]


def test_a_store_made_to_be_read_refuses_to_write(moto_bucket: Bucket) -> None:
    moto_bucket.put("kb/a.md")
    store = S3DocumentStore(moto_bucket.name, "kb", writable=False, endpoint_url=moto_bucket.url)
    for write in (
        lambda: store.write_bytes("a.md", b""),
        lambda: store.delete("a.md"),
        lambda: store.swap_bytes("a.md", b"x", b"y"),
    ):
        with pytest.raises(
            KnowledgeCapabilityError, match=r"was made to be read only; make it with writable=T"
        ):
            write()
    assert held(store) == b"x"


@pytest.fixture
def middle(moto_server: Server) -> Iterator[Between]:
    with between(moto_server.url) as server:
        yield server


@pytest.mark.parametrize(
    ("header", "shown"),
    [("If-None-Match", "If-None-Match"), ("If-Match", "If-Match")],
    ids=["create", "replace"],
)
def test_a_server_that_ignores_a_condition_is_not_swapped_on(
    moto_bucket: Bucket, middle: Between, header: str, shown: str
) -> None:
    middle.dropped = header
    store = moto_bucket.quick_store(middle.url)
    with pytest.raises(
        KnowledgeCapabilityError,
        match=rf"^'a\.md' was not written: the server of s3://.* ignores {shown}, so that a change by",
    ):
        store.swap_bytes("a.md", None, b"new")
    assert moto_bucket.all_keys() == []
    store.write_bytes("a.md", b"new")
    assert moto_bucket.all_keys() == ["kb/a.md"]


def test_a_server_that_ignores_conditions_of_removals_alone_is_written_to_and_removes_nothing(
    moto_bucket: Bucket, middle: Between
) -> None:
    middle.dropped, middle.dropped_from = "If-Match", "DELETE"
    store = moto_bucket.quick_store(middle.url)
    store.swap_bytes("a.md", None, b"old")
    store.swap_bytes("a.md", b"old", b"new")
    with pytest.raises(KnowledgeCapabilityError, match="ignores If-Match in a removal"):
        store.swap_bytes("a.md", b"new", None)
    assert held(store) == b"new"


def test_while_it_cannot_be_found_out_whether_conditions_are_minded_nothing_is_written(
    moto_bucket: Bucket, middle: Between
) -> None:
    store = moto_bucket.quick_store(middle.url)
    middle.fault = lambda _request: "403"
    with pytest.raises(StoreError, match=r"^'a\.md' was not written in s3://.*access is denied"):
        store.swap_bytes("a.md", None, b"new")
    middle.fault = lambda _request: ""
    store.swap_bytes("a.md", None, b"new")
    assert held(store) == b"new"


@pytest.mark.services
def test_rclone_ignores_conditions_and_is_found_out() -> None:
    with services.rclone() as service:
        bucket = Server(service.url).new_bucket(f"bucket-{os.getpid()}")
        store = bucket.store()
        with pytest.raises(KnowledgeCapabilityError, match=r"ignores If-None-Match, so that"):
            store.swap_bytes("a.md", None, b"new")
        store.write_bytes("a.md", b"new")
        assert (store.list(), bucket.all_keys()) == (["a.md"], ["kb/a.md"])
