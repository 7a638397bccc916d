"""`fingerpost validate`: does a bundle conform to the specification, and what could be better."""

from __future__ import annotations

import argparse
import os
from argparse import Namespace
from collections import Counter
from datetime import datetime
from importlib import import_module
from itertools import groupby
from typing import Any

from fingerpost.bundle.validation import SEVERITIES, Validation
from fingerpost.cli.listing import listed
from fingerpost.cli.opening import opened
from fingerpost.cli.output import BOLD, DIM, RED, YELLOW, Styled, say, say_json, say_text
from fingerpost.cli.parser import Subparsers, add_command
from fingerpost.cli.progress import Progress
from fingerpost.cli.sarif import sarif_log
from fingerpost.errors import ConfigError
from fingerpost.okf.dates import parse_instant
from fingerpost.okf.rules import RULES, Rule
from fingerpost.records import Diagnostic, Severity

_STYLES: dict[Severity, str] = {"error": RED, "warning": YELLOW, "note": DIM}


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "validate", "Check a bundle against the format and good practice.", run)
    parser.add_argument("bundle", metavar="BUNDLE", nargs="?", help="a folder, or the URI of a store")
    parser.add_argument(
        "--format", choices=("text", "json", "sarif"), default="text", help="how to report (default: text)"
    )
    parser.add_argument("--summary", action="store_true", help="counts alone, not each diagnostic")
    parser.add_argument(
        "--only", choices=("conformance", "lint"), help="report what bears on this verdict alone"
    )
    parser.add_argument("--strict", action="store_true", help="fail on warnings too")
    parser.add_argument(
        "--now", metavar="DATE", type=_moment, help="judge staleness at this date (default: the present)"
    )
    parser.add_argument(
        "--rules", action="store_true", help="print all rules (as a Markdown table, or JSON), and stop"
    )


def run(arguments: Namespace) -> int:
    """Report on a bundle; exit code 0 when it conforms, else 1."""
    form: str = "json" if arguments.json else arguments.format
    if arguments.rules:
        return _say_rules(form)
    if arguments.bundle is None:
        raise ConfigError("`fingerpost validate` needs a BUNDLE: a folder, or the URI of a store.")
    with opened(arguments) as bundle:
        progress = Progress("files checked:")
        found = bundle.validate(now=arguments.now, progress=progress.show)
        progress.clear()
    shown = found.of(arguments.only) if arguments.only else found.diagnostics
    if form == "sarif":
        version: str = import_module("fingerpost").__version__
        say_json(sarif_log(listed(shown), _from_here(arguments.bundle), version))
    elif form == "json":
        say_json(_as_json(arguments, found, shown))
    else:
        _say_text(arguments, found, shown)
    failed = not found.conformant or (arguments.strict and found.severities["warning"] > 0)
    return 1 if failed else 0


def _say_rules(form: str) -> int:
    if form == "sarif":
        raise ConfigError(
            "`--rules` prints text or JSON; a SARIF report describes the rules that were broken."
        )
    if form == "json":
        say_json([_as_mapping(rule) for rule in RULES.values()])
    else:
        say_text(rules_table())
    return 0


def rules_table() -> str:
    """All rules as a Markdown table, in the order of their codes."""
    rows = [
        f"| {rule.code} | {rule.name} | {rule.verdict} | {rule.severity} | {rule.clause} | {rule.summary} "
        f"| {rule.cure} |"
        for rule in RULES.values()
    ]
    head = "| code | name | verdict | severity | clause | asks for | cure |\n|---|---|---|---|---|---|---|"
    return "\n".join([head, *rows])


def _as_json(arguments: Namespace, found: Validation, shown: tuple[Diagnostic, ...]) -> dict[str, Any]:
    report: dict[str, Any] = {
        "bundle": arguments.bundle,
        "conformant": found.conformant,
        "specification": found.specification,
        "okf_version": found.declared,
        "concepts": found.concepts,
        "documents": found.documents,
        "severities": found.severities,
        "rules": found.rules,
    }
    if not arguments.summary:
        report["diagnostics"] = [_as_mapping(diagnostic) for diagnostic in listed(shown)]
    return report


