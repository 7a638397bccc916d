"""The chat-completions format: a turn as the JSON bodies that OpenAI's API sends.

Everything is deterministic: ids count requests, the creation time is constant, and usage is counted in
words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, cast

from fingerpost_testing.messages import content_text, messages_of
from fingerpost_testing.script import Reply, ToolCall

CREATED = 1_700_000_000
MODEL = "scripted"
_PIECE = 7  # characters of text or arguments in one streamed event


def model_list() -> dict[str, Any]:
    """The body that answers `GET /models`."""
    model = {"id": MODEL, "object": "model", "created": CREATED, "owned_by": "fingerpost-testing"}
    return {"object": "list", "data": [model]}


def error(message: str, code: str) -> dict[str, Any]:
    """The body of an HTTP error."""
    return {"error": {"message": message, "type": "scripted_server", "param": None, "code": code}}


def completion(reply: Reply, body: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The body that answers request `number` whole.

    Args:
        reply: The turn to send.
        body: The request, whose model is echoed.
        number: Which request of its session it is, from 1.
    """
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.calls:
        message["tool_calls"] = [_call(call, call.raw_arguments) for call in reply.calls]
    else:
        message["content"] = reply.text
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish_reason(reply)}
    return {**_head("chat.completion", body, number), "choices": [choice], "usage": _usage(reply, body)}


def events(reply: Reply, body: Mapping[str, Any], number: int) -> Iterator[bytes]:
    """The server-sent events that answer request `number` in pieces.

    Arguments are cut anywhere, also inside an escape, as real models do; joined they are the raw text.

    Args:
        reply: The turn to send.
        body: The request; `stream_options.include_usage` asks for a last event with the usage.
        number: Which request of its session it is, from 1.
    """
    head = _head("chat.completion.chunk", body, number)

    def chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return _event({**head, "choices": [choice]})

    yield chunk({"role": "assistant", "content": "" if reply.text or not reply.calls else None})
    for piece in _pieces(reply.text):
        yield chunk({"content": piece})
    for index, call in enumerate(reply.calls):
        yield chunk({"tool_calls": [{"index": index, **_call(call, "")}]})
        for piece in _pieces(call.raw_arguments):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _finish_reason(reply))
    options = body.get("stream_options")
    if isinstance(options, Mapping) and cast("Mapping[str, Any]", options).get("include_usage"):
        yield _event({**head, "choices": [], "usage": _usage(reply, body)})
    yield b"data: [DONE]\n\n"


def fault_in(body: object) -> str:
    """What is wrong with a chat request, as the end of a sentence; empty if nothing is."""
    if not isinstance(body, Mapping):
        return "the body is not a JSON object"
    request = cast("Mapping[str, Any]", body)
    if not _are_objects(request.get("messages")) or not request["messages"]:
        return "'messages' is not a list of messages"
    if not _are_objects(request.get("tools") or []):
        return "'tools' is not a list of tools"
    return ""


def encoded(value: object) -> bytes:
    """The value as JSON bytes; in ASCII, so that a script may send any text, lone surrogates included."""
    return json.dumps(value).encode("ascii")


def _are_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, Mapping) for item in cast("list[object]", value))


def _event(value: object) -> bytes:
    return b"data: " + encoded(value) + b"\n\n"


def _pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)]


def _head(kind: str, body: Mapping[str, Any], number: int) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{number}",
        "object": kind,
        "created": CREATED,
        "model": body.get("model") or MODEL,
    }


def _call(call: ToolCall, arguments: str) -> dict[str, Any]:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _finish_reason(reply: Reply) -> str:
    return "tool_calls" if reply.calls else "stop"


def _usage(reply: Reply, body: Mapping[str, Any]) -> dict[str, int]:
    asked = sum(len(content_text(message.get("content")).split()) for message in messages_of(body))
    said = len(" ".join([reply.text, *map(str, reply.calls)]).split())
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
