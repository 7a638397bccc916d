from __future__ import annotations

import collections
import dataclasses
import decimal
import enum
import json
import uuid
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fingerpost.tools.plain import plain, to_json

LONE = ("k\udfff", "k\ud800")


@dataclasses.dataclass
class Row:
    id: str
    at: date


class Pair(NamedTuple):
    left: int
    right: int


class Color(enum.Enum):
    RED = "red"


class Model:
    def model_dump(self) -> dict[str, Any]:
        return {"a": 1}


class Silent:
    def __str__(self) -> str:
        raise RuntimeError("no")


class Opaque:
    pass


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (date(2026, 9, 23), "2026-09-23"),
        (datetime(2026, 6, 25, 9, tzinfo=UTC), "2026-06-25T09:00:00+00:00"),
        (timedelta(days=1), "1 day, 0:00:00"),
        ({date(2026, 1, 1): 1, 2: "b", None: 0, True: 3}, {"2026-01-01": 1, "2": "b", "null": 0, "true": 3}),
        ({None: 1, "null": 5}, {"null (2)": 1, "null": 5}),
        ({"null": 5, None: 1, "null (2)": 7}, {"null": 5, "null (3)": 1, "null (2)": 7}),
        ({1: "a", "1": "b", 1.5: "c"}, {"1 (2)": "a", "1": "b", "1.5": "c"}),
        (
            {LONE[0]: 1, "k\ufffd": 2, LONE[1]: 3},
            {"k\ufffd (2)": 1, "k\ufffd": 2, "k\ufffd (3)": 3},
        ),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        (frozenset({2, 1}), [1, 2]),
        (float("nan"), None),
        (float("-inf"), None),
        (decimal.Decimal("1.10"), "1.10"),
        (Path("a/b"), "a/b"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (b"text", "text"),
        (b"\xff\x00", "/wA="),
        (Row("x", date(2026, 1, 1)), {"id": "x", "at": "2026-01-01"}),
        (Pair(1, 2), {"left": 1, "right": 2}),
        (Color.RED, "red"),
        (Model(), {"a": 1}),
        (Silent(), "<Silent>"),
        ("a\ud800b", "a\ufffdb"),
        ({"k\udfff": 1}, {"k\ufffd": 1}),
        (range(3), [0, 1, 2]),
        ((number for number in (1, 2)), [1, 2]),
        (collections.deque([1]), [1]),
        (ValueError("x"), "x"),
    ],
)
def test_every_value_has_a_plain_form(value: Any, data: Any) -> None:
    converted = plain(value)
    assert converted == data
    assert json.loads(to_json(converted)) == data


def test_an_object_without_a_text_of_its_own_is_named_without_its_address() -> None:
    assert plain(Opaque()) == plain(Opaque())
    assert "0x" not in plain(Opaque())


def test_a_number_too_long_to_print_is_described() -> None:
    assert plain(10**5000) == "(a whole number of 16610 bits)"
    assert plain({10**5000: 1}) == {"<int>": 1}


def test_keys_of_one_text_are_all_kept_and_numbered() -> None:
    converted = plain({Opaque(): number for number in range(20_000)})
    assert list(converted.values()) == list(range(20_000))
    assert list(converted)[1].endswith("Opaque object> (2)")


def test_a_value_within_itself_ends() -> None:
    loop: dict[str, Any] = {"a": []}
    loop["a"].append(loop)
    assert plain(loop) == {"a": ["(contains itself)"]}


def test_the_same_value_twice_is_no_cycle() -> None:
    shared = [1]
    assert plain([shared, shared]) == [[1], [1]]


def test_deep_nesting_ends() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert to_json(plain(deep)) == "[" * 48 + '"(nested too deeply)"' + "]" * 48


def test_shared_values_do_not_multiply_without_end() -> None:
    bomb: Any = ["x"]
    for _ in range(40):
        bomb = [bomb, bomb]
    assert "(more elements were left out)" in to_json(plain(bomb))
