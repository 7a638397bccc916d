"""Lists packed for a build are stored as all others are."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog import postings
from fingerpost.catalog.packed import encode_packed, encode_plain, encode_single, pack_number

# Gaps at the edges of what one, two and four bytes tell.
GAPS = st.lists(
    st.one_of(st.integers(1, 3), st.sampled_from([255, 256, 257, 65_535, 65_536, 65_537, 300_000])),
    max_size=40,
)
FIRST = st.sampled_from([0, 1, 255, 256, 65_535, 65_536])


def packed_of(numbers: Iterable[int], impacts: Iterable[int]) -> bytearray:
    return bytearray().join(map(pack_number, numbers, impacts))


def packed_and_plain(first: int, gaps: list[int]) -> tuple[bytearray, array[int], bytes]:
    numbers = array("I", (first,))
    for gap in gaps:
        numbers.append(numbers[-1] + gap)
    impacts = bytes([(7 * place + 1) % 256 for place in range(len(numbers))])
    return packed_of(numbers, impacts), numbers, impacts


@given(FIRST, GAPS)
def test_a_packed_list_is_stored_like_one_in_two_parts(first: int, gaps: list[int]) -> None:
    packed, numbers, impacts = packed_and_plain(first, gaps)
    before = packed[:]
    assert encode_packed(packed) == postings.encode(numbers, impacts)
    assert packed == before


@pytest.mark.parametrize("gap", [1, 15, 16, 17, 255, 256, 65_536])
@pytest.mark.parametrize("count", [255, 256, 257])
def test_a_long_packed_list_is_stored_like_one_in_two_parts(gap: int, count: int) -> None:
    packed, numbers, impacts = packed_and_plain(9, [min(gap, (1 << 24) // 300)] * (count - 1))
    assert encode_packed(packed) == postings.encode(numbers, impacts)


@pytest.mark.parametrize("numbers", [[0], [255], [256], [65_536], [postings.FAR - 1], [1, 2], [5, 70_000]])
def test_a_list_without_impacts_is_stored_like_any_other(numbers: list[int]) -> None:
    assert encode_plain(array("I", numbers)) == postings.encode(array("I", numbers), b"")


@pytest.mark.parametrize("first", [0, 255, 256, 65_536, postings.FAR - 1])
def test_a_single_document_is_stored_like_a_list_of_one(first: int) -> None:
    expected = postings.encode(array("I", (first,)), b"\x81")
    assert encode_single(pack_number(first, 0x81)) == encode_packed(packed_of([first], [0x81])) == expected


@pytest.mark.parametrize(
    "numbers", [[5, 5], [6, 5], [1, 300, 300], [1, 300, 299], [1, 70_000, 70_000, 70_001], [70_000, 1, 2]]
)
def test_documents_that_do_not_ascend_are_refused(numbers: list[int]) -> None:
    with pytest.raises(ValueError, match="must ascend"):
        encode_packed(packed_of(numbers, repeat(1)))


def test_a_document_beyond_the_last_number_is_refused() -> None:
    with pytest.raises(ValueError, match="number the documents anew"):
        encode_packed(packed_of([1, postings.FAR], repeat(0)))
    with pytest.raises(ValueError, match="number the documents anew"):
        encode_plain(array("I", (postings.FAR,)))
