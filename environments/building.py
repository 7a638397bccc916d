"""Building an environment from its lock, once; uv does the work, and pip where there is no uv."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from environments import folders
from environments.programs import Failure, say, succeeds
from environments.table import locked

OFFLINE_SIGNS = (
    "NewConnectionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Connection refused|"
    "error sending request|Could not fetch URL|name resolution|Network is unreachable"
).split("|")


def base_of(name: str) -> str:
    """The name in the table of environments: `newest-a` is `a` with another lock."""
    return name.removeprefix("newest-")


def lock_file(name: str) -> str:
    """Path of the hash-pinned requirements called `name`."""
    folder = folders.VENVS if name != base_of(name) else os.path.join(folders.ROOT, "locks")
    return os.path.join(folder, name + ".txt")


def package_folders(name: str) -> list[str]:
    """Folders of this repository's packages that the environment `name` holds."""
    return [os.path.join(folders.ROOT, "packages", package) for package in locked()[base_of(name)].packages]


def fingerprint(name: str) -> str:
    """A text that changes whenever the environment `name` would have to be built anew."""
    import hashlib

    inputs = [lock_file("tools"), lock_file(name)]
    inputs += [os.path.join(folder, "pyproject.toml") for folder in package_folders(name)]
    digest = hashlib.sha256(repr((sys.version_info[:3], folders.ROOT)).encode())
    for path in inputs:
        with open(path, "rb") as file:
            content = file.read()
        digest.update(b"%s %d " % (path.encode(), len(content)) + content)
    return digest.hexdigest()


def is_ready(home: str, wanted: str) -> bool:
    """Whether the environment at `home` was completed from these inputs, and its interpreter still exists."""
    try:
        with open(os.path.join(home, "complete")) as file:
            return file.read() == wanted and os.access(os.path.join(home, "bin", "python"), os.X_OK)
    except OSError:
        return False


