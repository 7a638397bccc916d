"""The reference loop: an agent without a framework, in one page.

It sends the conversation, runs the tools that the model calls and sends their results, until the model
answers without a call. Played against a script it gives the transcript that every framework should give;
against a real model it is the plainest agent there is.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from typing import Any, cast

from fingerpost.errors import KnowledgeError
from fingerpost.tools import Tool, Toolbox
from fingerpost_testing.messages import content_text, excerpt
from fingerpost_testing.script import Reply, Script, ToolCall
from fingerpost_testing.server import play
from fingerpost_testing.transcript import Request, Transcript

MAX_ANSWER_BYTES = 16 * 1024 * 1024


class LoopError(KnowledgeError):
    """The model could not be reached, answered with an error, or did not come to an end."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model with OpenAI's chat-completions API is.

    Attributes:
        base_url: Its address up to and including "/v1".
        model: The name of the model.
        api_key: The key, kept out of `repr`.
        timeout: Seconds to wait for one answer.
    """

    base_url: str
    model: str = "scripted"
    api_key: str = field(default="", repr=False)
    timeout: float = 60.0


def run_loop(
    tools: Iterable[Tool | Callable[..., object]],
    model: Script | Endpoint,
    question: str,
    *,
    system: str = "",
    max_requests: int = 20,
) -> Transcript:
    """Let a model answer a question with tools.

    Args:
        tools: The tools: `Tool`s or plain callables.
        model: A script, which is played over HTTP and must be followed to its end, or the address of a model.
        question: What the user asks.
        system: The system prompt; none if empty.
        max_requests: After how many requests to give up.

    Returns:
        What happened.

    Raises:
        ConfigError: Two tools have the same name.
        LoopError: The model could not be reached, answered with an error, or calls tools to the last request.
        UnconsumedTurns: The script has turns after the final answer.
    """
    if isinstance(model, Script):
        with play(model) as session:
            return run_loop(
                tools, Endpoint(session.base_url), question, system=system, max_requests=max_requests
            )
    toolbox = Toolbox(tools)
    messages: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    messages.append({"role": "user", "content": question})
    log: list[Request] = []
    for _ in range(max_requests):
        body: dict[str, Any] = {"model": model.model, "messages": list(messages)}
        if len(toolbox):
            body["tools"] = [_definition(tool) for tool in toolbox]
        reply = _ask(model, body)
        log.append(Request(body, reply))
        if not reply.calls:
            return Transcript.of(log)
        messages.append(_assistant_message(reply))
        for call in reply.calls:
            content = toolbox.call(call.name, call.raw_arguments).text
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    raise LoopError(
        f"The model still calls tools after {max_requests} requests; raise max_requests or change the script."
    )


def _definition(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


def _assistant_message(reply: Reply) -> dict[str, Any]:
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.raw_arguments}}
        for call in reply.calls
    ]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _ask(model: Endpoint, body: Mapping[str, Any]) -> Reply:
    data = _post(model, json.dumps(body).encode("ascii"))
    try:
        message = json.loads(data)["choices"][0]["message"]
        calls = [_tool_call(call) for call in message.get("tool_calls") or ()]
        text = content_text(message.get("content"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        answer = excerpt(data.decode("utf-8", "replace"))
        raise LoopError(
            f"The model at {model.base_url} did not answer with a chat completion: {answer!r}."
        ) from error
    return Reply(text, tuple(replace(call, id=call.id or f"call_{n}") for n, call in enumerate(calls, 1)))


def _tool_call(call: Mapping[str, Any]) -> ToolCall:
    function = cast("Mapping[str, Any]", call["function"])
    return ToolCall(function["name"], function.get("arguments") or "", call.get("id") or "")


def _post(model: Endpoint, data: bytes) -> bytes:
    url = urllib.parse.urlsplit(f"{model.base_url.rstrip('/')}/chat/completions")
    if url.scheme not in ("http", "https"):
        raise LoopError(f"The address of a model starts with http:// or https://, unlike {model.base_url!r}.")
    request = urllib.request.Request(url.geturl(), data, {"Content-Type": "application/json"})  # noqa: S310 - checked above
    if model.api_key:
        request.add_unredirected_header("Authorization", f"Bearer {model.api_key}")
    try:
        with _opener(url.hostname or "").open(request, timeout=model.timeout) as response:
            answer = cast("bytes", response.read(MAX_ANSWER_BYTES + 1))
    except urllib.error.HTTPError as error:
        with error:
            said = excerpt(error.read(4096).decode("utf-8", "replace"), 500)
        raise LoopError(f"The model at {model.base_url} answered with status {error.code}: {said}") from error
    except (OSError, HTTPException) as error:
        raise LoopError(f"The model at {model.base_url} did not answer: {error}.") from error
    if len(answer) > MAX_ANSWER_BYTES:
        raise LoopError(f"The model at {model.base_url} answered with more than {MAX_ANSWER_BYTES} bytes.")
    return answer


def _opener(host: str) -> urllib.request.OpenerDirector:
    # A proxy of the environment cannot reach this machine's loopback.
    proxies: Sequence[urllib.request.BaseHandler] = (
        [urllib.request.ProxyHandler({})] if host in ("127.0.0.1", "localhost", "::1") else []
    )
    return urllib.request.build_opener(*proxies)
