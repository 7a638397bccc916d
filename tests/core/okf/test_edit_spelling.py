"""How a changed field looks: as much as before as can be."""

from __future__ import annotations

import pytest

from fingerpost.okf.edit import GONE, Field, Gone, set_fields
from fingerpost.okf.yaml_text import Value
from tests.core.okf.written import diff, values_of

FILE = """\
---
type: Policy   # the kind
"title": 'It''s'  # keep
description: >-  # folded
  One two
  three

# about tags
tags:   # list
- a   # first
# between
- b
  # deeper
flow: [ a, "b",  c ]  # f
spread: [
  a,   # x
  b,
]
generated:
  by: x/1  # who
  at: 2026-01-01
pair: { by: x, at: 2026-01-01 }
sources:
  - resource: a.md
    title: A  # t
  - title: B
    resource: b.md
version: 1.10
flag: true
plain: several
  lines here
quoted: "several
  lines"
empty:   # nothing
bare:
mended: a: b: c
kept: |+
  x

# end
---

body"""
SOURCES: list[dict[str, Value]] = [{"resource": "a.md", "title": "A"}, {"title": "B", "resource": "b.md"}]
TAGS = ["-tags:   # list", "-- a   # first", "-# between", "-- b", "-  # deeper"]

CASES: list[tuple[Field, Value | Gone, list[str]]] = [
    # texts: quotes and comments stay, and what needs quotes gets them
    ("type", "Metric", ["-type: Policy   # the kind", "+type: Metric   # the kind"]),
    ("type", "a: b", ["-type: Policy   # the kind", '+type: "a: b"   # the kind']),
    ("type", 'say "a: b"', ["-type: Policy   # the kind", "+type: 'say \"a: b\"'   # the kind"]),
    ("title", "don't", ["-\"title\": 'It''s'  # keep", "+\"title\": 'don''t'  # keep"]),
    ("title", "a\nb", ["-\"title\": 'It''s'  # keep", '+"title": "a\\nb"  # keep']),
    ("quoted", "q", ['-quoted: "several', '-  lines"', '+quoted: "q"']),
    ("plain", "p", ["-plain: several", "-  lines here", "+plain: p"]),
    ("description", "new one", ["-  One two", "-  three", "+  new one"]),
    ("description", "a\nb\n", [
        "-description: >-  # folded", "-  One two", "-  three",
        "+description: |  # folded", "+  a", "+  b",
    ]),
    ("description", "", [
        "-description: >-  # folded", "-  One two", "-  three", '+description: ""  # folded',
    ]),
    ("kept", "x\ny\n", ["-kept: |+", "+kept: |", "-", "+  y"]),
    ("kept", GONE, ["-kept: |+", "-  x", "-"]),
    ("empty", "x", ["-empty:   # nothing", "+empty: x   # nothing"]),
    ("bare", "x", ["-bare:", "+bare: x"]),
    ("mended", "a: b", ["-mended: a: b: c", "+mended: 'a: b'"]),
    ("bare", None, []),
    ("type", None, ["-type: Policy   # the kind", "+type: null   # the kind"]),
    # a number stays one, and so do dates and booleans; nothing becomes one
    ("version", "1.20", ["-version: 1.10", "+version: 1.20"]),
    ("version", "no", ["-version: 1.10", '+version: "no"']),
    ("version", "2026-01-01", ["-version: 1.10", '+version: "2026-01-01"']),
    ("flag", "false", ["-flag: true", "+flag: false"]),
    # lists
    ("tags", ["a", "b", "c"], ["+- c"]),
    ("tags", ["b"], ["-- a   # first"]),
    ("tags", ["x", "b"], ["-- a   # first", "+- x   # first"]),
    ("tags", ["0", "a", "b"], ['+- "0"']),
    ("tags", [], [*TAGS, "+tags: []   # list"]),
    ("tags", "x", [*TAGS, "+tags: x   # list"]),
    ("tags", GONE, TAGS),
    ("flow", ["a", "b", "c", "d, e"], ['-flow: [ a, "b",  c ]  # f', '+flow: [ a, "b",  c, "d, e" ]  # f']),
    ("flow", ["c"], ['-flow: [ a, "b",  c ]  # f', "+flow: [ c ]  # f"]),
    ("flow", [], ['-flow: [ a, "b",  c ]  # f', "+flow: []  # f"]),
    ("spread", ["a", "z"], ["-  b,", "+  z,"]),
    ("bare", ["a"], ["-bare:", "+bare: [a]"]),
    # mappings
    (("generated", "by"), "human:b", ["-  by: x/1  # who", "+  by: human:b  # who"]),
    (("generated", "at"), "2027-01-01T00:00:00Z", ["-  at: 2026-01-01", "+  at: 2027-01-01T00:00:00Z"]),
    (("generated", "note"), "x", ["+  note: x"]),
    (("generated", "by"), GONE, ["-  by: x/1  # who"]),
    ("generated", GONE, ["-generated:", "-  by: x/1  # who", "-  at: 2026-01-01"]),
    (("pair", "by"), "a, b", ["-pair: { by: x, at: 2026-01-01 }", '+pair: { by: "a, b", at: 2026-01-01 }']),
    (("pair", "to"), "x", ["-pair: { by: x, at: 2026-01-01 }", "+pair: { by: x, at: 2026-01-01, to: x }"]),
    (("pair", "at"), GONE, ["-pair: { by: x, at: 2026-01-01 }", "+pair: { by: x }"]),
    (("bare", "by"), "x", ["-bare:", "+bare: {by: x}"]),
    ("sources", [{**SOURCES[0], "title": "AA"}, SOURCES[1]], ["-    title: A  # t", "+    title: AA  # t"]),
    ("sources", [SOURCES[1]], ["-  - resource: a.md", "-    title: A  # t"]),
    ("sources", [{"title": "A"}, SOURCES[1]], [
        "-  - resource: a.md", "-    title: A  # t", "+  - title: A  # t",
    ]),
    ("sources", [*SOURCES, {"resource": "c", "id": "d"}], ["+  - resource: c", "+    id: d"]),
    # what is new
    ("x-new", "2026-01-01", ['+x-new: "2026-01-01"']),
    (("x-new", "by"), "human:a", ["+x-new: {by: human:a}"]),
    ("x-new", [{"resource": "r"}], ["+x-new:", "+  - resource: r"]),
    ("x-new", GONE, []),
    (("x-new", "by"), GONE, []),
]  # fmt: skip


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("field", "value", "expected"), CASES)
def test_the_lines_that_change(field: Field, value: Value | Gone, expected: list[str], line_end: str) -> None:
    data = b"\xef\xbb\xbf" + FILE.replace("\n", line_end).encode()
    new = set_fields(data, {field: value})
    assert diff(data, new) == expected
    assert set_fields(new, {field: value}) == new
    assert new.decode().replace(line_end, "") == new.decode().translate({10: "", 13: ""})


