"""The SDK's runner, played against a script through the real OpenAI client."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, RunConfig, Runner
from agents.items import ToolCallOutputItem
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from fingerpost_testing import Script, Session, ToolCall, Transcript, Turn, calls, play, say

MODELS: tuple[type[Any], ...] = (OpenAIChatCompletionsModel, OpenAIResponsesModel)
GOES_ON = RunConfig(tool_not_found_behavior="return_error_to_model")


@dataclass(frozen=True)
class Outcome:
    """What a run returned, and what the scripted model saw of it."""

    outputs: list[ToolCallOutputItem]
    answer: str
    transcript: Transcript
    requests: list[dict[str, Any]]

    @property
    def seen(self) -> tuple[str | None, ...]:
        """What the model saw of each call."""
        return self.transcript.tool_results

    @property
    def data(self) -> list[dict[str, Any] | None]:
        """What the application got beside each text."""
        return [output.custom_data for output in self.outputs]


def played(
    tools: Sequence[Any],
    *turns: Turn,
    model: type[Any] = OpenAIChatCompletionsModel,
    run_config: RunConfig | None = None,
    context: object = None,
    max_turns: int = 10,
) -> Outcome:
    """Run an agent; the script must be followed to its end."""
    with play(Script(*turns)) as session:
        answer, outputs = asyncio.run(_run(session, tools, model, run_config, context, max_turns))
    requests = [dict(request.body) for request in session.requests]
    return Outcome(outputs, answer, session.transcript, requests)


def called(native: Any, arguments: Any = None, **options: Any) -> tuple[str, dict[str, Any] | None]:
    """What the model sees of one call, and what the application gets beside it."""
    outcome = played(
        [native],
        calls(ToolCall(native.name, {} if arguments is None else arguments)),
        say("Done."),
        **options,
    )
    (seen,), (data,) = outcome.seen, outcome.data
    assert seen is not None
    return seen, data


async def _run(
    session: Session,
    tools: Sequence[Any],
    model: type[Any],
    run_config: RunConfig | None,
    context: object,
    max_turns: int,
) -> tuple[str, list[ToolCallOutputItem]]:
    client = AsyncOpenAI(
        base_url=session.base_url,
        api_key="none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False),
    )
    async with client:
        agent = Agent[Any](name="Reader", model=model("scripted", openai_client=client), tools=list(tools))
        result = await Runner.run(agent, "Go.", context=context, run_config=run_config, max_turns=max_turns)
    outputs = [item for item in result.new_items if isinstance(item, ToolCallOutputItem)]
    return cast("str", result.final_output), outputs
