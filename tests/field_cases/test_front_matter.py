"""Front matter and concepts: the field cases 1 to 11, each with its smallest input."""

from __future__ import annotations

import json
import time
import tracemalloc
from pathlib import Path

import pytest

from tests.core.cli.shell import process
from tests.field_cases.folders import answers, concept, found, places, read, refusal, tools_over, write

BOM = b"\xef\xbb\xbf"


def test_a_byte_order_mark_hides_nothing_and_is_shown_nowhere(tmp_path: Path) -> None:
    """Row 1."""
    kb = tools_over(
        tmp_path,
        {
            "a.md": BOM + b"---\ntype: Policy\n---\nx",
            "titled.md": BOM + b"---\ntitle: Refunds\ntype: Policy\n---\nx",
            "index.md": BOM + b'---\nokf_version: "0.2"\n---\n# Top\n\n* [A](a.md)\n* [T](titled.md)\n',
        },
    )
    view = read(kb, "a")
    assert (view["type"], view["title"], view["body"]) == ("Policy", "A", "x")
    assert read(kb, "titled")["title"] == "Refunds"
    assert "\n# Top\n\n* [A](/a)\n* [T](/titled)\n" in kb.kb_index("/")
    assert kb.bundle.validate().declared == "0.2"
    assert places(kb) == ["a.md:1:1 OKF501", "index.md:1:1 OKF501", "titled.md:1:1 OKF501"]
    assert [text for text in answers(kb) if "\ufeff" in text] == []


DATED = (
    "---\ntype: Policy\nstale_after: 2026-09-23\nextra: {d: 2026-01-01}\n"
    "verified: {by: human:a, at: 2026-06-25T09:00:00Z}\n2026-01-01: x\n---\nx\n"
)
DATED_EXTRA = {
    "stale_after": "2026-09-23",
    "extra": {"d": "2026-01-01"},
    "verified": {"by": "human:a", "at": "2026-06-25T09:00:00Z"},
    "2026-01-01": "x",
}


def test_bare_dates_are_text_in_every_tool_and_at_every_depth_also_as_keys(tmp_path: Path) -> None:
    """Row 2."""
    kb = tools_over(tmp_path, {"a.md": DATED})
    index, view, hits = answers(kb)
    assert json.loads(view)["extra"] == DATED_EXTRA
    assert json.loads(hits)["total"] == 1
    assert "(/a)" in index
    on_command_line = json.loads(process("read", str(tmp_path), "a", "--json").stdout)
    assert on_command_line["extra"] == DATED_EXTRA


def test_words_that_yaml_takes_for_booleans_stay_as_typed_and_are_found(tmp_path: Path) -> None:
    """Row 4."""
    kb = tools_over(tmp_path, {"a.md": "---\ntype: Policy\ntags: [no, on, y]\ntitle: Yes\non: x\n---\n"})
    view = read(kb, "a")
    assert (view["tags"], view["title"], view["extra"]) == (["no", "on", "y"], "Yes", {"on": "x"})
    assert found(kb, tags="no") == found(kb, tags="on") == found(kb, tags=["y", "no"]) == ["a"]
    assert found(kb, tags="false") == []


def test_of_two_equal_keys_the_last_counts_and_validation_fails_at_its_line(tmp_path: Path) -> None:
    """Row 6."""
    kb = tools_over(tmp_path, {"a.md": "---\ntype: Policy\ntype: Draft\n---\nx\n"})
    assert read(kb, "a")["type"] == "Draft"
    assert places(kb) == ["a.md:3:1 OKF108"]
    outcome = process("validate", str(tmp_path))
    assert outcome.returncode == 1
    assert (
        b"a.md:3:1: error OKF108 duplicate-key: `type` stands on line 2 and again on line 3" in outcome.stdout
    )


TYPES = {"list": "[Reference]", "mapping": "{a: b}", "null": "null", "empty": "''", "five": "5"}


def test_types_of_other_kinds_are_skipped_and_counted_and_a_number_is_its_text(tmp_path: Path) -> None:
    """Row 7."""
    files = {f"{name}.md": f"---\ntype: {written}\n---\nword\n" for name, written in TYPES.items()}
    kb = tools_over(tmp_path, {**files, "good.md": concept("word")})
    answer = json.loads(kb.kb_find("word"))
    assert sorted((hit["id"], hit["type"]) for hit in answer["results"]) == [
        ("five", "5"),
        ("good", "Policy"),
    ]
    assert answer["skipped_invalid"] == 4
    assert found(kb, type="5") == ["five"]
    index = kb.kb_index("/")
    assert "[Five](/five) [5, stable]" in index
    assert "\n(4 files of this folder are not listed: no valid concepts, or not readable.)\n" in index
    for name in ("list", "mapping", "null", "empty"):
        assert f"{name}.md:2:1: OKF202 `type` is " in refusal(kb.kb_read(name))
    assert places(kb, notes=True).count("five.md:2:1 OKF513") == 1


BROKEN = {
    "colon.md": "path: C:\\a: b",
    "italic.md": "title: *Italic*",
    "wiki.md": "tags:\n- [[wiki]]suffix",
    "tab.md": "a:\tb",
}


