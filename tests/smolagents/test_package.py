"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_smolagents
from tests.repo.sources import printed

LOADED = "print(sorted({'smolagents', 'openai', 'transformers'} & set(sys.modules)))"
NO_SMOLAGENTS = 'sys.modules["smolagents"] = None\n'
OLD_SMOLAGENTS = """
import smolagents
del smolagents.Tool.to_code_prompt
smolagents.__version__ = "1.20.0"
"""
ASKED = """
import fingerpost_smolagents
try:
    fingerpost_smolagents.bind
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_smolagents", "[]"),
        ("from fingerpost_smolagents import bind, kb_tools, okf_tools", "['smolagents']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            NO_SMOLAGENTS,
            "The smolagents adapter is not installed. Run: pip install 'fingerpost[smolagents]'",
        ),
        (
            OLD_SMOLAGENTS,
            """The smolagents adapter works only with a newer release than smolagents 1.20.0. \
Run: pip install --upgrade 'fingerpost[smolagents]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + ASKED) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_smolagents.__all__ == ["bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_smolagents, name).__doc__ for name in fingerpost_smolagents.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_smolagents, "bnd")  # noqa: B009 - a type checker would refuse the plain form
