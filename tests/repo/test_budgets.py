"""Files, functions and adapters stay small, and no module is named for having no purpose."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.repo.sources import NO_ADAPTERS, PACKAGES, python_files, relative

FILE_LINES = 400
FUNCTION_LINES = 60
ADAPTER_LINES = 120

# An adapter turns a Tool into a native object and holds no logic. The modules that host a demo or a command
# are not counted.
HOST_MODULES = {"demo", "command"}


def line_count(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def long_functions(source: str) -> list[str]:
    return [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno + 1 > FUNCTION_LINES
    ]


@pytest.mark.parametrize("path", python_files(), ids=relative)
def test_a_file_and_its_functions_are_within_their_budgets(path: Path) -> None:
    assert line_count(path) <= FILE_LINES
    assert long_functions(path.read_text(encoding="utf-8")) == []


def test_a_long_function_is_found_wherever_it_hides() -> None:
    body = "\n".join(f"        x = {number}" for number in range(FUNCTION_LINES))
    assert long_functions(f"class C:\n    async def long(self):\n{body}\n") == ["long: 61 lines"]


ADAPTER_MODULES = [
    path
    for package in PACKAGES
    if package.name not in NO_ADAPTERS
    for path in sorted(package.glob("src/**/*.py"))
    if path.stem not in HOST_MODULES
]


@pytest.mark.parametrize("path", ADAPTER_MODULES, ids=relative)
def test_a_module_of_an_adapter_is_thin(path: Path) -> None:
    assert line_count(path) <= ADAPTER_LINES


def test_no_module_is_called_utils() -> None:
    vague = {"util", "utils", "helper", "helpers", "misc", "common"}
    assert [
        relative(path) for path in python_files() if vague & set(Path(relative(path)).with_suffix("").parts)
    ] == []
