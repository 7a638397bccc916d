"""The shapes that `Bundle` answers in: plain dictionaries, ready for JSON."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class LinkView(TypedDict):
    """A link of a concept.

    One of: `id` and `exists` (a concept); `id`, `dir` and `exists` (a folder, for `kb_index`); `file` and
    `exists` (a file that is no concept); `url` and `external`.
    """

    id: NotRequired[str]
    dir: NotRequired[bool]
    exists: NotRequired[bool]
    file: NotRequired[str]
    url: NotRequired[str]
    external: NotRequired[bool]
    anchor: NotRequired[str]
    field: NotRequired[str]
    invalid: NotRequired[bool]
    did_you_mean: NotRequired[str]


class BacklinksView(TypedDict):
    """Which concepts link to a concept: how many, and the first few ids."""

    count: int
    first: list[str]


class HeaderView(TypedDict):
    """What every answer says of a concept: what it is, and how far to trust it."""

    id: str
    type: str
    title: str
    description: str
    status: str
    trust: str
    stale: bool


class ConceptView(HeaderView):
    """A concept as `Bundle.read` returns it."""

    tags: list[str]
    warnings: list[str]
    extra: dict[str, Any]
    body: str
    links: list[LinkView]
    backlinks: BacklinksView
    revision: str
    section: NotRequired[str]


WhyView = TypedDict(
    "WhyView",
    {"asked": str, "found": list[str], "as": str, "edits": int, "in": list[str], "weight": int},
)
"""How a concept answers one asked word: the words `found` there, "as" what they are taken ("exact", another
"form", a "part" of a compound, or "near" in spelling), how many `edits` lie between, "in" which fields they
stand, and how much the word counts by its rarity."""


class HitView(HeaderView):
    """A concept found; `why` when an explanation was asked for."""

    snippet: str
    why: NotRequired[list[WhyView]]
    verified_before_last_change: NotRequired[bool]
    expiry_unreadable: NotRequired[bool]


class FindView(TypedDict):
    """The answer of `Bundle.find`.

    `total` counts all matches, `results` holds the first of them; `skipped_invalid` files could not be
    searched because they are no valid concepts, `skipped_unreadable` files and folders because they could not
    be read; `left_out_deprecated` matches are deprecated and were not
    asked for; `still_reading` concepts can only be found by their headers yet; `left_out_words` of a long
    question were not searched for.
    """

    results: list[HitView]
    total: int
    skipped_invalid: int
    left_out_deprecated: int
    skipped_unreadable: NotRequired[int]
    corrected: NotRequired[dict[str, list[str]]]
    still_reading: NotRequired[int]
    left_out_words: NotRequired[int]
    message: NotRequired[str]


class NeighboursView(TypedDict):
    """What a concept links to in its bundle, and what links to it: ids of concepts and folders."""

    links: list[str]
    backlinks: list[str]


class FolderEntryView(TypedDict):
    """A folder within a folder: its id, and how many concepts lie in it and below."""

    id: str
    concepts: int


class ContentsView(TypedDict):
    """What lies directly in a folder, as `Bundle.contents` returns it.

    `index` is the text of its own index.md as written, without frontmatter, and "" where there is none;
    `marks` says of concepts that it lists what a reader must not miss, by id. `folders` and `concepts` are
    what the index.md does not list, sorted, `total` how many these are; `not_shown` files are no valid
    concepts, or could not be read; `problem` says why the index.md could not be.
    """

    id: str
    index: str
    marks: dict[str, list[str]]
    folders: list[FolderEntryView]
    concepts: list[HeaderView]
    total: int
    not_shown: int
    problem: NotRequired[str]


class OverviewView(TypedDict):
    """What a bundle holds, as `Bundle.overview` returns it.

    `okf_version` is what the root index.md declares, "" when it declares none. `types` and `folders` count
    concepts, by type as written and by folder at the top; `reserved` counts the files index.md and log.md of
    all folders; `skipped` files are no valid concepts, or could not be read.
    """

    okf_version: str
    concepts: int
    types: dict[str, int]
    folders: dict[str, int]
    reserved: dict[str, int]
    skipped: int


class LogEntryView(TypedDict):
    """One entry of a log.md: its date ("" when the heading above it has none), that heading, and its text."""

    date: str
    heading: str
    text: str
