"""`fingerpost deprecate`: mark a concept as no longer in force."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.cli.changing import add_author, add_change_options, add_revision, offer, writer_for
from fingerpost.cli.opening import opened
from fingerpost.cli.parser import Subparsers, add_command, add_concept, in_utf8


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "deprecate", "Mark a concept as no longer in force.", run)
    add_concept(parser)
    parser.add_argument(
        "--successor", metavar="ID", type=in_utf8, default="", help="the concept that replaces it"
    )
    add_revision(parser)
    add_author(parser)
    add_change_options(parser)


def run(arguments: Namespace) -> int:
    """Show what changes, and write it when that is wanted."""
    with opened(arguments) as bundle:
        writer = writer_for(bundle, arguments)
        change = writer.draft_deprecation(arguments.id, arguments.successor, arguments.revision)
        return offer(arguments, writer, [change])
