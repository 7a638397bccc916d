"""`KnowledgeConfig`: what is read, and what is refused with which sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fingerpost import ConfigError, KnowledgeConfig, kb_prompt, kb_tools
from tests.core.configuration.declared import Notes, backend, bundle

ROLES = {"consumer": ["Reader"], "producer": ["Writer"], "curator": "Keeper"}


def test_a_file_is_read_and_what_is_no_concern_of_it_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(
        "logging: {level: info}\n"
        "okf:\n"
        "  databases:\n"
        "    handbook:\n"
        "      type: local\n"
        "      uri: ./kb\n"
        "      description: Rules.\n"
        "      refresh_seconds: null\n"
        "      consumer: [Reader]\n"
        "      curator: Keeper\n"
    )
    config = KnowledgeConfig.of(file)
    (database,) = config.databases
    assert (database.name, database.type, database.description) == ("handbook", "local", "Rules.")
    assert database.settings == {"uri": "./kb", "refresh_seconds": None}
    assert database.folder == tmp_path
    assert database.agents == {"consumer": ("Reader",), "producer": (), "curator": ("Keeper",)}
    assert KnowledgeConfig.of(config) is config
    assert KnowledgeConfig.of(str(file)) == config


@pytest.mark.parametrize("text", ["", "logging: {}\n", "okf:\n", "okf: {}\n", "knowledge: null\n"])
def test_without_its_blocks_nothing_is_switched_on(tmp_path: Path, text: str) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(text)
    assert KnowledgeConfig.of(file).databases == ()
    assert kb_tools(file, "Reader") == []
    assert kb_prompt(file, "Reader") == ""


def test_a_file_at_home_is_read_also_with_a_mark_at_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "app.yaml").write_text("\ufeffokf: {databases: {kb: {uri: kb, consumer: A}}}", "utf-8")
    (database,) = KnowledgeConfig.of("~/app.yaml").databases
    assert (database.name, database.folder) == ("kb", tmp_path)


def test_what_is_left_empty_is_as_if_it_were_not_there() -> None:
    config = {**bundle(consumer=["A", "A"], options=None, schema=None, type=None, producer=None)}
    config["knowledge"] = {"databases": {}, "semantic_map": None}
    read = KnowledgeConfig.of(config)
    assert read.semantic_map == {}
    assert (read.databases[0].type, read.databases[0].schema) == ("local", {})
    assert read.databases[0].agents == {"consumer": ("A",), "producer": (), "curator": ()}


def test_a_relative_folder_is_meant_as_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert KnowledgeConfig.of(bundle(consumer="A"), folder="sub").databases[0].folder == tmp_path / "sub"


def test_a_role_is_a_list_of_names_or_one_name() -> None:
    (database,) = KnowledgeConfig.of(bundle(**ROLES)).databases
    assert database.roles_of("Keeper") == ("curator",)
    assert database.roles_of("Nobody") == ()
    assert database.writers == ("Writer", "Keeper")


DISAGREES = "The database 'handbook' has the type {} and the uri {}, which do not go together; {}"
NOBODY = "so that nobody can reach it; list agents under consumer, producer or curator."
TWICE = {**bundle(consumer="A"), "knowledge": {"databases": {"handbook": {"type": "x.y", "consumer": "A"}}}}


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (bundle(), f"The database 'handbook' names no agent, {NOBODY}"),
        (bundle(consumer=[]), f"The database 'handbook' names no agent, {NOBODY}"),
        (
            bundle(producer=["A", "B"], curator=["B"]),
            "The database 'handbook' names 'B' as producer and as curator; choose one",
        ),
        (
            bundle(consumers=["A"]),
            "The database 'handbook' has the key 'consumers', which means nothing. Did",
        ),
        (bundle(consumer=[5]), "'consumer' of the database 'handbook' is to be a list of names, and has 5"),
        (bundle(consumer=["A"], uri=5), "'uri' of the database 'handbook' is to be a text, and is 5"),
        (
            bundle(consumer=["A"], uri="x" * 80, options="y" * 100),
            f"'options' of the database 'handbook' is to be a mapping (`key: value`), and is '{'y' * 79}.",
        ),
        (
            bundle(consumer=["A", " "]),
            "'consumer' of the database 'handbook' is to be a list of names, and has ' '",
        ),
        (
            bundle(consumer=["A"], uri=None),
            "The database 'handbook' has no uri; say where its documents lie.",
        ),
        (
            bundle(consumer=["A"], uri="  "),
            "The database 'handbook' has no uri; say where its documents lie.",
        ),
        (
            bundle(consumer=["A"], type="s3-eu.backup"),
            "The database 'handbook' has the type 's3-eu.backup' and the uri 'kb', which do not go together",
        ),
        (
            {"okf": {"databases": {}, "semantic_map": {}}},
            "The block 'okf' has the key 'semantic_map', which means nothing. There are: databases.",
        ),
        (bundle(consumer=["A"], uri=""), "The database 'handbook' has no uri; say where its documents lie."),
        (
            bundle(consumer=["A"], uri="s3://bucket/kb"),
            DISAGREES.format(
                "'local'", "'s3://bucket/kb'", "set type to 's3', or give the path of a folder."
            ),
        ),
        (
            bundle(consumer=["A"], type="s3"),
            DISAGREES.format(
                "'s3'", "'kb'", "set type to 'local', or give an address that starts with 's3://'."
            ),
        ),
        (bundle(consumer="A", options={"region": "x"}), "The database 'handbook' has options, which only a"),
        (bundle(consumer="A", write_prefix=5), "'write_prefix' of the database 'handbook' is to be a text"),
        (
            bundle(consumer="A", refresh_seconds=True),
            "A setting of the database 'handbook' is wrong. refresh_seconds=True is",
        ),
        (
            bundle(consumer="A", max_concepts=True),
            "A setting of the database 'handbook' is wrong. max_concepts=True serves",
        ),
        (bundle(consumer=["A"], options=["x"]), "'options' of the database 'handbook' is to be a mapping"),
        (bundle(consumer=["A"], schema="x"), "'schema' of the database 'handbook' is to be a mapping"),
        (
            bundle(consumer="A", max_concepts=0),
            "A setting of the database 'handbook' is wrong. max_concepts=0 serves nothing",
        ),
        (
            bundle(consumer="A", refresh_seconds="soon"),
            "A setting of the database 'handbook' is wrong. refresh_seconds='soon' is no number",
        ),
        (
            {"okf": {"databases": {"kb": ["x"]}}},
            "The database 'kb' is to be a mapping (`key: value`), and is [",
        ),
        ({"okf": {"databases": {5: {}}}}, "'databases' of the block 'okf' has the key 5, which is no text"),
        ({"okf": {"databases": {" ": {"consumer": "A"}}}}, "A database of the block 'okf' has no name"),
        ({"okf": {"database": {}}}, "The block 'okf' has the key 'database', which means nothing. Did you"),
        (
            {"okf": {"databases": 5}},
            "'databases' of the block 'okf' is to be a mapping (`key: value`), and is 5",
        ),
        (
            {
                **bundle(consumer="A", semantic_map={"<T>": "a"}),
                "knowledge": {"databases": {}, "semantic_map": {"<T>": "b"}},
            },
            "The name '<T>' stands for two things in the configuration",
        ),
        ({"knowledge": {"databases": {}, "semantic_map": 0}}, "'semantic_map' is to be a mapping"),
        ({"okf": "kb"}, "The block 'okf' is to be a mapping (`key: value`), and is 'kb'"),
        ({"knowledge": {"databases": {"kb": {"consumer": "A"}}}}, "The database 'kb' has no type; say what"),
        (TWICE, "The database 'handbook' is declared twice, in the blocks 'okf' and 'knowledge'"),
        (
            {"knowledge": {"databases": {}, "semantic_map": {"<A>": 5}}},
            "The semantic map takes texts to texts, and '<A>': 5 is no such pair.",
        ),
    ],
)
def test_what_is_wrong_is_told_when_an_agent_is_made(config: dict[str, Any], said: str) -> None:
    def tools(given: Any) -> object:
        return kb_tools(given, "Somebody")

    def prompt(given: Any) -> object:
        return kb_prompt(given, "Somebody")

    for ask in (KnowledgeConfig.of, tools, prompt):
        with pytest.raises(ConfigError) as caught:
            ask(config)
        assert str(caught.value).startswith(said)
        assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"okf:\n  a: [1\n b", "app.yaml:3:3, "),
        (b"- x\n", "is to be a mapping (`key: value`), and is ['x']."),
        (b"okf: \xff", "cannot be read: it is not UTF-8."),
        (b"okf: 2026-13-45", "is no YAML: app.yaml, month must be in 1..12."),
        (b"{" * 5_000, "is no YAML: app.yaml, it is nested too deep."),
        (b"[]\n", "is to be a mapping (`key: value`), and is []."),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_the_place(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "app.yaml"
    file.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        KnowledgeConfig.of(file)
    assert said in str(caught.value)
    assert str(file) in str(caught.value)


def test_a_file_that_is_not_there_is_told_with_its_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        KnowledgeConfig.of("app.yaml")
    assert str(caught.value) == (
        f"The configuration {str(tmp_path / 'app.yaml')!r} cannot be read: No such file or directory."
    )


def test_settings_of_a_backend_are_its_own() -> None:
    config = KnowledgeConfig.of(backend("Notes", consumer="A", start="x", schema={"usage": "ask"}))
    (database,) = config.databases
    assert database.settings == {"start": "x"}
    assert database.schema == {"usage": "ask"}


def test_a_bundle_can_stand_in_the_general_block() -> None:
    config = KnowledgeConfig.of(
        {"knowledge": {"databases": {"kb": {"type": "okf", "uri": "kb", "consumer": "A"}}}}
    )
    (database,) = config.databases
    assert (database.kind, database.type) == ("okf", "")


def test_a_database_may_name_its_own_resources() -> None:
    config = bundle(consumer="A", semantic_map={"<TOP>": "policies"})
    config["knowledge"] = {"databases": {}, "semantic_map": {"<ORDERS>": "shop.orders"}}
    assert KnowledgeConfig.of(config).semantic_map == {"<TOP>": "policies", "<ORDERS>": "shop.orders"}


def test_a_block_that_is_misspelt_is_told_and_others_are_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    KnowledgeConfig.of({"knowlege": {}, "logging": {}, "ok": 1})
    assert [record.getMessage() for record in caplog.records] == [
        "The configuration has the key 'knowlege', which means nothing; is 'knowledge' meant?"
    ]


@pytest.mark.parametrize("source", [[Notes("n")], Notes("n"), 5, None, b"app.yaml"])
def test_what_is_no_configuration_is_told_with_what_to_do(source: Any) -> None:
    with pytest.raises(ConfigError, match=r"is no configuration: .*make KnowledgeBuilder"):
        kb_tools(source, "A")


def test_names_of_resources_can_stand_alone_in_the_general_block() -> None:
    config = KnowledgeConfig.of({**bundle(consumer="A"), "knowledge": {"semantic_map": {"<A>": "b"}}})
    assert [database.name for database in config.databases] == ["handbook"]
    assert config.semantic_map == {"<A>": "b"}


def test_a_path_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="cannot be read: embedded null byte"):
        KnowledgeConfig.of("a\0b")


WRITTEN = "okf:\n  databases:\n    kb: {uri: kb, consumer: [A]}\n"


@pytest.mark.parametrize(
    ("repeated", "said"),
    [
        (
            WRITTEN + "    kb: {uri: other, consumer: [B]}\n",
            "app.yaml:4:5, the key 'kb' stands here a second",
        ),
        (WRITTEN.replace("}", ", consumer: [B]}"), "app.yaml:3:34, the key 'consumer' stands here a second"),
        (WRITTEN + WRITTEN, "app.yaml:4:1, the key 'okf' stands here a second time"),
    ],
)
def test_a_key_that_is_said_twice_is_refused(tmp_path: Path, repeated: str, said: str) -> None:
    file = tmp_path / "app.yaml"
    file.write_text(repeated)
    with pytest.raises(ConfigError) as told:
        KnowledgeConfig.of(file)
    assert said in str(told.value)


def test_the_rest_of_the_file_may_say_what_it_likes(tmp_path: Path) -> None:
    file = tmp_path / "app.yaml"
    file.write_text("port: !ENV PORT\nport: 5\n? [a]\n: b\nmore: &a [*a]\nbase: &b {uri: kb}\n" + WRITTEN)
    file.write_text(file.read_text().replace("{uri: kb,", "{<<: *b, uri: own,"))
    (database,) = KnowledgeConfig.of(file).databases
    assert database.settings["uri"] == "own"
