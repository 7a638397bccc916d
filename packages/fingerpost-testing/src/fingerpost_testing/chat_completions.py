"""The format of OpenAI's chat-completions API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from fingerpost_testing.script import Reply, ToolCall
from fingerpost_testing.wire import CREATED, MODEL, Body, WireFormat, are_objects, encoded, pieces, words


def _whole(reply: Reply, body: Body, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None, "refusal": None}
    if reply.calls:
        message["tool_calls"] = [_call(call, call.raw_arguments) for call in reply.calls]
    else:
        message["content"] = reply.text
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish_reason(reply)}
    return {**_head("chat.completion", body, number), "choices": [choice], "usage": _usage(reply, body)}


def _events(reply: Reply, body: Body, number: int) -> Iterator[bytes]:
    head = _head("chat.completion.chunk", body, number)

    def chunk(delta: dict[str, Any], reason: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return _event({**head, "choices": [choice]})

    yield chunk({"role": "assistant", "content": "" if reply.text or not reply.calls else None})
    for piece in pieces(reply.text):
        yield chunk({"content": piece})
    for index, call in enumerate(reply.calls):
        yield chunk({"tool_calls": [{"index": index, **_call(call, "")}]})
        for piece in pieces(call.raw_arguments):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    yield chunk({}, _finish_reason(reply))
    options = body.get("stream_options")
    if isinstance(options, Mapping) and cast("Mapping[str, Any]", options).get("include_usage"):
        yield _event({**head, "choices": [], "usage": _usage(reply, body)})
    yield b"data: [DONE]\n\n"


def _fault_in(body: Body) -> str:
    if not are_objects(body.get("messages")) or not body["messages"]:
        return "'messages' is not a list of messages"
    if not are_objects(body.get("tools") or []):
        return "'tools' is not a list of tools"
    return ""


CHAT_COMPLETIONS = WireFormat(_whole, _events, _fault_in)
"""`POST /chat/completions`."""


def _event(value: object) -> bytes:
    return b"data: " + encoded(value) + b"\n\n"


def _head(kind: str, body: Body, number: int) -> dict[str, Any]:
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


def _usage(reply: Reply, body: Body) -> dict[str, int]:
    asked, said = words(reply, body)
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
