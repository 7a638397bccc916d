"""Kinds of knowledge bases that a configuration names: of installed packages, of dotted paths, of stores."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost import ConfigError, KnowledgeConfig, kb_tools
from fingerpost.errors import MissingPackageError
from tests.core.cli.shell import concept, write_plug_in
from tests.core.configuration.declared import HERE, backend, bundle

PLUG_INS = {
    "plug_in_notes": f"from {HERE} import Notes as notes\n",
    "plug_in_broken": "raise ZeroDivisionError('while importing')\n",
    "plug_in_lacking": "from fingerpost import errors\nraise errors.MissingPackageError('Install x.')\n",
}


def of(config: Any, agent: str = "A") -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in kb_tools(config, agent)}


def error(text: str) -> str:
    return json.loads(text)["error"]


def installed(kind: str) -> dict[str, Any]:
    return {"knowledge": {"databases": {"n": {"type": kind, "consumer": "A"}}}}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {
        "plugged": "plug_in_notes:notes",
        "plugbroken": "plug_in_broken:notes",
        "pluglacking": "plug_in_lacking:notes",
    }
    write_plug_in(tmp_path, "plug-in", offered, PLUG_INS, "fingerpost.backends")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


@pytest.mark.usefixtures("site")
def test_an_installed_package_brings_a_kind() -> None:
    config = installed("plugged")
    config["knowledge"]["databases"]["n"]["description"] = "Mine."
    assert of(config)["get_all_kb_descriptions"]() == "- n: Mine."
    with pytest.raises(ConfigError) as broken:
        of(installed("plugbroken"))
    told = str(broken.value)
    assert told.startswith(
        "The backend 'plugbroken' (plug_in_broken:notes) cannot be loaded (ZeroDivisionError ("
    )
    assert told.endswith("); reinstall the package that brings it.")
    with pytest.raises(MissingPackageError, match=r"^Install x\.$"):
        of(installed("pluglacking"))


@pytest.mark.usefixtures("site")
def test_a_kind_that_nothing_brings_is_told_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError) as unknown:
        of(installed("zzz"))
    assert str(unknown.value) == (
        "The database 'n' has the type 'zzz', which nothing brings; there are okf, plugbroken, plugged, "
        "pluglacking. Install the package that brings it, or register it."
    )


def test_settings_that_a_backend_refuses_are_told_in_its_own_words_where_these_are_meant_to_be() -> None:
    def told(start: str) -> str:
        return error(of(backend("Picky", consumer="A", start=start))["read_kb"]("notes", "x"))

    assert told("ours") == "The database 'notes' cannot be opened. The start is ours."
    assert "Picky) cannot be made of its settings: ValueError (reference " in told("odd")


def concepts(folder: Path) -> Path:
    folder.mkdir()
    (folder / "refunds.md").write_text(concept("Refunds", "Thirty days."))
    return folder


@pytest.mark.parametrize("start", ["file://", "FILE:", "~"])
def test_a_local_bundle_may_be_an_address_or_lie_at_home(
    start: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = concepts(tmp_path / "kb")
    monkeypatch.setenv("HOME", str(tmp_path))
    uri = "~/kb" if start == "~" else f"{start}{folder}"
    assert "- [refunds] Refunds" in of(bundle(uri=uri, consumer="A"))["search_kb"]("handbook", "thirty")


def test_a_store_of_ones_own_is_made_of_its_address_and_its_options() -> None:
    counted = bundle(type=f"{HERE}.Counted", uri="mine", options={"count": 2}, consumer="A")
    assert json.loads(of(counted)["get_schemas"]())["handbook"]["concept_count"] == 2
    files = {"a.md": concept("One"), "b.md": concept("Two"), "c.md": concept("Three")}
    without = bundle(type="fingerpost.MemoryDocumentStore", uri=None, options={"files": files}, consumer="A")
    assert json.loads(of(without)["get_schemas"]())["handbook"]["concept_count"] == 3


def test_what_is_no_class_is_no_store() -> None:
    tools = of(bundle(type=f"{HERE}.bundle", consumer="A"))
    assert "is no DocumentStore; name a class that is one." in error(tools["read_kb"]("handbook", "x"))


def test_a_bundle_of_the_general_block_may_lie_at_any_address() -> None:
    config = {"knowledge": {"databases": {"kb": {"type": "okf", "uri": "s3://bucket/kb", "consumer": "A"}}}}
    assert KnowledgeConfig.of(config).databases[0].settings == {"uri": "s3://bucket/kb"}
