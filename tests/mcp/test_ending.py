"""The end of the command waits for nothing that is busy, and an end in which nothing is takes its time."""

from __future__ import annotations

from tests.repo.sources import in_fresh_python

TIDY = """
import atexit, time
from fingerpost_mcp.ending import ends_in_any_case
def late():
    time.sleep(1.5)
    print("saved")
atexit.register(late)
with ends_in_any_case():
    print("served")
"""
BUSY = """
import threading
from fingerpost_mcp.ending import ends_in_any_case
threading.Thread(target=threading.Event().wait).start()
with ends_in_any_case():
    print("served")
"""


def test_what_is_to_be_done_at_the_end_is_done_however_long_it_takes() -> None:
    outcome = in_fresh_python(TIDY)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "served\nsaved\n", "")


def test_a_busy_thread_does_not_keep_the_process_nor_cost_what_was_printed() -> None:
    outcome = in_fresh_python(BUSY)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "served\n", "")
