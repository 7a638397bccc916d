"""The packages agree with each other: versions, pins, extras, locks, licences."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.version import Version

from environments.table import locked
from tests.repo.sources import PACKAGES, ROOT, project, requirements_of

ENVIRONMENTS = locked()
BY_NAME = {package.name: project(package) for package in PACKAGES}
CORE = BY_NAME["fingerpost"]


def lock(environment: str) -> str:
    return (ROOT / "locks" / f"{environment}.txt").read_text(encoding="utf-8")


def pins(environment: str) -> dict[str, str]:
    """The version of each package in a lock, for the platform and the Python of this run."""
    pattern = r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)(?: *;([^\\\n]*))?"
    found = re.findall(pattern, lock(environment), re.MULTILINE)
    return {name: version for name, version, marker in found if not marker or Marker(marker).evaluate()}


def asked(environment: str) -> list[Requirement]:
    """What the packages of an environment ask for from others."""
    requirements = [r for name in ENVIRONMENTS[environment].packages for r in requirements_of(BY_NAME[name])]
    return [r for r in requirements if not r.name.startswith("fingerpost")]


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


def test_the_core_asks_for_yaml_alone() -> None:
    assert [Requirement(line).name for line in CORE["dependencies"]] == ["pyyaml"]


def test_every_package_but_the_core_is_an_extra_of_the_core() -> None:
    extras = CORE["optional-dependencies"]
    missing = [
        name
        for name in BY_NAME
        if name != "fingerpost"
        and f"{name}=={CORE['version']}" not in extras.get(name.removeprefix("fingerpost-"), [])
    ]
    assert missing == []


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_the_locks_hold_what_the_packages_ask_for(environment: str) -> None:
    versions = pins(environment)
    assert [str(r) for r in asked(environment) if versions.get(r.name, "0") not in r.specifier] == []


def test_every_package_is_in_one_environment_with_locked_releases_and_at_its_floor() -> None:
    in_a, in_b = ({*ENVIRONMENTS[name].packages} for name in ("a", "b"))
    assert (in_a | in_b, in_a & in_b) == ({*BY_NAME}, {"fingerpost", "fingerpost-testing"})
    at_floors = [{*ENVIRONMENTS[name].packages} for name in ("floors-a", "floors-b")]
    assert at_floors == [in_a, in_b]


# No environment with a framework in it can hold these at their floors, because frameworks ask for newer ones.
RAISED_BY_FRAMEWORKS = {"jsonschema", "pyyaml"}


@pytest.mark.parametrize("environment", ["floors-a", "floors-b"])
def test_the_floors_are_locked_at_what_the_packages_promise_to_work_with(environment: str) -> None:
    versions = pins(environment)
    floors = {r.name: [s.version for s in r.specifier] for r in asked(environment)}
    above = {
        name: versions[name]
        for name, promised in floors.items()
        if all(Version(versions[name]) != Version(floor) for floor in promised)
    }
    assert above.keys() <= RAISED_BY_FRAMEWORKS, above


def test_the_locks_agree_on_every_version() -> None:
    complete = pins("a")
    assert {name: version for name, version in pins("demo").items() if complete.get(name) != version} == {}


@pytest.mark.parametrize("environment", ENVIRONMENTS)
def test_every_locked_package_is_pinned_by_hash(environment: str) -> None:
    entries = re.findall(r"^[\w.-]+.*(?:\n    .*)*", lock(environment), re.MULTILINE)
    assert entries
    assert [entry for entry in entries if "==" not in entry or "--hash=sha256:" not in entry] == []


def test_the_matrix_was_recorded_with_the_locked_releases() -> None:
    recorded = json.loads((ROOT / "tests" / "loops" / "matrix.json").read_text(encoding="utf-8"))
    found = {package: version for _, package, version in recorded["frameworks"].values()}
    here = {**pins("b"), **pins("a")}
    wrong = {
        package: (version, here[package]) for package, version in found.items() if here[package] != version
    }
    assert wrong == {}, "./run matrix records it anew"


def test_there_is_no_lock_without_an_environment() -> None:
    assert sorted(path.stem for path in (ROOT / "locks").glob("*.txt")) == sorted(ENVIRONMENTS)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_carries_the_licence_a_readme_and_the_mark_of_typing(package: Path) -> None:
    assert (package / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert "pip install fingerpost" in (package / "README.md").read_text(encoding="utf-8").replace("'", "")
    assert (package / "src" / package.name.replace("-", "_") / "py.typed").is_file()


def test_the_changelog_starts_with_the_version_of_the_packages() -> None:
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == CORE["version"]
