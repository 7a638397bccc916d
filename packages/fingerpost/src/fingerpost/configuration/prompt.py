"""`kb_prompt`: what to tell an agent about its knowledge bases."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from fingerpost.bundle.reach import Reach
from fingerpost.capabilities import Operation
from fingerpost.configuration.config import KnowledgeConfig
from fingerpost.configuration.databases import OKF, READERS, Database, Role
from fingerpost.configuration.opening import shared
from fingerpost.configuration.reading import texts
from fingerpost.knowledge.okf_manager import WRITE_PREFIX
from fingerpost.tools.frame import one_line

_START = """Knowledge bases

Answer from these knowledge bases and from nothing else, and cite the ids of the records that you answered
from. If none of them answers, say so; do not fill the gap from memory.
"""
_HEED = (
    "Heed what stands beside a record, and say so where you use it: DEPRECATED is history and must not be "
    "presented as current, STALE may no longer hold, unverified was checked by nobody."
)
_STEPS: tuple[tuple[Operation | None, str], ...] = (
    (None, "Call get_schemas first: it shows what each holds, what it can do and how to ask it."),
    ("search", "Where you know the words, search_kb finds."),
    ("browse", "Where you do not know the words, browse_kb lists what there is, from the top down."),
    ("query", "Where there is a query_language, ask with read_kb and a statement in it."),
    ("fetch", "Lists are summaries: open what you rely on with fetch_kb, and follow its links."),
    (None, _HEED),
)
"""How to work, each with the operation that a knowledge base has to offer for it."""
_WRITING = """Look for what is there before you write. Write one topic at a time with write_kb, with a title,
a description and the source. To change a record, give its id and the revision that you read.
"""
_ROLES: Mapping[Role, str] = {
    "consumer": "You may read it.",
    "producer": "You may read it, and add with write_kb what you learn.",
    "curator": "You may read it, and you look after it: review, correct and update it with write_kb.",
}


def kb_prompt(source: str | os.PathLike[str] | Mapping[str, Any] | KnowledgeConfig, agent: str) -> str:
    """What to put into the system prompt of an agent. It is made of the configuration alone.

    Args:
        source: A configuration: a YAML file, a mapping, or one that was read.
        agent: The agent's name in it.

    Returns:
        The text, the same for the same configuration; "" for an agent that it does not name.

    Raises:
        ConfigError: The configuration is wrong.
    """
    databases = KnowledgeConfig.of(source).of_agent(agent)
    if not databases:
        return ""
    parts = [_START, "\n".join(_lines(databases, agent)) + "\n", "\n".join(_steps(databases)) + "\n"]
    if any(agent in database.writers for database in databases):
        parts.append(_WRITING)
    return "\n".join(parts)


def _lines(databases: tuple[Database, ...], agent: str) -> Iterator[str]:
    """What each knowledge base is, and what the agent is to do with it."""
    for database in databases:
        what = one_line(database.description) or _default(database)
        role = database.roles_of(agent)[-1]
        yield " ".join([f"- {database.name}: {what.rstrip('.')}. {_ROLES[role]}", *_limits(database, role)])


def _limits(database: Database, role: Role) -> Iterator[str]:
    """What of a bundle may be written in a role, and what becomes of it."""
    if database.kind != OKF or role == READERS:
        return
    curated = texts(database.settings, "curated", "") if role == "curator" else ()
    places = Reach(database.settings.get("write_prefix", WRITE_PREFIX), curated).places
    if places != ("/",):
        yield f"What you may write is {', '.join(places)}."
    if database.settings.get("proposals"):
        yield "What you write is proposed, and is not found before a person has accepted it."


def _steps(databases: tuple[Database, ...]) -> Iterator[str]:
    """How to work with what these offer; where that is not known before they are opened, with everything."""
    declared = [shared(database).declared for database in databases]
    offered = {operation for each in declared if each is not None for operation in each.operations}
    steps = [step for needs, step in _STEPS if needs in offered or needs is None or None in declared]
    yield "How to work:"
    yield from (f"{number}. {step}" for number, step in enumerate(steps, start=1))


def _default(database: Database) -> str:
    return "Curated documents" if database.kind == OKF else f"A knowledge base of the type {database.kind}"
