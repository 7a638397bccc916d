"""Stores that raise what is none of our errors: the field case 73, in every way to call a tool."""

from __future__ import annotations

import builtins
import json
import logging
from typing import Any

import pytest

import fingerpost_langchain
from fingerpost import Bundle, MemoryDocumentStore, OKFTools, demo_bundle
from fingerpost.stores.base import Changes, Cursor
from fingerpost_testing import Script, ToolCall, calls, run_loop, say
from tests.field_cases.adapters import WAYS
from tests.field_cases.folders import concept
from tests.langchain.playing import AGENTS, Agent, agent_id

DEMO = Bundle(demo_bundle())


class BreakingStore(MemoryDocumentStore):
    """A store of somebody else's that raises what is none of our errors."""

    broken_at = ""

    def _break(self, *operations: str) -> None:
        if self.broken_at in operations:
            raise ZeroDivisionError("password=hunter2")

    def list(self, prefix: str = "") -> builtins.list[str]:
        self._break("list")
        return super().list(prefix)

    def changes(self, cursor: Cursor | None = None) -> Changes:
        self._break("changes")
        return super().changes(cursor)

    def read_bytes(self, path: str, max_bytes: int | None = None) -> bytes:
        self._break("read_bytes", path)
        return super().read_bytes(path, max_bytes)


FILES = {"a.md": concept("word"), "b.md": concept("word"), "index.md": "# Top\n\n* [A](a.md)\n"}
OLD_STATE = (
    "Not all of the knowledge base could be read now, so this may be old or not all. The store failed "
    "with ZeroDivisionError."
)


def tools_over_breaking_store(broken_at: str = "") -> tuple[OKFTools, BreakingStore]:
    """Tools and the store under them, which has answered once or, when it is broken, never."""
    store = BreakingStore(FILES)
    store.broken_at = broken_at
    kb = OKFTools(store, prefix="other_")
    if not broken_at:
        assert kb.bundle.ids() == ["a", "b"]
    return kb, store


def messages(caplog: pytest.LogCaptureFixture, logger: str, level: int) -> list[str]:
    """What was logged; nothing of ours was logged beside it."""
    records = [record for record in caplog.records if record.name.startswith("fingerpost")]
    assert {(record.name, record.levelno) for record in records} <= {(logger, level)}
    assert all(record.exc_info for record in records)
    return [record.getMessage() for record in records]


