"""A tree that changes under eight readers, by a real `git checkout` of two very different branches."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from fingerpost import Bundle, OKFTools
from tests.field_cases.folders import concept, write

CHECKOUTS = 40
BRANCHES: dict[str, dict[str, str]] = {
    "a": {
        "policies/refunds.md": concept("state a of refunds"),
        "both.md": concept("state a of both"),
        "kind.md": concept("state a of kind"),
        "deep/er/still.md": concept("state a of still"),
        "index.md": "# State a\n\n* [Both](both.md)\n",
        **{f"many/a{number}.md": concept(f"state a of many {number}") for number in range(30)},
    },
    "b": {
        "policies.md": concept("state b of policies"),
        "both.md": concept("state b of both"),
        "kind.md/inner.md": concept("state b of inner"),
        "deep.md": concept("state b of deep"),
        "many": "now a file\n",
    },
}
PATHS = {path for files in BRANCHES.values() for path in files}
FOLDERS = {f"{folder}/" for path in PATHS for folder in (path.rpartition("/")[0], path.partition("/")[0])}
IDS = {path.removesuffix(".md") for files in BRANCHES.values() for path in files if path.endswith(".md")} - {
    "index"
}
BODIES = {
    (path.removesuffix(".md"), text.split("---\n")[2].strip())
    for files in BRANCHES.values()
    for path, text in files.items()
    if text.startswith("---")
}


def git(folder: Path, *words: str) -> None:
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "HOME": str(folder)}
    person = {
        f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")
    }
    subprocess.run(
        ["git", *words], cwd=folder, env={"PATH": os.environ["PATH"], **settings, **person}, check=True,
        capture_output=True,
    )  # fmt: skip


@pytest.fixture
def repository_with_two_branches(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git(tmp_path, "init", "--quiet", "--initial-branch=a")
    for name, files in BRANCHES.items():
        if name != "a":
            git(tmp_path, "checkout", "--quiet", "--orphan", name)
            git(tmp_path, "rm", "-r", "--quiet", "--force", ".")
        write(tmp_path, files)
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "--message", name)
    git(tmp_path, "checkout", "--quiet", "a")
    return tmp_path


def problems_with(name: str, answer: dict[str, Any]) -> list[str]:
    """What in an answer comes from no committed state: an unexpected failure, or a body of nobody."""
    if "failed with" in answer.get("error", "") or (name == "kb_find" and "results" not in answer):
        return [str(answer)]
    if "body" in answer and (answer["id"], answer["body"]) not in BODIES:
        return [f"{answer['id']}: {answer['body']!r}"]
    return [hit["id"] for hit in answer.get("results", []) if hit["id"] not in IDS]


def read_until(stop: threading.Event, kb: OKFTools, wrong: list[str], seen: set[str]) -> None:
    calls: list[tuple[Callable[[str], str], str]] = [
        *(
            (kb.kb_read, id_)
            for id_ in ("both", "policies/refunds", "policies", "kind", "kind.md/inner", "deep/er/still")
        ),
        (kb.kb_find, "state"),
    ]
    while not stop.is_set():
        for call, argument in calls:
            answer: dict[str, Any] = json.loads(call(argument))
            wrong += problems_with(call.__name__, answer)
            seen.add(answer.get("body", "error" if "error" in answer else "hits"))
        index = kb.kb_index("/")
        listed = re.findall(r"\]\(/([^)]*)\)(?! \[(?:missing|no valid concept))", index)
        if not index.startswith("=====") or "failed with" in index or not {*listed} <= IDS | FOLDERS:
            wrong.append(index)
        reported = {item.path for item in kb.bundle.diagnostics()}
        if not reported <= PATHS | {""}:
            wrong.append(str(reported - PATHS))


def test_eight_readers_of_a_checkout_get_answers_of_states_that_existed(
    repository_with_two_branches: Path,
) -> None:
    """Row 35."""
    folder = repository_with_two_branches
    kb = OKFTools(folder)
    stop = threading.Event()
    wrong: list[str] = []
    seen: set[str] = set()
    with ThreadPoolExecutor(8) as pool:
        readers = [pool.submit(read_until, stop, kb, wrong, seen) for _ in range(8)]
        try:
            for round_ in range(CHECKOUTS):
                branch = "b" if round_ % 2 == 0 else "a"
                git(folder, "checkout", "--quiet", branch)
                body = json.loads(kb.kb_read("both"))["body"]
                assert body == f"state {branch} of both"
                seen.add(body)
        finally:
            stop.set()
    assert [reader.exception() for reader in readers] == [None] * 8
    assert wrong == []
    assert {"state a of both", "state b of both", "hits", "error"} <= seen
    for name in ("b", "a"):
        git(folder, "checkout", "--quiet", name)
        wanted = sorted(
            p.removesuffix(".md") for p in BRANCHES[name] if p.endswith(".md") and p != "index.md"
        )
        assert kb.bundle.ids() == wanted == Bundle(folder).ids()
        assert kb.bundle.trouble == ""
        assert kb.bundle.read("both")["body"] == f"state {name} of both"
        assert kb.bundle.find("state", limit=100)["total"] == len(wanted)
