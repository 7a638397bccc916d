"""What a cursor says of a store, and how two of them differ."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.stores import Cursor
from fingerpost.stores.cursor import difference, entries, signature_in, updated

NAME = st.sampled_from(["a", "b", "a.md", "1", "2", "1~", "~", "é.md", "x y"])
SIGNATURE = st.sampled_from(["1", "2", "3", "a", "a.md", "", "0x1", "é"])
LISTING = st.dictionaries(NAME, SIGNATURE)
PATH = st.lists(NAME, min_size=1, max_size=3).map("/".join)
STATE = st.dictionaries(PATH, st.one_of(SIGNATURE, SIGNATURE.map(lambda text: f"{text}~")), max_size=8)


def written(listing: dict[str, str]) -> str:
    return "".join(f"{name}\0{signature}\0" for name, signature in listing.items())


@given(state=STATE)
def test_a_cursor_answers_like_a_mapping_also_after_it_was_written_out_and_read_back(
    state: dict[str, str],
) -> None:
    cursor = Cursor.of(state.items())
    again = Cursor(json.loads(json.dumps(dict(cursor.parts))))
    for each in (cursor, again):
        assert sorted(each.paths()) == sorted(state)
        assert {path: each.signature(path) for path in state} == state
        assert len(each) == len(state)
        assert all(path in each for path in state)
    assert cursor == again
    assert [path in cursor for path in ("absent", "a/absent", "", 5)] == [False] * 4


def test_a_listing_is_names_and_signatures_ended_by_nul() -> None:
    cursor = Cursor.of([("x.md", "1"), ("a/y.md", "2"), ("a/z.md", "3")])
    assert dict(cursor.parts) == {"": "x.md\0001\0", "a": "y.md\0002\0z.md\0003\0"}


def test_cursors_are_equal_by_what_they_say_and_not_by_the_order_or_by_empty_folders() -> None:
    one = Cursor({"": "a\0001\0b\0002\0", "empty": ""})
    assert one == Cursor({"": "b\0002\0a\0001\0"})
    assert one != Cursor({"": "a\0001\0b\0003\0"})
    assert one != Cursor({"": "a\0001\0"})
    assert one != {"": "a\0001\0b\0002\0"}


def test_a_cursor_is_not_altered_with_what_it_was_made_of() -> None:
    parts = {"": "a\0001\0"}
    cursor = Cursor(parts)
    parts.clear()
    assert list(cursor.paths()) == ["a"]
    with pytest.raises(AttributeError):
        cursor.parts = {}  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError):
        hash(cursor)


def test_a_signature_that_holds_a_nul_stays_one_signature() -> None:
    one, other = Cursor.of([("a", "1\0002")]), Cursor.of([("a", "1\0003")])
    assert (len(one), list(one.paths())) == (1, ["a"])
    assert difference(one, other.parts).changed == {"a"}


@given(listing=LISTING, name=NAME)
def test_a_name_is_found_although_signatures_read_like_names(listing: dict[str, str], name: str) -> None:
    assert signature_in(written(listing), name) == listing.get(name)


@pytest.mark.parametrize("spliced", [False, True])
@given(listing=LISTING, news=st.dictionaries(NAME, st.none() | SIGNATURE, max_size=8))
def test_a_listing_is_updated_alike_whether_it_is_small_or_large(
    listing: dict[str, str], news: dict[str, str | None], spliced: bool
) -> None:
    many = {f"{number}": f"{number % 7}" for number in range(10, 6000)} if spliced else {}
    held = {**many, **listing}
    expected = {**held, **{name: at for name, at in news.items() if at is not None}}
    for name, at in news.items():
        if at is None:
            expected.pop(name, None)
    text = updated(written(held), news)
    assert entries(text) == expected
    assert text.count("\0") == 2 * len(expected)


@given(before=STATE, now=STATE)
def test_a_difference_is_what_a_comparison_of_all_signatures_finds(
    before: dict[str, str], now: dict[str, str]
) -> None:
    earlier = Cursor.of(before.items())
    found = difference(earlier, Cursor.of(reversed(now.items())).parts)
    assert found.changed == {path for path, at in now.items() if before.get(path) != at or at.endswith("~")}
    assert found.removed == before.keys() - now.keys()
    assert {path: found.cursor.signature(path) for path in found.cursor.paths()} == now
    if not found.changed and not found.removed:
        assert found.cursor is earlier


def test_listings_in_another_order_keep_their_text() -> None:
    before = Cursor({"": "a\0001\0b\0002\0", "x": "c\0001\0"})
    found = difference(before, {"": "b\0002\0a\0001\0", "x": "c\0002\0"})
    assert (found.changed, dict(found.cursor.parts)) == (
        {"x/c"},
        {"": "a\0001\0b\0002\0", "x": "c\0002\0"},
    )


def test_what_could_not_be_examined_is_neither_changed_nor_removed() -> None:
    before = Cursor.of(
        [("x", "1"), ("y", "2~"), ("locked/a", "1"), ("locked/deep/b", "1~"), ("locked-not/c", "1")]
    )
    found = difference(before, {"": "x\0002\0"}, {"y", "locked"})
    assert (found.changed, found.removed) == ({"x"}, {"locked-not/c"})
    assert found.cursor == Cursor.of([("x", "2"), ("y", "2~"), ("locked/a", "1"), ("locked/deep/b", "1~")])
