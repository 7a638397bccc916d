"""Small bundles whose files say what they are, and everything that a bundle answers, to be compared."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from fingerpost import Bundle
from fingerpost.errors import KnowledgeError
from tests.durability.history import WORDS

NOW = datetime(2026, 1, 1, tzinfo=UTC)
_SAMPLE = 12


def text_of(marker: str, dice: random.Random, link: str = "other") -> str:
    """A concept whose title is a marker; equal dice and markers of a length give texts of one length."""
    words, tag = " ".join(dice.choices(WORDS, k=20)), dice.choice(WORDS[:6])
    return f"---\ntype: Note\ntitle: {marker}\ntags: [{tag}]\n---\n{words} [on]({link}.md)\n"


def write(file: Path, text: str) -> None:
    """Write a file, making its folder."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def make_bundle(folder: Path, dice: random.Random, files: int) -> list[Path]:
    """Write a bundle of some files in a few folders, and return their paths."""
    paths = [folder / f"folder{number % 7}" / f"note{number}.md" for number in range(files)]
    for number, path in enumerate(paths):
        write(path, text_of(f"title{number:04}", dice, f"note{(number * 7) % files}"))
    return paths


def answers(bundle: Bundle) -> dict[str, object]:
    """What a bundle answers once all of it is read, a failure being an answer too."""
    bundle.wait(30)
    ids = bundle.ids()
    sample = ids[:: max(1, len(ids) // _SAMPLE)]
    texts = ("", "refund invoice", "refnud", "title0003", "Strasse", "发票 客户", "on note", "policies")
    asked: dict[str, Callable[[], object]] = {
        "index": lambda: bundle.index(now=NOW),
        **{f"find {text}": lambda text=text: bundle.find(text, now=NOW, explain=True) for text in texts},
        **{f"read {id_}": lambda id_=id_: bundle.read(id_, now=NOW) for id_ in sample},
        **{f"backlinks {id_}": lambda id_=id_: bundle.backlinks(id_) for id_ in sample},
        "find with filters": lambda: bundle.find("invoice", "note", ["refund"], path="folder1", now=NOW),
        "trouble": lambda: bundle.trouble,
    }
    return {"ids": ids, **{question: _answer(ask) for question, ask in asked.items()}}


def _answer(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except KnowledgeError as error:
        return f"{type(error).__name__}: {error}"


def wrong_answers(folder: Path, cache: Path) -> list[str]:
    """The questions that a bundle with a kept index answers otherwise than one that keeps none."""
    with Bundle(folder, cache=cache) as kept, Bundle(folder, cache="") as anew:
        found, right = answers(kept), answers(anew)
    return [
        f"{question}: {found.get(question)!r} instead of {answer!r}"[:2000]
        for question, answer in right.items()
        if found.get(question) != answer
    ]
