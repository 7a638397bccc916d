"""Everything that lies there is listed, whatever order a server has, in few requests and few round trips."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost import StoreError
from fingerpost_s3.listing import PAGE, Listing, Object, Page, marks_of, signature_of

Order = Callable[[str], Any]


def by_bytes(key: str) -> Any:
    """The order of Amazon."""
    return key.encode()


def by_folders(key: str) -> Any:
    """The order of a file system: what lies in a folder comes where the folder's name does."""
    return [segment.encode() for segment in key.split("/")]


def by_luck(key: str) -> Any:
    """An order that is none."""
    return hash((key, 1))


class Shelf:
    """Keys, listed as a server does.

    Attributes:
        asked: How often a page was asked for.
        most_at_once: How many were asked for at the same time.
    """

    def __init__(self, keys: Iterable[str], order: Order = by_bytes, loses_folders: bool = False) -> None:
        self.keys = set(keys)
        self.asked = self.most_at_once = 0
        self._order = order
        self._loses_folders = loses_folders
        self._lock, self._under_way = threading.Lock(), 0
        self._sorted_of: set[str] = set()
        self._sorted: list[str] = []
        self._places: list[Any] = []

    def fetch(self, after: str, token: str) -> Page:
        with self._lock:
            self.asked += 1
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            if self._sorted_of != self.keys:
                self._sorted_of, self._sorted = set(self.keys), sorted(self.keys, key=self._order)
                self._places = [self._order(key) for key in self._sorted]
        start, keys = token or after, self._sorted
        if start:
            keys = keys[bisect_right(self._places, self._order(start)) :]
        if after and not token and self._loses_folders:
            keys = [key for key in keys if not key.startswith(f"{after}/")]
        page = [Object(key, "tag", 1) for key in keys[:PAGE]]
        with self._lock:
            self._under_way -= 1
        return Page(page, page[-1].key if len(keys) > PAGE else "")

    def listed(self, listing: Listing, known: Iterable[str] = ()) -> list[str]:
        """The keys by a listing; how often a page was asked for is counted anew."""
        self.asked = 0
        return [each.key for each in listing.objects(self.fetch, lambda: list(known))]


def numbered(count: int, folder: str = "d") -> list[str]:
    return [f"{folder}/{number:06}.md" for number in range(count)]


def test_ten_thousand_unchanged_objects_are_listed_again_in_eleven_requests() -> None:
    shelf, listing = Shelf(numbered(10_000)), Listing()
    first = shelf.listed(listing)
    assert (first, shelf.asked) == (numbered(10_000), 10)
    assert shelf.listed(listing) == first
    assert shelf.asked == 11


def test_an_object_that_was_added_costs_a_request_more_at_most() -> None:
    shelf, listing = Shelf(numbered(10_000)), Listing()
    shelf.listed(listing)
    shelf.keys.add("d/001500!.md")
    assert shelf.listed(listing) == sorted(shelf.keys)
    assert shelf.asked == 12


def test_what_a_cursor_knows_is_enough_to_list_from_several_places() -> None:
    shelf = Shelf(numbered(10_000))
    assert shelf.listed(Listing(), numbered(10_000)) == numbered(10_000)
    assert shelf.asked == 11


def test_the_parts_are_asked_for_at_the_same_time() -> None:
    barrier = threading.Barrier(11, timeout=20)
    shelf = Shelf(numbered(10_000))

    def fetch(after: str, token: str) -> Page:
        barrier.wait()
        return shelf.fetch(after, token)

    found = Listing().objects(fetch, lambda: numbered(10_000))
    assert [each.key for each in found] == numbered(10_000)


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 1002, 1999, 2000, 2001, 2002])
def test_any_number_of_objects_is_listed_and_listed_again(count: int) -> None:
    shelf, listing = Shelf(numbered(count)), Listing()
    assert [shelf.listed(listing) for _ in range(3)] == [numbered(count)] * 3
    assert shelf.asked <= count // (PAGE - 1) + 1


