"""A crew that CrewAI restores from a checkpoint: its tools need what no checkpoint holds."""

from __future__ import annotations

import contextvars
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crewai import Crew, Task
from crewai.events.event_bus import crewai_event_bus
from crewai.state.checkpoint_config import CheckpointConfig
from crewai.state.runtime import RuntimeState
from openai import BadRequestError

from fingerpost_crewai import bind
from fingerpost_testing import Script, ToolCall, calls, fault, play, say
from fingerpost_testing.scenarios import find_passages
from tests.crewai.playing import agent_of, model

SAME = calls(ToolCall("find_passages", {"query": "q"}))
SENTENCE = (
    'The tool "find_passages" was restored from a checkpoint without the function that it calls; '
    "give the agents their tools again before the run starts."
)
EVENTS: Any = crewai_event_bus


@pytest.fixture(autouse=True)
def nothing_is_left_of_a_run() -> Iterator[None]:
    """CrewAI keeps the state of the last run, and writes more checkpoints of it."""
    yield
    EVENTS.set_runtime_state(RuntimeState(root=[]))


def restored(folder: Path, mend: Callable[[Any], None]) -> tuple[list[str], Any, str]:
    """Restore a crew whose second task failed: what a model sees of its tools, the result, a checkpoint."""
    with play(Script(SAME, say("One."), fault(400), SAME, say("Two."))) as session:
        llm = model(session)
        agent = agent_of(llm, bind([find_passages]), max_retry_limit=0)
        tasks = [Task(description=word, expected_output="x", agent=agent) for word in ("First.", "Second.")]
        failing: Any = Crew(agents=[agent], tasks=tasks)
        with pytest.raises(BadRequestError):
            failing.kickoff()
        llm._client.close()
        crew: Any = Crew.from_checkpoint(
            CheckpointConfig(restore_from=saved(RuntimeState(root=[failing]), folder))
        )
        state = EVENTS.runtime_state
        mend(crew)
        result = crew.kickoff()
        crew.agents[0].llm._client.close()
    seen = [str(result) for result in session.transcript.tool_results[1:]]
    return seen, result, saved(state, folder).read_text(encoding="utf-8")


def saved(state: RuntimeState, folder: Path) -> Path:
    """A checkpoint, written while nothing runs; CrewAI itself writes them beside a run."""
    EVENTS.flush()
    return Path(state.checkpoint(str(folder)))


def test_a_tool_of_a_restored_crew_says_how_to_get_it_back(tmp_path: Path) -> None:
    def leave(_crew: Any) -> None:
        """Do nothing."""

    seen, result, checkpoint = contextvars.copy_context().run(restored, tmp_path, leave)
    assert [json.loads(each) for each in seen] == [{"error": SENTENCE}]
    (failure,) = result.tasks_output[1].tool_failures
    assert failure.message == seen[0]
    assert result.raw == "Two."
    assert SENTENCE in checkpoint.replace("\\", "")


def test_a_restored_crew_that_was_given_its_tools_again_has_them(tmp_path: Path) -> None:
    def mend(crew: Any) -> None:
        tools = bind([find_passages])
        for each in [*crew.agents, *crew.tasks]:
            each.tools = tools

    seen, result, checkpoint = contextvars.copy_context().run(restored, tmp_path, mend)
    assert seen == [find_passages("q")]
    assert result.raw == "Two."
    assert "tool_usage_finished" in checkpoint
