"""`kb_tools`: what each agent gets, what it may, and that all share what is opened."""

from __future__ import annotations

import gc
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost import ConfigError, KnowledgeBuilder, KnowledgeConfig, kb_tools, tool
from fingerpost.bundle.cache import open_catalog
from fingerpost.configuration import backends, register_backend
from tests.core.configuration.declared import HERE, Counted, Notes, Undeclared, backend, bundle

READ = ["get_schemas", "read_kb", "get_all_kb_descriptions", "search_kb", "fetch_kb", "browse_kb"]
WRITE = [*READ[:2], "write_kb", *READ[2:]]


@pytest.fixture(autouse=True)
def nothing_made() -> None:
    gc.collect()
    Notes.made.clear()
    Counted.made = Counted.walks = Counted.reads = 0


def of(config: Any, agent: str) -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in kb_tools(config, agent)}


def error(text: str) -> str:
    return json.loads(text)["error"]


def concepts(folder: Path) -> None:
    folder.mkdir()
    (folder / "refunds.md").write_text("---\ntype: Policy\n---\nThirty days.\n")


def test_roles_decide_which_tools_an_agent_gets() -> None:
    config = bundle(consumer=["Reader"], producer=["Writer"], curator=["Keeper"])
    assert list(of(config, "Reader")) == READ
    assert list(of(config, "Writer")) == list(of(config, "Keeper")) == WRITE
    assert kb_tools(config, "Nobody") == []
    assert list(of(backend("Notes", consumer="Reader"), "Reader")) == [*READ[:3], "search_kb", "fetch_kb"]


def test_making_tools_opens_nothing(tmp_path: Path) -> None:
    config = KnowledgeConfig.of(
        {
            **bundle(consumer="A", uri=str(tmp_path / "nowhere")),
            **backend("Notes", curator="A"),
        }
    )
    tools = of(config, "A")
    assert Notes.made == []
    assert "Stored in 'notes' under id 'n1'." in tools["write_kb"]("notes", text="x")
    assert len(Notes.made) == 1


def test_a_backend_whose_class_declares_nothing_is_opened_to_know_it() -> None:
    config = backend("Undeclared", consumer="A")
    tools = kb_tools(config, "A")
    assert [function.__name__ for function in tools] == [*READ[:3], "browse_kb"]
    assert [type(made) for made in Notes.made] == [Undeclared]


def test_agents_share_one_knowledge_base_also_over_several_readings_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(json.dumps(backend("Notes", curator=["A"], consumer=["B"])))
    a, b = of(file, "A"), of(file, "B")
    a["write_kb"]("notes", text="refund in 30 days")
    assert "- [n1] refund in 30 days" in b["search_kb"]("notes", "refund")
    assert len(Notes.made) == 1
    other = of(backend("Notes", curator="A", start="other"), "A")
    assert "- [n1] other" in other["search_kb"]("notes", "other")
    assert len(Notes.made) == 2


