"""The YAML reader: everything stays text, nothing gets large, nothing raises."""

import json
import time
import tracemalloc

import pytest

from fingerpost.okf.frontmatter import Frontmatter, parse
from fingerpost.records import Finding


def fields(block: str) -> Frontmatter:
    frontmatter, findings = parse(block, 2)
    assert findings == ()
    assert frontmatter is not None
    return frontmatter


def refused(block: str) -> Finding:
    frontmatter, findings = parse(block, 2)
    assert frontmatter is None
    assert len(findings) == 1
    return findings[0]


@pytest.mark.parametrize(
    "written",
    [
        "NO", "no", "on", "yes", "0755", "1.10", "2026-13-45", "2026-09-23", "10:30", "1e3", "0x1F", ".inf",
        "True", "2026-06-25T09:00:00Z", "nUll", "1_000", "=", "<<", "١٢٣", "9" * 5000,
    ],
)  # fmt: skip
def test_plain_scalars_stay_what_was_typed(written: str) -> None:
    assert fields(f"a: {written}\nb: [{written}]\n").values == {"a": written, "b": [written]}


def test_keys_stay_what_was_typed() -> None:
    assert fields("on: x\n2026-01-01: y\nnull: z\n5: {no: 1}\n").values == {
        "on": "x",
        "2026-01-01": "y",
        "null": "z",
        "5": {"no": "1"},
    }


def test_only_a_plain_null_is_none() -> None:
    block = "a: null\nb: ~\nc:\nd: Null\ne: NULL\nf: 'null'\ng: \"~\"\nh: ''\ni: !!null null\nj: |\n  null\n"
    assert fields(block).values == {
        "a": None,
        "b": None,
        "c": None,
        "d": None,
        "e": None,
        "f": "null",
        "g": "~",
        "h": "",
        "i": "null",
        "j": "null\n",
    }


def test_tags_are_read_over() -> None:
    block = "a: !!timestamp 2001-12-15T02:59:43.1Z\nb: !!binary SGVsbG8=\nc: !!set {x: null}\nd: !own [1]\n"
    values = {"a": "2001-12-15T02:59:43.1Z", "b": "SGVsbG8=", "c": {"x": None}, "d": ["1"]}
    assert fields(block).values == values


def test_a_python_tag_makes_no_object() -> None:
    assert fields("a: !!python/object/apply:os.system [ls]\n").values == {"a": ["ls"]}


def test_odd_line_separators_do_not_end_a_line() -> None:
    frontmatter = fields("title: one\x85two\u2028three\u2029four\nb: c\n")
    assert frontmatter.values == {"title": "one\x85two\u2028three\u2029four", "b": "c"}
    assert frontmatter.position("b") == (3, 1)


def test_positions_are_those_of_keys_and_entries_in_the_file() -> None:
    frontmatter = fields("type: x\nsources:\n  - id: a\n    resource: b\n  - {id: ü, resource: d}\n")
    assert frontmatter.position("type") == (2, 1)
    assert frontmatter.position("sources", 0) == (4, 5)
    assert frontmatter.position("sources", 0, "resource") == (5, 5)
    assert frontmatter.position("sources", 1, "resource") == (6, 13)
    assert frontmatter.position("sources", 1, "absent") == (6, 5)
    assert frontmatter.position("absent") == (1, 1)


def test_the_last_of_two_equal_keys_counts_and_both_lines_are_named() -> None:
    frontmatter, findings = parse("type: Policy\na: 1\ntype: Draft\nb: {c: 1, c: 2}\n", 2)
    assert frontmatter is not None
    assert frontmatter.values == {"type": "Draft", "a": "1", "b": {"c": "2"}}
    assert [(found.code, found.line, found.column) for found in findings] == [
        ("OKF108", 4, 1),
        ("OKF108", 5, 11),
    ]
    assert "`type` stands on line 2 and again on line 4" in findings[0].reason
    assert "`b.c`" in findings[1].reason


def test_aliases_are_followed() -> None:
    assert fields("a: &x {b: [1]}\nc: *x\nd: [*x, &y z, *y]\n*y : e\n").values == {
        "a": {"b": ["1"]},
        "c": {"b": ["1"]},
        "d": [{"b": ["1"]}, "z", "z"],
        "z": "e",
    }


def test_a_merge_key_is_an_ordinary_key() -> None:
    assert fields("a: &x {type: Policy}\n<<: *x\n").values == {
        "a": {"type": "Policy"},
        "<<": {"type": "Policy"},
    }


