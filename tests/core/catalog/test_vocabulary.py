"""Near spellings found over planes are those that the edit distance finds one by one."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.catalog import vocabulary
from fingerpost.catalog.vocabulary import Bucket, encode, mask, near_among
from fingerpost.text.distance import distance

ALPHABETS = {
    "latin": "abcdefghijklmnopqrstuvwxyz",
    "two letters": "ab",
    "one letter": "a",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюя",
    "hangul": "".join(chr(0xAC00 + 3 * syllable) for syllable in range(3_000)),
    "beyond the first plane": "".join(chr(0x10400 + letter) for letter in range(40)),
    "mixed": "aeiouстро가나다ابت𐐨",
}

script = pytest.mark.parametrize("letters", ALPHABETS.values(), ids=ALPHABETS)
word_lists = st.lists(st.text("abc", min_size=3, max_size=8), max_size=30)


def words_of(letters: str, chance: random.Random, count: int = 1_000) -> list[str]:
    """Random words, each with spellings of it that are some edits away."""
    made: set[str] = set()
    for _ in range(count // 4):
        word = "".join(chance.choices(letters, k=chance.randint(3, 9)))
        made |= {word, *(misspelt(word, letters, chance, edits) for edits in (1, 2, 3))}
    return sorted(word for word in made if len(word) >= 3)


def misspelt(word: str, letters: str, chance: random.Random, edits: int) -> str:
    for _ in range(edits):
        place, letter = chance.randrange(len(word)), chance.choice(letters)
        before, after = word[:place], word[place:]
        word = chance.choice(
            [before + letter + after, before + after[1:] or letter, before + letter + after[1:]]
            + ([before + after[1] + after[0] + after[2:]] if len(after) > 1 else [])
        )
    return word


class Words:
    """Words of several lengths, as an index asks them."""

    def __init__(self, words: Iterable[str]) -> None:
        self._buckets = [Bucket(blob) for blob in encode(words).values()]

    def near(self, word: str, limit: int) -> list[tuple[str, int]]:
        near = [pair for bucket in self._buckets for pair in bucket.near(word, limit)]
        return sorted(near, key=lambda pair: (pair[1], pair[0]))


def by_brute_force(word: str, words: Iterable[str], limit: int) -> list[tuple[str, int]]:
    near = [(other, edits) for other in set(words) if (edits := distance(word, other, limit)) <= limit]
    return sorted(near, key=lambda pair: (pair[1], pair[0]))


@pytest.mark.parametrize("count", [1, 2, 3, 128, 254, 255, 256, 257, 300])
def test_words_of_any_number_of_letters_are_kept_in_order(count: int) -> None:
    letters = "".join(chr(0x4E00 + place) for place in range(count))
    words = sorted({(letters[place:] + letters * 3)[:3] for place in range(count)})
    assert [word for blob in encode(reversed(words)).values() for word in Bucket(blob).words()] == words


def test_words_in_order_take_fewer_bytes_than_their_planes() -> None:
    words = sorted(map("".join, product("abcdefgh", repeat=4)))
    (blob,) = encode(words).values()
    assert len(blob) < len(words) * 4 * 3 // 8 // 4


@script
@pytest.mark.parametrize("limit", [1, 2])
def test_near_spellings_are_exactly_those_of_the_edit_distance(letters: str, limit: int) -> None:
    chance = random.Random(limit)
    words = words_of(letters, chance)
    searched = Words(words)
    for word in chance.sample(words, min(12, len(words))):
        asked = misspelt(word, letters, chance, 2)
        assert searched.near(asked, limit) == by_brute_force(asked, words, limit)


@given(word_lists, st.text("abcd", max_size=9), st.integers(0, 3))
def test_any_word_is_compared_like_one_by_one(words: list[str], asked: str, limit: int) -> None:
    assert Words(words).near(asked, limit) == by_brute_force(asked, words, limit)
    for length, blob in encode(words).items():
        alike = [word for word in words if len(word) == length]
        assert Bucket(blob).near(asked, limit) == by_brute_force(asked, alike, limit)


def test_a_swap_is_one_edit_and_no_place_is_edited_twice() -> None:
    searched = Words(["refund", "refudn", "abc"])
    assert searched.near("refund", 1) == [("refund", 0), ("refudn", 1)]
    assert searched.near("ca", 2) == []


def test_letters_that_the_vocabulary_lacks_can_only_be_edited_away() -> None:
    assert Words(["margin"]).near("mârgîn", 2) == [("margin", 2)]
    assert Words(["margin"]).near("mârgîñ", 2) == []


@script
def test_a_bucket_keeps_its_words(letters: str) -> None:
    words = words_of(letters, random.Random(4))
    buckets = [Bucket(blob) for blob in encode(words).values()]
    assert sorted(word for bucket in buckets for word in bucket.words()) == words
    assert sum(bucket.count for bucket in buckets) == len(words)


def test_words_given_twice_are_kept_once_and_the_order_does_not_matter() -> None:
    assert encode(["vat", "tax", "vat", "margin"]) == encode(["margin", "tax", "vat"])


def of_nine_letters(letters: str) -> list[str]:
    chance = random.Random(6)
    return sorted({"".join(chance.choices(letters, k=9)) for _ in range(3_000)})


@script
def test_words_are_read_alike_one_by_one_and_all_at_once(letters: str) -> None:
    words = of_nine_letters(letters)
    (blob,) = encode(words).values()
    kept = Bucket(blob)
    for word in random.Random(7).sample(words, min(len(words), 150)):
        assert Bucket(blob).near(word, 0) == kept.near(word, 0) == [(word, 0)]


def test_few_words_are_read_without_all_the_others() -> None:
    words = of_nine_letters(ALPHABETS["latin"])
    read: list[Bucket] = []

    class Noted(Bucket):
        def _read_text(self) -> str:
            read.append(self)
            return super()._read_text()

    bucket = Noted(encode(words)[9])
    for word in words[:100]:
        assert bucket.near(word, 0) == [(word, 0)]
    assert read == []
    for word in words[:100]:
        assert bucket.near(word, 0) == [(word, 0)]
    assert read == [bucket]


@script
def test_a_bucket_is_read_alike_packed_and_as_it_is(letters: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = of_nine_letters(letters)
    packed = encode(words)[9]
    monkeypatch.setattr(vocabulary, "_LARGE", 0)
    unpacked = encode(words)[9]
    assert len(packed) < len(unpacked) or len(words) == 1
    assert Bucket(packed).words() == Bucket(unpacked).words() == words


@pytest.mark.parametrize("place", [0, 4, 8, 12, 17, 40, -1])
def test_a_changed_byte_is_said_to_be_damage(place: int) -> None:
    blob = bytearray(encode(["margin", "refund", "policy"])[6])
    blob[place] ^= 0x10
    with pytest.raises(ValueError, match="damaged"):
        Bucket(bytes(blob))


@pytest.mark.parametrize("end", [0, 3, 15, 16, 30, -1])
def test_a_bucket_cut_short_is_said_to_be_damaged(end: int) -> None:
    with pytest.raises(ValueError, match="damaged"):
        Bucket(encode(["margin", "refund", "policy"])[6][:end])


@script
@pytest.mark.parametrize("count", [40, 1_000])
def test_words_not_encoded_yet_are_compared_alike(letters: str, count: int) -> None:
    chance = random.Random(5)
    words = words_of(letters, chance, count)
    candidates = {word: mask(word) for word in words}
    for word in chance.sample(words, min(8, len(words))):
        asked = misspelt(word, letters, chance, 1)
        for limit in (1, 2):
            assert near_among(asked, limit, candidates) == by_brute_force(asked, words, limit)


@given(st.text("abcdefgh", min_size=1, max_size=40), st.randoms(use_true_random=False))
def test_an_edit_changes_two_bits_of_a_mask_at_most(word: str, chance: random.Random) -> None:
    assert (mask(word) ^ mask(misspelt(word, "abcdefgh", chance, 1))).bit_count() <= 2
