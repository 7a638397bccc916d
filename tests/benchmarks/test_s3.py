"""The measurement of bundles in a bucket."""

from __future__ import annotations

import pytest


@pytest.mark.services
def test_a_bucket_is_measured_beside_reading_it_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks import s3

    assert s3.main(["--objects", "40", "--rounds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "40 objects, medians of 1 rounds" in printed
    for what in (
        "cold, one by one by hand",
        "cold, 16 threads by hand",
        "unchanged",
        "one edit",
        "write, and",
    ):
        assert f"\n{what}" in printed
    assert "1 GetObject, 1 ListObjectsV2" in printed
    assert "No more was asked of the server than is due." in printed
