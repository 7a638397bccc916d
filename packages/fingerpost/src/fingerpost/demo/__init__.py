"""The bundle that ships with Fingerpost: a bicycle hire company, small enough to read in five minutes."""

from __future__ import annotations

from pathlib import Path


def demo_bundle() -> str:
    """The folder of the sample bundle, for `Bundle(demo_bundle())`.

    It shows what a good bundle looks like, and holds a trap: the retired cancellation policy answers the
    likeliest question word for word, and wrongly.

    Returns:
        Absolute path of the bundle's folder.
    """
    return str(Path(__file__).with_name("harbour-bikes"))
