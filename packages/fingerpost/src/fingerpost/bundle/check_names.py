"""Names that would not survive another system."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingerpost.bundle.names import INDEX, LOG, SUFFIX
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.okf.paths import portable_key
from fingerpost.records import Finding

_RESERVED = re.compile("(?:con|prn|aux|nul|com[1-9]|lpt[1-9])", re.IGNORECASE)
_REFUSED = re.compile(r'[<>:"|?*#\x00-\x1f]')


def name_findings(snapshot: Snapshot) -> Iterator[tuple[str, Finding]]:
    """Findings about names: clashes (OKF701), and those that are not portable (OKF702).

    Args:
        snapshot: The bundle.

    Yields:
        The path of a file or folder, and what is wrong with its last name.
    """
    paths = sorted({*snapshot.files(), *snapshot.folders()})
    first: dict[str, str] = {}
    for path in paths:
        same = first.setdefault(portable_key(path), path)
        if same != path:
            yield path, Finding("OKF701", 0, 0, f"{path!r} and {same!r} are one name on some systems.")
    for path in paths:
        for reason in _not_portable(path.rpartition("/")[2]):
            yield path, Finding("OKF702", 0, 0, reason)


def _not_portable(name: str) -> Iterator[str]:
    if name != name.strip() or name.endswith("."):
        yield f"The name {name!r} starts with a blank, or ends with a blank or a dot."
    refused = _REFUSED.search(name)
    if refused:
        yield f"The name {name!r} holds {refused[0]!r}."
    if _RESERVED.fullmatch(name.partition(".")[0]):
        yield f"The name {name!r} is reserved on Windows."
    if name in (INDEX, LOG):
        return
    if name.lower() in (INDEX, LOG):
        outcome = "it is a concept" if name.endswith(SUFFIX) else "it is neither that file nor a concept"
        yield f"The name {name!r} differs from a reserved name in letter case alone, so {outcome}."
    elif name.lower().endswith(SUFFIX) and not name.endswith(SUFFIX):
        yield f"The name {name!r} does not end with .md in small letters, so it is no concept."
