"""Sets of document numbers as integers, and sums over them."""

from __future__ import annotations

from array import array
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog import bitsets

# Thin sets of few and of many documents, and thick ones: each is built and read in another way.
SHAPES = {
    "none": range(0),
    "the first": range(1),
    "few, far apart": range(7, 100_000, 9_001),
    "many, far apart": range(3, 100_000, 997),
    "one in ten": range(5, 50_000, 10),
    "all": range(5_000),
    "a block far up": range(60_000, 63_000),
}

shape = pytest.mark.parametrize("documents", SHAPES.values(), ids=SHAPES)
some_numbers = st.sets(st.integers(0, 3_000), max_size=200)
additions = st.lists(st.tuples(st.sets(st.integers(0, 80)), st.integers(0, 1 << 16)), max_size=64)


@shape
def test_a_set_has_the_bits_of_its_documents(documents: range) -> None:
    expected = sum(1 << number for number in documents)
    assert bitsets.of(documents) == expected
    assert bitsets.of(array("I", documents)) == expected
    assert bitsets.of(list(documents), 100_000) == expected


@shape
def test_the_documents_of_a_set_come_out_ascending(documents: range) -> None:
    assert bitsets.numbers(bitsets.of(documents)) == list(documents)


@shape
@pytest.mark.parametrize("count", [0, 1, 20, 1_000])
def test_the_first_documents_are_the_lowest(documents: range, count: int) -> None:
    assert bitsets.first(bitsets.of(documents), count) == list(documents)[:count]


@shape
def test_flags_say_for_each_document_whether_it_is_in_the_set(documents: range) -> None:
    flags = bitsets.flags(bitsets.of(documents), 100_000)
    assert len(flags) == 100_000
    assert [number for number, flag in enumerate(flags) if flag] == list(documents)
    assert set(flags) <= {0, 1}


@given(some_numbers)
def test_what_goes_in_comes_out(documents: set[int]) -> None:
    bits = bitsets.of(documents)
    assert bitsets.numbers(bits) == sorted(documents)
    assert bitsets.of(iter(sorted(documents, reverse=True))) == bits
    assert bitsets.first(bits, 5) == sorted(documents)[:5]


def total_of(added: list[tuple[set[int], int]]) -> tuple[bitsets.Sum, dict[int, int]]:
    total, expected = bitsets.Sum(), dict.fromkeys(range(100), 0)
    for documents, weight in added:
        total.add(bitsets.of(documents), weight)
        for number in documents:
            expected[number] += weight
    return total, expected


@given(additions)
def test_the_sum_of_a_document_is_that_of_the_weights_added_to_it(added: list[tuple[set[int], int]]) -> None:
    total, expected = total_of(added)
    assert {number: total.of(number) for number in expected} == expected


@given(additions, st.sets(st.integers(0, 99)))
def test_tiers_are_the_documents_asked_about_by_falling_sums(
    added: list[tuple[set[int], int]], within: set[int]
) -> None:
    total, expected = total_of(added)
    by_sum: dict[int, set[int]] = {}
    for number in within:
        by_sum.setdefault(expected[number], set()).add(number)
    assert list(total.tiers(bitsets.of(within))) == [
        (weight, bitsets.of(by_sum[weight])) for weight in sorted(by_sum, reverse=True)
    ]


@given(additions, additions)
def test_a_shifted_sum_decides_before_another(
    first: list[tuple[set[int], int]], second: list[tuple[set[int], int]]
) -> None:
    shift = 23
    total, expected = total_of([(documents, weight << shift) for documents, weight in first] + second)
    leading, trailing = total_of(first)[1], total_of(second)[1]
    ranked = [number for _, bits in total.tiers(bitsets.of(range(100))) for number in bitsets.numbers(bits)]
    assert ranked == sorted(expected, key=lambda number: (-leading[number], -trailing[number], number))


def test_the_best_of_very_many_tiers_are_found_without_the_rest() -> None:
    total = bitsets.Sum()
    for plane in range(60):
        total.add(bitsets.of(range(plane, 3_000, 61)), 1 << plane)
    assert list(islice(total.tiers(bitsets.of(range(3_000))), 2)) == [
        (1 << 59, bitsets.of(range(59, 3_000, 61))),
        (1 << 58, bitsets.of(range(58, 3_000, 61))),
    ]
