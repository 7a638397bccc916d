"""`fingerpost index`: what a folder of a bundle holds."""

from __future__ import annotations

from argparse import Namespace

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


def run(arguments: Namespace) -> int:
    """Print the index of a folder; exit code 0."""
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
