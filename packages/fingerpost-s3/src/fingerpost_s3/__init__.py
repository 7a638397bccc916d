"""Knowledge in Amazon S3, and in whatever speaks its protocol. boto3 is loaded at first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fingerpost_s3.store import S3DocumentStore, open_address

__all__ = ["S3DocumentStore", "open_address"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'fingerpost_s3' has no attribute {name!r}")
    return getattr(import_module("fingerpost_s3.store"), name)