def test_an_alias_without_anchor_is_refused_where_it_stands() -> None:
    found = refused("a: b\ntitle: *Wichtig\n")
    assert (found.code, found.line, found.column) == ("OKF103", 3, 8)
    assert "&Wichtig" in found.reason


@pytest.mark.parametrize("block", ["a: &x [*x]\n", "a: &x {b: *x}\n", "a: &x\n  - [1, {c: *x}]\n"])
def test_a_cycle_is_refused(block: str) -> None:
    assert refused(block).code == "OKF106"


def test_billion_laughs_are_refused_at_once_and_in_little_memory() -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    tracemalloc.start()
    begun = time.perf_counter()
    found = refused("\n".join(rows))
    taken = time.perf_counter() - begun
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.code == "OKF106"
    assert taken < 5
    assert peak < 8_000_000


def test_values_repeated_by_aliases_are_counted() -> None:
    assert refused(f"a: &a [{'1,' * 2000}]\nb: [{'*a,' * 10}]\n").code == "OKF106"
    assert len(fields(f"a: &a [{'1,' * 2000}]\nb: [{'*a,' * 8}]\n").values["b"] or "") == 8


def test_a_long_text_repeated_by_aliases_is_refused() -> None:
    block = f"a: &a {'x' * 30_000}\nb: [{', '.join(['*a'] * 500)}]\n"
    assert refused(block).code == "OKF106"


def test_depth_built_by_aliases_is_counted() -> None:
    rows = ["a0: &a0 " + "[" * 30 + "x" + "]" * 30]
    rows += [f"a{n}: &a{n} {'[' * 20}*a{n - 1}{']' * 20}" for n in range(1, 4)]
    assert refused("\n".join(rows)).code == "OKF106"


@pytest.mark.parametrize(
    "block",
    ["[" * 3000, "a: " + "[ " * 3000, "a: " + "{b: " * 3000, "\n".join(" " * n + "a:" for n in range(200))],
)
def test_deep_nesting_is_refused(block: str) -> None:
    assert refused(block).code == "OKF106"


def test_nesting_within_the_cap_is_read() -> None:
    frontmatter = fields("a: " + "[" * 63 + "x" + "]" * 63)
    assert json.dumps(frontmatter.values) == '{"a": ' + "[" * 63 + '"x"' + "]" * 63 + "}"


def test_a_block_beyond_the_cap_is_refused_by_bytes() -> None:
    assert refused("a: " + "x" * 66_000).code == "OKF106"
    assert refused("a: " + "ä" * 33_000).code == "OKF106"
    assert fields("a: " + "x" * 65_000).values["a"] == "x" * 65_000


def test_many_nodes_are_refused() -> None:
    assert refused("a: [" + "1," * 20_001 + "]").code == "OKF106"


@pytest.mark.parametrize(
    ("block", "line", "column", "named"),
    [
        ("title: *Italic*\n", 2, 8, "`title` starts with *"),
        ("tags:\n  - [[wiki]]suffix\n", 3, 13, "`tags[0]` starts with ["),
        ("type: [concept\ntitle: Invalid YAML\n", 2, 7, "`type` starts with ["),
        ("a: b\ndate: {{date}}\n", 3, 8, "In `date`, a mapping stands where a key has to be text"),
        ("? [a, b]\n: c\n", 2, 3, "A list stands where a key has to be text"),
        ("owner: @team\n", 2, 8, "`owner` starts with @"),
        ("code: `x`\n", 2, 7, "`code` starts with `"),
        ("rate: %5\n", 2, 7, "`rate` starts with %"),
        ('title: "abc\nb: c\n', 2, 8, "`title` starts with a double quote"),
        ("title: 'it's'\n", 2, 12, "`title` starts with a single quote"),
        ('path: "C:\\users"\n', 2, 12, "a backslash within double quotes"),
        ("type: x\nNotes go here\ntitle: y\n", 3, 1, "no `key: value` line"),
        ("a:b\nc: d\n", 2, 1, "no `key: value` line"),
        ("type: x\n title: y\n", 3, 7, "`title`, a colon stands where YAML expects none"),
        ("type: x\n\tb: c\n", 3, 1, "a tab indents this line"),
        ("a: b\ntitle: x\x00y\n", 3, 9, "U+0000 in `title`"),
        ("a: b\n--- c\n", 3, 1, "second YAML document"),
        ("a: !x!y z\n", 2, 4, "`a` starts with !"),
    ],
)  # fmt: skip
def test_yaml_faults_name_place_and_field(block: str, line: int, column: int, named: str) -> None:
    found = refused(block)
    assert (found.code, found.line, found.column) == ("OKF103", line, column)
    assert named in found.reason


