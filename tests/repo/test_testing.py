"""`./run test` goes through the environments, and says at the end what failed and what new releases break."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from environments import folders, resolving, testing
from environments.programs import Failure
from environments.table import Environment

# Stands for the Python of an environment: it prints what it is told, and takes its exit status, and what it
# reports to --junitxml, from files next to it.
PYTHON = """#!/bin/sh
folder=$(dirname "$0")
echo "$FINGERPOST_ENVIRONMENT:" "$@"
[ "$3" = --junitxml ] && [ -s "$folder/report" ] && cp "$folder/report" "$4"
exit $(cat "$folder/status")
"""


class Environments:
    """Two environments whose Python only pretends to test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked_for: list[str] = []

    def __call__(self, name: str) -> str:
        self.asked_for.append(name)
        return str(self.folder / name.rpartition("-")[2])

    def behave(self, base: str, status: int, report: str = "<testsuites/>") -> None:
        home = self.folder / base
        home.mkdir(parents=True, exist_ok=True)
        (home / "python").write_text(PYTHON)
        (home / "python").chmod(0o755)
        (home / "status").write_text(str(status))
        (home / "report").write_text(report)


@pytest.fixture
def environments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environments:
    made = Environments(tmp_path / "bin")
    for base in ("a", "b"):
        made.behave(base, 0)
    for folder in (
        "packages/fingerpost-crewai",
        "packages/fingerpost-mcp",
        "tests/crewai",
        "tests/mcp",
        ".venvs",
    ):
        (tmp_path / folder).mkdir(parents=True)
    for package in ("crewai", "mcp"):
        (tmp_path / f"packages/fingerpost-{package}/pyproject.toml").touch()
    monkeypatch.setattr(folders, "ROOT", str(tmp_path))
    monkeypatch.setattr(folders, "VENVS", str(tmp_path / ".venvs"))
    monkeypatch.setattr(testing, "environment", made)
    monkeypatch.chdir(tmp_path)
    return made


def printed(capfd: pytest.CaptureFixture[str]) -> tuple[list[str], list[str]]:
    captured = capfd.readouterr()
    return captured.out.splitlines(), captured.err.splitlines()


def test_everything_is_tested_in_both_environments_the_large_one_last(
    environments: Environments, capfd: pytest.CaptureFixture[str]
) -> None:
    assert testing.run_tests([]) == 0
    out, err = printed(capfd)
    assert [line.split(" -n auto ")[0] for line in out] == ["b: -m pytest", "a: -m pytest"]
    assert err == ["Testing in environment b", "Testing in environment a"]


@pytest.mark.parametrize(
    ("in_b", "in_a", "status"),
    [
        (0, 1, 1),
        (1, 0, 1),
        (2, 1, 2),
        (5, 0, 0),  # a choice that fits no test of one environment
        (0, 5, 0),
        (5, 5, 5),
        (1, 5, 1),
    ],
)
def test_the_exit_status_is_that_of_an_environment_that_failed(
    in_b: int, in_a: int, status: int, environments: Environments
) -> None:
    environments.behave("b", in_b)
    environments.behave("a", in_a)
    assert testing.run_tests([]) == status


