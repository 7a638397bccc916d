"""Buckets on servers of these tests, and what is asked of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fingerpost_s3 import S3DocumentStore
from fingerpost_s3.connection import client_of
from fingerpost_s3.place import Place


@dataclass(frozen=True, slots=True)
class Server:
    """A server that speaks the protocol of S3, on this machine."""

    url: str

    def new_bucket(self, name: str) -> Bucket:
        """A bucket with nothing in it."""
        client: Any = client_of(Place(name, endpoint_url=self.url))
        client.create_bucket(Bucket=name)
        return Bucket(self.url, name, client)


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket.

    Attributes:
        url: The server.
        name: Its name there.
        client: A client to look into it past the store.
    """

    url: str
    name: str
    client: Any

    def store(self, prefix: str = "kb") -> S3DocumentStore:
        """A store over it."""
        return S3DocumentStore(self.name, prefix, endpoint_url=self.url)

    def quick_store(self, url: str = "", seconds: float = 2) -> S3DocumentStore:
        """A store over it, perhaps by way of another server, that tries twice, for some seconds each."""
        place = Place(self.name, "kb", endpoint_url=url or self.url)
        client = client_of(place, attempts=2, seconds_to_answer=seconds)
        return S3DocumentStore(self.name, "kb", client=client, endpoint_url=place.endpoint_url)

    def put(self, *keys: str, body: bytes = b"x") -> None:
        """Store the same content under some keys."""
        self.fill(dict.fromkeys(keys, body))

    def fill(self, objects: Mapping[str, bytes]) -> None:
        """Store some objects, several at the same time."""
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(self._put, objects.keys(), objects.values()))

    def _put(self, key: str, body: bytes) -> None:
        self.client.put_object(Bucket=self.name, Key=key, Body=body)

    def remove(self, *keys: str) -> None:
        """Remove some objects."""
        for key in keys:
            self.client.delete_object(Bucket=self.name, Key=key)

    def all_keys(self) -> list[str]:
        """All keys, as far as they fit on one page."""
        found = self.client.list_objects_v2(Bucket=self.name).get("Contents", [])
        return [each["Key"] for each in found]


@contextmanager
def moto() -> Generator[Server]:
    """Moto as a server in this process."""
    from moto.server import ThreadedMotoServer

    threaded = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    threaded.start()
    host, port = threaded.get_host_and_port()
    yield Server(f"http://{host}:{port}")
    threaded.stop()


def fill_moto(name: str, objects: Iterable[tuple[str, bytes]]) -> None:
    """Store many objects in a bucket of moto without asking its server for each."""
    from moto.s3.models import s3_backends

    (backend,) = [held for held in s3_backends["123456789012"].values() if name in held.buckets]
    for key, body in objects:
        backend.put_object(name, key, body)


def counted(store: S3DocumentStore) -> Counter[str]:
    """How often a store has sent each kind of request from now on, attempts that were repeated included."""
    seen: Counter[str] = Counter()

    def note(request: Any, operation_name: str, **_: object) -> None:
        seen[operation_name] += 1

    store._connection.client.meta.events.register("request-created.s3", note)  # pyright: ignore[reportPrivateUsage]
    return seen


def concept(title: str, text: str = "") -> bytes:
    """A small concept."""
    return f"---\ntype: Note\ntitle: {title}\n---\n{text or title}\n".encode()
