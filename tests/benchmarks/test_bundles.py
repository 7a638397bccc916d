"""The generator of bundles: the same bytes everywhere, and the mixture that it promises."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from argparse import ArgumentTypeError
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.bundles import contents, main, make, sizes_of
from benchmarks.generator.concept import FLAWS, concept
from benchmarks.generator.dice import DRAWS, Dice, zipf
from fingerpost import Bundle

ROOT = Path(__file__).resolve().parents[2]
CONCEPTS = 200

# Of the first forty concepts. A change of the generator that is meant writes the new one here.
DIGEST = "74b148e143943d62a7d79c9c29f917f984397bcc5aad1a12639399981015f817"


def digest(concepts: int, seed: int = 1) -> str:
    together = hashlib.sha256()
    for path, data in contents(concepts, seed):
        together.update(path.encode() + b"\0" + data)
    return together.hexdigest()


@pytest.fixture(scope="module")
def bundle_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("bundles") / "bundle", CONCEPTS).folder


def test_the_bytes_are_those_of_every_other_machine() -> None:
    assert digest(40) == DIGEST


def test_another_process_with_other_hashes_makes_the_same_bytes() -> None:
    code = "from tests.benchmarks.test_bundles import digest; print(digest(40))"
    command = [sys.executable, "-c", code]
    environ = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    printed = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, check=True, text=True
    ).stdout
    assert printed.strip() == digest(40)


def test_another_seed_makes_another_bundle() -> None:
    assert digest(40, seed=2) != digest(40)


def test_a_bundle_is_the_beginning_of_every_larger_one() -> None:
    smaller, larger = dict(contents(50)), dict(contents(120))
    assert [path for path in smaller if path not in larger] == []
    changed = {path.rpartition("/")[2] for path in smaller if smaller[path] != larger[path]}
    assert changed <= {"index.md", "log.md"}


def test_the_mixture_is_as_promised(bundle_folder: Path) -> None:
    written = [concept(1, number) for number in range(CONCEPTS)]
    languages = Counter(each.language.code for each in written)
    assert languages == {"en": 170, "de": 16, "ar": 10, "zh": 2, "ja": 2}
    assert sum(each.status == "deprecated" for each in written) == 10
    assert [each.flaw for each in written if each.flaw] == [FLAWS[0]]
    assert len({each.type for each in written}) == 12
    assert len({each.path for each in written}) == CONCEPTS
    files = [file for file in bundle_folder.rglob("*.md") if file.name not in ("index.md", "log.md")]
    mean = sum(file.stat().st_size for file in files) / len(files)
    assert 3_400 < mean < 4_200


def test_every_hundred_concepts_have_the_same_shares() -> None:
    for first in range(0, 1000, 100):
        languages = Counter(concept(1, number).language.code for number in range(first, first + 100))
        assert languages == {"en": 85, "de": 8, "ar": 5, "zh": 1, "ja": 1}


@pytest.mark.parametrize("place", range(len(FLAWS)), ids=FLAWS)
def test_a_flawed_file_is_no_concept(place: int, tmp_path: Path) -> None:
    number = next(n for n in range(200 * len(FLAWS)) if concept(1, n).flaw == FLAWS[place])
    data = next(data for path, data in contents(number + 1) if path == concept(1, number).path)
    (tmp_path / "index.md").write_text("# A bundle\n")
    (tmp_path / "flawed.md").write_bytes(data)
    with Bundle(tmp_path, cache="") as bundle:
        assert bundle.find(limit=1)["skipped_invalid"] == 1


def test_a_generated_bundle_reads_as_a_sound_one(bundle_folder: Path) -> None:
    with Bundle(bundle_folder, cache="") as bundle:
        assert len(bundle) == CONCEPTS - 1
        links = [link for id_ in bundle.ids()[::5] for link in bundle.links(id_) if "id" in link]
        trust = Counter(hit["trust"] for hit in bundle.find(limit=100, include_deprecated=True)["results"])
        codes = {diagnostic.code for diagnostic in bundle.diagnostics()}
    assert len(links) > 100
    assert sum(link.get("exists", False) for link in links) > 0.95 * len(links)
    assert set(trust) == {"unverified", "machine-confirmed", "human-reviewed"}
    assert not any(code.startswith("OKF4") for code in codes)


def test_a_bundle_is_made_once_and_found_again(tmp_path: Path) -> None:
    made = make(tmp_path / "bundle", 45)
    before = {file: file.stat().st_mtime_ns for file in made.folder.rglob("*")}
    assert make(tmp_path / "bundle", 45) == made
    assert {file: file.stat().st_mtime_ns for file in made.folder.rglob("*")} == before


def test_a_bundle_that_was_cut_short_or_is_of_another_recipe_is_made_anew(tmp_path: Path) -> None:
    made = make(tmp_path / "bundle", 45)
    gone = made.folder / concept(1, 3).path
    gone.unlink()
    marker = tmp_path / "bundle.made.json"
    marker.write_text(marker.read_text().replace('"files"', '"no files"'))
    assert make(tmp_path / "bundle", 45) == made
    assert gone.exists()
    assert make(tmp_path / "bundle", 3).files == 5


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine")
    with pytest.raises(FileExistsError, match="holds something else"):
        make(tmp_path, 3)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.md"]


def test_the_command_shows_what_was_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--sizes", "40", "--cache", str(tmp_path)]) == 0
    assert "40: 43 files" in capsys.readouterr().out


def test_sizes_are_read_as_they_are_typed() -> None:
    assert sizes_of("200,1k, 10k") == [200, 1000, 10_000]


@pytest.mark.parametrize(("text", "wrong"), [("5x", "5x"), ("1k,", ""), ("0", "0"), ("-5", "-5"), ("k", "k")])
def test_what_is_no_size_is_told(text: str, wrong: str) -> None:
    with pytest.raises(
        ArgumentTypeError, match=f"^'{wrong}' is no number of concepts; write numbers such as"
    ):
        sizes_of(text)


def test_dice_of_one_name_fall_alike_and_stay_in_their_bounds() -> None:
    first, second, other = Dice("a", 1), Dice("a", 1), Dice("a", 2)
    rolled = [first.below(10) for _ in range(2_000)]
    assert rolled == [second.below(10) for _ in range(2_000)]
    assert rolled != [other.below(10) for _ in range(2_000)]
    assert set(rolled) == set(range(10))
    assert all(0 <= first.below(1_000_000) < 1_000_000 for _ in range(100))
    assert sorted(first.shuffled(range(9))) == list(range(9))


def test_the_words_of_a_zipf_table_come_in_proportion_to_their_rank() -> None:
    counts = Counter(zipf(["first", "second", "third"], offset=0))
    assert sum(counts.values()) == DRAWS
    assert counts["first"] / counts["second"] == pytest.approx(2, rel=0.01)
    assert counts["first"] / counts["third"] == pytest.approx(3, rel=0.01)
