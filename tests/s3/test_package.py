"""The package loads boto3 when it is used, and says in one sentence what is missing."""

from __future__ import annotations

import pytest

import fingerpost_s3
from tests.repo.sources import printed

LOADED = "print(sorted({'botocore'} & set(sys.modules)))"
NO_BOTO = """
sys.modules["botocore"] = None
sys.modules["boto3"] = None
from fingerpost import DocumentStore
try:
    DocumentStore.from_uri("s3://bucket/kb")
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_s3", "[]"),
        ("import fingerpost; fingerpost.DocumentStore.from_uri('.')", "[]"),
        ("import fingerpost_s3; fingerpost_s3.S3DocumentStore('bucket')", "['botocore']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


def test_what_is_missing_is_named_with_the_cure() -> None:
    sentence = "The S3 store is not installed. Run: pip install 'fingerpost[s3]'"
    assert printed(NO_BOTO) == f"MissingPackageError {sentence}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_s3.__all__ == ["S3DocumentStore", "open_address"]
    assert fingerpost_s3.S3DocumentStore.__doc__
    with pytest.raises(AttributeError, match=r"^module 'fingerpost_s3' has no attribute"):
        getattr(fingerpost_s3, "S3Store")  # noqa: B009 - a type checker would refuse the plain form
