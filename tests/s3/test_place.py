"""Addresses name a place, and no secrets."""

from __future__ import annotations

import pytest

from fingerpost import ConfigError
from fingerpost_s3 import S3DocumentStore, open_address


@pytest.mark.parametrize(
    ("address", "identity"),
    [
        ("s3://bucket", "s3://bucket"),
        ("s3://bucket/", "s3://bucket"),
        ("S3://bucket/a/b/", "s3://bucket/a/b"),
        ("s3://bucket/a?region=eu-west-1", "s3://bucket/a"),
        ("s3://bucket/my%20kb", "s3://bucket/my%20kb"),
        (
            "s3://bucket/kb?endpoint_url=http://127.0.0.1:8333/",
            "s3://bucket/kb?endpoint_url=http://127.0.0.1:8333",
        ),
        ("s3://bucket/kb?endpoint_url=https%3A%2F%2F[::1]:9", "s3://bucket/kb?endpoint_url=https://[::1]:9"),
    ],
)
def test_an_address_is_told_in_its_one_spelling(address: str, identity: str) -> None:
    assert open_address(address).identity == identity
    assert open_address(identity).identity == identity


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("s3://", "is no name of a bucket; give the name alone"),
        ("s3:///kb", "is no name of a bucket; give the name alone"),
        ("s3://key:hunter2@bucket/kb", "holds credentials; leave them out"),
        (
            "s3://bucket/kb?endpoint_url=http://key:hunter2@host",
            "endpoint_url holds credentials; leave",
        ),
        ("s3://bucket/kb?endpoint_url=host:80", "is no endpoint; give one such as 'https://s3.example.com'"),
        ("s3://bucket/kb?endpoint_url=http://host:port", "is no endpoint; give one such as"),
        ("s3://bucket/a//b", "is no folder: it holds an empty, '.' or '..' segment"),
        ("s3://bucket/a/../b", "is no folder: it holds an empty, '.' or '..' segment"),
        ("s3://bucket/kb#top", "write '#' and '?' in it as '%23' and '%3F'"),
        ("s3://bucket/kb?regoin=x", "unknown option 'regoin'; there are endpoint_url, region, writable"),
        ("s3://bucket/kb?region=a&region=b", "has an option twice; leave one out"),
        ("s3://bucket/kb?writable=perhaps", "'writable' is 'perhaps'; give true or false"),
    ],
)
def test_an_address_that_names_no_place_is_refused_without_repeating_a_secret(
    address: str, sentence: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        open_address(address)
    assert sentence in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_whether_to_write_is_said_in_the_address() -> None:
    assert open_address("s3://bucket").writable
    assert not open_address("s3://bucket?writable=false").writable


def test_a_store_shows_where_it_lies() -> None:
    assert repr(S3DocumentStore("bucket", "kb")) == "S3DocumentStore('s3://bucket/kb')"
