"""The state of a store at one moment, and how two of them differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

YOUNG = "~"
"""What ends the signature of a file that may change again without the signature changing."""

_SPLICED_FROM = 1 << 15  # characters from which a listing is spliced, when few of its files changed
_SPLICES = 8


@dataclass(frozen=True, slots=True, eq=False)
class Cursor:
    """The state of a store, folder by folder. Never altered.

    A cursor may be written out by its parts, and read back by another process. It is as large as the text in
    it, however many files that is.

    Attributes:
        parts: The listing of each folder that holds files, by the folder's path, "" for the top one. It is a
            text: the name, a NUL, the signature and a NUL for each file directly in the folder, in any order.
            Equal listings stand for equal files, except those whose signatures end in "~".
    """

    parts: Mapping[str, str] = field(default_factory=dict[str, str])

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", dict(self.parts))

    @classmethod
    def of(cls, signatures: Iterable[tuple[str, str]]) -> Cursor:
        """The cursor of some paths with their signatures, each path once."""
        listings: dict[str, list[str]] = {}
        for path, signature in signatures:
            folder, name = split(path)
            listings.setdefault(folder, []).append(f"{name}\0{_without_nul(signature)}\0")
        return cls({folder: "".join(lines) for folder, lines in listings.items()})

    def paths(self) -> Iterator[str]:
        """The path of each file, in any order."""
        for folder, text in self.parts.items():
            yield from paths_in(folder, text)

    def signature(self, path: str) -> str | None:
        """The signature of a file, None when there is no such file."""
        folder, name = split(path)
        return signature_in(self.parts.get(folder, ""), name)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.signature(path) is not None

    def __len__(self) -> int:
        return sum(map(count_in, self.parts.values()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cursor):
            return NotImplemented
        if self is other:
            return True
        return all(
            _same(self.parts.get(folder, ""), other.parts.get(folder, ""))
            for folder in self.parts.keys() | other.parts.keys()
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]


@dataclass(frozen=True, slots=True)
class Difference:
    """What lies between two states of a store.

    Attributes:
        cursor: The later state; the earlier one itself when nothing changed.
        changed: Paths that are new, or whose content may differ.
        removed: Paths that are gone.
    """

    cursor: Cursor
    changed: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


def split(path: str) -> tuple[str, str]:
    """The folder of a path, and the name in it."""
    folder, _, name = path.rpartition("/")
    return folder, name


def joined(folder: str, name: str) -> str:
    """The path of a name in a folder."""
    return f"{folder}/{name}" if folder else name


def above(path: str) -> Iterator[str]:
    """The folders that a path lies in, the nearest first; the top folder lies in none."""
    while path:
        path = split(path)[0]
        yield path


def entries(text: str) -> dict[str, str]:
    """The names in a listing with their signatures."""
    fields = text.split("\0")
    return dict(zip(fields[::2], fields[1::2], strict=False))


def paths_in(folder: str, text: str) -> Iterator[str]:
    """The paths of the files in a listing."""
    prefix = f"{folder}/" if folder else ""
    return (prefix + name for name in text.split("\0")[:-1:2])


def count_in(text: str) -> int:
    """How many files a listing names."""
    return text.count("\0") // 2


def signature_in(text: str, name: str) -> str | None:
    """The signature of a name in a listing, None when it is not in it."""
    start = _start(text, name)
    if start < 0:
        return None
    start += len(name) + 1
    return text[start : text.index("\0", start)]


def young_in(text: str) -> set[str]:
    """The names in a listing whose signatures say that they may change unnoticed."""
    if YOUNG not in text or f"{YOUNG}\0" not in text:
        return set()
    return {name for name, signature in entries(text).items() if signature.endswith(YOUNG)}


def updated(text: str, news: Mapping[str, str | None]) -> str:
    """A listing with the signatures of some names replaced; None takes a name out."""
    if len(text) < _SPLICED_FROM or len(news) > _SPLICES:
        held: dict[str, str | None] = {**entries(text), **news}
        return "".join(
            [f"{name}\0{signature}\0" for name, signature in held.items() if signature is not None]
        )
    for name, signature in news.items():
        entry = "" if signature is None else f"{name}\0{signature}\0"
        start = _start(text, name)
        if start < 0:
            text += entry
        else:
            end = text.index("\0", start + len(name) + 1) + 1
            text = text[:start] + entry + text[end:]
    return text


def difference(before: Cursor, now: Mapping[str, str], unread: Collection[str] = ()) -> Difference:
    """How a store differs from an earlier state.

    Args:
        before: The earlier state.
        now: The listings of the folders as they are.
        unread: Files and folders that could not be examined: what was known of them still holds.
    """
    kept = _kept(before.parts, now, unread) if unread else {}
    if kept:
        now = {**now, **{folder: updated(now.get(folder, ""), names) for folder, names in kept.items()}}
    parts: dict[str, str] = {}
    changed, removed = set[str](), set[str]()
    earlier = before.parts
    for folder, text in now.items():
        old = earlier.get(folder, "")
        if old == text:
            parts[folder] = old
            if YOUNG in old:
                changed.update(joined(folder, name) for name in young_in(old))
            continue
        news, gone = changes_between(old, text)
        parts[folder] = text if news or gone else old
        changed.update(joined(folder, name) for name in news)
        removed.update(joined(folder, name) for name in gone)
    for folder in earlier.keys() - parts.keys():
        removed.update(paths_in(folder, earlier[folder]))
    changed.difference_update(joined(folder, name) for folder, names in kept.items() for name in names)
    if not changed and not removed:
        return Difference(before)
    return Difference(Cursor(parts), frozenset(changed), frozenset(removed))


def changes_between(
    old: str, new: str, names: Collection[str] | None = None
) -> tuple[Collection[str], Collection[str]]:
    """Which names of a listing may have other content than in an earlier one, and which are gone.

    Args:
        old: The earlier listing.
        new: The later listing.
        names: The only names that can differ, of which the young ones are not counted; None for any.
    """
    if names is None:
        was, now = entries(old), entries(new)
        changed = [name for name, at in now.items() if was.get(name) != at or at.endswith(YOUNG)]
        return changed, was.keys() - now.keys()
    pairs = [(name, signature_in(old, name), signature_in(new, name)) for name in names]
    return (
        [name for name, was, now in pairs if now is not None and was != now],
        [name for name, was, now in pairs if now is None and was is not None],
    )


def _kept(
    before: Mapping[str, str], now: Mapping[str, str], unread: Collection[str]
) -> dict[str, dict[str, str]]:
    """What was known of places that could not be examined, as names with signatures by folder."""
    kept: dict[str, dict[str, str]] = {}
    for folder, text in before.items():
        if folder in unread or any(place in unread for place in above(folder)):
            kept[folder] = entries(text)
    for path in unread:
        folder, name = split(path)
        signature = signature_in(before.get(folder, ""), name)
        if signature is not None and signature_in(now.get(folder, ""), name) is None:
            kept.setdefault(folder, {})[name] = signature
    return kept


def _start(text: str, name: str) -> int:
    """Where the entry of a name starts, -1 when there is none.

    A signature may read like a name, so only every second field counts.
    """
    if text.startswith(f"{name}\0"):
        return 0
    sought = f"\0{name}\0"
    fields = passed = 0
    at = text.find(sought)
    while at >= 0:
        fields += text.count("\0", passed, at + 1)
        passed = at + 1
        if fields % 2 == 0:
            return passed
        at = text.find(sought, passed)
    return -1


def _same(one: str, other: str) -> bool:
    return one == other or entries(one) == entries(other)


def _without_nul(signature: str) -> str:
    """A signature that a listing can hold: any text of a foreign store's is told apart."""
    return signature.encode("utf-8", "surrogatepass").hex() if "\0" in signature else signature