def test_several_fields_change_at_once() -> None:
    new = set_fields(
        FILE.encode(), {"type": "Metric", "tags": GONE, "mended": "m", ("generated", "by"): "y", "z": "1"}
    )
    assert values_of(new) == {
        **{key: value for key, value in values_of(FILE.encode()).items() if key != "tags"},
        "type": "Metric",
        "mended": "m",
        "generated": {"by": "y", "at": "2026-01-01"},
        "z": "1",
    }


def test_a_value_that_the_reader_mends_stays_as_it_is_beside_one_that_changes() -> None:
    assert b"\nmended: a: b: c\n" in set_fields(FILE.encode(), {"type": "Metric"})


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\n---\nx", "---\na: z\n---\nx"),
        ("---\n---", "---\na: z\n---"),
        ("---  \n# c\n---\t\n", "---  \n# c\na: z\n---\t\n"),
        ("---\n{}\n---\n", "---\n{a: z}\n---\n"),
        ("---\n{b: c}\n---\n", "---\n{b: c, a: z}\n---\n"),
        ("---\n  b: c\n...\n", "---\n  b: c\n  a: z\n...\n"),
        ("---\nb: |\n  x\n\n---\n", "---\nb: |\n  x\n\na: z\n---\n"),
        ("---\na:\n  z: y\n  # c\nb: c\n---\n", "---\na: z\nb: c\n---\n"),
        ("---\na:\n  long text\n  of two lines\n---\n", "---\na:\n  z\n---\n"),
        ("---\na: |\n  x\n     \n\nb: c\n---\n", "---\na: |-\n  z\n\nb: c\n---\n"),
        ("---\na: !!str 5 # c\n---\n", "---\na: z # c\n---\n"),
    ],
)
def test_unusual_frontmatter(before: str, after: str) -> None:
    assert set_fields(before.encode(), {"a": "z"}) == after.encode()
