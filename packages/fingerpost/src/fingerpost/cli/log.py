"""`fingerpost log`: the history that a folder tells of itself, and a new entry of it."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.cli.changing import add_author, add_change_options, offer, refuse_without, writer_for
from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, Styled, flat, note, say, say_json
from fingerpost.cli.parser import Subparsers, add_command, add_folder, in_utf8
from fingerpost.errors import ConfigError


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(
        subparsers, "log", "Show the history that a folder's log.md tells, or add to it.", run
    )
    add_folder(parser)
    parser.add_argument("--add", metavar="TEXT", type=in_utf8, help="add an entry under today's date (UTC)")
    parser.add_argument(
        "--kind", metavar="K", type=in_utf8, default="", help="a word for what happened, such as Update"
    )
    add_author(parser)
    add_change_options(parser)


def run(arguments: Namespace) -> int:
    """Print the entries of a log.md, or add one; exit code 0, or 1 when there is none."""
    if arguments.add is not None:
        return _add(arguments)
    refuse_without(arguments, "--add TEXT", "--kind")
    with opened(arguments) as bundle:
        entries = bundle.log(arguments.path)
    if arguments.json:
        say_json({"path": arguments.path, "entries": entries})
    elif not entries:
        note(f"The folder {arguments.path} has no log.md with entries.")
    for entry in [] if arguments.json else entries:
        say(Styled(flat(entry["date"] or entry["heading"]), BOLD), "  ", entry["text"])
    return 0 if entries else 1


def _add(arguments: Namespace) -> int:
    if not arguments.add.strip():
        raise ConfigError("--add has no words; say in a line what happened.")
    with opened(arguments) as bundle:
        writer = writer_for(bundle, arguments)
        change = writer.draft_entry(arguments.add, arguments.path, arguments.kind)
        return offer(arguments, writer, [change])
