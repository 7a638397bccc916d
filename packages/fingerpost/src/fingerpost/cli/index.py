"""`fingerpost index`: what a folder of a bundle holds, and an index.md that lists it."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.cli.changing import add_change_options, offer, refuse_without, writer_for
from fingerpost.cli.opening import opened
from fingerpost.cli.output import note, say_json, say_text
from fingerpost.cli.parser import Subparsers, add_command, add_folder, from_one
from fingerpost.tools.pages import other_page_note


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "index", "List what a folder holds.", run)
    add_folder(parser)
    parser.add_argument(
        "--page", metavar="N", type=from_one, default=1, help="which page of a long list (default: 1)"
    )
    parser.add_argument(
        "--write", action="store_true", help="add to the folder's index.md what it does not list, or make it"
    )
    add_change_options(parser)


def run(arguments: Namespace) -> int:
    """Print the index of a folder, or write it; exit code 0."""
    if arguments.write:
        with opened(arguments) as bundle:
            writer = writer_for(bundle, arguments)
            return offer(arguments, writer, [writer.draft_index(arguments.path)])
    refuse_without(arguments, "--write")
    with opened(arguments) as bundle:
        text, number, count = bundle.index_page(arguments.path, page=arguments.page)
    other_page = other_page_note(arguments.page, number)
    if other_page:
        note(other_page)
    if arguments.json:
        say_json({"path": arguments.path, "page": number, "pages": count, "text": text})
        return 0
    say_text(text.strip("\n"))
    if count > 1:
        following = f"; go on with --page {number + 1}" if number < count else ""
        note(f"Page {number} of {count}{following}.")
    return 0
