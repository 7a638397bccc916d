"""Tool names that every model API takes, checked when a tool is built, not when a model first sees it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from keyword import iskeyword

from fingerpost.errors import ConfigError

_LONGEST = 64
_NAME = re.compile(r"[a-z_][a-z0-9_]{0,63}")
_NEW_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NOT_ALLOWED = re.compile(r"[^a-z0-9_]+")


def check_name(name: object) -> str:
    """Check a tool's name.

    Args:
        name: The whole name, with its prefix.

    Returns:
        The name.

    Raises:
        ConfigError: It is not one that every model API takes; the sentence holds the rule and a name that
            would do.
    """
    if isinstance(name, str) and _NAME.fullmatch(name) and not iskeyword(name):
        return name
    shown = name if isinstance(name, str) else repr(name)
    raise ConfigError(
        f'The tool name "{shown[:80]}" is refused by some model APIs or frameworks: use 1 to 64 of a-z, 0-9 '
        f'and _, no digit first, and no word of Python, such as "{suggest_name(str(shown))}".'
    )


def suggest_name(name: str) -> str:
    """The nearest valid tool name to any text: "getUser" becomes "get_user", "a.b" becomes "a_b".

    Args:
        name: Any text.

    Returns:
        A name that `check_name` takes; "tool" when nothing of the text can be kept.
    """
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    snake = _NOT_ALLOWED.sub("_", _NEW_WORD.sub("_", ascii_only).lower()).strip("_")
    if not snake:
        return "tool"
    if snake[0].isdigit():
        snake = f"_{snake}"
    suggested = snake[:_LONGEST].rstrip("_")
    return f"{suggested}_" if iskeyword(suggested) else suggested


def check_unique(names: Iterable[str]) -> None:
    """Check that no two tools of one agent bear the same name, since one would silently replace the other.

    Args:
        names: The tools' names.

    Raises:
        ConfigError: Two are the same; the sentence suggests a prefix.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ConfigError(
                f'Two tools are named "{name}", and one would replace the other: build one of them with a '
                f'prefix, such as prefix="second_".'
            )
        seen.add(name)
