"""No file names a package registry, a path of the machine it was written on, or work left for later."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.repo.sources import ROOT, project_files, relative

# Written in pieces, so that this file does not hold what it looks for.
REGISTRIES = [
    ".".join(parts)
    for parts in (("pypi", "org"), ("pythonhosted", "org"), ("npmjs", "org"), ("crates", "io"))
]
HOSTS = re.compile("|".join(re.escape(host) for host in REGISTRIES), re.IGNORECASE)
MACHINE_PATHS = re.compile(r"(?<![\w.*])/(?:" + "|".join(("root", "work", "tmp")) + r")/\w")
LEFT_FOR_LATER = re.compile(r"#.*\b(?:" + "|".join(("TO" + "DO", "FIX" + "ME", "XX" + "X")) + r")\b")


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def hits(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{relative(path)}: {match.group()}"
        for path in project_files()
        for match in [pattern.search(text_of(path))]
        if match is not None
    ]


@pytest.mark.parametrize(
    "pattern", [HOSTS, MACHINE_PATHS, LEFT_FOR_LATER], ids=["registry", "machine path", "later"]
)
def test_no_file_holds_a(pattern: re.Pattern[str]) -> None:
    assert hits(pattern) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (HOSTS, "--index-url https://" + REGISTRIES[0] + "/simple"),
        (MACHINE_PATHS, 'open("/' + 'tmp/x")'),
        (LEFT_FOR_LATER, "# TO" + "DO: later"),
    ],
)
def test_the_patterns_find_what_they_are_there_for(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_uv_lock_stays_out_of_version_control_because_it_records_addresses() -> None:
    assert "uv.lock" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    assert [relative(path) for path in project_files() if path.name == "uv.lock"] == []
