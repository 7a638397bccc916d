"""`fingerpost log`: the history that a folder tells of itself."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, Styled, flat, note, say, say_json
from fingerpost.cli.parser import Subparsers, add_command, add_folder


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    add_folder(add_command(subparsers, "log", "Show the history that a folder's log.md tells.", run))


def run(arguments: Namespace) -> int:
    """Print the entries of a log.md; exit code 0, or 1 when there is none."""
    with opened(arguments) as bundle:
        entries = bundle.log(arguments.path)
    if arguments.json:
        say_json({"path": arguments.path, "entries": entries})
    elif not entries:
        note(f"The folder {arguments.path} has no log.md with entries.")
    for entry in [] if arguments.json else entries:
        say(Styled(flat(entry["date"] or entry["heading"]), BOLD), "  ", entry["text"])
    return 0 if entries else 1
