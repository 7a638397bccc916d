"""`find_passages`: a function that reports the arguments which reached it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal, Optional, cast


def find_passages(
    query: str,
    limit: int = 10,
    tags: Optional[list[str]] = None,
    exact: bool = False,
    mode: Literal["fast", "full"] = "fast",
) -> str:
    """Find passages, or rather: report the arguments that arrived.

    Args:
        query: Words to look for.
        limit: How many passages to return.
        tags: Tags that a passage must carry.
        exact: Whether to look for the exact words.
        mode: How thoroughly to look.

    Returns:
        The received arguments as a JSON object.
    """
    received = {"query": query, "limit": limit, "tags": tags, "exact": exact, "mode": mode}
    return json.dumps(received, ensure_ascii=False)


DEFAULTS: Mapping[str, object] = {"query": "q", "limit": 10, "tags": None, "exact": False, "mode": "fast"}


def received_arguments(result: str) -> dict[str, Any] | None:
    """The arguments that `find_passages` reports in a tool result, among notes; `None` if it did not run."""
    decoder = json.JSONDecoder()
    for start, character in enumerate(result):
        if character != "{":
            continue
        try:
            value: object = decoder.raw_decode(result, start)[0]
        except ValueError:
            continue
        if _is_report(value):
            return cast("dict[str, Any]", value)
    return None


def _is_report(value: object) -> bool:
    """Whether this is what `find_passages` returned, and not its schema in the message of a framework."""
    if not isinstance(value, dict):
        return False
    report = cast("dict[str, Any]", value)
    return report.keys() == DEFAULTS.keys() and isinstance(report["query"], str)
