"""Reading objects: one whole, or many ahead of who takes them, within bounds on threads and memory."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ResponseStreamingError
from urllib3.exceptions import HTTPError

from fingerpost.errors import TooLargeError
from fingerpost.stores import too_large
from fingerpost_s3.connection import WORKERS
from fingerpost_s3.failures import UnavailableError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

Content = bytes | Exception
Read = Callable[[str, int | None], bytes]

_WAITING = WORKERS * 2  # contents that are read and not yet taken
_BYTES_AHEAD = 1 << 20  # larger ones are read when it is their turn
_ATTEMPTS = 3
_LONGEST_PAUSE = 1.0
_FAILURES_IN_A_ROW = WORKERS * 2


def whole(client: S3Client, bucket: str, key: str, path: str, max_bytes: int | None) -> tuple[bytes, str]:
    """The content of an object, all from one version of it, and its ETag.

    Args:
        client: The client.
        bucket: The bucket.
        key: The key.
        path: How the object is called in a sentence.
        max_bytes: The most that may be read; None for no cap.

    Raises:
        TooLargeError: The object holds more.
        ClientError: The server refuses.
        BotoCoreError: The server does not answer, or cuts the content off again and again.
    """
    attempt = 1
    while True:
        answer = client.get_object(Bucket=bucket, Key=key)
        with answer["Body"] as body:
            size = answer["ContentLength"]
            if max_bytes is not None and size > max_bytes:
                raise too_large(path, size, max_bytes)
            try:
                return body.read(), answer["ETag"]
            except (BotoCoreError, HTTPError, OSError) as error:
                if attempt == _ATTEMPTS:
                    raise ResponseStreamingError(error=error) from error
        time.sleep(random.uniform(0, _LONGEST_PAUSE) * attempt / _ATTEMPTS)  # noqa: S311 - a pause is no secret
        attempt += 1


def ahead(read: Read, paths: Iterable[str], max_bytes: int | None) -> Iterator[tuple[str, Content]]:
    """Paths with their contents, or with what reading them raised, in the order of the paths.

    No more than some tens of contents are held, none of them large. When the server has failed for long
    without a break, the rest is not asked for any more.

    Args:
        read: Reads one, and is called by several threads.
        paths: The paths.
        max_bytes: The most that may be read of each.
    """
    some = _BYTES_AHEAD if max_bytes is None else min(max_bytes, _BYTES_AHEAD)
    outage = _Outage()

    def attempt(path: str) -> Content:
        if outage.error is not None:
            return outage.error
        return outage.noted(_attempted(read, path, some))

    def taken(path: str, content: Future[Content]) -> tuple[str, Content]:
        found = content.result()
        if isinstance(found, TooLargeError) and some != max_bytes:
            found = _attempted(read, path, max_bytes)
        return path, found

    pool = ThreadPoolExecutor(WORKERS, "fingerpost-s3-read")
    waiting: deque[tuple[str, Future[Content]]] = deque()
    try:
        for path in paths:
            waiting.append((path, pool.submit(attempt, path)))
            if len(waiting) >= _WAITING:
                yield taken(*waiting.popleft())
        while waiting:
            yield taken(*waiting.popleft())
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _Outage:
    """Whether so many reads have failed in a row that further ones would be in vain.

    Attributes:
        error: What the last of them raised; None as long as there is hope.
    """

    def __init__(self) -> None:
        self.error: Exception | None = None
        self._in_a_row = 0

    def noted(self, content: Content) -> Content:
        """A content, once it is known whether it is a failure."""
        self._in_a_row = self._in_a_row + 1 if isinstance(content, UnavailableError) else 0
        if self._in_a_row >= _FAILURES_IN_A_ROW and isinstance(content, Exception):
            self.error = content
        return content


def _attempted(read: Read, path: str, max_bytes: int | None) -> Content:
    try:
        return read(path, max_bytes)
    except Exception as error:  # noqa: BLE001 - one object that cannot be read must not sink the rest
        return error
