"""Arguments of tools over knowledge bases that are texts with something in them: ids, and JSON objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, cast

from fingerpost.errors import ArgumentError
from fingerpost.knowledge.base import KnowledgeBase

_ID = re.compile(
    r"(?:\[[^\[\]\n]*\]\([^()\n]*\)|\[|[^,\n\[]+)+"
)  # a link of Markdown may have commas in its text


def ids_in(text: str) -> list[str]:
    """The ids in a text, each once: separated by commas or lines, or a list of JSON.

    Args:
        text: The text. An id may stand in brackets, as answers print it, or be a whole link of Markdown.
    """
    listed = _json(text)
    if isinstance(listed, list):
        members = cast("list[Any]", listed)
        parts = [str(member) for member in members if member is not None]
    else:
        parts = _ID.findall(text)
    return list(dict.fromkeys(filter(None, map(_bare, parts))))


def writable_id(text: str) -> str:
    """The id of what is to be written, as a text has it.

    Raises:
        ArgumentError: It could not be fetched.
    """
    bare = _bare(text)
    if re.search(r"[,\x00-\x1f\x7f]", bare):
        raise ArgumentError(f"The id {bare!r} could not be fetched: leave out commas and line breaks.")
    return bare


def tags_in(tags: Iterable[str]) -> list[str]:
    """Tags, of which models also send several as one text, with commas between them."""
    given = list(tags)
    parts = given[0].split(",") if len(given) == 1 else given
    return [tag for tag in map(str.strip, parts) if tag]


def object_in(text: str, argument: str) -> dict[str, Any]:
    """The JSON object in a text, an empty one where there is none.

    Args:
        text: The text.
        argument: What it was given as.

    Raises:
        ArgumentError: It is something else.
    """
    value: Any = _json(text) if text.strip() not in ("", "null") else {}
    if not isinstance(value, dict):
        raise ArgumentError(f'"{argument}" takes the text of a JSON object, such as {{"name": "value"}}.')
    return cast("dict[str, Any]", value)


def filters_in(text: str, base: KnowledgeBase) -> dict[str, Any]:
    """The filters in a text.

    Args:
        text: The text of a JSON object.
        base: The knowledge base that is to know them.

    Raises:
        ArgumentError: It is none, or the knowledge base does not know one.
    """
    filters = object_in(text, "filters_json")
    known = base.capabilities.filters
    for name in filters:
        if name not in known:
            there = f"it knows {', '.join(known)}" if known else "it knows none"
            raise ArgumentError(f"The knowledge base {base.backend_name!r} has no filter {name!r}; {there}.")
    return filters


def _bare(id_: str) -> str:
    """An id without what answers print around it."""
    bare = id_.strip()
    return bare[1:-1].strip() if bare.startswith("[") and bare.endswith("]") else bare


def _json(text: str) -> Any:
    """What a text of JSON says, None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
