"""The databases of a configuration: what each is, and which agents may read and write it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from fingerpost.configuration.identity import identity_of
from fingerpost.configuration.reading import mapping, members, only_known, text, texts
from fingerpost.errors import ConfigError
from fingerpost.stores.addresses import type_of

Role = Literal["consumer", "producer", "curator"]
READERS: Role = "consumer"
WRITERS: tuple[Role, ...] = ("producer", "curator")
ROLES: tuple[Role, ...] = (READERS, *WRITERS)

OKF = "okf"
_OWN = ("type", "description", "schema", "semantic_map", *ROLES)
_OF_BUNDLES = (
    *("uri", "options", "refresh_seconds", "max_concepts"),
    *("write_actor", "write_prefix", "curated", "proposals"),
)


@dataclass(frozen=True, slots=True)
class Database:
    """A knowledge base as a configuration declares it; nothing of it is opened.

    Attributes:
        name: What tools call it.
        kind: What it is: "okf", or the type of the backend.
        type: What its `type` says: for a bundle where it lies, else the same as `kind`.
        description: What it holds, "" if that is not said.
        schema: What is added to its schema.
        semantic_map: What names stand for that agents use for its resources.
        settings: All else that is said of it.
        agents: The agents with each role.
        folder: The folder that relative paths start from.
        identity: The same for what is opened in the same way, whoever may use it.
    """

    name: str
    kind: str
    type: str
    description: str
    schema: Mapping[str, Any]
    semantic_map: Mapping[str, str]
    settings: Mapping[str, Any] = field(repr=False)
    agents: Mapping[Role, tuple[str, ...]]
    folder: Path
    identity: Hashable

    def roles_of(self, agent: str) -> tuple[Role, ...]:
        """The roles of an agent, none for one that is not named."""
        return tuple(role for role in ROLES if agent in self.agents[role])

    @property
    def writers(self) -> tuple[str, ...]:
        """The agents that may write to it."""
        return tuple(dict.fromkeys(agent for role in WRITERS for agent in self.agents[role]))


def databases_of(block: object, title: str, folder: Path) -> list[Database]:
    """The databases of a block of the configuration.

    Args:
        block: The block.
        title: Its name: "okf", of which every database is a bundle, or "knowledge".
        folder: The folder that relative paths start from.

    Raises:
        ConfigError: Something in it is wrong; the sentence names the database.
    """
    given = mapping(block, f"the block {title!r}")
    only_known(
        given, ["databases"] if title == OKF else ["databases", "semantic_map"], f"the block {title!r}"
    )
    databases = members(given, "databases", f"'databases' of the block {title!r}")
    return [_database(name, value, title, folder) for name, value in databases.items()]


def _database(name: str, value: object, title: str, folder: Path) -> Database:
    what = f"the database {name!r}"
    given = mapping(value, what)
    if not name.strip():
        raise ConfigError(f"A database of the block {title!r} has no name; give it one.")
    type_ = text(given, "type", what) or (_type_of(given, what) if title == OKF else "")
    if not type_:
        raise ConfigError(f"The database {name!r} has no type; say what it is, such as 'okf'.")
    is_bundle = title == OKF or type_ == OKF
    if is_bundle:
        only_known(given, [*_OWN, *_OF_BUNDLES], what)
    agents: dict[Role, tuple[str, ...]] = {role: texts(given, role, what) for role in ROLES}
    _check_agents(name, agents)
    opened: dict[str, Any] = {
        "name": name,
        "kind": OKF if is_bundle else type_,
        "type": "" if title != OKF and is_bundle else type_,
        "description": text(given, "description", what),
        "schema": members(given, "schema", f"'schema' of {what}"),
        "semantic_map": members(given, "semantic_map", f"'semantic_map' of {what}"),
        "settings": {key: setting for key, setting in given.items() if key not in _OWN},
        "folder": folder,
    }
    return Database(**opened, agents=agents, identity=identity_of(opened, what))


def _type_of(given: Mapping[str, Any], what: str) -> str:
    """Where a bundle lies whose type is not said."""
    return type_of(text(given, "uri", what))


def _check_agents(name: str, agents: Mapping[Role, tuple[str, ...]]) -> None:
    if not any(agents.values()):
        raise ConfigError(
            f"The database {name!r} names no agent, so that nobody can reach it; list agents under "
            f"{', '.join(ROLES[:-1])} or {ROLES[-1]}."
        )
    both = [agent for agent in agents["producer"] if agent in agents["curator"]]
    if both:
        raise ConfigError(
            f"The database {name!r} names {both[0]!r} as producer and as curator; choose one of the two."
        )
