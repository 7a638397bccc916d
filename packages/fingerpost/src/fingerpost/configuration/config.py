"""`KnowledgeConfig`: what a file or a mapping says of knowledge bases."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from fingerpost.configuration.databases import OKF, Database, databases_of
from fingerpost.configuration.reading import mapping, members, read_file
from fingerpost.configuration.stores import check_bundle
from fingerpost.configuration.writing import check_writing
from fingerpost.errors import ConfigError
from fingerpost.knowledge.semantic_map import SemanticMap
from fingerpost.text.distance import distance

GENERAL = "knowledge"
_SLIPS = 2
_logger = logging.getLogger("fingerpost.configuration")


@dataclass(frozen=True, slots=True)
class KnowledgeConfig:
    """The `okf` and `knowledge` blocks of a configuration. Reading it opens none of what it names.

    Attributes:
        databases: The knowledge bases, in the order written.
        semantic_map: What each name that agents use stands for.
    """

    databases: tuple[Database, ...] = ()
    semantic_map: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(
        cls,
        source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig,
        folder: str | os.PathLike[str] | None = None,
    ) -> KnowledgeConfig:
        """Read a configuration.

        Args:
            source: A YAML file, the same as a mapping, or what was read before. What is no `okf` and no
                `knowledge` block is left alone, so that it can be the file of an application.
            folder: Where relative paths start; by default at the file, of a mapping at the working folder.

        Raises:
            ConfigError: Something in it is wrong; the sentence names the database.
        """
        if isinstance(source, KnowledgeConfig):
            return source
        given_ = cast("object", source)
        if not isinstance(given_, (str, os.PathLike, Mapping)):
            raise ConfigError(
                f"{given_!r:.200} is no configuration: give a YAML file or a mapping, or make "
                "KnowledgeBuilder([...]) of knowledge bases."
            )
        base = Path.cwd()
        if isinstance(source, Mapping):
            given = mapping(source, "the configuration")
        else:
            given, base = read_file(source, _is_of_concern)
        if folder is not None:
            base = Path(os.path.abspath(folder))
        _warn_of_misspelt_blocks(given)
        databases = [
            database
            for title in (OKF, GENERAL)
            if given.get(title) is not None
            for database in databases_of(given[title], title, base)
        ]
        for database in databases:
            check_bundle(database)
            check_writing(database)
        _check_names(databases)
        return cls(tuple(databases), _names_of(databases, given))

    def of_agent(self, agent: str) -> tuple[Database, ...]:
        """The databases in which an agent has a role."""
        return tuple(database for database in self.databases if database.roles_of(agent))


def _names_of(databases: list[Database], given: Mapping[str, Any]) -> dict[str, str]:
    """What the names of all databases stand for, and those of the block."""
    general = members(given, GENERAL, f"the block {GENERAL!r}")
    maps = [database.semantic_map for database in databases]
    names: dict[str, str] = {}
    for each in (members(general, "semantic_map", "'semantic_map'"), *maps):
        for name, physical in each.items():
            if names.setdefault(name, physical) != physical:
                raise ConfigError(
                    f"The name {name!r} stands for two things in the configuration; give one of them "
                    "another name."
                )
    SemanticMap(names)
    return names


def _is_of_concern(key: str) -> bool:
    """Whether a key is that of a block, or so like one that it may have been meant."""
    return key in (OKF, GENERAL) or distance(key.casefold(), GENERAL, _SLIPS) <= _SLIPS


def _warn_of_misspelt_blocks(given: Mapping[str, Any]) -> None:
    """Say so where a block has almost the name of ours; other keys are no concern of ours."""
    for key in given:
        if key not in (OKF, GENERAL) and _is_of_concern(key):
            _logger.warning(
                "The configuration has the key %r, which means nothing; is %r meant?", key, GENERAL
            )


def _check_names(databases: list[Database]) -> None:
    seen: set[str] = set()
    for database in databases:
        if database.name in seen:
            raise ConfigError(
                f"The database {database.name!r} is declared twice, in the blocks {OKF!r} and {GENERAL!r}; "
                "give one of them another name."
            )
        seen.add(database.name)