def _as_mapping(row: Diagnostic | Rule) -> dict[str, Any]:
    return {name: getattr(row, name) for name in type(row).__slots__}


def _say_text(arguments: Namespace, found: Validation, shown: tuple[Diagnostic, ...]) -> None:
    if arguments.summary:
        _say_counts(shown)
    else:
        for _, of_one_file in groupby(listed(shown), key=lambda diagnostic: diagnostic.path):
            for diagnostic in of_one_file:
                _say_diagnostic(diagnostic, arguments.bundle)
            say()
    say(*_conformance_line(found))
    if arguments.only != "conformance":
        say(*_lint_line(found, strict=arguments.strict))


def _say_diagnostic(diagnostic: Diagnostic, bundle: str) -> None:
    say(
        Styled(_place(diagnostic, bundle), BOLD),
        ": ",
        Styled(diagnostic.severity, _STYLES[diagnostic.severity]),
        f" {diagnostic.code} {diagnostic.rule}: {diagnostic.reason}",
    )
    say("    ", Styled(diagnostic.cure, DIM))


def _say_counts(shown: tuple[Diagnostic, ...]) -> None:
    for code, count in sorted(Counter(diagnostic.code for diagnostic in shown).items()):
        rule = RULES[code]
        say(f"{count:>7,}  ", Styled(f"{rule.severity:<7}", _STYLES[rule.severity]), f"  {code} {rule.name}")
    if shown:
        say()


def _conformance_line(found: Validation) -> tuple[str | Styled, ...]:
    version, _, text = found.specification.partition(" ")
    clause = "§9" if version == "0.1" else "§11"
    against = f"OKF {version} {clause} {text}".rstrip()
    documents = _counted({"Markdown file": found.documents})
    broken = len(found.of("conformance"))
    if found.conformant:
        answer = Styled("yes", BOLD)
        reason = f", {_counted({'concept': found.concepts})} in {documents}, against {against}"
    elif broken:
        answer, reason = Styled("no", RED), f", {_counted({'error': broken})} against {against}"
    elif not found.concepts:
        answer, reason = Styled("no", RED), f", there is no concept in {documents}"
    else:
        unread = found.severities["error"]
        answer, reason = Styled("unknown", RED), f", {_counted({'file': unread})} could not be read"
    return "Conformance: ", answer, reason


def _lint_line(found: Validation, *, strict: bool) -> tuple[str | Styled, ...]:
    counts = Counter(diagnostic.severity for diagnostic in found.of("lint"))
    named = {severity: counts[severity] for severity in SEVERITIES if counts[severity]}
    consequence = "; warnings fail, because of --strict" if strict and "warning" in named else ""
    return "Lint: ", _counted(named) or "nothing found", Styled(consequence, RED)


def _counted(counts: dict[Any, int]) -> str:
    return ", ".join(f"{count:,} {name}{'' if count == 1 else 's'}" for name, count in counts.items())


def _place(diagnostic: Diagnostic, bundle: str) -> str:
    """Where it is, as a path that leads there from the current folder; within the bundle for a URI."""
    if not os.path.isdir(bundle):
        return diagnostic.location
    folder = os.path.normpath(bundle)
    return os.path.normpath(os.path.join(folder, diagnostic.location)) if diagnostic.path else folder


def _from_here(bundle: str) -> str:
    """The path of a bundle from the current folder, "" when it does not lie in it."""
    path = os.path.relpath(bundle) if os.path.isdir(bundle) else "."
    return "" if path == "." or path.startswith("..") else path


def _moment(text: str) -> datetime:
    instant = parse_instant(text)
    if instant is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no date such as 2026-12-31 or 2026-12-31T09:00:00Z")
    return instant.value
