"""What both wire formats of OpenAI's API share.

Everything is deterministic: ids count requests, the creation time is constant, and usage is counted in
words.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from fingerpost_testing.messages import messages_of
from fingerpost_testing.script import Reply

CREATED = 1_700_000_000
MODEL = "scripted"
_DEEPEST = 256  # parts of a request are written again in its answer, below other levels
_PIECE = 7  # characters of text or arguments in one streamed event

Body: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class WireFormat:
    """One of the ways in which a model is asked and answers.

    Attributes:
        whole: The body that answers a request whole, from the turn to send, the request and its number in the
            session, counted from 1.
        events: The server-sent events that answer the same request in pieces.
        fault_in: What is wrong with a request, as the end of a sentence; empty if nothing is.
    """

    whole: Callable[[Reply, Body, int], dict[str, Any]]
    events: Callable[[Reply, Body, int], Iterator[bytes]]
    fault_in: Callable[[Body], str]


def model_list() -> dict[str, Any]:
    """The body that answers `GET /models`."""
    model = {"id": MODEL, "object": "model", "created": CREATED, "owned_by": "fingerpost-testing"}
    return {"object": "list", "data": [model]}


def error(message: str, code: str) -> dict[str, Any]:
    """The body of an HTTP error."""
    return {"error": {"message": message, "type": "scripted_server", "param": None, "code": code}}


def encoded(value: object) -> bytes:
    """The value as JSON bytes; in ASCII, so that a script may send any text, lone surrogates included."""
    return json.dumps(value).encode("ascii")


def decoded(data: bytes) -> Body | None:
    """The JSON object in a request; `None` if it holds none, or one that is nested too deeply."""
    try:
        value: object = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, Mapping) or _is_too_deep(body := cast("Body", value)):
        return None
    return body


def pieces(text: str) -> list[str]:
    """The text as it is streamed: cut anywhere, as real models do. Joined it is the same again."""
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]


def are_objects(value: object) -> bool:
    """Whether a JSON value is a list of objects, as messages and tools are."""
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in cast("list[object]", value))


def words(reply: Reply, body: Body) -> tuple[int, int]:
    """The words of the request and of the reply, which stand in for tokens."""
    asked = sum(len(message.text.split()) for message in messages_of(body))
    return asked, len(" ".join([reply.text, *map(str, reply.calls)]).split())


def _is_too_deep(body: Body) -> bool:
    """Whether it has more than `_DEEPEST` levels; without recursion, which is what they could exhaust."""
    level: list[Any] = [body]
    for _ in range(_DEEPEST):
        level = [inner for value in level for inner in _within(value)]
    return any(isinstance(value, (Mapping, list)) for value in level)


def _within(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return cast("Body", value).values()
    return cast("list[Any]", value) if isinstance(value, list) else ()
