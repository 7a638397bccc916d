"""Starts of which every import counts: this program itself imports nothing that is not needed.

    python benchmarks/measuring/lean.py bare
    python benchmarks/measuring/lean.py walk FOLDER
    python benchmarks/measuring/lean.py start FOLDER TITLE ID

It prints the megabytes of anonymous memory that the process has in the end. Where the index is kept is up to
the environment variable FINGERPOST_CACHE.
"""

import os
import sys


def walk(folder: str) -> None:
    """Name and stat of every file, and nothing else."""
    folders = [folder]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)


def start(folder: str, title: str, expected: str) -> None:
    """Open a bundle and ask for a title."""
    from fingerpost import Bundle

    if expected not in [hit["id"] for hit in Bundle(folder).find(title)["results"]]:
        raise SystemExit(f"{title!r} did not find {expected}.")


if __name__ == "__main__":
    if sys.argv[1] != "bare":
        {"walk": walk, "start": start}[sys.argv[1]](*sys.argv[2:])
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        print(next(int(line.split()[1]) / 1024 for line in status if line.startswith("RssAnon:")))
