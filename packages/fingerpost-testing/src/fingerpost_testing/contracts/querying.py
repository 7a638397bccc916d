"""The contract of `query`."""

from __future__ import annotations

from fingerpost import KnowledgeError
from fingerpost_testing.contracts.demands import ContractError, broken, demand, raised, shown
from fingerpost_testing.contracts.rows import asked, check_rows, identities, titled
from fingerpost_testing.contracts.subject import KnowledgeBaseSubject

_NO_STATEMENT = ("zyxquvw (", "'", ")))")


class QueryContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base that declares `query`; `statement` says how it is asked."""

    def test_query_finds_the_records_that_a_statement_asks_for(self) -> None:
        """A statement about a word of one record finds that record alone."""
        filled = self.offering("query")
        for sample in self.samples:
            statement = self.statement(sample.word)
            rows = asked(filled.base, "query", statement)
            demand(
                len(rows) == 1 and sample.word in str(rows[0]),
                f"query({statement!r}) of the {titled(filled.base)} found {shown(rows)}; return the one "
                f"record with the text {shown(sample.text)}.",
            )

    def test_query_finds_nothing_where_no_record_is_asked_for(self) -> None:
        """A statement that fits nothing is no error."""
        base = self.offering("query").base
        statement = self.statement(self.unknown_word)
        rows = asked(base, "query", statement, advice="return [] where nothing is found")
        demand(
            not rows,
            f"query({statement!r}) of the {titled(base)} found {shown(rows)}, though the word stands "
            "nowhere; return [] where nothing is found.",
        )

    def test_query_gives_records(self) -> None:
        """Rows have a text and metadata that can be sent as JSON."""
        base = self.offering("query").base
        rows = asked(base, "query", self.statement(self.shared_word), limit=len(self.samples))
        check_rows(base, "query", rows)

    def test_query_heeds_the_limit(self) -> None:
        """No more rows come than were asked for, by default three."""
        base, statement = self.offering("query").base, self.statement(self.shared_word)
        for limit in (1, 2):
            rows = asked(base, "query", statement, limit=limit)
            demand(
                len(rows) == min(limit, len(self.samples)),
                f"query({statement!r}, limit={limit}) of the {titled(base)} gave {len(rows)} of "
                f"{len(self.samples)} rows; return the first {limit}.",
            )
        usual = len(asked(base, "query", statement))
        demand(
            usual <= 3,
            f"query() of the {titled(base)} gave {usual} rows without a limit; let limit be 3 then.",
        )

    def test_query_keeps_one_order(self) -> None:
        """The same statement has the same answer, and a greater limit adds to its end, as pages need it."""
        base, statement = self.offering("query").base, self.statement(self.shared_word)
        every = identities(asked(base, "query", statement, limit=len(self.samples)))
        for limit in (len(self.samples), 2, len(self.samples)):
            rows = identities(asked(base, "query", statement, limit=limit))
            demand(
                rows == every[: len(rows)],
                f"query({statement!r}, limit={limit}) of the {titled(base)} gave {shown(rows)} after "
                f"{shown(every)}; give rows an order where the statement leaves it open.",
            )

    def test_query_explains_what_is_wrong_with_a_statement(self) -> None:
        """An agent can mend what it is told of; errors that are no KnowledgeError are not shown to it."""
        base = self.offering("query").base
        for statement in _NO_STATEMENT:
            try:
                base.query(statement)
            except KnowledgeError:
                continue
            except Exception as error:
                raise ContractError(
                    f"query({statement!r}) of the {titled(base)} raised {raised(error)}, which agents are "
                    "not shown; raise a KnowledgeError with a sentence by which the statement can be mended."
                ) from error
            broken(
                f"query({statement!r}) of the {titled(base)} answered as if that were a statement; raise a "
                "KnowledgeError that says what is wrong with it."
            )
