"""Changes of a bundle on the command line: shown first, then asked about, then made."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fingerpost.bundle import Bundle
from fingerpost.bundle.change import Change
from fingerpost.bundle.given_text import is_person
from fingerpost.bundle.writer import BundleWriter, check_writable
from fingerpost.cli.output import BOLD, GREEN, RED, Styled, note, say, say_json
from fingerpost.cli.parser import in_utf8
from fingerpost.errors import ConfigError
from fingerpost.okf.document import read_document

_STYLES = {"+": GREEN, "-": RED, "@": BOLD}
_NOT_WRITTEN = "Nothing was written; add --yes to write it."
_DECLINED = "Nothing was written."
_OF_CHANGES = ("--yes", "--dry-run", "--by")


def add_change_options(parser: ArgumentParser) -> None:
    """Add the options that every command has which writes."""
    parser.add_argument("-y", "--yes", action="store_true", help="write without asking")
    parser.add_argument("--dry-run", action="store_true", help="show the change and write nothing")


def add_author(parser: ArgumentParser) -> None:
    """Add the option that says who writes."""
    parser.add_argument(
        "--by",
        metavar="ACTOR",
        type=in_utf8,
        default="",
        help="who writes, for the field generated; a person (human:NAME) only at a terminal",
    )


def add_revision(parser: ArgumentParser) -> None:
    """Add the option that says which revision was read."""
    parser.add_argument(
        "--revision", metavar="R", default="", help="change it only if it is of this revision"
    )


def refuse_without(arguments: Namespace, wanted: str, *others: str) -> None:
    """Refuse options that do nothing because the one is missing that they belong to.

    Args:
        arguments: The parsed arguments.
        wanted: What is missing, such as "--write".
        *others: Options of this command that belong to it, besides those that all commands have which write.

    Raises:
        ConfigError: There is one.
    """
    for option in (*_OF_CHANGES, *others):
        if getattr(arguments, option.strip("-").replace("-", "_"), None):
            raise ConfigError(f"{option} says how to write, and nothing is to be written; add {wanted}.")


def writer_for(bundle: Bundle, arguments: Namespace) -> BundleWriter:
    """A writer for whoever runs the command.

    Raises:
        ConfigError: It is to sign as a person, and nobody is asked.
        KnowledgeCapabilityError: It is to write to what can only be read.
    """
    if not arguments.dry_run:
        check_writable(bundle)
    actor: str = getattr(arguments, "by", "")
    if is_person(actor) and not _can_ask(arguments):
        raise ConfigError(
            f"{actor!r} is a person's signature, which is given at a terminal alone, without --yes and "
            "--json; leave out --by, or name a process."
        )
    return BundleWriter(bundle, actor=actor, signs_in_person=is_person(actor))


def offer(arguments: Namespace, writer: BundleWriter, changes: Sequence[Change]) -> int:
    """Show changes, and make them when they are wanted.

    Args:
        arguments: The parsed arguments.
        writer: Makes them.
        changes: The changes.

    Returns:
        The exit code: 0 when they were made, were only to be shown, or are none; 1 when nobody said yes.
    """
    changes = [_with_doubt(change, getattr(arguments, "by", "").strip()) for change in changes]
    wanted = [change for change in changes if change.is_any]
    if not arguments.json:
        for change in changes:
            show(change)
    is_wanted = bool(wanted) and not arguments.dry_run and is_agreed(arguments)
    written: list[Change] = []
    try:
        for change in wanted if is_wanted else ():
            written.append(writer.apply(change))
            if not arguments.json:
                note(f"Written: {change.path}, revision {change.revision}.")
    finally:  # also of those before one that fails
        if arguments.json and (written or not is_wanted):
            paths = {change.path for change in written}
            say_json([view(change, is_written=change.path in paths) for change in changes])
    if is_wanted or arguments.dry_run or not wanted:
        return 0
    return not_written(arguments)


def not_written(arguments: Namespace) -> int:
    """Say that nobody agreed; the exit code for that."""
    note(_DECLINED if _can_ask(arguments) else _NOT_WRITTEN)
    return 1


def _with_doubt(change: Change, actor: str) -> Change:
    """A change that says so where somebody signs, and nothing in it is signed."""
    if not actor or not change.is_any:
        return change
    generated = read_document(change.after, change.path).generated
    if generated is not None and generated.by == actor:
        return change
    unsaid = (
        f"{actor!r} is recorded nowhere: only `generated` tells who wrote a text, and it stays as it is here."
    )
    return replace(change, notes=(*change.notes, unsaid))


def show(change: Change) -> None:
    """Print a change as a diff, and what is to be known of it."""
    for line in change.diff.removesuffix("\n").split("\n") if change.diff else ():
        say(Styled(line, _STYLES.get(line[:1], "")))
    for sentence in change.notes or (() if change.is_any else (f"{change.path} is like that already.",)):
        note(sentence)


def view(change: Change, *, is_written: bool) -> dict[str, Any]:
    """A change as plain data."""
    return {
        "path": change.path,
        "id": change.id,
        "new": change.is_new,
        "changed": change.is_any,
        "written": is_written,
        "revision": change.revision,
        "notes": list(change.notes),
        "diff": change.diff,
    }


def ask(question: str) -> str:
    """Ask whoever sits at the terminal, on standard error; "" when nobody answers."""
    sys.stderr.write(f"{question} ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower()


def is_agreed(arguments: Namespace, question: str = "Write this? [y/N]") -> bool:
    """Whether a change is wanted: by an option, or by whoever sits at the terminal."""
    return arguments.yes or (_can_ask(arguments) and ask(question) in ("y", "yes"))


def _can_ask(arguments: Namespace) -> bool:
    return not arguments.json and not arguments.yes and sys.stdin.isatty()


def text_of(source: str) -> str:
    """A text from a file, or from standard input for "-".

    Raises:
        ConfigError: It cannot be read, or holds nothing.
    """
    try:
        if source == "-":
            text = sys.stdin.buffer.read().decode("utf-8")
        else:
            with open(source, encoding="utf-8", newline="") as file:
                text = file.read()
    except OSError as error:
        raise ConfigError(
            f"{source!r} cannot be read ({error.strerror}); give a file, or - for input."
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{source!r} is no text in UTF-8; convert it first.") from error
    if not text.strip("\ufeff \t\r\n"):
        raise ConfigError(f"{source!r} holds no text; give a file with words, or leave it out.")
    return text
