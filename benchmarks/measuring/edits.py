"""Edits that another process makes, one after the other, each with what search has to answer afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from benchmarks.bundles import Made
from benchmarks.generator.dice import Dice
from benchmarks.generator.page import page

FOLDER = "edited-by-the-benchmark"
"""Where in a bundle the edited files are; the others are never touched."""

_MANNERS = ("write", "replace", "add", "rename", "delete")


@dataclass(frozen=True, slots=True)
class Edit:
    """An edit.

    Attributes:
        manner: "write" in place, "replace" by renaming over it, "add", "rename" or "delete".
        path: The file.
        text: What it holds afterwards, "" when it is only moved or removed.
        word: A word that search is asked for.
        holders: Ids of the concepts that hold it afterwards.
        gone: A word that no concept holds any more, "" for none.
        to: The new path of a renamed file.
    """

    manner: str
    path: str
    text: str
    word: str
    holders: tuple[str, ...]
    gone: str = ""
    to: str = ""

    @classmethod
    def of(cls, values: dict[str, Any]) -> Edit:
        """The edit that a dictionary describes."""
        return cls(**values)

    def values(self) -> dict[str, Any]:
        """The dictionary that describes it."""
        return asdict(self)

    def carry_out(self) -> None:
        """Do it."""
        match self.manner:
            case "write" | "add":
                Path(self.path).write_text(self.text, encoding="utf-8")
            case "replace":
                beside = Path(f"{self.path}.new")
                beside.write_text(self.text, encoding="utf-8")
                beside.replace(self.path)
            case "rename":
                os.rename(self.path, self.to)
            case _:
                os.unlink(self.path)


def planned_edits(made: Made, count: int, files: int = 8) -> list[Edit]:
    """Edits of a few files, of all manners; the first ones add the files."""
    dice = Dice("edits")
    folder = made.folder / FOLDER
    held: dict[str, str] = {}
    edits: list[Edit] = []
    for step in range(count):
        manner = _MANNERS[step % len(_MANNERS)] if step >= files else "add"
        word = _marker(dice)
        name = f"note-{step}" if manner == "add" else dice.pick(sorted(held))
        path, id_ = str(folder / f"{name}.md"), f"{FOLDER}/{name}"
        before = held.pop(name, "")
        match manner:
            case "rename":
                other = f"note-{step}"
                held[other] = before
                edits.append(
                    Edit(manner, path, "", before, (f"{FOLDER}/{other}",), to=str(folder / f"{other}.md"))
                )
            case "delete":
                edits.append(Edit(manner, path, "", before, ()))
            case _:
                held[name] = word
                edits.append(Edit(manner, path, _text(made, step, word), word, (id_,), gone=before))
    return edits


def _marker(dice: Dice) -> str:
    """A word that resembles no other."""
    return "".join("bcdfghjklmnpqrstvwxz"[dice.below(20)] for _ in range(14))


def _text(made: Made, step: int, word: str) -> str:
    """The text of a sound concept with a word more, in turn in its title and in its body."""
    number = next(number for number in range(step, step + 200) if not made.concept(number).flaw)
    text = page(made.seed, number).decode().replace("status: deprecated\n", "")
    if step % 2:
        return text.replace("\ntitle: ", f"\ntitle: {word} ", 1)
    return f"{text}\nIt also says {word}.\n"


class Editor:
    """A process that makes edits as it is told, and says when each is done."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("editor.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def make(self, edit: Edit) -> None:
        """Have an edit made, and return when it is done."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(edit.values()) + "\n")
        self._process.stdin.flush()
        if self._process.stdout.readline() != "done\n":
            raise RuntimeError(f"The editor could not {edit.manner} {edit.path}.")
