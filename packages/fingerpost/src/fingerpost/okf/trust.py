"""How far a concept can be relied on (OKF 0.2 §5.3-§5.5), and how that is said to whoever reads it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from fingerpost.okf.attestation import AttestedComputation
from fingerpost.okf.dates import Instant
from fingerpost.okf.document import STATUSES, Document, Gist
from fingerpost.okf.field_reader import kind_of
from fingerpost.okf.provenance import Event
from fingerpost.okf.yaml_problems import shown
from fingerpost.okf.yaml_text import Value

SUCCESSOR = "superseded_by"
"""The field of a deprecated concept that names what replaces it; the format itself has none for that."""

Tier = Literal["unverified", "machine-confirmed", "human-reviewed"]

_STATUS_WARNINGS = {
    "deprecated": "DEPRECATED: this is no longer in force. Look for what replaces it, and do not act on it.",
    "draft": "DRAFT: this is not settled. Say so wherever you use it.",
}


def tier(verified: Iterable[Event]) -> Tier:
    """Who has checked a concept (§5.3), derived from its verifications, which nothing proves.

    Args:
        verified: Its verifications.

    Returns:
        "human-reviewed" when any is by a `human:`, "machine-confirmed" when all are by others, "unverified"
        when there are none.
    """
    kinds = {event.actor.kind for event in verified}
    if "human" in kinds:
        return "human-reviewed"
    return "machine-confirmed" if kinds else "unverified"


def latest_verification(verified: Iterable[Event]) -> Instant | None:
    """When a concept was last checked, or None when no verification says when."""
    instants = [event.at for event in verified if event.at]
    return max(instants, key=lambda instant: instant.value, default=None)


def verification_predates(verified: Iterable[Event], generated: Event | None) -> bool:
    """Whether the content changed after it was last checked.

    A bare date stands for its whole day, so a check on the day of the change does not predate it.
    """
    checked, changed = latest_verification(verified), generated.at if generated else None
    if checked is None or changed is None:
        return False
    if "date" in (checked.form, changed.form):
        return checked.value.date() < changed.value.date()
    return checked.value < changed.value


def is_stale(stale_after: Instant | None, now: datetime) -> bool:
    """Whether a concept is stale (§5.5): from the instant itself on.

    Args:
        stale_after: The instant that the concept names.
        now: The present, with a time zone.
    """
    return stale_after is not None and now >= stale_after.value


def warnings(document: Document, now: datetime) -> list[str]:
    """What a reader has to know before relying on a concept, in a few sentences each.

    Args:
        document: The concept.
        now: The present, with a time zone.

    Returns:
        The warnings; none for a stable, fresh concept whose check is not older than its content. What is
        there and cannot be read is a warning too: a default that stands in for it must not pass for
        knowledge.
    """
    attested = "" if document.attested is None else _attested_warning(document.attested)
    found = (
        _status_warning(document),
        _expiry_warning(document, now),
        _verification_warning(document),
        _currency_warning(document),
        _content_date_warning(document),
        attested,
    )
    return [warning for warning in found if warning]


def _status_warning(document: Document) -> str:
    status, written = document.status, document.frontmatter.values.get("status")
    successor = document.frontmatter.values.get(SUCCESSOR)
    if status == "deprecated" and isinstance(successor, str) and successor.strip():
        return (
            f"DEPRECATED: this is no longer in force. `{shown(successor.strip())}` replaces it; read that, "
            "and do not act on this."
        )
    if status in _STATUS_WARNINGS:
        return _STATUS_WARNINGS[status]
    if status not in STATUSES:
        unknown = f"the concept calls itself `{shown(status)}`, which the format does not know"
    elif _is_claim(written) and not isinstance(written, str):
        unknown = f"`status` is {kind_of(written)}, so that the concept counts as stable"
    else:
        return ""
    return f"UNKNOWN STATUS: {unknown}. Say so if the answer depends on it being in force."


def expiry_is_unreadable(document: Document | Gist) -> bool:
    """Whether a concept says from when on it is stale in a way that nobody can read."""
    return document.stale_after is None and _is_claim(document.frontmatter.values.get("stale_after"))


def _expiry_warning(document: Document, now: datetime) -> str:
    written = document.frontmatter.values.get("stale_after")
    if is_stale(document.stale_after, now):
        expired = " Do not run this computation until it is reviewed." if document.attested else ""
        return (
            f"STALE: this was good until {document.stale_after} and may no longer hold. "
            f"Check it against a current source, or say that it is out of date.{expired}"
        )
    if expiry_is_unreadable(document):
        expired = " Do not run this computation until its expiry is known." if document.attested else ""
        return (
            f"EXPIRY UNREADABLE: `stale_after` is {_said(written)}, which is no date that can be read, so "
            "that `stale` says nothing. Check the concept against a current source, or say that it may be "
            f"out of date.{expired}"
        )
    return ""


def _verification_warning(document: Document) -> str:
    """Whether something under `verified` does not count."""
    written = document.frontmatter.values.get("verified")
    entries = [entry for entry in (written if isinstance(written, list) else [written]) if _is_claim(entry)]
    unread = len(entries) - len(document.verified)
    if not unread:
        return ""
    return (
        "VERIFICATION UNREADABLE: `verified` has entries that do not say who checked this in a form that can "
        f"be read ({unread} of {len(entries)}), and these do not count. Do not call the concept checked on "
        "the strength of them."
    )


def _currency_warning(document: Document) -> str:
    """Whether the content changed since it was checked, or whether nobody can tell."""
    checked, changed = latest_verification(document.verified), document.generated
    if verification_predates(document.verified, changed):
        return (
            f"CHANGED SINCE CHECKED: the content is of {changed.at if changed else ''}, its last "
            f"verification of {checked}. Treat the present wording as unverified."
        )
    if document.verified and checked is None:
        return (
            "CHECK UNDATED: no verification has a date that can be read, so that the content may have "
            "changed since. Say so if the answer depends on it being checked."
        )
    return ""


def _content_date_warning(document: Document) -> str:
    values = document.frontmatter.values
    generated = values.get("generated")
    if isinstance(generated, dict):
        field, written = "generated.at", generated.get("at")
    else:
        field = "timestamp" if generated is None else "generated"
        written = values.get(field)
    if not _is_claim(written) or (document.generated is not None and document.generated.at is not None):
        return ""
    since = ", or whether it changed since it was checked" if document.verified else ""
    return (
        f"CONTENT UNDATED: `{field}` is {_said(written)}, which is no date that can be read, so that nothing "
        f"tells how old the content is{since}. Say so if the answer depends on it."
    )


def _is_claim(written: Value) -> bool:
    """Whether a field says anything: it is neither absent nor empty."""
    return bool(written.strip() if isinstance(written, str) else written)


def _said(written: Value) -> str:
    return f"`{shown(written)}`" if isinstance(written, str) else kind_of(written)


def _attested_warning(computation: AttestedComputation) -> str:
    names = ", ".join(f"`{shown(parameter.name)}`" for parameter in computation.parameters)
    allowed = f"Supply values for {names} and nothing else" if names else "It takes no parameters"
    return (
        f"ATTESTED COMPUTATION: use the computation word for word. {allowed}; do not edit, extend or rewrite "
        "it. Nothing is run here: give it to its executor, and report no figure that was not attested."
    )
