"""A parameter that a framework fills in by itself never becomes an argument that a model can send."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Optional, TypeVar

import pytest

from fingerpost import ConfigError, Tool, ToolContext
from fingerpost.tools import filled_by_host, hosts

T = TypeVar("T")


class Wrapper(Generic[T]):
    pass


class Injected:
    pass


class InjectedState(Injected):
    pass


class Tenant(ToolContext):
    pass


@pytest.fixture(autouse=True)
def a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "_FILLED", set[tuple[str, str]]())
    filled_by_host(__name__.partition(".")[0], "Wrapper")
    filled_by_host(__name__.partition(".")[0], "Injected")


def unresolved(wrapper: Any = None) -> str:
    """Use it."""
    return ""


unresolved.__annotations__["wrapper"] = "Optional[known_to_type_checkers.Wrapper[str]]"


def bare(wrapper: Wrapper[Any]) -> str:
    """Use it."""
    return ""


def optional(wrapper: Optional[Wrapper[str]] = None) -> str:
    """Use it."""
    return ""


def marked(user: Annotated[str, Injected] = "nobody") -> str:
    """Use it."""
    return ""


def marked_by_a_subclass(user: Annotated[str, "Who.", InjectedState()] = "nobody") -> str:
    """Use it."""
    return ""


@pytest.mark.parametrize("function", [unresolved, bare, optional, marked, marked_by_a_subclass])
def test_a_function_that_asks_a_host_for_something_is_refused_with_the_way_to_ask_for_it(
    function: Any,
) -> None:
    with pytest.raises(
        ConfigError, match=r"could set it: ask for `context: fingerpost\.ToolContext` instead"
    ):
        Tool.of(function)


def test_any_other_function_is_as_before() -> None:
    def use(names: list[str], context: Optional[ToolContext] = None) -> str:
        """Use it."""
        return ",".join(names)

    assert Tool.of(use).call({"names": "a"}).data == "a"


def test_a_context_of_a_kind_of_its_own_and_an_annotated_one_are_filled() -> None:
    def whose(context: Tenant, again: Annotated[ToolContext, "Who asks."]) -> str:
        """Say whose it is."""
        return f"{context.get('tenant')} {again.get('tenant')}"

    assert Tool.of(whose).schema["properties"] == {}
    assert Tool.of(whose).call({}, {"tenant": "north"}).data == "north north"
    assert Tool.of(whose).call({}).data == "None None"
