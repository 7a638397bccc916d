"""The two verdicts on a bundle, conformance and lint, and which text of the specification was applied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass

from fingerpost.bundle.check import Checked
from fingerpost.okf.rules import RULES
from fingerpost.records import Diagnostic, Severity, Verdict

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
_DATE_TEXTS = {"july": "July", "august": "August"}


@dataclass(frozen=True, slots=True)
class Validation:
    """What holding a bundle to all rules came to.

    Attributes:
        specification: The text of the format that was applied: "0.1", "0.2 (July text)" where dates are bare,
            "0.2 (August text)" where they are times with an offset, both, or "0.2" where nothing tells.
        declared: The okf_version of the root index.md, as written; "" when it declares none.
        concepts: How many concepts there are.
        documents: How many Markdown files there are, index.md and log.md among them.
        diagnostics: What was found, by path, line and column.
    """

    specification: str
    declared: str
    concepts: int
    documents: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def conformant(self) -> bool:
        """Whether the three conformance clauses hold (OKF 0.2 §11, OKF 0.1 §9).

        A bundle without concepts, or with a file that could not be read, does not: these are errors too.
        """
        return self.severities["error"] == 0

    @property
    def severities(self) -> dict[Severity, int]:
        """How many diagnostics there are of each severity."""
        counts = Counter(diagnostic.severity for diagnostic in self.diagnostics)
        return {severity: counts[severity] for severity in SEVERITIES}

    @property
    def rules(self) -> dict[str, int]:
        """How many diagnostics there are of each rule that was broken, by code."""
        counts = Counter(diagnostic.code for diagnostic in self.diagnostics)
        return {code: counts[code] for code in RULES if counts[code]}

    def of(self, verdict: Verdict) -> tuple[Diagnostic, ...]:
        """The diagnostics that bear on one of the two verdicts.

        Args:
            verdict: "conformance" or "lint".
        """
        return tuple(diagnostic for diagnostic in self.diagnostics if diagnostic.verdict == verdict)


def validation(checked: Checked, concepts: int) -> Validation:
    """Sum up a check.

    Args:
        checked: What it found.
        concepts: How many concepts the bundle has.
    """
    return Validation(
        specification=applied_text(checked.declared, checked.forms),
        declared=checked.declared,
        concepts=concepts,
        documents=checked.documents,
        diagnostics=checked.diagnostics,
    )


def applied_text(declared: str, forms: Set[str]) -> str:
    """Which text of the specification a bundle is read by.

    The number 0.2 stands for two texts, which differ in the form of dates; reading accepts both.

    Args:
        declared: The version that the bundle declares, or "". One that is not known is read as 0.2 (§12).
        forms: What its concepts show, as in `Checked.forms`.
    """
    texts = " and ".join(name for form, name in _DATE_TEXTS.items() if form in forms)
    is_legacy = not declared and not texts and "timestamp" in forms and "generated" not in forms
    if declared == "0.1" or is_legacy:
        return "0.1"
    return f"0.2 ({texts} text)" if texts else "0.2"
