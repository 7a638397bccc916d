"""A folder on a disk that has not written everything yet, and what a power cut may leave of it.

Whatever was synced before the cut is there after it. Of what was not, each file keeps a choice of its own:
nothing, all, what came first, any writes, or any sectors of them. Names that were made, moved or removed
since their folder was synced are kept in order, up to some point, which may be another one in each folder; a
folder that has no name of its own yet is lost with all that is in it. What is in shared memory is gone.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

SECTOR = 512


@dataclass(frozen=True, slots=True)
class Call:
    """One call.

    Attributes:
        kind: "o" opens a file, "d" a folder, "k" makes a folder, "w" writes, "t" truncates, "s" syncs, "r"
            renames, "u" removes a name, "m" is a mark.
        descriptor: What it was given, -1 for a path.
        offset: Where it writes, or the size that is left; 1 for a file that is truncated as it is opened.
        path: What it was given.
        data: What it writes; the other path when it renames.
    """

    kind: str
    descriptor: int
    offset: int
    path: str
    data: bytes


@dataclass(eq=False, slots=True)
class _File:
    """What is surely in a file, and the calls that may be lost."""

    synced: bytearray = field(default_factory=bytearray)
    unsynced: list[Call] = field(default_factory=list[Call])

    def sync(self) -> None:
        for call in self.unsynced:
            _apply(self.synced, call)
        self.unsynced.clear()

    def content(self) -> bytes:
        content = bytearray(self.synced)
        for call in self.unsynced:
            _apply(content, call)
        return bytes(content)

    def after_a_cut(self, dice: random.Random) -> bytes:
        content = bytearray(self.synced)
        fate = dice.choice(["nothing", "all", "first", "any", "any", "sectors", "sectors"])
        kept = {"nothing": 0, "first": dice.randint(0, len(self.unsynced))}.get(fate, len(self.unsynced))
        share = dice.choice([0.2, 0.9, 0.99, 0.999])
        for call in self.unsynced[:kept]:
            if fate == "sectors" and call.kind == "w":
                for piece in _sectors(call):
                    if dice.random() < share:
                        _apply(content, piece)
            elif fate != "any" or dice.random() < share:
                _apply(content, call)
        return bytes(content)


def _apply(content: bytearray, call: Call) -> None:
    if call.kind == "t":
        del content[call.offset :]
        content.extend(bytes(call.offset - len(content)))
    else:
        content.extend(bytes(max(0, call.offset - len(content))))
        content[call.offset : call.offset + len(call.data)] = call.data


def _sectors(call: Call) -> Iterator[Call]:
    end = call.offset + len(call.data)
    start = call.offset
    while start < end:
        stop = min(end, start - start % SECTOR + SECTOR)
        yield Call("w", -1, start, "", call.data[start - call.offset : stop - call.offset])
        start = stop


_Node: TypeAlias = "_File | _Folder"


@dataclass(eq=False, slots=True)
class _Folder:
    """The names in a folder as programs see them, and those that are surely on the disk."""

    names: dict[str, _Node] = field(default_factory=dict[str, _Node])
    synced: dict[str, _Node] = field(default_factory=dict[str, _Node])


@dataclass(frozen=True, eq=False, slots=True)
class _Name:
    """What a name in a folder stands for from some moment on, None for nothing."""

    folder: _Folder
    name: str
    node: _Node | None

    @property
    def place(self) -> tuple[int, str]:
        return id(self.folder), self.name

    def put(self, names: dict[str, _Node]) -> None:
        if self.node is None:
            names.pop(self.name, None)
        else:
            names[self.name] = self.node


_Change: TypeAlias = tuple[_Name, ...]
"""Names that change in one step."""


class Disk:
    """A folder on a disk that has not written everything yet; it is empty at first.

    Args:
        folder: The folder that was recorded, links in it resolved.

    Attributes:
        marks: What the process has written to its standard output.
    """

    def __init__(self, folder: Path) -> None:
        self._path = str(folder)
        self._top = _Folder()
        self._unsynced: list[_Change] = []
        self._open: dict[int, _Node] = {}
        self.marks = b""

    def play(self, call: Call) -> None:
        """Do what a call did."""
        match call.kind:
            case "m":
                self.marks += call.data
            case "o":
                self._open[call.descriptor] = self._opened(call)
            case "d":
                self._open[call.descriptor] = self._folder_at(call.path)
            case "k":
                if call.path != self._path:
                    self._change(self._name(call.path, _Folder()))
            case "r":
                old = self._name(call.path, None)
                self._change(old, self._name(os.fsdecode(call.data), old.folder.names[old.name]))
            case "u":
                self._change(self._name(call.path, None))
            case "s":
                self._sync(self._open[call.descriptor])
            case _:
                file = self._open[call.descriptor]
                assert isinstance(file, _File)
                file.unsynced.append(call)

    def end(self) -> dict[str, bytes]:
        """What the end of the process leaves at this moment, by path: all that it did."""
        return {path: file.content() for path, file in _files(self._top, {}, is_synced=False)}

    def cut(self, dice: random.Random) -> dict[str, bytes]:
        """What a power cut may leave at this moment, by path."""
        names: dict[int, dict[str, _Node]] = {}
        for change in self._kept(dice):
            for name in change:
                name.put(names.setdefault(id(name.folder), dict(name.folder.synced)))
        files = _files(self._top, names, is_synced=True)
        return {path: file.after_a_cut(dice) for path, file in files}

    @property
    def is_settled(self) -> bool:
        """Whether no name can be lost, and no file that has one was never synced."""
        return not self._unsynced and all(file.synced for _, file in _files(self._top, {}, is_synced=True))

    def _kept(self, dice: random.Random) -> list[_Change]:
        """The changes of names that were not synced, and are kept all the same."""
        count = len(self._unsynced)
        if dice.random() < 0.5:  # one journal for all folders
            return self._unsynced[: dice.randint(0, count)]
        folders = {id(name.folder) for change in self._unsynced for name in change}
        until = {folder: dice.randint(0, count) for folder in sorted(folders)}
        return [
            change
            for place, change in enumerate(self._unsynced)
            if all(place < until[id(name.folder)] for name in change)
        ]

    def _folder_at(self, path: str) -> _Folder:
        inner = os.path.relpath(path, self._path)
        folder = self._top
        for name in () if inner == "." else inner.split("/"):
            below = folder.names[name]
            assert isinstance(below, _Folder)
            folder = below
        return folder

    def _name(self, path: str, node: _Node | None) -> _Name:
        above, name = os.path.split(path)
        return _Name(self._folder_at(above), name, node)

    def _opened(self, call: Call) -> _File:
        name = self._name(call.path, _File())
        if name.name not in name.folder.names:
            self._change(name)
        file = name.folder.names[name.name]
        assert isinstance(file, _File)
        if call.offset:  # it was truncated
            file.unsynced.append(Call("t", -1, 0, "", b""))
        return file

    def _change(self, *change: _Name) -> None:
        for name in change:
            name.put(name.folder.names)
        self._unsynced.append(change)

    def _sync(self, node: _Node) -> None:
        """A file with its content, or a folder with its names and whatever they depend on."""
        if isinstance(node, _File):
            node.sync()
            return
        needed: set[tuple[int, str]] = set()
        done: list[_Change] = []
        for change in reversed(self._unsynced):
            if any(name.folder is node or name.place in needed for name in change):
                done.append(change)
                needed.update(name.place for name in change)
        for name in (name for change in reversed(done) for name in change):
            name.put(name.folder.synced)
        self._unsynced = [change for change in self._unsynced if change not in done]


def _files(
    top: _Folder, names: dict[int, dict[str, _Node]], *, is_synced: bool
) -> Iterator[tuple[str, _File]]:
    """The files below a folder, with their paths; `names` stands for the names of some folders."""
    ahead = [("", top)]
    while ahead:
        above, folder = ahead.pop()
        known = names.get(id(folder), folder.synced if is_synced else folder.names)
        for name, node in known.items():
            if isinstance(node, _File):
                yield f"{above}{name}", node
            else:
                ahead.append((f"{above}{name}/", node))


def write_out(contents: dict[str, bytes], target: Path) -> None:
    """Write files into a new folder."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for path, content in contents.items():
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
