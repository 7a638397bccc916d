"""An ADK agent whose model follows a list of replies, in this process and without a network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types
from pydantic import Field

Call = tuple[str, dict[str, Any]]
"""A tool's name and its arguments."""


class ScriptedModel(BaseLlm):
    """Makes the calls of one round after the other, then says "Done."."""

    rounds: list[list[Call]]
    requests: list[LlmRequest] = Field(default_factory=list[LlmRequest])

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        number = len(self.requests)
        self.requests.append(llm_request)
        parts = [types.Part(text="Done.")]
        if number < len(self.rounds):
            parts = [
                types.Part(function_call=types.FunctionCall(name=name, args=args, id=f"{number}-{place}"))
                for place, (name, args) in enumerate(self.rounds[number])
            ]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


@dataclass(frozen=True)
class Outcome:
    """What an agent returned, and what its model was sent."""

    responses: list[dict[str, Any] | None]
    answer: str
    requests: list[LlmRequest]

    @property
    def declarations(self) -> list[Any]:
        """The tools as the model was offered them, each a `FunctionDeclaration`."""
        offered: Any = self.requests[0].config.tools
        return [declaration for tool in offered for declaration in tool.function_declarations]


def play(*rounds: list[Call], tools: Any, **options: Any) -> Outcome:
    """Run an agent in which the model makes these calls, a list for each message; see `play_async`."""
    return asyncio.run(play_async(*rounds, tools=tools, **options))


async def play_async(
    *rounds: list[Call],
    tools: Any,
    instruction: Any = "",
    state: dict[str, Any] | None = None,
    **run_options: Any,
) -> Outcome:
    """The same on the running event loop, with the agent's instruction, the session's state, and more."""
    model = ScriptedModel(model="scripted", rounds=list(rounds))
    agent = LlmAgent(name="reader", model=model, tools=tools, instruction=instruction)
    runner = InMemoryRunner(agent, app_name="tests")
    session = await runner.session_service.create_session(app_name="tests", user_id="ada", state=state)
    responses: list[dict[str, Any] | None] = []
    answer = ""
    question = types.Content(role="user", parts=[types.Part(text="Go.")])
    async for event in runner.run_async(
        user_id="ada", session_id=session.id, new_message=question, **run_options
    ):
        responses += [response.response for response in event.get_function_responses()]
        if event.content and event.content.parts and event.content.parts[0].text:
            answer = event.content.parts[0].text
    await runner.close()
    return Outcome(responses, answer, model.requests)
