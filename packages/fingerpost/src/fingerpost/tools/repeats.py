"""Calls that go round in a circle: the answer tells the model when a run has had it before."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from fingerpost.tools.guard import Tool
from fingerpost.tools.plain import plain, to_json
from fingerpost.tools.result import ToolResult, answer

FIRST_NOTED = 4
"""The first call with the same arguments and the same answer that is told so."""
MOST_KEPT = 4_096
"""How many different calls are remembered; the one that was made longest ago is forgotten first."""


class Repeats:
    """How often a run made the same call and got the same answer.

    Args:
        run: Names the run that is under way; None while there is none, and then nothing is counted.
    """

    def __init__(self, run: Callable[[], Hashable | None]) -> None:
        self._run = run
        self._lock = threading.Lock()
        self._counts: OrderedDict[int, int] = OrderedDict()

    def noted(self, tool: Tool, args: object, result: ToolResult) -> ToolResult:
        """The answer of a call, with a note from the fourth equal one on; the notes differ by their number.

        Args:
            tool: The tool that was called.
            args: What was sent; the order of its keys does not matter.
            result: What it answered.

        Returns:
            The answer, still within the tool's budget.
        """
        run = self._run()
        if run is None:
            return result
        number = self._count((run, tool.name, json.dumps(plain(args), sort_keys=True), result.text))
        if number < FIRST_NOTED:
            return result
        note = (
            f"This is call {number} of this run with the same arguments and the same answer; go on with what "
            "you have, or call with other arguments."
        )
        return _with_note(result, note, tool)

    def _count(self, call: Hashable) -> int:
        key = hash(call)
        with self._lock:
            number = self._counts.pop(key, 0) + 1
            self._counts[key] = number
            if len(self._counts) > MOST_KEPT:
                self._counts.popitem(last=False)
        return number


def _with_note(result: ToolResult, note: str, tool: Tool) -> ToolResult:
    """The answer written anew with one note more; data stay JSON, and a text stays a text."""
    value: Any = replace(result, notes=())
    if result.text == to_json(result.data):
        value = replace(value, text="") if result.is_error else result.data
    return replace(answer(value, (note,), tool.max_chars, tool.cuts), notes=(*result.notes, note))
