"""Whatever goes wrong is told in one sentence: where, why, and what to do."""

from __future__ import annotations

from typing import Any

import pytest
from botocore import exceptions as raised
from botocore.stub import Stubber

from fingerpost import KnowledgeNotFoundError, StoreError
from fingerpost_s3 import S3DocumentStore
from fingerpost_s3.connection import client_of
from fingerpost_s3.failures import failure
from fingerpost_s3.place import Place
from tests.s3.buckets import Bucket, Server

PLACE = Place("bucket", "kb")


def store_that_gets(code: str, status: int) -> S3DocumentStore:
    """A store whose server answers a listing with an error that no server of these tests gives."""
    client = client_of(Place("bucket", "kb", "eu-west-1"))
    stubber = Stubber(client)
    stubber.add_client_error("list_objects_v2", code, http_status_code=status)
    stubber.activate()
    return S3DocumentStore("bucket", "kb", client=client)


@pytest.mark.parametrize(
    ("code", "status", "reason"),
    [
        ("AllAccessDisabled", 403, "access is denied (AllAccessDisabled); allow"),
        ("PermanentRedirect", 301, "the bucket is in another region (PermanentRedirect); give"),
        (
            "AuthorizationHeaderMalformed",
            400,
            "the bucket is in another region (Auth",
        ),
        ("ExpiredToken", 400, "the credentials have expired (ExpiredToken); renew them."),
        (
            "InvalidAccessKeyId",
            403,
            "the credentials are not accepted (InvalidAccessKeyId); ch",
        ),
        ("SlowDown", 503, "the server asks to slow down (SlowDown); try again later."),
        ("RequestTimeTooSkewed", 403, "the clock of this machine is wrong (RequestTimeTooSkewed)"),
        ("InternalError", 500, "the server has an error of its own (InternalError); try"),
        ("BrandNewError", 555, "the server has an error of its own (BrandNewError); try"),
        (
            "BrandNewRefusal",
            418,
            "the server refuses the request (BrandNewRefusal); see",
        ),
    ],
)
def test_an_answer_of_a_server_is_explained(code: str, status: int, reason: str) -> None:
    with pytest.raises(StoreError) as caught:
        store_that_gets(code, status).list()
    assert str(caught.value).startswith(f"The objects could not be listed in s3://bucket/kb: {reason}")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (raised.NoCredentialsError(), "there are no credentials; give boto3 some in the environment"),
        (
            raised.ProfileNotFound(profile="x"),
            "the profile that AWS_PROFILE names does not exist; correct it.",
        ),
        (
            raised.SSLError(endpoint_url="x", error=OSError("y")),
            "no secure connection can be made; check",
        ),
        (
            raised.ConnectTimeoutError(endpoint_url="x"),
            "the server does not answer in time; check the network",
        ),
        (
            raised.ProxyConnectionError(proxy_url="x", error=OSError("y")),
            "the server cannot be reached; check the net",
        ),
        (
            raised.UnknownServiceError(service_name="x", known_service_names="y"),
            "boto3 failed with UnknownServ",
        ),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_an_error_of_boto3_is_explained(error: Any, reason: str) -> None:
    assert str(failure("It failed", PLACE, error)).startswith(f"It failed in s3://bucket/kb: {reason}")


def test_without_credentials_it_is_said_how_to_give_them(
    moto_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(StoreError, match=r"there are no credentials; give boto3 some in the environment"):
        S3DocumentStore("bucket", endpoint_url=moto_server.url).list()


def test_a_profile_that_does_not_exist_is_named(moto_server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(StoreError, match=r"the profile that AWS_PROFILE names does not exist; correct it"):
        S3DocumentStore("bucket", endpoint_url=moto_server.url).read_bytes("a.md")


def test_a_bucket_that_does_not_exist_is_no_empty_store(server: Server) -> None:
    store = S3DocumentStore("no-such-bucket", endpoint_url=server.url)
    for ask in (store.list, store.changes, lambda: store.read_bytes("a.md")):
        with pytest.raises(StoreError, match=r"there is no such bucket \(NoSuchBucket\); check its name"):
            ask()


@pytest.mark.services
@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_wrong_credentials_are_told_without_repeating_them(
    seaweedfs_server: Server, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "hunter2")
    store = S3DocumentStore("bucket", endpoint_url=seaweedfs_server.url)
    with pytest.raises(StoreError, match=r"the credentials are not accepted \(\w+\); check the") as caught:
        store.list()
    assert "hunter2" not in str(caught.value)


def test_nothing_that_listens_is_unreachable_soon() -> None:
    client = client_of(Place("bucket", endpoint_url="http://127.0.0.1:9"), attempts=2)
    with pytest.raises(StoreError, match=r"the server cannot be reached; check the network"):
        S3DocumentStore("bucket", client=client).read_bytes("a.md")


def test_what_is_absent_is_not_found_and_no_failure(bucket: Bucket) -> None:
    store = bucket.store()
    for ask in (store.read_bytes, store.signature, store.delete):
        with pytest.raises(KnowledgeNotFoundError, match=r"^No file is stored at 'a\.md'"):
            ask("a.md")
    assert not store.exists("a.md")
