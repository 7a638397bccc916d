from __future__ import annotations

import pytest

from fingerpost.errors import ConfigError
from fingerpost.tools import check_name, check_unique, tool
from fingerpost.tools.naming import suggest_name


def kb_find(text: str = "") -> str:
    """Find."""
    return text


@pytest.mark.parametrize("name", ["kb_find", "_x", "a", "a" * 64, "f2"])
def test_a_name_that_every_api_takes_passes(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        ("متجر kb_find", "kb_find"),
        ("متجر ", "tool"),
        ("a.b", "a_b"),
        ("My-Tool", "my_tool"),
        ("getUser", "get_user"),
        ("1st", "_1st"),
        ("x" * 70, "x" * 64),
        ("", "tool"),
        ("kb_find\n", "kb_find"),
        ("class", "class_"),
    ],
)
def test_any_other_is_refused_with_the_rule_and_a_name_that_would_do(name: str, suggestion: str) -> None:
    with pytest.raises(ConfigError, match="1 to 64 of a-z, 0-9 and _") as caught:
        check_name(name)
    assert str(caught.value).endswith(f'such as "{suggestion}".')
    assert check_name(suggest_name(name)) == suggestion


def test_a_bad_prefix_fails_when_the_tool_is_built() -> None:
    with pytest.raises(ConfigError, match="kb_find"):
        tool(kb_find, prefix="متجر ")


def test_two_tools_of_one_name_are_refused_with_a_way_out() -> None:
    with pytest.raises(ConfigError, match=r'named "kb_find".*prefix="second_"'):
        check_unique(["kb_read", "kb_find", "kb_find"])
    check_unique(["kb_find", "second_kb_find"])
