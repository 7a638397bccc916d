"""What ADK does with functions that were not bound and with instructions, and the line that cures each."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from google.adk.agents.run_config import RunConfig, ToolThreadPoolConfig

from fingerpost import OKFTools, demo_bundle, tool
from tests.adk.playing import play, play_async


def thread() -> str:
    """Say which thread this is."""
    return str(threading.get_ident())


@pytest.mark.parametrize(
    ("options", "blocks"),
    [
        ({}, True),
        ({"run_config": RunConfig(tool_thread_pool_config=ToolThreadPoolConfig(max_workers=8))}, False),
    ],
    ids=["as it is", "with a pool"],
)
def test_a_plain_function_runs_on_the_event_loop_unless_a_pool_is_configured(
    options: dict[str, Any], blocks: bool
) -> None:
    async def both() -> tuple[Any, str]:
        outcome = await play_async([("thread", {})], tools=[tool(thread)], **options)
        return outcome.responses[0], thread()

    response, loop_thread = asyncio.run(both())
    assert (response == {"result": loop_thread}) is blocks


def test_guarded_functions_work_without_the_adapter() -> None:
    outcome = play(
        [("kb_find", {"text": "brakes", "limit": "1"}), ("kb_read", {})],
        tools=OKFTools(demo_bundle()).functions(),
    )
    found, refused = (str(response) for response in outcome.responses)
    assert "runbooks/brake-recall" in found
    assert "concept_id" in refused


def test_words_in_braces_end_a_run_unless_the_instruction_is_a_function() -> None:
    prompt = "Answer from the knowledge base. Its top: {season} plans."
    with pytest.raises(KeyError, match="season"):
        play(tools=[], instruction=prompt)

    def instruction(_context: object) -> str:
        return prompt

    outcome = play(tools=[], instruction=instruction)
    assert prompt in str(outcome.requests[0].config.system_instruction)
