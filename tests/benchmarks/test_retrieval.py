"""The questions of the retrieval benchmark are of their class, and its verdict is the sum of its parts."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from benchmarks import retrieval
from benchmarks.asking.classes import CLASSES, Asked, QueryClass
from benchmarks.asking.items import Shelf, generated_shelf, real_shelf
from benchmarks.bundles import make
from fingerpost import Bundle
from fingerpost.text.distance import distance
from fingerpost.text.folding import fold

BY_NAME = {each.name: each for each in CLASSES}


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return generated_shelf(make(tmp_path_factory.mktemp("bundles") / "bundle", 400))


def asked(shelf: Shelf, name: str, count: int = 20) -> list[Asked]:
    return BY_NAME[name].asked(shelf, count)


def edits(one: Asked) -> int:
    pairs = zip(one.text.lower().split(), one.meant.lower().split(), strict=True)
    return sum(distance(written, meant, 9) for written, meant in pairs)


@pytest.mark.parametrize("each", CLASSES, ids=lambda each: each.name)
def test_a_class_asks_different_questions_about_concepts_of_the_bundle(
    each: QueryClass, shelf: Shelf
) -> None:
    questions = each.asked(shelf, 6)
    ids = {item.id for item in shelf.items}
    assert len({question.text for question in questions}) == 6
    assert {question.target for question in questions} <= ids
    assert questions == each.asked(shelf, 6)


@pytest.mark.parametrize("each", CLASSES, ids=lambda each: each.name)
def test_what_a_question_means_is_in_its_concept(each: QueryClass, shelf: Shelf) -> None:
    places = {item.id: place for place, item in enumerate(shelf.items)}
    for question in each.asked(shelf, 6):
        item = shelf.items[places[question.target]]
        text = fold(f"{item.header} {item.body}")
        assert all(word in text for word in re.findall(r"[^\W_]+", fold(question.meant)))
        assert shelf.holders(question.meant) >= 1


def test_a_typo_is_one_edit_and_two_typos_are_two(shelf: Shelf) -> None:
    assert {edits(one) for one in asked(shelf, "one typo")} == {1}
    assert {edits(one) for one in asked(shelf, "two typos")} <= {1, 2}


def test_shuffled_words_are_the_same_words_in_another_order(shelf: Shelf) -> None:
    for one in asked(shelf, "title words shuffled"):
        assert one.text != one.meant
        assert sorted(one.text.split()) == sorted(one.meant.split())


def test_a_deep_word_stands_behind_the_first_words_of_its_body_and_nowhere_else(shelf: Shelf) -> None:
    bodies = {item.id: fold(item.body) for item in shelf.items}
    for one in asked(shelf, "deep body word"):
        head, _, _ = bodies[one.target].partition(one.text)
        assert len(set(re.findall(r"[^\W_]+", head))) >= 128
        assert shelf.holders(one.text) == 1


def test_spellings_differ_as_their_class_says(shelf: Shelf) -> None:
    for one in asked(shelf, "accents dropped"):
        assert any(map(unicodedata.combining, unicodedata.normalize("NFD", one.meant)))
        assert not any(map(unicodedata.combining, unicodedata.normalize("NFD", one.text)))
    for one in asked(shelf, "German umlauts written out"):
        assert re.search("[äöüß]", one.meant.lower())
        assert not re.search("[äöüß]", one.text.lower())
    for one in asked(shelf, "Arabic folded"):
        assert not re.search("[أإآةى\u064b-\u0652]", one.text)
    for one in asked(shelf, "Arabic-Indic digits"):
        assert re.search("[٠-٩]", one.text)
        assert not re.search("[0-9]", one.text)
    for one in asked(shelf, "Arabic with and without article"):
        differing = [
            pair for pair in zip(one.text.split(), one.meant.split(), strict=True) if pair[0] != pair[1]
        ]
        assert [abs(len(written) - len(meant)) for written, meant in differing] == [2]


@pytest.mark.parametrize("name", ["Chinese substring", "Japanese substring"])
def test_a_substring_is_part_of_a_title(name: str, shelf: Shelf) -> None:
    titles = {item.id: item.title for item in shelf.items}
    assert all(one.text in titles[one.target] and len(one.text) >= 4 for one in asked(shelf, name, 6))


def test_a_part_of_a_compound_stands_for_the_compound(shelf: Shelf) -> None:
    for one in asked(shelf, "German part of a compound"):
        pairs = zip(one.text.split(), one.meant.split(), strict=True)
        [(part, compound)] = [(written, meant) for written, meant in pairs if written != meant]
        assert compound.startswith(part) or compound.endswith(part.lower())


def test_any_bundle_can_be_asked_for_what_its_files_show(tmp_path: Path) -> None:
    (tmp_path / "refund.md").write_text("---\ntype: Policy\ntitle: Refund window\n---\nMoney back.\n")
    (tmp_path / "vertrag.md").write_text(
        "---\ntype: Policy\ntitle: Mietvertrag prüfen\n---\nWer und wie der Mieter.\n"
    )
    (tmp_path / "old.md").write_text("---\ntype: Policy\ntitle: Old\nstatus: deprecated\n---\n")
    with Bundle(tmp_path, cache="") as bundle:
        shelf = real_shelf("small", bundle)
    assert [(item.id, item.language) for item in shelf.items] == [("refund", "en"), ("vertrag", "de")]
    assert [one.text for one in asked(shelf, "title exact")] in (
        [["Refund window", "Mietvertrag prüfen"], ["Mietvertrag prüfen", "Refund window"]]
    )
    assert [one.text for one in asked(shelf, "German umlauts written out")] == ["Mietvertrag pruefen"]


def outcome(ranks: list[int], *, unique: bool = True, reachable: bool = True) -> retrieval.Outcome:
    one = Asked("text", "text", "target")
    return retrieval.Outcome("a class", [retrieval.Answer(one, rank, unique, reachable) for rank in ranks])


@pytest.mark.parametrize(
    ("judged", "short"),
    [
        (outcome([1] * 20), []),
        (outcome([1] * 18 + [2, 3]), []),
        (outcome([1] * 17 + [2, 3, 3]), ["hit@1 of the unique 0.850 < 0.9"]),
        (outcome([1] * 17 + [2, 3, 3], unique=False), []),
        (outcome([1] * 19 + [0], unique=False), ["hit@3 of the reachable 0.950 < 0.97"]),
        (outcome([1] * 19 + [4], unique=False, reachable=False), []),
        (outcome([1] * 17 + [0] * 3, unique=False, reachable=False), ["hit@3 0.850 < 0.9"]),
        (outcome([0] * 9), []),
    ],
)
def test_a_class_falls_short_of_the_bounds_that_it_misses(
    judged: retrieval.Outcome, short: list[str]
) -> None:
    assert judged.shortfalls() == short


def test_the_benchmark_prints_every_class_and_names_what_falls_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["--sizes", "120", "--queries", "3", "--cache", str(tmp_path)]
    monkeypatch.setattr(retrieval, "PUBLIC_BUNDLES", tmp_path / "gone")
    assert retrieval.main(words) == 0
    printed = capsys.readouterr().out
    rows = [line.split("  ")[0] for line in printed.splitlines()]
    assert [each.name for each in CLASSES if each.name not in rows] == []
    assert printed.endswith("No class falls short.\n")
    monkeypatch.setattr(retrieval, "LEAST_QUERIES", 1)
    monkeypatch.setattr(retrieval, "LEAST_RAW", 1.1)
    assert retrieval.main(words) == 1
    assert "120 generated concepts: title exact: hit@3 1.000 < 1.1" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["gone", "empty"])
def test_a_folder_without_a_bundle_is_refused_before_anything_is_asked(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    folder = str(tmp_path / name)
    with pytest.raises(SystemExit, match="2"):
        retrieval.main(["--sizes", "120", "--cache", str(tmp_path), "--bundle", folder])
    printed = capsys.readouterr()
    assert printed.err.endswith(f"error: argument --bundle: there is no bundle in {folder!r}\n")
    assert printed.out == ""
    assert not (tmp_path / "bundle-120-1").exists()
