"""Refreshing: clocks that move, sources that fail, and runs over what has not changed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from fingerpost import Bundle, OKFTools

DAY = 86_400_000_000_000
real_clock: Callable[[], int] = time.time_ns


def write(path: Path, body: str) -> None:
    path.write_text(f"---\ntype: Note\n---\n{body}\n", encoding="utf-8")


@pytest.mark.parametrize("moved", [-DAY, 365 * DAY])
def test_an_edit_is_seen_wherever_the_clock_has_moved(
    moved: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row 41."""
    write(tmp_path / "a.md", "before")
    kb = Bundle(tmp_path)
    assert kb.find("before")["total"] == 1
    monkeypatch.setattr(time, "time_ns", lambda: real_clock() + moved)
    write(tmp_path / "a.md", "behind")
    assert (kb.find("behind")["total"], kb.find("before")["total"]) == (1, 0)
    write(tmp_path / "b.md", "beside")
    assert kb.find("beside")["total"] == 1


def test_a_folder_that_is_away_is_served_as_it_was_and_that_is_said(tmp_path: Path) -> None:
    """Row 42."""
    root = tmp_path / "kb"
    root.mkdir()
    write(root / "a.md", "harbour")
    kb = OKFTools(root)
    assert "note" not in kb.kb_find("harbour")
    root.rename(tmp_path / "away")
    for _ in range(2):
        answer = json.loads(kb.kb_find("harbour"))
        assert [hit["id"] for hit in answer["results"]] == ["a"]
        assert "Not all of the knowledge base could be read now" in json.dumps(answer)
    (tmp_path / "away").rename(root)
    write(root / "b.md", "harbour")
    answer = json.loads(kb.kb_find("harbour"))
    assert ([hit["id"] for hit in answer["results"]], "could be read" in json.dumps(answer)) == (
        ["a", "b"],
        False,
    )


def test_a_second_and_a_third_run_over_the_same_files_change_nothing(tmp_path: Path) -> None:
    """Row 43."""
    root, cache = tmp_path / "kb", tmp_path / "cache"
    root.mkdir()
    for number in range(30):
        write(root / f"{number}.md", f"see [next]({number + 1}.md)")
    seen: list[tuple[list[str], list[str], int]] = []
    for _ in range(3):
        with Bundle(root, cache=cache) as kb:
            seen.append((kb.ids(), kb.backlinks("7"), kb.find("next")["total"]))
    assert seen == [seen[0]] * 3
    assert (len(seen[0][0]), seen[0][1:]) == (30, (["6"], 30))
