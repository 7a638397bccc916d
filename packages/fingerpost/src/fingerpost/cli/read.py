"""`fingerpost read`: one concept, with the signals that say how far to trust it."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.bundle.shapes import ConceptView
from fingerpost.cli.links import say_backlinks, say_links
from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, DIM, YELLOW, Styled, flat, say, say_json, say_text
from fingerpost.cli.parser import Subparsers, add_command, add_concept, in_utf8


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "read", "Read one concept.", run)
    add_concept(parser)
    parser.add_argument(
        "--section", metavar="S", type=in_utf8, default="", help="a heading, to read that part alone"
    )


def run(arguments: Namespace) -> int:
    """Print a concept; exit code 0."""
    with opened(arguments) as bundle:
        view = bundle.read(arguments.id, arguments.section)
    if arguments.json:
        say_json(view)
        return 0
    _say_header(view)
    say()
    say_text(view["body"])
    say()
    say_links(view["links"])
    say_backlinks(view["backlinks"]["first"], view["backlinks"]["count"])
    return 0


def _say_header(view: ConceptView) -> None:
    say(Styled(flat(view["title"]), BOLD))
    if view["description"]:
        say(flat(view["description"]))
    say(Styled("id      ", DIM), view["id"])
    say(Styled("type    ", DIM), flat(view["type"]))
    say(Styled("status  ", DIM), Styled(_status(view), "" if _status(view) == "stable" else YELLOW))
    say(Styled("trust   ", DIM), view["trust"])
    if view["tags"]:
        say(Styled("tags    ", DIM), flat(", ".join(view["tags"])))
    for warning in view["warnings"]:
        say(Styled("warning ", YELLOW), flat(warning))


def _status(view: ConceptView) -> str:
    return flat(view["status"]) + (", stale" if view["stale"] else "")
