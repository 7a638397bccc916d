"""A folder in a bucket of S3 as a store."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from fingerpost import DocumentStore, KnowledgeCapabilityError, StoreError
from fingerpost.errors import missing_package
from fingerpost.stores import Changes, Cursor, changes_since, not_found, served, writable_path
from fingerpost_s3.place import parsed, place_of

try:
    from fingerpost_s3.connection import Connection
    from fingerpost_s3.failures import BOTO_ERRORS, failure, is_absent
    from fingerpost_s3.keys import files_and_remarks
    from fingerpost_s3.listing import PAGE, Fetch, Listing, Object, Page, pages, signature_of
    from fingerpost_s3.reading import Content, ahead, whole
    from fingerpost_s3.writing import Conditions, Swap, type_of, write_failure
except ModuleNotFoundError as cause:
    raise missing_package("the S3 store", "s3") from cause

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

_SECONDS_TO_LIST = 600


def open_address(address: str) -> S3DocumentStore:
    """The store of an address such as "s3://bucket/prefix?region=eu-west-1".

    Args:
        address: The address. It may have the options `region`, `endpoint_url` and `writable`; special
            characters in the prefix are written with "%".

    Raises:
        ConfigError: The address names no place, or holds credentials.
    """
    place, writable = parsed(address)
    return S3DocumentStore(
        place.bucket, place.prefix, place.region, writable=writable, endpoint_url=place.endpoint_url
    )


class S3DocumentStore(DocumentStore):
    """The objects below a prefix of a bucket, of Amazon S3 or of a server that speaks its protocol.

    Nothing is asked of the server before the first use. What changed is seen in one listing, by ETags and
    sizes. Every request is retried a few times and ends within about a minute; what fails is a `StoreError`,
    and never looks as if an object were gone.

    Args:
        bucket: The bucket.
        prefix: The folder in it, "" for the whole bucket: "kb" holds "kb/a.md", and nothing of "kb-old/".
        region: The region of the bucket; by default what is set up for boto3.
        client: A client of boto3 to use, with its own time limits; by default one is made with what boto3
            finds in the environment, in profiles or in the role of the machine.
        writable: Whether the store may be written to.
        endpoint_url: A server other than Amazon's, such as "http://127.0.0.1:8333"; buckets are then named in
            the path.

    Raises:
        ConfigError: One of these cannot be meant.
    """

    def __init__(
        self,
        bucket: str,
        prefix: str = "",
        region: str | None = None,
        client: S3Client | None = None,
        writable: bool = True,
        *,
        endpoint_url: str | None = None,
    ) -> None:
        self._place = place_of(bucket, prefix, region, endpoint_url)
        self._writable = writable
        self._connection = Connection(self._place, client)
        self._listing = Listing()
        self._conditions = Conditions(self._place)

    @property
    def identity(self) -> str:
        """The bucket and the prefix as an address, with the server where that is not Amazon's."""
        return self._place.identity

    @property
    def writable(self) -> bool:
        """What was said when the store was made."""
        return self._writable

    def __repr__(self) -> str:
        return f"S3DocumentStore({self.identity!r})"

    def list(self, prefix: str = "") -> list[str]:
        """See `DocumentStore.list`."""
        if not prefix:
            return [path for path, _ in self._look(None)[0]]
        fetch = self._fetch(self._place.key(f"{self.normalise(prefix)}/"))
        objects = sorted({each.key: each for page in pages(fetch) for each in page}.values())
        return [path for path, _ in files_and_remarks(self._place, objects)[0]]

    def changes(self, cursor: Cursor | None = None) -> Changes:
        """See `DocumentStore.changes`."""
        files, skipped = self._look(cursor)
        return changes_since(cursor, Cursor.of(files), skipped=skipped)

    def signature(self, path: str) -> str:
        """See `DocumentStore.signature`."""
        path = served(path)
        with self._sentences(path, f"{path!r} could not be examined"):
            found = self._connection.client.head_object(Bucket=self._place.bucket, Key=self._place.key(path))
        return signature_of(found, found["ContentLength"])

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        """See `DocumentStore.read_bytes`. The content is that of one version of the object."""
        path = served(path)
        with self._sentences(path, f"{path!r} could not be read"):
            key = self._place.key(path)
            return whole(self._connection.client, self._place.bucket, key, path, max_bytes)[0]

    def read_many(self, paths: Iterable[str], max_bytes: int | None = None) -> Iterator[tuple[str, Content]]:
        """See `DocumentStore.read_many`. Some tens of objects are read at the same time."""
        return ahead(self.read_bytes, paths, max_bytes)

    def write_bytes(self, path: str, data: bytes) -> None:
        """See `DocumentStore.write_bytes`."""
        path = self._to_write(path)
        try:
            self._connection.client.put_object(
                Bucket=self._place.bucket, Key=self._place.key(path), Body=data, ContentType=type_of(path)
            )
        except BOTO_ERRORS as error:
            raise write_failure(path, self._place, error) from error

    def delete(self, path: str) -> None:
        """See `DocumentStore.delete`."""
        path = served(path)
        self._demand_writable(path)
        self.signature(path)  # the server removes what is not there without a word
        with self._sentences(path, f"{path!r} was not removed"):
            self._connection.client.delete_object(Bucket=self._place.bucket, Key=self._place.key(path))

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        """See `DocumentStore.swap_bytes`. It holds for all writers, on whatever machine.

        Raises:
            KnowledgeCapabilityError: The store is not to be written to, or the server ignores the conditions
                that keep writers apart.
        """
        path = self._to_write(path)
        client = self._connection.client
        self._conditions.demand(client, path, removes=new is None)
        Swap(client, self._place, path).make(old, new)

    def close(self) -> None:
        """Close the connections, unless the client was given."""
        self._connection.close()

    def _look(self, cursor: Cursor | None) -> tuple[list[tuple[str, str]], Any]:
        def known() -> list[str]:
            return [self._place.key(path) for path in cursor.paths()] if cursor is not None else []

        objects = self._listing.objects(self._fetch(self._place.start), known)
        return files_and_remarks(self._place, objects)

    def _fetch(self, start: str) -> Fetch:
        """What gives the pages of objects whose keys start in some way, for a limited time."""
        client, until = self._connection.client, time.monotonic() + _SECONDS_TO_LIST

        def fetch(after: str, token: str) -> Page:
            if time.monotonic() > until:
                raise StoreError(
                    f"{self.identity} could not be listed within {_SECONDS_TO_LIST} seconds; try again "
                    "later, or choose a smaller prefix."
                )
            further: dict[str, Any] = {"ContinuationToken": token} if token else {}
            if after and not token:
                further["StartAfter"] = after
            try:
                answer: Any = client.list_objects_v2(
                    Bucket=self._place.bucket, Prefix=start, MaxKeys=PAGE, **further
                )
            except BOTO_ERRORS as error:
                raise failure("The objects could not be listed", self._place, error) from error
            objects = [
                Object(each["Key"], signature_of(each, each["Size"]), each["Size"])
                for each in answer.get("Contents", [])
            ]
            return Page(objects, answer["NextContinuationToken"] if answer["IsTruncated"] else "")

        return fetch

    def _to_write(self, path: str) -> str:
        path = writable_path(path)
        self._demand_writable(path)
        return path

    def _demand_writable(self, path: str) -> None:
        if not self._writable:
            raise KnowledgeCapabilityError(
                f"{path!r} was not written: the store {self.identity} was made to be read only; make it with "
                "writable=True."
            )

    @contextmanager
    def _sentences(self, path: str, doing: str) -> Generator[None]:
        try:
            yield
        except BOTO_ERRORS as error:
            if is_absent(error):
                raise not_found(path) from error
            raise failure(doing, self._place, error) from error
