"""Knowledge bases over MCP: of a builder, and those that a configuration gives an agent."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from mcp_types import TextContent

from fingerpost import ConfigError, KnowledgeBuilder, kb_prompt
from fingerpost_mcp import kb_tools
from fingerpost_mcp.serving import of_agent
from fingerpost_testing import MemoryKnowledgeBase
from tests.core.cli.shell import Shell
from tests.knowledge_sample import CONFIGURATION, MISSPELT, READING, RECORDS, SENTENCE, SEVEN, builder, core
from tests.mcp.http_serving import served
from tests.mcp.test_resources import asked
from tests.mcp.test_server import both_generations, called, listed, text_of
from tests.mcp.test_stdio import piped, request, results


@pytest.fixture
def file(tmp_path: Path) -> str:
    """The configuration as a file."""
    path = tmp_path / "kb.yaml"
    path.write_text(json.dumps(CONFIGURATION), encoding="utf-8")
    return str(path)


def prompt_text(server: Any, name: str = "knowledge_bases", mode: str = "auto") -> str:
    (message,) = asked(server, lambda client: client.get_prompt(name), mode).messages
    assert isinstance(message.content, TextContent)
    return message.content.text


@both_generations
def test_a_builder_gives_all_tools_as_the_core_describes_them(mode: str) -> None:
    offered = listed(kb_tools(builder()), mode)
    assert [tool.name for tool in offered] == SEVEN
    assert [(tool.description, tool.input_schema) for tool in offered] == [
        (core(name).description, core(name).schema) for name in SEVEN
    ]
    reads = [tool.name for tool in offered if tool.annotations and tool.annotations.read_only_hint]
    assert reads == READING


def test_an_agent_of_a_configuration_gets_the_tools_of_its_roles() -> None:
    assert [tool.name for tool in listed(kb_tools(CONFIGURATION, "mate"))] == SEVEN
    assert [tool.name for tool in listed(kb_tools(CONFIGURATION, "clerk"))] == READING
    stranger = kb_tools(CONFIGURATION, "stranger")
    assert listed(stranger) == []
    assert asked(stranger, lambda client: client.list_prompts()).prompts == []
    with pytest.raises(ConfigError, match="whose they are"):
        kb_tools(CONFIGURATION)


def test_an_error_is_flagged() -> None:
    (answer,) = called(kb_tools(builder()), ("search_kb", MISSPELT))
    assert answer.is_error
    assert json.loads(text_of(answer))["error"] == SENTENCE


def test_the_prompt_of_the_agent_is_the_servers_instructions() -> None:
    assert kb_tools(CONFIGURATION, "clerk").instructions == kb_prompt(CONFIGURATION, "clerk")
    assert kb_tools(CONFIGURATION, "clerk", instructions="Be brief.").instructions == "Be brief."
    assert kb_tools(builder()).instructions is None
    assert kb_tools(builder(), "clerk").instructions is None


@both_generations
def test_a_prompt_says_how_to_use_the_knowledge_bases_and_what_they_are(mode: str) -> None:
    text = prompt_text(kb_tools(CONFIGURATION, "clerk"), mode=mode)
    assert text == f"{kb_prompt(CONFIGURATION, 'clerk')}\n\n- notes: Notes in memory."
    assert prompt_text(kb_tools(builder())) == "- notes: Notes in memory."


def test_a_prefix_is_that_of_the_prompt_too() -> None:
    server = kb_tools(KnowledgeBuilder([MemoryKnowledgeBase(records=RECORDS)], prefix="ship_"))
    assert "notes" in prompt_text(server, "ship_knowledge_bases")


def test_the_command_serves_an_agent_over_standard_input_and_output(
    variables: dict[str, str], file: str
) -> None:
    calls = (
        request(1, "tools/list"),
        request(2, "tools/call", name="search_kb", arguments={"backend": "notes", "query": "north"}),
    )
    ended = piped("serve", *calls, variables=variables, options=("--config", file, "--agent", "clerk"))
    assert (ended.returncode, ended.stderr) == (0, b"")
    answers = results(ended.stdout)
    assert answers[0]["instructions"] == kb_prompt(CONFIGURATION, "clerk")
    assert [tool["name"] for tool in answers[1]["tools"]] == READING
    assert "docks/north" in answers[2]["content"][0]["text"]


def test_the_command_serves_an_agent_over_http(variables: dict[str, str], file: str) -> None:
    words = ("--config", file, "--agent", "mate", "--http", "0")
    with served(*words, variables=variables) as server:
        assert server.said.startswith("Serving notes for mate at http://127.0.0.1:")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--config", "{file}"), "say whose with --agent"),
        (
            ("--config", "{file}", "--agent", "clrek"),
            "gives the agent 'clrek' no knowledge base; it names clerk",
        ),
        (("--config", "{file}", "--agent", "clerk", "./kb"), "leave out bundles and --prefix"),
        (("--config", "{file}", "--agent", "clerk", "--prefix", "a_"), "leave out bundles and --prefix"),
        (("--config", "no.yaml", "--agent", "clerk"), "cannot be read"),
        (("--agent", "clerk", "./kb"), "name that with --config"),
        (("install", "--client", "cursor", "--config", "{file}"), "say whose with --agent"),
        (("uninstall", "--client", "cursor", "--config", "{file}"), "no configuration"),
        ((), "No bundle was named"),
    ],
)
def test_what_cannot_be_served_is_explained(
    words: tuple[str, ...], said: str, shell: Shell, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingerpost_mcp.command.take_standard_streams", lambda: (None, None))
    refused = shell(*(word.format(file=file) for word in words))
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert said in refused.err


def test_install_writes_a_server_for_an_agent_and_uninstall_takes_it_out(
    shell: Shell, file: str, home: Path
) -> None:
    words = ("--client", "claude-code", "--config", os.path.relpath(file), "--agent", "clerk")
    assert shell("install", *words, "--yes").code == 0
    servers = json.loads((home / "project" / ".mcp.json").read_text(encoding="utf-8"))["mcpServers"]
    assert servers["clerk"]["args"][-5:] == ["mcp", "--config", os.path.realpath(file), "--agent", "clerk"]
    other = shell("install", *words[:-1], "mate", "--name", "clerk", "--yes")
    assert other.code == 0
    assert "mate" in other.out
    assert shell("uninstall", "--client", "claude-code", "--yes").code == 0
    assert "clerk" not in (home / "project" / ".mcp.json").read_text(encoding="utf-8")
    refused = shell("install", *words[:-1], "clrek", "--yes")
    assert (refused.code, "it names clerk, mate" in refused.err) == (2, True)


def test_what_is_served_says_what_it_is_and_opens_it_ahead(tmp_path: Path) -> None:
    notes = CONFIGURATION["knowledge"]["databases"]["notes"]
    others = {**notes, "consumer": ["cook"], "curator": []}
    path = tmp_path / "kb.yaml"
    path.write_text(json.dumps({"knowledge": {"databases": {"notes": notes, "others": others}}}), "utf-8")
    made = of_agent(str(path), "mate")
    assert made.named == "notes for mate"
    assert made.read_ahead() == "- notes: Notes in memory."


def test_an_agent_that_is_not_named_is_told_those_that_are_in_order(tmp_path: Path) -> None:
    path = tmp_path / "kb.yaml"
    path.write_text(
        "okf: {databases: {kb: {uri: kb, consumer: [e, c, a], producer: [d, b]}}}", encoding="utf-8"
    )
    with pytest.raises(ConfigError, match=r"no knowledge base; it names a, b, c, d, e\.$"):
        of_agent(str(path), "z")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"no knowledge base; it names no agent\.$"):
        of_agent(str(path), "z")
