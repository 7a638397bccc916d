"""`fingerpost new`: a new concept."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.bundle.drafts import DEFAULT_TYPE
from fingerpost.cli.changing import add_author, add_change_options, offer, text_of, writer_for
from fingerpost.cli.fields import add_fields, fields_in, given_twice
from fingerpost.cli.opening import opened
from fingerpost.cli.parser import Subparsers, add_bundle, add_command, in_utf8


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "new", "Write a new concept.", run)
    add_bundle(parser)
    parser.add_argument("title", metavar="TITLE", type=in_utf8, help="what it is called")
    parser.add_argument(
        "--type",
        metavar="T",
        type=in_utf8,
        default="",
        help=f"its type (default: that in the frontmatter of the text, else {DEFAULT_TYPE})",
    )
    parser.add_argument("--id", metavar="ID", type=in_utf8, default="", help="its id; else one of its title")
    parser.add_argument(
        "--folder", metavar="PATH", type=in_utf8, default="", help="the folder for such an id"
    )
    parser.add_argument("--text", metavar="FILE", default="", help="a file with its text, - for input")
    add_fields(parser)
    add_author(parser)
    add_change_options(parser)


def run(arguments: Namespace) -> int:
    """Show the concept, and write it when that is wanted."""
    own = {"title": arguments.title} | ({"type": arguments.type} if arguments.type else {})
    fields = fields_in(arguments.fields)
    for twice in sorted(own.keys() & fields.keys()):
        raise given_twice(twice)
    text = text_of(arguments.text) if arguments.text else ""
    with opened(arguments) as bundle:
        writer = writer_for(bundle, arguments)
        change = writer.draft(
            text, own | fields, id=arguments.id, folder=arguments.folder, is_stamped=bool(arguments.by)
        )
        return offer(arguments, writer, [change])
