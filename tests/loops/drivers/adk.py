"""Google ADK's `LlmAgent` with `OpenAILlm` and the client that keeps what the model sent."""

from __future__ import annotations

import json
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, ToolThreadPoolConfig
from google.adk.integrations.openai import OpenAILlm
from google.adk.runners import InMemoryRunner
from google.genai import types
from openai import DefaultAsyncHttpxClient

from fingerpost_adk import MalformedCallClient, bind
from fingerpost_testing import Session, Transcript
from tests.loops.driver import Driver

RUN_CONFIG = RunConfig(tool_thread_pool_config=ToolThreadPoolConfig(max_workers=16))


async def run(session: Session, tools: Any, question: str) -> str:
    """The answer of an agent with these tools."""
    answer = ""
    async with MalformedCallClient(
        base_url=session.base_url,
        api_key="none",
        max_retries=0,
        http_client=DefaultAsyncHttpxClient(trust_env=False),
    ) as client:
        agent = LlmAgent(name="reader", model=OpenAILlm(model="scripted", client=client), tools=tools)
        async with InMemoryRunner(agent, app_name="loops") as runner:
            known = await runner.session_service.create_session(app_name="loops", user_id="user")
            message = types.Content(role="user", parts=[types.Part(text=question)])
            async for event in runner.run_async(
                user_id="user", session_id=known.id, new_message=message, run_config=RUN_CONFIG
            ):
                if event.is_final_response() and event.content and event.content.parts:
                    answer = "".join(part.text or "" for part in event.content.parts)
    return answer


def said(sent: str) -> str:
    """What a tool said: `OpenAILlm` sends a text as `{"result": ...}`, and anything but ASCII escaped."""
    try:
        response: Any = json.loads(sent)
    except ValueError:
        return sent
    match response:
        case {"result": str(text)} if len(response) == 1:
            return text
        case {"error": str()}:
            return json.dumps(response, ensure_ascii=False)
        case _:
            return sent


def read(session: Session) -> Transcript:
    """The transcript with the results as the tools gave them."""
    return session.transcript.with_results(said)


DRIVER = Driver(framework="Google ADK", package="google-adk", bind=bind, run=run, plain=list, read=read)
