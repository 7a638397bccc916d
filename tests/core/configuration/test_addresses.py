"""Where the bundles of a configuration lie: types, addresses, and where relative ones start."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from fingerpost import ConfigError, KnowledgeConfig, kb_tools
from fingerpost.configuration.stores import open_store
from fingerpost.stores import ArchiveDocumentStore, DocumentStore, GitDocumentStore, MemoryDocumentStore
from tests.core.configuration.declared import HERE, Counted, bundle
from tests.core.stores.archives import zipped
from tests.core.stores.gits import NOTE, Repo

CANARY = "canary-93"


def opened(folder: Path, **members: Any) -> DocumentStore:
    (database,) = KnowledgeConfig.of(bundle(consumer="A", **members), folder=folder).databases
    return open_store(database)


def test_relative_archives_and_repositories_start_at_the_configuration(tmp_path: Path) -> None:
    home = tmp_path / "50% #1.zip#x"
    repo = Repo(home / "repo", {"kb/a.md": NOTE.format("apples")})
    (home / "kb.zip").write_bytes(zipped({"kb/a.md": NOTE.format("apples").encode()}))
    for members, kind in (
        ({"type": "archive", "uri": "./kb.zip#kb"}, ArchiveDocumentStore),
        ({"type": None, "uri": "kb.zip#kb"}, ArchiveDocumentStore),
        ({"type": "git", "uri": "git+file:./repo@main#kb"}, GitDocumentStore),
        ({"type": None, "uri": f"git+file:repo@{repo.head}#kb"}, GitDocumentStore),
        ({"type": "git", "uri": f"{repo.address}#kb"}, GitDocumentStore),
    ):
        with opened(home, **members) as store:
            assert isinstance(store, kind)
            assert store.list() == ["a.md"]
        tools = {tool.__name__: tool for tool in kb_tools(
            KnowledgeConfig.of(bundle(consumer="A", **members), folder=home), "A"
        )}  # fmt: skip
        assert "apples" in tools["search_kb"]("handbook", "apples")


def test_memory_and_classes_of_somebodys_own(tmp_path: Path) -> None:
    assert isinstance(opened(tmp_path, type="memory", uri="memory:"), MemoryDocumentStore)
    for members in (
        {"type": "python", "uri": f"python:{HERE}.Counted?uri=x", "options": {"count": 5}},
        {"type": None, "uri": f"python:{HERE}.Counted", "options": {"count": 5, "uri": "x"}},
        {"type": f"{HERE}.Counted", "uri": "x", "options": {"count": 5}},
    ):
        store = opened(tmp_path, **members)
        assert isinstance(store, Counted)
        assert (store.uri, len(store.list())) == ("x", 5)
    with pytest.raises(ConfigError, match=r"The store '.*Counted' is given 'uri' twice; give it once\."):
        opened(tmp_path, type="python", uri=f"python:{HERE}.Counted?uri=x", options={"uri": "y"})


IN_GIT = "'git+https://host/repository@revision#folder'"
TOGETHER = "which do not go together; set type to {!r}, or {}."


@pytest.mark.parametrize(
    ("type_", "uri", "cure"),
    [
        ("local", "kb.zip", TOGETHER.format("archive", "give the path of a folder")),
        ("archive", "kb", TOGETHER.format("local", "give the path of a .zip, .tar, .tgz or .tar.gz file")),
        (
            "archive",
            "git+file:kb.zip",
            TOGETHER.format("git", "give the path of a .zip, .tar, .tgz or .tar.gz file"),
        ),
        (
            "git",
            "https://host/kb",
            TOGETHER.format("https", f"give an address like {IN_GIT}"),
        ),
        ("git", "./repo", TOGETHER.format("local", f"give an address like {IN_GIT}")),
        ("s3", "git+https://host/kb", TOGETHER.format("git", "give an address that starts with 's3://'")),
        ("memory", "kb", TOGETHER.format("local", "give the address 'memory:'")),
        (
            "python",
            "memory:",
            TOGETHER.format("memory", "give an address like 'python:package.module.Class'"),
        ),
        ("local", "s3://bucket/kb", TOGETHER.format("s3", "give the path of a folder")),
    ],
)
def test_a_type_that_does_not_agree_is_told_with_all_three(type_: str, uri: str, cure: str) -> None:
    with pytest.raises(ConfigError) as caught:
        KnowledgeConfig.of(bundle(consumer="A", type=type_, uri=uri))
    assert str(caught.value).startswith(
        f"The database 'handbook' has the type {type_!r} and the uri {uri!r}, {cure}"
    )


@pytest.mark.parametrize("uri", ["python:", "python:Class", "python:a.B?x"])
def test_an_address_of_a_class_is_checked_when_an_agent_is_made(uri: str) -> None:
    with pytest.raises(ConfigError, match=r"python:package\.module\.Class|not all of the form 'name=value'"):
        KnowledgeConfig.of(bundle(consumer="A", type=None, uri=uri))


def test_credentials_in_an_address_reach_no_sentence_and_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FINGERPOST_CACHE", str(tmp_path))
    caplog.set_level(logging.DEBUG)
    uri = f"git+https://me:{CANARY}@127.0.0.1:9/kb"
    with pytest.raises(ConfigError) as caught:
        KnowledgeConfig.of(bundle(consumer="A", type="local", uri=uri))
    config = KnowledgeConfig.of(bundle(consumer="A", producer="B", type="git", uri=uri))
    tools = {tool.__name__: tool for tool in kb_tools(config, "A")}
    answers = [tool() for name, tool in tools.items() if name in ("get_schemas", "get_all_kb_descriptions")]
    answers += [tools["search_kb"]("handbook", "x"), tools["browse_kb"]("handbook")]
    assert "cannot be fetched: its host does not answer" in json.loads(answers[2])["error"]
    told = [str(caught.value), *answers, *(record.getMessage() for record in caplog.records)]
    assert CANARY not in "\n".join(told)
    assert CANARY.encode() not in b"".join(
        file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()
    )
