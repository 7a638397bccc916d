"""`index.md`: the listing of a folder (OKF 0.2 §8)."""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.markdown.scan import Scan, scan
from fingerpost.okf.frontmatter import Frontmatter, in_order, open_text
from fingerpost.okf.yaml_problems import shown
from fingerpost.records import Finding

VERSIONS = ("0.1", "0.2")
"""The versions of the format that are known."""
_NO_BLOCK = frozenset(("OKF101",))


@dataclass(frozen=True, slots=True)
class IndexFile:
    """An index as it was read.

    Attributes:
        body: The text without frontmatter; all of the text when the frontmatter is not closed.
        body_line: Line of the file on which the body starts, from 1.
        scan: Links, headings and the like of the body.
        okf_version: The version that the root index declares, as written; "" when it declares none.
        findings: What is wrong with the file, in the order of the lines.
    """

    body: str
    body_line: int
    scan: Scan
    okf_version: str
    findings: tuple[Finding, ...]


def read_index(data: bytes, path: str) -> IndexFile:
    """Read an `index.md`.

    Args:
        data: The bytes of the file, whatever they are.
        path: Its bundle-relative path; only "index.md" is the root's and may have frontmatter.

    Returns:
        The index. Frontmatter never gets into its body, however broken, unless it is not closed.
    """
    opened = open_text(data)
    is_root = path == "index.md"
    own: list[Finding] = []
    version = ""
    if opened.has_block:
        frontmatter = opened.frontmatter or Frontmatter()
        own += _extra_fields(frontmatter, is_root=is_root)
        if is_root:
            version, doubts = _version(frontmatter)
            own += doubts
    scanned = scan(opened.body, opened.body_line)
    if not scanned.headings:
        own.append(Finding("OKF302", opened.body_line, 0, "The index has no heading."))
    expected = (found for found in opened.findings if found.code not in _NO_BLOCK)
    return IndexFile(opened.body, opened.body_line, scanned, version, in_order(expected, own))


def _extra_fields(frontmatter: Frontmatter, *, is_root: bool) -> list[Finding]:
    if not is_root:
        return [Finding("OKF301", 1, 1, "This index.md is not the root's, and has frontmatter.")]
    extra = [key for key in frontmatter.values if key != "okf_version"]
    if not extra:
        return []
    names = shown(", ".join(extra), 120)
    reason = f"The root index.md has frontmatter beyond okf_version: {names}."
    return [Finding("OKF301", *frontmatter.position(extra[0]), reason)]


def _version(frontmatter: Frontmatter) -> tuple[str, list[Finding]]:
    """The declared version, and whether it is one that is known."""
    if "okf_version" not in frontmatter.values:
        return "", []
    value = frontmatter.values["okf_version"]
    version = value.strip() if isinstance(value, str) else ""
    if version in VERSIONS:
        return version, []
    said = (
        f"`{shown(version)}`, which is not known, and is read as {VERSIONS[-1]}" if version else "not a text"
    )
    place = frontmatter.position("okf_version")
    return version, [Finding("OKF515", *place, f"`okf_version` is {said}.")]
