"""Bundles in a bucket: how often the server is asked, and what is written to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from fingerpost import Bundle, BundleWriter, ConflictError, KnowledgeBuilder, OKFManager
from fingerpost.stores import from_uri
from tests.s3.buckets import Bucket, Server, concept, counted, fill_moto


def opened(bucket: Bucket) -> Bundle:
    return Bundle(bucket.store(), cache="", refresh_seconds=None)


@dataclass(frozen=True, slots=True)
class Large:
    """A bundle of many concepts that is looked at anew in every call, and what it asks of the server."""

    bucket: Bucket
    bundle: Bundle
    asked: Counter[str]

    def check_unchanged(self, concepts: int, requests: int) -> None:
        """One listing tells that nothing changed."""
        self.asked.clear()
        assert len(self.bundle) == concepts
        assert self.asked.keys() == {"ListObjectsV2"}
        assert self.asked["ListObjectsV2"] <= requests

    def check_edit(self, word: str, requests: int) -> None:
        """Of all concepts, the one that changed is read."""
        self.bucket.put("kb/folder7/concept77.md", body=concept(word))
        self.asked.clear()
        assert [hit["id"] for hit in self.bundle.find(word)["results"]] == ["folder7/concept77"]
        assert self.asked["GetObject"] == 1
        assert self.asked["ListObjectsV2"] <= requests
        assert self.asked.keys() == {"ListObjectsV2", "GetObject"}


@contextmanager
def large(bucket: Bucket) -> Generator[Large]:
    store = bucket.store()
    with Bundle(store, cache="", refresh_seconds=0) as bundle:
        bundle.wait(120)
        yield Large(bucket, bundle, counted(store))


def many_concepts(count: int) -> dict[str, bytes]:
    return {f"kb/folder{n % 10}/concept{n}.md": concept(f"Concept {n}") for n in range(count)}


@pytest.fixture(scope="module")
def ten_thousand(seaweedfs_server: Server) -> Iterator[Large]:
    """10,000 concepts on a real server."""
    bucket = seaweedfs_server.new_bucket("many-concepts")
    bucket.fill(many_concepts(10_000))
    with large(bucket) as bundle:
        yield bundle


def test_an_unchanged_prefix_costs_its_listing_and_one_edit_one_read_more(moto_bucket: Bucket) -> None:
    fill_moto(moto_bucket.name, many_concepts(1_500).items())
    with large(moto_bucket) as bundle:
        bundle.check_unchanged(1_500, requests=2)
        bundle.check_edit("heron", requests=2)


@pytest.mark.services
def test_an_unchanged_prefix_of_10000_objects_is_refreshed_in_11_requests(ten_thousand: Large) -> None:
    ten_thousand.check_unchanged(10_000, requests=11)


@pytest.mark.services
def test_one_edit_costs_one_read_more(ten_thousand: Large) -> None:
    ten_thousand.check_edit("heron", requests=11)
    ten_thousand.check_edit("stork", requests=11)
    ten_thousand.check_unchanged(10_000, requests=11)


def test_a_bundle_in_a_bucket_is_opened_by_its_address(bucket: Bucket) -> None:
    bucket.put("kb/policies/refunds.md", body=concept("Refunds", "Within 30 days."))
    with Bundle(from_uri(f"s3://{bucket.name}/kb?endpoint_url={bucket.url}"), cache="") as bundle:
        assert bundle.find("30 days")["results"][0]["id"] == "policies/refunds"


def test_what_was_written_is_in_the_next_answer_though_the_server_is_asked_every_5_minutes(
    bucket: Bucket,
) -> None:
    bucket.put("kb/a.md", body=concept("A"))
    base = OKFManager(bucket.store(), name="kb", refresh_seconds=300)
    tools = {tool.__name__: tool for tool in KnowledgeBuilder([base]).build()}
    assert "Stored in 'kb' under id 'generated/heron'" in tools["write_kb"]("kb", "It nests.", title="Heron")
    assert "[generated/heron]" in tools["search_kb"]("kb", "heron nests")
    assert "Heron" in tools["browse_kb"]("kb", "generated")
    assert "It nests." in tools["fetch_kb"]("kb", "generated/heron")
    assert "kb/generated/heron.md" in bucket.all_keys()
    base.close()


def test_a_change_on_another_machine_is_not_overwritten(bucket: Bucket) -> None:
    bucket.put("kb/a.md", body=concept("A"))
    with opened(bucket) as one, opened(bucket) as other:
        read = one.read("a")["revision"]
        now = BundleWriter(other).update("a", fields={"title": "Theirs"}).revision
        with pytest.raises(ConflictError, match=now):
            BundleWriter(one).update("a", "Mine.", revision=read)
        BundleWriter(one).append("a", "Mine.")
        assert b"title: Theirs" in one.store.read_bytes("a.md")


def test_sixteen_writers_at_the_same_time_lose_nothing(bucket: Bucket) -> None:
    bucket.put("kb/a.md", body=concept("A"))
    bundles = [opened(bucket) for _ in range(4)]

    def write(number: int) -> str:
        writer = BundleWriter(bundles[number % 4])
        writer.append("a", f"Line {number}.")
        return writer.create(f"The same title\n\nBody {number}.").id

    with ThreadPoolExecutor(16) as threads:
        ids = list(threads.map(write, range(16)))
    assert len(set(ids)) == 16
    text = bundles[0].store.read_bytes("a.md").decode()
    assert all(f"Line {number}.\n" in text for number in range(16))
    for bundle in bundles:
        bundle.close()
