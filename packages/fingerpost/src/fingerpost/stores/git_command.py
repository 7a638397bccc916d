"""Running the program `git`, closed to whatever the user, the machine or a repository would have it do.

Fetching over https with credentials, packs, and the versions of the protocol are git's own; a library that
does them as well is as large. Nothing is ever checked out, so that no hook, filter, submodule or attribute of
a repository comes to run; and of the surroundings git gets what is listed here, and nothing else. It checks
the hash of each object that it receives. Rules for the content of objects (`fsckObjects`) are not asked for:
they protect a checkout, and refuse many a repository for an old commit that is written oddly.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from fingerpost.errors import ConfigError, StoreError

MAX_OUTPUT_BYTES = 256 * 1024 * 1024

_KEPT_ERROR_BYTES = 8_000
_CHUNK_BYTES = 1 << 16
_STALLED_SECONDS = 30
_LEAST_SECRET = 4  # a shorter one stands in any text
_PASSED_ON = (
    "PATH",
    "TMPDIR",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
)
_CLOSED = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "HOME": os.devnull,  # where a .netrc would be read
}
_SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.askPass": "",
    "credential.helper": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.version": "2",
    "fetch.recurseSubmodules": "false",
    "fetch.unpackLimit": "1",  # each fetch makes one pack, and not a file of each object
    "fetch.writeCommitGraph": "false",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": str(_STALLED_SECONDS),
}


class GitError(StoreError):
    """Git failed.

    Attributes:
        said: What it said, in which nothing is secret.
    """

    def __init__(self, sentence: str, said: str = "") -> None:
        super().__init__(sentence)
        self.said = said


@dataclass(frozen=True, slots=True)
class Git:
    """How git is run for one repository.

    Attributes:
        protocol: The only one that is allowed, "https" or "file".
        credentials: "user:password" for https, "" for none.
        ca_file: The certificates that servers are checked against, "" for those of the system.
    """

    protocol: str
    credentials: str = field(default="", repr=False)
    ca_file: str = ""

    def run(
        self,
        repository: str,
        words: Sequence[str],
        seconds: float,
        *,
        max_bytes: int = MAX_OUTPUT_BYTES,
        keep_open: Sequence[int] = (),
    ) -> bytes:
        """What a command prints.

        Args:
            repository: The bare repository that it works in, "" for none.
            words: The command and its arguments.
            seconds: How long it may take.
            max_bytes: How much it may print.
            keep_open: Descriptors that it inherits.

        Raises:
            GitError: It fails, takes too long or prints too much.
            ConfigError: Git is not installed.
        """
        process = self.start(repository, words, subprocess.DEVNULL, keep_open)
        try:
            printed, said = _collected(process, words[0], seconds, max_bytes)
        finally:
            end(process)
        if process.returncode:
            said = self._without_secrets(said)
            lines = said.strip().splitlines() or ["it said nothing"]
            raise GitError(f"git {words[0]} failed: {lines[-1]}", said)
        return printed

    def start(
        self,
        repository: str,
        words: Sequence[str],
        stdin: int,
        keep_open: Sequence[int] = (),
    ) -> subprocess.Popen[bytes]:
        """A command that runs, with pipes for what it prints; to be ended by `end`."""
        settings = [word for name, value in self._settings().items() for word in ("-c", f"{name}={value}")]
        try:
            return subprocess.Popen(  # noqa: S603 - of words that are no options of others
                ["git", *settings, *words],  # noqa: S607 - whichever is installed
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if stdin == subprocess.DEVNULL else subprocess.DEVNULL,
                bufsize=0,
                env=self._environment(repository),
                cwd="/",
                pass_fds=keep_open,
                start_new_session=True,
            )
        except FileNotFoundError:
            raise not_installed() from None
        except OSError as error:
            raise GitError(f"The program git cannot be run ({error.strerror}).") from error

    def _settings(self) -> dict[str, str]:
        settings = dict(_SETTINGS)
        if self.credentials:
            settings["http.followRedirects"] = "false"  # or they would be sent wherever one leads
        if self.ca_file:
            settings["http.sslCAInfo"] = self.ca_file
        return settings

    def _environment(self, repository: str) -> dict[str, str]:
        passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        environment = {
            **passed_on,
            **_CLOSED,
            "GIT_DIR": repository or os.devnull,
            "GIT_ALLOW_PROTOCOL": self.protocol,
        }
        if self.credentials:  # not as arguments, which everybody on the machine can see
            environment |= {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "http.extraHeader",
                "GIT_CONFIG_VALUE_0": f"Authorization: Basic {self._encoded()}",
            }
        return environment

    def _encoded(self) -> str:
        return b64encode(self.credentials.encode("utf-8", "surrogateescape")).decode()

    def _without_secrets(self, said: str) -> str:
        """What git said; a server may have it repeat what it was sent."""
        name, _, password = self.credentials.partition(":")
        for secret in (self.credentials, self._encoded(), password or name):
            said = said.replace(secret, "***") if len(secret) >= _LEAST_SECRET else said
        return said


def not_installed() -> ConfigError:
    """The sentence for a machine without git."""
    return ConfigError(
        "Documents in a git repository are read by the program git, which is not installed; install it, or "
        "serve a folder or an archive of the repository."
    )


def end(process: subprocess.Popen[bytes]) -> None:
    """End a command and all that it started, and release its pipes."""
    with suppress(ProcessLookupError, PermissionError):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()


def _collected(
    process: subprocess.Popen[bytes], command: str, seconds: float, max_bytes: int
) -> tuple[bytes, str]:
    """All that a command prints, and the end of what it complains of."""
    deadline = time.monotonic() + seconds
    printed, said = bytearray(), bytearray()
    with selectors.DefaultSelector() as pipes:
        for pipe, kept in ((process.stdout, printed), (process.stderr, said)):
            assert pipe is not None  # noqa: S101 - they are asked for
            pipes.register(pipe, selectors.EVENT_READ, kept)
        while pipes.get_map():
            ready = pipes.select(max(deadline - time.monotonic(), 0))
            if not ready or time.monotonic() > deadline:
                raise GitError(f"git {command} took longer than {seconds:g} seconds.", "timed out")
            for key, _ in ready:
                chunk = os.read(key.fd, _CHUNK_BYTES)
                if not chunk:
                    pipes.unregister(key.fd)
                key.data.extend(chunk)
            del said[:-_KEPT_ERROR_BYTES]
            if len(printed) > max_bytes:
                raise GitError(f"git {command} printed more than {max_bytes:,} bytes.", "too much")
    try:
        process.wait(max(deadline - time.monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        raise GitError(f"git {command} took longer than {seconds:g} seconds.", "timed out") from None
    return bytes(printed), said.decode(errors="replace")
