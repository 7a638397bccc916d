"""Reading the mappings of a configuration; every error names the place in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from fingerpost.errors import ConfigError
from fingerpost.text.suggest import did_you_mean, nearest


def read_file(
    path: str | os.PathLike[str], is_block: Callable[[str], bool]
) -> tuple[Mapping[str, Any], Path]:
    """Some blocks of a YAML file as a mapping, and the folder that its relative paths start from.

    Args:
        path: The file.
        is_block: Whether a key is that of a block.

    Raises:
        ConfigError: The file cannot be read, is no YAML, or holds no mapping.
    """
    import yaml

    from fingerpost.configuration.yaml_blocks import load_blocks

    file = Path(os.path.abspath(os.path.expanduser(path)))
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error
        reason = error.strerror if isinstance(error, OSError) else reason
        raise ConfigError(f"The configuration {str(file)!r} cannot be read: {reason}.") from error
    try:
        loaded = load_blocks(text, is_block)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        is_too_deep = isinstance(error, RecursionError)
        reason = "it is nested too deep" if is_too_deep else getattr(error, "problem", None) or str(error)
        raise ConfigError(
            f"The configuration {str(file)!r} is no YAML: {file.name}{place}, {reason}."
        ) from error
    return mapping(loaded if loaded is not None else {}, f"the configuration {str(file)!r}"), file.parent


def mapping(value: object, what: str) -> Mapping[str, Any]:
    """A value that has to be a mapping with texts as its keys.

    Args:
        value: The value.
        what: What it is, for the sentence.

    Raises:
        ConfigError: It is none.
    """
    if isinstance(value, Mapping):
        members = cast("Mapping[object, Any]", value)
        odd = next((key for key in members if not isinstance(key, str)), None)
        if odd is None:
            return cast("Mapping[str, Any]", value)
        raise ConfigError(f"{_start(what)} has the key {odd!r}, which is no text; put it in quotes.")
    raise ConfigError(f"{_start(what)} is to be a mapping (`key: value`), and is {_shown(value)}.")


def members(given: Mapping[str, Any], key: str, what: str) -> Mapping[str, Any]:
    """A member that has to be a mapping; null and nothing are an empty one.

    Raises:
        ConfigError: It is none.
    """
    value = given.get(key)
    return {} if value is None else mapping(value, what)


def only_known(given: Mapping[str, Any], known: Iterable[str], what: str) -> None:
    """Check that a mapping has no key but those that mean something.

    Raises:
        ConfigError: It has; the sentence offers the nearest.
    """
    known = list(known)
    for key in given:
        if key not in known:
            hint = did_you_mean(nearest(key, known)) or f"There are: {', '.join(known)}."
            raise ConfigError(f"{_start(what)} has the key {key!r}, which means nothing. {hint}")


def text(given: Mapping[str, Any], key: str, what: str, default: str = "") -> str:
    """A member that has to be a text; null and nothing are the default.

    Raises:
        ConfigError: It is none.
    """
    value = given.get(key)
    if value is None:
        return default
    if not isinstance(value, str):
        raise ConfigError(f"{key!r} of {what} is to be a text, and is {_shown(value)}; put it in quotes.")
    return value


def texts(given: Mapping[str, Any], key: str, what: str) -> tuple[str, ...]:
    """A member that has to be a list of texts, or one alone; null and nothing are none.

    Raises:
        ConfigError: It is something else, or one of them is empty.
    """
    value = given.get(key)
    several: list[object] = cast("list[object]", value) if isinstance(value, list) else [value]
    if value is None:
        return ()
    for each in several:
        if not isinstance(each, str) or not each.strip():
            raise ConfigError(f"{key!r} of {what} is to be a list of names, and has {_shown(each)} in it.")
    return tuple(dict.fromkeys(cast("list[str]", several)))


def _shown(value: object) -> str:
    return "nothing" if value is None else f"{value!r:.80}"


def _start(what: str) -> str:
    return what[:1].upper() + what[1:]
