"""Writing objects on the condition that nobody else has, where the server minds such conditions."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from fingerpost import KnowledgeCapabilityError
from fingerpost.stores import conflict
from fingerpost_s3.failures import (
    BOTO_ERRORS,
    UNSUPPORTED,
    attempts_before,
    code_of,
    failure,
    is_absent,
    is_mismatch,
    is_outcome_unknown,
)
from fingerpost_s3.place import Place
from fingerpost_s3.reading import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from mypy_boto3_s3 import S3Client

_PROBE = ".fingerpost-probe-"  # hidden from every store
_NO_TAG = '"00000000000000000000000000000000"'  # the ETag of nothing that is stored
_CREATING, _REPLACING, _REMOVING = "If-None-Match", "If-Match", "If-Match in a removal"
_OF_WRITES, _OF_REMOVALS = (_CREATING, _REPLACING), (_REMOVING,)
_MARKDOWN, _BYTES = "text/markdown; charset=utf-8", "application/octet-stream"


class Conditions:
    """Whether a server minds the conditions of writes, found out once by writing to a key of its own.

    Args:
        place: Where that key may be.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._ignored: frozenset[str] | None = None

    def demand(self, client: S3Client, path: str, *, removes: bool) -> None:
        """Let a swap pass only where it cannot destroy what somebody else writes.

        Args:
            client: The client.
            path: What is to be written.
            removes: Whether it is to be removed.

        Raises:
            KnowledgeCapabilityError: The server ignores a condition.
            StoreError: That cannot be found out now.
        """
        with self._lock:
            if self._ignored is None:
                try:
                    self._ignored = self._found_out(client)
                except BOTO_ERRORS as error:
                    raise failure(f"{path!r} was not written", self._place, error) from error
        needed = _OF_REMOVALS if removes else _OF_WRITES
        if ignored := [condition for condition in needed if condition in self._ignored]:
            raise KnowledgeCapabilityError(
                f"{path!r} was not written: the server of {self._place.identity} ignores {ignored[0]}, so "
                "that a change by somebody else could be lost; use a server with conditional writes."
            )

    def _found_out(self, client: S3Client) -> frozenset[str]:
        """The conditions that the server ignores."""
        bucket, key = self._place.bucket, self._place.key(f"{_PROBE}{os.urandom(8).hex()}")
        client.put_object(Bucket=bucket, Key=key, Body=b"")
        try:
            trials: dict[str, Callable[[], object]] = {
                _CREATING: lambda: client.put_object(Bucket=bucket, Key=key, IfNoneMatch="*"),
                _REPLACING: lambda: client.put_object(Bucket=bucket, Key=key, IfMatch=_NO_TAG),
                _REMOVING: lambda: client.delete_object(Bucket=bucket, Key=key, IfMatch=_NO_TAG),
            }
            return frozenset(condition for condition, trial in trials.items() if not _is_minded(trial))
        finally:
            client.delete_object(Bucket=bucket, Key=key)


def _is_minded(trial: Callable[[], object]) -> bool:
    """Whether a request is refused because its condition does not hold."""
    try:
        trial()
    except ClientError as error:
        if is_mismatch(error):
            return True
        if code_of(error) in UNSUPPORTED:
            return False
        raise
    return False


class Swap:
    """One exchange of the content of an object.

    Args:
        client: The client.
        place: Where the object lies.
        path: Its path.
    """

    def __init__(self, client: S3Client, place: Place, path: str) -> None:
        self._client = client
        self._place = place
        self._path = path
        self._key = place.key(path)

    def make(self, old: bytes | None, new: bytes | None) -> None:
        """Exchange what it holds.

        Args:
            old: What it has to hold; None for an object that must not be there.
            new: What it is to hold; None to remove it.

        Raises:
            ConflictError: It holds something else.
            StoreError: It cannot be written, or it is not known whether it was.
        """
        held, tag = self._held()
        if held != old:
            raise conflict(self._path)
        if held == new:
            return
        try:
            self._send(tag, new)
        except BOTO_ERRORS as error:
            self._judge(error, new)

    def _send(self, tag: str, new: bytes | None) -> None:
        bucket, key = self._place.bucket, self._key
        if new is None:
            self._client.delete_object(Bucket=bucket, Key=key, IfMatch=tag)
        elif tag:
            self._client.put_object(
                Bucket=bucket, Key=key, Body=new, ContentType=type_of(self._path), IfMatch=tag
            )
        else:
            self._client.put_object(
                Bucket=bucket, Key=key, Body=new, ContentType=type_of(self._path), IfNoneMatch="*"
            )

    def _judge(self, error: Exception, new: bytes | None) -> None:
        """Tell a lost race from a request whose first attempt succeeded without an acknowledgement.

        Raises:
            ConflictError: Somebody else has written.
            StoreError: The request failed.
        """
        is_lost = is_mismatch(error) or is_absent(error)
        is_sent = is_outcome_unknown(error) or (is_lost and attempts_before(error) > 0)
        if is_sent and self._held()[0] == new:
            return
        if is_lost:
            raise conflict(self._path) from error
        raise write_failure(self._path, self._place, error) from error

    def _held(self) -> tuple[bytes | None, str]:
        """What the object holds now and its ETag; None and "" when there is none."""
        try:
            return whole(self._client, self._place.bucket, self._key, self._path, None)
        except BOTO_ERRORS as error:
            if is_absent(error):
                return None, ""
            raise failure(
                f"{self._path!r} was not written, as it could not be read,", self._place, error
            ) from error


def write_failure(path: str, place: Place, error: Exception) -> Exception:
    """The sentence about a write that failed."""
    if is_outcome_unknown(error):
        return failure(
            f"It is open whether {path!r} was written, so read it again; the request failed", place, error
        )
    return failure(f"{path!r} was not written", place, error)


def type_of(path: str) -> str:
    """The media type that an object is stored with."""
    return _MARKDOWN if path.endswith(".md") else _BYTES
