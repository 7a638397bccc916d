"""Knowledge bases of a configuration when they are opened, and what each agent sees of one that is shared."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost import KnowledgeBuilder, KnowledgeConfig, kb_prompt, kb_tools
from fingerpost.configuration import backends, register_backend
from fingerpost.configuration.opening import Shared, shared
from fingerpost.configuration.view import AgentView
from fingerpost.errors import KnowledgeCapabilityError
from tests.core.cli.shell import concept
from tests.core.configuration.declared import Asked, Notes, backend, bundle


@pytest.fixture(autouse=True)
def nothing_made() -> None:
    gc.collect()
    Notes.made.clear()
    Asked.asked.clear()


def of(config: Any, agent: str = "A") -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in kb_tools(config, agent)}


def error(text: str) -> str:
    return json.loads(text)["error"]


def one(config: Any) -> Shared:
    (database,) = KnowledgeConfig.of(config).databases
    return shared(database)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for name in ("a", "b"):
        (tmp_path / f"{name}.md").write_text(concept(name, "refund"))
    return str(tmp_path)


def test_many_that_ask_at_once_open_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = threading.Semaphore(0)
    made: list[Notes] = []

    def slow(name: str) -> Notes:
        for _ in range(8):
            assert ready.acquire(timeout=10)
        made.append(Notes(name))
        ready.release(8)
        return made[-1]

    monkeypatch.setattr(backends, "_registered", {})
    register_backend("slow", slow)
    base = one({"knowledge": {"databases": {"n": {"type": "slow", "consumer": "A"}}}})

    def ask() -> None:
        ready.release()
        base.base()

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(made) == 1


@pytest.mark.parametrize("said", [{"schema": {"usage": "ask"}}, {"description": "Others."}])
def test_what_is_said_otherwise_is_opened_otherwise(said: dict[str, Any]) -> None:
    plain, other = one(backend("Notes", consumer="A")), one(backend("Notes", consumer="A", **said))
    assert plain is one(backend("Notes", curator="B"))
    assert other is not plain


def test_a_description_parts_nobody_who_shares() -> None:
    config = KnowledgeConfig.of(backend("Notes", consumer=["A", "B"], description="Mine."))
    for agent in ("A", "B"):
        assert of(config, agent)["get_all_kb_descriptions"]() == "- notes: Mine."
        kept = of(config, "A")
    assert config.databases[0].settings == {}
    assert len(Notes.made) <= 2
    assert kept


def test_what_the_configuration_says_of_a_backend_is_in_its_schema() -> None:
    config = backend("Notes", consumer="A", schema={"usage": "ask", "tables": ["t"]})
    schema = json.loads(of(config)["get_schemas"]())["notes"]
    assert (schema["usage"], schema["tables"]) == ("ask", ["t"])


def test_what_the_configuration_says_of_a_bundle_holds(folder: str) -> None:
    config = bundle(
        uri=folder,
        consumer="A",
        description="Rules.",
        max_concepts=1,
        options=None,
        schema=None,
        write_actor="agent:a",
        write_prefix="new",
    )
    tools = of(config)
    schema = json.loads(tools["get_schemas"]())["handbook"]
    assert (schema["backend"], schema["concept_count"], schema["truncated"]) == ("handbook", 1, True)
    assert schema["description"] == "Rules."
    assert tools["get_all_kb_descriptions"]() == "- handbook: Rules."
    plain = of(bundle(uri=folder, consumer="A"))
    assert plain["get_all_kb_descriptions"]() == "- handbook: Curated documents: 2 concepts, such as Note."


def test_only_writers_of_what_can_only_be_read_are_warned_of(
    folder: str, caplog: pytest.LogCaptureFixture
) -> None:
    of(bundle(uri=folder, consumer="A"))["get_schemas"]()
    of(backend("Notes", producer="A"))["get_schemas"]()
    assert caplog.records == []


def test_a_writer_of_what_can_only_be_read_is_told_so_before_it_is_asked(folder: str) -> None:
    sealed_folder = {"type": "fingerpost.LocalDocumentStore", "options": {"writable": False}}
    tools = of(bundle(uri=folder, producer="A", **sealed_folder))
    assert json.loads(tools["get_schemas"]())["handbook"]["capabilities"]["writable"] is False
    assert error(tools["write_kb"]("handbook", text="x")) == (
        "The knowledge base 'handbook' does not offer write; it offers search, fetch and browse."
    )
    sealed = of(backend("Sealed", producer="A"))
    assert json.loads(sealed["get_schemas"]())["notes"]["capabilities"]["writable"] is False


def test_what_an_agent_is_told_does_not_depend_on_what_is_open() -> None:
    for kind in ("Undeclared", "Sealed"):
        config = KnowledgeConfig.of(backend(kind, curator="A"))
        before = kb_prompt(config, "A")
        tools = of(config)
        tools["get_schemas"]()
        assert kb_prompt(config, "A") == before
        assert list(of(config)) == list(tools)


def test_what_is_no_declaration_declares_nothing() -> None:
    assert list(of(backend("OddlyDeclared", consumer="A"))) == [
        "get_schemas",
        "read_kb",
        "get_all_kb_descriptions",
        "browse_kb",
    ]


def test_a_view_hands_on_all_that_it_is_asked() -> None:
    view = AgentView((shelf := one(backend("Asked", curator="A", consumer="B"))).database, shelf, "A")
    assert view.search("x", 5, type="Note") == [{"text": "search"}]
    assert view.query("SELECT 1", 6, timeout=1) == [{"text": "query"}]
    assert view.fetch(iter(["a", "b"]), deep=True) == [{"text": "fetch"}]
    assert view.browse("top", 7, sort="id") == [{"text": "browse"}]
    assert view.write(iter([{"text": "y"}]), force=True) == [{"text": "write"}]
    assert Asked.asked == [
        ("search", "x", 5, {"type": "Note"}),
        ("query", "SELECT 1", 6, {"timeout": 1}),
        ("fetch", ["a", "b"], {"deep": True}),
        ("browse", "top", 7, {"sort": "id"}),
        ("write", [{"text": "y"}], {"force": True}),
    ]
    assert view.format_results([{"text": "y"}]) == "1 in its own form"
    assert view.get_description() == "Notes what it is asked."


def test_an_agent_that_only_reads_writes_nothing_by_any_way() -> None:
    view = AgentView((shelf := one(backend("Asked", curator="A", consumer="B"))).database, shelf, "B")
    assert view.capabilities.writable is False
    with pytest.raises(KnowledgeCapabilityError, match="The agent 'B' has read-only access to 'notes'"):
        view.write([{"text": "y"}])
    assert Asked.asked == []
    assert "browse" in view.refusal("browse")


def test_connecting_opens() -> None:
    view = AgentView((shelf := one(backend("Notes", consumer="A"))).database, shelf, "A")
    assert Notes.made == []
    view.connect()
    assert len(Notes.made) == 1


def test_equal_names_are_told_of_the_tools_of_a_builder_too(caplog: pytest.LogCaptureFixture) -> None:
    kb_tools(KnowledgeBuilder([Notes("n")]), existing=["read_kb"])
    (record,) = caplog.records
    assert record.getMessage().startswith("The agent has tools already that are called like those")
