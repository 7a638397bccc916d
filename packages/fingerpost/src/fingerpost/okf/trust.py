"""How far a concept can be relied on (OKF 0.2 §5.3-§5.5), and how that is said to whoever reads it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from fingerpost.okf.attestation import AttestedComputation
from fingerpost.okf.dates import Instant
from fingerpost.okf.document import STATUSES, Document
from fingerpost.okf.provenance import Event
from fingerpost.okf.yaml_problems import shown

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
        The warnings; none for a stable, fresh concept whose check is not older than its content.
    """
    found = _status_warnings(document.status)
    if is_stale(document.stale_after, now):
        expired = " Do not run this computation until it is reviewed." if document.attested else ""
        found.append(
            f"STALE: this was good until {document.stale_after} and may no longer hold. "
            f"Check it against a current source, or say that it is out of date.{expired}"
        )
    if verification_predates(document.verified, document.generated):
        checked, changed = latest_verification(document.verified), document.generated
        found.append(
            f"CHANGED SINCE CHECKED: the content is of {changed.at if changed else ''}, its last "
            f"verification of {checked}. Treat the present wording as unverified."
        )
    if document.attested is not None:
        found.append(_attested_warning(document.attested))
    return found


def _status_warnings(status: str) -> list[str]:
    if status in _STATUS_WARNINGS:
        return [_STATUS_WARNINGS[status]]
    if status in STATUSES:
        return []
    unknown = f"UNKNOWN STATUS: the concept calls itself `{shown(status)}`, which the format does not know."
    return [f"{unknown} Say so if the answer depends on it being in force."]


def _attested_warning(computation: AttestedComputation) -> str:
    names = ", ".join(f"`{shown(parameter.name)}`" for parameter in computation.parameters)
    allowed = f"Supply values for {names} and nothing else" if names else "It takes no parameters"
    return (
        f"ATTESTED COMPUTATION: use the computation word for word. {allowed}; do not edit, extend or rewrite "
        "it. Nothing is run here: give it to its executor, and report no figure that was not attested."
    )
