"""Reading chat messages, and short forms of them for error messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast


def excerpt(text: str, limit: int = 120) -> str:
    """The text on one line, cut to at most `limit` characters."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def content_text(content: object) -> str:
    """The text of a chat message's content: a string, a list of parts, or nothing."""
    if isinstance(content, str):
        return content
    if not isinstance(content, Sequence):
        return ""
    parts = (
        cast("Mapping[str, Any]", part)
        for part in cast("Sequence[Any]", content)
        if isinstance(part, Mapping)
    )
    return "".join(str(part.get("text", "")) for part in parts)


def messages_of(body: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages of a chat request; anything that is not a message is left out."""
    messages = body.get("messages")
    if not isinstance(messages, list):
        return []
    return [message for message in cast("list[Any]", messages) if isinstance(message, Mapping)]


def last_message(body: Mapping[str, Any]) -> str:
    """What a request asked, in a few words, for messages."""
    messages = messages_of(body)
    if not messages:
        return "it holds no message"
    role, text = messages[-1].get("role", "?"), content_text(messages[-1].get("content"))
    return f"its last message is from {role!s}: {excerpt(text)!r}"
