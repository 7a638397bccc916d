"""The contract of a document store."""

from __future__ import annotations

from fingerpost_testing.contracts.store_changing import StoreChangingContract
from fingerpost_testing.contracts.store_reading import StoreReadingContract


class DocumentStoreContract(StoreReadingContract, StoreChangingContract):
    """What is demanded of a document store.

    Inherit from it and say how the store is made; one that can be written brings its own way to fill it:

        class TestBlobStore(DocumentStoreContract):
            def make(self):
                return BlobStore(self.folder)

    One that cannot be written needs `put` as well, one without a `delete` needs `remove`.
    """
