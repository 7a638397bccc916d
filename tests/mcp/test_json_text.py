"""A change to one member of a JSON text leaves every other byte as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost_mcp.install.json_text import put, take_out

ENTRY = {"command": "x", "args": ["ä"]}

TABBED = '{\n\t"other" : {"a": 1.0, "b": 1e5},\n\t"servers": {\n\t\t"x": {"c": "\\u00e9"}\n\t}\n}\n'


def test_a_new_member_comes_first_and_looks_like_its_neighbours() -> None:
    assert put(TABBED, ("servers", "new"), ENTRY) == (
        '{\n\t"other" : {"a": 1.0, "b": 1e5},\n\t"servers": {\n\t\t"new": {\n\t\t\t"command": "x",\n'
        '\t\t\t"args": [\n\t\t\t\t"ä"\n\t\t\t]\n\t\t},\n\t\t"x": {"c": "\\u00e9"}\n\t}\n}\n'
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{}", '{\n  "servers": {\n    "new": 1\n  }\n}'),
        ("{}\n", '{\n  "servers": {\n    "new": 1\n  }\n}\n'),
        ('{"a":2}', '{"servers": {"new": 1}, "a":2}'),
        ('{ "a": 2 }', '{ "servers": {"new": 1}, "a": 2 }'),
        ('{\n    "a": 2\n}', '{\n    "servers": {\n        "new": 1\n    },\n    "a": 2\n}'),
        ('{\r\n  "servers": {}\r\n}', '{\r\n  "servers": {\r\n    "new": 1\r\n  }\r\n}'),
        ('{"servers": {"new": {"old": 0}}, "new": 5}', '{"servers": {"new": 1}, "new": 5}'),
        ('{"servers": 3, "servers": {}}', '{"servers": 3, "servers": {\n  "new": 1\n}}'),
    ],
)
def test_a_member_is_set_in_texts_of_every_layout(text: str, expected: str) -> None:
    assert put(text, ("servers", "new"), 1) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"s": {"x": 1}}', '{"s": {}}'),
        ('{"s": {\n  "x": 1\n}}', '{"s": {}}'),
        ('{"s": {"x": 1, "y": 2}}', '{"s": {"y": 2}}'),
        ('{"s": {"y": 2, "x": 1}}', '{"s": {"y": 2}}'),
        ('{"s": {\n  "y": 2,\n  "x": 1,\n  "z": 3\n}}', '{"s": {\n  "y": 2,\n  "z": 3\n}}'),
    ],
)
def test_a_member_is_taken_out_with_its_comma(text: str, expected: str) -> None:
    assert take_out(text, ("s", "x")) == expected


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=4), VALUES, max_size=4)
LAYOUTS = st.sampled_from(
    [{"indent": 2}, {"indent": "\t"}, {}, {"separators": (",", ":")}, {"indent": 4, "ensure_ascii": False}]
)


@given(OBJECTS, OBJECTS, LAYOUTS, st.text(max_size=4), VALUES)
def test_any_text_is_changed_in_the_one_member_and_changed_back(
    data: dict[str, Any], servers: dict[str, Any], layout: dict[str, Any], name: str, value: Any
) -> None:
    before = {**data, "servers": servers}
    text = json.dumps(before, **layout)
    changed = put(text, ("servers", name), value)
    assert json.loads(changed) == {**before, "servers": {**servers, name: value}}
    back = take_out(changed, ("servers", name))
    without = {key: member for key, member in servers.items() if key != name}
    assert json.loads(back) == {**before, "servers": without}
    if servers and name not in servers:
        assert back == text
