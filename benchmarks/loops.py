"""How long each framework keeps its event loop from turning, while ten tools of 300 ms run for one message.

    ./run bench loops

The whole agent runs: model client, framework, adapter, tools; the model is scripted. A task beside it notes
how late each turn of the loop comes: while tools run, and in the whole run, which also makes the client of
the model (to load certificates takes some 50 ms). The floor is the same without any of them: ten sleeping
threads in a bare event loop. The first run of each framework loads modules and is not counted.
"""

from __future__ import annotations

import asyncio
import logging
import os
import statistics
import sys
import time
import warnings
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.update(
    {"CREWAI_DISABLE_TELEMETRY": "true", "HAYSTACK_TELEMETRY_ENABLED": "False", "LANGSMITH_TRACING": "false"}
)
os.environ.setdefault("OPENAI_API_KEY", "none")
warnings.simplefilter("ignore")
logging.disable(logging.ERROR)

from fingerpost_testing import Script, ScriptedServer, ToolCall, calls, say  # noqa: E402
from tests.loops.driver import Driver  # noqa: E402
from tests.loops.present import LOOPS  # noqa: E402

TOOLS = 10
SECONDS = 0.3
TURN = 0.005
ROUNDS = 5


@dataclass
class Watch:
    """When the event loop stood still, and when tools ran."""

    gaps: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    tools: list[float] = field(default_factory=list[float])

    async def turns(self) -> None:
        """Note each turn of the loop that came late: when it was due, and when it came."""
        while True:
            due = time.perf_counter() + TURN
            await asyncio.sleep(TURN)
            self.gaps.append((due, time.perf_counter()))

    def nap(self, number: int) -> str:
        """Sleep for a while, without an event loop."""
        self.tools.append(time.perf_counter())
        time.sleep(SECONDS)
        self.tools.append(time.perf_counter())
        return f"{number} slept"

    def stall(self, start: float, end: float) -> float:
        """The longest stall that overlaps a time."""
        return max(came - due for due, came in self.gaps if came > start and due < end)


async def watched(watch: Watch, work: Callable[[], Awaitable[Any]]) -> tuple[float, float, float]:
    """Seconds from the first tool to the last, the longest stall meanwhile, and that of the whole run."""
    watching = asyncio.ensure_future(watch.turns())
    await asyncio.sleep(2 * TURN)
    start = time.perf_counter()
    await work()
    end = time.perf_counter()
    await asyncio.sleep(2 * TURN)
    watching.cancel()
    first, last = min(watch.tools), max(watch.tools)
    return last - first, watch.stall(first, last), watch.stall(start, end)


async def bare(watch: Watch) -> None:
    await asyncio.gather(*(asyncio.to_thread(watch.nap, number) for number in range(TOOLS)))


def floor() -> tuple[float, float, float]:
    watch = Watch()
    return asyncio.run(watched(watch, lambda: bare(watch)))


def played(driver: Driver) -> tuple[float, float, float]:
    watch = Watch()
    script = Script(calls(*(ToolCall("nap", {"number": number}) for number in range(TOOLS))), say("Done."))
    with ScriptedServer() as server:
        session = server.play(driver.adapt_script(script))
        return asyncio.run(watched(watch, lambda: driver.run(session, driver.bind([watch.nap]), "Go.")))


def show(name: str, results: list[tuple[float, float, float]]) -> None:
    taken, stall, whole = (statistics.median(column) for column in zip(*results, strict=True))
    worst = max(result[1] for result in results)
    print(
        f"{name:<28} {taken:8.2f} s {stall * 1000:11.1f} ms {worst * 1000:8.1f} ms {whole * 1000:11.1f} ms",
        flush=True,
    )


def main() -> None:
    print(
        f"{TOOLS} tools of {SECONDS * 1000:.0f} ms in one message, {ROUNDS} runs. "
        "Stalls while tools run, and in the whole run"
    )
    print(f"{'':<28} {'tools ran':>10} {'stall':>14} {'worst':>11} {'whole run':>14}")
    show("bare event loop (floor)", [floor() for _ in range(ROUNDS)])
    for driver in LOOPS.values():
        played(driver)
        show(driver.framework, [played(driver) for _ in range(ROUNDS)])


if __name__ == "__main__":
    main()
