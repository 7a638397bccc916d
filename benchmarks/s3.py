"""What a bundle in a bucket costs to open and to refresh, beside reading every object again.

    ./run bench s3 [--objects 10000] [--rounds 3]

A server for S3 (SeaweedFS) is started on this machine and ended afterwards. Seconds by the clock, seconds of
this process's CPU, and requests; medians. "By hand" is the plain way with boto3: list the pages, then get
each object, one by one or by 16 threads; a listing alone is the floor of a refresh. A refresh that asks more
than the pages and one of the server, or an edit that reads more than its object, makes the command fail.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.measuring.machine import about_line  # noqa: E402
from environments import services  # noqa: E402
from fingerpost import Bundle, BundleWriter  # noqa: E402
from fingerpost_s3 import S3DocumentStore  # noqa: E402
from fingerpost_s3.connection import client_of  # noqa: E402
from fingerpost_s3.place import Place  # noqa: E402

BUCKET, PREFIX = "bench", "kb/"
PAGE = 1000
THREADS = 16


@dataclass(frozen=True, slots=True)
class Taken:
    """What something took: seconds by the clock, seconds of CPU, and requests by kind."""

    seconds: float
    cpu: float
    requests: Counter[str]


class Requests:
    """Counts what clients ask of a server."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def watch(self, client: Any) -> Any:
        """Count the requests of a client, too."""
        client.meta.events.register("request-created.s3", self._note)
        return client

    def _note(self, operation_name: str, **_: object) -> None:
        self.seen[operation_name] += 1

    def of(self, do: Callable[[], object]) -> Taken:
        """Do something, and tell what it took."""
        self.seen.clear()
        start, cpu = time.perf_counter(), time.process_time()
        do()
        return Taken(time.perf_counter() - start, time.process_time() - cpu, Counter(self.seen))


def concept(number: int, word: str = "lantern") -> bytes:
    """A concept of some size."""
    text = f"The {word} {number} is lit at dusk and put out at dawn. " * 12
    return f"---\ntype: Lamp\ntitle: Lamp {number}\ntags: [lamp, t{number % 50}]\n---\n\n{text}\n".encode()


def listed(client: Any) -> list[str]:
    """All keys, page after page."""
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=PREFIX)
    return [each["Key"] for page in pages for each in page.get("Contents", [])]


def read_by_hand(client: Any, threads: int) -> int:
    """List the pages, and read each object; the bytes read."""

    def size(key: str) -> int:
        return len(client.get_object(Bucket=BUCKET, Key=key)["Body"].read())

    if threads == 1:
        return sum(map(size, listed(client)))
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(size, listed(client)))


class Bench:
    """A bucket that is measured.

    Args:
        url: The server.
        objects: How many objects it is filled with.
    """

    def __init__(self, url: str, objects: int) -> None:
        self._url, self._objects = url, objects
        self._requests = Requests()
        self._client: Any = client_of(Place(BUCKET, endpoint_url=url))
        self._client.create_bucket(Bucket=BUCKET)
        with ThreadPoolExecutor(THREADS) as threads:
            list(threads.map(self.put, range(objects)))
        self._requests.watch(self._client)

    def put(self, number: int, word: str = "lantern") -> None:
        """Store a concept."""
        key = f"{PREFIX}street{number % 100}/lamp{number}.md"
        self._client.put_object(Bucket=BUCKET, Key=key, Body=concept(number, word))

    def round(self, number: int) -> dict[str, Taken]:
        """Measure everything once."""
        taken = {
            "cold, one by one by hand": self._requests.of(lambda: read_by_hand(self._client, 1)),
            "cold, 16 threads by hand": self._requests.of(lambda: read_by_hand(self._client, THREADS)),
        }
        store = S3DocumentStore(BUCKET, "kb", client=self._client, endpoint_url=self._url)
        bundle = Bundle(store, cache="", refresh_seconds=0)
        taken["cold"] = self._requests.of(bundle.wait)
        taken["unchanged, a listing by hand"] = self._requests.of(lambda: listed(self._client))
        taken["unchanged"] = self._requests.of(lambda: len(bundle))
        self.put(number, f"beacon{number}")
        taken["one edit"] = self._requests.of(lambda: bundle.find(f"beacon{number}"))
        bundle.close()
        paced = Bundle(store, cache="", refresh_seconds=300)
        paced.wait()
        writer = BundleWriter(paced, prefix="generated")
        writer.create(f"First note of round {number}")  # finds out whether the server minds conditions
        taken["write, and find it"] = self._requests.of(
            lambda: (writer.create(f"Note {number}"), paced.find(f"note {number}"))
        )
        paced.close()
        return taken

    def faults(self, taken: dict[str, Taken]) -> Iterable[str]:
        """What asked more of the server than it may."""
        most = -(-(self._objects + 2 * len(taken)) // PAGE) + 1
        for what in ("unchanged", "one edit"):
            lists = taken[what].requests["ListObjectsV2"]
            if lists > most:
                yield f"{what}: {lists} listings, and no more than {most} are due."
        if (reads := taken["one edit"].requests["GetObject"]) != 1:
            yield f"one edit: {reads} objects were read, and one had changed."


def lines(rounds: list[dict[str, Taken]]) -> list[str]:
    """The medians, a line for each thing that was measured."""
    shown: list[str] = []
    for what in rounds[0]:
        several = [taken[what] for taken in rounds]
        seconds = statistics.median(each.seconds for each in several)
        cpu = statistics.median(each.cpu for each in several)
        asked = ", ".join(f"{count} {kind}" for kind, count in sorted(several[-1].requests.items()))
        shown.append(f"{what:<30} {seconds:9.3f} s {cpu:9.3f} s CPU   {asked}")
    return shown


def main(arguments: list[str]) -> int:
    """Print a line for each thing that was measured."""
    parser = argparse.ArgumentParser(
        "./run bench s3", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--objects", metavar="N", type=int, default=10_000, help="(%(default)s)")
    parser.add_argument("--rounds", metavar="N", type=int, default=3, help="(%(default)s)")
    options = parser.parse_args(arguments)
    os.environ |= {"AWS_ACCESS_KEY_ID": services.S3_KEY, "AWS_SECRET_ACCESS_KEY": services.S3_SECRET}
    with services.seaweedfs() as server:
        bench = Bench(server.url, options.objects)
        rounds = [bench.round(number) for number in range(options.rounds)]
    print(f"\n{options.objects:,} objects, medians of {options.rounds} rounds; requests of the last one")
    print("\n".join(lines(rounds)))
    print(f"\n{about_line()}")
    faults = [fault for taken in rounds for fault in bench.faults(taken)]
    print("\n".join(faults) if faults else "No more was asked of the server than is due.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
