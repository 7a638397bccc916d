"""The addresses of stores: what kind each is, and how it is shown."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import cast

from fingerpost.errors import ConfigError

FILE = "file"
LOCAL, ARCHIVE, GIT, MEMORY, PYTHON = "local", "archive", "git", "memory", "python"

GIT_SCHEMES = ("git+file", "git+https")

# At least two letters, so that a Windows drive is no scheme.
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+")
_ADDRESS = re.compile(rf"({SCHEME.pattern})://|(file|git\+file|memory|python):", re.IGNORECASE)
_ARCHIVE = re.compile(r"(?P<path>.*\.(?:zip|tar|tar\.gz|tgz))(?:#(?P<folder>.*))?", re.IGNORECASE | re.DOTALL)
_CREDENTIALS = re.compile(r"(?<=://)[^/?#]*@")
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def plain_path(value: object) -> str:
    """What a caller gave as a path or address; "" when it is no text, or names nothing."""
    text: object = os.fspath(cast("os.PathLike[str]", value)) if isinstance(value, os.PathLike) else value
    return text if isinstance(text, str) and text.strip() and "\0" not in text else ""


def scheme_of(address: str) -> str:
    """The scheme of an address in lower case, "" for a plain path."""
    matched = _ADDRESS.match(address)
    return (matched[1] or matched[2]).lower() if matched else ""


def type_of(address: str) -> str:
    """What a configuration calls the kind of store that an address names: its `type`."""
    scheme = scheme_of(address)
    if scheme in ("", FILE):
        return LOCAL if archive_in(address) is None else ARCHIVE
    return GIT if scheme in GIT_SCHEMES else scheme


def archive_in(address: str) -> tuple[str, str] | None:
    """The archive that a path or a "file:" address names and the folder in it, None when it names none."""
    matched = _ARCHIVE.fullmatch(address)
    return (matched["path"], matched["folder"] or "") if matched else None


def path_in(address: str) -> str:
    """The path that a "file:///absolute/path" address names.

    Raises:
        ConfigError: It names another machine, or a relative path.
    """
    from urllib.parse import unquote

    rest = address.partition(":")[2]
    host, slash, path = rest[2:].partition("/") if rest.startswith("//") else ("", rest[:1], rest[1:])
    if host.lower() not in {"", "localhost"} or slash != "/":
        raise ConfigError(
            f"The address {address!r} is no absolute path on this machine; write 'file:///folder' with three "
            "slashes, or a plain path."
        )
    return unquote(path) if os.name == "nt" else f"/{unquote(path)}"


def is_dotted(text: str) -> bool:
    """Whether a text can be the dotted path of a class."""
    return bool(_DOTTED.fullmatch(text))


def shown(address: str) -> str:
    """An address for people: without credentials, and without the values after a "?", which may be some."""
    without = _CREDENTIALS.sub("", address)
    if scheme_of(address) in ("", FILE):
        return without
    start, mark, _ = without.partition("?")
    return f"{start}{mark}..." if mark else start


@dataclass(frozen=True, slots=True)
class PythonAddress:
    """An address like "python:package.module.Class?name=value".

    Attributes:
        path: The dotted path of the class.
        arguments: What its constructor is given by keyword.
    """

    path: str
    arguments: dict[str, str]

    @classmethod
    def parse(cls, address: str) -> PythonAddress:
        """The parts of an address. No sentence repeats the arguments, of which one may be a password.

        Raises:
            ConfigError: It is no such address.
        """
        from urllib.parse import unquote

        rest = address.partition(":")[2]
        path, _, query = rest.partition("?")
        path = path.removeprefix("//")
        if not is_dotted(path):
            raise ConfigError(
                f"The address {shown(address)!r} names no class; write 'python:package.module.Class', and "
                "after a '?' the arguments of its constructor, as in 'name=value&other=value'."
            )
        arguments: dict[str, str] = {}
        for each in filter(None, query.split("&")):
            name, separator, value = each.partition("=")
            name = unquote(name)
            if not separator or not name.isidentifier() or name in arguments:
                raise ConfigError(
                    f"The arguments in the address of {path!r} are not all of the form 'name=value', each "
                    "name once; write '&' between them, and '%26' for one in a value."
                )
            arguments[name] = unquote(value)
        return cls(path, arguments)
