"""`fingerpost review`: the changes that agents propose, for a person to accept or reject."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping

from fingerpost.bundle import Bundle
from fingerpost.bundle.change import Change
from fingerpost.bundle.proposals import Proposal, accept, proposal, proposals, reject, stored
from fingerpost.cli.changing import add_change_options, ask, is_agreed, not_written, show, view
from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, Styled, note, say, say_json
from fingerpost.cli.parser import Subparsers, add_bundle, add_command, in_utf8
from fingerpost.errors import ConfigError, KnowledgeError


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "review", "Accept or reject the changes that agents propose.", run)
    add_bundle(parser)
    add_change_options(parser)
    parser.add_argument("--accept", metavar="NAME", type=in_utf8, nargs="+", default=[], help="make these")
    parser.add_argument("--reject", metavar="NAME", type=in_utf8, nargs="+", default=[], help="drop these")


def run(arguments: Namespace) -> int:
    """Show the proposals and ask about each, or do as the options say; exit code 1 if one is not made."""
    with opened(arguments) as bundle:
        if not (arguments.accept or arguments.reject):
            return _review(arguments, bundle)
        to_accept, to_reject = (list(dict.fromkeys(names)) for names in (arguments.accept, arguments.reject))
        if both := set(to_accept) & set(to_reject):
            raise ConfigError(f"{min(both)!r} is to be accepted and rejected; decide on one.")
        changes = [proposal(bundle, name).change(bundle.store) for name in to_accept]
        for name in to_reject:
            stored(bundle, name)  # so that one that is not there is told before anything is done
        if not arguments.json:
            for change in changes:
                show(change)
            for name in to_reject:
                say(f"To be rejected: {name}.")
        is_wanted = not arguments.dry_run and is_agreed(arguments, "Do this? [y/N]")
        accepted: list[Change] = []
        try:
            for name in to_accept if is_wanted else ():
                change = _accepted(bundle, name)
                accepted.append(change)
        finally:
            if arguments.json and (accepted or not is_wanted or not to_accept):
                made = {change.path for change in accepted}
                say_json([view(change, is_written=change.path in made) for change in changes])
        for name in to_reject if is_wanted else ():
            _rejected(bundle, name)
    if is_wanted or arguments.dry_run:
        return 0
    return not_written(arguments)


def _accepted(bundle: Bundle, name: str) -> Change:
    change = accept(bundle, name)
    note(f"Written: {change.path}, revision {change.revision}.")
    return change


def _rejected(bundle: Bundle, name: str) -> None:
    reject(bundle, name)
    note(f"Rejected: {name}.")


def _review(arguments: Namespace, bundle: Bundle) -> int:
    found, unreadable = proposals(bundle)
    if arguments.json:
        problems = [{"name": name, "problem": str(error)} for name, error in unreadable.items()]
        say_json([*(_view(bundle, each) for each in found), *problems])
        return 0
    if not (found or unreadable):
        note("Nothing is proposed.")
    for error in unreadable.values():
        note(str(error))
    code = 1 if unreadable else 0
    for each in found:
        say(Styled(each.name, BOLD), f"  {each.path}, by {each.by}, {each.at}")
        choices = {"r": _rejected, "reject": _rejected}
        try:
            show(each.change(bundle.store))
            choices |= dict.fromkeys(("a", "accept", "y", "yes"), _accepted)
        except KnowledgeError as error:
            note(str(error))
            code = 1
        if sys.stdin.isatty() and not arguments.dry_run:
            _decide(bundle, each, choices)
    return code


def _decide(bundle: Bundle, each: Proposal, choices: Mapping[str, Callable[[Bundle, str], object]]) -> None:
    question = "Accept, reject or skip this? [a/r/S]" if "a" in choices else "Reject or skip this? [r/S]"
    decided = choices.get(ask(question))
    if decided is None:
        note(f"Skipped: {each.name}.")
        return
    try:
        decided(bundle, each.name)
    except KnowledgeError as error:
        note(str(error))


def _view(bundle: Bundle, each: Proposal) -> dict[str, object]:
    about = {"name": each.name, "by": each.by, "at": each.at}
    try:
        return {**about, **view(each.change(bundle.store), is_written=False)}
    except KnowledgeError as error:
        return {**about, "path": each.path, "problem": str(error)}
