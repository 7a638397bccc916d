"""The names of a bundle: which files are reserved, and how concepts and folders are printed as ids."""

from __future__ import annotations

import re

INDEX, LOG, SUFFIX = "index.md", "log.md", ".md"
PROPOSALS = "proposals"
"""The folder at the top in which changes are put aside; it is listed where concepts lie in it too."""
_PRINTED_COMMA = re.compile("%(?:25)?2C")


def is_reserved(path: str) -> bool:
    """Whether a path is an index.md or a log.md, which are never concepts (OKF 0.2 §3.1)."""
    return path.rpartition("/")[2] in (INDEX, LOG)


def concept_id(path: str) -> str:
    """The id of the concept at a path, as it is printed: the path without `.md` (OKF 0.2 §2).

    A comma is printed as %2C, so that ids can be listed. What would then be two concepts of one id, or an id
    that reads like a path, is told apart by its percent code: `a%2Cb.md` has the id `a%252Cb`, `x.md.md` the
    id `x%2Emd`.
    """
    return _printed(path.removesuffix(SUFFIX))


def folder_id(path: str) -> str:
    """The id of a folder as tools print it: `policies/`, the root as `/`."""
    return _printed(path) + "/"


def _printed(path: str) -> str:
    printed = path.replace("%2C", "%252C").replace(",", "%2C") if "," in path or "%2C" in path else path
    return f"{printed.removesuffix(SUFFIX)}%2Emd" if printed.endswith(SUFFIX) else printed


def path_printed_as(id_: str) -> str:
    """The path that would be printed as an id, a concept's without its suffix; any text is accepted."""
    plain = f"{id_.removesuffix('%2Emd')}{SUFFIX}" if id_.endswith("%2Emd") else id_
    return _PRINTED_COMMA.sub(lambda code: "," if code[0] == "%2C" else "%2C", plain)
