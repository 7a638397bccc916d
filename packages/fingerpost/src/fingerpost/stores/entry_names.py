"""Names that others have given to files, of which some cannot be served."""

from __future__ import annotations

from fingerpost.stores.base import is_hidden
from fingerpost.stores.cursor import split
from fingerpost.stores.remarks import Remarks, hidden_part

LINK = "OKF402"
SPECIAL = "OKF403"
UNUSABLE = "OKF404"
TOO_DEEP = "OKF406"

_LONGEST = 4096


def usable_path(name: bytes, remarks: Remarks, below: str = "") -> str:
    """The path of an entry of a repository or an archive, in its one spelling.

    Args:
        name: The name as it is stored.
        remarks: Takes note of what is wrong with one that cannot be served.
        below: The folder of what is served, "" for all.

    Returns:
        The path within that folder; "" for one that cannot be served, or lies elsewhere.
    """
    if len(name) > _LONGEST:
        shown = f"{name[:80].decode(errors='backslashreplace')}..."
        return _unusable(shown, TOO_DEEP, f"its path is longer than {_LONGEST:,} bytes", remarks)
    try:
        path = name.decode()
    except UnicodeDecodeError:
        return _unusable(name.decode(errors="backslashreplace"), UNUSABLE, "its name is not UTF-8", remarks)
    if "\0" in path:
        return _unusable(path, UNUSABLE, "its name holds a NUL character", remarks)
    if "\\" in path:
        what = "its name holds a backslash, which cannot be part of a path"
        return _unusable(path, UNUSABLE, what, remarks)
    segments = [segment for segment in path.split("/") if segment not in ("", ".")]
    if path.startswith("/") or ".." in segments:
        return _unusable(path, LINK, "its name leads out of where it lies", remarks)
    path = "/".join(segments)
    if below:
        if not path.startswith(f"{below}/"):
            return ""
        path = path[len(below) + 1 :]
    if is_hidden(path):
        folder, hidden = split(hidden_part(path))
        remarks.hide(folder, [hidden])
        return ""
    return path


def _unusable(shown: str, code: str, what: str, remarks: Remarks) -> str:
    remarks.skip("", shown, code, what)
    return ""
