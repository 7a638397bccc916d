"""Bundles on disk for the field cases, and what the tools answer over them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fingerpost import OKFTools

Files = Mapping[str, str | bytes]


def concept(body: str = "Text.", fields: str = "") -> str:
    """A concept without fault; its own fields begin on line 5."""
    return f"---\ntype: Policy\ntitle: Title\ndescription: One sentence.\n{fields}---\n{body}\n"


def write(folder: Path, files: Files) -> Path:
    """Write files below a folder byte for byte, and return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def tools_over(folder: Path, files: Files) -> OKFTools:
    """The tools over a bundle that is written first."""
    return OKFTools(write(folder, files))


def read(kb: OKFTools, concept_id: str) -> dict[str, Any]:
    """What `kb_read` answers, as data."""
    return json.loads(kb.kb_read(concept_id))


def found(kb: OKFTools, **query: Any) -> list[str]:
    """The ids that `kb_find` answers."""
    return [hit["id"] for hit in json.loads(kb.kb_find(**query))["results"]]


def refusal(answer: str) -> str:
    """The sentence of an answer that is an error and nothing else; no exception of ours or others in it."""
    data = json.loads(answer)
    assert list(data) == ["error"]
    assert "failed with" not in data["error"]
    return data["error"]


def places(kb: OKFTools, *, notes: bool = False) -> list[str]:
    """The diagnostics as "path:line:column CODE"."""
    return [
        f"{item.location} {item.code}" for item in kb.bundle.diagnostics() if notes or item.severity != "note"
    ]


def answers(kb: OKFTools, concept_id: str = "a", words: str = "x") -> list[str]:
    """What all tools answer, in the order index, read, find."""
    calls: list[tuple[Callable[..., str], str]] = [
        (kb.kb_index, "/"),
        (kb.kb_read, concept_id),
        (kb.kb_find, words),
    ]
    return [call(argument) for call, argument in calls]
