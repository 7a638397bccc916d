"""The contracts of document stores: of every one, and of those that are written to."""

from __future__ import annotations

from fingerpost_testing.contracts.store_changing import StoreChangingContract
from fingerpost_testing.contracts.store_reading import StoreReadingContract
from fingerpost_testing.contracts.store_swapping import StoreSwappingContract
from fingerpost_testing.contracts.store_writing import StoreWritingContract


class DocumentStoreContract(StoreReadingContract, StoreChangingContract):
    """What is demanded of a document store.

    Inherit from it and say how the store is made; one that can be written brings its own way to fill it:

        class TestBlobStore(DocumentStoreContract):
            def make(self):
                return BlobStore(self.folder)

    One that cannot be written needs `put` as well, one without a `delete` needs `remove`.
    """


class WritableStoreContract(StoreWritingContract, StoreSwappingContract):
    """What is demanded of a document store that is written to.

    Inherit from it, alone or together with the other contract:

        class TestBlobStore(DocumentStoreContract, WritableStoreContract):
            def make(self):
                return BlobStore(self.folder)

            def again(self, store):
                return BlobStore(self.folder)

    `again` makes another object over the same place; what two of them do to each other is left out without
    it. Of a store whose `writable` is False, nothing is demanded but that it refuses to be written.
    """