@settings(max_examples=30, deadline=None)
@given(
    gone=st.sets(st.integers(0, 3099)),
    added=st.sets(st.integers(0, 3099)),
    many_at=st.integers(0, 3099),
    many=st.integers(0, 2500),
    order=st.sampled_from([by_bytes, by_folders]),
)
def test_whatever_came_and_went_since_is_seen(
    gone: set[int], added: set[int], many_at: int, many: int, order: Order
) -> None:
    keys = numbered(3100)
    shelf, listing = Shelf(keys, order), Listing()
    shelf.listed(listing)
    shelf.keys -= {keys[place] for place in gone}
    shelf.keys |= {f"{keys[place]}{end}" for place in added for end in ("!", "/in", "0")}
    shelf.keys |= {f"{keys[many_at]}/{number}" for number in range(many)}
    assert shelf.listed(listing) == sorted(shelf.keys)
    assert shelf.listed(listing) == sorted(shelf.keys)


@pytest.mark.parametrize("order", [by_folders, by_luck])
def test_a_server_with_another_order_is_listed_page_after_page(order: Order) -> None:
    keys = [*numbered(1500), *numbered(1500, "d-e"), "d!", "d.md"]
    shelf, listing = Shelf(keys, order), Listing()
    assert [shelf.listed(listing) for _ in range(3)] == [sorted(keys)] * 3
    assert shelf.asked == 4
    assert shelf.most_at_once == 1


@pytest.mark.parametrize("order", [by_folders, by_luck])
def test_another_order_is_noticed_when_a_cursor_is_all_that_is_known(order: Order) -> None:
    keys = [*numbered(1500), *numbered(1500, "d-e"), "d!", "d.md"]
    shelf, listing = Shelf(keys, order), Listing()
    assert shelf.listed(listing, sorted(keys)) == sorted(keys)
    assert shelf.listed(listing) == sorted(keys)


def test_what_lies_in_a_folder_named_like_a_mark_is_not_lost_where_a_server_loses_it() -> None:
    keys = numbered(3000)
    shelf, listing = Shelf(keys, by_folders, loses_folders=True), Listing()
    shelf.listed(listing)
    (mark, *_) = marks_of(keys)
    shelf.keys |= {f"{mark}/x.md", f"{mark}/y.md"}
    assert shelf.listed(listing) == sorted(shelf.keys)


def test_a_server_whose_parts_never_fit_is_no_longer_asked_for_parts() -> None:
    keys = numbered(3000)
    (mark, *_) = marks_of(keys)
    shelf, listing = Shelf([*keys, f"{mark}/x.md"], by_folders, loses_folders=True), Listing()
    for _ in range(4):
        assert shelf.listed(listing, keys) == sorted(shelf.keys)
    assert shelf.listed(listing) == sorted(shelf.keys)
    assert shelf.asked == 4


@pytest.mark.parametrize("failing", range(4))
def test_a_page_that_fails_fails_the_listing(failing: int) -> None:
    shelf, listing = Shelf(numbered(3500)), Listing()
    shelf.listed(listing)
    count = iter(range(100))

    def fetch(after: str, token: str) -> Page:
        if next(count) == failing:
            raise StoreError("The page is lost.")
        return shelf.fetch(after, token)

    for known in (listing, Listing()):
        count = iter(range(100))
        with pytest.raises(StoreError, match=r"^The page is lost\.$"):
            known.objects(fetch, list)
    assert shelf.listed(listing) == numbered(3500)


@pytest.mark.parametrize(
    "when",
    [
        "2026-11-30T10:00:07.900Z",
        "Mon, 30 Nov 2026 10:00:07 GMT",
        datetime(2026, 11, 30, 11, 0, 7, tzinfo=timezone(timedelta(hours=1))),
    ],
)
def test_without_an_etag_the_time_tells_contents_apart_however_it_is_written(when: object) -> None:
    assert signature_of({"LastModified": when}, 5) == "1796032807:5"
    assert signature_of({"LastModified": when, "ETag": '"e1"'}, 5) == "e1:5"
    assert signature_of({}, 5) == "0:5"


def test_a_server_that_repeats_itself_is_not_listened_to_forever() -> None:
    page = Page([Object("a", "tag", 1)], "token")
    with pytest.raises(StoreError, match="the same page again and again"):
        Listing().objects(lambda _after, _token: page, list)


def test_keys_that_cannot_be_told_to_every_server_are_no_marks() -> None:
    keys = [f"{number:05}\x01" for number in range(2500)]
    assert marks_of(keys) == ()
    assert len(marks_of([key.rstrip("\x01") for key in keys])) == 2
