"""What models really send, read as what the function takes: what is unambiguous is converted."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from fingerpost.text.cutting import cut
from fingerpost.text.suggest import nearest
from fingerpost.tools.shapes import Kind, Property, Shape, choice_value

_TRUE = frozenset({"true", "yes", "y", "t", "on", "1"})
_FALSE = frozenset({"false", "no", "n", "f", "off", "0"})
_NOTHING = frozenset({"", "null", "none", "nil", "undefined"})
_WHOLE = re.compile(r"[+-]?\d{1,300}(\.0*)?")
_MOST_BITS = 996  # what a float can still hold, and far below what Python refuses to print
_LARGEST_EXACT = 2**53
_SCHEMA_WORDS = frozenset(
    {
        "type",
        "title",
        "description",
        "default",
        "enum",
        "items",
        "format",
        "nullable",
        "minimum",
        "maximum",
        "examples",
    }
)
_PLURAL = {
    "string": "texts",
    "integer": "whole numbers",
    "number": "numbers",
    "boolean": "true or false values",
}


class Unreadable(Exception):  # noqa: N818 - a finding about a value, answered by the caller, never seen outside
    """A value cannot be read as its shape.

    Attributes:
        hint: The nearest value that would do, "" for none.
    """

    def __init__(self, hint: str = "") -> None:
        super().__init__(hint)
        self.hint = hint


def bound_note(name: str, bound: Any, word: str) -> str:
    """What to say of a number that was beyond what an argument takes.

    Args:
        name: The argument, as the caller writes it.
        bound: What the number was set to.
        word: "least" or "most".
    """
    return f"{name} was set to {bound}, the {word} it takes."


@dataclass(slots=True)
class Reading:
    """The reading of one argument, with the notes that it leaves.

    Attributes:
        name: The argument's name.
        notes: Sentences about what was changed.
    """

    name: str
    notes: list[str] = field(default_factory=list[str])

    def read(self, value: Any, shape: Shape) -> Any:
        """Read a value.

        Args:
            value: What was sent; None has been dealt with by the caller.
            shape: What it must look like.

        Returns:
            What the function takes.

        Raises:
            Unreadable: There is no single way to read it.
        """
        if shape.kind == "any" or (shape.python_type is not None and isinstance(value, shape.python_type)):
            return clean(value) if isinstance(value, str) else value
        if value is None:
            if shape.optional:
                return None
            raise Unreadable
        if isinstance(value, Mapping) and not _takes_objects(shape):
            value = self._unwrapped(cast("Mapping[Any, Any]", value), shape)
        read = _READERS[shape.kind](self, value, shape)
        return read if shape.build is None or shape.kind in ("array", "object") else _built(shape.build, read)

    def _unwrapped(self, value: Mapping[Any, Any], shape: Shape) -> Any:
        """The value within a schema, or within an object that repeats the argument's name."""
        keys = set(value)
        if keys == {self.name}:
            return value[self.name]
        if "value" in keys and keys - {"value"} <= _SCHEMA_WORDS:
            return value["value"]
        if "default" in keys and keys <= _SCHEMA_WORDS:
            return value["default"]
        if shape.kind == "array":
            return value
        if shape.is_json:
            return _json_of(value)
        raise Unreadable

    def text(self, value: Any, shape: Shape) -> str:
        """A text: numbers and booleans as JSON writes them, a list of one as its only element."""
        if shape.is_json and isinstance(value, (list, tuple)):
            return _json_of(value)
        if isinstance(value, (list, tuple)) and len(cast("list[Any]", value)) == 1:
            value = cast("list[Any]", value)[0]
        if isinstance(value, str):
            return clean(value)
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int) and value.bit_length() <= _MOST_BITS:
            return str(value)
        if isinstance(value, float) and math.isfinite(value):
            return repr(value)
        raise Unreadable

    def integer(self, value: Any, shape: Shape) -> int:
        """A whole number: 2, 2.0, "2", "2.0" and "2e1"; never 2.5, and no boolean."""
        if isinstance(value, str):
            value = _whole_from_text(value.strip())
        if isinstance(value, float) and value.is_integer() and abs(value) <= _LARGEST_EXACT:
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool) or value.bit_length() > _MOST_BITS:
            raise Unreadable
        return self._clamped(value, shape)

    def number(self, value: Any, shape: Shape) -> float:
        """A finite number, also one written as a text."""
        if isinstance(value, str):
            try:
                value = float(value.strip())
            except ValueError:
                raise Unreadable from None
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise Unreadable
        if (isinstance(value, int) and value.bit_length() > _MOST_BITS) or not math.isfinite(value):
            raise Unreadable
        return self._clamped(float(value), shape)

    def _clamped(self, value: Any, shape: Shape) -> Any:
        low, high = (shape.bounds.low, shape.bounds.high) if shape.bounds else (None, None)
        for bound, is_beyond, word in (
            (low, low is not None and value < low, "least"),
            (high, high is not None and value > high, "most"),
        ):
            if is_beyond and bound is not None:
                self.notes.append(bound_note(f'"{self.name}"', bound, word))
                return type(value)(bound)
        return value

    def boolean(self, value: Any, _shape: Shape) -> bool:
        """True or false, also as 1 and 0 and as the usual words."""
        if isinstance(value, str):
            word = value.strip().lower()
            if word in _TRUE or word in _FALSE:
                return word in _TRUE
        elif isinstance(value, (bool, int, float)) and value in (0, 1):
            return bool(value)
        raise Unreadable

    def array(self, value: Any, shape: Shape) -> Any:
        """A list. A text that holds a JSON list is that list; anything else that is single is a list of one.

        A comma does not separate: it may be part of a title, a tag or an id, so "a, b" stays one element.
        """
        items: list[Any]
        if isinstance(value, str):
            parsed = _json_within(value, "[")
            items = cast("list[Any]", parsed) if isinstance(parsed, list) else [value]
        elif isinstance(value, (list, tuple, set, frozenset)):
            items = list(cast("list[Any]", value))
        else:
            items = [value]
        item_shape = cast("Shape", shape.items)
        given = [item for item in items if item is not None or item_shape.optional]
        read = [self.read(item, item_shape) for item in given]
        return read if shape.build is None else _built(shape.build, read)

    def object(self, value: Any, shape: Shape) -> Any:
        """An object, also as JSON text; where its keys are declared, unknown ones are left out."""
        if isinstance(value, str):
            value = _json_within(value, "{")
        if not isinstance(value, Mapping):
            raise Unreadable
        members = {str(key): member for key, member in cast("Mapping[Any, Any]", value).items()}
        if not shape.properties:
            values = cast("Shape", shape.items)
            return {
                key: None if member is None else self.read(member, values)
                for key, member in members.items()
                if member is not None or values.optional
            }
        known = {
            member.name: self._member(members, member)
            for member in shape.properties
            if _is_sent(members, member)
        }
        return known if shape.build is None else _built(lambda read: cast("Any", shape.build)(**read), known)

    def _member(self, members: dict[str, Any], member: Property) -> Any:
        if member.name not in members:
            raise Unreadable
        return self.read(members[member.name], member.shape)

    def choice(self, value: Any, shape: Shape) -> Any:
        """One of fixed values, without regard to case, to blanks around it and to separators within."""
        by_text: dict[str, Any] = {}
        by_letters: dict[str, list[Any]] = {}
        for choice in shape.choices:
            sent = choice_value(choice)
            if type(sent) is type(value) and sent == value:
                return choice
            for spelling in (str(sent), str(getattr(choice, "name", sent))):
                by_text.setdefault(spelling.casefold(), choice)
                by_letters.setdefault(_letters(spelling), []).append(choice)
        text = self.text(value, shape)
        folded = text.strip().casefold()
        if folded in by_text:
            return by_text[folded]
        alike = by_letters.get(_letters(text), [])
        if text and alike and all(choice is alike[0] for choice in alike):
            return alike[0]
        close = nearest(text, [str(choice_value(choice)) for choice in shape.choices], 1)
        raise Unreadable(close[0] if close else "")

    def union(self, value: Any, shape: Shape) -> Any:
        """The first option that the value already is, else the first that it can be read as."""
        ready = [option for option in shape.options if _is_ready(value, option)]
        for option in (*ready, *shape.options):
            try:
                return self.read(value, option)
            except Unreadable:
                continue
        raise Unreadable