def test_four_broken_files_cost_the_hundred_good_ones_nothing(tmp_path: Path) -> None:
    """Row 8."""
    good = {f"good{number:03}.md": concept(f"word {number}") for number in range(100)}
    bad = {
        name: f"---\ntype: Policy\ntitle: T\ndescription: D.\n{fields}\n---\nword\n"
        for name, fields in BROKEN.items()
    }
    bad["italic.md"] = f"---\ntype: Policy\n{BROKEN['italic.md']}\ndescription: D.\n---\nword\n"
    begun = time.perf_counter()
    kb = tools_over(tmp_path, {**good, **bad})
    answer = json.loads(kb.kb_find("word"))
    assert time.perf_counter() - begun < 10
    assert (answer["total"], answer["skipped_invalid"]) == (102, 2)
    assert [id_ for id_ in kb.bundle.ids() if id_.startswith("good")] == [f"good{n:03}" for n in range(100)]
    assert places(kb, notes=True) == [
        "colon.md:5:7 OKF104",
        "italic.md:3:8 OKF103",
        "tab.md:5:3 OKF103",
        "wiki.md:6:11 OKF103",
    ]
    assert kb.kb_index("/", page=10**9).splitlines()[-3:] == [
        "(2 files of this folder are not listed: no valid concepts, or not readable.)",
        "===== end of content =====",
        "Note: There is no page 1000000000; this is page 1.",
    ]
    outcome = process("find", str(tmp_path), "word", "--limit", "1")
    assert b"2 files are no valid concepts and were not searched." in outcome.stderr


def test_an_own_index_marks_entries_that_lead_to_no_concept(tmp_path: Path) -> None:
    """Row 8."""
    index = "# Top\n\n* [Good](good.md)\n* [Bad](bad.md)\n* [Gone](gone.md)\n* [Data](data.csv)\n"
    kb = tools_over(
        tmp_path,
        {
            "index.md": index,
            "good.md": concept(),
            "bad.md": f"---\ntype: {BROKEN['wiki.md']}\n---\n",
            "data.csv": "a,b\n",
        },
    )
    assert kb.kb_index("/").split("\n", 1)[1].rpartition("\n")[0] == (
        "# Top\n\n* [Good](/good)\n* [Bad](/bad) [no valid concept]\n* [Gone](/gone.md) [missing]\n"
        "* [Data](/data.csv) [not a concept]\n\n"
        "(1 file of this folder is not listed: no valid concept, or not readable.)"
    )


def test_a_hint_names_the_place_the_field_and_the_cure(tmp_path: Path) -> None:
    """Row 9."""
    kb = tools_over(tmp_path, {"a.md": "---\ntype: Policy\ntitle: T\ndescription: Note: see below\n---\nx\n"})
    (diagnostic,) = kb.bundle.diagnostics()
    assert str(diagnostic) == (
        "a.md:4:14: OKF104 The value of `description` holds a colon followed by a blank, which YAML takes "
        "for a key. Put the value in double quotes."
    )
    assert read(kb, "a")["description"] == "Note: see below"


TEMPLATES = {
    "date: {{date}}": (
        "a.md:3:8: OKF103 In `date`, a mapping stands where a key has to be text. "
        "Put a placeholder such as {{date}} in quotes."
    ),
    "? [a, b]\n: c": (
        "a.md:3:3: OKF103 A list stands where a key has to be text. "
        "Correct the YAML at this place; quote the value if it is meant as text."
    ),
}


@pytest.mark.parametrize("fields", TEMPLATES)
def test_a_template_that_was_never_filled_is_a_diagnostic_and_no_traceback(
    fields: str, tmp_path: Path
) -> None:
    """Row 10."""
    said = TEMPLATES[fields]
    kb = tools_over(tmp_path, {"a.md": f"---\ntype: Policy\n{fields}\n---\nx\n", "b.md": concept()})
    assert refusal(kb.kb_read("a")) == f"This file is no valid concept. {said}"
    assert places(kb) == [said[: said.index(": OKF")] + " OKF103"]
    outcome = process("validate", str(tmp_path))
    assert (outcome.returncode, outcome.stderr) == (1, b"")
    assert b"Conformance: no, 1 error" in outcome.stdout


LAUGHS = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{name}: &{name} [{','.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("fields", "place"),
    [(LAUGHS, "a.md:7:"), ("a: &x [*x]\n", "a.md:3:8")],
    ids=["eight levels of nine", "a cycle"],
)
def test_aliases_that_explode_are_refused_at_once_and_in_little_memory(
    fields: str, place: str, tmp_path: Path
) -> None:
    """Row 11."""
    folder = write(tmp_path, {"a.md": f"---\ntype: Policy\n{fields}---\nx\n", "b.md": concept("x")})
    kb = tools_over(folder, {})
    assert len(fields) < 300
    tracemalloc.start()
    begun = time.perf_counter()
    said = refusal(kb.kb_read("a"))
    index, _, hits = answers(kb)
    diagnosed = places(kb)
    taken, peak = time.perf_counter() - begun, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert place in said
    assert "OKF106" in said
    assert (json.loads(hits)["total"], json.loads(hits)["skipped_invalid"]) == (1, 1)
    assert "(/b)" in index
    assert [item for item in diagnosed if item.startswith(place) and item.endswith("OKF106")] == diagnosed
    assert taken < 5
    assert peak < 8_000_000
