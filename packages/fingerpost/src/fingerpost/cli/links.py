"""`fingerpost links`: where a concept leads, and what leads to it."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.bundle.shapes import LinkView
from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, DIM, YELLOW, Styled, say, say_json
from fingerpost.cli.parser import Subparsers, add_command, add_concept


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    add_concept(add_command(subparsers, "links", "List the links of a concept, and what links to it.", run))


def run(arguments: Namespace) -> int:
    """Print links and backlinks; exit code 0."""
    with opened(arguments) as bundle:
        links, backlinks = bundle.links(arguments.id), bundle.backlinks(arguments.id)
    if arguments.json:
        say_json({"id": arguments.id, "links": links, "backlinks": backlinks})
        return 0
    say_links(links)
    say_backlinks(backlinks, len(backlinks))
    return 0


def say_links(links: list[LinkView]) -> None:
    """Print links, one a line, under a heading."""
    say(Styled("Links", BOLD), "" if links else ": none")
    for link in links:
        say("  ", link.get("id") or link.get("file") or link.get("url") or "", _place(link), *_trouble(link))


def say_backlinks(ids: list[str], count: int) -> None:
    """Print the ids of concepts that link here, and how many more there are."""
    say(Styled("Linked from", BOLD), "" if ids else ": none")
    for id_ in ids:
        say("  ", id_)
    if count > len(ids):
        say("  ", Styled(f"and {count - len(ids)} more", DIM))


def _place(link: LinkView) -> Styled:
    anchor = f"#{link['anchor']}" if "anchor" in link else ""
    field = f" ({link['field']})" if "field" in link else ""
    return Styled(anchor + field, DIM)


def _trouble(link: LinkView) -> tuple[str | Styled, ...]:
    if link.get("invalid"):
        return ("  ", Styled("not a valid concept", YELLOW))
    if link.get("external") or link.get("exists"):
        return ()
    meant = link.get("did_you_mean")
    return ("  ", Styled(f"missing; did you mean {meant}?" if meant else "missing", YELLOW))