_READERS: dict[Kind, Callable[[Reading, Any, Shape], Any]] = {
    "string": Reading.text,
    "integer": Reading.integer,
    "number": Reading.number,
    "boolean": Reading.boolean,
    "array": Reading.array,
    "object": Reading.object,
    "choice": Reading.choice,
    "union": Reading.union,
}
_READY_TYPES: dict[Kind, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list, tuple, set, frozenset),
    "object": (Mapping,),
}


def _is_ready(value: Any, shape: Shape) -> bool:
    if shape.python_type is not None and isinstance(value, shape.python_type):
        return True
    if isinstance(value, bool) and shape.kind != "boolean":
        return False
    if shape.kind == "choice":
        return any(
            type(choice) is type(value) and choice == value for choice in map(choice_value, shape.choices)
        )
    return isinstance(value, _READY_TYPES.get(shape.kind, ()))


def _takes_objects(shape: Shape) -> bool:
    """Whether an object is a value of this shape, or one element of it."""
    if shape.kind == "array" and shape.items is not None:
        return shape.items.kind == "any" or _takes_objects(shape.items)
    return shape.kind in ("object", "union")


def _is_sent(members: Mapping[str, Any], member: Property) -> bool:
    return member.required or members.get(member.name) is not None


def _built(build: Callable[[Any], Any], read: Any) -> Any:
    """What a constructor makes of a value; one that refuses it makes the value unreadable."""
    try:
        return build(read)
    except (TypeError, ValueError, ArithmeticError):
        raise Unreadable from None


