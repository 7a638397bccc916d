"""The repository's files, as the tests of this folder look at them."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = sorted(path.parent for path in ROOT.glob("packages/*/pyproject.toml"))
NO_ADAPTERS = {"fingerpost", "fingerpost-opentelemetry", "fingerpost-s3", "fingerpost-testing"}
"""Packages that turn no `Tool` into an object of a framework."""
ENVIRONMENT_PATHS = [str(package / "src") for package in PACKAGES]


def project_files() -> list[Path]:
    """Files that are, or would be, under version control."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [ROOT / name for name in sorted(set(listing.split("\0"))) if name and (ROOT / name).is_file()]


def python_files() -> list[Path]:
    """Python files among them, the script `run` included."""
    return [path for path in project_files() if path.suffix == ".py" or path == ROOT / "run"]


def relative(path: Path) -> str:
    """The path as messages show it."""
    return str(path.relative_to(ROOT))


def project(package: Path) -> dict[str, Any]:
    """The `[project]` table of a package."""
    return tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def requirements_of(table: dict[str, Any]) -> list[Requirement]:
    """What a `[project]` table asks for, that of all its extras included."""
    optional = table.get("optional-dependencies", {})
    lines = [*table.get("dependencies", []), *(line for extra in optional.values() for line in extra)]
    return [Requirement(line) for line in lines]


def imports(path: Path) -> Iterator[tuple[int, str, str]]:
    """Line, module and name of each import of a file; the name is "" for `import module`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, "." * node.level + (node.module or ""), alias.name


def copy_what_is_installed(folder: Path) -> None:
    """Make a folder a repository as `run` sees it: the locks, and what packages ask for."""
    shutil.copytree(ROOT / "locks", folder / "locks")
    for package in PACKAGES:
        (folder / "packages" / package.name).mkdir(parents=True)
        shutil.copy(package / "pyproject.toml", folder / "packages" / package.name)


def run_script() -> ModuleType:
    """The script `run` as a module of its own."""
    path = ROOT / "run"
    module = ModuleType("run_script")
    module.__file__ = str(path)
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    return module


def in_fresh_python(code: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run code in an isolated interpreter that sees this checkout's packages first."""
    program = f"import sys; sys.path[:0] = {ENVIRONMENT_PATHS!r}\n{code}"
    command = [sys.executable, "-I", *options, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def printed(code: str) -> str:
    """What code prints in such an interpreter; it must end well, and say nothing on standard error."""
    outcome = in_fresh_python(code)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    return outcome.stdout.strip()
