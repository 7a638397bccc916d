"""The contract of `derives_schema`."""

from __future__ import annotations

from fingerpost_testing.contracts.demands import demand, shown
from fingerpost_testing.contracts.rows import called, titled, why_no_json
from fingerpost_testing.contracts.subject import KnowledgeBaseSubject


class DerivedSchemaContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base that declares `derives_schema`."""

    def test_it_describes_itself(self) -> None:
        """Without having been told anything, it knows more of itself than its name."""
        base = self.filled().base
        self.applies(base, "derives_schema", "_derived_schema")
        schema = called(base, "schema", advice="return a mapping from _derived_schema()")
        demand(
            len(schema) > 2,
            f"schema() of the {titled(base)} is {shown(schema)}, though it declares derives_schema; return "
            "from _derived_schema() what it knows of itself, such as how much it holds.",
        )
        problem = why_no_json(schema)
        demand(
            not problem, f"schema() of the {titled(base)} is no JSON ({problem}); turn such values into text."
        )

    def test_what_it_is_told_counts_more_than_what_it_derives(self) -> None:
        """Whoever deploys it has the last word."""
        base = self.filled().base
        self.applies(base, "derives_schema", "_derived_schema")
        derived = called(base, "schema", advice="return a mapping from _derived_schema()")
        for key in [key for key in derived if key not in {"backend", "capabilities"}][:1]:
            told = base.add_schema({key: "as told"}).schema().get(key)
            demand(
                told == "as told",
                f"schema() of the {titled(base)} has {shown(told)} as {key!r} after add_schema() set it; do "
                "not override schema().",
            )
