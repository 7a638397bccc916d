"""Each path is tested, and its types are checked, in the environments that it belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from environments import folders
from environments.routing import ON_ALL_PROCESSORS, checked_in, pytest_runs
from environments.table import home_of

FILES = [
    "docs/frameworks/adk.md",
    "docs/frameworks/llamaindex.md",
    "examples/crewai_agent.py",
    "examples/haystack_agent.py",
    "packages/fingerpost-crewai/pyproject.toml",
    "packages/fingerpost-llamaindex/pyproject.toml",
    "packages/fingerpost-mcp/pyproject.toml",
    "packages/fingerpost-testing/pyproject.toml",
    "packages/fingerpost/pyproject.toml",
    "tests/conftest.py",
    "tests/core/test_navigate.py",
    "tests/crewai/test_tools.py",
    "tests/docs/test_code.py",
    "tests/docs/test_examples.py",
    "tests/docs/test_pages.py",
    "tests/llamaindex/test_tools.py",
    "tests/loops/drivers/crewai.py",
    "tests/loops/drivers/haystack.py",
    "tests/loops/test_scenarios.py",
    "tests/mcp/test_server.py",
    "tests/repo/test_environment.py",
]
SHARED = [
    "tests/docs/test_code.py",
    "tests/docs/test_examples.py",
    "tests/loops",
    "tests/repo/test_environment.py",
]
IGNORED = ["--ignore=tests/crewai", "--ignore=tests/llamaindex"]


@pytest.fixture(autouse=True)
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository of few and empty files."""
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    monkeypatch.setattr(folders, "ROOT", str(tmp_path))


@pytest.mark.parametrize(
    ("words", "in_b", "in_a"),
    [
        ([], ["tests/crewai", "tests/llamaindex", *SHARED], ["tests", *IGNORED]),
        (["tests/"], ["tests/crewai", "tests/llamaindex", *SHARED], ["tests/", *IGNORED]),
        (["tests/core"], None, ["tests/core"]),
        (["tests/crewai"], ["tests/crewai"], None),
        (["tests/crewai", "tests/mcp"], ["tests/crewai"], ["tests/mcp"]),
        (["tests/docs"], SHARED[:2], ["tests/docs"]),
        (["tests/loops"], ["tests/loops"], ["tests/loops"]),
        (
            ["--services", "-q"],
            ["--services", "-q", "tests/crewai", "tests/llamaindex", *SHARED],
            ["--services", "-q", "tests", *IGNORED],
        ),
    ],
)
def test_whole_folders_are_tested_on_all_processors(
    words: list[str], in_b: list[str] | None, in_a: list[str] | None
) -> None:
    runs = {"b": in_b, "a": in_a}
    expected = {name: [*ON_ALL_PROCESSORS, *words] for name, words in runs.items() if words is not None}
    assert pytest_runs(words, with_other_releases=False) == expected


@pytest.mark.parametrize(
    ("words", "in_b", "in_a"),
    [
        (["tests/core/test_navigate.py"], None, ["tests/core/test_navigate.py"]),
        (
            ["./tests/crewai/test_tools.py::test_one[a::b]"],
            ["./tests/crewai/test_tools.py::test_one[a::b]"],
            None,
        ),
        (
            ["tests/loops/test_scenarios.py"],
            ["tests/loops/test_scenarios.py"],
            ["tests/loops/test_scenarios.py"],
        ),
        (["tests/core", "-k", "links"], None, ["-k", "links", "tests/core"]),
        (["-k", "tests", "tests/core"], None, ["-k", "tests", "tests/core"]),
        (["tests/core", "--pdb"], None, ["--pdb", "tests/core"]),
        (["tests/core", "-n", "1"], None, ["-n", "1", "tests/core"]),
        (["tests/crewai", "--tb", "short"], ["--tb", "short", "tests/crewai"], None),
        (["nosuch"], None, ["nosuch"]),
        (["tests/crewai/nosuch.py"], ["tests/crewai/nosuch.py"], None),
    ],
)
def test_files_and_choices_are_tested_on_one_processor(
    words: list[str], in_b: list[str] | None, in_a: list[str] | None
) -> None:
    runs = {"b": in_b, "a": in_a}
    expected = {name: words for name, words in runs.items() if words is not None}
    assert pytest_runs(words, with_other_releases=False) == expected


def test_an_absolute_path_is_tested_where_it_belongs() -> None:
    path = f"{folders.ROOT}/tests/llamaindex"
    assert pytest_runs([path], with_other_releases=False) == {"b": [*ON_ALL_PROCESSORS, path]}


def test_other_releases_are_tried_with_the_adapters_and_the_loops() -> None:
    assert pytest_runs([], with_other_releases=True) == {
        "b": [
            *ON_ALL_PROCESSORS,
            "tests/crewai",
            "tests/llamaindex",
            "tests/loops",
            "tests/repo/test_environment.py",
        ],
        "a": [*ON_ALL_PROCESSORS, "tests/mcp", "tests/loops", "tests/repo/test_environment.py"],
    }
    assert pytest_runs(["tests/docs"], with_other_releases=True)["a"] == [*ON_ALL_PROCESSORS, "tests/docs"]


@pytest.mark.parametrize(
    ("path", "home"),
    [
        *((file, "b") for file in FILES if "crewai" in file or "llamaindex" in file),
        *((file, "a") for file in FILES if "crewai" not in file and "llamaindex" not in file),
        ("packages/fingerpost-crewai/src/fingerpost_crewai/adapter.py", "b"),
        ("tests/crewai_and_more", "a"),
    ],
)
def test_what_goes_with_a_package_of_b_belongs_to_b(path: str, home: str) -> None:
    assert home_of(path) == home


def test_every_file_has_its_types_checked_in_one_environment() -> None:
    in_a = checked_in("a", ["packages", "tests", "examples"])
    in_b = checked_in("b", ["packages", "tests", "examples"])
    assert in_b == [
        *("packages/fingerpost-crewai", "packages/fingerpost-llamaindex", "tests/crewai"),
        *("tests/loops/drivers/crewai.py", "tests/llamaindex", "examples/crewai_agent.py"),
    ]
    covered = [
        file
        for file in FILES
        if file.endswith(".py") and any(Path(file).is_relative_to(part) for part in in_a)
    ]
    assert covered == [file for file in FILES if file.endswith(".py") and home_of(file) == "a"]


@pytest.mark.parametrize(
    ("paths", "in_b", "in_a"),
    [
        (["tests/core"], [], ["tests/core"]),
        (["examples/crewai_agent.py"], ["examples/crewai_agent.py"], []),
        (
            ["tests/loops"],
            ["tests/loops/drivers/crewai.py"],
            ["tests/loops/drivers/haystack.py", "tests/loops/test_scenarios.py"],
        ),
    ],
)
def test_the_types_of_a_path_are_checked_where_it_belongs(
    paths: list[str], in_b: list[str], in_a: list[str]
) -> None:
    assert (checked_in("b", paths), checked_in("a", paths)) == (in_b, in_a)
