"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_langchain
from tests.repo.sources import printed

LOADED = "print(sorted({'langchain', 'langchain_core', 'langgraph', 'openai'} & set(sys.modules)))"
OLD_CORE = """
import langchain_core.version
langchain_core.version.VERSION = "0.3.80"
import fingerpost_langchain
try:
    fingerpost_langchain.bind
except ImportError as error:
    print(type(error).__name__, error)
"""
OLD_LANGCHAIN = """
import types
sys.modules["langchain"] = types.ModuleType("langchain")
sys.modules["langchain"].__version__ = "0.3.27"
import fingerpost_langchain
try:
    fingerpost_langchain.MalformedCallMiddleware
except ImportError as error:
    print(type(error).__name__, error)
"""
NO_LANGCHAIN = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "langchain":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
import fingerpost_langchain
assert fingerpost_langchain.bind([]) == []
try:
    fingerpost_langchain.MalformedCallMiddleware
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_langchain, fingerpost_langchain.demo", "[]"),
        ("from fingerpost_langchain import bind, kb_tools, okf_tools", "['langchain_core']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            OLD_CORE,
            """The LangChain adapter works only with a newer release than langchain-core 0.3.80. \
Run: pip install --upgrade 'fingerpost[langchain]'""",
        ),
        (
            OLD_LANGCHAIN,
            """The LangChain middleware works only with a newer release than langchain 0.3.27. \
Run: pip install --upgrade langchain""",
        ),
        (
            NO_LANGCHAIN,
            "The LangChain middleware needs langchain, which is not installed. Run: pip install langchain",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_langchain.__all__ == ["MalformedCallMiddleware", "bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_langchain, name).__doc__ for name in fingerpost_langchain.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_langchain, "bnd")  # noqa: B009 - a type checker would refuse the plain form
