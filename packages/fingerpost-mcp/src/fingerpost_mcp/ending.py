"""The end of the process, which does not wait for calls that nobody waits for any more."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

_DONE, _FAILED = 0, 3
_TIDY_SECONDS = 0.5  # for threads that only have to be told that the end has come


@contextmanager
def ends_in_any_case() -> Generator[None]:
    """Serve in this block; when the process ends afterwards, threads that are still busy do not keep it.

    A thread that runs a tool cannot be stopped, and the interpreter would wait for it. Nothing happens before
    the interpreter ends, and nothing if no thread is left then.
    """
    code = _FAILED
    try:
        yield
        code = _DONE
    finally:
        pool = ThreadPoolExecutor(1)
        # The interpreter tells the idle threads of pools first of all that it ends.
        witness = pool.submit(threading.current_thread).result()
        threading.Thread(target=_end, args=[pool, witness, code], daemon=True).start()


def _end(pool: ThreadPoolExecutor, witness: threading.Thread, code: int) -> None:
    witness.join()
    pool.shutdown(wait=False)
    time.sleep(_TIDY_SECONDS)
    main = threading.main_thread()
    if any(thread is not main and not thread.daemon for thread in threading.enumerate()):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
