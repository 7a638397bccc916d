"""The packages agree with each other: versions, pins, extras, locks, licences."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.repo.sources import PACKAGES, ROOT, project

BY_NAME = {package.name: project(package) for package in PACKAGES}
CORE = BY_NAME["fingerpost"]


def requirements_of(table: dict[str, Any]) -> list[Requirement]:
    optional = table.get("optional-dependencies", {})
    lines = [*table.get("dependencies", []), *(line for extra in optional.values() for line in extra)]
    return [Requirement(line) for line in lines]


def locked(name: str) -> dict[str, str]:
    text = (ROOT / "locks" / f"{name}.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)(?:\[[\w,-]+\])?==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize("name", BY_NAME)
def test_a_package_is_called_like_its_folder_and_has_the_one_version(name: str) -> None:
    assert (BY_NAME[name]["name"], BY_NAME[name]["version"]) == (name, CORE["version"])


def test_the_workspace_has_the_one_version_too() -> None:
    assert project(ROOT)["version"] == CORE["version"]


@pytest.mark.parametrize("name", BY_NAME)
def test_packages_of_this_repository_pin_each_other_exactly(name: str) -> None:
    siblings = [r for r in requirements_of(BY_NAME[name]) if r.name.startswith("fingerpost")]
    assert [
        str(r) for r in siblings if r.name not in BY_NAME or str(r.specifier) != f"=={CORE['version']}"
    ] == []


@pytest.mark.parametrize("name", BY_NAME)
def test_packages_of_others_have_a_floor_and_no_ceiling(name: str) -> None:
    others = [r for r in requirements_of(BY_NAME[name]) if not r.name.startswith("fingerpost")]
    assert [str(r) for r in others if [s.operator for s in r.specifier] != [">="]] == []


def test_every_package_but_the_core_is_an_extra_of_the_core() -> None:
    extras = CORE["optional-dependencies"]
    missing = [
        name
        for name in BY_NAME
        if name != "fingerpost"
        and f"{name}=={CORE['version']}" not in extras.get(name.removeprefix("fingerpost-"), [])
    ]
    assert missing == []


@pytest.mark.parametrize("environment", ["a", "demo"])
def test_the_locks_hold_what_the_packages_ask_for(environment: str) -> None:
    versions = locked(environment)
    names = (
        {"fingerpost", "fingerpost-langchain", "fingerpost-testing"}
        if environment == "demo"
        else set(BY_NAME)
    )
    wrong = [
        str(requirement)
        for name in names
        for requirement in requirements_of(BY_NAME[name])
        if not requirement.name.startswith("fingerpost")
        and not requirement.specifier.contains(versions.get(requirement.name, "0"))
    ]
    assert wrong == []


def test_the_locks_agree_on_every_version() -> None:
    complete = locked("a")
    assert {name: version for name, version in locked("demo").items() if complete.get(name) != version} == {}


@pytest.mark.parametrize("environment", ["tools", "demo", "a"])
def test_every_locked_package_is_pinned_by_hash(environment: str) -> None:
    text = (ROOT / "locks" / f"{environment}.txt").read_text(encoding="utf-8")
    entries = re.findall(r"^[\w.-]+.*(?:\n    .*)*", text, re.MULTILINE)
    assert entries
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_carries_the_licence_a_readme_and_the_mark_of_typing(package: Path) -> None:
    assert (package / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert "pip install fingerpost" in (package / "README.md").read_text(encoding="utf-8").replace("'", "")
    assert (package / "src" / package.name.replace("-", "_") / "py.typed").is_file()


def test_the_changelog_starts_with_the_version_of_the_packages() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == CORE["version"]
