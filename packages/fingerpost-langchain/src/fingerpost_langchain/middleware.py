"""Middleware for `create_agent`: tool calls that LangChain cannot parse are answered and end no run."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, cast

from pydantic import ValidationError

from fingerpost.errors import missing_package
from fingerpost_langchain.native import RawArgumentsTool

try:
    from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
    from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
except ImportError as cause:
    old = getattr(sys.modules.get("langchain"), "__version__", "")
    found = f"langchain {old}" if old else ""
    raise missing_package("the LangChain middleware", needs="langchain", found=found) from cause

_UNREADABLE = "The arguments of this call were no JSON object; call the tool again with one JSON object."
_LOST = f"Your last tool call was lost. {_UNREADABLE}"


class MalformedCallMiddleware(AgentMiddleware[Any, Any]):
    """Keeps an agent going when its model sends tool arguments that are not a JSON object.

    LangChain puts a call with broken JSON aside, and a run without another call ends with an empty answer.
    With this middleware the call is made all the same: a tool of this package gets the raw text and answers
    as it does in every framework; the call of any other tool is answered with an error message. In the
    history the arguments are then `{"raw": "<what the model sent>"}`.

    A list, or a JSON text within a JSON text, breaks the message of a model that does not stream before
    anybody can see the call. Then the model is asked again with a note that says so; no history shows either.

    Example:
        agent = create_agent(model, okf_tools(bundle), middleware=[MalformedCallMiddleware()])

    Known limit: a model that streams completes JSON that was cut off (`{"query": "q", "limit":` becomes
    `{"query": "q"}`), and nobody can tell afterwards.

    Args:
        attempts: How often to ask again when a message was lost; after that the error is raised.
    """

    def __init__(self, attempts: int = 3) -> None:
        super().__init__()
        self.attempts = attempts

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model, and mend its message."""
        for _ in range(self.attempts):
            try:
                return _mended(handler(request), request)
            except ValidationError as error:
                request = _asked_again(request, error)
        return _mended(handler(request), request)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Call the model, and mend its message."""
        for _ in range(self.attempts):
            try:
                return _mended(await handler(request), request)
            except ValidationError as error:
                request = _asked_again(request, error)
        return _mended(await handler(request), request)

    def after_model(self, state: Any, runtime: Any) -> None:
        """Do nothing: releases of LangChain before 1.4 find the way back to the model only behind a hook."""


def _asked_again(request: ModelRequest[Any], error: ValidationError) -> ModelRequest[Any]:
    is_lost_call = error.title == "AIMessage" and all(
        problem["loc"][:1] == ("tool_calls",) for problem in error.errors()
    )
    if not is_lost_call:
        raise error
    return request.override(messages=[*request.messages, HumanMessage(_LOST)])


def _mended(response: ModelResponse[Any], request: ModelRequest[Any]) -> ModelResponse[Any]:
    """The response, in which every call that could not be parsed can be made or is answered."""
    takes_raw = {tool.name for tool in request.tools if isinstance(tool, RawArgumentsTool)}
    result: list[BaseMessage] = []
    for message in response.result:
        if not isinstance(message, AIMessage) or not message.invalid_tool_calls:
            result.append(message)
            continue
        added = [
            {
                "type": "tool_call",
                "name": call["name"] or "",
                "args": {"raw": call["args"]},
                "id": call["id"] or uuid.uuid4().hex,
            }
            for call in message.invalid_tool_calls
        ]
        update = {"tool_calls": [*message.tool_calls, *added], "invalid_tool_calls": []}
        result.append(message.model_copy(update=update))
        result += [
            ToolMessage(
                _UNREADABLE,
                name=cast("str", call["name"]),
                tool_call_id=cast("str", call["id"]),
                status="error",
            )
            for call in added
            if call["name"] not in takes_raw
        ]
    return replace(response, result=result)
