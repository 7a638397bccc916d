"""Starting programs, and telling the person who typed the command about it."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import NoReturn

from environments import folders

# Settings of the caller's shell that would send an installation, or an import, somewhere else.
MISLEADING = (
    "PIP_PREFIX PIP_REQUIRE_VIRTUALENV PIP_TARGET PIP_USER PYTHONHOME PYTHONPATH UV_PYTHON UV_SYSTEM_PYTHON "
    "VIRTUAL_ENV"
).split()


class Failure(Exception):  # noqa: N818 - it is the end of a command, and reads so
    """What stopped the command, in a sentence for the person who typed it."""


def clean_environ(**more: str) -> dict[str, str]:
    """The caller's environment variables without those that mislead pip, uv or Python, and some more."""
    return {name: value for name, value in os.environ.items() if name not in MISLEADING} | more


def become(*command: str, **environ: str) -> NoReturn:
    """Replace this process by a program: nothing of this script stays in memory or on the clock."""
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(command[0], list(command), clean_environ(**environ))


def say(text: str) -> None:
    """Print a line about progress, apart from the output of the command itself."""
    sys.stdout.flush()
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def call(arguments: Sequence[str], cwd: str | None = None, env: Mapping[str, str] | None = None) -> int:
    """Run a program in the open, in the current folder or another, and return its exit status."""
    import subprocess

    return subprocess.run(arguments, check=False, cwd=cwd, env=env or clean_environ()).returncode


def succeeds(arguments: Sequence[str], log: str) -> bool:
    """Run a program with its output added to the file `log`; say whether it succeeded."""
    import subprocess

    with open(log, "ab") as output:
        output.write(("$ " + " ".join(arguments) + "\n").encode())
        output.flush()
        done = subprocess.run(
            arguments,
            check=False,
            cwd=folders.ROOT,
            env=clean_environ(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            close_fds=False,
        )
    return done.returncode == 0
