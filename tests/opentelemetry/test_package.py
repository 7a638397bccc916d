"""The package loads only what is used, and says in one sentence what is missing."""

from __future__ import annotations

import pytest

import fingerpost_opentelemetry
from tests.repo.sources import printed

LOADED = "print(sorted({'opentelemetry', 'opentelemetry.sdk'} & set(sys.modules)))"
NO_OPENTELEMETRY = """
sys.modules["opentelemetry"] = None
import fingerpost_opentelemetry
try:
    fingerpost_opentelemetry.instrument
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_opentelemetry", "[]"),
        ("from fingerpost_opentelemetry import instrument; instrument()", "['opentelemetry']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


def test_what_is_missing_is_named_with_the_cure() -> None:
    sentence = (
        "The OpenTelemetry instrumentation is not installed. Run: pip install 'fingerpost[opentelemetry]'"
    )
    assert printed(NO_OPENTELEMETRY) == f"MissingPackageError {sentence}"


def test_the_public_name_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_opentelemetry.__all__ == ["instrument"]
    assert fingerpost_opentelemetry.instrument.__doc__
    with pytest.raises(AttributeError, match=r"^module 'fingerpost_opentelemetry' has no attribute"):
        getattr(fingerpost_opentelemetry, "instrumented")  # noqa: B009 - a type checker would refuse the plain form
