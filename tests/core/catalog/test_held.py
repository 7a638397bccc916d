"""The postings of a word, asked for again and again."""

from __future__ import annotations

import gc
from array import array

import pytest

from fingerpost.catalog import bitsets, planes
from fingerpost.catalog.held import Held
from fingerpost.catalog.postings import encode, read
from fingerpost.catalog.ranking import IN_BODY, IN_HEADER, STRENGTH
from fingerpost.catalog.united import NOWHERE, united


@pytest.mark.parametrize("step", [1, 3, 90])
@pytest.mark.parametrize("count", [1, 40, 41, 1000, 1001])
def test_a_list_says_the_same_however_often_it_is_asked(count: int, step: int) -> None:
    numbers = array("I", range(5, 5 + count * step, step))
    impacts = bytes((number * 7) % 255 + 1 for number in range(count))
    listed = read(encode(numbers, impacts))
    known = dict(zip(numbers, impacts, strict=True))
    asked = [*numbers[:30], 0, 4, 6, *numbers[-5:], numbers[-1] + 1]
    for _ in range(12):
        assert listed.impacts_of(asked) == [known.get(number, 0) for number in asked]


@pytest.mark.parametrize("step", [9, 300], ids=["dense", "sparse"])
def test_the_garbage_collector_looks_at_nothing_that_a_list_keeps(step: int) -> None:
    listed = read(encode(array("I", range(5, 5 + 60 * step, step)), bytes([IN_HEADER | 7]) * 60))
    for _ in range(6):
        assert (listed.bits, listed.impacts_of([5])) == (listed.header_bits, [IN_HEADER | 7])
    gc.collect()
    assert [
        each for each in gc.get_referents(listed) if gc.is_tracked(each) and each is not type(listed)
    ] == (
        [listed.numbers] if step == 300 else []  # only long lists of few among many are kept as numbers
    )


@pytest.mark.parametrize("count", [3, 41, 1001])
def test_lists_of_several_segments_say_together_what_each_says(count: int) -> None:
    impacts = bytes((number * 37) % 255 + 1 for number in range(count))
    numbers = list(range(5, 5 + count * 3, 3))
    known = dict(zip(numbers, impacts, strict=True))
    listed = NOWHERE
    for first in range(3):
        listed = united(listed, read(encode(array("I", numbers[first::3]), impacts[first::3])))
    assert listed.count == count
    assert listed.numbers == numbers
    assert listed.impacts == impacts
    assert listed.bits == bitsets.of(numbers)
    assert listed.header_bits == bitsets.of([number for number in numbers if known[number] & IN_HEADER])
    assert listed.planes == planes.of(listed.bits, impacts)
    for _ in range(12):
        assert listed.impacts_of([4, *numbers[-7:]]) == [0, *impacts[-7:]]


def test_a_word_takes_the_room_of_its_lists_in_all_segments() -> None:
    lists = [read(encode(array("I", range(first, first + 50)), bytes([1]) * 50)) for first in (0, 100)]
    together = united(united(NOWHERE, lists[0]), lists[1])
    assert together.size(1000) > sum(each.size(1000) for each in lists)


def test_a_list_of_one_segment_needs_nothing_beside_it() -> None:
    listed = read(encode(array("I", [1, 7]), b"\1\2"))
    assert united(NOWHERE, listed) is listed


def test_a_word_says_how_strong_it_is_and_whether_it_stands_in_the_body() -> None:
    impacts = bytes([IN_HEADER | 9, IN_BODY | 7, IN_HEADER | IN_BODY | STRENGTH])
    held = Held(read(encode(array("I", [2, 4, 6]), impacts)), {8: IN_BODY | 1}, 0b1_0101_0100)
    assert list(held.strengths([2, 3, 4, 6, 8])) == [9, 0, 7, STRENGTH, 1]
    assert held.are_in_body([2, 3, 4, 6, 8]) == [False, False, True, True, True]
    assert held.bits == 0b1_0101_0100
    assert held.header_bits == 0b101_0100 ^ 0b1_0000
    assert bitsets.numbers(held.planes()[0]) == [2, 4, 6, 8]
    assert bitsets.numbers(held.planes()[3]) == [2, 6]


def test_a_word_that_only_newer_documents_hold_is_held_by_them() -> None:
    held = Held(NOWHERE, {8: IN_BODY | 1, 9: IN_HEADER | 2, 11: IN_HEADER | 1}, 0b11_0000_0000)
    assert held.bits == 0b11_0000_0000
    assert held.header_bits == 0b10_0000_0000
    assert list(held.strengths([9])) == [2]
