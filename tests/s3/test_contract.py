"""The store keeps what is demanded of every document store, on servers with two orders."""

from __future__ import annotations

from itertools import count

import pytest

from fingerpost import DocumentStore
from fingerpost_s3 import S3DocumentStore
from fingerpost_testing import DocumentStoreContract, WritableStoreContract
from tests.s3.buckets import Server

_numbers = count()


class TestOnMoto(DocumentStoreContract, WritableStoreContract):
    @pytest.fixture(autouse=True)
    def _server(self, moto_server: Server) -> None:
        self.server = moto_server

    def make(self) -> DocumentStore:
        return self.server.new_bucket(f"contract-{next(_numbers)}").store()

    def again(self, store: DocumentStore) -> DocumentStore:
        bucket = store.identity.removeprefix("s3://").partition("/")[0]
        return S3DocumentStore(bucket, "kb", endpoint_url=self.server.url)


@pytest.mark.services
class TestOnSeaweedFS(TestOnMoto):
    @pytest.fixture(autouse=True)
    def _server(self, seaweedfs_server: Server) -> None:
        self.server = seaweedfs_server
