"""`KnowledgeBuilder`: several knowledge bases as one set of tools, no more of them than can be served."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import cast

from fingerpost.errors import ConfigError
from fingerpost.knowledge.base import KnowledgeBase
from fingerpost.knowledge.semantic_map import SemanticMap
from fingerpost.knowledge.tools import KnowledgeTools
from fingerpost.tools import check_budget, check_name


class KnowledgeBuilder:
    """Makes the tools over some knowledge bases.

    Args:
        backends: The knowledge bases.
        semantic_map: What each name that agents use stands for, such as `{"<ORDERS>": "shop.public.orders"}`;
            it is put in when a tool is called, so that prompts stay the same wherever the agent runs.
        prefix: Put before the tools' names, for several sets of them in one agent.
        max_chars: Longest answer of any tool, in characters, at least 2,000.

    Raises:
        ConfigError: There is none, two have the same name, or the prefix or the budget is wrong.
    """

    def __init__(
        self,
        backends: Iterable[KnowledgeBase],
        semantic_map: Mapping[str, str] | None = None,
        *,
        prefix: str = "",
        max_chars: int | None = None,
    ) -> None:
        check_name(f"{prefix}read_kb")
        if max_chars is not None:
            check_budget(max_chars)
        self.backends = _by_name(backends)
        self._tools = KnowledgeTools(self.backends, SemanticMap(semantic_map), max_chars, prefix)

    def build(self, writable: bool = True, max_chars: int | None = None) -> list[Callable[..., str]]:
        """Make the tools: plain functions that return text and never raise.

        Args:
            writable: Whether `write_kb` is among them. It refuses, call by call, what cannot be written to.
            max_chars: Longest answer of any tool, for a framework with a limit of its own; the smaller one of
                this and the builder's holds.

        Returns:
            `get_schemas`, `read_kb`, `write_kb` and `get_all_kb_descriptions`; then `search_kb`, `fetch_kb`
            and `browse_kb`, each where a knowledge base offers what it needs.

        Raises:
            ConfigError: The budget is less than 2,000.
        """
        tools = self._tools if max_chars is None else self._tools.within(check_budget(max_chars))
        offered = {operation for base in self.backends.values() for operation in base.capabilities.operations}
        gated: dict[str, Callable[..., str]] = {
            "search": tools.search_kb,
            "fetch": tools.fetch_kb,
            "browse": tools.browse_kb,
        }
        return [
            tools.get_schemas,
            tools.read_kb,
            *([tools.write_kb] if writable else []),
            tools.get_all_kb_descriptions,
            *(function for operation, function in gated.items() if operation in offered),
        ]


def _by_name(backends: Iterable[KnowledgeBase]) -> dict[str, KnowledgeBase]:
    bases: dict[str, KnowledgeBase] = {}
    given = cast("object", backends)
    if not isinstance(given, Iterable) or isinstance(given, (str, Mapping)):
        raise ConfigError(f"KnowledgeBuilder takes a list of knowledge bases, and {given!r} is none.")
    for base in backends:
        _check_is_one(base)
        name = cast("object", base.backend_name)
        if not isinstance(name, str) or not name.strip() or len(name.splitlines()) > 1:
            raise ConfigError(f"A knowledge base is named {name!r}; give it a name of one line.")
        if base.backend_name in bases:
            raise ConfigError(
                f"Two knowledge bases are named {base.backend_name!r}; give one of them another name."
            )
        bases[base.backend_name] = base
    if not bases:
        raise ConfigError("There is no knowledge base to make tools of; give at least one.")
    return bases


def _check_is_one(base: object) -> None:
    if not isinstance(base, KnowledgeBase):
        raise ConfigError(f"{base!r} is no knowledge base; KnowledgeBuilder takes a list of them.")
    if not hasattr(base, "capabilities"):
        raise ConfigError(
            f"{type(base).__name__} declares nothing: call super().__init__(KnowledgeCapabilities(...)) "
            "where it is made."
        )
