"""Which arguments of a command go to which environment."""

from __future__ import annotations

import os
from collections.abc import Sequence

from environments import folders
from environments.table import (
    MAIN,
    PACKAGES_ELSEWHERE,
    TESTED,
    TESTED_EVERYWHERE,
    TESTED_WITH_OTHER_RELEASES,
    home_of,
    is_inside,
    own_files,
)

# All processors, and what uses the same servers on one of them.
ON_ALL_PROCESSORS = ("-n", "auto", "--dist", "loadgroup")

# Options of pytest whose value may look like a path without being one to test.
TAKE_A_VALUE = {"-k", "-m", "-n", "-p", "-o", "-W", "-c", "-r", "--deselect", "--ignore", "--rootdir"}


def from_root(word: str) -> str:
    """A path as it leads from the root of the repository, without what follows `::` in it."""
    path = os.path.join(folders.ROOT, word.partition("::")[0])
    return os.path.relpath(path, folders.ROOT)


def paths_among(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The words that name what to test, and all others.

    A word that stands first or behind another path is one too, so that pytest can say that it does not exist.
    """
    paths: list[str] = []
    others: list[str] = []
    before = ""
    for word in words:
        exists = os.path.exists(os.path.join(folders.ROOT, from_root(word)))
        is_path = word[:1] != "-" and before not in TAKE_A_VALUE and (exists or before[:1] != "-")
        (paths if is_path else others).append(word)
        before = word
    return paths, others


def tests_of(base: str) -> list[str]:
    """The folders of tests that belong to an environment because its packages do."""
    files = [file for file in own_files(base) if file.startswith("tests/")]
    return [file for file in files if os.path.isdir(os.path.join(folders.ROOT, file))]


def tested_in(base: str, word: str) -> list[str]:
    """The arguments for pytest by which an environment tests its part of a path; empty when it has none."""
    path = from_root(word)
    if base == MAIN:
        elsewhere = [file for other in PACKAGES_ELSEWHERE for file in tests_of(other)]
        if any(is_inside(path, file) for file in elsewhere):
            return []
        return [word, *("--ignore=" + file for file in elsewhere if is_inside(file, path))]
    here = [*tests_of(base), *TESTED_EVERYWHERE]
    if any(is_inside(path, file) for file in here):
        return [word]
    return [file for file in here if is_inside(file, path)]


def pytest_runs(words: Sequence[str], with_other_releases: bool) -> dict[str, list[str]]:
    """The arguments for pytest in each environment that has to test something."""
    paths, others = paths_among(words)
    whole = all(
        os.path.isdir(os.path.join(folders.ROOT, word))
        or (word[:1] == "-" and not word.startswith(("-n", "-k", "--pdb")))
        for word in words
    )
    runs: dict[str, list[str]] = {}
    for base in TESTED:
        if with_other_releases and not paths:
            parts = [*tests_of(base), *TESTED_WITH_OTHER_RELEASES]
        else:
            parts = [part for path in paths or ["tests"] for part in tested_in(base, path)]
        if parts:
            runs[base] = [*(ON_ALL_PROCESSORS if whole else ()), *others, *parts]
    return runs


def checked_in(base: str, paths: Sequence[str]) -> list[str]:
    """The files and folders whose types an environment checks, of the given files and folders."""
    if base == MAIN:
        elsewhere = [file for other in PACKAGES_ELSEWHERE for file in own_files(other)]
        return [part for path in paths for part in without(elsewhere, path)]
    own = [file for file in own_files(base) if not file.endswith(".md")]
    inside = ([path] if home_of(path) == base else [f for f in own if is_inside(f, path)] for path in paths)
    return [part for parts in inside for part in parts]


def without(elsewhere: Sequence[str], path: str) -> list[str]:
    """A path, or as much of what is in it as holds nothing that belongs elsewhere."""
    if any(is_inside(path, file) for file in elsewhere):
        return []
    if not any(is_inside(file, path) for file in elsewhere):
        return [path]
    with os.scandir(os.path.join(folders.ROOT, path)) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir() or entry.name.endswith(".py"))
    inside = [os.path.normpath(os.path.join(path, name)) for name in names if name != "__pycache__"]
    return [part for each in inside for part in without(elsewhere, each)]
