"""The terms of segments: what goes in is found, whole, by its start and in order; damage is noticed."""

from __future__ import annotations

import random
import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog import schema, terms
from fingerpost.catalog.documents import Indexed, pack, word_of, word_term
from fingerpost.catalog.packed import encode_plain, encode_single, pack_number
from fingerpost.catalog.schema import PAGE_SIZE
from fingerpost.catalog.segments import Gathering
from fingerpost.text.forms import form_key

SOME = {
    b"": b"no letters",
    b"a": b"1",
    b"ab": b"",
    b"ab\0": b"x" * 255,
    b"abc": b"x" * 256,
    b"abd": b"y" * 999,
    b"abe": b"z" * 2_500,
    b"abe\0more": b"2",
    b"b" * 300: b"3",
    b"b" * 300 + b"c": b"4",
    b"b" * 300 + b"d": b"5",
    "\udcff".encode("utf-8", "surrogatepass"): b"6",
    "\U0010ffff".encode(): b"7",
}
NUMBERED = {
    f"w{number % 97:02}{number}".encode(): bytes([number % 256]) * (number % 40) for number in range(9_000)
}
MANY = NUMBERED | {b"w50": b"many" * 1_000, b"w509": b"many" * 500, b"w51": b"many" * 2_000}


def stored(*segments: dict[bytes, bytes]) -> sqlite3.Connection:
    """A database with segments, numbered from 1."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
    for number, segment in enumerate(segments, 1):
        terms.create(connection, number)
        terms.insert(connection, number, terms.rows_of(sorted(segment.items())))
    return connection


@pytest.fixture(params=[SOME, MANY], ids=["some", "many"])
def segment(request: pytest.FixtureRequest) -> dict[bytes, bytes]:
    return request.param


def test_the_many_terms_of_a_build_are_all_written_in_order() -> None:
    gathering = Gathering()
    words = [f"word{number:x}" for number in range(terms.CUT_AT_ONCE)]
    known = [f"fk{number:x}" for number in range(terms.CUT_AT_ONCE // 2)]
    gathering.add(7, Indexed(words, b"\x81" * len(words), known, {}, 1))
    connection = sqlite3.connect(":memory:", isolation_level=None)
    schema.create(connection)
    gathering.write(1, lambda: nullcontext(connection))
    expected = {pack(word_term(word, form_key(word))): encode_single(pack_number(7, 0x81)) for word in words}
    expected |= {pack(term): encode_plain(array("I", [7])) for term in known}
    assert terms.some_after(connection, 1, b"", 1 << 30) == sorted(expected.items())


def test_blocks_are_filled_until_they_are_long_enough_or_have_many_terms() -> None:
    short = [(f"w{number:05}".encode(), b"") for number in range(600)]
    long = [(f"x{number:05}".encode(), b"y" * 144) for number in range(20)]
    rows = list(terms.rows_of([*short[:3], (b"w00003", b"z" * 256), *short[4:], *long]))
    assert [(last, rest) for last, rest, _ in rows[:3]] == [(b"w00002", -1), (b"w00003", 0), (b"w00154", -1)]
    assert [last for last, _, _ in rows[-4:]] == [b"x00000", b"x00007", b"x00014", b"x00019"]
    empty = [(bytes((byte,)), b"") for byte in range(255)]
    assert [last for last, _, _ in terms.rows_of([*empty, (b"\xfe\xfe", b"")])] == [b"\xfe", b"\xfe\xfe"]


def test_each_term_is_found_and_what_is_none_is_not(segment: dict[bytes, bytes]) -> None:
    connection = stored(segment)
    others = {term[:-1] for term in segment} | {term + b"\0" for term in segment} | {b"zzz", b"\xf4\x8f"}
    asked = random.Random(1).sample([*segment, *others - set(segment)], len({*segment, *others}))
    assert dict(terms.find(connection, (1,), asked)) == segment
    for term in asked:
        assert terms.find(connection, (1,), [term]) == ([(term, segment[term])] if term in segment else [])
    connection.close()


def test_what_starts_with_some_letters_is_found_in_order(segment: dict[bytes, bytes]) -> None:
    connection = stored(segment)
    starts = {term[:end] for term in segment for end in (0, 1, 2, 3, len(term) - 1, len(term))}
    for start in {*starts, b"ax", b"w5", b"w50", b"w509", b"w96", b"zzz"}:
        expected = sorted(item for item in segment.items() if item[0].startswith(start))
        assert terms.starting(connection, (1,), start) == expected
    connection.close()


@pytest.mark.parametrize("least", [1, 7, 10_000])
def test_all_terms_are_read_piece_by_piece(segment: dict[bytes, bytes], least: int) -> None:
    connection = stored(segment)

    def pieces() -> Iterator[tuple[bytes, bytes]]:
        last = b""
        while some := terms.some_after(connection, 1, last, least):
            yield from some
            last = some[-1][0]

    assert list(pieces()) == sorted((term, found) for term, found in segment.items())
    connection.close()


def test_a_term_that_ends_like_another_of_its_block_is_none() -> None:
    connection = stored({b"abx": b"1", b"aby": b"2", b"abz": b"3"})
    assert terms.find(connection, (1,), [b"aax", b"aay", b"x", b"a", b"ab"]) == []
    connection.close()


def test_several_segments_answer_one_after_the_other() -> None:
    connection = stored({b"a": b"1", b"c": b"x" * 3_000}, {b"a": b"2", b"b": b"3"}, {b"c": b"y" * 2_000})
    found = terms.find(connection, (1, 2, 3), [b"a", b"b", b"c"])
    assert [stored for term, stored in found if term == b"a"] == [b"1", b"2"]
    assert [stored for term, stored in found if term == b"b"] == [b"3"]
    assert [stored for term, stored in found if term == b"c"] == [b"x" * 3_000, b"y" * 2_000]
    assert terms.starting(connection, (3, 1), b"") == [
        (b"c", b"y" * 2_000),
        (b"a", b"1"),
        (b"c", b"x" * 3_000),
    ]
    connection.close()


@given(
    st.dictionaries(
        st.binary(max_size=6).map(lambda term: term.replace(b"\xff", b"")), st.binary(max_size=300)
    ),
    st.binary(max_size=3),
)
def test_any_terms_are_found(segment: dict[bytes, bytes], start: bytes) -> None:
    connection = stored(segment)
    assert dict(terms.find(connection, (1,), list(segment))) == segment
    start = start.replace(b"\xff", b"")
    expected = sorted(item for item in segment.items() if item[0].startswith(start))
    assert terms.starting(connection, (1,), start) == expected
    connection.close()


def test_terms_with_much_in_common_take_little_room() -> None:
    alike = {f"wtransport{number:05}".encode(): b"123" for number in range(5_000)}
    rows = list(terms.rows_of(sorted(alike.items())))
    assert sum(len(last) + len(block) for last, _, block in rows) < 5_000 * (3 + 1 + 1 + 4)
    assert max(len(block) for _, _, block in rows) <= 1_000


MANY_TERMS, ONE_TERM = {b"a": b"1", b"b": b"2" * 20}, {b"b": b"123" * 1_300}
WITH_X = "CAST(substr(block, 1, 9) || 'x' || substr(block, 11) AS BLOB)"


@pytest.mark.parametrize(
    ("segment", "damage"),
    [
        (MANY_TERMS, f"UPDATE terms_1 SET block = {WITH_X}"),
        (ONE_TERM, f"UPDATE terms_1 SET block = {WITH_X}"),
        (MANY_TERMS, "UPDATE terms_1 SET block = substr(block, 1, length(block) - 1)"),
        (ONE_TERM, "UPDATE terms_1 SET block = substr(block, 1, length(block) - 1)"),
        (MANY_TERMS, "UPDATE terms_1 SET last = CAST(last || 'x' AS BLOB)"),
        (ONE_TERM, "UPDATE terms_1 SET last = CAST(last || 'x' AS BLOB)"),
        (ONE_TERM, "DELETE FROM terms_1 WHERE rest = 1"),
        (ONE_TERM, "UPDATE terms_1 SET rest = 10 - rest WHERE rest > 0"),
    ],
)
def test_a_damaged_block_is_said_to_be_damaged(segment: dict[bytes, bytes], damage: str) -> None:
    connection = stored(segment)
    connection.execute(damage)
    ways = (
        lambda: terms.find(
            connection, (1,), [term for (term,) in connection.execute("SELECT last FROM terms_1")]
        ),
        lambda: terms.starting(connection, (1,), b""),
        lambda: terms.some_after(connection, 1, b"", 10),
    )
    for way in ways:
        with pytest.raises(ValueError, match="their checksum is wrong"):
            way()
    connection.close()


@pytest.mark.parametrize(
    "word",
    [
        "policy",
        "policies",
        "a",
        "ab",
        "refunds",
        "running",
        "kuendigung",
        "بيانات",
        "서울에서",
        "x" * 500 + "ies",
    ],
)
def test_a_word_comes_back_from_its_term(word: str) -> None:
    for key in (form_key(word), "", "p", word, word + "s", "x" * 300):
        term = word_term(word, key)
        assert word_of(term) == word
        assert term.startswith(word_term(key, key))


@pytest.mark.parametrize("size", [9_000, *range(9_270, 9_300), 17_480, 100_000])
def test_a_very_long_list_is_read_in_few_pieces_that_fill_their_pages(size: int) -> None:
    segment = {b"common": random.Random(size).randbytes(size), b"more": b"1"}
    connection = stored(segment)
    assert terms.find(connection, (1,), [b"common"]) == [(b"common", segment[b"common"])]
    assert terms.starting(connection, (1,), b"common") == [(b"common", segment[b"common"])]
    assert len([last for last, *_ in terms.rows_of([(b"common", segment[b"common"])])]) <= 10
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    assert pages <= size // PAGE_SIZE + 4
    connection.close()