TOOLS: list[tuple[str, dict[str, Any]]] = [
    ("kb_index", {}),
    ("kb_read", {"concept_id": "a"}),
    ("kb_find", {"text": "word"}),
]
NEVER_ANSWERED = [(place, *called) for place in ("changes", "list") for called in TOOLS]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("broken_at", "name", "sent"), NEVER_ANSWERED)
def test_an_exception_of_a_store_is_one_sentence_and_one_log_record_and_the_next_call_works(
    broken_at: str, name: str, sent: dict[str, Any], way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 73."""
    kb, store = tools_over_breaking_store(broken_at)
    said = json.loads(WAYS[way](getattr(kb, name), sent))["error"]
    assert said.startswith(f'The tool "other_{name}" failed with ZeroDivisionError; try other arguments')
    reference = said.rpartition("reference ")[2].rstrip(").")
    calls_made = 2 if way == "langchain" else 1
    logged = messages(caplog, "fingerpost.tools", logging.ERROR)
    assert logged == [f"The tool other_{name} failed (reference {reference})."] * calls_made
    assert "hunter2" not in said
    store.broken_at = ""
    healthy, _ = tools_over_breaking_store()
    assert WAYS[way](getattr(kb, name), sent) == getattr(healthy, name)(**sent)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("broken_at", "name", "sent"), NEVER_ANSWERED)
def test_a_store_that_raises_later_is_answered_from_its_last_good_state_with_a_note_each_time(
    broken_at: str, name: str, sent: dict[str, Any], way: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 73."""
    kb, store = tools_over_breaking_store()
    function = getattr(kb, name)
    healthy = WAYS[way](function, sent)
    store.broken_at = broken_at
    first, second = (WAYS[way](function, sent) for _ in range(2))
    assert first == second
    if name == "kb_index":
        assert first == f"{healthy}\nNote: {OLD_STATE}"
    else:
        assert json.loads(first) == {**json.loads(healthy), "notes": [OLD_STATE]}
    logged = messages(caplog, "fingerpost.bundle", logging.WARNING)
    assert logged == [f"The store {store.identity} failed."] * (4 if way == "langchain" else 2)
    store.broken_at = ""
    assert WAYS[way](function, sent) == healthy


@pytest.mark.parametrize("way", WAYS)
def test_an_error_from_the_last_good_state_says_so_too(way: str) -> None:
    """Row 73."""
    kb, store = tools_over_breaking_store()
    store.broken_at = "changes"
    for function, sent in ((kb.kb_read, {"concept_id": "zz"}), (kb.kb_index, {"path": "zz"})):
        answer = json.loads(WAYS[way](function, sent))
        assert answer["error"].startswith("There is no 'zz' in this bundle")
        assert answer["notes"] == [OLD_STATE]


def without_its_own_index() -> str:
    """The listing of the same folder that is made when it has no index.md."""
    return OKFTools(
        MemoryDocumentStore({path: text for path, text in FILES.items() if path != "index.md"})
    ).kb_index()


@pytest.mark.parametrize("name", ["kb_index", "kb_read"])
@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_cannot_be_read_any_more_costs_that_one_call(
    way: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 73."""
    kb, store = tools_over_breaking_store()
    sent = dict(TOOLS)[name]
    store.broken_at = "read_bytes"
    said = WAYS[way](getattr(kb, name), sent)
    file = {"kb_index": "index.md", "kb_read": "a.md"}[name]
    failed = f"'{file}' cannot be read now. The store failed with ZeroDivisionError. Try it again later."
    if name == "kb_read":
        assert json.loads(said) == {"error": failed}
    else:
        made, end = without_its_own_index().rsplit("\n", 1)
        assert said == f"{made}\n\n(The index.md of this folder could not be read. {failed})\n{end}"
    logged = messages(caplog, "fingerpost.bundle", logging.WARNING)
    assert logged == [f"The store {store.identity} failed on {file}."] * (2 if way == "langchain" else 1)
    store.broken_at = ""
    healthy, _ = tools_over_breaking_store()
    assert WAYS[way](getattr(kb, name), sent) == getattr(healthy, name)(**sent)


@pytest.mark.parametrize("way", WAYS)
def test_a_file_over_which_a_store_raises_costs_that_file_alone_until_it_can_be_read(way: str) -> None:
    """Row 73."""
    kb, store = tools_over_breaking_store("b.md")
    found = json.loads(WAYS[way](kb.kb_find, {"text": "word"}))
    assert ([hit["id"] for hit in found["results"]], found["total"], "notes" in found) == (["a"], 1, False)
    assert json.loads(WAYS[way](kb.kb_read, {"concept_id": "a"}))["body"] == "word"
    unread = json.loads(WAYS[way](kb.kb_read, {"concept_id": "b"}))
    said = "'b.md' cannot be read now. The store failed with ZeroDivisionError. Try it again later."
    assert unread == {"error": said}
    index = WAYS[way](kb.kb_index, {})
    assert "(/b)" not in index
    assert "\n(1 file of this folder is not listed: no valid concept, or not readable.)\n" in index
    silent = json.loads(WAYS[way](kb.kb_find, {"text": "bakhoor"}))["message"]
    assert "1 file was not searched: not readable. So this does not show" in silent
    (reported,) = [item for item in kb.bundle.diagnostics() if item.severity == "error"]
    assert (reported.path, reported.code) == ("b.md", "OKF404")
    assert reported.reason == "The store failed with ZeroDivisionError."
    store.broken_at = ""
    found = json.loads(WAYS[way](kb.kb_find, {"text": "word"}))
    assert [hit["id"] for hit in found["results"]] == ["a", "b"]
    assert "(/b)" in WAYS[way](kb.kb_index, {})
    assert [item for item in kb.bundle.diagnostics() if item.severity == "error"] == []


@pytest.mark.parametrize("answered", [False, True], ids=["never answered", "answered before"])
@pytest.mark.parametrize("agent", [None, *AGENTS], ids=lambda agent: agent_id(agent) if agent else "loop")
def test_the_other_tools_of_an_agent_go_on_after_one_has_raised(
    agent: Agent | None, answered: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 73."""
    broken, store = tools_over_breaking_store("" if answered else "changes")
    store.broken_at = "changes"
    functions = [*OKFTools(DEMO).functions(), *broken.functions()]
    script = Script(
        calls(
            ToolCall("other_kb_read", {"concept_id": "a"}), ToolCall("kb_read", {"concept_id": "plans/day"})
        ),
        calls(ToolCall("kb_find", {"text": "refund"})),
        say("Done."),
    )
    transcript = (
        run_loop(functions, script, "Go.")
        if agent is None
        else agent.play(script, fingerpost_langchain.bind(functions)).transcript
    )
    first, read, found = (json.loads(str(result)) for result in transcript.tool_results)
    if answered:
        assert (first["body"], first["notes"]) == ("word", [OLD_STATE])
        assert messages(caplog, "fingerpost.bundle", logging.WARNING) == [
            f"The store {store.identity} failed."
        ]
    else:
        assert "failed with ZeroDivisionError" in first["error"]
        assert len(messages(caplog, "fingerpost.tools", logging.ERROR)) == 1
    assert read["id"] == "plans/day"
    assert "notes" not in read
    assert found["total"] > 0
    assert transcript.answer == "Done."
