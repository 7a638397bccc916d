"""Lists of postings: what goes in comes out in every form, and segments merge."""

from __future__ import annotations

import random
from array import array
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.merging import merge
from fingerpost.catalog.postings import MOST_DOCUMENTS, Postings, encode, read
from fingerpost.catalog.ranking import IN_HEADER

SHAPES = {
    "none": range(0),
    "one": range(77_777, 77_778),
    "gaps of a byte": range(3, 9_000, 255),
    "gaps of two bytes": range(3, 9_000, 256),
    "gaps of four bytes": range(3, 900_000, 65_536),
    "every document": range(2_000),
    "one in fifteen, from far up": range(600_001, 700_000, 15),
    "one in three": range(700_001, 717_000, 3),
    "one in five": range(0, 17_000, 5),
    "one in seventeen": range(0, 17_000, 17),
    "thick but short": range(10, 265),
}

shape = pytest.mark.parametrize("documents", SHAPES.values(), ids=SHAPES)


def impacts_of(documents: range) -> bytes:
    """Impacts as words have them; none of them is 0."""
    return random.Random(len(documents)).randbytes(len(documents)).replace(b"\0", b"\1")


def stored(documents: range, impacts: bytes) -> Postings:
    return read(encode(array("I", documents), impacts))


@shape
def test_a_list_gives_its_documents_as_a_bitset_and_as_numbers(documents: range) -> None:
    for impacts in (impacts_of(documents), b""):
        listed = stored(documents, impacts)
        assert listed.bits == bitsets.of(documents)
        assert listed.numbers == list(documents)
        assert listed.count == len(documents)


@shape
def test_each_document_keeps_its_impact_and_others_have_none(documents: range) -> None:
    impacts = impacts_of(documents)
    listed = stored(documents, impacts)
    assert list(listed.items()) == list(zip(documents, impacts, strict=True))
    assert listed.impacts_of(documents) == list(impacts)
    around = {beside for number in documents for beside in (number - 1, number + 1)} - set(documents)
    assert set(listed.impacts_of([*around, -1, MOST_DOCUMENTS])) == {0}


@shape
def test_documents_with_the_term_in_their_header_are_those_with_the_high_bit(documents: range) -> None:
    impacts = impacts_of(documents)
    in_header = [number for number, impact in zip(documents, impacts, strict=True) if impact & IN_HEADER]
    assert stored(documents, impacts).header_bits == bitsets.of(in_header)


@shape
def test_a_list_without_impacts_stores_none(documents: range) -> None:
    listed = stored(documents, b"")
    assert list(listed.items()) == [(number, 0) for number in documents]
    assert listed.impacts == b""
    assert listed.header_bits == 0
    assert listed.impacts_of(documents[:20]) == [0] * len(documents[:20])


@shape
def test_a_part_of_a_merge_is_what_was_encoded(documents: range) -> None:
    impacts = impacts_of(documents)
    assert stored(documents, impacts).part() == (array("I", documents), impacts)


@shape
def test_what_a_list_adds_to_a_score_is_told_by_its_bits(documents: range) -> None:
    impacts = impacts_of(documents)
    found = stored(documents, impacts).planes
    assert len(found) == planes.WIDTH
    for bit, plane in enumerate(found):
        having = [number for number, impact in zip(documents, impacts, strict=True) if impact >> bit & 1]
        assert plane == bitsets.of(having)


@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=400),
    st.integers(0, 9_000),
    st.integers(0, 1),
    st.randoms(),
)
def test_any_list_reads_as_it_was_stored(
    gaps: list[int], first: int, least: int, chance: random.Random
) -> None:
    documents = list(accumulate(gaps, initial=first))
    impacts = bytes(chance.randint(least, 255) for _ in documents)
    listed = read(encode(array("I", documents), impacts))
    assert listed.bits == bitsets.of(documents)
    assert list(listed.items()) == list(zip(documents, impacts, strict=True))
    assert listed.impacts_of(documents) == list(impacts)


