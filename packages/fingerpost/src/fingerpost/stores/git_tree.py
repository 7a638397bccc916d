"""The files of a revision, as git lists them."""

from __future__ import annotations

from collections.abc import Iterator

from fingerpost.errors import StoreError
from fingerpost.stores.cursor import split
from fingerpost.stores.entry_names import LINK, SPECIAL, usable_path
from fingerpost.stores.listed import Listing
from fingerpost.stores.remarks import Remarks

MAX_FILES = 1_000_000

_FILES = (b"100644", b"100755", b"100664")
_OTHERS = {
    b"120000": (LINK, "it is a symbolic link, and links in a repository are not followed"),
    b"160000": (SPECIAL, "it is a submodule, which is a repository of its own"),
}


def listing_of(printed: bytes) -> Listing:
    """What is served of a revision.

    Args:
        printed: Its entries, as `git ls-tree -r -z` prints them.

    Raises:
        StoreError: They are more than can be served.
    """
    remarks = Remarks()
    count = printed.count(b"\0")
    if count > MAX_FILES:
        raise StoreError(
            f"The repository holds {count:,} files, more than the {MAX_FILES:,} that are served; give a "
            "folder of it."
        )
    files = dict(_files(printed, remarks))  # a path that a damaged tree holds twice counts once
    return Listing(files.items(), remarks.summed_up())


def _files(printed: bytes, remarks: Remarks) -> Iterator[tuple[str, str]]:
    """The paths of the files that are served, with the ids of their blobs."""
    for line in printed.split(b"\0"):
        about, _, name = line.partition(b"\t")
        if not name:
            continue
        path = usable_path(name, remarks)
        if not path:
            continue
        mode, _, blob = about.split(b" ")
        if mode in _FILES:
            yield path, blob.decode()
        else:
            folder, last = split(path)
            remarks.skip(folder, last, *_OTHERS.get(mode, (SPECIAL, "it is no regular file")))
