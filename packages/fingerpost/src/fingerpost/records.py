"""The vocabulary that all rooms share: what was found wrong, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]
Verdict = Literal["conformance", "lint"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong within a text, before it is known which file the text is.

    Attributes:
        code: The rule's stable code, such as "OKF104"; `fingerpost.okf.rules.RULES` has them all.
        line: Line in the file, from 1; 0 when the finding is about the file as a whole.
        column: Column in characters, from 1; 0 when the finding is about the whole line or file.
        reason: One sentence that names what was found, with the offending key or value.
        cure: What to do in this very case; "" where the cure of the rule says it.
    """

    code: str
    line: int
    column: int
    reason: str
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A finding in a file of a bundle, with how grave it is and how to cure it.

    Attributes:
        code: The rule's stable code.
        rule: The rule's readable name, such as "yaml-colon".
        severity: "error", "warning" or "note".
        verdict: Whether the specification's three conformance clauses are at stake, or good practice alone.
        path: Bundle-relative path of the file, "" for the bundle as a whole.
        line: Line, from 1; 0 for the whole file.
        column: Column in characters, from 1; 0 for the whole line.
        reason: What was found.
        cure: What to do about it.
    """

    code: str
    rule: str
    severity: Severity
    verdict: Verdict
    path: str
    line: int
    column: int
    reason: str
    cure: str

    @property
    def location(self) -> str:
        """`path:line:column`, leaving out the parts that are not known."""
        parts = [self.path or "."]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)

    def __str__(self) -> str:
        return f"{self.location}: {self.code} {self.reason} {self.cure}"
