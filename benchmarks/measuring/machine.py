"""What a benchmark ran with."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def about() -> dict[str, str]:
    """Commit, versions and processors, for the end of a report."""
    return {
        "commit": _commit(),
        "Python": platform.python_version(),
        "SQLite": sqlite3.sqlite_version,
        "kernel": f"{platform.system()} {platform.release()}",
        "processors": str(os.cpu_count()),
    }


def about_line() -> str:
    """The same in one line."""
    return ", ".join(f"{name} {value}" for name, value in about().items())


def _commit() -> str:
    commit = _git("rev-parse", "--short", "HEAD")
    if not commit:
        return "unknown"
    return f"{commit} + changes" if _git("status", "--porcelain") else commit


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.strip()
