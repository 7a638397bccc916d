"""The search benchmark measures all that it is asked for, and holds it to the right bounds."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.bundles import make
from benchmarks.measuring import engine, measurements
from benchmarks.measuring.edits import Edit, planned_edits
from benchmarks.measuring.figures import SPECIFICATIONS, Bound, Figure, table
from benchmarks.measuring.measurements import Plan, builds
from benchmarks.measuring.processes import Measured, ended_seconds, measure, tree_seconds
from benchmarks.measuring.questions import known_question, question_sets
from fingerpost.text.words import query_words
from tests.core.cli.shell import environment

ROOT = Path(__file__).resolve().parents[2]


def test_every_figure_is_measured_and_shown(tmp_path: Path) -> None:
    few = ["--sizes", "80", "--questions", "10", "--starts", "1", "--edits", "12", "--json"]
    command = [sys.executable, "benchmarks/search.py", *few, "--cache", str(tmp_path)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    [of_size] = printed["sizes"]
    rows = {row["figure"]: row for row in of_size["figures"]}
    names = {key: specified.name for key, specified in SPECIFICATIONS.items()}
    assert names.pop("build wall alone") not in rows  # nothing helps to build what is small
    assert set(rows) == set(names.values())
    assert [name for name, row in rows.items() if row["measured"] is None] == []
    assert rows[SPECIFICATIONS["edits missed"].name]["measured"] == 0
    assert set(printed["about"]) == {"commit", "Python", "SQLite", "kernel", "processors"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bundle-80-1", "bundle-80-1.made.json"]


@pytest.mark.parametrize("helped", [31.0, 0.0])
def test_a_build_that_a_process_has_helped_with_is_done_again_without(
    helped: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    index.mkdir()

    def told(name: str, _asked: object, *, watch: bool = False, settings: Mapping[str, str] = {}) -> Measured:
        is_alone = settings == {"FINGERPOST_PROCESSES": "1"}
        figures = {"seconds": 1.0, "whole seconds": 9.0, "wall seconds": 8.0 if is_alone else 6.0}
        assert not is_alone or not list(index.iterdir())
        (index / "index.db").touch()
        return Measured({**figures, "seconds of helpers": helped}, 9.0, 100.0)

    def bare(_word: str) -> Measured:
        return Measured({"memory": 3.0}, 0.1, 0.0)

    monkeypatch.setattr(measurements, "measure", told)
    monkeypatch.setattr(measurements, "measure_lean", bare)
    plan = Plan(make(tmp_path / "bundle", 10), index, starts=1, builds=3, questions=1, edits=1)
    figures = {figure.key: figure for figure in builds(plan)}
    assert figures["build wall"].measured == 6000.0
    if helped:
        assert figures["build wall alone"].measured == 8000.0
        assert "31.0 s" in figures["build wall alone"].note
    else:
        assert "build wall alone" not in figures


def test_the_engine_to_compare_with_finds_what_is_asked_for(tmp_path: Path) -> None:
    made = make(tmp_path / "bundle", 60)
    title, id_ = known_question(made)
    connection = engine.filled(str(made.folder))
    paths = [path.relative_to(made.folder).as_posix() for path in sorted(made.folder.rglob("*.md"))]
    found = engine.page(connection, query_words(title))
    assert f"{id_}.md" in {paths[number] for number in found}
    (word, *_) = query_words(title)
    by_header = connection.execute("SELECT rowid FROM header WHERE header MATCH ?", (f'"{word}"',)).fetchall()
    assert f"{id_}.md" in {paths[number] for (number,) in by_header}
    assert engine.page(connection, []) == engine.page(connection, ["nosuchword"]) == set()
    connection.close()


BUSY = """
import time
held = bytearray(b"x") * 60_000_000
while time.process_time() < 0.3: pass
"""


def test_what_a_measured_process_starts_counts_in_its_time_and_its_memory() -> None:
    done = measure("search_files", {"command": [sys.executable, "-c", BUSY]}, watch=True)
    assert done.figures["seconds"] >= 0.3
    assert done.seconds >= 0.3
    assert done.peak >= 60


def test_a_measured_process_gets_the_settings_that_it_is_to_have() -> None:
    program = "import os, time\nwhile os.environ.get('BUSY') and time.process_time() < 0.3: pass"
    asked = {"command": [sys.executable, "-c", program]}
    assert measure("search_files", asked, settings={"BUSY": "yes"}).figures["seconds"] >= 0.3


def test_processes_that_still_run_count_in_the_time_of_their_tree() -> None:
    begun, ended = tree_seconds(), ended_seconds()
    program = f"{BUSY}print(flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None
        busy.stdout.readline()
        assert tree_seconds() - begun >= 0.29
        busy.kill()
    assert ended_seconds() - ended >= 0.29


@pytest.mark.parametrize(
    ("figure", "concepts", "bound", "ratio", "verdict"),
    [
        (Figure("spelt right p50", 0.4), 1_000, 0.3, None, "over"),
        (Figure("spelt right p50", 0.4), 1_001, 0.5, None, "ok"),
        (Figure("spelt right p50", 0.4), 1_000_000, 2.0, None, "ok"),
        (Figure("warm", 24.0, floor=10.0), 200, 25.0, 2.4, "ok"),
        (Figure("warm", 24.5, floor=10.0), 10_000, 24.0, 2.45, "over"),
        (Figure("headers", 15.0, floor=10.0), 1_000, 15.0, 1.5, "ok"),
        (Figure("warm", 24.0), 1_000, None, None, ""),
        (Figure("warm", None, floor=10.0), 1_000, 25.0, None, ""),
        (Figure("edit p99", 3.0, floor=1.0), 1_000, None, 3.0, ""),
        (Figure("edits missed", 0), 1_000, 0.0, None, "ok"),
    ],
)
def test_a_figure_is_held_to_the_bound_of_its_size_and_floor(
    figure: Figure, concepts: int, bound: float | None, ratio: float | None, verdict: str
) -> None:
    row = figure.row(concepts)
    assert (row["bound"], row["ratio"], row["verdict"]) == (bound, ratio, verdict)


def test_a_bound_adds_to_a_multiple_of_its_floor() -> None:
    assert Bound(10.0, 1.5).value(20.0) == 40.0
    assert Bound(10.0).value(None) == 10.0
    assert Bound(10.0, 1.5).value(None) is None


def test_the_table_shows_numbers_with_their_units() -> None:
    shown = table(
        "200 concepts", [Figure("warm", 24.0, 10.0, "floor: a walk"), Figure("index size", None)], 200
    )
    assert [line.split() for line in shown.splitlines()[3:]] == [
        "warm open and first answer 24.0 ms 25.0 ms 10.0 ms 2.40 x ok floor: a walk".split(),
        "index size over bundle size - 1.20 x - -".split(),
    ]


def test_a_figure_just_over_its_bound_is_shown_with_digits_that_tell_them_apart() -> None:
    figures = [Figure("index size", 1.2004), Figure("index size", 1.2), Figure("index size", 1.21)]
    assert [line.split()[5:] for line in table("", figures, 200).splitlines()[3:]] == [
        "1.2004 x 1.2000 x - - over".split(),
        "1.20 x 1.20 x - - ok".split(),
        "1.21 x 1.20 x - - over".split(),
    ]


def test_questions_are_different_ones_of_the_kind_that_is_measured(tmp_path: Path) -> None:
    made = make(tmp_path / "bundle", 80)
    sets = question_sets(made, 50)
    assert {name: len(questions) for name, questions in sets.items() if name != "warm up"} == {
        "spelt right": 50,
        "filtered": 50,
        "common": 50,
        "misspelt": 50,
    }
    assert all(1 <= len(question["text"].split()) <= 4 for question in sets["spelt right"])
    assert {next(name for name in question if name != "text") for question in sets["filtered"]} == {
        *("type", "tags", "path")
    }
    assert sets == question_sets(made, 50)
    assert known_question(made) == known_question(made)


def test_planned_edits_are_of_every_manner_and_leave_what_they_say(tmp_path: Path) -> None:
    made = make(tmp_path / "bundle", 80)
    edits = planned_edits(made, 60)
    (made.folder / "edited-by-the-benchmark").mkdir()
    assert {edit.manner for edit in edits} == {"add", "write", "replace", "rename", "delete"}
    for edit in edits:
        Edit.of(json.loads(json.dumps(edit.values()))).carry_out()
        texts = {
            str(file.relative_to(made.folder).with_suffix("")): file.read_text(encoding="utf-8")
            for file in (made.folder / "edited-by-the-benchmark").iterdir()
        }
        assert tuple(id_ for id_, text in texts.items() if edit.word in text) == edit.holders
        assert not any(edit.gone and edit.gone in text for text in texts.values())
