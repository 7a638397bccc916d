from __future__ import annotations

import datetime
import enum
import functools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fingerpost.tools import Between, Cut, Tool

BUDGET = 2_000


class Tier(enum.Enum):
    LOW = "low"
    HIGH = "high"


class Row(TypedDict):
    id: str
    weight: float


@dataclass
class Point:
    x: int
    y: Optional[Point] = None


def echo(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def scalars(text: str, number: int = 1, ratio: float = 0.5, flag: bool = False) -> Any:
    return echo(text=text, number=number, ratio=ratio, flag=flag)


def lists(tags: list[str], numbers: list[int] | None = None, pairs: list[list[str]] | None = None) -> Any:
    return echo(tags=tags, numbers=numbers, pairs=pairs)


def choices(mode: Literal["fast", "full", 3], tier: Tier = Tier.LOW, tiers: set[Tier] | None = None) -> Any:
    return echo(mode=mode, tier=tier, tiers=tiers)


def objects(
    row: Row, point: Point | None = None, mapping: dict[str, int] | None = None, free: Any = None
) -> Any:
    return echo(row=row, point=point, mapping=mapping, free=free)


def texts(
    day: datetime.date | None = None, path: Path = Path(), either: Union[int, list[str], None] = None
) -> Any:
    return echo(day=day, path=path, either=either)


def bounded(limit: Annotated[int, Between(1, 100)], ratio: Annotated[float, Between(0, 1)] = 0.5) -> str:
    return f"{limit} {ratio}"


def anything(value: Any) -> Any:
    return value


def nothing() -> list[int]:
    return list(range(1_000))


FUNCTIONS = [
    scalars,
    lists,
    choices,
    objects,
    texts,
    bounded,
    anything,
    nothing,
    functools.partial(scalars, number=2),
]
TOOLS = [Tool.build(function, max_chars=BUDGET, cuts=(Cut("text", "Ask again."),)) for function in FUNCTIONS]
WRAPPERS = ["arguments", "args", "raw", "input", "properties", "value", "type", "Text", "conceptId"]
NAMES = sorted({parameter.name for made in TOOLS for parameter in made.parameters}) + WRAPPERS
WORDS = [
    "",
    "null",
    "None",
    "true",
    "off",
    "2",
    "2.0",
    "1e3",
    "9" * 5000,
    "[",
    '["a"]',
    '{"a": 1}',
    "low",
    "\ud800",
    "\x00",
]

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=40)
    | st.sampled_from(WORDS)
    | st.just(10**400)
    | st.just("x" * 50_000)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(NAMES) | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5)
SENT = OBJECTS | VALUES | OBJECTS.map(json.dumps)


@pytest.mark.parametrize("made", TOOLS, ids=lambda made: made.name)
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(sent=SENT)
def test_whatever_is_sent_there_is_an_answer_within_the_budget(made: Tool, sent: Any) -> None:
    result = made.call(sent)
    text = made.invoke(sent)
    assert text == result.text, "equal calls get equal answers"
    assert len(text) <= BUDGET
    assert text.encode().decode() == text
    assert "failed with" not in text, "no argument reaches a function that cannot take it"
    if not isinstance(result.data, str):
        assert json.loads(text) == result.data
    if result.is_error:
        assert next(iter(result.data)) == "error"


class Trap:
    """An object whose every use fails."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__

    def __bool__(self) -> bool:
        raise RuntimeError

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __hash__(self) -> int:
        return 1


@pytest.mark.parametrize("made", TOOLS, ids=lambda made: made.name)
@pytest.mark.parametrize("name", ["text", "tags", "mode", "row", "path", "limit", "value", "raw"])
def test_not_even_a_hostile_python_object_raises(made: Tool, name: str) -> None:
    for sent in (Trap(), {name: Trap()}, {name: [Trap()]}, {Trap(): 1}):
        text = made.call(sent).text  # pyright: ignore[reportArgumentType]
        assert len(text.encode()) <= BUDGET * 4
