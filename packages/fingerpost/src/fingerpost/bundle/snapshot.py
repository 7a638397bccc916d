"""What is known of a bundle at one moment: every path, and the headers of its concepts. Immutable.

A snapshot is replaced as a whole when something changed, so that each answer comes from one state that
existed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from fingerpost.bundle.shapes import HeaderView
from fingerpost.okf.paths import Reference, portable_key
from fingerpost.okf.trust import Tier
from fingerpost.records import Finding
from fingerpost.stores.base import Skipped, is_hidden

INDEX, LOG, SUFFIX = "index.md", "log.md", ".md"


@dataclass(frozen=True, slots=True)
class Header:
    """What is kept in memory of a concept; the body stays in the store.

    Attributes:
        path: Bundle-relative path of the file.
        id: Concept id, as it is printed.
        type: Non-empty text.
        title: The title, or one made of the file name.
        description: One sentence, or "".
        status: "stable", "draft", "deprecated", or what the author wrote.
        tags: Tags in the order written.
        trust: Trust tier.
        outdated_check: Whether the latest verification is older than the content.
        stale_after: From when on the concept is stale.
        expiry_unreadable: Whether it says so in a way that nobody can read.
        references: What its links and path fields point to within the bundle.
        findings: What was found wrong with the file.
    """

    path: str
    id: str
    type: str
    title: str
    description: str
    status: str
    tags: tuple[str, ...]
    trust: Tier
    outdated_check: bool
    stale_after: datetime | None
    expiry_unreadable: bool
    references: tuple[Reference, ...]
    findings: tuple[Finding, ...]

    def stale(self, now: datetime) -> bool:
        """Whether `stale_after` has come (OKF 0.2 §5.5, the instant itself included)."""
        return self.stale_after is not None and now >= self.stale_after

    def view(self, now: datetime) -> HeaderView:
        """What every answer says of the concept."""
        return {
            "id": self.id,
            "type": self.type,
            "title": self.title,
            "description": self.description,
            "status": self.status,
            "trust": self.trust,
            "stale": self.stale(now),
        }


@dataclass(frozen=True)
class Directory:
    """A folder of the bundle: names of its sub-folders and paths of its concepts, both sorted."""

    path: str
    folders: tuple[str, ...]
    concepts: tuple[str, ...]


@dataclass(frozen=True)
class Snapshot:
    """The state of a bundle.

    Attributes:
        headers: Concepts by path.
        invalid: Markdown files that are no concepts, by path, with the findings that say why.
        files: All paths, hidden ones left out.
        skipped: What the store could not list or read.
        trouble: Why the last refresh failed, "" when it did not.
        backlinks: Ids of the concepts that link to a path, for the paths that were asked about.
    """

    headers: Mapping[str, Header] = field(default_factory=dict[str, Header])
    invalid: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict[str, tuple[Finding, ...]])
    files: frozenset[str] = frozenset()
    skipped: tuple[Skipped, ...] = ()
    trouble: str = ""
    backlinks: dict[str, list[str]] = field(default_factory=dict[str, list[str]], compare=False)

    def with_trouble(self, trouble: str) -> Snapshot:
        """The same state, marked with why it could not be refreshed."""
        return self if trouble == self.trouble else replace(self, trouble=trouble)

    @cached_property
    def directories(self) -> Mapping[str, Directory]:
        """All folders by path, the root as ""; every folder that holds a file at any depth is there."""
        folders: dict[str, set[str]] = {"": set()}
        concepts: dict[str, list[str]] = {}
        for path in self.files:
            parent = path.rpartition("/")[0]
            if path in self.headers:
                concepts.setdefault(parent, []).append(path)
            while parent not in folders:
                folders[parent] = set()
                parent = parent.rpartition("/")[0]
        for path in folders.keys() - {""}:
            above, _, name = path.rpartition("/")
            folders[above].add(name)
        return {
            path: Directory(path, tuple(sorted(names)), tuple(sorted(concepts.get(path, ()))))
            for path, names in folders.items()
        }

    @cached_property
    def spellings(self) -> Mapping[str, tuple[str, ...]]:
        """Paths of files and folders by their portable key (Unicode form and letter case apart)."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.files | self.directories.keys()):
            found.setdefault(portable_key(path), []).append(path)
        return {key: tuple(paths) for key, paths in found.items()}

    @cached_property
    def folders_by_id(self) -> Mapping[str, str]:
        """Paths of folders by printed id."""
        return {folder_id(path): path for path in self.directories}

    @cached_property
    def by_id(self) -> Mapping[str, Header]:
        """Concepts by printed id."""
        return {header.id: header for header in self.headers.values()}


def is_reserved(path: str) -> bool:
    """Whether a path is an index.md or a log.md, which are never concepts (OKF 0.2 §3.1)."""
    return path.rpartition("/")[2] in (INDEX, LOG)


def concept_id(path: str) -> str:
    """The id of the concept at a path, as it is printed: the path without `.md` (OKF 0.2 §2).

    A comma is printed as %2C, so that ids can be listed. What would then be two concepts of one id, or an id
    that reads like a path, is told apart by its percent code: `a%2Cb.md` has the id `a%252Cb`, `x.md.md` the
    id `x%2Emd`.
    """
    return _printed(path.removesuffix(SUFFIX))


def folder_id(path: str) -> str:
    """The id of a folder as tools print it: `policies/`, the root as `/`."""
    return _printed(path) + "/"


def _printed(path: str) -> str:
    printed = path.replace("%2C", "%252C").replace(",", "%2C") if "," in path or "%2C" in path else path
    return f"{printed.removesuffix(SUFFIX)}%2Emd" if printed.endswith(SUFFIX) else printed


def visible(paths: Iterable[str]) -> frozenset[str]:
    """The paths that are served: hidden ones left out, whatever the store does."""
    return frozenset(path for path in paths if not is_hidden(path))