def test_two_agents_over_10000_concepts_pay_one_walk_and_one_catalog(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    catalogs: list[object] = []

    def opened(*args: Any) -> object:
        catalogs.append(open_catalog(*args))
        return catalogs[-1]

    monkeypatch.setattr("fingerpost.bundle.bundle.open_catalog", opened)
    config = bundle(
        type=f"{HERE}.Counted",
        uri="counted",
        options={"count": 10_000},
        consumer=["A", "B"],
    )
    a, b = of(config, "A"), of(config, "B")
    assert (Counted.made, Counted.walks, Counted.reads) == (0, 0, 0)
    for tools in (a, b, a, b):
        assert json.loads(tools["get_schemas"]())["handbook"]["concept_count"] == 10_000
    assert "Note 7 (Note, unverified" in b["search_kb"]("handbook", "note 7")
    assert (Counted.made, Counted.walks, len(catalogs)) == (1, 1, 1)
    assert Counted.reads <= 20_000


def test_permission_is_per_agent_and_database() -> None:
    config = {
        "knowledge": {
            "databases": {
                "warehouse": {"type": f"{HERE}.Notes", "producer": ["Ingest"]},
                "policies": {"type": f"{HERE}.Notes", "consumer": ["Ingest"], "curator": ["Steward"]},
                "secrets": {"type": f"{HERE}.Notes", "consumer": ["Steward"]},
            }
        }
    }
    tools = of(config, "Ingest")
    assert "Stored in 'warehouse'" in tools["write_kb"]("warehouse", text="x")
    assert error(tools["write_kb"]("policies", text="x")) == (
        "The agent 'Ingest' has read-only access to 'policies'. Writes go to 'warehouse'."
    )
    assert error(tools["search_kb"]("secrets", "x")) == (
        "Unknown backend 'secrets'. Available: 'warehouse', 'policies'."
    )
    schemas = json.loads(tools["get_schemas"]())
    assert list(schemas) == ["warehouse", "policies"]
    assert schemas["warehouse"]["capabilities"]["writable"] is True
    assert schemas["policies"]["capabilities"]["writable"] is False
    assert json.loads(of(config, "Steward")["get_schemas"]())["policies"]["capabilities"]["writable"] is True
    assert tools["get_all_kb_descriptions"]() == "- warehouse: Notes.\n- policies: Notes."


def test_one_that_cannot_be_opened_is_told_and_harms_no_other(tmp_path: Path) -> None:
    notes = backend("Notes", consumer="A", start="refund")
    config = {**bundle(consumer="A", uri=str(tmp_path / "kb")), **notes}
    tools = of(config, "A")
    assert "cannot be opened. The folder" in error(tools["search_kb"]("handbook", "refund"))
    assert "- [n1] refund" in tools["search_kb"]("notes", "refund")
    schemas = json.loads(tools["get_schemas"]())
    assert "cannot be opened" in schemas["handbook"]["error"]
    assert schemas["notes"]["usage"] == "words"
    concepts(tmp_path / "kb")
    assert "- [refunds] " in tools["search_kb"]("handbook", "thirty")


def test_a_bundle_that_can_only_be_read_warns_of_its_writers_when_it_is_opened(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    concepts(tmp_path / "kb")
    agents = {"producer": ["Writer"], "curator": ["Keeper"], "consumer": ["Reader"]}
    sealed = {"type": "fingerpost.LocalDocumentStore", "options": {"writable": False}}
    config = bundle(uri=str(tmp_path / "kb"), **agents, **sealed)
    tools = of(config, "Reader")
    assert caplog.records == []
    tools["get_schemas"]()
    of(config, "Writer")["get_schemas"]()
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.getMessage() == (
        "The database 'handbook' can only be read, and yet names agents that may write to it: Writer, Keeper."
    )
    refusal = error(of(config, "Writer")["write_kb"]("handbook", text="x"))
    assert refusal.startswith("The knowledge base 'handbook' does not offer write")


def test_relative_paths_start_at_the_file_wherever_the_process_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    concepts(tmp_path / "kb")
    file = tmp_path / "app.yaml"
    file.write_text(json.dumps(bundle(uri="./kb", consumer="A")))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert "- [refunds] " in of(file, "A")["search_kb"]("handbook", "thirty")
    config = KnowledgeConfig.of(bundle(consumer="A"), folder=tmp_path)
    assert "- [refunds] " in of(config, "A")["search_kb"]("handbook", "thirty")
    here = of(bundle(consumer="A"), "A")
    assert str(elsewhere / "kb") in error(here["search_kb"]("handbook", "thirty"))


def test_equal_names_are_told_and_attached_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    class Native:
        name = "fetch_kb"

    def search_kb() -> str:
        return ""

    tools = kb_tools(bundle(consumer="A"), "A", existing=[tool(search_kb), Native(), "read_kb", "other"])
    assert [function.__name__ for function in tools] == READ
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "The agent 'A' has tools already" in record.getMessage()
    assert "read_kb, search_kb, fetch_kb" in record.getMessage()
    caplog.clear()
    kb_tools(bundle(consumer="A"), "A", existing=["other"])
    assert caplog.records == []


def test_a_builder_gives_its_own_tools_and_a_configuration_wants_an_agent() -> None:
    built = kb_tools(KnowledgeBuilder([Notes("n")]))
    assert [function.__name__ for function in built] == [*WRITE[:4], "search_kb", "fetch_kb"]
    with pytest.raises(ConfigError, match="say whose they are"):
        kb_tools(bundle(consumer="A"))


def test_names_of_resources_are_put_in_for_configured_agents() -> None:
    config = backend("Notes", consumer="A", start="refund")
    config["knowledge"]["semantic_map"] = {"<NOTES>": "notes", "<TOPIC>": "refund"}
    assert "- [n1] refund" in of(config, "A")["search_kb"]("<NOTES>", "<TOPIC>")


def test_a_registered_backend_is_named_by_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backends, "_registered", {})
    register_backend("notes", Notes)
    config = {"knowledge": {"databases": {"n": {"type": "notes", "consumer": "A", "description": "Mine."}}}}
    assert of(config, "A")["get_all_kb_descriptions"]() == "- n: Mine."
    with pytest.raises(ConfigError, match="registered already"):
        register_backend("notes", Notes)
    for wrong in ("okf", "a.b", " "):
        with pytest.raises(ConfigError, match="cannot be registered"):
            register_backend(wrong, Notes)
    config["knowledge"]["databases"]["n"]["type"] = "nots"
    with pytest.raises(ConfigError, match=r"nothing brings; there are .*notes, okf.*Did you mean notes"):
        kb_tools(config, "A")


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (backend("Nots", consumer="A"), "cannot be loaded (AttributeError: "),
        (
            backend("Notes", consumer="A", strat="x"),
            "cannot be made of its settings: got an unexpected keyword",
        ),
        (backend("Failing", consumer="A"), "cannot be made of its settings: RuntimeError (reference "),
        (backend("bundle", consumer="A"), "made no KnowledgeBase; correct the type."),
        (bundle(type=f"{HERE}.Notes", consumer="A"), "is no DocumentStore; name a class that is one."),
        (bundle(type="no.such.Thing", consumer="A"), "cannot be loaded (ModuleNotFoundError: "),
    ],
)
def test_settings_that_make_no_knowledge_base_are_told(config: dict[str, Any], said: str) -> None:
    try:
        tools = of(config, "A")
    except ConfigError as refused:
        told = str(refused)
    else:
        name = next(iter(next(iter(config.values()))["databases"]))
        told = error(tools["read_kb"](name, "x"))
    assert said in told
    assert "'notes'" in told or "'handbook'" in told


def test_a_class_that_takes_neither_name_nor_description_is_called_as_the_configuration_says() -> None:
    tools = of(backend("Plain", consumer="A", description="What is plain."), "A")
    assert "- [n1] refund" in tools["search_kb"]("notes", "refund")
    assert tools["get_all_kb_descriptions"]() == "- notes: What is plain."
    assert json.loads(tools["get_schemas"]())["notes"]["backend"] == "notes"


def test_a_setting_that_is_a_relative_path_starts_at_the_file(tmp_path: Path) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(json.dumps(backend("Notes", consumer="A", start="./notes.db")))
    of(file, "A")["read_kb"]("notes", "x")
    assert Notes.made[0].rows[0]["text"] == str(tmp_path / "notes.db")
    of(backend("Notes", consumer="A", start="notes./db"), "A")["read_kb"]("notes", "x")
    assert Notes.made[1].rows[0]["text"] == "notes./db"


def test_an_agent_in_another_letter_case_is_told(caplog: pytest.LogCaptureFixture) -> None:
    assert kb_tools(bundle(consumer="Support"), "support") == []
    assert [record.getMessage() for record in caplog.records] == [
        "The agent 'support' has no knowledge bases; the configuration names 'Support'."
    ]
