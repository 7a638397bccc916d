"""A server that fails never looks as if objects were gone, and what fails ends in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from fingerpost import Bundle, ConflictError, KnowledgeNotFoundError, OKFTools, StoreError
from fingerpost.stores import Cursor
from fingerpost_s3 import S3DocumentStore
from tests.s3.buckets import Bucket, Server, concept, fill_moto
from tests.s3.faulty import Between, Request, between

COUNT = 2500


@pytest.fixture
def middle(moto_server: Server) -> Iterator[Between]:
    """A server that fails as a test says, in front of moto."""
    with between(moto_server.url) as server:
        yield server


@pytest.fixture(scope="module")
def large_bucket(moto_server: Server) -> Bucket:
    """A bucket of 2,500 objects, which are only read."""
    bucket = moto_server.new_bucket("large")
    fill_moto(bucket.name, ((f"kb/{number:04}.md", b"x") for number in range(COUNT)))
    return bucket


@pytest.fixture(scope="module")
def known(large_bucket: Bucket) -> Cursor:
    """What is known of these objects."""
    return large_bucket.store().changes().cursor


@pytest.fixture
def store(large_bucket: Bucket, middle: Between) -> S3DocumentStore:
    """A store of these, by way of the server that fails, which is quick to give up."""
    return large_bucket.quick_store(middle.url)


def each_listing(kind: str) -> Callable[[Request], str]:
    """A fault of every request for a page."""
    return lambda request: kind if request.is_listing else ""


def second_page(kind: str) -> Callable[[Request], str]:
    """A fault of every page but the first."""
    return lambda request: (
        kind if "continuation-token" in request.path or "start-after" in request.path else ""
    )


FAULTS = {
    "503": r"the server asks to slow down \(SlowDown\); try again later\.$",
    "403": r"access is denied \(AccessDenied\); allow s3:ListBucket",
    "400": r"the server refuses the request \(InvalidArgument\); see what it says of this code\.$",
    "reset": r"the connection was cut; try again later\.$",
    "stall": r"the server does not answer in time; check the network",
    "cut": r"the connection was cut; try again later\.$",
}


@pytest.mark.parametrize(
    ("kind", "fault"),
    [*((kind, second_page) for kind in FAULTS), ("503", each_listing), ("403", each_listing)],
)
def test_a_listing_that_fails_is_an_error_in_time_and_works_again_afterwards(
    store: S3DocumentStore,
    known: Cursor,
    middle: Between,
    kind: str,
    fault: Callable[[str], Callable[[Request], str]],
) -> None:
    middle.fault = fault(kind)
    start = time.monotonic()
    with pytest.raises(StoreError, match=r"^The objects could not be listed in s3://.*" + FAULTS[kind]):
        store.changes(known)
    assert time.monotonic() - start < 10
    middle.fault = lambda _request: ""
    found = store.changes(known)
    assert (found.changed, found.removed, found.complete) == ((), (), True)


def test_a_listing_of_which_the_second_page_fails_is_no_shorter_listing(
    store: S3DocumentStore, middle: Between
) -> None:
    middle.fault = second_page("503")
    for look in (store.list, store.changes):
        with pytest.raises(StoreError, match=r"^The objects could not be listed in s3://.*" + FAULTS["503"]):
            look()
    assert any("continuation-token" in request.path for request in middle.seen)


def test_a_fault_that_passes_is_not_noticed(store: S3DocumentStore, middle: Between) -> None:
    middle.fault = lambda request: ("503", "", "reset", "")[request.number % 4]
    assert len(store.list()) == COUNT
    assert len(middle.seen) > 3


def test_a_bundle_keeps_what_it_last_knew_and_tells_of_the_trouble(
    moto_bucket: Bucket, middle: Between
) -> None:
    moto_bucket.fill({"kb/a.md": concept("Lamp"), "kb/b.md": concept("Oil")})
    bundle = Bundle(moto_bucket.quick_store(middle.url), refresh_seconds=0)
    tools = OKFTools(bundle)
    assert '"total": 1' in tools.kb_find("lamp")
    for kind, sentence in {"403": "access is denied", "503": "slow down", "reset": "cut"}.items():
        middle.fault = each_listing(kind)
        answer = tools.kb_find("lamp")
        assert '"total": 1' in answer
        assert sentence in answer
    middle.fault = lambda _request: ""
    moto_bucket.remove("kb/a.md")
    answer = tools.kb_find("lamp")
    assert '"total": 0' in answer
    assert "denied" not in answer
    bundle.close()


def test_an_object_that_cannot_be_read_keeps_its_place_until_it_can(
    moto_bucket: Bucket, middle: Between
) -> None:
    moto_bucket.fill({"kb/a.md": concept("Lamp"), "kb/b.md": concept("Oil")})
    bundle = Bundle(moto_bucket.quick_store(middle.url), refresh_seconds=0)
    tools = OKFTools(bundle)
    assert '"total": 1' in tools.kb_find("lamp")
    moto_bucket.fill({"kb/a.md": concept("Lamp", "burns whale")})
    middle.fault = lambda request: "503" if "/kb/a.md" in request.path else ""
    answer = tools.kb_find("lamp")
    assert '"total": 1' in answer
    assert "could not be read again, first 'a.md'" in answer
    middle.fault = lambda _request: ""
    assert '"total": 1' in tools.kb_find("whale")
    bundle.close()


@pytest.mark.parametrize("kind", ["cut", "reset", "503", "stall"])
def test_an_object_is_read_whole_or_not_at_all(moto_bucket: Bucket, middle: Between, kind: str) -> None:
    moto_bucket.put("kb/a.md", body=b"0123456789" * 100)
    store = moto_bucket.quick_store(middle.url, seconds=0.7)
    middle.fault = lambda request: kind if not request.number else ""
    assert store.read_bytes("a.md") == b"0123456789" * 100
    middle.fault = lambda _request: kind
    with pytest.raises(StoreError, match=r"^'a\.md' could not be read in s3://"):
        store.read_bytes("a.md")


def test_an_object_that_is_cut_off_once_and_then_replaced_is_read_as_it_is_now(
    moto_bucket: Bucket, middle: Between
) -> None:
    moto_bucket.put("kb/a.md", body=b"old " * 500)

    def replace(request: Request) -> str:
        if request.number:
            return ""
        moto_bucket.put("kb/a.md", body=b"newer" * 700)
        return "cut"

    middle.fault = replace
    assert moto_bucket.quick_store(middle.url).read_bytes("a.md") == b"newer" * 700


def test_an_object_that_vanished_since_it_was_listed_is_not_found(moto_bucket: Bucket) -> None:
    moto_bucket.put("kb/a.md", "kb/b.md")
    store = moto_bucket.store()
    paths = store.list()
    moto_bucket.remove("kb/a.md")
    (one, other) = store.read_many(paths)
    assert isinstance(one[1], KnowledgeNotFoundError)
    assert other == ("b.md", b"x")


def test_when_the_server_is_down_the_rest_of_many_objects_is_not_asked_for(
    store: S3DocumentStore, known: Cursor, middle: Between
) -> None:
    paths = list(known.paths())
    middle.fault = lambda _request: "503"
    found = dict(store.read_many(paths))
    assert len(found) == COUNT
    assert {type(content).__mro__[1] for content in found.values()} == {StoreError}
    assert len(middle.seen) < 300


@pytest.mark.parametrize(("old", "new"), [(None, b"new"), (b"old", b"new"), (b"old", None)])
def test_a_write_whose_acknowledgement_is_lost_has_no_conflict_with_itself(
    moto_bucket: Bucket, middle: Between, old: bytes | None, new: bytes | None
) -> None:
    store = moto_bucket.quick_store(middle.url)
    store.swap_bytes("other.md", None, b"probed by now")
    if old is not None:
        moto_bucket.put("kb/a.md", body=old)
    is_lost: list[Request] = []

    def lose_the_first(request: Request) -> str:
        if request.method not in {"PUT", "DELETE"} or is_lost:
            return ""
        is_lost.append(request)
        return "unacknowledged"

    middle.fault = lose_the_first
    store.swap_bytes("a.md", old, new)
    assert is_lost
    assert moto_bucket.store().exists("a.md") is (new is not None)
    if new is not None:
        assert moto_bucket.store().read_bytes("a.md") == new


def test_a_write_that_is_never_acknowledged_is_judged_by_what_is_there(
    moto_bucket: Bucket, middle: Between
) -> None:
    store = moto_bucket.quick_store(middle.url)
    store.swap_bytes("a.md", None, b"one")
    middle.fault = lambda request: "unacknowledged" if request.method == "PUT" else ""
    store.swap_bytes("a.md", b"one", b"two")
    middle.fault = lambda request: "reset" if request.method == "PUT" else ""
    with pytest.raises(StoreError, match=r"^It is open whether 'a\.md' was written, so read it"):
        store.swap_bytes("a.md", b"two", b"three")
    assert moto_bucket.store().read_bytes("a.md") == b"two"


def test_somebody_elses_write_between_two_attempts_is_a_conflict(
    moto_bucket: Bucket, middle: Between
) -> None:
    store = moto_bucket.quick_store(middle.url)
    store.swap_bytes("a.md", None, b"one")
    is_lost: list[Request] = []

    def intrude(request: Request) -> str:
        if request.method != "PUT" or is_lost:
            return ""
        is_lost.append(request)
        moto_bucket.put("kb/a.md", body=b"theirs")
        return "reset"

    middle.fault = intrude
    with pytest.raises(ConflictError, match=r"^'a\.md' was changed by somebody else"):
        store.swap_bytes("a.md", b"one", b"two")
    assert moto_bucket.store().read_bytes("a.md") == b"theirs"
