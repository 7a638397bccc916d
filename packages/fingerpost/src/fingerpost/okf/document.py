"""One Markdown file read as a concept (OKF 0.2 §4): never an exception, always what could be made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from fingerpost.okf.attestation import (
    AttestedComputation,
    is_attested_computation,
    read_attested_computation,
)
from fingerpost.okf.dates import Instant
from fingerpost.okf.field_reader import FieldReader, QuietReader, kind_of
from fingerpost.okf.frontmatter import Frontmatter, in_order, open_text
from fingerpost.okf.provenance import (
    Event,
    Source,
    UsageWindow,
    read_generated,
    read_sources,
    read_usage_window,
    read_verified,
)
from fingerpost.okf.yaml_problems import Path, field_name, shown
from fingerpost.okf.yaml_text import Value
from fingerpost.records import Finding

STATUSES = ("draft", "stable", "deprecated")
"""The statuses of the specification (§5.4)."""

_HEADER = frozenset(("type", "title", "description", "status", "tags"))
_PATH_FIELDS: tuple[tuple[Path, str, str], ...] = (
    (("resource",), "resource", ""),
    (("computation",), "computation", ""),
    (("executor", "resource"), "executor", "resource"),
    (("attester", "resource"), "attester", "resource"),
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ROOTED = re.compile(r"/|\.\.?/")
_FILE_NAME = re.compile(
    r"[^/]+\.(?:md|markdown|txt|csv|tsv|json|jsonl|ya?ml|toml|sql|py|ipynb|js|ts|sh|html?|xml|pdf|docx|xlsx|pptx"
    r"|parquet|png|jpe?g|gif|svg|webp)",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


class PathField(NamedTuple):
    """A frontmatter field that may hold a path (§6.2).

    Attributes:
        field: Name of the field, such as "sources[0].resource".
        value: What it holds: a path, a URL or words; `looks_like_path` tells.
        line: Line of the field in the file, from 1.
        column: Column of the field, from 1.
    """

    field: str
    value: str
    line: int
    column: int


class Document(NamedTuple):
    """A file as it was read.

    Attributes:
        path: The path that was given for it.
        frontmatter: The fields and their places; empty when there is no frontmatter that can be read.
        is_concept: Whether there is a frontmatter that can be read, with a type.
        body: Everything after the frontmatter, as it is.
        body_line: Line of the file on which the body starts, from 1.
        body_offset: Offset of the body in the decoded text, in characters.
        findings: What is wrong with frontmatter and encoding, in the order of the lines.
        type: The type, "" when there is none.
        title: The title, "" when there is none.
        description: The description, "" when there is none.
        status: "draft", "stable" (also when absent), "deprecated", or an unknown status as written.
        tags: The tags, each once.
        resource: URL or path of what the concept is about, or "".
        sources: Material that it derives from.
        usage_window: Period of the usage counts of its sources.
        generated: Who produced the content and when.
        verified: Who checked it and when.
        stale_after: From when on it is stale.
        attested: What an Attested Computation declares, None for every other type.
    """

    path: str
    frontmatter: Frontmatter
    is_concept: bool
    body: str
    body_line: int
    body_offset: int
    findings: tuple[Finding, ...]
    type: str
    title: str
    description: str
    status: str
    tags: tuple[str, ...]
    resource: str
    sources: tuple[Source, ...]
    usage_window: UsageWindow | None
    generated: Event | None
    verified: tuple[Event, ...]
    stale_after: Instant | None
    attested: AttestedComputation | None

    @property
    def display_title(self) -> str:
        """The title, or else the words of the file name."""
        return self.title or _title_of(self.path)

    @property
    def extra(self) -> dict[str, Value]:
        """All fields but type, title, description, status and tags, as plain JSON values."""
        return {key: value for key, value in self.frontmatter.values.items() if key not in _HEADER}

    @property
    def path_values(self) -> list[str]:
        """What the fields hold that may hold a path, those left out that hold no text."""
        return _paths_in(self.frontmatter.values)

    @property
    def path_fields(self) -> tuple[PathField, ...]:
        """The fields that may hold a path, those left out that hold no text."""
        return tuple(
            PathField(field_name(path), value.strip(), *self.frontmatter.position(*path))
            for path, value in _path_values(self.frontmatter.values)
            if isinstance(value, str) and value.strip()
        )


class Gist(NamedTuple):
    """What an index needs to know of a file; each attribute is that of `Document`.

    Attributes:
        path: As there, and so on.
        frontmatter: Its places are not looked for.
        is_concept: The rest is of no use when it is none.
        body: All that is read of it is where it begins.
        type: The type.
        title: The title.
        description: The description.
        status: The status.
        tags: The tags.
        generated: Who produced the content and when.
        verified: Who checked it and when.
        stale_after: From when on it is stale.
    """

    path: str
    frontmatter: Frontmatter
    is_concept: bool
    body: str
    type: str
    title: str
    description: str
    status: str
    tags: tuple[str, ...]
    generated: Event | None
    verified: tuple[Event, ...]
    stale_after: Instant | None

    @property
    def display_title(self) -> str:
        """The title, or else the words of the file name."""
        return self.title or _title_of(self.path)

    @property
    def path_values(self) -> list[str]:
        """What the fields hold that may hold a path, those left out that hold no text."""
        return _paths_in(self.frontmatter.values)


def read_gist(data: bytes, path: str) -> Gist:
    """Read a file for an index, which takes less time than `read_document`: nothing is said of what is wrong.

    Args:
        data: The bytes of the file, whatever they are.
        path: Its bundle-relative path.
    """
    opened = open_text(data, quietly=True)
    reader = QuietReader(opened.frontmatter or Frontmatter())
    values = reader.values
    concept_type = _type(reader) if opened.frontmatter is not None else ""
    return Gist(
        path,
        reader.frontmatter,
        bool(concept_type),
        opened.body,
        concept_type,
        reader.text(values, "title"),
        reader.text(values, "description"),
        _status(reader),
        _tags(reader),
        read_generated(reader),
        read_verified(reader),
        reader.instant(values, "stale_after"),
    )


def read_document(data: bytes, path: str) -> Document:
    """Read a file as a concept.

    Args:
        data: The bytes of the file, whatever they are.
        path: Its bundle-relative path; it gives the title when the file has none.

    Returns:
        The document, with everything that is wrong with it in `findings`.
    """
    opened = open_text(data)
    reader = FieldReader(opened.frontmatter or Frontmatter())
    values = reader.values
    concept_type = _type(reader) if opened.frontmatter is not None else ""
    if "okf_version" in values:
        reader.report("OKF515", ("okf_version",), "`okf_version` stands on a concept.")
    attested = is_attested_computation(concept_type)
    return Document(
        path=path,
        frontmatter=reader.frontmatter,
        is_concept=bool(concept_type),
        body=opened.body,
        body_line=opened.body_line,
        body_offset=opened.body_offset,
        type=concept_type,
        title=reader.text(values, "title"),
        description=reader.text(values, "description"),
        status=_status(reader),
        tags=_tags(reader),
        resource=reader.text(values, "resource"),
        sources=read_sources(reader),
        usage_window=read_usage_window(reader, values, "usage_window"),
        generated=read_generated(reader),
        verified=read_verified(reader),
        stale_after=reader.instant(values, "stale_after"),
        attested=read_attested_computation(reader) if attested else None,
        findings=in_order(opened.findings, reader.findings),
    )


def looks_like_path(value: str) -> bool:
    """Whether the value of a path field is meant as a path, not as a URL, a dotted name or words.

    A path starts with `/`, `./` or `../`, or has no blanks and either a folder or a file suffix:
    `schema.table` is a name, `tables/orders` and `orders.md` are paths. An anchor may follow.
    """
    text = value.partition("#")[0].strip()
    if not text or _SCHEME.match(text) or _CONTROL.search(text):
        return False
    if _ROOTED.match(text):
        return True
    return " " not in text and ("/" in text or _FILE_NAME.fullmatch(text) is not None)


def has_file_suffix(path: str) -> bool:
    """Whether a path, blanks and all, ends like a file that a bundle may hold: `two words.md#top`."""
    name = path.partition("#")[0].rstrip().rpartition("/")[2]
    return _FILE_NAME.fullmatch(name) is not None and not _CONTROL.search(path)


def date_text(document: Document) -> Literal["july", "august", ""]:
    """Which text of OKF 0.2 the dates of a concept follow.

    Args:
        document: The concept.

    Returns:
        "july" when `stale_after`, a `last_modified` or a `usage_window` is a bare date, "august" when they
        are times with an offset, "" when there are none.
    """
    windows = [document.usage_window, *(source.usage_window for source in document.sources)]
    instants = [document.stale_after, *(source.last_modified for source in document.sources)]
    for window in windows:
        instants += [window.start, window.end] if window else []
    forms = {instant.form for instant in instants if instant}
    return "july" if "date" in forms else "august" if "datetime" in forms else ""


def _type(reader: FieldReader) -> str:
    path = ("type",)
    if "type" not in reader.values:
        reader.report("OKF201", path, "The frontmatter has no `type`.")
        return ""
    value = reader.values["type"]
    if not isinstance(value, str) or not value.strip():
        kind = "blank" if isinstance(value, str) else kind_of(value)
        reader.report("OKF202", path, f"`type` is {kind} and has to be a text.")
        return ""
    if reader.is_number(path, value):
        reader.report("OKF513", path, f"`type` is the number {shown(value)}, and is read as a text.")
    return value.strip()


def _status(reader: FieldReader) -> str:
    status = reader.text(reader.values, "status")
    if not status:
        return "stable"
    if status.lower() in STATUSES:
        return status.lower()
    reader.report("OKF506", ("status",), f"The status `{shown(status)}` is none of {', '.join(STATUSES)}.")
    return status


def _tags(reader: FieldReader) -> tuple[str, ...]:
    tags = reader.values.get("tags")
    path = ("tags",)
    if tags is None:
        return ()
    if isinstance(tags, dict):
        reader.report("OKF507", path, "`tags` is a mapping and is left out.")
        return ()
    if isinstance(tags, str):
        reader.report("OKF507", path, f"`tags` is the text `{shown(tags)}`, not a list.")
        inner = tags.strip()
        inner = inner[1:-1] if inner.startswith("[") and inner.endswith("]") else inner
        return _distinct(part.strip().strip("\"'") for part in inner.split(","))
    texts = [item for item in tags if isinstance(item, str)]
    if len(texts) < len(tags):
        for index, item in enumerate(tags):
            if isinstance(item, list | dict):
                here = (*path, index)
                reader.report("OKF507", here, f"`{field_name(here)}` is {kind_of(item)} and is left out.")
    return _distinct(texts)


def _distinct(tags: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, map(str.strip, tags))))


def _title_of(path: str) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    words = " ".join(name.replace("-", " ").replace("_", " ").split())
    return words[:1].upper() + words[1:]


def _paths_in(values: dict[str, Value]) -> list[str]:
    found = [value for _, value in _path_values(values)]
    return [value.strip() for value in found if isinstance(value, str) and value.strip()]


def _path_values(values: dict[str, Value]) -> Iterator[tuple[Path, Value]]:
    """The values of all fields that may hold a path, sources first."""
    sources = values.get("sources")
    entries = sources if isinstance(sources, list) else []
    for index, entry in enumerate(entries):
        path = ("sources", index)
        yield ((*path, "resource"), entry.get("resource")) if isinstance(entry, dict) else (path, entry)
    if isinstance(sources, dict):
        yield ("sources", "resource"), sources.get("resource")
    for path, key, inner in _PATH_FIELDS:
        value = values.get(key)
        if value is not None:
            yield path, value if not inner else value.get(inner) if isinstance(value, dict) else None
