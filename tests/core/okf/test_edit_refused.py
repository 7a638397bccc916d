"""What is not changed, and what is said of it."""

from __future__ import annotations

import time

import pytest

from fingerpost.errors import ConceptError
from fingerpost.okf.edit import GONE, Field, set_fields
from fingerpost.okf.yaml_text import BYTES_CAP, Value
from tests.core.okf.written import values_of


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# only a body\n", "Line 1, column 1: Line 1 is not ---, so the file has no frontmatter."),
        (b"", "Line 1, column 1: The file is empty."),
        (b"---\n\nExample!\n\n---\n", "no mapping|is a text"),
        (b"---\ntype: x\n", "Line 1, column 1: Line 1 opens a frontmatter block, and no later line"),
        (b"---\ntags: [a\n---\n", r"Line 2, column 7: The value of `tags` starts with \["),
        (b"---\n- a\n---\n", "The frontmatter is a list"),
        (b"---\ntype: x\n---\n\xff\n", "Line 4, column 1: The byte FF is not UTF-8. Save the file as UTF-8."),
        ("---\ntype: x\n---\n".encode("utf-16"), "The file is UTF-16, not UTF-8."),
        (b"---\na: 1\na: 2\n---\n", "`a` stands twice in the frontmatter"),
        (b"---\na:\n  b: 1\n  b: 2\n---\n", "`a` holds a key that stands twice"),
        (b"---\na: &x b\nc: *x\n---\n", "`a` is tied to other fields by an anchor"),
        (b"---\nc: &x b\na: [*x]\n---\n", "`a` is tied to other fields by an anchor"),
        (b"---\n? a\n: b\n---\n", "The key `a` is written with a question mark before it"),
    ],
)
def test_a_file_or_a_field_that_cannot_be_changed(data: bytes, said: str) -> None:
    with pytest.raises(ConceptError, match=said):
        set_fields(data, {"a": "z"})


@pytest.mark.parametrize("data", [b"---\na: 1\na: 2\nb: c\n---\n", b"---\na: &x b\nc: *x\nb: c\n---\n"])
def test_what_stands_twice_or_is_tied_does_not_hinder_the_other_fields(data: bytes) -> None:
    assert set_fields(data, {"b": "z"}) == data.replace(b"b: c", b"b: z")
    assert set_fields(data, {"b": GONE}) == data.replace(b"b: c\n", b"")


def test_an_anchor_that_others_need_does_not_go() -> None:
    with pytest.raises(ConceptError, match="anchor"):
        set_fields(b"---\na: &x b\nc: *x\n---\n", {"a": GONE})
    with pytest.raises(ConceptError, match="merge key"):
        set_fields(b"---\n<<: {b: c}\n---\n", {"<<": GONE})


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("b", 3, "`b` holds a value of the type int: give it as a text."),
        ("b", [{"c": True}], "`b` holds a value of the type bool"),
        ("b", {1: "c"}, "`b` holds a value of the type int"),
        ("b", "\ud800", "`b` holds half of a character"),
        (("type", "c"), "d", "`type` is a text, not a mapping, so it has no `c`: set the whole of `type`."),
        ((), "d", "The field to be changed has no name"),
        ("b", "x" * BYTES_CAP, "The frontmatter has more than 65,536 bytes."),
        ("k" * 2000, "x", "The change was not made: "),
    ],
)
def test_a_value_that_cannot_be_written(field: Field, value: object, said: str) -> None:
    with pytest.raises(ConceptError, match=said):
        set_fields(b"---\ntype: x\n---\n", {field: value})  # pyright: ignore[reportArgumentType]


def test_nesting_has_an_end() -> None:
    deep: list[object] = []
    for _ in range(2000):
        deep = [deep]
    with pytest.raises(ConceptError, match="nested more than 64 deep"):
        set_fields(b"---\ntype: x\n---\n", {"b": deep})  # pyright: ignore[reportArgumentType]


def test_a_list_of_many_items_takes_no_time() -> None:
    tags = [f"tag {number}" for number in range(3000)]
    data = b"---\ntype: x\ntags:\n" + b"".join(f"- {tag}\n".encode() for tag in tags) + b"---\n"
    changed: list[Value] = [tag for tag in tags if not tag.endswith("7")]
    assert values_of(set_fields(data, {"tags": changed}))["tags"] == changed


def test_a_mapping_of_many_keys_takes_no_time() -> None:
    data = b"---\n" + b"".join(b"k%d: v\n" % number for number in range(5500)) + b"---\n"
    begun = time.perf_counter()
    assert set_fields(data, {"k7": "w"}) == data.replace(b"k7: v", b"k7: w")
    assert time.perf_counter() - begun < 2
