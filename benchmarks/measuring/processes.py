"""Processes to measure in, and what the system says of them."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

_CHILD, _LEAN = (Path(__file__).with_name(name) for name in ("child.py", "lean.py"))
_TICKS = os.sysconf("SC_CLK_TCK")
_NONE: Mapping[str, str] = MappingProxyType({})


class MeasurementError(Exception):
    """A measurement that failed, with what it said."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a measurement in a process of its own.

    Attributes:
        figures: What it printed.
        seconds: CPU of the whole process and of what it started, imports included.
        peak: The most anonymous memory that it and what it started had at one moment, 0 if not watched.
    """

    figures: Any
    seconds: float
    peak: float


def measure(
    name: str, arguments: Mapping[str, Any], *, watch: bool = False, settings: Mapping[str, str] = _NONE
) -> Measured:
    """Run a measurement of `child.py` in a fresh process.

    Args:
        name: Which.
        arguments: What it is given.
        watch: Whether its memory is watched while it runs.
        settings: Environment variables that it gets beside those of this process.

    Raises:
        MeasurementError: If it fails.
    """
    command = [sys.executable, str(_CHILD), name]
    return _run(command, json.dumps(arguments), watch=watch, settings=settings)


def measure_lean(*words: str, index: Path | None = None) -> Measured:
    """Run `lean.py` in a fresh process; the figure "memory" is what it prints.

    Args:
        words: Its arguments.
        index: The folder for the index of a bundle.

    Raises:
        MeasurementError: If it fails.
    """
    settings = {} if index is None else {"FINGERPOST_CACHE": str(index)}
    done = _run([sys.executable, str(_LEAN), *words], "", settings=settings)
    return Measured({"memory": done.figures}, done.seconds, done.peak)


def _run(command: list[str], given: str, *, watch: bool = False, settings: Mapping[str, str]) -> Measured:
    """Run a program that prints JSON, and take the time of it."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = ended_seconds()
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, env={**environment, **settings}, text=True, **pipes) as child:
        peaks = [0.0]
        watcher = threading.Thread(target=_watch, args=(child, peaks))
        if watch:
            watcher.start()
        printed, said = child.communicate(given)
        if watch:
            watcher.join()
    if child.returncode != 0:
        raise MeasurementError(f"The measurement {' '.join(command[1:3])} failed: {said.strip()[-2000:]}")
    return Measured(json.loads(printed), ended_seconds() - before, max(peaks))


def _watch(child: subprocess.Popen[str], peaks: list[float]) -> None:
    """Add up the anonymous memory of a process and its descendants again and again, and keep the most."""
    while child.poll() is None:
        peaks.append(max(peaks.pop(), sum(map(anonymous_memory, [child.pid, *descendants(child.pid)]))))
        time.sleep(0.005)


def anonymous_memory(process: int | None = None) -> float:
    """Megabytes of memory of a process that no file stands behind, 0 when it is gone."""
    try:
        with open(f"/proc/{process or os.getpid()}/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) / 1024 for line in file if line.startswith("RssAnon:")), 0.0)
    except OSError:
        return 0.0


def tree_seconds() -> float:
    """CPU of this process, of those that it started and that have ended, and of those that still run."""
    running = sum(_seconds_of(process) for process in descendants(os.getpid()))
    return time.process_time() + ended_seconds() + running


def ended_seconds() -> float:
    """CPU of the processes that this one started and that have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def descendants(process: int) -> Iterator[int]:
    """The processes that a process has started, and those that they have."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return
    for thread in threads:
        try:
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            continue
        for child in children:
            yield child
            yield from descendants(child)


def _seconds_of(process: int) -> float:
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS
