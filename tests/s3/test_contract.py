"""The store keeps what is demanded of every document store, and of those that several write to."""

from __future__ import annotations

from itertools import count

import pytest

from fingerpost import DocumentStore
from fingerpost_s3 import S3DocumentStore
from fingerpost_testing import DocumentStoreContract, WritableStoreContract
from tests.s3.buckets import Bucket, Server

_numbers = count()


class TestOnMoto(DocumentStoreContract, WritableStoreContract):
    @pytest.fixture(autouse=True)
    def _server(self, moto_server: Server) -> None:
        self.server = moto_server

    def make(self) -> S3DocumentStore:
        self.bucket: Bucket = self.server.new_bucket(f"contract-{next(_numbers)}")
        return self.bucket.store()

    def again(self, store: DocumentStore) -> S3DocumentStore:
        return self.bucket.store()


@pytest.mark.services
class TestOnSeaweedFS(TestOnMoto):
    @pytest.fixture(autouse=True)
    def _server(self, seaweedfs_server: Server) -> None:
        self.server = seaweedfs_server
