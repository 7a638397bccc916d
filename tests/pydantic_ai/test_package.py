"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_pydantic_ai
from tests.repo.sources import printed

LOADED = "print(sorted({'pydantic_ai', 'pydantic', 'openai'} & set(sys.modules)))"
MISSING = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pydantic_ai":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
"""
OLD = """
import importlib.metadata, types
for name in ("pydantic_ai", "pydantic_ai.exceptions"):
    sys.modules[name] = types.ModuleType(name)
importlib.metadata.version = lambda name: "1.0.0"
"""
USE = """
import fingerpost_pydantic_ai
try:
    fingerpost_pydantic_ai.bind
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_pydantic_ai", "[]"),
        ("from fingerpost_pydantic_ai import bind, kb_tools, okf_tools", "['pydantic', 'pydantic_ai']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            MISSING,
            "The Pydantic AI adapter is not installed. Run: pip install 'fingerpost[pydantic-ai]'",
        ),
        (
            OLD,
            """The Pydantic AI adapter works only with a newer release than pydantic-ai-slim 1.0.0. \
Run: pip install --upgrade 'fingerpost[pydantic-ai]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + USE) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_pydantic_ai.__all__ == ["bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_pydantic_ai, name).__doc__ for name in fingerpost_pydantic_ai.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_pydantic_ai, "bnd")  # noqa: B009 - a type checker would refuse the plain form
