"""`fingerpost find`: concepts by words, type, tags and signals."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from typing import get_args

from fingerpost.bundle import Bundle
from fingerpost.bundle.search import MAX_LIMIT, left_out_words_note
from fingerpost.bundle.shapes import FindView, HitView, WhyView
from fingerpost.bundle.silence import files_or_folders
from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, DIM, YELLOW, Styled, as_commands, flat, note, say, say_json
from fingerpost.cli.parser import Subparsers, add_bundle, add_command, from_one, from_zero, in_utf8
from fingerpost.cli.progress import Progress
from fingerpost.okf.trust import Tier
from fingerpost.tools.coerce import bound_note

_MINUS = "before words that start with a minus write --, or write them as in --text=-word"


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    summary = "Search concepts by words, type and tags."
    parser = add_command(subparsers, "find", summary, run)
    parser.description = f"{summary} Without words, list everything that passes the filters."
    parser.minus_advice = _MINUS
    parser.epilog = f"{_MINUS[:1].upper()}{_MINUS[1:]}."
    add_bundle(parser)
    parser.add_argument(
        "words", metavar="WORD", type=in_utf8, nargs="*", default=[], help="words to look for"
    )
    parser.add_argument(
        "--text", metavar="T", type=in_utf8, default="", help="words to look for, as one argument"
    )
    parser.add_argument("--type", metavar="T", type=in_utf8, help="only concepts of this type")
    parser.add_argument(
        "--tag",
        metavar="T",
        type=in_utf8,
        action="append",
        default=[],
        help="only with this tag; repeat it for concepts that have all of these tags",
    )
    parser.add_argument("--path", metavar="FOLDER", type=in_utf8, help="only in this folder and below")
    parser.add_argument(
        "--status",
        metavar="S",
        type=in_utf8,
        help="only of this status, such as draft; deprecated shows what is left out otherwise",
    )
    parser.add_argument("--trust", choices=get_args(Tier), help="only of this trust tier")
    parser.add_argument("--stale", action=BooleanOptionalAction, help="only stale ones, or only fresh ones")
    parser.add_argument("--include-deprecated", action="store_true", help="also deprecated concepts")
    parser.add_argument(
        "--limit",
        metavar="N",
        type=from_one,
        default=20,
        help=f"most results, up to {MAX_LIMIT} (default: 20)",
    )
    parser.add_argument(
        "--offset", metavar="N", type=from_zero, default=0, help="results to pass over (default: 0)"
    )
    parser.add_argument("--explain", action="store_true", help="say how each result matched")


def run(arguments: Namespace) -> int:
    """Print what was found; exit code 0, or 1 when that is nothing."""
    with opened(arguments) as bundle:
        read_whole(bundle)
        found = bundle.find(
            " ".join([*arguments.words, arguments.text]),
            arguments.type,
            arguments.tag,
            path=arguments.path,
            status=arguments.status,
            trust=arguments.trust,
            stale=arguments.stale,
            include_deprecated=arguments.include_deprecated,
            limit=arguments.limit,
            offset=arguments.offset,
            explain=arguments.explain,
        )
    if "message" in found:
        found["message"] = as_commands(found["message"], arguments.bundle)
    if arguments.json:
        say_json(found)
    else:
        for hit in found["results"]:
            _say_hit(hit)
        for sentence in _remarks(found, arguments.limit, arguments.offset):
            note(sentence)
    return 0 if found["total"] else 1


def read_whole(bundle: Bundle) -> None:
    """Wait until a bundle is read, and show how many of its headers, then of its texts, are."""
    for work, seconds in (("headers read:", 0.0), ("texts read:", None)):
        progress = Progress(work)
        bundle.wait(seconds, progress.show)
        progress.clear()


def _say_hit(hit: HitView) -> None:
    stale = ["stale"] if hit["stale"] else []
    status = [] if hit["status"] == "stable" else [flat(hit["status"])]
    signals = ", ".join([*status, *stale])
    say(
        Styled(hit["id"], BOLD),
        "  ",
        flat(hit["title"]),
        Styled(f"  [{flat(hit['type'])}, {hit['trust']}]", DIM),
        Styled(f"  {signals}" if signals else "", YELLOW),
    )
    excerpt = flat(hit["snippet"]) or flat(hit["description"])
    if excerpt:
        say("    ", excerpt)
    for word in hit.get("why", ()):
        say(Styled(f"    {_explained(word)}", DIM))


def _explained(word: WhyView) -> str:
    """How one asked word matched, as a line."""
    edits = f", {word['edits']} edit{'' if word['edits'] == 1 else 's'} away" if word["edits"] else ""
    manner = {"exact": "", "form": " (another form)", "part": " (part of a compound)"}.get(word["as"], "")
    found = " + ".join(word["found"])
    return f"{word['asked']} -> {found}{manner}{edits}, in {', '.join(word['in'])}; weight {word['weight']}"


def _remarks(found: FindView, limit: int, offset: int) -> list[str]:
    """What the results do not show."""
    changed = (
        bound_note("--limit", MAX_LIMIT, "most") if limit > MAX_LIMIT else "",
        left_out_words_note(found.get("left_out_words", 0)),
    )
    remarks = list(filter(None, changed))
    if "message" in found:
        return [*remarks, found["message"]]
    for word, spellings in found.get("corrected", {}).items():
        remarks.append(f"No concept has the word {word!r}; searched for {', '.join(spellings)} instead.")
    shown = offset + len(found["results"])
    if shown < found["total"]:
        remarks.append(
            f"{len(found['results'])} of {found['total']} results shown; --offset {shown} shows the next."
        )
    if found["left_out_deprecated"]:
        remarks.append(
            f"{found['left_out_deprecated']} deprecated left out; --include-deprecated shows them."
        )
    if found["skipped_invalid"]:
        files = (
            "1 file is no valid concept and was"
            if found["skipped_invalid"] == 1
            else (f"{found['skipped_invalid']} files are no valid concepts and were")
        )
        remarks.append(f"{files} not searched.")
    if unreadable := found.get("skipped_unreadable", 0):
        was = "was" if unreadable == 1 else "were"
        remarks.append(f"{files_or_folders(unreadable)} could not be read and {was} not searched.")
    if found["skipped_invalid"] or unreadable:
        remarks.append("`fingerpost validate` says which, and what is wrong.")
    return remarks
