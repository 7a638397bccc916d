"""What is demanded of the tools that an agent gets over a knowledge base."""

from __future__ import annotations

from typing import Any

from fingerpost import KnowledgeBuilder, Tool
from fingerpost_testing.contracts.demands import ContractError, demand, is_a, raised, shown
from fingerpost_testing.contracts.rows import called, titled
from fingerpost_testing.contracts.subject import Filled, KnowledgeBaseSubject, operations_of

_ODD = ("", "zyxquvw", 'a "b', "../secret.md", "[x]")


class ToolsContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base as an agent meets it: as tools."""

    def test_the_tools_answer(self) -> None:
        """Every tool that can be served answers a proper call without an error."""
        filled = self.filled()
        asked = self._proper_calls(filled)
        for function in KnowledgeBuilder([filled.base]).build():
            tool = Tool.of(function)
            if tool.name not in asked:
                continue
            result = tool.call(asked[tool.name])
            demand(
                not result.is_error and result.text.strip(),
                f"{tool.name} over the {titled(filled.base)} answered {shown(result.text)} for "
                f"{shown(asked[tool.name])}; mend the method that it calls, or what is declared.",
            )

    def test_the_tools_return_text_whatever_they_are_given(self) -> None:
        """No call ends an agent's run."""
        filled = self.filled()
        name = filled.base.backend_name
        for function in KnowledgeBuilder([filled.base]).build():
            for odd in _ODD:
                arguments = {p.name: odd for p in Tool.of(function).parameters if p.required}
                if "backend" in arguments:
                    arguments["backend"] = name
                try:
                    text = function(**arguments)
                except BaseException as error:
                    sentence = f"{function.__name__} over the {titled(filled.base)} raised {raised(error)}"
                    raise ContractError(f"{sentence}; raise an Exception, which tools catch.") from error
                demand(
                    is_a(text, str),
                    f"{function.__name__} gave {shown(text)}; do not replace the tools.",
                )

    def test_the_tools_describe_it(self) -> None:
        """An agent sees its name with what it holds."""
        base = self.filled().base
        described = called(base, "get_description")
        tools = {function.__name__: function for function in KnowledgeBuilder([base]).build()}
        text = tools["get_all_kb_descriptions"]()
        demand(
            base.backend_name in text and " ".join(str(described).split()) in text,
            f"get_all_kb_descriptions shows {shown(text)} of the {titled(base)}; keep the description a "
            "short text.",
        )

    def _proper_calls(self, filled: Filled) -> dict[str, dict[str, Any]]:
        """What each tool is asked, as far as the knowledge base declares and has what it needs."""
        base, sample, offered = filled.base, self.samples[0], operations_of(filled.base)
        backend = {"backend": base.backend_name}
        calls: dict[str, dict[str, Any]] = {"get_schemas": {}, "get_all_kb_descriptions": {}}
        if "search" in offered:
            calls["search_kb"] = {**backend, "query": sample.word, "limit": 2}
            calls["read_kb"] = {**backend, "query": sample.word}
        if base.capabilities.query:
            calls.pop("read_kb", None)
        if "query" in offered:
            calls["read_kb"] = {**backend, "query": self.statement(sample.word)}
        if "fetch" in offered:
            calls["fetch_kb"] = {**backend, "ids": filled.ids[sample.word]}
        if "browse" in offered:
            calls["browse_kb"] = {**backend, "path": self.browse_path(sample)}
        if "write" in offered:
            calls["write_kb"] = {**backend, "text": "The paint of the gallery is new.", "source": "log book"}
        return calls
