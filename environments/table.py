"""Which environments there are, and which files of the repository belong to each.

No environment can hold every framework: CrewAI and LlamaIndex ask for older releases of packages that the
others need newer. What goes with one of their packages belongs to `b`, everything else to `a`.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from environments import folders

MAIN = "a"
PACKAGES_ELSEWHERE = {"b": ("fingerpost-crewai", "fingerpost-llamaindex")}
PACKAGES_EVERYWHERE = ("fingerpost", "fingerpost-testing")

# In the order in which they are tested: the largest suite, whose summary counts most, comes last.
TESTED = (*PACKAGES_ELSEWHERE, MAIN)

# What goes with a package: {package} is fingerpost-agent-framework, {extra} agent-framework, and {module}
# agent_framework.
FILES_OF_A_PACKAGE = (
    "packages/{package}",
    "tests/{module}",
    "tests/loops/drivers/{module}.py",
    "docs/frameworks/{extra}.md",
    "examples/{module}_agent.py",
)

# Tests that run in every environment, each time with the part that belongs there.
TESTED_EVERYWHERE = (
    "tests/docs/test_code.py",
    "tests/docs/test_examples.py",
    "tests/loops",
    "tests/repo/test_environment.py",
)

# Benchmarks that measure the frameworks of each environment.
MEASURED_EVERYWHERE = ("loops",)

# What shows whether other releases than the locked ones work, besides the folders of the packages' own tests.
TESTED_WITH_OTHER_RELEASES = ("tests/loops", "tests/repo/test_environment.py")


@dataclass(frozen=True, slots=True)
class Environment:
    """Something to install.

    Attributes:
        packages: Folders of `packages/` that are installed in it.
        inputs: Names of the files in `locks/` that say what it holds besides what these packages ask for.
        options: What `uv pip compile` is told besides.
    """

    packages: tuple[str, ...]
    inputs: tuple[str, ...]
    options: tuple[str, ...] = ()


def all_packages() -> tuple[str, ...]:
    """The folders of `packages/`."""
    parent = os.path.join(folders.ROOT, "packages")
    names = sorted(os.listdir(parent)) if os.path.isdir(parent) else []
    return tuple(name for name in names if os.path.exists(os.path.join(parent, name, "pyproject.toml")))


def home(package: str) -> str:
    """The environment in which a package is developed."""
    return next((name for name, packages in PACKAGES_ELSEWHERE.items() if package in packages), MAIN)


def locked() -> dict[str, Environment]:
    """Every environment that has a lock, in the order in which they are resolved."""
    packages = {
        base: tuple(name for name in all_packages() if name in PACKAGES_EVERYWHERE or home(name) == base)
        for base in TESTED
    }
    demo = ("fingerpost", "fingerpost-langchain", "fingerpost-testing")
    lowest = ("--resolution", "lowest-direct")
    return {
        "tools": Environment((), ("tools",)),
        "a": Environment(packages["a"], ("a", "development")),
        "b": Environment(packages["b"], ("b",)),
        "demo": Environment(demo, ("demo",), ("--constraint", "locks/a.txt")),
        "floors-a": Environment(packages["a"], ("a",), lowest),
        "floors-b": Environment(packages["b"], ("b",), lowest),
        "services": Environment((), ("services",)),
    }


def files_of(package: str) -> list[str]:
    """What goes with a package, as far as it exists."""
    extra = package.removeprefix("fingerpost-")
    names = {"package": package, "extra": extra, "module": extra.replace("-", "_")}
    files = [pattern.format(**names) for pattern in FILES_OF_A_PACKAGE]
    return [file for file in files if os.path.exists(os.path.join(folders.ROOT, file))]


def own_files(base: str) -> list[str]:
    """What belongs to an environment because its package is developed there."""
    packages = [name for name in all_packages() if home(name) == base and name not in PACKAGES_EVERYWHERE]
    return [file for package in packages for file in files_of(package)]


def is_inside(path: str, folder: str) -> bool:
    """Whether a path from the root of the repository is a folder, or leads into it."""
    return folder == "." or path == folder or path.startswith(folder + "/")


def package_of(path: str) -> str:
    """The package that a file goes with, "" if it goes with none."""
    packages = (name for name in all_packages() for file in files_of(name) if is_inside(path, file))
    return next(packages, "")


def home_of(path: str) -> str:
    """The environment in which a file is checked, run and, unless it is for all of them, tested."""
    return home(package_of(path))


def current() -> str:
    """The environment, `a` or `b`, whose part of the tests this process runs."""
    return os.environ.get("FINGERPOST_ENVIRONMENT", MAIN).rpartition("-")[2]
