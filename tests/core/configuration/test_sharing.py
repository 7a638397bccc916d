"""What agents share, what each may do with it, and what is never taken for the same."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fingerpost import ConfigError, KnowledgeConfig, Record, kb_prompt, kb_tools
from fingerpost.configuration import backends, register_backend
from tests.core.configuration.declared import HERE, Notes, Undeclared, backend

CHILD_SECONDS = 20


class Secret:
    """Shown as asterisks, as secrets are."""

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "Secret(**)"


class Locked(Notes):
    """Answers with the secret that it was opened with."""

    def __init__(self, name: str, key: Secret) -> None:
        super().__init__(name)
        self.key = key

    def search(self, query: str, limit: int = 3, **kwargs: Any) -> Sequence[Record]:
        return [{"text": self.key.value, "metadata": {"id": "n1"}}]


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Any], None]:
    monkeypatch.setattr(backends, "_registered", {})
    return register_backend


def of(config: Any, agent: str) -> dict[str, Callable[..., str]]:
    return {function.__name__: function for function in kb_tools(config, agent)}


def test_what_an_agent_may_is_said_by_its_own_configuration() -> None:
    other = {"type": f"{HERE}.Notes", "producer": ["A", "B"]}
    before, after = backend("Notes", producer="A", consumer="B"), backend("Notes", consumer="A", producer="B")
    for config in (before, after):
        config["knowledge"]["databases"]["other"] = other
    held = of(before, "A")
    assert held["write_kb"]("notes", text="x") == "Stored in 'notes' under id 'n1'."
    refused = json.loads(of(after, "A")["write_kb"]("notes", text="x"))["error"]
    assert refused == "The agent 'A' has read-only access to 'notes'. Writes go to 'other'."
    assert of(after, "B")["write_kb"]("notes", text="x") == "Stored in 'notes' under id 'n2'."


def test_objects_that_look_alike_are_not_taken_for_the_same(
    registered: Callable[[str, Any], None],
) -> None:
    registered("locked", Locked)

    def opened(key: object) -> dict[str, Callable[..., str]]:
        return of({"knowledge": {"databases": {"n": {"type": "locked", "key": key, "consumer": "A"}}}}, "A")

    one, two = Secret("one"), Secret("two")
    first, second, again = opened(one), opened(two), opened(one)
    assert "- [n1] one\n" in first["search_kb"]("n", "x")
    assert "- [n1] two\n" in second["search_kb"]("n", "x")
    assert "- [n1] one\n" in again["search_kb"]("n", "x")
    assert [type(made) for made in Notes.made[-2:]] == [Locked, Locked]


def test_any_plain_setting_can_be_compared() -> None:
    odd = {1: "x", "b": [None, 2.5, {True, "t"}, b"y"], None: float("nan")}
    first, second = (KnowledgeConfig.of(backend("Notes", consumer=who, odd=odd)) for who in "AB")
    assert first.databases[0].identity == second.databases[0].identity
    other = KnowledgeConfig.of(backend("Notes", consumer="A", odd={**odd, 1: "z"}))
    assert first.databases[0].identity != other.databases[0].identity


def bomb() -> Any:
    value: Any = ["x"] * 9
    for _ in range(9):
        value = [value] * 9
    return value


def within_itself() -> Any:
    value: dict[str, Any] = {}
    value["more"] = value
    return value


@pytest.mark.parametrize("made", [bomb, within_itself])
def test_a_setting_without_an_end_is_refused(made: Callable[[], Any]) -> None:
    with pytest.raises(ConfigError, match="A setting of the database 'notes' is nested too deep, too large"):
        KnowledgeConfig.of(backend("Notes", consumer="A", odd=made()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_that_is_forked_while_one_is_opened_opens_its_own(
    registered: Callable[[str, Any], None],
) -> None:
    parent, begun, go_on = os.getpid(), threading.Event(), threading.Event()

    class Slow(Notes):
        def __init__(self, name: str) -> None:
            begun.set()
            if os.getpid() == parent:
                go_on.wait()
            super().__init__(name)

    registered("slow", Slow)
    tools = of({"knowledge": {"databases": {"n": {"type": "slow", "consumer": "A"}}}}, "A")
    opening = threading.Thread(target=tools["search_kb"], args=("n", "x"))
    opening.start()
    begun.wait()
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(CHILD_SECONDS)
        os._exit(0 if "has nothing like that" in tools["search_kb"]("n", "x") else 1)
    status = os.waitpid(child, 0)[1]
    go_on.set()
    opening.join()
    assert status == 0


def test_the_prompt_is_the_same_whatever_was_opened() -> None:
    config = backend("Undeclared", consumer="A")
    before = kb_prompt(config, "A")
    tools = kb_tools(config, "A")
    assert Undeclared in map(type, Notes.made)
    assert kb_prompt(config, "A") == before
    assert tools


class Refusing(Notes):
    """Raises as drivers do: with the address that it was given."""

    declared = None  # pyright: ignore[reportAssignmentType] - on purpose

    def __init__(self, name: str, dsn: str, kind: type[Exception]) -> None:
        raise kind(f"cannot reach {dsn}")


@pytest.mark.parametrize("kind", [ValueError, TypeError, RuntimeError, OSError])
def test_what_a_backend_raises_when_it_is_made_is_logged_and_not_repeated(
    kind: type[Exception], registered: Callable[[str, Any], None], caplog: pytest.LogCaptureFixture
) -> None:
    registered("refusing", Refusing)
    database = {"type": "refusing", "dsn": "pg://me:secret@db", "kind": kind, "consumer": "A"}
    with pytest.raises(ConfigError, match=rf"settings: {kind.__name__} \(reference ") as told:
        kb_tools({"knowledge": {"databases": {"n": database}}}, "A")
    assert "secret" not in str(told.value)
    assert "cannot reach pg://me:secret@db" in caplog.text
