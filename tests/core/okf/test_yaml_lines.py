"""The quick readers of usual frontmatter: what they take, they read as the YAML parser does."""

import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fingerpost.okf.frontmatter import split
from fingerpost.okf.yaml_lines import CHARACTERS_CAP, read_lines
from fingerpost.okf.yaml_plain import is_unclosed, read_plain
from fingerpost.okf.yaml_repair import read_mended
from fingerpost.okf.yaml_text import read_tree

_USUAL = """
x|Policy|a b  c|null|~|"q"|'it''s'|""|"a: b # c"|http://x/y?z=1#k|a:b|2026-01-01|[a, b]|{ by: human:a, at: 1 }
"""
_ODD = """
Null|'s'|''|
a :b|a#b|a #b|-5|- x|2026-01-01T10:00:00Z|10:30|?x|:x|[a, b]|[]|{}|[ ]|[a,b]|
[a, "b c", 'd']|[a b , c ]|[a, ]|[,a]|[a: b]|[a:b]|[http://x/y, b]|[a?b]|
{ by: human:a@b, at: 2026-01-01 }|{a: b, a: c}|{a: [b]}|{a: }|{a}|{"a": b}|{a:b}|
{a: "b", c: 'd'}|[a#b]|[a #b]|[it's]|["a"b]|["a":b]|["a]b"]|"a" b|"a" # c|x: y|x:|&a x|
*a|!x y|> |%x|@x|`x`|x, y|x] y|(x)|=|<b>|...|---|é ü|中文|日本\u3000語|\xa0x|x\u200b|x\x85y|
x\u2028y|\ufeffx|x\ud7fby|x\x00y|"a\\nb"|'x|"x|~x|null x|true|\t|x\ty|x y:z|
[null, ~, "null"]|{a: null}|[a,b|[[a]]|[{a: b}]|$x|+x
"""
VALUES = st.sampled_from([*_USUAL.strip().split("|") * 30, *_ODD.replace("\n", "").split("|")])
KEYS = st.sampled_from(
    [*map("k{}".format, range(80)), "type", "a_b", "x-y", "a.b", "größe", "null", "5", "<<"]
)
INDENTS = st.sampled_from(["", "  ", "  ", "    ", " ", "   "])
MARKS = st.sampled_from(["", "", "", "- ", "- ", "-  ", "-", "- - ", "# ", "? "])
LINES = st.one_of(
    st.builds("{}{}{}: {}".format, INDENTS, MARKS, KEYS, VALUES),
    st.builds("{}{}{}:".format, INDENTS, MARKS, KEYS),
    st.builds("{}{}{}".format, INDENTS, MARKS, VALUES),
    st.sampled_from(["", "  ", "# c", "  # c: d", "key: value"]),
)
ENTRIES = st.one_of(
    st.builds("{}: {}\n".format, KEYS, VALUES),
    st.builds("{0}:\n{1}- {2}\n{1}- {3}\n".format, KEYS, INDENTS, VALUES, VALUES),
    st.builds("{0}:\n{1}- {2}: {3}\n{1}  {4}: {5}\n".format, KEYS, INDENTS, KEYS, VALUES, KEYS, VALUES),
    st.builds("{0}:\n{1}{2}: {3}\n{1}{4}: {5}\n".format, KEYS, INDENTS, KEYS, VALUES, KEYS, VALUES),
    st.builds("{}: {}\n  {}\n".format, KEYS, VALUES, VALUES),
)
BLOCKS = st.one_of(
    st.lists(ENTRIES, max_size=4).map("".join),
    st.lists(ENTRIES, max_size=4).map("".join),
    st.lists(LINES, max_size=8).map("\n".join),
    st.lists(LINES, max_size=8).map("\r\n".join),
)


def assert_read_as_by_the_parser(block: str) -> bool:
    """Whether the block was taken; if so, its order of keys and places is that of the parser, too."""
    quick, plain = read_lines(block, 2), read_plain(block)
    if quick is None:
        assert plain is None
        return False
    assert plain is None or repr(plain) == repr(quick.value)
    parsed = read_tree(block, 2)
    assert quick == parsed
    assert list(quick.positions) == list(parsed.positions)
    assert repr(quick.value) == repr(parsed.value)
    return True


@settings(max_examples=1500, deadline=None)
@given(BLOCKS)
@example("a:\n- b: c\n  d:\n  - e\nf: g\n")
@example("a:\n  - b:\n      c: d\n    e: f\n  - g\n")
@example("a: b\n  c\n\n  d\n")
@example("a: null\n  b\n")
@example("a: b # c\n  d\n")
@example("a: ~\n  b: c\n")
@example("a:\n- b\n c\n")
@example("a:\n - b\n- c\n")
@example("a:\n- \n- b\n")
@example("a: ['b' , c]\nd: { e: \"f\"  , g: h }\n")
@example("a: [b , c]\n")
@example("a: { b: c , d: e }\n")
@example("a: { b: c, b: d }\n")
@example("a: [b, null, ~]\n")
@example("a:\n  - null\n  - b\n")
@example("a:\n  b: ~\n")
@example("a:\n  - 'it''s'\n  - \"b: c\"\n")
@example("a:\n  - b: 'c: d'\n    e: f: g\n")
@example("a:\n  - { b: c }\n  - d\n")
@example("a: b\na: c\n")
@example("a: b \n")
@example("a:\n  b: c\n   d\n")
def test_what_is_taken_is_read_as_by_the_parser(block: str) -> None:
    assert_read_as_by_the_parser(block)


