"""`OKFTools`: three tools with which an agent walks a bundle. Their docstrings are the prompts."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, Optional

from fingerpost.bundle import Bundle
from fingerpost.bundle.shapes import ConceptView
from fingerpost.stores.base import DocumentStore
from fingerpost.tools import LISTING_CHARS, READING_CHARS, Cut, ToolResult, check_name, tool_method
from fingerpost.tools.frame import frame
from fingerpost.tools.pages import pages
from fingerpost.tools.plain import to_json

_PAGING_CHARS = 300  # what "page", "pages", "next" and a note take

_HIT_CUTS = (Cut("results", "call kb_find again with a smaller limit or more words"),)
_READ_CUTS = (
    Cut("links", "read the body's own links, or ask for one section"),
    Cut("extra", "open the file itself"),
    Cut("backlinks", "search for the title with kb_find"),
)


class OKFTools:
    """The three tools over one bundle. Each is a plain function that returns text and never raises.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names, for several bundles in one agent ("support_").
        max_chars: Longest answer of any tool, in characters; by default 6,000 for listings and 20,000 for
            reading.

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """

    def __init__(
        self,
        bundle: str | os.PathLike[str] | DocumentStore | Bundle,
        prefix: str = "",
        max_chars: int | None = None,
    ) -> None:
        check_name(f"{prefix}kb_index")
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
        size = max(200, (self.max_chars or LISTING_CHARS) - 400)
        text, number, count = self.bundle.index_page(path, page=page, max_chars=size)
        more = f" (call again with page={number + 1} for the next)" if number < count else ""
        label = f"Index of {path.strip() or '/'}, page {number} of {count}{more}"
        return ToolResult(
            data={"path": path, "page": number, "pages": count, "text": text},
            text=frame(text, label),
            notes=self._notes(),
        )

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
        view = self.bundle.read(concept_id, section)
        return ToolResult(data=self._page(view, page), notes=self._notes())

    @tool_method(max_chars=LISTING_CHARS, cuts=_HIT_CUTS)
    def kb_find(
        self,
        text: Optional[str] = None,
        type: Optional[str] = None,  # noqa: A002 - the name of the field
        tags: Optional[list[str]] = None,
        include_deprecated: bool = False,
        limit: int = 20,
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
        """
        found = self.bundle.find(text, type, tags, include_deprecated=include_deprecated, limit=limit)
        return ToolResult(data=dict(found), notes=self._notes())

    def _notes(self) -> tuple[str, ...]:
        trouble = self.bundle.trouble
        return (
            (f"The knowledge base could not be refreshed; this is its last good state. {trouble}",)
            if trouble
            else ()
        )

    def _page(self, view: ConceptView, page: int) -> dict[str, Any]:
        """The concept with the one page of its body that fits beside the rest."""
        budget = self.max_chars or READING_CHARS
        data: dict[str, Any] = dict(view)
        rest = len(to_json({**data, "body": ""}))
        spans = pages(view["body"], max(budget - rest - _PAGING_CHARS, budget // 2))
        if len(spans) == 1:
            return data
        number = min(max(1, page), len(spans))
        start, end = spans[number - 1]
        data["body"] = view["body"][start:end]
        data["page"], data["pages"] = number, len(spans)
        if number < len(spans):
            data["next"] = f"The text goes on: call again with page={number + 1}, or with a section."
        return data
