"""The contract of `fetch`, and of the ids by which records are fetched."""

from __future__ import annotations

from collections.abc import Sequence

from fingerpost import Record
from fingerpost_testing.contracts.demands import demand, shown
from fingerpost_testing.contracts.rows import (
    asked,
    check_rows,
    id_of,
    identities,
    metadata_of,
    refused_or_nothing,
    text_of,
    titled,
)
from fingerpost_testing.contracts.samples import Sample
from fingerpost_testing.contracts.subject import Filled, KnowledgeBaseSubject, operations_of

_UNKNOWN = "no-such-record"
_ODD_IDS = (
    "",
    " ",
    ".",
    "..",
    "/",
    "//",
    "a\0b",
    "a\nb",
    "../",
    "%2e%2e/",
    "x" * 5_000,
    "🗼",
    "'",
    '"',
    "*",
    "%",
)


class FetchContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base that declares `fetch`."""

    def test_fetch_gives_the_text_that_was_stored(self) -> None:
        """The whole text comes back, and under the id that was asked for."""
        filled = self.offering("fetch")
        for sample in self.samples:
            if sample.text.isascii():
                self._check_text(filled, sample)

    def test_fetch_gives_letters_of_every_script_as_they_were_stored(self) -> None:
        """Letters beyond ASCII come back as they were."""
        filled = self.offering("fetch")
        for sample in self.samples:
            if not sample.text.isascii():
                self._check_text(filled, sample)

    def test_fetch_gives_the_metadata_that_was_stored(self) -> None:
        """What `keeps` names comes back as it was, nested values too."""
        filled = self.offering("fetch")
        for sample in self.samples:
            self.check_kept(filled.base, "fetch", self._fetched(filled, sample), sample)

    def test_fetch_gives_nothing_for_an_id_that_is_not_there(self) -> None:
        """What is not there is no error."""
        base = self.offering("fetch").base
        rows = asked(base, "fetch", [_UNKNOWN], advice="leave out what is not there")
        demand(
            not rows,
            f"fetch([{_UNKNOWN!r}]) of the {titled(base)} gave {shown(rows)}; leave out what is not there.",
        )

    def test_fetch_gives_those_of_several_that_are_there(self) -> None:
        """Each once, whatever holds the ids."""
        filled = self.offering("fetch")
        ids = [filled.ids[sample.word] for sample in self.samples[:3]]
        given = [ids[0], _UNKNOWN, *ids[1:]]
        before = list(given)
        advice = "take any iterable of ids, and leave out what is not there"
        for call, rows in (
            (f"fetch({given})", asked(filled.base, "fetch", given, advice=advice)),
            (f"fetch(iter({given}))", asked(filled.base, "fetch", iter(given), advice=advice)),
        ):
            demand(
                sorted(map(id_of, rows)) == sorted(ids),
                f"{call} of the {titled(filled.base)} gave {sorted(map(id_of, rows))}; return the records of "
                f"{sorted(ids)}, each once.",
            )
        demand(
            given == before,
            f"fetch() of the {titled(filled.base)} changed the list of ids; leave it as it was.",
        )
        demand(
            not asked(filled.base, "fetch", [], advice="return [] for no ids"),
            f"fetch([]) of the {titled(filled.base)} gave records; return [] for no ids.",
        )

    def test_fetch_gives_records(self) -> None:
        """Rows have a text and metadata that can be sent as JSON."""
        filled = self.offering("fetch")
        check_rows(filled.base, "fetch", asked(filled.base, "fetch", list(filled.ids.values())))

    def test_fetch_serves_nothing_that_was_not_stored(self) -> None:
        """No id leads to files outside, or to anything else that is no record."""
        base = self.offering("fetch").base
        for id_ in (*self.paths_to_secrets(), *_ODD_IDS):
            refused_or_nothing(base, "fetch", [id_], id_)

    def test_every_record_has_an_id_that_can_stand_in_a_list(self) -> None:
        """Agents give ids separated by commas, and as answers print them: in brackets."""
        filled = self.offering("fetch")
        for operation, rows in self._answers(filled):
            for row in rows:
                id_ = metadata_of(row).get("id")
                demand(
                    operation == "query" or (isinstance(id_, str) and id_),
                    f"{operation}() of the {titled(filled.base)} gave a record with the id {shown(id_)}; "
                    'put the text by which it is fetched under metadata["id"].',
                )
                demand(
                    id_ is None or is_plain_id(str(id_)),
                    f"{operation}() of the {titled(filled.base)} gave a record with the id {shown(id_)}, "
                    "which fetch_kb cannot be given; make ids without commas, line breaks, and brackets or "
                    "blanks around them.",
                )

    def test_what_other_answers_found_can_be_fetched(self) -> None:
        """An id leads from an answer to the record."""
        filled = self.offering("fetch")
        for operation, rows in self._answers(filled):
            for sample in self.samples:
                ids = [id_of(row) for row in rows if id_of(row) and filled.is_about(row, sample)]
                demand(
                    all(self._is_fetched(filled, id_, sample) for id_ in ids),
                    f"{operation}() of the {titled(filled.base)} gave the id {ids[:1]}, under which fetch() "
                    "does not give that record; use one id in all answers.",
                )

    def _answers(self, filled: Filled) -> list[tuple[str, Sequence[Record]]]:
        base, most = filled.base, len(self.samples)
        asking = {
            "search": lambda: asked(base, "search", self.shared_word, limit=most),
            "query": lambda: asked(base, "query", self.statement(self.shared_word), limit=most),
            "fetch": lambda: asked(base, "fetch", list(filled.ids.values())),
            "browse": lambda: asked(base, "browse", self.browse_path(self.samples[0])),
        }
        return [(operation, asking[operation]()) for operation in operations_of(base) if operation in asking]

    @staticmethod
    def _is_fetched(filled: Filled, id_: str, sample: Sample) -> bool:
        return any(filled.is_about(row, sample) for row in asked(filled.base, "fetch", [id_]))

    def _fetched(self, filled: Filled, sample: Sample) -> Record:
        __tracebackhide__ = True
        id_ = filled.ids[sample.word]
        rows = asked(filled.base, "fetch", [id_])
        demand(
            len(rows) == 1 and id_of(rows[0]) == id_,
            f"fetch([{id_!r}]) of the {titled(filled.base)} gave "
            f"{shown(identities(rows)) if rows else 'nothing'}; return the record that was stored under "
            "this id, and the id in its metadata (write() returns the ids where it makes others than it was "
            "given).",
        )
        return rows[0]

    def _check_text(self, filled: Filled, sample: Sample) -> None:
        __tracebackhide__ = True
        text = text_of(self._fetched(filled, sample))
        demand(
            text.strip() == sample.text,
            f"fetch() of the {titled(filled.base)} gave the text {shown(text)} for {shown(sample.text)}; "
            "return it whole, as it was stored.",
        )


def is_plain_id(id_: str) -> bool:
    """Whether an id survives a list of ids, and the brackets that answers print around it."""
    bracketed = id_.startswith("[") and id_.endswith("]")
    return "," not in id_ and len(id_.splitlines()) <= 1 and id_ == id_.strip() and not bracketed
