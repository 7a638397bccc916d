"""`fingerpost fmt`: cure what has one cure, such as a colon in a title without quotes."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence

from fingerpost.bundle import Bundle
from fingerpost.bundle.change import Change
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES, may_be_concept
from fingerpost.cli.changing import add_change_options, offer, writer_for
from fingerpost.cli.opening import opened
from fingerpost.cli.output import note, say, say_json
from fingerpost.cli.parser import Subparsers, add_bundle, add_command, in_utf8
from fingerpost.cli.progress import Progress
from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.okf.format import formatted
from fingerpost.records import Finding
from fingerpost.stores.base import DocumentStore


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "fmt", "Cure what has one cure in the files of a bundle.", run)
    add_bundle(parser)
    parser.add_argument("path", metavar="PATH", type=in_utf8, nargs="*", help="these files or folders alone")
    parser.add_argument(
        "--check", action="store_true", help="list what would be cured, and fail if anything is"
    )
    add_change_options(parser)


def run(arguments: Namespace) -> int:
    """Show what would be cured, and write it when that is wanted; with --check, fail if anything is."""
    if arguments.check and arguments.yes:
        raise ConfigError("--check writes nothing; leave out --yes, or --check.")
    with opened(arguments) as bundle:
        cured = list(_cures(bundle, arguments.path))
        changes = [change for change, _ in cured]
        if not (changes or arguments.check or arguments.json):
            note("There is nothing to cure.")
        elif changes and not arguments.check:
            return offer(arguments, writer_for(bundle, arguments), changes)
    if arguments.json:
        say_json([{"path": change.path, "cures": list(map(_view, found))} for change, found in cured])
    for change in [] if arguments.json else changes:
        for sentence in change.notes:
            say(sentence)
    return 1 if changes else 0


def _view(found: Finding) -> dict[str, object]:
    return {"line": found.line, "column": found.column, "code": found.code, "reason": found.reason}


def _cures(bundle: Bundle, wanted: list[str]) -> Iterator[tuple[Change, Sequence[Finding]]]:
    """What would be cured, and the findings that it is about, file by file."""
    places = [DocumentStore.normalise(path.strip("/")) for path in wanted if path.strip("/") not in ("", ".")]
    is_all = len(places) < len(wanted) or not wanted
    paths = [
        path for path in bundle.store.list() if may_be_concept(path) and (is_all or _is_in(path, places))
    ]
    if not is_all and not paths:
        raise ConfigError(f"No Markdown file lies at {', '.join(places)}; give paths within the bundle.")
    progress = Progress("files looked at:")
    for number, path in enumerate(paths):
        progress.show(number, len(paths))
        try:
            data = bundle.store.read_bytes(path, MAX_DOCUMENT_BYTES)
        except KnowledgeError as error:
            note(f"{path} was passed over: {error}")
            continue
        after, findings = formatted(data)
        if after != data:
            said = (
                f"{path}:{found.line}:{found.column}: {f'{found.code} {found.reason}'.strip()}"
                for found in findings
            )
            yield Change(path, data, after, tuple(said)), findings
    progress.clear()


def _is_in(path: str, places: list[str]) -> bool:
    return any(path in (place, f"{place}.md") or path.startswith(f"{place}/") for place in places)
