"""The format of OpenAI's Responses API."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from fingerpost_testing.script import Reply, ToolCall
from fingerpost_testing.wire import CREATED, MODEL, Body, WireFormat, are_objects, encoded, pieces, words

_EMPTY: dict[str, dict[str, Any]] = {
    "message": {"status": "in_progress", "content": []},
    "function_call": {"status": "in_progress", "arguments": ""},
}


def _whole(reply: Reply, body: Body, number: int) -> dict[str, Any]:
    done = {"status": "completed", "output": _output(reply, number), "usage": _usage(reply, body)}
    return _response(body, number) | done


def _events(reply: Reply, body: Body, number: int) -> Iterator[bytes]:
    sequence = count()

    def event(kind: str, **fields: object) -> bytes:
        data = encoded({"type": kind, "sequence_number": next(sequence), **fields})
        return b"event: " + kind.encode("ascii") + b"\ndata: " + data + b"\n\n"

    begun = _response(body, number)
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for index, item in enumerate(_output(reply, number)):
        yield event("response.output_item.added", output_index=index, item=item | _EMPTY[item["type"]])
        for kind, fields in _growth(item):
            yield event(kind, item_id=item["id"], output_index=index, **fields)
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=_whole(reply, body, number))


def _growth(item: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events between an item's beginning and its end, without its place."""
    if item["type"] == "function_call":
        for piece in pieces(item["arguments"]):
            yield "response.function_call_arguments.delta", {"delta": piece}
        whole = {"name": item["name"], "arguments": item["arguments"]}
        yield "response.function_call_arguments.done", whole
    for index, part in enumerate(item.get("content", ())):
        yield "response.content_part.added", {"content_index": index, "part": {**part, "text": ""}}
        for piece in pieces(part["text"]):
            yield "response.output_text.delta", {"content_index": index, "delta": piece, "logprobs": []}
        yield "response.output_text.done", {"content_index": index, "text": part["text"], "logprobs": []}
        yield "response.content_part.done", {"content_index": index, "part": part}


def _fault_in(body: Body) -> str:
    given = body.get("input")
    if not given or not (isinstance(given, str) or are_objects(given)):
        return "'input' is neither a text nor a list of items"
    if not are_objects(body.get("tools") or []):
        return "'tools' is not a list of tools"
    return ""


RESPONSES = WireFormat(_whole, _events, _fault_in)
"""`POST /responses`."""


def _response(body: Body, number: int) -> dict[str, Any]:
    """A response that was begun."""
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": CREATED,
        "model": body.get("model") or MODEL,
        "error": None,
        "incomplete_details": None,
        "instructions": body.get("instructions"),
        "metadata": body.get("metadata") or {},
        "parallel_tool_calls": body.get("parallel_tool_calls", True),
        "previous_response_id": body.get("previous_response_id"),
        "tool_choice": body.get("tool_choice") or "auto",
        "tools": body.get("tools") or [],
        "status": "in_progress",
        "output": [],
        "usage": None,
    }


def _output(reply: Reply, number: int) -> list[dict[str, Any]]:
    said = [_message(reply.text, number)] if reply.text or not reply.calls else []
    return [*said, *map(_call, reply.calls)]


def _message(text: str, number: int) -> dict[str, Any]:
    part: dict[str, Any] = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [part],
    }


def _call(call: ToolCall) -> dict[str, Any]:
    return {
        "id": f"fc_{call.id}",
        "type": "function_call",
        "call_id": call.id,
        "name": call.name,
        "arguments": call.raw_arguments,
        "status": "completed",
    }


def _usage(reply: Reply, body: Body) -> dict[str, Any]:
    asked, said = words(reply, body)
    return {
        "input_tokens": asked,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": said,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked + said,
    }
