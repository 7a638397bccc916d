"""The bundles that a command names: `BUNDLE`, or `NAME=BUNDLE` for each of several."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence

from fingerpost import Bundle, ConfigError


def by_prefix(words: Sequence[str], prefix: str = "") -> dict[str, str]:
    """The bundles by what goes before the names of their tools.

    Args:
        words: Bundles, with or without a name before them. A folder whose own name has a "=" is a folder.
        prefix: The prefix of a single bundle.

    Returns:
        Folders or URIs by prefix.

    Raises:
        ConfigError: If one of several has no name, two have the same, or a prefix is given as well as a name.
    """
    named = [split_name(word) for word in words]
    names = [name for name, _ in named]
    if prefix and (len(named) > 1 or names[0]):
        raise ConfigError("A bundle has a name or a prefix, and both were given: leave out --prefix.")
    if len(named) == 1:
        return {prefix or _prefix(names[0]): named[0][1]}
    for name, source in named:
        if not name:
            raise ConfigError(
                f"Each of several bundles needs a name, to put before the names of its tools, such as "
                f"support=./kb; {source!r} has none."
            )
        if names.count(name) > 1:
            raise ConfigError(
                f"Two bundles are named {name!r}, and the tools of one would replace those of the other: "
                "give one of them another name."
            )
    return {_prefix(name): source for name, source in named}


def split_name(word: str) -> tuple[str, str]:
    """The name, "" if there is none, and the bundle in a word of a command line."""
    name, sign, source = word.partition("=")
    if not sign or "/" in name or ":" in name or os.path.isdir(word):
        return "", word
    return name, source


def read_ahead(bundles: Sequence[Bundle]) -> None:
    """Read bundles while the client says hello, so that a warning about one comes before the first call."""
    for bundle in bundles:
        try:
            bundle.ids()
        except Exception as error:  # noqa: BLE001 - stores of others raise anything; each call answers for itself
            logging.getLogger(__name__).warning("The bundle cannot be read now. %s", error)


def _prefix(name: str) -> str:
    return f"{name}_" if name else ""