def test_a_rare_term_takes_few_bytes_and_a_common_one_less_than_two_for_each_document() -> None:
    assert [len(encode(array("I", [number]), b"\x01")) for number in (255, 256, 65_536)] == [3, 4, 5]
    assert len(encode(array("I", range(0, 100_000, 5_000)), bytes(20))) == 2 + 19 * 2 + 20
    assert len(encode(array("I", range(0, 100_000, 5)), bytes([1]) * 20_000)) < 1.8 * 20_000
    assert len(encode(array("I", range(0, 100_000, 2)), bytes([1]) * 50_000)) == 17 + 72 * (100_000 // 64 + 1)


def test_that_few_documents_of_many_have_a_term_in_their_header_takes_little_more_than_that_none_has() -> (
    None
):
    documents = array("I", range(0, 40_000, 4))
    nowhere, somewhere = bytes(10_000), bytes([IN_HEADER, *bytes(499)] * 20)
    assert len(encode(documents, somewhere)) < len(encode(documents, nowhere)) + 20 * 10


@pytest.mark.parametrize(
    "documents",
    [[5, 5], [5, 4], [*range(300), 12], [1, 0, *range(2, 300)], [7] * 300],
    ids=["a repeat", "a step back", "a late step back", "an early step back", "only repeats"],
)
def test_documents_that_do_not_ascend_are_refused(documents: list[int]) -> None:
    with pytest.raises(ValueError, match="must ascend"):
        encode(array("I", documents), b"")


def test_a_document_number_beyond_all_bounds_is_refused() -> None:
    with pytest.raises(ValueError, match="number the documents anew"):
        encode(array("I", [MOST_DOCUMENTS]), b"")


def test_an_impact_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="2 documents came with 1 impacts"):
        encode(array("I", [1, 2]), b"\x01")


SPARSE = [range(1), range(40), range(0, 900_000, 40_000), range(0, 900_000, 300_000)]
DENSE, PLANAR = range(5, 2_000, 9), range(5, 2_000, 3)


def read_all(blob: bytes) -> None:
    listed = read(blob)
    list(listed.items())
    assert listed.bits.bit_length() <= MOST_DOCUMENTS
    assert listed.header_bits.bit_length() <= MOST_DOCUMENTS
    for number in range(0, 3_000, 7):
        assert 0 <= listed.impacts_of([number])[0] <= 255


