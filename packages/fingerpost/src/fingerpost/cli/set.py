"""`fingerpost set`: change a concept, its fields and its text."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.bundle.drafts import Wanted
from fingerpost.cli.changing import (
    add_author,
    add_change_options,
    add_revision,
    offer,
    text_of,
    writer_for,
)
from fingerpost.cli.fields import add_fields, fields_in
from fingerpost.cli.opening import opened
from fingerpost.cli.parser import Subparsers, add_command, add_concept, in_utf8
from fingerpost.errors import ConfigError


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "set", "Change the fields or the text of a concept.", run)
    add_concept(parser)
    add_fields(parser)
    parser.add_argument(
        "--unset", metavar="KEY", type=in_utf8, action="append", default=[], help="a field to remove"
    )
    text = parser.add_mutually_exclusive_group()
    text.add_argument("--text", metavar="FILE", default="", help="a file with its new text, - for input")
    text.add_argument("--append", metavar="FILE", default="", help="a file with what is to follow its text")
    parser.add_argument(
        "--section", metavar="S", type=in_utf8, default="", help="the section that --append adds to"
    )
    add_revision(parser)
    add_author(parser)
    add_change_options(parser)


def run(arguments: Namespace) -> int:
    """Show what changes, and write it when that is wanted."""
    fields = fields_in(arguments.fields)
    source: str = arguments.append or arguments.text
    unset = tuple(arguments.unset)
    if not (fields or source or unset):
        raise ConfigError("There is nothing to change; give KEY=VALUE, --unset, --text or --append.")
    if arguments.append and (fields or unset):
        raise ConfigError("--append changes the text alone; set and remove fields in a second call.")
    if arguments.section and not arguments.append:
        raise ConfigError("--section says where --append adds to; give a file with --append.")
    text = text_of(source) if source else ""
    with opened(arguments) as bundle:
        writer = writer_for(bundle, arguments)
        revision = arguments.revision or bundle.read(arguments.id)["revision"]
        wanted = Wanted(
            text, fields, revision, appends=bool(arguments.append), section=arguments.section, unset=unset
        )
        return offer(arguments, writer, [writer.redraft(arguments.id, wanted)])
