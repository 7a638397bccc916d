"""Several bundles in one server, and the words of a command that name them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fingerpost import MemoryDocumentStore, OKFTools, demo_bundle
from fingerpost.errors import ConfigError
from fingerpost_mcp import server_for
from fingerpost_mcp.bundles import by_prefix
from tests.core.cli.shell import Shell, concept, write_files
from tests.mcp.test_resources import asked
from tests.mcp.test_server import both_generations, called, listed, text_of
from tests.mcp.test_stdio import piped, request, results

DEMO = demo_bundle()


def two() -> Any:
    return server_for({"hire": DEMO, "shop": MemoryDocumentStore({"lamp.md": concept("Lamp", "12 euros")})})


@both_generations
def test_each_bundle_has_tools_prompt_and_instructions_of_its_own_name(mode: str) -> None:
    server = two()
    names = [f"{name}_kb_{tool}" for name in ("hire", "shop") for tool in ("index", "read", "find")]
    assert [tool.name for tool in listed(server, mode)] == names
    assert all(name in (server.instructions or "") for name in names)
    assert server.instructions == "\n".join(
        OKFTools(DEMO, prefix).instructions for prefix in ("hire_", "shop_")
    )
    prompts = asked(server, lambda client: client.list_prompts(), mode).prompts
    assert [prompt.name for prompt in prompts] == ["hire_index", "shop_index"]


@both_generations
def test_a_call_goes_to_the_bundle_that_it_names(mode: str) -> None:
    mine, theirs = called(
        two(), ("shop_kb_read", {"concept_id": "lamp"}), ("hire_kb_read", {"concept_id": "lamp"}), mode=mode
    )
    assert "12 euros" in text_of(mine)
    assert theirs.is_error


@pytest.mark.parametrize(
    ("bundles", "said"),
    [
        ({}, "none was given"),
        ({"No Good": DEMO}, "no_good"),
        ({"": DEMO}, '""'),
        ({"a": "/no/such"}, "/no/such"),
    ],
)
def test_bundles_that_make_no_server_are_refused(bundles: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        server_for(bundles)


@pytest.mark.parametrize(
    ("words", "prefix", "expected"),
    [
        (["./kb"], "", {"": "./kb"}),
        (["./kb"], "hire_", {"hire_": "./kb"}),
        (["hire=./kb"], "", {"hire_": "./kb"}),
        (["hire=./kb", "shop=s3://x/kb?a=b"], "", {"hire_": "./kb", "shop_": "s3://x/kb?a=b"}),
        (["s3://x/kb?a=b"], "", {"": "s3://x/kb?a=b"}),
        (["./a=b"], "", {"": "./a=b"}),
        (["hire=./a=b"], "", {"hire_": "./a=b"}),
        (["hire="], "", {"hire_": ""}),
    ],
)
def test_the_words_of_a_command_name_bundles(words: list[str], prefix: str, expected: dict[str, str]) -> None:
    assert by_prefix(words, prefix) == expected


def test_a_folder_whose_own_name_has_an_equals_sign_is_that_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "hire=kb", {"a.md": concept("A")})
    monkeypatch.chdir(tmp_path)
    assert by_prefix(["hire=kb"]) == {"": "hire=kb"}
    assert by_prefix(["x=hire=kb"]) == {"x_": "hire=kb"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((DEMO, f"shop={DEMO}"), f"such as support=./kb; '{DEMO}' has none"),
        ((f"shop={DEMO}", f"shop={DEMO}"), "Two bundles are named 'shop'"),
        ((f"Shop One={DEMO}",), "shop_one_kb_index"),
        ((f"a={DEMO}", f"b={DEMO}", "--prefix", "x_"), "leave out --prefix"),
        ((f"a={DEMO}", "--prefix", "x_"), "leave out --prefix"),
        (("serve",), "No bundle was named"),
        (("hire=",), "names no store"),
    ],
)
def test_bundles_that_cannot_be_served_together_are_explained(
    words: tuple[str, ...], said: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fingerpost_mcp.command.take_standard_streams", lambda: (None, None))
    refused = shell(*words)
    assert (refused.code, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert said in refused.err


def test_several_bundles_are_served_over_standard_input_and_output(variables: dict[str, str]) -> None:
    calls = [
        request(number, "tools/call", name=f"{name}_kb_read", arguments={"concept_id": "plans/day"})
        for number, name in enumerate(("hire", "shop"), 1)
    ]
    served = piped("serve", *calls, variables=variables, options=(f"hire={DEMO}", f"shop={DEMO}"))
    assert (served.returncode, served.stderr) == (0, b"")
    answers = results(served.stdout)
    assert all("14 euros" in answers[number]["content"][0]["text"] for number in (1, 2))
    assert "shop_kb_find" in answers[0]["instructions"]


def test_a_folder_named_like_a_word_of_the_command_is_reachable_by_its_path(
    variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "install", {"a.md": concept("A", "quiet")})
    monkeypatch.chdir(tmp_path)
    call = request(1, "tools/call", name="kb_read", arguments={"concept_id": "a"})
    assert b"quiet" in piped("./install", call, variables=variables).stdout
