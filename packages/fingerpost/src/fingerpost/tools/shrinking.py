"""Plain data made to fit: large texts and lists become shorter before anything small is lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, cast

from fingerpost.tools.losses import Losses
from fingerpost.tools.pages import fitting_head, written_length
from fingerpost.tools.plain import to_json

_LEAST_STRING = 400  # what an element of a list may keep, rather than that all elements are cut to nothing
_LEAST_TEXT = 102  # a member of an object: as short, it stays whole
_LEAST_OBJECT = 200
_LEAST_SCALAR = 40
_SEPARATOR = 2  # ", " between elements, and ": " behind a key
_BRACKETS = 2
_SHORTEST_MEMBER = 7  # '"": 0, '


def shrunk(value: Any, allowed: int, path: str, losses: Losses) -> Any:
    """Plain data cut to a number of characters of JSON.

    An object keeps all its keys where that is possible, with short values whole and its large ones cut to one
    common level; lists, and objects of too many keys, lose their tail.

    Args:
        value: Plain data; it is not changed.
        allowed: How many characters it may take, at least 4.
        path: Where it is in the answer, "" for the whole.
        losses: Gets what was cut.

    Returns:
        The data, or what is left of it.
    """
    size = len(to_json(value))
    if size <= allowed:
        return value
    if isinstance(value, str):
        kept = fitting_head(value, allowed - _BRACKETS)
        losses.add(path, len(kept), len(value))
        return kept
    if isinstance(value, dict):
        record = _shrunk_record(cast("dict[str, Any]", value), allowed, path, losses)
        return _without_tail(value, size, allowed, path, losses) if record is None else record
    if isinstance(value, list):
        return _without_tail(value, size, allowed, path, losses)
    losses.add(path, 0, 1)
    return None


def first_elements(value: list[Any], allowed: int, path: str, losses: Losses) -> list[Any]:
    """The first elements of a list, kept whole; of the first one a part, when it does not fit.

    Args:
        value: Plain data; it is not changed.
        allowed: How many characters of JSON they may take.
        path: Where the list is in the answer.
        losses: Gets what was cut.

    Returns:
        The elements that fit.
    """
    kept: list[Any] = []
    room = allowed - _BRACKETS
    for element in islice(value, max(allowed, 0) // _SEPARATOR + 1):
        room -= len(to_json(element)) + (_SEPARATOR if kept else 0)
        if room < 0:
            break
        kept.append(element)
    if value and not kept and allowed - _BRACKETS >= _LEAST_TEXT:
        kept = [shrunk(value[0], allowed - _BRACKETS, f"{path}[0]", losses)]
    if len(kept) < len(value):
        losses.add(path, len(kept), len(value))
    return kept


def least(value: Any) -> int:
    """How many characters of JSON a value must keep to be of use: all of what is short, no element of a list.

    An object of few and short members keeps them; what is in its lists can go.
    """
    if isinstance(value, str):
        return min(written_length(value[:_LEAST_TEXT]) + _BRACKETS, _LEAST_TEXT)
    if isinstance(value, list):
        return _BRACKETS
    if not isinstance(value, dict):
        return min(len(to_json(value)), _LEAST_SCALAR)
    total = _BRACKETS
    for position, (key, member) in enumerate(cast("dict[str, Any]", value).items()):
        total += _key_size(key) + least(member) + (_SEPARATOR if position else 0)
        if total > _LEAST_OBJECT:
            return _BRACKETS
    return total


def _shrunk_record(value: dict[str, Any], allowed: int, path: str, losses: Losses) -> dict[str, Any] | None:
    """The object with all its keys, None when there is no room for them."""
    if len(value) * _SHORTEST_MEMBER > allowed + _SEPARATOR:
        return None
    room = allowed - _BRACKETS - sum(map(_key_size, value)) - _SEPARATOR * (len(value) - 1)
    floors = [least(member) for member in value.values()]
    if sum(floors) > room:
        return None
    sizes = [len(to_json(member)) for member in value.values()]
    level = _level(sizes, floors, room)
    kept: dict[str, Any] = {}
    spare = 0
    for (key, member), size, floor in zip(value.items(), sizes, floors, strict=True):
        share = max(floor, min(size, level)) + spare
        kept[key] = shrunk(member, share, _inner(path, key), losses)
        spare = share - len(to_json(kept[key]))
    return kept


def _without_tail(value: Any, size: int, allowed: int, path: str, losses: Losses) -> Any:
    """The first members, the large ones cut to one common level; of an object, the short ones first."""
    pairs = _pairs(value, allowed)
    is_object = isinstance(value, dict)
    keys = [_key_size(key) if is_object else 0 for key, _ in pairs]
    total = len(cast("list[Any]", value))
    sizes = [size - _BRACKETS - keys[0]] if total == 1 else [len(to_json(member)) for _, member in pairs]
    room = allowed - _BRACKETS
    level = _level(sizes, [0] * len(sizes), room - sum(keys) - _SEPARATOR * (len(pairs) - 1))
    level = max(level, min(_LEAST_STRING, room // 2))
    order = list(range(len(pairs)))
    if is_object:
        order.sort(key=lambda position: sizes[position] > _LEAST_TEXT)
    kept: dict[int, Any] = {}
    for position in order:
        (key, member), member_size = pairs[position], sizes[position]
        left = room - keys[position] - (_SEPARATOR if kept else 0)
        if left < 1:
            break
        part, part_size = member, member_size
        if member_size > min(level, left):
            is_tail = member_size <= level or left < min(level, _LEAST_STRING)
            if kept and is_tail:
                break
            part = shrunk(member, min(level, left), _inner(path, key), losses)
            part_size = len(to_json(part))
        if part_size > left:
            break
        kept[position] = part
        room = left - part_size
    if len(kept) < total:
        losses.add(path, len(kept), total)
    members = [(pairs[position][0], kept[position]) for position in sorted(kept)]
    return dict(members) if is_object else [member for _, member in members]


def _pairs(value: Any, allowed: int) -> list[tuple[str, Any]]:
    """The members that could fit at all, with their keys."""
    most = max(allowed // _SEPARATOR + 1, 0)
    if isinstance(value, dict):
        return list(islice(cast("dict[str, Any]", value).items(), most))
    return [(f"[{index}]", member) for index, member in enumerate(islice(cast("list[Any]", value), most))]


def _inner(path: str, key: str) -> str:
    return (f"{path}{key}" if key.startswith("[") or not path else f"{path}.{key}") or '""'


def _key_size(key: str) -> int:
    return written_length(key) + _BRACKETS + _SEPARATOR


def _level(sizes: Sequence[int], floors: Sequence[int], room: int) -> int:
    """The largest level such that the sizes, each cut to it but not below its floor, fit into the room."""
    low, high = 0, max(sizes, default=0)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(max(floor, min(size, middle)) for size, floor in zip(sizes, floors, strict=True)) <= room:
            low = middle
        else:
            high = middle - 1
    return low
