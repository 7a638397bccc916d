"""The postings of a word, asked for again and again."""

from __future__ import annotations

from array import array

import pytest

from fingerpost.catalog.held import Held, Part
from fingerpost.catalog.postings import encode
from fingerpost.catalog.ranking import IN_BODY, IN_HEADER, STRENGTH


@pytest.mark.parametrize("step", [1, 3, 90])
@pytest.mark.parametrize("count", [1, 40, 41, 1000, 1001])
def test_a_list_says_the_same_however_often_it_is_asked(count: int, step: int) -> None:
    numbers = array("I", range(5, 5 + count * step, step))
    impacts = bytes((number * 7) % 255 + 1 for number in range(count))
    part = Part(encode(numbers, impacts))
    known = dict(zip(numbers, impacts, strict=True))
    asked = [*numbers[:30], 0, 4, 6, *numbers[-5:], numbers[-1] + 1]
    for _ in range(12):
        assert part.impacts(asked) == [known.get(number, 0) for number in asked]


def test_a_word_says_how_strong_it_is_and_whether_it_stands_in_the_body() -> None:
    impacts = bytes([IN_HEADER | 9, IN_BODY | 7, IN_HEADER | IN_BODY | STRENGTH])
    held = Held((Part(encode(array("I", [2, 4, 6]), impacts)),), {8: IN_BODY | 1}, 0b1_0101_0100)
    assert list(held.strengths([2, 3, 4, 6, 8])) == [9, 0, 7, STRENGTH, 1]
    assert held.are_in_body([2, 3, 4, 6, 8]) == [False, False, True, True, True]
