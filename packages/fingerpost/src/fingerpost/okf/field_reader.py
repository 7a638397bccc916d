"""Typed reading of frontmatter fields: a safe default for whatever stands there, and a finding about it."""

from __future__ import annotations

import re

from fingerpost.okf.dates import Instant, parse_instant
from fingerpost.okf.frontmatter import Frontmatter
from fingerpost.okf.yaml_problems import Path, field_name, shown
from fingerpost.okf.yaml_text import Value
from fingerpost.records import Finding

_NUMBER = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")
_SWITCHES = frozenset(("true", "True", "TRUE", "false", "False", "FALSE"))


def kind_of(value: Value) -> str:
    """What a value is, for a sentence: "empty", "a text", "a list" or "a mapping"."""
    if value is None:
        return "empty"
    return "a text" if isinstance(value, str) else "a list" if isinstance(value, list) else "a mapping"


class FieldReader:
    """Reads one frontmatter and gathers what is wrong with its values.

    Attributes:
        frontmatter: What is read.
        findings: What was found so far.
    """

    def __init__(self, frontmatter: Frontmatter) -> None:
        self.frontmatter = frontmatter
        self.values = frontmatter.values
        self.findings: list[Finding] = []

    def report(self, code: str, path: Path, reason: str, cure: str = "") -> None:
        """Add a finding at the place of a field."""
        self.findings.append(Finding(code, *self.frontmatter.position(*path), reason, cure))

    def is_number(self, path: Path, value: str) -> bool:
        """Whether YAML takes the value for a number, so that its author may not have meant a text."""
        return _NUMBER.fullmatch(value) is not None and path not in self.frontmatter.quoted

    def is_text(self, path: Path, value: Value) -> bool:
        """Whether a value is text, not blank, and neither a number nor true or false to YAML."""
        if not isinstance(value, str) or not value.strip():
            return False
        is_other = value in _SWITCHES or _NUMBER.fullmatch(value) is not None
        return not is_other or path in self.frontmatter.quoted

    def text(self, holder: dict[str, Value], key: str, within: Path = ()) -> str:
        """The text of a field, without blanks around it; "" when it is absent, null, a list or a mapping.

        Args:
            holder: The mapping that has the field.
            key: Its key there.
            within: Where the mapping stands in the frontmatter.
        """
        value = holder.get(key)
        if value is None:
            return ""
        if isinstance(value, str):
            return value.strip()
        path = (*within, key)
        self.report("OKF513", path, f"`{field_name(path)}` is {kind_of(value)} and has to be a text.")
        return ""

    def mapping(self, holder: dict[str, Value], key: str, within: Path = ()) -> dict[str, Value] | None:
        """The mapping in a field, or None when there is none; the arguments are those of `text`."""
        value = holder.get(key)
        if value is None or isinstance(value, dict):
            return value
        path = (*within, key)
        self.report("OKF513", path, f"`{field_name(path)}` is {kind_of(value)} and has to be a mapping.")
        return None

    def texts(self, holder: dict[str, Value], key: str, within: Path = ()) -> tuple[str, ...]:
        """The texts of a list; a single text counts as a list of one. The arguments are those of `text`."""
        value = holder.get(key)
        if value is None:
            return ()
        path = (*within, key)
        if not isinstance(value, list):
            self.report(
                "OKF513", path, f"`{field_name(path)}` is {kind_of(value)} and has to be a list of texts."
            )
            return (value.strip(),) if isinstance(value, str) and value.strip() else ()
        for index, item in enumerate(value):
            if isinstance(item, list | dict):
                here = (*path, index)
                self.report("OKF513", here, f"`{field_name(here)}` is {kind_of(item)} and has to be a text.")
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())

    def instant(
        self, holder: dict[str, Value], key: str, within: Path = (), *, needs_offset: bool = True
    ) -> Instant | None:
        """The point in time in a field; None when it is absent, null or cannot be read.

        Args:
            holder: The mapping that has the field.
            key: Its key there.
            within: Where the mapping stands in the frontmatter.
            needs_offset: Whether a time without a UTC offset is reported.
        """
        text = self.text(holder, key, within)
        if not text and not isinstance(holder.get(key), str):
            return None
        instant = parse_instant(text)
        if instant is not None and (instant.form == "datetime" or not needs_offset):
            return instant
        path = (*within, key)
        name = field_name(path)
        if instant is None:
            self.report("OKF503", path, f"`{name}` is `{shown(text)}`, which is no ISO 8601 date or time.")
            return None
        how = (
            f"is a bare date, read as the start of {instant} in UTC"
            if instant.form == "date"
            else f"has no UTC offset, and is read as {instant}"
        )
        self.report("OKF504", path, f"`{name}` {how}.", f"Write it as {instant.in_full}.")
        return instant


class QuietReader(FieldReader):
    """Reads the same and gathers nothing, for whoever wants the values alone."""

    def report(self, code: str, path: Path, reason: str, cure: str = "") -> None:
        """Leave it unsaid, so that no place has to be found for it."""
