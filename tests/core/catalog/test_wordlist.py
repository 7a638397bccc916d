"""Words that begin or end with a part are those that are found by looking at all of them."""

from __future__ import annotations

import random
import sqlite3
import zlib
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog import schema, wordlist

LETTERS = {"latin": "abcdefgh", "two letters": "ab", "several scripts": "aeßстро가나ابت𐐨𐐩\U0001e900"}

script = pytest.mark.parametrize("letters", LETTERS.values(), ids=LETTERS)


def stored(*segments: Iterable[str]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    schema.create(connection)
    for number, words in enumerate(segments, start=1):
        wordlist.insert(connection, number, wordlist.rows_of(sorted(words)))
    return connection


def words_of(letters: str, count: int) -> list[str]:
    chance = random.Random(count)
    return sorted({"".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(count)})


@script
@pytest.mark.parametrize("count", [1, 190, 2_000])
def test_words_are_found_by_how_they_begin_and_end(letters: str, count: int) -> None:
    words = words_of(letters, count)
    connection = stored(words)
    highest, lowest = max(letters), min(letters)
    for word in [*words[:: max(1, count // 30)], highest, lowest, highest * 9, lowest * 9, "nowhere", ""]:
        for length in (1, 2, 4, len(word), len(word) + 1):
            start, end = word[:length], word[-length:]
            assert wordlist.starting(connection, [1], start) == [w for w in words if w.startswith(start)]
            assert sorted(wordlist.ending(connection, [1], end)) == [w for w in words if w.endswith(end)]


@given(st.lists(st.text(min_size=1, max_size=4) | st.text("aßz", min_size=1, max_size=4)))
def test_words_of_any_letters_are_put_in_order(words: list[str]) -> None:
    assert wordlist.in_order(iter(words)) == sorted(words)


@given(st.sets(st.text("abc", min_size=3, max_size=8), max_size=30), st.text("abcd", max_size=4))
def test_any_part_is_found_at_either_end(words: set[str], part: str) -> None:
    connection = stored(words)
    assert wordlist.starting(connection, [1], part) == sorted(w for w in words if w.startswith(part))
    assert sorted(wordlist.ending(connection, [1], part)) == sorted(w for w in words if w.endswith(part))


def test_only_the_segments_asked_for_are_looked_at_in_their_order() -> None:
    connection = stored(["refund", "refuse"], ["refute"], ["refuge", "huge"])
    assert wordlist.starting(connection, [3, 1], "ref") == ["refuge", "refund", "refuse"]
    assert wordlist.ending(connection, [2, 3], "uge") == ["refuge", "huge"]
    assert wordlist.starting(connection, [], "ref") == []


def test_only_rows_that_can_hold_a_part_are_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_of("abcdefghijklmnopqrstuvwxyz", 5_000)
    connection = stored(words)
    unpacked: list[bytes] = []
    decompress = zlib.decompress

    def noted(stored: bytes) -> bytes:
        unpacked.append(stored)
        return decompress(stored)

    monkeypatch.setattr(zlib, "decompress", noted)
    assert wordlist.starting(connection, [1], words[2_500]) != []
    assert len(unpacked) == 1


@pytest.mark.parametrize("column", ["last", "words"])
def test_a_changed_row_is_said_to_be_damaged(column: str) -> None:
    connection = stored(["margin", "refund"])
    ((before,),) = connection.execute(f"SELECT {column} FROM wordlist WHERE NOT backward").fetchall()
    damaged = bytes([*before[:-1], before[-1] + 1])
    connection.execute(f"UPDATE wordlist SET {column} = ? WHERE NOT backward", (damaged,))
    with pytest.raises((ValueError, zlib.error)):
        wordlist.starting(connection, [1], "margin")
