"""Where the server listens for HTTP, and with which token: loopback, unless a token guards the rest."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import stat
from argparse import ArgumentTypeError
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from fingerpost import ConfigError
from fingerpost_mcp.gate import PATH

DEFAULT_PORT = "8765"
TOKEN_VARIABLE = "FINGERPOST_MCP_TOKEN"  # noqa: S105 - the name of a variable, and no token

_ADDRESS = re.compile(r"(?:(?P<host>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):)?(?P<port>[0-9]{1,5})")
_TOKEN = re.compile(r"[!-~]{16,}")
_HOST_NAME = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")


@dataclass(frozen=True, slots=True)
class Address:
    """A name or an IP address, an IPv6 one in brackets, and a port, 0 for any that is free."""

    host: str
    port: int

    @property
    def is_any(self) -> bool:
        """Whether it stands for all addresses of the machine."""
        return self.host in ("0.0.0.0", "[::]")  # noqa: S104 - to tell it from others


def address(text: str) -> Address:
    """Read `[HOST:]PORT` from a command line."""
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > 65535:
        raise ArgumentTypeError(
            f"{text!r} is no [HOST:]PORT, such as {DEFAULT_PORT}; put --http last to use that one"
        )
    return Address(found["host"] or "127.0.0.1", int(found["port"]))


def host_name(text: str) -> str:
    """Read from a command line by which name clients call the server."""
    name = text.lower()
    if _HOST_NAME.fullmatch(name) is None:
        raise ArgumentTypeError(f"{text!r} is no name of a host, such as kb.example.org; leave out the port")
    return name


def read_token(path: str | None) -> tuple[str, list[str]]:
    """The token in a file, or else in the environment, "" if there is none; and what to say about the file.

    Raises:
        ConfigError: If the file cannot be read, or the token is too short or not plain text.
    """
    token, where, remarks = os.environ.get(TOKEN_VARIABLE, "").strip(), f"the variable {TOKEN_VARIABLE}", []
    if path is not None:
        where = repr(path)
        try:
            with open(path, encoding="utf-8-sig") as file:
                token = file.read().strip()
                is_open = stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise ConfigError(
                f"The token cannot be read from {where} ({reason}): name a file that holds nothing else."
            ) from error
        remarks = [f"Other users can read the token in {where}: run chmod 600 on it."] if is_open else []
    if (token or path is not None) and _TOKEN.fullmatch(token) is None:
        raise ConfigError(
            f"The token in {where} is too easy to guess or cannot be sent: use 16 or more "
            "letters, digits and signs without blanks, such as `openssl rand -hex 32` prints."
        )
    return token, remarks


@contextmanager
def listening(at: Address, token: str) -> Generator[socket.socket]:
    """Listen at an address; without a token, only where no other machine can ask.

    Raises:
        ConfigError: If the address needs a token or cannot be listened at.
    """
    try:
        found = socket.getaddrinfo(at.host.strip("[]"), at.port, type=socket.SOCK_STREAM)[0]
        if not token and not ipaddress.ip_address(found[4][0]).is_loopback:
            raise ConfigError(
                f"Other machines can reach {at.host}, so a token must guard it: put one into the variable "
                f"{TOKEN_VARIABLE} or into a file that --token-file names."
            )
        listener = socket.create_server(found[4], family=found[0])
    except (socket.gaierror, UnicodeError) as error:
        raise ConfigError(
            f"The server cannot listen at {at.host}:{at.port}, since no address of that name was found: mend "
            "the name, or give an address of this machine, such as 127.0.0.1."
        ) from error
    except OSError as error:
        reason = error.strerror or error
        raise ConfigError(
            f"The server cannot listen at {at.host}:{at.port} ({reason}): end what listens there, or "
            "choose another port, such as --http 0 for any that is free."
        ) from error
    with listener:
        yield listener


def url(at: Address, listener: socket.socket, names: list[str]) -> str:
    """The address to give to clients."""
    host = (names or ["localhost"])[0] if at.is_any else at.host
    return f"http://{host}:{listener.getsockname()[1]}{PATH}"
