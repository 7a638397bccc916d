"""Which objects are files: no folder markers, nothing hidden, no odd keys, nothing of sibling prefixes."""

from __future__ import annotations

import pytest

from fingerpost.stores import Skipped
from fingerpost_s3.keys import files_and_remarks
from fingerpost_s3.listing import Object
from fingerpost_s3.place import Place
from tests.s3.buckets import Bucket


def test_sibling_prefixes_and_folder_markers_are_not_seen(bucket: Bucket) -> None:
    bucket.put("kb/policies/x.md", "kb-secret/x.md", "kb.md", "kbx/y.md", "x.md")
    bucket.put("kb/", "kb/policies/", "kb/empty/", body=b"")
    store = bucket.store("kb")
    assert store.list() == ["policies/x.md"]
    assert store.changes().skipped == ()
    assert not store.exists("policies")
    assert bucket.store("").list() == ["kb-secret/x.md", "kb.md", "kb/policies/x.md", "kbx/y.md", "x.md"]


def test_a_key_may_be_a_folder_too(bucket: Bucket) -> None:
    bucket.fill({"kb/conf": b"file", "kb/conf/x.md": b"below"})
    store = bucket.store()
    assert store.list() == ["conf", "conf/x.md"]
    assert store.list("conf") == ["conf/x.md"]
    assert (store.read_bytes("conf"), store.read_bytes("conf/x.md")) == (b"file", b"below")
    bucket.remove("kb/conf/x.md")
    assert store.list() == ["conf"]


def test_hidden_objects_are_counted_and_not_served(bucket: Bucket) -> None:
    bucket.put("kb/.git/config", "kb/.git/head", "kb/a/.notes/x.md", "kb/.env", "kb/a.md")
    found = bucket.store().changes()
    assert found.changed == ("a.md",)
    (hidden,) = found.skipped
    assert (hidden.code, hidden.count) == ("OKF401", 3)
    assert hidden.reason == "3 hidden entries are left out: '.env', '.git', 'a/.notes'."


def test_a_folder_below_a_hidden_one_can_be_a_store(bucket: Bucket) -> None:
    bucket.put("kb/.git/config")
    assert bucket.store("kb/.git").list() == ["config"]


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("u//x.md", "its key holds two slashes in a row, which cannot be part of a path"),
        ("/x.md", "its key holds two slashes in a row, which cannot be part of a path"),
        ("a\\b.md", "its key holds a backslash, which cannot be part of a path"),
        ("a/../b.md", "its key holds a segment '.' or '..', or a NUL, which cannot be part of a path"),
        ("./b.md", "its key holds a segment '.' or '..', or a NUL, which cannot be part of a path"),
        ("full/", "its key ends in a slash like that of a folder, and it has content"),
    ],
)
def test_an_odd_key_is_reported_and_the_others_are_served(moto_bucket: Bucket, path: str, what: str) -> None:
    moto_bucket.put(f"kb/{path}", "kb/good name+%41.md")
    found = moto_bucket.store().changes()
    assert found.changed == ("good name+%41.md",)
    assert found.skipped == (Skipped(path, "OKF404", f"{path!r} is left out: {what}."),)


def test_many_odd_keys_are_summed_up() -> None:
    objects = [Object(f"kb/a//{number}", "tag", 1) for number in range(250)]
    _, skipped = files_and_remarks(Place("bucket", "kb"), objects)
    assert len(skipped) == 101
    assert skipped[-1].count == 150


def test_characters_that_mean_something_in_addresses_are_plain_in_keys(bucket: Bucket) -> None:
    names = [
        "sp ace.md",
        "plus+.md",
        "per%20cent.md",
        "hash#.md",
        "ask?.md",
        "üŋî/灯台.md",
        "a&b=c.md",
        "'q\".md",
    ]
    bucket.fill({f"kb/{name}": name.encode() for name in names})
    store = bucket.store()
    assert store.list() == sorted(names)
    assert [store.read_bytes(name) for name in names] == [name.encode() for name in names]
    assert store.changes(store.changes().cursor).changed == ()


def test_a_signature_is_the_same_by_listing_and_by_asking(bucket: Bucket) -> None:
    bucket.put("kb/a.md", "kb/empty.md")
    store = bucket.store()
    cursor = store.changes().cursor
    assert cursor.signature("a.md") == store.signature("a.md")
    bucket.put("kb/a.md", body=b"other")
    assert cursor.signature("a.md") != store.signature("a.md")
    bucket.put("kb/a.md", body=b"x")
    assert cursor.signature("a.md") == store.signature("a.md")
