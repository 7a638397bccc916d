"""An OpenAI client for ADK's `OpenAILlm`: tool arguments that are no JSON object still reach the tool."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fingerpost.errors import missing_package

try:
    from openai import AsyncOpenAI
except ImportError as cause:
    raise missing_package("the OpenAI client for ADK", needs="openai") from cause


class MalformedCallClient(AsyncOpenAI):
    """Keeps an agent going when its model sends tool arguments that are not a JSON object.

    `OpenAILlm` reads broken JSON as no arguments at all, so that a tool which requires none just runs; and a
    list, or a JSON text within a JSON text, ends the run with an exception. With this client the tool gets
    the raw text, and a tool of this package answers as it does in every framework. In the history the
    arguments are then `{"raw": "<what the model sent>"}`.

    Example:
        model = OpenAILlm(model="gpt-5-mini", client=MalformedCallClient())

    Takes what `AsyncOpenAI` takes. Known limit: answers that are streamed come unchanged.
    """

    async def post(self, *args: Any, **kwargs: Any) -> Any:
        """Send a request, and mend the tool calls of the answer."""
        answer: Any = await super().post(*args, **kwargs)
        for call in _calls(answer):
            if call.arguments and not _is_object(call.arguments):
                call.arguments = json.dumps({"raw": call.arguments})
        return answer


def _calls(answer: Any) -> Iterator[Any]:
    """What holds the arguments of each call, in an answer of the chat completions or the responses API."""
    for choice in getattr(answer, "choices", None) or ():
        yield from (call.function for call in choice.message.tool_calls or () if call.type == "function")
    for item in getattr(answer, "output", None) or ():
        if item.type == "function_call":
            yield item


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
