"""Arguments that are objects of declared members: shown with them, and built of what a model sends."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, NamedTuple, Optional

import pydantic
import pytest

from fingerpost import ConfigError, Tool
from fingerpost.tools import Between


class Size(NamedTuple):
    width: int
    height: int = 1


class Person(pydantic.BaseModel):
    name: str = pydantic.Field(description="Full name.")
    age: Annotated[int, pydantic.Field(ge=0, lt=150)] = 0
    nick_name: Optional[str] = pydantic.Field(default=None, alias="nickName")
    size: Optional[Size] = None


@dataclasses.dataclass
class Order:
    buyer: Person
    amount: Annotated[int, Between(1, 9), "How many."] = 1


class Even(pydantic.BaseModel):
    number: int

    @pydantic.field_validator("number")
    @classmethod
    def must_be_even(cls, number: int) -> int:
        if number % 2:
            raise ValueError("odd")
        return number


def order(order: Order, others: Optional[list[Person]] = None) -> str:
    """Take an order."""
    return f"{order!r} {others!r}"


PERSON: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "Full name."},
        "age": {"type": "integer", "minimum": 0, "maximum": 149},
        "nickName": {"type": "string"},
        "size": {
            "type": "object",
            "properties": {"width": {"type": "integer"}, "height": {"type": "integer"}},
            "required": ["width"],
        },
    },
    "required": ["name"],
}


def test_a_model_a_dataclass_and_a_named_tuple_are_shown_with_their_members() -> None:
    properties = Tool.of(order).schema["properties"]
    amount = {"type": "integer", "minimum": 1, "maximum": 9, "description": "How many."}
    assert properties["order"]["properties"] == {"buyer": PERSON, "amount": amount}
    assert properties["others"] == {"type": "array", "items": PERSON}


def test_the_function_gets_instances() -> None:
    ada = {"name": "Ada", "age": "36", "nickName": "A", "size": {"width": "2"}}
    answer = Tool.of(order).call({"order": {"buyer": ada, "amount": 99}, "others": ada})
    person = Person(name="Ada", age=36, nickName="A", size=Size(2, 1))
    assert answer.data == f"{Order(person, 9)!r} {[person]!r}"


def test_what_a_model_refuses_is_refused_by_name() -> None:
    def halve(even: Even) -> int:
        """Halve."""
        return even.number // 2

    halving = Tool.of(halve)
    assert halving.call({"even": {"number": 4}}).data == 2
    assert halving.call({"even": {"number": 3}}).data["error"].startswith('The argument "even" takes')


def test_descriptions_and_bounds_of_a_field_hold() -> None:
    def pick(
        first: Annotated[int, pydantic.Field(description="A number.", ge=1, le=5)],
        second: Annotated[float, pydantic.Field(le=0.5)] = 0.1,
        third: Annotated[Annotated[int, Between(low=2)], pydantic.Field(lt=10)] = 3,
    ) -> str:
        """Pick."""
        return f"{first} {second} {third}"

    properties = Tool.of(pick).schema["properties"]
    assert properties["first"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
        "description": "A number.",
    }
    assert properties["second"] == {"type": "number", "maximum": 0.5, "default": 0.1}
    assert properties["third"] == {"type": "integer", "minimum": 2, "maximum": 9, "default": 3}
    assert Tool.of(pick).call({"first": 9, "second": 2, "third": 99}).data == "5 0.5 9"


def test_a_field_as_a_default_is_refused_with_the_way_to_write_it() -> None:
    def pick(limit: int = pydantic.Field(3, ge=1)) -> int:
        """Pick."""
        return limit

    with pytest.raises(ConfigError, match=r"write `limit: Annotated\[\.\.\., Field\(\.\.\.\)\] = default`"):
        Tool.of(pick)