@pytest.mark.parametrize("documents", [DENSE, PLANAR], ids=["dense", "planar"])
def test_a_list_of_many_cut_short_is_said_to_be_damaged(documents: range) -> None:
    blob = encode(array("I", documents), impacts_of(documents))
    for end in {*range(30), len(blob) // 2, len(blob) - 1}:
        with pytest.raises(ValueError, match="damaged"):
            read(blob[:end])


@pytest.mark.parametrize(
    "blob", [b"\x11", b"\x12\1\1\1", b"\x02\1\1", b"\x13\1\1", b"\x07\1", b"\x10\1\1"], ids=bytes.hex
)
def test_a_sparse_list_that_no_documents_give_is_said_to_be_damaged(blob: bytes) -> None:
    with pytest.raises(ValueError, match="damaged"):
        read(blob)


@given(
    st.sampled_from([*SPARSE, DENSE, PLANAR]),
    st.lists(st.tuples(st.integers(0), st.integers(0, 255)), min_size=1, max_size=4),
)
def test_changed_bytes_give_a_list_or_an_error_but_nothing_worse(
    documents: range, changes: list[tuple[int, int]]
) -> None:
    blob = bytearray(encode(array("I", documents), impacts_of(documents)))
    for place, byte in changes:
        blob[place % len(blob)] = byte
    try:
        read_all(bytes(blob))
    except ValueError as damage:
        assert "damaged" in str(damage)  # noqa: PT017 - most changes leave a list that reads well


DENSE_HEADS = {
    "words without end": (0, 1 << 32, 1),
    "a number beyond all bounds": (MOST_DOCUMENTS, 1, 1),
    "more documents than room": (0, 1, 65),
    "fewer documents than counted": (0, 1, 2),
    "no documents": (0, 1, 0),
    "no words": (0, 0, 1),
}


@pytest.mark.parametrize("kind", [8, 25], ids=["dense", "planar"])
@pytest.mark.parametrize(("first", "words", "count"), DENSE_HEADS.values(), ids=DENSE_HEADS)
def test_a_list_of_many_whose_head_disagrees_with_it_is_said_to_be_damaged(
    first: int, words: int, count: int, kind: int
) -> None:
    parts = (first, words, count, 0)
    head = bytes([kind]) + b"".join(min(part, 2**32 - 1).to_bytes(4, "little") for part in parts)
    size = 8 if kind == 8 else 72
    with pytest.raises(ValueError, match="damaged"):
        read_all(head + b"\x01" + bytes(size - 1 if words else 0))


def test_ranks_that_lead_out_of_a_dense_list_are_said_to_be_damaged() -> None:
    blob = bytearray(encode(array("I", range(0, 6400, 20)), bytes(320)))
    ranks_start = 17 + 100 * 8
    blob[ranks_start + 1] = 0xFF
    with pytest.raises(ValueError, match="ranks are wrong"):
        read(bytes(blob)).impacts_of([20])


@pytest.mark.parametrize("members", [0b01, 0b111])
def test_a_dense_list_whose_members_are_not_as_many_as_its_impacts_is_said_to_be_damaged(
    members: int,
) -> None:
    blob = bytearray(encode(array("I", range(5, 2_000, 9)), bytes([1]) * 222))
    blob[17] ^= members
    with pytest.raises(ValueError, match="count is wrong"):
        read(bytes(blob)).impacts_of([14])


def flags(documents: range) -> bytes:
    return bitsets.flags(bitsets.of(documents), len(documents))


def test_segments_that_follow_each_other_are_joined_in_order() -> None:
    later, earlier = (array("I", [10, 12]), b"\x03\x04"), (array("I", [1, 5]), b"\x01\x02")
    assert merge([later, earlier], flags(range(20))) == (array("I", [1, 5, 10, 12]), b"\x01\x02\x03\x04")


def test_segments_that_overlap_are_interleaved_and_the_later_impact_counts() -> None:
    parts = [(array("I", [1, 7, 9]), b"\x01\x07\x09"), (array("I", [2, 7]), b"\x02\x77")]
    assert merge(parts, flags(range(20))) == (array("I", [1, 2, 7, 9]), b"\x01\x02\x77\x09")


def test_a_merge_drops_documents_that_are_no_more() -> None:
    live = bitsets.flags(bitsets.of([1, 3, 4]), 6)
    parts = [(array("I", [1, 2]), b"\x01\x02"), (array("I", [3, 5, 90]), b"\x03\x05\x5a")]
    assert merge(parts, live) == (array("I", [1, 3]), b"\x01\x03")


def test_lists_without_impacts_merge_without_them() -> None:
    apart = [(array("I", [1, 2]), b""), (array("I"), b""), (array("I", [4, 5]), b"")]
    mixed = [(array("I", [1, 4]), b""), (array("I", [2, 5]), b"")]
    assert merge(apart, flags(range(5))) == merge(mixed, flags(range(5))) == (array("I", [1, 2, 4]), b"")


def test_a_merge_of_nothing_is_an_empty_list() -> None:
    assert merge([], b"\1") == (array("I"), b"")


@given(
    st.lists(st.dictionaries(st.integers(0, 60), st.integers(0, 255)), max_size=4),
    st.sets(st.integers(0, 60)),
)
def test_a_merge_is_the_union_of_what_lives(segments: list[dict[int, int]], live: set[int]) -> None:
    parts = [(array("I", sorted(one)), bytes(one[number] for number in sorted(one))) for one in segments]
    expected: dict[int, int] = {}
    for segment in segments:
        expected.update({number: impact for number, impact in segment.items() if number in live})
    numbers, impacts = merge(parts, bitsets.flags(bitsets.of(live), 50))
    kept = sorted(number for number in expected if number < 50 or number <= max(live, default=0))
    assert list(zip(numbers, impacts, strict=True)) == [(number, expected[number]) for number in kept]
