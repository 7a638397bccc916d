"""`OKFTools`: three tools with which an agent walks a bundle. Their docstrings are the prompts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Optional

from fingerpost.bundle import Bundle
from fingerpost.bundle.search import MAX_LIMIT, left_out_words_note
from fingerpost.bundle.shapes import FindView, HitView
from fingerpost.errors import KnowledgeError
from fingerpost.stores.base import DocumentStore
from fingerpost.tools import (
    LISTING_CHARS,
    READING_CHARS,
    Cut,
    ToolResult,
    check_budget,
    check_name,
    tool_method,
)
from fingerpost.tools.allowance import allowed_chars
from fingerpost.tools.budget import fit
from fingerpost.tools.coerce import bound_note
from fingerpost.tools.frame import frame, one_line
from fingerpost.tools.pages import other_page_note, pages
from fingerpost.tools.plain import to_json

_TROUBLE_CHARS = 500
_STILL_READING = (
    "The text of {} concepts is still being read; until then they are found by title, id, tags, type and "
    "description alone. Search again in a while to be sure."
)
_PAGING_CHARS = 400  # what "page", "pages", "next" and a note take
_READ_CUTS = (
    Cut("links", "The body has its own links; or read one section."),
    Cut("extra", "The file itself has it."),
    Cut("backlinks", "Search for the title with kb_find."),
    Cut("description", "The file itself has it."),
    Cut("tags", "The file itself has them."),
    Cut("title", "The file itself has it."),
)


class OKFTools:
    """The three tools over one bundle. Each is a plain function that returns text and never raises.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one agent ("support_").
        max_chars: Longest answer of any tool, in characters, at least 2,000; by default 6,000 for listings
            and 20,000 for reading.

    Raises:
        ConfigError: If the bundle does not exist, the prefix makes no valid tool name, or the budget is too
            small.
    """

    def __init__(
        self,
        bundle: str | os.PathLike[str] | DocumentStore | Bundle,
        prefix: str = "",
        max_chars: int | None = None,
    ) -> None:
        check_name(f"{prefix}kb_index")
        if max_chars is not None:
            check_budget(max_chars)
        self.bundle = Bundle.of(bundle)
        self.prefix = prefix
        self.max_chars = max_chars

    def functions(self) -> list[Callable[..., str]]:
        """The tools, in the order in which an agent meets them."""
        return [self.kb_index, self.kb_read, self.kb_find]

    @property
    def names(self) -> list[str]:
        """The names of the tools, prefix included."""
        return [function.__name__ for function in self.functions()]

    @property
    def instructions(self) -> str:
        """What to tell a model about the tools, in two sentences; for a system prompt."""
        index, read, find = self.names
        return (
            f"A knowledge base. Call {index} to see what it holds and {find} to search it; open what you "
            f"rely on with {read}, heed its warnings, and cite the ids that you answered from."
        )

    @tool_method(max_chars=LISTING_CHARS)
    def kb_index(self, path: str = "/", page: int = 1) -> ToolResult:
        """List what a folder of the knowledge base holds: its sub-folders and concepts, each with its id.

        Start here when you do not know what there is. Entries marked deprecated, draft or stale need care.
        Open a concept with kb_read, a folder with kb_index.

        Args:
            path: The folder, such as "/" for the top or "policies/" for a folder listed there.
            page: Which page, when a list has several.
        """
        return self._attempt(lambda: self._index(path, page))

    @tool_method(max_chars=READING_CHARS, cuts=_READ_CUTS)
    def kb_read(self, concept_id: str, section: str = "", page: int = 1) -> ToolResult:
        """Read one concept of the knowledge base: its text, how far to trust it, and where its links lead.

        Heed "warnings", "status", "trust" and "stale" before you rely on it: never present a deprecated
        concept as current, follow its links to the one that replaces it. Cite the "id" you answered from.
        Every "id" under "links" can be read with this tool, or with kb_index where "dir" is true.

        Args:
            concept_id: The concept's id, such as "policies/refunds", as printed by kb_index, kb_find or under
                "links".
            section: A heading of the concept, to read that part alone. Leave empty for the whole text.
            page: Which page of the text, when it is long; "pages" in the answer says how many there are.
        """
        return self._attempt(lambda: self._read(concept_id, section, page))

    @tool_method(max_chars=LISTING_CHARS)
    def kb_find(
        self,
        text: Optional[str] = None,
        type: Optional[str] = None,  # noqa: A002 - the name of the field
        tags: Optional[list[str]] = None,
        include_deprecated: bool = False,
        limit: int = 20,
        offset: int = 0,
    ) -> ToolResult:
        """Search the knowledge base by words, type and tags. Returns ids with titles and signals, best first.

        Use a few words that the text itself would use, not a whole question. Open a result with kb_read.
        Deprecated concepts are left out and counted under "left_out_deprecated".

        Args:
            text: Words to look for in titles, descriptions, tags and text. Leave out to list by type or tags
                alone.
            type: Only concepts of this type, such as "Policy".
            tags: Only concepts that carry all of these tags.
            include_deprecated: Set to true to see retired concepts too, for example to explain a change.
            limit: Most results to return, from 1 to 100.
            offset: How many results to pass over, to see further ones; "next" in the answer says how many.
        """

        def answer() -> ToolResult:
            found = self.bundle.find(
                text, type, tags, include_deprecated=include_deprecated, limit=limit, offset=offset
            )
            return self._find(found, limit, offset)

        return self._attempt(answer)

    def _attempt(self, answer: Callable[[], ToolResult]) -> ToolResult:
        """An answer or the sentence of its error, with a note when the knowledge base is not wholly there."""
        try:
            result = answer()
        except KnowledgeError as error:
            result = ToolResult(data={"error": str(error)}, is_error=True)
        trouble = self.bundle.trouble
        if not trouble:
            return result
        reason = one_line(trouble, _TROUBLE_CHARS)
        note = f"Not all of the knowledge base could be read now, so this may be old or not all. {reason}"
        return replace(result, notes=(*result.notes, note))

    def _index(self, path: str, page: int) -> ToolResult:
        size = allowed_chars(self.max_chars or LISTING_CHARS) - _PAGING_CHARS
        text, number, count = self.bundle.index_page(path, page=page, max_chars=size)
        more = f" (call again with page={number + 1} for the next)" if number < count else ""
        label = f"Index of {path.strip() or '/'}, page {number} of {count}{more}"
        data = {"path": path, "page": number, "pages": count, "text": text}
        return ToolResult(data=data, text=frame(text, label), notes=_other_page(page, number))

    def _read(self, concept_id: str, section: str, page: int) -> ToolResult:
        """A concept with the page of its body that fits beside the rest, which takes two thirds at most."""
        view = self.bundle.read(concept_id, section)
        budget = allowed_chars(self.max_chars or READING_CHARS) - _PAGING_CHARS
        room = budget - min(len(to_json(view["body"])), budget // 3)
        rest, _ = fit({**view, "body": ""}, room, _READ_CUTS)
        spans = pages(view["body"], budget - len(to_json(rest)))
        number = min(max(1, page), len(spans))
        start, end = spans[number - 1]
        data: dict[str, Any] = {**rest, "body": view["body"][start:end]}
        if len(spans) > 1:
            data["page"], data["pages"] = number, len(spans)
        if number < len(spans):
            data["next"] = f"The text goes on: call again with page={number + 1}, or with a section."
        return ToolResult(data=data, notes=_other_page(page, number))

    def _find(self, found: FindView, limit: int, offset: int) -> ToolResult:
        """As many of the results as fit, and how to get the rest."""
        budget = allowed_chars(self.max_chars or LISTING_CHARS) - _PAGING_CHARS
        data: dict[str, Any] = {**found, "results": list[HitView]()}
        room = budget - len(to_json(data))
        for hit in found["results"]:
            room -= len(to_json(hit)) + 2
            if room < 0 and data["results"]:
                break
            data["results"].append(hit)
        shown = max(offset, 0) + len(data["results"])
        if shown < found["total"] and data["results"]:
            data["next"] = f"There are more: call again with offset={shown}."
        left = data.pop("still_reading", 0)
        notes = (
            *_set_to_bounds(limit, offset),
            left_out_words_note(data.pop("left_out_words", 0)),
            _STILL_READING.format(left) if left and found["total"] else "",
        )
        return ToolResult(data=data, notes=tuple(filter(None, notes)))


def _set_to_bounds(limit: int, offset: int) -> Iterator[str]:
    """What to say of numbers that are more or less than `Bundle.find` takes."""
    if limit < 1:
        yield bound_note('"limit"', 1, "least")
    if limit > MAX_LIMIT:
        yield bound_note('"limit"', MAX_LIMIT, "most")
    if offset < 0:
        yield bound_note('"offset"', 0, "least")


def _other_page(asked: int, given: int) -> tuple[str, ...]:
    return tuple(filter(None, [other_page_note(asked, given)]))
