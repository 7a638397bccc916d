"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_openai_agents
from tests.repo.sources import printed

LOADED = "print(sorted({'agents', 'openai', 'mcp'} & set(sys.modules)))"
MISSING = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "agents":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
"""
OLD = """
import importlib.metadata, types
for name in ("agents", "agents.tool"):
    sys.modules[name] = types.ModuleType(name)
importlib.metadata.version = lambda name: "0.6.0"
"""
USE = """
import fingerpost_openai_agents
try:
    fingerpost_openai_agents.bind
except ImportError as error:
    print(type(error).__name__, error)
"""


def test_the_sdk_is_loaded_at_first_use() -> None:
    assert printed(f"import fingerpost_openai_agents\n{LOADED}") == "[]"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            MISSING,
            "The OpenAI Agents adapter is not installed. Run: pip install 'fingerpost[openai-agents]'",
        ),
        (
            OLD,
            """The OpenAI Agents adapter works only with a newer release than openai-agents 0.6.0. \
Run: pip install --upgrade 'fingerpost[openai-agents]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + USE) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_openai_agents.__all__ == ["bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_openai_agents, name).__doc__ for name in fingerpost_openai_agents.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_openai_agents, "bnd")  # noqa: B009 - a type checker would refuse the plain form
