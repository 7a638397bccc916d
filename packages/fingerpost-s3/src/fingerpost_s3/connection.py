"""A client of boto3 for a place, one in each process, with bounded time for each request."""

from __future__ import annotations

import os
import threading
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from botocore.config import Config
from botocore.loaders import create_loader
from botocore.parsers import ResponseParserFactory
from botocore.session import get_session

from fingerpost import __version__
from fingerpost_s3.place import Place

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

WORKERS = 32
"""Requests that are under way at the same time."""

_ATTEMPTS = 4
_SECONDS_TO_CONNECT = 5
_SECONDS_TO_ANSWER = 15


class Connection:
    """The client for a place, made at first use.

    A forked process makes its own, as two processes must not write to one connection. What a client that
    was given here has open is let go in such a process.

    Args:
        place: The place.
        client: A client to use instead.
    """

    def __init__(self, place: Place, client: S3Client | None = None) -> None:
        self._place = place
        self._given = client
        self._start()

    def _start(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._client = self._given

    @property
    def client(self) -> S3Client:
        """The client of this process."""
        if self._process != os.getpid():
            self._start()
            if self._given is not None:
                self._given.close()  # it opens new connections
        with self._lock:
            if self._client is None:
                self._client = client_of(self._place)
            return self._client

    def close(self) -> None:
        """Close what is open, unless the client was given; the next use opens it again."""
        with self._lock:
            if self._client is not None and self._given is None:
                self._client.close()
                self._client = None


def client_of(
    place: Place,
    attempts: int = _ATTEMPTS,
    seconds_to_answer: float = _SECONDS_TO_ANSWER,
) -> S3Client:
    """A client of boto3 that retries with growing pauses left to chance, and gives up in time.

    Args:
        place: For what.
        attempts: How often a request is sent at most.
        seconds_to_answer: How long the server may be silent.
    """
    elsewhere = place.endpoint_url is not None
    checksums = "when_required" if elsewhere else "when_supported"  # many servers do not know them
    config = Config(
        retries={"mode": "standard", "total_max_attempts": attempts},
        connect_timeout=_SECONDS_TO_CONNECT,
        read_timeout=seconds_to_answer,
        max_pool_connections=WORKERS * 2,
        tcp_keepalive=True,
        request_checksum_calculation=checksums,
        response_checksum_validation=checksums,
        s3={"addressing_style": "path" if elsewhere else "auto"},
        user_agent_extra=f"fingerpost/{__version__}",
    )
    session: Any = get_session()  # its types are unions over all services of Amazon
    session.register_component("data_loader", _descriptions(session.get_config_variable("data_path")))
    session.register_component("response_parser_factory", _leaving_times_as_texts())
    region = _region(place, session.get_config_variable("region"))
    made = session.create_client("s3", region_name=region, endpoint_url=place.endpoint_url, config=config)
    session.register_component("response_parser_factory", ResponseParserFactory())  # of what gets credentials
    return cast("S3Client", made)


@cache
def _descriptions(folders: str | None) -> Any:
    """What says how S3 is spoken: reading it anew takes most of the time in which a client is made."""
    return create_loader(folders)


def _leaving_times_as_texts() -> Any:
    """What reads answers: most of the time for a page of a listing would go into the times in it."""
    factory: Any = ResponseParserFactory()
    factory.set_parser_defaults(timestamp_parser=str)
    return factory


def _region(place: Place, default: str | None) -> str | None:
    """The region to sign for: servers elsewhere have none, and still want one to be named."""
    return place.region or default or ("us-east-1" if place.endpoint_url else None)
