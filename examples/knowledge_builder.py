"""A router over two knowledge bases, built in Python: curated documents, and a table that answers SQL.

The agent is one of LangChain; every other adapter has `kb_tools` too. Only the model is a script here, so
that the example runs anywhere.
"""

from __future__ import annotations

import sqlite3
from typing import Any

import langchain.agents
from langchain_core.messages import AIMessage, ToolMessage
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from fingerpost import (
    ArgumentError,
    KnowledgeBase,
    KnowledgeBuilder,
    KnowledgeCapabilities,
    LocalDocumentStore,
    OKFManager,
    Record,
    demo_bundle,
)
from fingerpost_langchain import MalformedCallMiddleware, kb_tools
from fingerpost_testing import Script, ToolCall, calls, play, say


class Rentals(KnowledgeBase):
    """The bicycles that were hired, as a table: a knowledge base of one's own."""

    def __init__(self) -> None:
        super().__init__(KnowledgeCapabilities(kinds=["structured"], query=True, query_language="sql"))
        self._table = sqlite3.connect(":memory:", check_same_thread=False)
        self._table.execute("CREATE TABLE rentals_2026 (plan TEXT, customer TEXT, bought TEXT)")
        rows = [("season", "Ada", "2026-10-12"), ("day", "Grace", "2026-11-02")]
        self._table.executemany("INSERT INTO rentals_2026 VALUES (?, ?, ?)", rows)
        self._table.execute("PRAGMA query_only = ON")

    @property
    def backend_name(self) -> str:
        """What the tools call it."""
        return "rentals"

    def connect(self, **_kwargs: Any) -> None:
        """Do nothing more: the table is there."""

    def get_description(self) -> str:
        """Where a question about who bought what belongs."""
        return "Who hired what, and when."

    def query(self, statement: str, limit: int = 3, **_kwargs: Any) -> list[Record]:
        """Run a statement; a mistake in it is told to the model."""
        try:
            cursor = self._table.execute(statement)
        except sqlite3.Error as error:
            raise ArgumentError(f"The statement does not run ({error}); correct it.") from error
        names = [column[0] for column in cursor.description]
        rows = cursor.fetchmany(limit)
        return [{"text": str(dict(zip(names, row, strict=True))), "metadata": {}} for row in rows]

    def close(self) -> None:
        """Close the table."""
        self._table.close()


STATEMENT = "SELECT plan, bought FROM <RENTALS> WHERE customer = 'Ada'"
SCHEMA = {"columns": ["plan", "customer", "bought"], "usage": STATEMENT}
PROMPT = "Choose a knowledge base by what get_schemas says. Quote what you have fetched, and cite its id."
QUESTION = "Ada wants her money back for the plan that she bought. What does she get on 2 November?"
SCRIPT = Script(
    calls(ToolCall("get_schemas", {})),
    calls(
        ToolCall("read_kb", {"backend": "rentals", "query": STATEMENT}),
        ToolCall("search_kb", {"backend": "handbook", "query": "cancel season plan refund"}),
    ),
    calls(ToolCall("fetch_kb", {"backend": "handbook", "ids": "policies/cancellation"})),
    say("A full refund: she bought it three weeks ago, within the 30 days. [policies/cancellation]"),
)


def main() -> None:
    rules = LocalDocumentStore(demo_bundle(), writable=False)
    handbook = OKFManager(rules, name="handbook", description="The rules of the bicycle hire.")
    rentals = Rentals()
    with handbook, rentals, play(SCRIPT) as session:
        builder = KnowledgeBuilder(
            [handbook, rentals.add_schema(SCHEMA)], semantic_map={"<RENTALS>": "rentals_2026"}
        )
        create_agent: Any = getattr(langchain.agents, "create_agent")  # noqa: B009 - it is typed only in part
        agent = create_agent(
            ChatOpenAI(model="scripted", base_url=session.base_url, api_key=SecretStr("none")),
            kb_tools(builder),
            system_prompt=PROMPT,
            middleware=[MalformedCallMiddleware()],
        )
        state = agent.invoke({"messages": [("user", QUESTION)]})
    for message in state["messages"]:
        if isinstance(message, AIMessage):
            for call in message.tool_calls:
                print(f"call    {call['name']} {call['args']}")
        elif isinstance(message, ToolMessage):
            print(f"{message.status:7} {str(message.content)[:200]}")
    print(f"answer  {state['messages'][-1].text}")


if __name__ == "__main__":
    main()
