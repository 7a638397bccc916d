"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_haystack
from tests.repo.sources import printed

LOADED = "print(sorted({'haystack', 'openai'} & set(sys.modules)))"
NO_HAYSTACK = 'sys.modules["haystack"] = None\n'
OLD_HAYSTACK = """
import haystack.version
haystack.version.__version__ = "3.1.0"
"""
ASKED = """
import fingerpost_haystack
try:
    fingerpost_haystack.bind
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_haystack", "[]"),
        ("from fingerpost_haystack import MalformedCallHook", "[]"),
        ("from fingerpost_haystack import bind, kb_tools, okf_tools", "['haystack']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (NO_HAYSTACK, "The Haystack adapter is not installed. Run: pip install 'fingerpost[haystack]'"),
        (
            OLD_HAYSTACK,
            """The Haystack adapter works only with a newer release than haystack-ai 3.1.0. \
Run: pip install --upgrade 'fingerpost[haystack]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + ASKED) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_haystack.__all__ == ["MalformedCallHook", "bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_haystack, name).__doc__ for name in fingerpost_haystack.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_haystack, "bnd")  # noqa: B009 - a type checker would refuse the plain form
