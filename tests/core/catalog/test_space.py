"""How much room a catalog takes on the disk."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from fingerpost.catalog.base import Entry, Query
from fingerpost.catalog.documents import Sample, header_texts, pack
from fingerpost.catalog.persisted import PersistedCatalog


def article(number: int, round_: int, length: int = 400) -> Entry:
    """A document of which another round has another body, by words that come again elsewhere."""
    dice = random.Random(round_ * 10_000 + number)
    words = [
        f"{dice.choice('bdfgklmnprstv')}{dice.choice('aeiou')}{dice.randrange(60)}" for _ in range(length)
    ]
    card = f"card of {number}"
    id_, details = f"folder-{number % 7}/{number:05}", f"{number} in round {round_}"
    return Entry(id_, (f"title {number}",), " ".join(words), card=card, details=details)


def pages(path: Path, table: str | None = None) -> tuple[int, int]:
    """Pages of the file and how many are free; of a table, its pages and the bytes that they leave unused."""
    with closing(sqlite3.connect(path)) as connection:
        if table is None:
            return (
                connection.execute("PRAGMA page_count").fetchone()[0],
                connection.execute("PRAGMA freelist_count").fetchone()[0],
            )
        return connection.execute(
            "SELECT count(*), sum(unused) FROM dbstat WHERE name = ?", (table,)
        ).fetchone()


def test_what_a_replacing_update_frees_is_given_back(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog.open(path) as catalog:
        catalog.update([article(number, 0) for number in range(900)])
        whole, _ = pages(path)
        catalog.update([article(number, 1) for number in range(900)])
    after, free = pages(path)
    assert free == 0
    assert after < 1.05 * whole


def test_ids_whose_documents_have_gone_leave_no_gaps_among_the_others(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    with PersistedCatalog.open(path) as catalog:
        catalog.update([article(number, 0) for number in range(3000)])
        catalog.update([article(number, 1) for number in range(3000)])
    try:
        count, unused = pages(path, "document_id")
    except sqlite3.OperationalError:
        pytest.skip("this SQLite does not tell what its pages hold")
    assert unused < count * 8192 / 4


@pytest.mark.parametrize("before", [0, 3, 70], ids="{} documents before".format)
def test_the_texts_of_a_build_leave_little_of_their_pages_unused(tmp_path: Path, before: int) -> None:
    path = tmp_path / "index.db"
    dice = random.Random(before)
    with PersistedCatalog.open(path) as catalog:
        catalog.update([article(10_000 + number, 0) for number in range(before)])
        catalog.update([article(number, 0, dice.randrange(50, 900)) for number in range(1_000)])
        with catalog.reading() as view:
            assert view.count() == before + 1_000
    try:
        count, unused = pages(path, "content")
    except sqlite3.OperationalError:
        pytest.skip("this SQLite does not tell what its pages hold")
    assert unused < count * 8192 * 0.025


def test_texts_longer_than_a_page_are_kept_with_the_others(tmp_path: Path) -> None:
    long = [article(number, 0, 60_000 if number % 9 == 0 else 100) for number in range(120)]
    with PersistedCatalog.open(tmp_path / "index.db") as catalog:
        catalog.update(long)
        for entry in long[:20]:
            with catalog.reading() as view:
                (hit,) = view.search(Query(f"title {entry.id[-5:].lstrip('0') or '0'}", limit=1)).hits
                assert hit.id == entry.id


def test_of_documents_of_one_id_in_a_build_the_last_counts(tmp_path: Path) -> None:
    first = [article(number, 0, 300 + number) for number in range(80)]
    last = [article(number, 1, 380 - number) for number in range(80)]
    with PersistedCatalog.open(tmp_path / "index.db") as catalog:
        catalog.update(first[:60] + last[:60] + first[60:] + last[60:])
        with catalog.reading() as view:
            assert [view.details(entry.id) for entry in last] == [entry.details for entry in last]


@pytest.mark.parametrize("details", ["", "one line", "two\nlines\n", "\0\ud800 ü 漢", "long " * 100_000])
@pytest.mark.parametrize("body", ["", "\n", "text\n\nand more\n", "ends with \ud800"])
def test_header_body_and_details_come_back_apart(body: str, details: str) -> None:
    for sample in (Sample(), Sample(1, b"and more text " * 2000)):
        stored = sample.compress(("a title\nof two lines", "ü\ud800"), body, details)
        text = sample.decompress(stored)
        assert header_texts(text.header) == ["a title\nof two lines", "ü\ud800"]
        assert text.all == pack(body)
        assert sample.details(stored) == details


def test_what_documents_have_in_common_is_stored_once() -> None:
    entries = [article(number, 0) for number in range(100)]
    sample = Sample.of(1, entries)
    assert len(sample.stored) < len(sample.text) <= 16_000
    alone, together = (
        sum(len(each.compress(entry.header, entry.body, "")) for entry in entries)
        for each in (Sample(), sample)
    )
    assert together < 0.9 * alone


def test_a_sample_is_what_documents_share_further_in() -> None:
    shared = article(0, 0).body
    entries = [Entry(str(number), body=article(number, 1).body + 2 * shared) for number in range(20)]
    sample = Sample.of(1, entries)
    assert len(sample.compress((), shared, "")) < 0.7 * len(Sample().compress((), shared, ""))


def test_too_little_text_is_no_sample() -> None:
    assert Sample.of(1, [article(number, 0) for number in range(5)]) == Sample()
