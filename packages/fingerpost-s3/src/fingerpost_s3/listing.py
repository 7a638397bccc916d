"""Listing all objects below a prefix: page after page, or from several places at the same time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, NamedTuple

from botocore.utils import parse_to_aware_datetime

from fingerpost import StoreError
from fingerpost_s3.connection import WORKERS

PAGE = 1000
"""The most objects that a server lists at once."""

_STRIDE = PAGE - 1  # so that each page ends with the first object of the next
_MOST_DOUBTS = 3


class Object(NamedTuple):
    """An object as it is listed.

    Attributes:
        key: Its key.
        signature: A text that differs when the content does.
        size: Its size in bytes.
    """

    key: str
    signature: str
    size: int


class Page(NamedTuple):
    """Some objects in the order of the server.

    Attributes:
        objects: The objects.
        token: What to ask for the next page with, "" on the last.
    """

    objects: list[Object]
    token: str


Fetch = Callable[[str, str], Page]
"""Gives the page after a key, or that of a token."""


class Listing:
    """Lists the same objects again and again, from several places at once when it knows where those lie.

    The places are keys of an earlier listing. That is as good as one page after the other where a server
    lists in the order of the keys, and goes on after a key where it says so. Amazon does; others list a
    folder's content before its siblings, or leave out what lies in a folder named like the key. So each part
    is listed until it meets the next, and where they do not fit, everything is listed in sequence.
    """

    def __init__(self) -> None:
        self._marks: tuple[str, ...] | None = None
        self._is_ordered = True
        self._doubts = 0

    def objects(self, fetch: Fetch, known: Callable[[], list[str]]) -> list[Object]:
        """All objects, sorted by their keys.

        Args:
            fetch: Gives a page.
            known: Gives keys that were there some time ago, for when nothing was listed yet.

        Raises:
            StoreError: A page could not be had, or the server repeats itself.
        """
        found = None
        if self._is_ordered and self._doubts < _MOST_DOUBTS:
            marks = marks_of(sorted(known())) if self._marks is None else self._marks
            found = _side_by_side(fetch, marks) if marks else None
            self._doubts += bool(marks) and found is None
        if found is None:
            found = [each for page in pages(fetch) for each in page]
        self._is_ordered = _is_ascending(found)
        if not self._is_ordered:
            found = sorted({each.key: each for each in found}.values())
        self._marks = marks_of([each.key for each in found])
        return found


def signature_of(found: Mapping[str, Any], size: int) -> str:
    """What tells one content of an object from another: the server's word alone.

    Args:
        found: What the server says of the object, in a listing or when it is asked for it alone.
        size: Its size in bytes.
    """
    if tag := str(found.get("ETag", "")).strip('"'):
        return f"{tag}:{size}"
    when = parse_to_aware_datetime(found.get("LastModified", 0))  # only a listing tells parts of seconds
    return f"{int(when.timestamp())}:{size}"


def pages(fetch: Fetch, after: str = "") -> Iterator[list[Object]]:
    """The objects of each page, one page after the other.

    Args:
        fetch: Gives a page.
        after: The key to start after.

    Raises:
        StoreError: A page could not be had, or the server repeats itself.
    """
    token = ""
    while True:
        page = fetch(after, token)
        yield page.objects
        if not page.token:
            return
        if page.token == token:
            raise StoreError("The server lists the same page again and again; try again later.")
        token = page.token


def marks_of(keys: Sequence[str]) -> tuple[str, ...]:
    """The keys after which to list so that each part takes one page."""
    return tuple(
        key
        for key in keys[_STRIDE - 1 : -2 : _STRIDE]
        if key.isprintable()  # some servers repeat the others in XML that cannot be read
    )


def _side_by_side(fetch: Fetch, marks: Sequence[str]) -> list[Object] | None:
    """All objects, listed from several places at once; None when the parts do not fit together."""
    starts = ("", *marks)
    pool = ThreadPoolExecutor(min(WORKERS, len(starts)), "fingerpost-s3-list")
    try:
        parts = [
            pool.submit(_part, fetch, start, end) for start, end in zip(starts, (*marks, None), strict=True)
        ]
        done, _ = wait(parts, return_when=FIRST_EXCEPTION)
        for part in done:
            part.result()
        return _joined([part.result() for part in parts], marks)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _part(fetch: Fetch, start: str, end: str | None) -> list[Object]:
    """The objects after a key, to the first after another."""
    found: list[Object] = []
    for page in pages(fetch, start):
        found += page
        if end is not None and found and found[-1].key > end:
            break
    return found


def _joined(parts: list[list[Object]], marks: Sequence[str]) -> list[Object] | None:
    """Parts in sequence without what two of them share; None when they do not meet."""
    found: list[Object] = []
    for part, end, following in zip(parts, marks, parts[1:], strict=False):
        own = next((place for place, each in enumerate(part) if each.key > end), len(part))
        beyond = part[own : own + 1]
        if [each.key for each in beyond] != [each.key for each in following[:1]]:
            return None
        found += part[:own]
    found += parts[-1]
    starts_right = all(part[0].key > start for part, start in zip(parts[1:], marks, strict=True) if part)
    return found if starts_right and _is_ascending(found) else None


def _is_ascending(objects: list[Object]) -> bool:
    return all(one.key < other.key for one, other in pairwise(objects))