def _whole_from_text(text: str) -> Any:
    if _WHOLE.fullmatch(text):
        return int(text.partition(".")[0])
    try:
        return float(text)
    except ValueError:
        raise Unreadable from None


def _json_within(text: str, opening: str) -> Any:
    """The JSON value that a text holds, or None when it holds none that begins like this."""
    if not text.lstrip().startswith(opening):
        return None
    import json

    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _json_of(value: Any) -> str:
    import json

    try:
        return clean(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        raise Unreadable from None


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def clean(text: str) -> str:
    """The text with surrogate pairs joined and lone surrogates replaced, so that UTF-8 can hold it."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def is_nothing(value: Any, shape: Shape) -> bool:
    """Whether a value stands for "not given": null, or the word for it where no text is asked for."""
    if value is None:
        return True
    if shape.kind in ("string", "any", "union") or not isinstance(value, str):
        return False
    return value.strip().lower() in _NOTHING and not (shape.kind == "choice" and value in shape.choices)


def wanted(shape: Shape) -> str:
    """What a shape takes, as the object of "takes"."""
    if shape.kind == "choice":
        return "one of " + ", ".join(shown(choice_value(choice)) for choice in shape.choices[:20])
    if shape.kind == "union":
        return " or ".join(dict.fromkeys(wanted(option) for option in shape.options))
    if shape.kind == "array":
        items = cast("Shape", shape.items)
        return f"a list of {_PLURAL[items.kind]}" if items.kind in _PLURAL else "a list"
    if shape.kind == "object" and shape.properties:
        return "an object with " + ", ".join(f'"{member.name}"' for member in shape.properties)
    if shape.text_format:
        return f"a {shape.text_format} as text"
    return {
        "string": "a text",
        "integer": "a whole number",
        "number": "a number",
        "boolean": "true or false",
        "object": "an object",
    }.get(shape.kind, "a value")


def shown(value: Any, limit: int = 60) -> str:
    """A value as JSON on one line, short enough for a sentence."""
    import json

    if isinstance(value, str):
        value = clean(value[: limit * 2])
    elif isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number of more than 300 digits"
    elif isinstance(value, (Mapping, list, tuple, set, frozenset)):
        return "an object" if isinstance(value, Mapping) else "a list"
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = type(value).__name__
    return text if len(text) <= limit else f"{cut(text, limit - 2, at=' ')}…{text[0]}"
