"""Exceptions on their way to a model: a sentence to act on, and nothing that was not meant for it."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import cast

from fingerpost.errors import KnowledgeError
from fingerpost.tools.result import ToolResult, error_answer

_CONTROL_FLOW: set[tuple[str, str]] = set()
_CANCELLED = ("asyncio.exceptions", "CancelledError")
_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_LAST_RESORT = '{"error": "The tool failed; try other arguments, or go on without it."}'


def is_control_flow(error: BaseException, *, is_cancelled: bool = False) -> bool:
    """Whether an exception ends more than the tool: interrupt, exit, cancellation, or a group with one.

    Args:
        error: What was raised.
        is_cancelled: Whether the caller itself is being cancelled. Otherwise a `CancelledError` is one that a
            tool let out by accident, because it waited for something that somebody else had cancelled.
    """
    if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
        return True
    if isinstance(error, BaseExceptionGroup):
        members = cast("BaseExceptionGroup[BaseException]", error).exceptions
        return any(is_control_flow(member, is_cancelled=is_cancelled) for member in members)
    # Where the module is not loaded, nothing can have raised its exceptions.
    names = (*_CONTROL_FLOW, _CANCELLED) if is_cancelled else _CONTROL_FLOW
    known = (getattr(sys.modules.get(module), name, None) for module, name in names)
    return isinstance(error, tuple(kind for kind in known if isinstance(kind, type)))


def let_through(module: str, name: str) -> None:
    """Have the guard raise exceptions with which a host steers an agent, instead of answering them.

    It holds for every tool of the process, also for subclasses and for groups that hold one. A package that
    connects Fingerpost with a host calls it once, on import.

    Args:
        module: Full name of the module that defines it; it is not imported.
        name: Name of the exception class.
    """
    _CONTROL_FLOW.add((module, name))


def failed(error: BaseException, name: str, notes: Sequence[str], max_chars: int) -> ToolResult:
    """The answer of a tool that raised.

    Our own errors speak for themselves. Any other is logged once on "fingerpost.tools" with a reference, and
    the model gets its type and the reference alone, since its message may hold what the model must not see.

    Args:
        error: What was raised.
        name: The tool's name.
        notes: What was changed in the arguments.
        max_chars: The budget of the text.

    Returns:
        The answer; never raises.
    """
    try:
        if isinstance(error, KnowledgeError):
            return error_answer(str(error) or type(error).__name__, notes, max_chars)
        mark = _reference(error)
        _log(error, f"The tool {name}", mark)
        sentence = (
            f'The tool "{name}" failed with {type(error).__name__}; try other arguments, or go on without it '
            f"(reference {mark})."
        )
        return error_answer(sentence, notes, max_chars)
    except Exception:  # noqa: BLE001 - no stack left, or a hostile __str__: still an answer
        return ToolResult({"error": _LAST_RESORT[11:-2]}, _LAST_RESORT, is_error=True, notes=tuple(notes))


def logged(error: BaseException, subject: str) -> str:
    """Log an exception that is none of ours, once.

    Args:
        error: What was raised.
        subject: What failed.

    Returns:
        What may be said of it: its type, and the reference that the log has as well.
    """
    mark = _reference(error)
    _log(error, subject, mark)
    return f"{type(error).__name__} (reference {mark})"


def _reference(error: BaseException) -> str:
    """Eight hexadecimal digits, the same for the same failure at the same place."""
    import hashlib

    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    place = (frame.tb_frame.f_code.co_qualname, frame.tb_lineno) if frame is not None else ("", 0)
    try:
        message = _ADDRESS.sub("", str(error))
    except Exception:  # noqa: BLE001 - a foreign __str__ can fail in any way
        message = ""
    identity = repr((type(error).__qualname__, message, place))
    return hashlib.sha256(identity.encode("utf-8", "backslashreplace")).hexdigest()[:8]


def _log(error: BaseException, subject: str, mark: str) -> None:
    import logging

    logging.getLogger("fingerpost.tools").error("%s failed (reference %s).", subject, mark, exc_info=error)
