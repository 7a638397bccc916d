"""Agent frameworks come through both APIs, whole and streamed, with the transcript of the plain loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import openai
import pytest

from fingerpost_testing import (
    Script,
    Session,
    ToolCall,
    Transcript,
    calls,
    explain_difference,
    play,
    run_loop,
    say,
)

Agent = Callable[[Session, openai.AsyncOpenAI, bool, bool], Awaitable[str]]

SCRIPT = Script(
    calls(ToolCall("shout", {"text": "grüße"}), ToolCall("count", {"text": "abc"}), text="Wait a moment."),
    calls(ToolCall("shout", {"text": "one at a time"})),
    calls(
        ToolCall("count", {"text": ""}), ToolCall("count", {"text": "📦"}), ToolCall("shout", {"text": "c"})
    ),
    say("Finished, all of it."),
)


def shout(text: str) -> str:
    """Say it loudly."""
    return text.upper()


def count(text: str) -> str:
    """Count the letters."""
    return str(len(text))


async def openai_agents(
    session: Session, client: openai.AsyncOpenAI, has_responses: bool, streams: bool, **options: Any
) -> str:
    from agents import (
        Agent,
        OpenAIChatCompletionsModel,
        OpenAIResponsesModel,
        Runner,
        function_tool,
        set_tracing_disabled,
    )

    set_tracing_disabled(disabled=True)
    model = (OpenAIResponsesModel if has_responses else OpenAIChatCompletionsModel)("m", client)
    agent = Agent(name="a", model=model, tools=[function_tool(shout), function_tool(count)])
    if not streams:
        return (await Runner.run(agent, "Go.", **options)).final_output
    result = Runner.run_streamed(agent, "Go.", **options)
    async for _ in result.stream_events():
        pass
    return result.final_output


async def openai_agents_sending_news_only(
    session: Session, client: openai.AsyncOpenAI, has_responses: bool, streams: bool
) -> str:
    return await openai_agents(session, client, has_responses, streams, auto_previous_response_id=True)


async def agent_framework(
    session: Session, client: openai.AsyncOpenAI, has_responses: bool, streams: bool, **options: Any
) -> str:
    from agent_framework import Agent
    from agent_framework.openai import OpenAIChatClient, OpenAIChatCompletionClient

    make_client: Any = OpenAIChatClient if has_responses else OpenAIChatCompletionClient
    chat = make_client(model="m", async_client=client)
    agent: Any = Agent(client=chat, tools=[shout, count], default_options=options)
    if streams:
        response = await agent.run("Go.", stream=True).get_final_response()
    else:
        response = await agent.run("Go.")
    return response.messages[-1].text


async def agent_framework_storing_nothing(
    session: Session, client: openai.AsyncOpenAI, has_responses: bool, streams: bool
) -> str:
    return await agent_framework(session, client, has_responses, streams, store=False)


async def adk(session: Session, client: openai.AsyncOpenAI, has_responses: bool, streams: bool) -> str:
    from google.adk.agents import LlmAgent
    from google.adk.agents.run_config import RunConfig
    from google.adk.integrations.openai import OpenAILlm, OpenAIResponsesLlm
    from google.adk.runners import InMemoryRunner
    from google.genai.types import Content, Part

    model = (OpenAIResponsesLlm if has_responses else OpenAILlm)(model="m", client=client)
    agent = LlmAgent(name="a", model=model, tools=[shout, count])
    mode = RunConfig.model_validate({"streaming_mode": "sse" if streams else None})
    answer = ""
    async with InMemoryRunner(agent=agent, app_name="x") as runner:
        chat = await runner.session_service.create_session(app_name="x", user_id="u")
        question = Content(role="user", parts=[Part(text="Go.")])
        run = runner.run_async(user_id="u", session_id=chat.id, new_message=question, run_config=mode)
        async for event in run:
            if event.is_final_response() and event.content and event.content.parts:
                answer = "".join(part.text or "" for part in event.content.parts)
    return answer


async def langchain(session: Session, client: openai.AsyncOpenAI, has_responses: bool, streams: bool) -> str:
    from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
    from langchain_openai import ChatOpenAI

    model: Any = ChatOpenAI(  # with the client as it is, for this one is closed at the end
        model="m",
        base_url=session.base_url,
        api_key="x",  # pyright: ignore[reportArgumentType]
        root_async_client=client,
        async_client=client.chat.completions,
        use_responses_api=has_responses,
        streaming=streams,
    )
    agent: Any = create_agent(model, [shout, count])  # pyright: ignore[reportUnknownVariableType]
    state = await agent.ainvoke({"messages": [("user", "Go.")]})
    return state["messages"][-1].text


def unwrapped(result: str) -> str:
    """What a tool said, where a framework wraps it."""
    return json.loads(result)["result"] if result.startswith('{"result": ') else result


@pytest.mark.parametrize("streams", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("agent", "has_responses"),
    [
        (openai_agents, True),
        (openai_agents, False),
        (openai_agents_sending_news_only, True),
        (agent_framework, True),
        (agent_framework, False),
        (agent_framework_storing_nothing, True),
        (adk, True),
        (adk, False),
        (langchain, True),
    ],
    ids=lambda value: value.__name__ if callable(value) else ("responses" if value else "chat"),
)
def test_an_agent_gives_the_transcript_of_the_loop_without_a_framework(
    agent: Agent, has_responses: bool, streams: bool
) -> None:
    async def talk(session: Session) -> str:
        async with openai.AsyncOpenAI(base_url=session.base_url, api_key="x", max_retries=0) as client:
            return await agent(session, client, has_responses, streams)

    expected = run_loop([shout, count], SCRIPT, "Go.")
    with play(SCRIPT) as session:
        answer = asyncio.run(talk(session))
        bodies = [request.body for request in session.requests]
    assert answer == "Finished, all of it."
    assert explain_difference(names_alone(expected), names_alone(session.transcript)) == ""
    assert {bool(body.get("stream")) for body in bodies} == {streams}
    assert {"input" in body for body in bodies} == {has_responses}


def names_alone(transcript: Transcript) -> Transcript:
    return transcript.without_definitions().with_results(unwrapped)
