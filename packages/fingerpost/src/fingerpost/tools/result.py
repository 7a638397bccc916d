"""What a tool answers: data for the application, text for the model, both within the budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from fingerpost.text.cutting import cut
from fingerpost.tools.budget import Cut, fit, fit_text
from fingerpost.tools.coerce import clean
from fingerpost.tools.pages import fitting_head
from fingerpost.tools.plain import plain, to_json


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer of one tool call; a function may return one, to give text and data or to answer an error.

    Attributes:
        data: What the text was written from: plain JSON data, or the text itself.
        text: What the model sees. JSON of `data`, unless the function answered with a text.
        is_error: Whether the call failed; then `data` is `{"error": "..."}` and `text` its JSON.
        notes: What was changed in the arguments on the way; they are part of `text` too.
    """

    data: Any = None
    text: str = ""
    is_error: bool = False
    notes: tuple[str, ...] = ()


def answer(value: Any, notes: Sequence[str], max_chars: int, cuts: Sequence[Cut] = ()) -> ToolResult:
    """What a function returned as the answer of a tool.

    Args:
        value: Anything: a text stays text, a `ToolResult` keeps its parts, all else becomes JSON.
        notes: What was changed in the arguments.
        max_chars: The budget of the text.
        cuts: What to cut first.

    Returns:
        The answer, whose text has at most `max_chars` characters.
    """
    if isinstance(value, ToolResult):
        return _passed_on(value, (*value.notes, *notes), max_chars, cuts)
    if isinstance(value, str):
        return _text_answer(clean(str(value)), notes, max_chars, cuts)
    return _data_answer(plain(value), notes, max_chars, cuts)


def error_answer(sentence: str, notes: Sequence[str], max_chars: int) -> ToolResult:
    """An error as the answer of a tool.

    Args:
        sentence: What is wrong and what to do.
        notes: What was changed in the arguments.
        max_chars: The budget of the text.

    Returns:
        An answer with `{"error": sentence}` as its data.
    """
    sentence = clean(sentence)
    head = fitting_head(sentence, max_chars - len(to_json({"error": "…"})))
    data = {"error": sentence if head == sentence else f"{head}…"}
    return replace(_data_answer(data, notes, max_chars, ()), is_error=True)


def restored_answer(name: str) -> ToolResult:
    """The answer of a native tool that its framework restored by itself, from what it had stored of it.

    Args:
        name: The tool's name.

    Returns:
        An error that says what the application has to do.
    """
    sentence = (
        f'The tool "{name[:100]}" was restored from a checkpoint without the function that it calls; give '
        "the agents their tools again before the run starts."
    )
    return error_answer(sentence, (), 2_000)


def _passed_on(result: ToolResult, notes: Sequence[str], max_chars: int, cuts: Sequence[Cut]) -> ToolResult:
    data: Any = plain(result.data)
    if result.is_error:
        if isinstance(data, dict) and "error" in data:
            return replace(_data_answer(data, notes, max_chars, cuts), is_error=True)
        return error_answer(result.text or to_json(data), notes, max_chars)
    if not result.text and data is not None:
        return _data_answer(data, notes, max_chars, cuts)
    text = _text_answer(clean(result.text), notes, max_chars, cuts)
    return text if data is None else replace(text, data=fit(data, max_chars, cuts)[0])


def _text_answer(text: str, notes: Sequence[str], max_chars: int, cuts: Sequence[Cut]) -> ToolResult:
    closing = cut("".join(f"\nNote: {' '.join(note.split())}" for note in notes), max_chars // 4)
    room = max_chars - len(closing)
    body = fit_text(text, room, cuts[0].how) if cuts else fit_text(text, room)
    return ToolResult(data=body, text=body + closing, notes=tuple(notes))


def _data_answer(data: Any, notes: Sequence[str], max_chars: int, cuts: Sequence[Cut]) -> ToolResult:
    if not notes:
        fitted = fit(data, max_chars, cuts)[0]
        return ToolResult(data=fitted, text=to_json(fitted))
    members: dict[str, Any] = cast("dict[str, Any]", data) if isinstance(data, dict) else {"result": data}
    own = members.get("notes", [])
    key = "notes" if isinstance(own, list) else "call_notes"
    said: list[str] = []
    for note in map(clean, notes):
        if len(to_json({key: [*said, note]})) <= max_chars // 2:
            said.append(note)
    fitted = fit(members, max_chars - len(to_json({key: said})), cuts)[0]
    own = cast("list[Any]", fitted.get(key, [])) if key == "notes" else []
    noted = {**fitted, key: [*own, *said]}
    return ToolResult(data=noted, text=to_json(noted), notes=tuple(notes))
