"""The parser of the command line, and the arguments that commands share."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Sequence
from typing import NoReturn, Protocol

from fingerpost.cli.output import note

Run = Callable[[argparse.Namespace], int]
"""Does the work of a command and returns its exit code."""

_TAKEN_FOR_AN_OPTION = re.compile(r"unrecognized arguments: -|argument --.*: expected one argument$")


class Subparsers(Protocol):
    """What a command adds itself to: the object that `argparse.ArgumentParser.add_subparsers` returns."""

    def add_parser(
        self,
        name: str,
        *,
        help: str | None = None,  # noqa: A002 - the name that argparse gives it
        description: str | None = None,
        epilog: str | None = None,
    ) -> Parser:
        """Add the parser of a command."""
        ...


class Parser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one sentence, with where to read on.

    Attributes:
        minus_advice: What to do about a word that starts with a minus, for a command that takes any words.
    """

    minus_advice = ""

    def error(self, message: str) -> NoReturn:
        """Report a mistake on standard error and leave with exit code 2."""
        told = message.rstrip(".")
        if self.minus_advice and _TAKEN_FOR_AN_OPTION.match(message):
            told = f"{told}; {self.minus_advice}"
        note(f"fingerpost: {told}. See `{self.prog} --help`.")
        raise SystemExit(2)


def parse_in_any_order(
    parser: argparse.ArgumentParser, words: Sequence[str], arguments: argparse.Namespace
) -> None:
    """Parse the words after a command, where options may stand between its positional arguments.

    Args:
        parser: The parser of the command.
        words: The words.
        arguments: Where the result goes.

    Raises:
        SystemExit: If the words are wrong, or ask for help.
    """
    parsed, left = parser.parse_known_args(words)
    if left:
        try:
            parsed = parser.parse_intermixed_args(words)
        except TypeError:  # a command with commands of its own, for which argparse does not offer it
            parser.error(f"unrecognized arguments: {' '.join(left)}")
    vars(arguments).update(vars(parsed))


def add_command(subparsers: Subparsers, name: str, summary: str, run: Run) -> Parser:
    """Add the parser of a command that can also answer in JSON.

    Args:
        subparsers: Where to add it.
        name: The command.
        summary: One sentence for `--help`.
        run: Does the work.

    Returns:
        The parser, for the command's own arguments.
    """
    parser = subparsers.add_parser(name, help=summary, description=summary)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.set_defaults(run=run)
    return parser


def add_bundle(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names the bundle."""
    parser.add_argument("bundle", metavar="BUNDLE", help="a folder, or the URI of a store")


def add_concept(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a concept of a bundle."""
    add_bundle(parser)
    parser.add_argument("id", metavar="ID", type=in_utf8, help="a concept id, such as policies/refunds")


def add_folder(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a folder of a bundle."""
    add_bundle(parser)
    parser.add_argument(
        "path",
        metavar="PATH",
        type=in_utf8,
        nargs="?",
        default="/",
        help="a folder of the bundle (default: /)",
    )


def from_one(text: str) -> int:
    """Read a number of 1 or more.

    Raises:
        argparse.ArgumentTypeError: If it is none.
    """
    return _at_least(1, text)


def from_zero(text: str) -> int:
    """Read a number of 0 or more.

    Raises:
        argparse.ArgumentTypeError: If it is none.
    """
    return _at_least(0, text)


def _at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
    return int(text)


def in_utf8(text: str) -> str:
    """Read an argument that names something in a bundle as UTF-8, which it is in any locale.

    Args:
        text: The argument as Python decoded it.

    Returns:
        The argument as typed; as it was decoded when its bytes are not UTF-8.
    """
    try:
        return os.fsencode(text).decode("utf-8")
    except UnicodeError:
        return text
