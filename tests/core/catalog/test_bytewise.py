"""Small numbers of a few documents, compared all at once."""

from __future__ import annotations

import random

import pytest

from fingerpost.catalog.bytewise import larger, smaller


@pytest.mark.parametrize("count", [0, 1, 2, 7, 40])
def test_the_larger_and_the_smaller_of_two_numbers_are_found_for_each_document(count: int) -> None:
    dice = random.Random(count)
    for _ in range(200):
        one, other = (bytes(dice.choices((0, 1, 62, 63, 64, 127), k=count)) for _ in range(2))
        assert larger(one, other) == bytes(map(max, one, other))
        assert smaller(one, other) == bytes(map(min, one, other))
