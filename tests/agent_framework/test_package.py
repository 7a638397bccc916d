"""The package loads Agent Framework at first use, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_agent_framework as package
from tests.repo.sources import printed

TRIED = """
import fingerpost_agent_framework
try:
    fingerpost_agent_framework.bind
except ImportError as error:
    print(type(error).__name__, error)
"""
OLD = """
import agent_framework
agent_framework.__version__ = "1.21.0"
"""
MISSING = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "agent_framework":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
"""


def test_importing_the_package_loads_no_framework() -> None:
    loaded = "print(sorted({'agent_framework', 'opentelemetry', 'pydantic'} & set(sys.modules)))"
    code = f"import fingerpost_agent_framework; {loaded}"
    assert printed(code) == "[]"


def test_the_tools_load_neither_agents_nor_clients() -> None:
    code = """
from fingerpost_agent_framework import bind, kb_tools, okf_tools
parts = ("", "._agents", "._workflows", "_openai")
print(sorted({f"agent_framework{part}" for part in parts} & set(sys.modules)), "openai" in sys.modules)
"""
    assert printed(code) == "['agent_framework'] False"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            OLD,
            """The Agent Framework adapter works only with a newer release than agent-framework-core 1.21.0. \
Run: pip install --upgrade 'fingerpost[agent-framework]'""",
        ),
        (
            MISSING,
            """The Agent Framework adapter is not installed. \
Run: pip install 'fingerpost[agent-framework]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + TRIED) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert package.__all__ == ["bind", "kb_tools", "okf_tools"]
    assert all(getattr(package, name).__doc__ for name in package.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(package, "bnd")  # noqa: B009 - a type checker would refuse the plain form
