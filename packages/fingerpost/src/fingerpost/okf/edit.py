"""Changes fields of a concept in its file, byte by byte as little as can be (OKF 0.2 §4).

Comments, the order of the keys, quotes, blank lines, line ends and the body stay as they are. What comes out
has been read again, and holds the new values and all the old ones, or it does not come out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from fingerpost.errors import ConceptError
from fingerpost.okf.editable import Editable, open_editable
from fingerpost.okf.field_reader import kind_of
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_edits import applied, edits
from fingerpost.okf.yaml_problems import field_name
from fingerpost.okf.yaml_repair import mended
from fingerpost.okf.yaml_spans import Node, read_spans
from fingerpost.okf.yaml_text import Value
from fingerpost.okf.yaml_write import check_writable


class Gone(Enum):
    """What stands for no value: the field is removed."""

    GONE = "gone"


GONE = Gone.GONE
"""The value of a field that is to be removed."""

Field: TypeAlias = "str | tuple[str, ...]"
"""A key of the frontmatter, or the keys that lead to one within a mapping: `("generated", "by")`."""
Changes: TypeAlias = (
    "Mapping[str, Value | Gone] | Mapping[tuple[str, ...], Value | Gone] | Mapping[Field, Value | Gone]"
)
"""Fields and what they are to hold."""


def set_fields(data: bytes, changes: Changes) -> bytes:
    """Change fields in the frontmatter of a concept, and nothing else.

    A text keeps its quotes and the comment behind it, a list its brackets or its lines. What needs quotes
    gets them; a date in the place of a plain date stays plain, and so do a number and a boolean. A new key
    goes below all others.

    Args:
        data: The bytes of the file.
        changes: The fields and their values. A field that has its value already is not touched.

    Returns:
        The bytes of the changed file; `data` itself when nothing changes.

    Raises:
        ConceptError: The file or the field cannot be changed; the message says where and what to do.
    """
    opened = open_editable(data)
    new = dict(opened.values)
    for name, value in changes.items():
        path = (name,) if isinstance(name, str) else name
        if not isinstance(value, Gone):
            check_writable(value, field_name(path))
        _set(new, path, value)
    if new == opened.values:
        return data
    written = opened.with_block(_rewritten(opened.block, opened.values, new))
    _check(written, opened, new)
    return written


def _set(values: dict[str, Value], path: tuple[str, ...], value: Value | Gone) -> None:
    """Set a field, copying the mappings that lead to it."""
    if not path:
        raise ConceptError("The field to be changed has no name: name a key of the frontmatter.")
    holder = values
    for depth, key in enumerate(path[:-1], 1):
        inner = holder.get(key)
        if inner is not None and not isinstance(inner, dict):
            raise ConceptError(
                f"`{field_name(path[:depth])}` is {kind_of(inner)}, not a mapping, so it has no "
                f"`{field_name(path[depth:])}`: set the whole of `{field_name(path[:depth])}`."
            )
        if inner is None and isinstance(value, Gone):
            return
        copied = dict(inner or {})
        holder[key] = copied
        holder = copied
    if isinstance(value, Gone):
        holder.pop(path[-1], None)
    else:
        holder[path[-1]] = value


def _rewritten(block: str, old: dict[str, Value], new: dict[str, Value]) -> str:
    """The YAML with other values. What the reader has to mend stays as it is, if it stays."""
    read = mended(block)
    if read is None:
        raise ConceptError("The frontmatter cannot be read: correct its YAML first.")
    root = read_spans(read)
    if root is not None:
        touched = {key for key, value in old.items() if key not in new or new[key] != value}
        _refuse_shared(root, touched)
    return applied(read, edits(read, root, old, new), block)


def _refuse_shared(root: Node, touched: set[str]) -> None:
    """Refuse what would change more than it seems to."""
    seen: set[str] = set()
    for entry in root.entries:
        name = field_name((entry.key,))
        if entry.key in touched and (entry.key in seen or entry.node.repeats):
            within = "" if entry.key in seen else "holds a key that "
            raise ConceptError(
                f"`{name}` {within}stands twice in the frontmatter: delete or rename one of the two first."
            )
        if entry.key in touched and (entry.node.is_tied or entry.key == "<<"):
            raise ConceptError(
                f"`{name}` is tied to other fields by an anchor (&), an alias (*) or a merge key (<<): write "
                "out in full what it repeats first."
            )
        seen.add(entry.key)


def _check(written: bytes, before: Editable, values: dict[str, Value]) -> None:
    """Hold what was written against what it has to say."""
    after = open_text(written)
    read = after.frontmatter.values if after.frontmatter is not None else {}
    worse = Counter(found.code for found in after.findings) - Counter(found.code for found in before.findings)
    if read == values and after.body == before.body and not worse:
        return
    wrong = [key for key in {**values, **read} if key not in values or read.get(key) != values[key]]
    name = field_name((wrong[0],)) if wrong else "frontmatter"
    too_large = [found.reason for found in after.findings if found.code == "OKF106"]
    reason = too_large[0] if too_large else f"`{name}` would not be read as it has to be."
    raise ConceptError(f"The change was not made: {reason} Make it by hand, or make it smaller.")
