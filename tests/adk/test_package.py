"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_adk
from tests.repo.sources import printed

TRIED = """
import fingerpost_adk
try:
    fingerpost_adk.bind, fingerpost_adk.MalformedCallClient
except ImportError as error:
    print(type(error).__name__, error)
"""
OLD = """
import google.adk.version
google.adk.version.__version__ = "1.18.0"
"""
MISSING = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "google":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
"""
MISSING_OPENAI = MISSING.replace('"google"', '"openai"')


def test_importing_the_package_loads_no_framework() -> None:
    code = (
        "import fingerpost_adk; print(sorted({'google.adk', 'google.genai', 'pydantic'} & set(sys.modules)))"
    )
    assert printed(code) == "[]"


def test_the_tools_load_neither_agents_nor_models_nor_what_they_need() -> None:
    code = """
from fingerpost_adk import bind, kb_tools, okf_tools
print(sorted({'google.adk', 'google.adk.runners', 'litellm', 'fastapi', 'openai'} & set(sys.modules)))
"""
    assert printed(code) == "['google.adk']"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            OLD,
            """The ADK adapter works only with a newer release than google-adk 1.18.0. \
Run: pip install --upgrade 'fingerpost[adk]'""",
        ),
        (MISSING, "The ADK adapter is not installed. Run: pip install 'fingerpost[adk]'"),
        (
            MISSING_OPENAI,
            "The OpenAI client for ADK needs openai, which is not installed. Run: pip install openai",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + TRIED) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_adk.__all__ == ["MalformedCallClient", "bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_adk, name).__doc__ for name in fingerpost_adk.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_adk, "bnd")  # noqa: B009 - a type checker would refuse the plain form
