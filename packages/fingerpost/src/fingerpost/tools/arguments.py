"""From what a model, a framework or a Python caller hands over to what a function is called with."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from fingerpost.errors import ArgumentError
from fingerpost.text.suggest import did_you_mean, nearest
from fingerpost.tools.coerce import Reading, Unreadable, clean, is_nothing, shown, wanted
from fingerpost.tools.schema import Parameter, Signature, ToolContext
from fingerpost.tools.shapes import Shape, choice_value

_WRAPPERS = frozenset({"arguments", "args", "kwargs", "parameters", "params", "input", "raw", "properties"})
_ENVELOPE = frozenset(
    {"type", "id", "name", "tool", "tool_name", "function", "required", "additionalProperties"}
)
_MOST_LAYERS = 3
_MOST_NOTES = 6
_EXAMPLES: dict[str, Any] = {
    "string": "text",
    "integer": 1,
    "number": 1.5,
    "boolean": True,
    "array": ["text"],
    "object": {},
    "any": "text",
}


@dataclass(frozen=True, slots=True)
class Arguments:
    """The values to call a function with.

    Attributes:
        values: By parameter name; what was not given is absent, so that the function's own default holds.
        notes: What was changed, ignored or replaced on the way, for the answer.
    """

    values: dict[str, Any]
    notes: tuple[str, ...]


def read_arguments(sent: object, signature: Signature) -> Arguments:
    """Read the arguments of one call.

    Args:
        sent: A mapping, a JSON text (also double-encoded, also bytes), or None; an empty text is no
            arguments.
        signature: What the function takes.

    Returns:
        The values, converted.

    Raises:
        ArgumentError: The whole is no JSON object, or a required argument is missing or unreadable. The
            sentence says what to send.
    """
    parameters = signature.parameters
    names = [parameter.name for parameter in parameters]
    given, unknown = _matched(_unwrapped(_as_mapping(sent, parameters), parameters), names)
    values: dict[str, Any] = {}
    notes: list[str] = []
    for parameter in parameters:
        value = given.get(parameter.name)
        if is_nothing(value, parameter.shape):
            if not parameter.required:
                continue
            if parameter.shape.optional and parameter.shape.kind != "any":
                values[parameter.name] = None
                continue
            if value is None:
                raise ArgumentError(_missing(parameter, unknown, parameters))
        reading = Reading(parameter.name)
        try:
            values[parameter.name] = reading.read(value, parameter.shape)
        except Unreadable as reason:
            if parameter.required:
                raise ArgumentError(_refusal(parameter, value, reason.hint)) from None
            notes.append(_default_note(parameter, value, reason.hint))
        notes.extend(reading.notes)
    return Arguments(values, _few([*notes, *(_unknown_note(name, names, given) for name in unknown)]))


def call_arguments(args: Sequence[Any], kwargs: Mapping[str, Any], signature: Signature) -> dict[str, Any]:
    """The arguments of a Python call by name, without the host's context.

    Args:
        args: Values by position.
        kwargs: Values by name.
        signature: What the function takes.

    Returns:
        Values by name, still as given.

    Raises:
        ArgumentError: There are more values than parameters, or one is given twice.
    """
    names = [parameter.name for parameter in signature.parameters]
    if len(args) > len(names):
        raise ArgumentError(f"At most {len(names)} arguments can be given by position, not {len(args)}.")
    given = dict(zip(names, args, strict=False))
    for name in given.keys() & kwargs.keys():
        raise ArgumentError(f'The argument "{name}" was given twice, by position and by name.')
    return {**given, **kwargs}


def placed(
    arguments: Mapping[str, Any], signature: Signature, context: Mapping[str, Any] | None
) -> tuple[list[Any], dict[str, Any]]:
    """The values as Python wants them: by position where there is no other way, else by name.

    Args:
        arguments: Values by name.
        signature: What the function takes.
        context: What the host supplies.

    Returns:
        Positional and keyword arguments.
    """
    values = dict(arguments)
    for name, is_optional in signature.contexts.items():
        values[name] = None if context is None and is_optional else _as_context(context)
    defaults = {parameter.name: parameter.default for parameter in signature.parameters}
    positional = [
        values.pop(name) if name in values else defaults[name]
        for name in signature.order
        if name in signature.positional
    ]
    return positional, values


def _as_context(context: Mapping[str, Any] | None) -> ToolContext:
    """The host's context as the type that functions ask for."""
    return context if isinstance(context, ToolContext) else ToolContext(context or {})


