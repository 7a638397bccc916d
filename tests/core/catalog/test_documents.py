"""How documents are stored: what is put into bytes comes out the same."""

import json
import zlib

import pytest

from fingerpost.catalog.base import Entry
from fingerpost.catalog.documents import Sample, header_texts, prepare, texts_as_json
from fingerpost.catalog.ranking import body_impacts, impacts
from fingerpost.catalog.texts import Text, Unpacking

SAMPLE = Sample.of(1, [Entry("a.md", body="The refund window is thirty days. " * 1600)])
HEADER = ["Refund “policy”", "a.md", "money, \ud800", "Policy", ""]


@pytest.mark.parametrize("sample", [Sample(), SAMPLE])
@pytest.mark.parametrize("body", ["", "Thirty days.", "\n", "é" * 70_000])
@pytest.mark.parametrize("header", [HEADER, [], ["x" * 70_000]])
def test_a_header_and_a_body_are_read_as_they_were_written(
    header: list[str], body: str, sample: Sample
) -> None:
    text = sample.decompress(sample.compress(header, body, ""))
    assert (header_texts(text.header), text.all.decode()) == (header, body)


@pytest.mark.parametrize("often", [1, 2, 255, 256, 3000])
def test_each_word_has_its_impact_however_often_it_stands_there(often: int) -> None:
    entry = Entry("a.md", ("money back",), "money " + "refund " * often + "within thirty days of thirty")
    _, indexed = prepare(entry, Sample())
    length = 2 + 1 + often + 5
    counts = {"money": (1, 1), "back": (1, 0), "refund": (0, often), "thirty": (0, 2)}
    found = dict(zip(indexed.words, indexed.impacts, strict=True))
    assert {word: found[word] for word in counts} == {
        word: impacts([count], length)[0] for word, count in counts.items()
    }


def test_a_word_adds_more_the_more_often_it_stands_in_a_short_document_and_in_its_header() -> None:
    times = [(1, 0), (0, 1), (0, 2), (2, 3), (1, 0), (0, 300)]
    assert list(impacts(times, 300)) == [0x80 | 48, 0x40 | 29, 0x40 | 39, 0xC0 | 57, 0x80 | 48, 0x40 | 63]
    once = [impacts([(0, 1)], length)[0] for length in (0, 10_000, 100_000)]
    assert once == [0x40 | 48, 0x40 | 2, 0x40 | 1]


@pytest.mark.parametrize("length", [1, 300, 4_321])
def test_words_of_the_body_alone_add_what_all_words_do(length: int) -> None:
    assert body_impacts(range(1, 400), length) == impacts([(0, often) for often in range(1, 400)], length)


@pytest.mark.parametrize("texts", [[], ["a"], ['"quoted"', "\\", "\n\0", "é\ud800"]])
def test_texts_as_json_are_what_an_encoder_makes_of_them(texts: list[str]) -> None:
    assert texts_as_json(texts) == json.dumps(texts, ensure_ascii=False)


def test_texts_are_compressed_with_what_they_have_in_common_with_the_sample() -> None:
    body = "The refund window is thirty days. " * 3
    assert len(SAMPLE.compress(HEADER, body, "")) < len(Sample().compress(HEADER, body, "")) - 20
    assert SAMPLE.compress(HEADER, body, "") == SAMPLE.compress(HEADER, body, "")


def test_a_text_is_unpacked_as_far_as_it_is_read_and_goes_on_after_a_rest() -> None:
    body = " ".join(f"word{number}" for number in range(2000))
    text = SAMPLE.decompress(SAMPLE.compress(HEADER, body, "details"))
    assert text.place(b"word20", 10, alone=True) == body.index("word20")
    assert len(text.body) < 2000
    assert text.place(b"word400", 10, alone=True) == body.index("word400")
    assert len(text.body) < 5000
    text.rest()
    assert text.place(b"word1999", 10, alone=True) == body.index("word1999")
    assert text.all.decode() == body


def test_a_text_that_ends_too_soon_is_damaged() -> None:
    short = Text(b"ab", 20, Unpacking(b"", zlib.compressobj(1, zlib.DEFLATED, -15).flush()))
    with pytest.raises(ValueError, match="shorter than it should be"):
        short.place(b"c", 1, alone=True)
