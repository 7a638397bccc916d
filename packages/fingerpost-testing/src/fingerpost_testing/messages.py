"""One form for what a request says, whatever wire format it came in, and short forms of it for messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of the conversation that a request holds.

    Attributes:
        role: Who speaks: "system", "developer", "user", "assistant" or "tool".
        text: What is said, its parts joined.
        call_id: The call that a tool's message answers, or that is all of an assistant's message; else empty.
    """

    role: str
    text: str = ""
    call_id: str = ""


def messages_of(body: Mapping[str, Any]) -> list[Message]:
    """The conversation in a request of either format; anything that is not a message is left out."""
    if "messages" in body:
        return [_from_chat(message) for message in _objects(body["messages"])]
    asked = body.get("input")
    items = [{"role": "user", "content": asked}] if isinstance(asked, str) else _objects(asked)
    system = [Message("system", str(body["instructions"]))] if body.get("instructions") else []
    return [*system, *map(_from_item, items)]


def functions_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The tools that a request of either format offers, each with its name, description and parameters."""
    return [
        object_of(tool.get("function")) or object_of(tool.get("custom")) or tool
        for tool in _objects(body.get("tools"))
    ]


def content_text(content: object) -> str:
    """The text of a message's content: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in _objects(content))


def object_of(value: object) -> Mapping[str, Any]:
    """A JSON value that should be an object; an empty one for anything else."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def last_message(body: Mapping[str, Any]) -> str:
    """What a request asked, in a few words, for messages."""
    messages = messages_of(body)
    if not messages:
        return "it holds no message"
    return f"its last message is from {messages[-1].role}: {excerpt(messages[-1].text)!r}"


def excerpt(text: str, limit: int = 120) -> str:
    """The text on one line, cut to at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _from_chat(message: Mapping[str, Any]) -> Message:
    text, call_id = content_text(message.get("content")), message.get("tool_call_id")
    calls = _objects(message.get("tool_calls"))
    if not call_id and len(calls) == 1:
        call_id = calls[0].get("id")
    return Message(str(message.get("role", "?")), text, str(call_id or ""))


def _from_item(item: Mapping[str, Any]) -> Message:
    kind = str(item.get("type") or "message")
    if kind == "message":
        return Message(str(item.get("role", "?")), content_text(item.get("content")))
    if kind.endswith("_output"):
        return Message("tool", content_text(item.get("output")), str(item.get("call_id") or ""))
    return Message("assistant", call_id=str(item.get("call_id") or ""))  # a call, reasoning, a reference


def _objects(value: object) -> list[Mapping[str, Any]]:
    items = cast("Sequence[Any]", value) if isinstance(value, Sequence) else ()
    return [item for item in items if isinstance(item, Mapping)]