def _as_mapping(sent: object, parameters: Sequence[Parameter]) -> Mapping[Any, Any]:
    """What was sent as a mapping; JSON texts are decoded, also those that hold a JSON text."""
    value: Any = sent
    for _ in range(_MOST_LAYERS):
        if isinstance(value, (bytes, bytearray, memoryview)):
            value = bytes(cast("bytes", value)).decode("utf-8", "replace")
        if not isinstance(value, str):
            break
        value = _parsed(value, parameters) if value.strip() else {}
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return cast("Mapping[Any, Any]", value)
    kinds = {
        "list": "a list",
        "str": "a text",
        "bool": "true or false",
        "int": "a number",
        "float": "a number",
    }
    name = type(value).__name__
    found = kinds.get(name, f"a {name}")
    raise ArgumentError(f"The arguments are {found}; send {_example(parameters)}.")


def _parsed(text: str, parameters: Sequence[Parameter]) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"{error.msg} at character {error.pos + 1}"
    except RecursionError:
        problem = "nested too deeply"
    except ValueError:
        problem = "a number with too many digits"
    raise ArgumentError(f"The arguments are not valid JSON ({problem}); send {_example(parameters)}.")


def _unwrapped(sent: Mapping[Any, Any], parameters: Sequence[Parameter]) -> Mapping[Any, Any]:
    """The arguments without the layers that frameworks and models put around them."""
    names = {parameter.name for parameter in parameters}
    for _ in range(_MOST_LAYERS):
        layers = [key for key in sent if key in _WRAPPERS and (sent[key] or sent[key] == 0)]
        if names & set(sent) or len(layers) > 1 or set(sent) - _WRAPPERS - _ENVELOPE:
            return sent
        if not layers:
            return sent if set(sent) - _WRAPPERS else {}
        inner = sent[layers[0]]
        if layers[0] == "raw":
            sent = _as_mapping(inner, parameters)
            continue
        try:
            sent = _as_mapping(inner, parameters)
        except ArgumentError:
            return sent
    return sent


def _matched(sent: Mapping[Any, Any], names: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Arguments by parameter name, and the names that fit no parameter.

    "conceptId", "concept-id" and "CONCEPT_ID" are read as `concept_id`, provided that nothing else could be
    meant.
    """
    by_letters: dict[str, list[str]] = {}
    for name in names:
        by_letters.setdefault(_letters(name), []).append(name)
    given = {name: sent[name] for name in names if name in sent}
    unknown: list[str] = []
    for key, value in sent.items():
        if key in given:
            continue
        alike = by_letters.get(_letters(str(key)), [])
        if len(alike) == 1 and alike[0] not in given:
            given[alike[0]] = value
        else:
            unknown.append(str(key))
    return given, unknown


def _letters(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _missing(parameter: Parameter, unknown: Sequence[str], parameters: Sequence[Parameter]) -> str:
    ignored = f" ({shown(unknown[0])} is no argument of this tool)" if unknown else ""
    return f'The argument "{parameter.name}" is missing{ignored}; send {_example(parameters)}.'


def _refusal(parameter: Parameter, value: Any, hint: str) -> str:
    advice = f"; the nearest is {shown(hint)}" if hint else f"; send {_example([parameter])}"
    return f'The argument "{parameter.name}" takes {wanted(parameter.shape)}, not {shown(value)}{advice}.'


def _default_note(parameter: Parameter, value: Any, hint: str) -> str:
    default = choice_value(parameter.default)
    is_worth_showing = isinstance(default, (bool, int, float, str)) and default != ""
    outcome = f"its default {shown(default)} was used" if is_worth_showing else "it was left out"
    nearest_value = f" (the nearest is {shown(hint)})" if hint else ""
    return (
        f'"{parameter.name}" takes {wanted(parameter.shape)}, not {shown(value)}{nearest_value}; {outcome}.'
    )


def _unknown_note(name: str, names: Sequence[str], given: Mapping[str, Any]) -> str:
    close = nearest(name, [known for known in names if known not in given], 1)
    sentence = f"There is no argument {shown(name)}; it was ignored."
    return f"{sentence} {did_you_mean([shown(near) for near in close])}".rstrip()


def _few(notes: list[str]) -> tuple[str, ...]:
    if len(notes) <= _MOST_NOTES:
        return tuple(notes)
    return (*notes[:_MOST_NOTES], f"{len(notes) - _MOST_NOTES} more arguments were changed or ignored.")


def _example(parameters: Sequence[Parameter]) -> str:
    """One JSON object that would do, for the end of an error sentence."""
    required = [parameter for parameter in parameters if parameter.required] or list(parameters)[:1]
    example = {parameter.name: _example_value(parameter.shape) for parameter in required}
    return f"one JSON object such as {clean(json.dumps(example, ensure_ascii=False))}"


def _example_value(shape: Shape) -> Any:
    if shape.kind == "choice":
        return choice_value(shape.choices[0]) if shape.choices else None
    if shape.kind == "union":
        return _example_value(shape.options[0])
    if shape.kind == "array" and shape.items is not None:
        return [_example_value(shape.items)]
    if shape.properties:
        return {member.name: _example_value(member.shape) for member in shape.properties if member.required}
    if shape.bounds is not None and shape.bounds.low is not None:
        return shape.bounds.low
    return _EXAMPLES[shape.kind]
