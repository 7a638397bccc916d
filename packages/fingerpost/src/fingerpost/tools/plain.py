"""Any Python value as plain JSON data that can always be written, read back and encoded as UTF-8."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from fingerpost.tools.coerce import clean

_DEEPEST = 48
_MOST_VALUES = 500_000
_MOST_BITS = 13_000  # Python refuses to print integers of more than 4,300 digits
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def plain(value: Any) -> Any:
    """A value as JSON data.

    Dates become ISO texts, sets sorted lists, decimals exact texts, NaN and infinities null, bytes text or
    base64, dataclasses, named tuples and models objects; keys become texts, and those that would be the same
    are numbered ("null", "null (2)"). A value within itself, one nested
    more than 48 levels deep, and everything after half a million values is replaced by a text that says so.

    Args:
        value: Anything.

    Returns:
        None, bool, int, float, str, and lists and dicts of them; nothing of it is shared with `value`.
    """
    return _Plain().of(value, 0)


def to_json(data: Any) -> str:
    """Plain data as JSON text, non-ASCII characters as they are."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


class _Plain:
    """One conversion, with what it has met so far."""

    def __init__(self) -> None:
        self.left = _MOST_VALUES
        self.path: set[int] = set()

    def of(self, value: Any, depth: int) -> Any:
        self.left -= 1
        if value is None or value is True or value is False:
            return value
        if isinstance(value, enum.Enum):
            return self.of(value.value, depth)
        if isinstance(value, int):
            bits = value.bit_length()
            return int(value) if bits <= _MOST_BITS else f"(a whole number of {bits} bits)"
        if isinstance(value, float):
            return float(value) if math.isfinite(value) else None
        if isinstance(value, str):
            return clean(str(value))
        if isinstance(value, (bytes, bytearray, memoryview)):
            return _bytes_text(bytes(cast("bytes", value)))
        if depth >= _DEEPEST:
            return "(nested too deeply)"
        if id(value) in self.path:
            return "(contains itself)"
        self.path.add(id(value))
        try:
            return self._compound(value, depth + 1)
        finally:
            self.path.discard(id(value))

    def _compound(self, value: Any, depth: int) -> Any:
        if isinstance(value, Mapping):
            return self._object(cast("Mapping[Any, Any]", value), depth)
        if isinstance(value, tuple) and hasattr(cast("Any", value), "_asdict"):
            return self._object(cast("Any", value)._asdict(), depth)
        if isinstance(value, (set, frozenset)):
            members = self._list(iter(cast("set[Any]", value)), depth)
            return sorted(members, key=to_json)
        if isinstance(value, (list, tuple, range, Iterator)) or _is_view(value):
            return self._list(iter(cast("list[Any]", value)), depth)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
            return self._object(fields, depth)
        for method in ("model_dump", "tolist"):
            convert = getattr(value, method, None)
            if callable(convert) and not isinstance(value, type):
                return self.of(convert(), depth)
        return _as_text(value)

    def _object(self, value: Mapping[Any, Any], depth: int) -> dict[str, Any]:
        members: dict[str, Any] = {}
        repeated: dict[str, int] = {}
        for key, member in value.items():
            if self.left <= 0:
                members["(more)"] = "(more keys were left out)"
                break
            name = text = _key(key)
            is_as_given = isinstance(key, str) and key == name
            while name in members or (name in value and not is_as_given):
                is_as_given = False
                repeated[text] = repeated.get(text, 1) + 1
                name = f"{text} ({repeated[text]})"
            members[name] = self.of(member, depth)
        return members

    def _list(self, value: Iterator[Any], depth: int) -> list[Any]:
        members: list[Any] = []
        for member in itertools.islice(value, _MOST_VALUES):
            if self.left <= 0:
                members.append("(more elements were left out)")
                break
            members.append(self.of(member, depth))
        return members


def _is_view(value: Any) -> bool:
    return type(value).__name__ in ("dict_keys", "dict_values", "dict_items", "deque", "generator")


def _key(key: Any) -> str:
    if isinstance(key, str):
        return clean(str(key.value) if isinstance(key, enum.Enum) else key)
    if key is None or isinstance(key, bool):
        return {None: "null", True: "true", False: "false"}[key]
    return _as_text(key)


def _as_text(value: Any) -> str:
    """The text of an object without a counterpart in JSON, without memory addresses: they differ each run."""
    try:
        is_moment = hasattr(value, "isoformat") and not isinstance(value, type)
        text: str = cast("Any", value).isoformat() if is_moment else str(value)
        return clean(_ADDRESS.sub("", text))
    except Exception:  # noqa: BLE001 - a foreign __str__ can fail in any way, and must not cost the answer
        return f"<{type(value).__name__}>"


def _bytes_text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        import base64

        return base64.b64encode(value).decode("ascii")
