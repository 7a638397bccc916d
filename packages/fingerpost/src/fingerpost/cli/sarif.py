"""Diagnostics in the Static Analysis Results Interchange Format (SARIF 2.1.0), which code hosts show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from fingerpost.okf.rules import RULES, Rule
from fingerpost.records import Diagnostic

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif_log(diagnostics: Iterable[Diagnostic], folder: str, version: str) -> dict[str, Any]:
    """Write diagnostics as a SARIF log with one run.

    Args:
        diagnostics: What was found.
        folder: Path of the bundle from where the addresses start, which is the root of a repository for most
            code hosts; "" for the same place.
        version: The version of Fingerpost.

    Returns:
        The log, ready for JSON. It describes the rules that were broken; addresses are relative and
        percent-encoded.
    """
    results = list(diagnostics)
    broken = {diagnostic.code for diagnostic in results}
    rules = [rule for code, rule in RULES.items() if code in broken]
    positions = {rule.code: position for position, rule in enumerate(rules)}
    driver = {
        "name": "fingerpost",
        "version": version,
        "semanticVersion": version,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [
            {"ruleIndex": positions[diagnostic.code], **_result(diagnostic, folder)} for diagnostic in results
        ],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    clause = f" (OKF 0.2 {rule.clause})" if rule.clause else ""
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary}{clause}"},
        "help": {"text": rule.cure, "markdown": rule.cure},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {"tags": [rule.verdict]},
    }


def _result(diagnostic: Diagnostic, folder: str) -> dict[str, Any]:
    return {
        "ruleId": diagnostic.code,
        "level": diagnostic.severity,
        "message": {"text": f"{diagnostic.reason} {diagnostic.cure}"},
        "locations": [{"physicalLocation": _location(diagnostic, folder)}],
    }


def _location(diagnostic: Diagnostic, folder: str) -> dict[str, Any]:
    """Where it is; what concerns a whole file stands at its first line, because code hosts want a line."""
    path = "/".join(part for part in (folder.strip("/"), diagnostic.path) if part)
    region = {"startLine": max(diagnostic.line, 1)}
    if diagnostic.column:
        region["startColumn"] = diagnostic.column
    return {"artifactLocation": {"uri": quote(path or ".", safe="/")}, "region": region}