def test_a_tab_after_a_colon_is_read_and_reported() -> None:
    frontmatter, findings = parse("type: x\na:\tb\nc: |\n  d:\te\n", 2)
    assert frontmatter is not None
    assert frontmatter.values == {"type": "x", "a": "b", "c": "d:\te\n"}
    assert [(found.code, found.line, found.column) for found in findings] == [("OKF103", 3, 3)]
    assert findings[0].cure == "Replace the tab by a blank."


@pytest.mark.parametrize(
    ("block", "kind"), [("- a\n", "a list"), ("only text\n", "a text"), ("[resource: x]", "a list")]
)
def test_what_is_no_mapping_is_named(block: str, kind: str) -> None:
    found = refused(block)
    assert found.code == "OKF105"
    assert kind in found.reason


@pytest.mark.parametrize("block", ["", "\n", "# nothing\n", "~\n"])
def test_an_empty_block_is_an_empty_mapping(block: str) -> None:
    assert fields(block).values == {}


@pytest.mark.parametrize(
    ("block", "values", "places"),
    [
        ("description: Note: see below\n", {"description": "Note: see below"}, [(2, 14, "`description`")]),
        ("path: C:\\a: b\n", {"path": "C:\\a: b"}, [(2, 7, "`path`")]),
        ("title: Ends with:\nb: c\n", {"title": "Ends with:", "b": "c"}, [(2, 8, "`title`")]),
        ('title: It\'s: "so" # why: not\n', {"title": 'It\'s: "so"'}, [(2, 8, "`title`")]),
        ('title: "Refund" policy: how\n', {"title": '"Refund" policy: how'}, [(2, 8, "`title`")]),
        (
            "type: x\nmeta:\n  note: a: b\n  ok: c\ntitle: d: e: f\n",
            {"type": "x", "meta": {"note": "a: b", "ok": "c"}, "title": "d: e: f"},
            [(4, 9, "`meta.note`"), (6, 8, "`title`")],
        ),
        (
            "sources:\n  - resource: r\n    title: A: B\n  - title: C: D\n",
            {"sources": [{"resource": "r", "title": "A: B"}, {"title": "C: D"}]},
            [(4, 12, "`sources[0].title`"), (5, 12, "`sources[1].title`")],
        ),
        ("l:\n- a: b: c\n", {"l": [{"a": "b: c"}]}, [(3, 6, "`l[0].a`")]),
        (
            "d: One line\n  and good for: style\n  to the end\ne: f\n",
            {"d": "One line and good for: style to the end", "e": "f"},
            [(2, 4, "`d`")],
        ),
        ("a: b: c\r\nd: e: f\r\n", {"a": "b: c", "d": "e: f"}, [(2, 4, "`a`"), (3, 4, "`d`")]),
    ],
)
def test_an_unquoted_colon_is_read_and_reported(
    block: str, values: dict[str, object], places: list[tuple[int, int, str]]
) -> None:
    frontmatter, findings = parse(block, 2)
    assert frontmatter is not None
    assert frontmatter.values == values
    assert [(found.code, found.line, found.column) for found in findings] == [
        ("OKF104", *at[:2]) for at in places
    ]
    for found, (_, _, name) in zip(findings, places, strict=True):
        assert name in found.reason


def test_a_mapping_below_a_value_with_a_colon_is_never_taken_for_text() -> None:
    assert refused("verified: see: below\n  by: human:a\n").code == "OKF103"


def test_what_quoting_cannot_mend_is_reported_after_what_it_can() -> None:
    frontmatter, findings = parse("a: b: c\nd: *It*\n", 2)
    assert frontmatter is None
    assert [(found.code, found.line, found.column) for found in findings] == [
        ("OKF104", 2, 4),
        ("OKF103", 3, 4),
    ]


def test_many_unquoted_colons_in_a_large_block_end_soon() -> None:
    begun = time.perf_counter()
    _, findings = parse("".join(f"k{n}: a: b {'x' * 60}\n" for n in range(800)), 2)
    assert time.perf_counter() - begun < 20
    assert findings[-1].code == "OKF103"


@pytest.mark.parametrize(
    "block",
    [
        "a: b: c" + " " * 60_000 + "d\n",
        " " * 60_000 + "x\na: b: c\n",
        "a" * 60_000 + ":\tb\n",
        '"' * 60_000 + "\t:",
    ],
)
def test_long_runs_do_not_blow_up(block: str) -> None:
    begun = time.perf_counter()
    parse(block, 2)
    assert time.perf_counter() - begun < 10
