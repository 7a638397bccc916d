"""Questions to a knowledge base, and what its answers look like."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from fingerpost import KnowledgeBase, KnowledgeError, Record
from fingerpost_testing.contracts.demands import ContractError, broken, call_text, demand, raised, shown


def called(base: KnowledgeBase, operation: str, *arguments: Any, advice: str = "", **named: Any) -> Any:
    """What a method of a knowledge base returns, which must not raise.

    Args:
        base: The knowledge base.
        operation: The name of its method.
        *arguments: What it is called with.
        advice: What to do if it raises.
        **named: What else it is called with.
    """
    __tracebackhide__ = True
    try:
        return getattr(base, operation)(*arguments, **named)
    except Exception as error:
        call = call_text(operation, *arguments, **named)
        advice = advice or "mend it, and return [] where nothing is found"
        raise ContractError(f"{call} of the {titled(base)} raised {raised(error)}; {advice}.") from error


def asked(
    base: KnowledgeBase, operation: str, *arguments: Any, advice: str = "", **named: Any
) -> list[Record]:
    """What a knowledge base answers, which must be a sequence and no error; see `called`."""
    __tracebackhide__ = True
    rows = called(base, operation, *arguments, advice=advice, **named)
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        call = call_text(operation, *arguments, **named)
        broken(f"{call} of the {titled(base)} returned {shown(rows)}; return a list of records, [] for none.")
    return list(cast("Sequence[Record]", rows))


def written(base: KnowledgeBase, records: Iterable[Record]) -> list[Record]:
    """What `write` says that it has stored, empty where it says nothing.

    Args:
        base: The knowledge base.
        records: The records.
    """
    __tracebackhide__ = True
    rows = called(base, "write", records, advice="store what it is given, each with its text and metadata")
    if rows is None:
        return []
    if not isinstance(rows, Sequence) or isinstance(rows, str | bytes):
        broken(
            f"write() of the {titled(base)} returned {shown(rows)}; return records with their ids, or None."
        )
    return list(cast("Sequence[Record]", rows))


def refused_or_nothing(base: KnowledgeBase, operation: str, argument: Any, odd: str) -> None:
    """Demand that something odd is answered with nothing, or with an error of the tree.

    Args:
        base: The knowledge base.
        operation: The name of its method.
        argument: What the method is called with.
        odd: What is odd in it.
    """
    __tracebackhide__ = True
    call = f"{operation}() of the {titled(base)} for {shown(odd)}"
    try:
        rows: Any = getattr(base, operation)(argument)
    except KnowledgeError:
        return
    except Exception as error:
        raise ContractError(
            f"{call} raised {raised(error)}; return [], or raise a KnowledgeError that says what to do."
        ) from error
    demand(not rows, f"{call} gave {shown(rows)}; return [], and serve nothing but what was stored.")


def check_rows(base: KnowledgeBase, operation: str, rows: Sequence[object]) -> None:
    """Demand that rows have the shape of records, and can be sent as JSON."""
    __tracebackhide__ = True
    for row in rows:
        what = f"{operation}() of the {titled(base)} gave {shown(row)}"
        if not isinstance(row, Mapping):
            broken(f'{what}; give mappings with "text" and "metadata".')
        record = cast("Mapping[str, Any]", row)
        demand(isinstance(record.get("text"), str), f'{what}; put a text under "text".')
        metadata = record.get("metadata")
        demand(
            isinstance(metadata, Mapping),
            f'{what}; put a mapping under "metadata", {{}} if nothing is known.',
        )
        problem = why_no_json(dict(cast("Mapping[str, Any]", metadata)))
        demand(not problem, f"{what}, whose metadata is no JSON ({problem}); turn such values into text.")


def why_no_json(value: object) -> str:
    """What keeps a value from being sent as JSON, "" if nothing does."""
    try:
        again = json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        return raised(error)
    return "" if again == value else "it comes back as something else"


def text_of(row: object) -> str:
    """The text of a row, "" if it has none."""
    text = _part(row, "text")
    return text if isinstance(text, str) else ""


def metadata_of(row: object) -> Mapping[str, Any]:
    """The metadata of a row, empty if it has none."""
    metadata = _part(row, "metadata")
    return cast("Mapping[str, Any]", metadata) if isinstance(metadata, Mapping) else {}


def id_of(row: object) -> str:
    """The id of a row, "" if it has none."""
    id_ = metadata_of(row).get("id")
    return id_ if isinstance(id_, str) else ""


def identities(rows: Sequence[object]) -> list[tuple[str, str]]:
    """What tells rows apart: their ids and texts."""
    return [(id_of(row), text_of(row)) for row in rows]


def plain(text: str) -> str:
    """A text without differences of blanks."""
    return " ".join(text.split())


def titled(base: KnowledgeBase) -> str:
    """A knowledge base as sentences name it, after an article."""
    return f"knowledge base {base.backend_name!r}"


def _part(row: object, key: str) -> object:
    return cast("Mapping[str, object]", row).get(key) if isinstance(row, Mapping) else None