def test_the_frontmatter_of_the_public_bundles_is_read_as_by_the_parser(corpus: Path) -> None:
    blocks = [split(path.read_bytes().decode("utf-8", "replace")).block for path in corpus.rglob("*.md")]
    taken = [assert_read_as_by_the_parser(block) for block in blocks if block]
    assert sum(taken) > 0.9 * len(taken)
    assert sum(read_plain(block) is not None for block in blocks if block) > 0.85 * len(taken)


@pytest.mark.parametrize(
    "block",
    [
        "type: Policy\ntitle: 'It''s'\ntags: [a, \"b c\", null]\ndescription: one\n  two\n# note\nempty:\n",
        "generated: { by: human:a@b, at: 2026-01-01T10:00Z }\nverified:\n  - { by: a/1, at: 2026-01-01 }\n",
        "sources:\n- id: a\n  resource: https://a.b/c?d=e#f\n\n- id: b\n  usage_window:\n    from: 2026\n",
        "a:\r\n  b: c\r\n  d:\r\n    - e\r\nf: g",
    ],
)
def test_the_usual_spellings_are_taken(block: str) -> None:
    assert assert_read_as_by_the_parser(block)


@pytest.mark.parametrize(
    ("block", "values"),
    [
        ("type: Policy\ntitle: 'It''s'\nnone: null\nempty:\n",
         {"type": "Policy", "title": "It's", "none": None, "empty": None}),
        ("a: [b c, d:e]\nf: { g: human:h, i: j }\n", {"a": ["b c", "d:e"], "f": {"g": "human:h", "i": "j"}}),
        ("a:\n- b\n- 'c: d'\ne:\n  - f\n", {"a": ["b", "c: d"], "e": ["f"]}),
        ("a:\n  - { b: c, d: e }\n  - {f: g}\n", {"a": [{"b": "c", "d": "e"}, {"f": "g"}]}),
        ('a:\n  - b: c\n    d: "e"\n  - f: g\n', {"a": [{"b": "c", "d": "e"}, {"f": "g"}]}),
        ("a:\n    b: c\n    d: 'e'\nf: größe\n", {"a": {"b": "c", "d": "e"}, "f": "größe"}),
    ],
)  # fmt: skip
def test_the_plainest_spellings_are_read_at_once(block: str, values: dict[str, object]) -> None:
    assert read_plain(block) == values
    assert assert_read_as_by_the_parser(block)


@settings(max_examples=1500, deadline=None)
@given(st.one_of(BLOCKS, st.tuples(BLOCKS, KEYS, VALUES).map("{0[0]}{0[1]}: [{0[2]}\nz: y\n".format)))
@example("a: [b\nc: d\n")
@example("a: b\nc: {d: e\n")
@example('a: "b"\nc: ["d\n')
@example("a: b\n  c: [d\n")
@example("a: [b]\n")
@example("a: 'b: [c\n'\n")
@example("a: |\n  b\nc: [d\n")
def test_a_bracket_that_nothing_closes_is_refused_by_the_parser(block: str) -> None:
    if is_unclosed(block):
        assert read_mended(block, 2)[0] is None


def test_unclosed_brackets_are_known_without_the_parser() -> None:
    assert is_unclosed('type: Policy\ntitle: ["Refunds"\ntags:\n  - a\n')
    assert is_unclosed("type: {a: b\n")
    assert not is_unclosed("type: [a]\n")
    assert not is_unclosed("type: Policy\ntags:\n  - [a\n")


@pytest.mark.parametrize(
    "block",
    [
        "a: b\n  c\n", "a: b\n\nc: d\n", "# a\nb: c\n", "a: b", "a: b \n", "a:  b\n", "a: [b , c]\n",
        "a: ['b']\n",
        "a: [b, null]\n", "a: { b: ~ }\n", "a: []\n", "a:\n  - null\n", "a:\n  b: null\n",
        "a:\n  b:\n    c: d\n",
        "a:\n  - b\n  - c: d\n", "a: b\na: c\n", "a:\n  b: c\n  b: d\n", "a:\r\n  b: c\r\n",
    ],
)  # fmt: skip
def test_less_plain_spellings_are_left_to_the_other_readers(block: str) -> None:
    assert read_plain(block) is None


@pytest.mark.parametrize(
    "block",
    [
        "", "# nothing\n", "only text\n", "- a\n", "a: b: c\n", "a: |\n  b\n", "a: &x b\nc: *x\n",
        "a: !t b\n",
        "a: b\na: c\n", "a: {b: c, b: d}\n", "a:\tb\n", '"a": b\n', 'a: "b\\n"\n', "a: [b, [c]]\n", "a: [b\n",
        "a: b # c\n", " a: b\n", "a: b\n c: d\n", "a:\n  b\n", "a: x\x85y\n", "a: x\ufeff\n", "a: b\rc: d\r",
        "a: x\ud800\n", "a: [b]\n  c\n", "a:\n-\n", f"a: {'x' * CHARACTERS_CAP}\n",
    ],
)  # fmt: skip
def test_any_other_spelling_is_left_to_the_parser(block: str) -> None:
    assert read_lines(block, 2) is None


@pytest.mark.parametrize(
    "piece",
    ["a", "a: ", "- ", "[", "[a, ", "a,", "{a: b, ", "'", '"', ":", "#", " ", " #", "a:", "\n", "a: b\n"],
)
def test_no_block_takes_long(piece: str) -> None:
    begun = time.perf_counter()
    for before in ("", "a: ", "a: [", "a:\n  - b: {"):
        block = before + piece * ((CHARACTERS_CAP - len(before) - 1) // len(piece))
        read_lines(block, 2)
        read_lines(f"{block}]", 2)
        read_plain(f"{block}\n")
        read_plain(f"{block}]\n")
    assert time.perf_counter() - begun < 20
