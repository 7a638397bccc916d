"""What is demanded of every knowledge base: what it says of itself, that it does that, and how it ends."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fingerpost import KnowledgeBase, KnowledgeCapabilities, KnowledgeCapabilityError
from fingerpost_testing.contracts.demands import ContractError, demand, is_a, raised, shown
from fingerpost_testing.contracts.rows import asked, called, id_of, identities, titled, why_no_json
from fingerpost_testing.contracts.subject import (
    METHODS,
    Filled,
    KnowledgeBaseSubject,
    implements,
    operations_of,
)

_THREADS, _QUESTIONS = 4, 24


class BaseContract(KnowledgeBaseSubject):
    """What is demanded of every knowledge base, whatever it declares."""

    def test_the_name_is_one_line_and_stays(self) -> None:
        """Agents write the name in each call."""
        base = self.made()
        name = base.backend_name
        demand(
            is_a(name, str) and name and name == name.strip() and len(name.splitlines()) == 1,
            f"backend_name is {shown(name)}; return a short name in one line, without blanks around it.",
        )
        demand(
            base.backend_name == name,
            f"backend_name is no longer {shown(name)}; return the same name always.",
        )

    def test_the_description_says_something(self) -> None:
        """Agents choose by it."""
        base = self.made()
        text = called(base, "get_description", advice="return a sentence that says what it holds")
        demand(
            isinstance(text, str) and text.strip(),
            f"get_description() of the {titled(base)} returned {shown(text)}; return a sentence that says "
            "what it holds.",
        )

    def test_the_declaration_makes_sense(self) -> None:
        """It is a `KnowledgeCapabilities` of which nothing contradicts the rest."""
        base = self.made()
        declared = base.capabilities
        demand(
            is_a(declared, KnowledgeCapabilities),
            f"capabilities of the {titled(base)} are {shown(declared)}; give KnowledgeCapabilities to "
            "super().__init__().",
        )
        called(
            base,
            "validate_capabilities",
            declared,
            type(base).__name__,
            advice="give the declaration to super().__init__(), which checks it, and do not change it later",
        )

    def test_what_is_declared_is_implemented(self) -> None:
        """No agent is offered what is not there."""
        base = self.made()
        for operation in base.capabilities.operations:
            demand(
                implements(base, operation),
                f"The {titled(base)} declares {METHODS[operation]} and has no {operation}(); write it, or "
                "do not declare it.",
            )
        demand(
            not base.capabilities.derives_schema or implements(base, "_derived_schema"),
            f"The {titled(base)} declares derives_schema and has no _derived_schema(); write it, or do not "
            "declare it.",
        )

    def test_what_is_implemented_is_declared(self) -> None:
        """Nothing that works is kept from agents."""
        base, given = self.made(), self._given()
        for operation in self._undeclared(base):
            if not implements(base, operation):
                continue
            try:
                getattr(base, operation)(given[operation])
            except Exception:  # noqa: BLE001, S112 - which error it is, is the matter of the next test
                continue
            raise ContractError(
                f"The {titled(base)} has {operation}() and does not declare {METHODS[operation]}, so that no "
                "agent is offered it; declare it, or take it out."
            )
        derived = getattr(base, "_derived_schema")()  # noqa: B009 - it is for those who write knowledge bases
        demand(
            not derived or base.capabilities.derives_schema,
            f"The {titled(base)} has _derived_schema() and does not declare derives_schema; declare it, or "
            "take it out.",
        )

    def test_what_is_not_declared_raises_KnowledgeCapabilityError(self) -> None:  # noqa: N802 - is its name
        """It is an error of its own, which tools explain."""
        base, given = self.made(), self._given()
        for operation in self._undeclared(base):
            try:
                getattr(base, operation)(given[operation])
            except KnowledgeCapabilityError:
                continue
            except Exception as error:
                raise ContractError(
                    f"{operation}() of the {titled(base)}, which is not declared, raised {raised(error)}; "
                    "take the method out, so that the right error is raised for you."
                ) from error

    def test_there_is_no_read(self) -> None:
        """The tool read_kb calls `query` or `search`, and nothing calls `read`."""
        base = self.made()
        demand(
            not hasattr(type(base), "read"),
            f"The {titled(base)} has a read(), which nothing calls; name it search or query, by what it "
            "does.",
        )

    def test_the_schema_starts_with_the_name_and_ends_with_the_declaration(self) -> None:
        """Whatever it is told of itself, the declaration stands."""
        base = self.made()
        told = base.add_schema({"usage": "Ask it.", "capabilities": {"search": "perhaps"}})
        demand(told is base, f"add_schema() of the {titled(base)} returned {shown(told)}; return self.")
        schema = called(base, "schema", advice="do not override it; override _derived_schema()")
        keys, name = list(schema), schema.get("backend")
        demand(
            keys[:1] == ["backend"] and name == base.backend_name and schema.get("usage") == "Ask it.",
            f"schema() of the {titled(base)} is {shown(schema)}; start it with the name as its backend, "
            "keep what add_schema() was given, and better do not override it.",
        )
        demand(
            keys[-1] == "capabilities" and schema["capabilities"] == base.capabilities.view(),
            f"schema() of the {titled(base)} ends with {shown(dict([*schema.items()][-1:]))}; end it with "
            "what is declared, capabilities.view(), and better do not override it.",
        )
        problem = why_no_json(schema)
        demand(
            not problem, f"schema() of the {titled(base)} is no JSON ({problem}); turn such values into text."
        )

    def test_it_may_be_closed_twice(self) -> None:
        """Closing what is closed does nothing."""
        base = self.filled().base
        for _ in range(2):
            called(base, "close", advice="do nothing where nothing is left to close")

    def test_it_is_a_context_manager(self) -> None:
        """It is itself in its block, and closed after it."""
        base = self.made()
        with base as entered:
            demand(
                entered is base, f"The {titled(base)} is {shown(entered)} in its block; return self there."
            )

    def test_threads_get_equal_answers(self) -> None:
        """Frameworks call tools from several threads at once."""
        filled = self.filled()
        for call, ask in self._questions(filled).items():
            alone = ask()
            with ThreadPoolExecutor(_THREADS) as threads:
                answers = [each.result() for each in [threads.submit(ask) for _ in range(_QUESTIONS)]]
            other = [answer for answer in answers if answer != alone]
            demand(
                not other,
                f"{call} of the {titled(filled.base)} gave {shown(other[:1])} in another thread and "
                f"{shown(alone)} in this; share what it holds among threads, with a lock where it must be.",
            )

    def test_results_are_listed_with_the_ids_that_fetch_takes(self) -> None:
        """A list has an entry for each record, with its id in brackets where it can be fetched."""
        filled = self.filled()
        base, rows = filled.base, self.records
        text = called(base, "format_results", rows, advice="do not override it, or return a list as text")
        for record in rows:
            shows_id = not base.capabilities.fetch or f"[{id_of(record)}]" in text
            demand(
                isinstance(text, str) and shows_id and record["text"].split()[0] in text,
                f"format_results() of the {titled(base)} gave {shown(text)}; give each record's text, and "
                "its id in square brackets where it can be fetched, or do not override it.",
            )

    def _given(self) -> dict[str, Any]:
        """What each operation might be called with."""
        words = dict.fromkeys(("search", "query"), self.shared_word)
        return {**words, "fetch": ["lamp-oil"], "browse": "", "write": self.records[:1]}

    @staticmethod
    def _undeclared(base: KnowledgeBase) -> list[str]:
        return [operation for operation in METHODS if operation not in base.capabilities.operations]

    def _questions(self, filled: Filled) -> dict[str, Callable[[], Any]]:
        """A question for each way of reading that is declared and there, by how sentences name it."""
        base, sample = filled.base, self.samples[0]
        arguments: dict[str, Callable[[], Any]] = {
            "search": lambda: sample.word,
            "query": lambda: self.statement(sample.word),
            "fetch": lambda: [filled.ids[sample.word]],
            "browse": lambda: self.browse_path(sample),
        }

        def question(operation: str) -> Callable[[], Any]:
            argument = arguments[operation]()
            advice = "make what it holds usable from every thread"
            return lambda: sorted(identities(asked(base, operation, argument, advice=advice)))

        return {f"{name}()": question(name) for name in operations_of(base) if name in arguments}
