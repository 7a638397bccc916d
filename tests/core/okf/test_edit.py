"""Fields are changed in their lines and nowhere else, over the public bundles and over spellings made up."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
import yaml

from fingerpost.errors import ConceptError
from fingerpost.okf.edit import GONE, set_fields
from fingerpost.okf.frontmatter import open_text, split
from fingerpost.okf.yaml_text import Value
from tests.core.okf.written import (
    AWKWARD,
    concepts_with_fields,
    diff,
    random_file,
    random_text,
    random_value,
    values_of,
)

SAMPLE = 150  # of about 600 files for the slower tests, with a fixed seed
ONE_LINE = re.compile(r"""[^\s#|>&*!\[{'"][^#]*|'[^']*'|"[^"\\]*\"""")


def test_values_that_a_concept_has_already_change_no_byte(corpus: Path) -> None:
    concepts = concepts_with_fields(corpus)
    assert len(concepts) > 500
    for data in concepts:
        values = values_of(data)
        assert set_fields(data, {}) == data
        assert set_fields(data, values) == data
        for key, value in values.items():
            assert set_fields(data, {key: value}) == data


def test_one_text_changed_is_one_line_changed(corpus: Path) -> None:
    """Every concept, every field whose value is a text on the line of its key."""
    changed = 0
    for data in concepts_with_fields(corpus):
        block = split(data.decode("utf-8-sig")).block or ""
        for key, value in values_of(data).items():
            line = re.search(f"^{re.escape(key)}: (.*)$\n(?! )", block, re.MULTILINE)
            if isinstance(value, str) and line and ONE_LINE.fullmatch(line[1]):
                new = set_fields(data, {key: "Changed: once"})
                both = diff(data, new)
                assert [each[: len(key) + 2] for each in both] == [f"-{key}:", f"+{key}:"]
                assert values_of(new) == {**values_of(data), key: "Changed: once"}
                changed += 1
    assert changed > 2000


def test_a_new_field_is_one_line_at_the_end_of_the_frontmatter(corpus: Path) -> None:
    for data in concepts_with_fields(corpus):
        new = set_fields(data, {"x-new": ["a", "b"]})
        assert diff(data, new) == ["+x-new: [a, b]"]
        assert list(values_of(new)) == [*values_of(data), "x-new"]


def test_every_field_takes_any_value_and_goes_without_a_trace(corpus: Path) -> None:
    rng = random.Random(1)
    for data in rng.sample(concepts_with_fields(corpus), SAMPLE):
        old = open_text(data)
        values = values_of(data)
        for key in values:
            new = random_value(rng)
            changed = set_fields(data, {key: new})
            assert values_of(changed) == {**values, key: new}
            assert open_text(changed).body == old.body
            gone = set_fields(data, {key: GONE})
            assert values_of(gone) == {each: value for each, value in values.items() if each != key}
            assert all(line.startswith("-") for line in diff(data, gone))


def test_random_edits_of_random_spellings_are_read_back_as_they_were_meant() -> None:
    rng = random.Random(2)
    for _ in range(2000):
        data, values = random_file(rng)
        assert values_of(data) == values
        assert set_fields(data, values) == data
        key = rng.choice([*values, "new"])
        new = changed_value(values.get(key), rng)
        assert values_of(set_fields(data, {key: new})) == {**values, key: new}
        assert key not in values_of(set_fields(data, {key: GONE}))


def changed_value(old: Value, rng: random.Random) -> Value:
    if isinstance(old, list) and rng.random() < 0.6:
        kept = [item for item in old if rng.random() < 0.7]
        return [*kept, random_value(rng, 1)] if rng.random() < 0.5 else kept
    if isinstance(old, dict) and rng.random() < 0.6:
        kept = {key: value for key, value in old.items() if rng.random() < 0.7}
        return {**kept, rng.choice("abce"): random_value(rng, 1)}
    return random_value(rng)


def test_comments_and_lines_of_other_fields_survive_random_edits() -> None:
    rng = random.Random(3)
    for _ in range(500):
        data, values = random_file(rng)
        key = rng.choice(list(values))
        parts = re.split(rf"(?:(?<=\n)|(?<=\r))(?={re.escape(key)}:)", data.decode("utf-8-sig"), maxsplit=1)
        new = set_fields(data, {key: random_text(rng)}).decode("utf-8-sig")
        assert new.startswith(parts[0])
        below = re.split(r"(?:\r\n|\n|\r)(?=[a-z#-])", parts[1], maxsplit=1)[1]
        assert new.endswith(below)


@pytest.mark.parametrize("text", AWKWARD)
@pytest.mark.parametrize(
    "spelling", ["plain", "'single'", '"double"', "|\n  block", ">-\n  folded\n  text", "[a]"]
)
def test_no_reader_takes_a_text_for_anything_else(text: str, spelling: str) -> None:
    data = f"---\nfield: {spelling}\nlast: x\n---\n".encode()
    new = set_fields(data, {"field": text})
    assert values_of(new) == {"field": text, "last": "x"}
    block = new.decode()[4:-4]
    if "\ufdd0" not in text:
        assert yaml.safe_load(block) == {"field": text, "last": "x"}


@pytest.mark.parametrize("text", AWKWARD)
@pytest.mark.parametrize("spelling", ["[a, 'b']", "{a: b, c: d}", "\n- a\n- b", "\n  a: b\n  c: d"])
def test_nor_within_a_list_or_a_mapping(text: str, spelling: str) -> None:
    data = f"---\nfield: {spelling}\nlast: x\n---\n".encode()
    value: Value = {"a": "b", "c": text, "d": text} if ":" in spelling else ["a", text, text]
    new = set_fields(data, {"field": value})
    if "\ufdd0" not in text:
        assert yaml.safe_load(new.decode()[4:-4]) == {"field": value, "last": "x"}


@pytest.mark.parametrize("text", [text for text in AWKWARD if text])
def test_any_text_may_be_a_key(text: str) -> None:
    try:
        new = set_fields(b"---\ntype: x\n---\n", {text: "v"})
    except ConceptError:
        assert len(text) > 1000  # which YAML does not allow
        return
    assert values_of(new) == {"type": "x", text: "v"}