def test_what_belongs_to_one_environment_replaces_the_script(
    environments: Environments, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ReplacedError(Exception):
        """The script is no more."""

    def become(*command: str, **environ: str) -> None:
        raise ReplacedError(command, environ)

    monkeypatch.setattr(testing, "become", become)
    with pytest.raises(ReplacedError) as replaced:
        testing.run_tests(["tests/mcp", "-k", "x"])
    python = os.path.join(environments("a"), "python")
    assert replaced.value.args == (
        (python, "-m", "pytest", "-k", "x", "tests/mcp"),
        {"FINGERPOST_ENVIRONMENT": "a"},
    )


def test_floors_are_tested_in_environments_of_their_own(
    environments: Environments, capfd: pytest.CaptureFixture[str]
) -> None:
    assert testing.run_tests([], at_floors=True) == 0
    assert environments.asked_for == ["floors-b", "floors-a"]
    pytest_call = "-m pytest -W default -n auto --dist loadgroup"
    assert printed(capfd)[0] == [
        f"floors-b: {pytest_call} tests/crewai tests/loops tests/repo/test_environment.py",
        f"floors-a: {pytest_call} tests/mcp tests/loops tests/repo/test_environment.py",
    ]


@pytest.fixture
def newest(environments: Environments, monkeypatch: pytest.MonkeyPatch) -> Environments:
    """The environments after a resolution in which one package moved."""

    def resolve_newest(base: str) -> list[str]:
        return ["crewai 1.0 -> 2.0"] if base == "b" else []

    monkeypatch.setattr(testing, "resolve_newest", resolve_newest)
    return environments


def test_the_newest_releases_that_break_nothing_are_said_to(
    newest: Environments, capfd: pytest.CaptureFixture[str]
) -> None:
    assert testing.try_newest([]) == 0
    out, err = printed(capfd)
    assert [line.split(":")[0] for line in out] == ["newest-b", "newest-a"]
    assert err[:3] == [
        "Packages of environment b that moved: 1",
        "  crewai 1.0 -> 2.0",
        "Packages of environment a that moved: 0",
    ]
    assert err[-1] == "The newest releases break nothing."


REPORT = """<testsuites><testsuite>
<testcase classname="tests.crewai.test_tools" name="test_one"><failure>no</failure></testcase>
<testcase classname="tests.crewai.test_package" name="test_two"><error>no</error></testcase>
<testcase classname="tests.loops.test_scenarios" name="test_three"/>
<testcase classname="" name="tests.loops.test_schemas"><error>not collected</error></testcase>
</testsuite></testsuites>"""


def test_what_the_newest_releases_break_is_the_last_line(newest: Environments) -> None:
    newest.behave("b", 2, REPORT)
    newest.behave("a", 4, "")
    with pytest.raises(Failure) as failure:
        testing.try_newest([])
    assert str(failure.value) == (
        "The newest releases break tests/crewai in environment b (2), tests/loops in environment b (1), "
        "the run in environment a (pytest ended with 4)."
    )


def lock(folder: Path, name: str, *pins: str) -> str:
    path = folder / name
    path.write_text("# by uv\n" + "".join(f"{pin} \\\n    --hash=sha256:0\n    # via x==9\n" for pin in pins))
    return str(path)


def test_floors_are_looked_up_again_so_that_they_can_go_down(environments: Environments) -> None:
    project = Path(folders.ROOT) / "packages/fingerpost-crewai/pyproject.toml"
    asked = 'dependencies = ["fingerpost==0.1.0", "crewai>=1.15"]\n'
    project.write_text(f'[project]\n{asked}[project.optional-dependencies]\nextra = ["other[x]>=2"]\n')
    (Path(folders.ROOT) / "packages/fingerpost").mkdir()
    (Path(folders.ROOT) / "packages/fingerpost/pyproject.toml").touch()
    floors = Environment(("fingerpost-crewai",), (), ("--resolution", "lowest-direct"))
    assert resolving.again(floors) == ["--upgrade-package", "crewai", "--upgrade-package", "other"]
    assert resolving.again(Environment(("fingerpost-crewai",), ())) == []


def test_what_moved_is_listed_with_old_and_new_release(
    environments: Environments, monkeypatch: pytest.MonkeyPatch
) -> None:
    (Path(folders.ROOT) / "locks").mkdir()
    lock(
        Path(folders.ROOT) / "locks",
        "b.txt",
        "crewai==1.0",
        "gone==3",
        "kept[x]==1",
        "n==1 ; os_name == 'nt'",
        "n==2 ; os_name != 'nt'",
    )

    def resolve(uv: str, name: str, output: str, options: list[str]) -> None:
        assert (uv, name, options) == ("uv", "b", ["--upgrade"])
        lock(Path(folders.VENVS), Path(output).name, "crewai==2.0", "added==1", "kept==1", "n==2")

    monkeypatch.setattr(resolving, "resolve", resolve)
    monkeypatch.setattr(resolving, "need_uv", lambda: "uv")
    assert resolving.resolve_newest("b") == [
        "added (new) -> 1",
        "crewai 1.0 -> 2.0",
        "gone 3 -> (gone)",
        "n 1, 2 -> 2",
    ]
