"""Tools: everything that makes a function safe to hand to a model, once, for every framework."""

from __future__ import annotations

from fingerpost.tools.budget import LEAST_CHARS, LISTING_CHARS, READING_CHARS, Cut, check_budget
from fingerpost.tools.decorators import tool, tool_method
from fingerpost.tools.failures import let_through
from fingerpost.tools.frame import one_line
from fingerpost.tools.guard import Tool
from fingerpost.tools.hosts import filled_by_host
from fingerpost.tools.naming import check_name, check_unique
from fingerpost.tools.observing import Call, around_call, on_call
from fingerpost.tools.result import ToolResult, restored_answer
from fingerpost.tools.schema import ToolContext
from fingerpost.tools.shapes import Between, JsonText
from fingerpost.tools.toolbox import Toolbox

__all__ = [
    "LEAST_CHARS",
    "LISTING_CHARS",
    "READING_CHARS",
    "Between",
    "Call",
    "Cut",
    "JsonText",
    "Tool",
    "ToolContext",
    "ToolResult",
    "Toolbox",
    "around_call",
    "check_budget",
    "check_name",
    "check_unique",
    "filled_by_host",
    "let_through",
    "on_call",
    "one_line",
    "restored_answer",
    "tool",
    "tool_method",
]
