"""Where a link target points, judged from its text alone (OKF 0.2 §6.1)."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NamedTuple
from urllib.parse import unquote

ReferenceKind = Literal["external", "anchor", "internal", "leaves_root", "unsafe"]

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*):(?P<blank>\s|%20)?")
_IGNORED_IN_SCHEMES = re.compile(r"^[\x00-\x20]+|[\x00-\x1f\x7f\u00ad\u200b-\u200f\u2060\ufeff]+")
_WRITTEN_WITH_BLANKS = frozenset(("http", "https", "ftp", "mailto", "tel"))
_UNSAFE = frozenset(("javascript", "data", "vbscript", "file", "blob", "view-source"))
_DRIVE = re.compile(r"[A-Za-z]:")
# A path that has no second reading, and perhaps an anchor, with nothing in them to decode.
_PLAIN = re.compile(r"(?!//)[^\x00-\x20\x7f\u00ad\u200b-\u200f\u2060\ufeff:%?#\\]++(?:#[^%]*+)?")
# A path of which each step leads further down.
_STRAIGHT = re.compile(r"[^/.][^/]*+(?:/[^/.][^/]*+)*+")


class Reference(NamedTuple):
    """What a link target points to.

    Attributes:
        kind: "external" (another address), "anchor" (a heading of the same file), "internal" (a path of the
            bundle), "leaves_root" (a path that is none of the bundle) or "unsafe" (a scheme that can run or
            read something).
        candidates: For "internal", the paths that may be meant, best first: as written, percent-decoded,
            without a query, each also with ".md". One that can only be a folder ends with "/"; the root is
            "".
        anchor: The part after "#", percent-decoded.
    """

    kind: ReferenceKind
    candidates: tuple[str, ...] = ()
    anchor: str = ""


def resolve(target: str, source_path: str) -> Reference:
    """Judge where a link target points.

    A blank after a colon tells a name from a scheme: `Note: plan.md` is a path, `note:plan.md` is not. From a
    leading `/` on, everything is a path.

    Args:
        target: The target as written, backslash escapes and entities undone, percent-encoding kept.
        source_path: Bundle-relative path of the file that the link stands in.

    Returns:
        The reference. A path that climbs above the root, in whichever reading, is "leaves_root".
    """
    if _PLAIN.fullmatch(target):
        path, _, anchor = target.partition("#")
        return _plain(path, anchor, source_path)
    address = _IGNORED_IN_SCHEMES.sub("", target)
    scheme = _SCHEME.match(address)
    name = scheme[1].lower() if scheme else ""
    if name in _UNSAFE:
        return Reference("unsafe")
    if scheme and scheme["blank"] and name not in _WRITTEN_WITH_BLANKS:
        scheme = None
    elif _DRIVE.match(address):
        return Reference("leaves_root")
    if scheme or address.startswith("//"):
        written = target.strip(" ")
        plainly = _SCHEME.match(written) or written.startswith("//")
        return Reference("external" if plainly else "unsafe")
    path, _, anchor = target.partition("#")
    anchor = unquote(anchor)
    if not path:
        return Reference("anchor", anchor=anchor)
    before_query = path.partition("?")[0]
    spellings = dict.fromkeys((path, unquote(path), before_query, unquote(before_query)))
    return _internal(tuple(spellings), anchor, source_path)


def _plain(path: str, anchor: str, source_path: str) -> Reference:
    """What `_internal` answers for a path of one spelling."""
    found = _normalised("" if path.startswith("/") else source_path.rpartition("/")[0], path)
    if found is None:
        return Reference("leaves_root", anchor=anchor)
    if not found or found.lower().endswith(".md"):
        return Reference("internal", (found,), anchor)
    return Reference("internal", (found, f"{found.rstrip('/')}.md"), anchor)


def _internal(spellings: tuple[str, ...], anchor: str, source_path: str) -> Reference:
    """The reference of a path from the ways to read it, the first of which is how it is written."""
    folder = "" if spellings[0].startswith("/") else source_path.rpartition("/")[0]
    resolved = [_normalised(folder, spelling) for spelling in spellings if spelling]
    if not resolved or None in resolved:
        return Reference("leaves_root", anchor=anchor)
    found = [path for path in resolved if path is not None]
    with_suffix = [f"{path.rstrip('/')}.md" for path in found if path and not path.lower().endswith(".md")]
    return Reference("internal", tuple(dict.fromkeys((*found, *with_suffix))), anchor)


def same_key(path: str) -> str:
    """A path in the one Unicode form in which two spellings of a name compare equal."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def portable_key(path: str) -> str:
    """A path in the form in which two names compare equal that are one file on macOS or Windows."""
    return (
        path.lower()
        if path.isascii()
        else unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
    )


def _normalised(folder: str, path: str) -> str | None:
    """A path from the root, or None when it leaves the root or can be none."""
    if "\x00" in path or "\\" in path:
        return None
    if _STRAIGHT.fullmatch(path):
        return f"{folder}/{path}" if folder else path
    parts = folder.split("/") if folder else []
    steps = path.split("/")
    for part in steps:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    is_folder = steps[-1] in ("", ".", "..")
    return "/".join(parts) + ("/" if parts and is_folder else "")