def the_turn_to_set_up() -> TextIO:
    """An open file that only one set-up holds at a time; close it to let the next one go on."""
    import fcntl

    os.makedirs(folders.VENVS, exist_ok=True)
    guard = open(os.path.join(folders.VENVS, "lock"), "w")  # noqa: SIM115 - the caller closes it
    os.set_inheritable(guard.fileno(), True)  # an installer that outlives this process still holds it
    try:
        fcntl.flock(guard, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        say("Another ./run is setting up; waiting for it.")
        fcntl.flock(guard, fcntl.LOCK_EX)
    return guard


def environment(name: str) -> str:
    """The bin folder of the environment `name`, built first if it is missing, unfinished or out of date."""
    home = os.path.join(folders.VENVS, name)
    wanted = fingerprint(name)
    if not is_ready(home, wanted):
        with the_turn_to_set_up():
            if not is_ready(home, wanted):
                build(name, home, wanted)
    return os.path.join(home, "bin")


def build(name: str, home: str, wanted: str) -> None:
    """Build an environment from nothing; its stamp comes last, so a build that was cut short is repeated."""
    import shutil
    import time

    start = time.monotonic()
    log = os.path.join(folders.VENVS, name + ".log")
    if os.path.exists(log):
        os.remove(log)
    say(f"Setting up environment {name} (1/3): the installer")
    uv = installer(log)
    lock = os.path.relpath(lock_file(name), folders.ROOT)
    say(f"Setting up environment {name} (2/3): the packages of {lock}")
    shutil.rmtree(home, ignore_errors=True)
    python = os.path.join(home, "bin", "python")
    if not (uv and succeeds([uv, "venv", "--clear", "--python", sys.executable, home], log)):
        shutil.rmtree(home, ignore_errors=True)
        if not succeeds([sys.executable, "-m", "venv", "--without-pip", home], log):
            raise Failure(with_tail(f"No virtual environment could be made in {home}.", log))
    install(uv, python, ["--require-hashes", "-r", lock_file(name)], log)
    own = [word for folder in package_folders(name) for word in ("-e", folder)]
    if own:
        say(f"Setting up environment {name} (3/3): Fingerpost itself")
        install(uv, python, ["--no-deps", "--no-build-isolation", *own], log)
    with open(os.path.join(home, "complete"), "w") as file:
        file.write(wanted)
    say(f"Ready after {time.monotonic() - start:.0f} s. The next run starts at once.")


def installer(log: str) -> str:
    """Path of uv in its own small environment, or "" when pip has to do its work.

    The environment also holds the pip that takes over where uv has no build for the platform, or cannot read
    the index settings that pip has.
    """
    import importlib.util
    import shutil

    home = os.path.join(folders.VENVS, "tools")
    uv = os.path.join(home, "bin", "uv")
    with open(lock_file("tools")) as file:
        wanted = file.read() + sys.version
    if is_ready(home, wanted):
        return uv if os.path.exists(uv) else ""
    if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
        raise Failure(
            "This Python cannot make virtual environments: install its venv module (on Debian and Ubuntu: "
            "apt-get install python3-venv), then run the same command again."
        )
    shutil.rmtree(home, ignore_errors=True)
    if not succeeds([sys.executable, "-m", "venv", home], log):
        raise Failure(with_tail(f"No virtual environment could be made in {home}.", log))
    required = ["--only-binary", ":all:", "--require-hashes", "-r", lock_file("tools")]
    if not succeeds(pip_install(home) + required, log):
        stop_if_offline(log)
        say("There is no uv for this platform; pip does its work, more slowly.")
    with open(os.path.join(home, "complete"), "w") as file:
        file.write(wanted)
    return uv if os.path.exists(uv) else ""


def pip_install(home: str, python: str = "") -> list[str]:
    """The beginning of a `pip install` command of the environment `home`, into `python` or itself."""
    target = ["--python", python] if python else []
    pip = [os.path.join(home, "bin", "python"), "-m", "pip"]
    return [*pip, *target, "install", "--disable-pip-version-check", "--no-input", "--retries", "2"]


def install(uv: str, python: str, requirements: list[str], log: str) -> None:
    """Install into the environment of `python` with uv, and with pip where that does not succeed."""
    if uv:
        if succeeds([uv, "pip", "install", "--python", python, *requirements], log):
            return
        say(f"uv did not succeed ({first_complaint(log)}); pip tries the same, more slowly.")
    if not succeeds(pip_install(os.path.join(folders.VENVS, "tools"), python) + requirements, log):
        stop_if_offline(log)
        raise Failure(with_tail("The packages could not be installed.", log))


def first_complaint(log: str) -> str:
    """What the last program in the log said first that looks like the reason of its failure."""
    with open(log, errors="replace") as file:
        lines = [line.strip() for line in file.read().rpartition("\n$ ")[2].splitlines()[1:] if line.strip()]
    reasons = [line for line in lines if line.startswith(("error", "\N{MULTIPLICATION SIGN}"))]
    return (reasons or lines or ["it said nothing"])[0]


def stop_if_offline(log: str) -> None:
    """Say so when the log shows that no package index answered."""
    with open(log, errors="replace") as file:
        content = file.read()
    if any(sign in content for sign in OFFLINE_SIGNS):
        cure = "check the network, or name the index that you use (PIP_INDEX_URL and UV_DEFAULT_INDEX), then "
        raise Failure(with_tail("No package index answered: " + cure + "run the same command again.", log))


def with_tail(sentence: str, log: str) -> str:
    """A sentence, followed by the end of the log that shows why."""
    with open(log, errors="replace") as file:
        tail = file.read().rstrip().splitlines()[-12:]
    return "{}\nThe end of {}:\n  {}".format(sentence, os.path.relpath(log, folders.ROOT), "\n  ".join(tail))


def need_uv() -> str:
    """Path of uv, for the commands that cannot do without it."""
    with the_turn_to_set_up():
        uv = installer(os.path.join(folders.VENVS, "tools.log"))
    if not uv:
        raise Failure("This command needs uv, which has no build for this platform.")
    return uv
