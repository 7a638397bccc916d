"""Fields on the command line: `title=Refunds`, `tags=money,returns`, `limits=[1, 2]`."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable

from fingerpost.cli.parser import in_utf8
from fingerpost.errors import ConfigError
from fingerpost.okf.frontmatter import parse
from fingerpost.okf.yaml_text import Value


def add_fields(parser: ArgumentParser) -> None:
    """Add the arguments that set fields."""
    parser.add_argument(
        "fields",
        metavar="KEY=VALUE",
        type=in_utf8,
        nargs="*",
        help="a field to set; a value in brackets or braces is YAML, tags may be separated by commas",
    )


def fields_in(words: Iterable[str]) -> dict[str, Value]:
    """The fields in some words.

    Raises:
        ConfigError: One of them is no field, or two are the same.
    """
    fields: dict[str, Value] = {}
    for key, value in map(_field, words):
        if key in fields:
            raise given_twice(key)
        fields[key] = value
    return fields


def given_twice(key: str) -> ConfigError:
    """The sentence about a field that has two values."""
    return ConfigError(f"{key!r} is given twice; give it once.")


def _field(word: str) -> tuple[str, Value]:
    key, equals, text = word.partition("=")
    if not equals or not key.strip():
        raise ConfigError(f"{word!r} is no field; write KEY=VALUE, as in title=Refunds.")
    key = key.strip()
    if text.lstrip()[:1] in ("[", "{"):
        frontmatter, findings = parse(f"value: {text}\n", 1)
        if frontmatter is None or set(frontmatter.values) != {"value"} or findings:
            raise ConfigError(f"The value of {key!r} is no YAML: {text!r}; put it in quotes, or correct it.")
        return key, frontmatter.values["value"]
    return key, text
