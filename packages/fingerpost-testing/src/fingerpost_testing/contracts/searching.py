"""The contract of `search`."""

from __future__ import annotations

from fingerpost import KnowledgeBase, Record
from fingerpost_testing.contracts.demands import broken, demand, left_out, shown
from fingerpost_testing.contracts.rows import asked, check_rows, identities, plain, text_of, titled
from fingerpost_testing.contracts.samples import Sample
from fingerpost_testing.contracts.subject import Filled, KnowledgeBaseSubject

_BY_NEARNESS = frozenset({"semantic", "hybrid"})
_ODD_TEXTS = (
    "",
    "   ",
    'what is "this',
    "it's",
    "a AND (b",
    "NOT",
    "100%",
    "x*",
    "^a:b",
    "-",
    "a\0b",
    "back\\slash",
    "🗼?",
    "word " * 500,
)


class SearchContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base that declares `search`.

    One that ranks by nearness ("semantic", "hybrid") is asked with whole texts, and need not find nothing.
    """

    def test_search_finds_the_record_that_has_the_word(self) -> None:
        """A word of one record finds that record, as the first."""
        filled = self.offering("search")
        for sample in self.samples:
            if sample.word.isascii():
                self._found(filled, sample)

    def test_search_finds_words_of_other_scripts(self) -> None:
        """Letters beyond ASCII are letters like others."""
        filled = self.offering("search")
        for sample in self.samples:
            if not sample.word.isascii():
                self._found(filled, sample)

    def test_search_finds_nothing_for_a_word_that_stands_nowhere(self) -> None:
        """What is not there is not found, and is no error."""
        base = self.offering("search").base
        rows = asked(base, "search", self.unknown_word, advice="return [] where nothing is found")
        if base.capabilities.search_mode in _BY_NEARNESS:
            left_out("something is always near")
        demand(
            not rows,
            f"search({self.unknown_word!r}) of the {titled(base)} found {shown(rows)}, though the word "
            'stands nowhere; return [] where nothing is found, or declare search_mode="semantic" if it '
            "ranks by nearness.",
        )

    def test_search_gives_records(self) -> None:
        """Rows have a text and metadata that can be sent as JSON."""
        base = self.offering("search").base
        check_rows(base, "search", asked(base, "search", self.shared_word, limit=len(self.samples)))

    def test_search_heeds_the_limit(self) -> None:
        """No more records come than were asked for, by default three."""
        filled = self.offering("search")
        for limit in (1, 2):
            rows = self._many(filled, limit)
            demand(
                len(rows) == min(limit, len(self.samples)),
                f"search({self.shared_word!r}, limit={limit}) of the {titled(filled.base)} gave {len(rows)} "
                f"of the {len(self.samples)} records with the word; return the first {limit}.",
            )
        usual = len(asked(filled.base, "search", self.shared_word))
        demand(
            usual <= 3,
            f"search() of the {titled(filled.base)} gave {usual} records without a limit; let limit be 3 "
            "then.",
        )

    def test_search_keeps_one_order(self) -> None:
        """The same question has the same answer, and a greater limit adds to its end, as pages need it."""
        filled = self.offering("search")
        every = identities(self._many(filled, len(self.samples)))
        for limit in (len(self.samples), 2, len(self.samples)):
            rows = identities(self._many(filled, limit))
            demand(
                rows == every[: len(rows)],
                f"search({self.shared_word!r}, limit={limit}) of the {titled(filled.base)} gave "
                f"{shown(rows)} after {shown(every)}; sort by relevance, and what is equally relevant by "
                "its id.",
            )

    def test_search_takes_any_text(self) -> None:
        """Agents write quotes, brackets and operators, which are no error."""
        base = self.offering("search").base
        for text in _ODD_TEXTS:
            asked(base, "search", text, advice="take its words alone, and return [] where there are none")

    def test_search_gives_what_was_stored(self) -> None:
        """Where nothing else gives the text and its metadata, search does."""
        filled = self.offering("search")
        if filled.base.capabilities.fetch:
            left_out("what was stored is given by fetch()")
        for sample in self.samples:
            row = self._found(filled, sample)
            demand(
                plain(sample.text) in plain(text_of(row)),
                f"search() of the {titled(filled.base)} gave the text {shown(text_of(row))} for "
                f"{shown(sample.text)}; return it as it was stored, or declare fetch.",
            )
            self.check_kept(filled.base, "search", row, sample)

    def test_search_takes_the_filters_that_it_declares(self) -> None:
        """A filter keeps a record whose value it names, and leaves out one with another value."""
        filled = self.offering("search")
        if not filled.base.capabilities.filters:
            left_out(f"the {titled(filled.base)} declares no filters")
        for name in filled.base.capabilities.filters:
            values = [sample.record["metadata"].get(name) for sample in self.samples if name in self.keeps]
            if len({repr(value) for value in values}) < 2:
                broken(
                    f"The {titled(filled.base)} declares the filter {name!r}, which no two samples differ "
                    "in; name it in `keeps` if samples have it, or give `samples` that do."
                )
            first = self.samples[0]
            other = next(value for value in values if value != values[0])
            rows = asked(filled.base, "search", self._question(filled.base, first), **{name: values[0]})
            self._demand_first(filled, first, rows, f"with {name}={values[0]!r}")
            rows = asked(filled.base, "search", self._question(filled.base, first), **{name: other})
            demand(
                not any(filled.is_about(row, first) for row in rows),
                f"search() of the {titled(filled.base)} with {name}={other!r} found a record whose {name} is "
                f"{values[0]!r}; leave out what the filter does not fit.",
            )

    def _question(self, base: KnowledgeBase, sample: Sample) -> str:
        return sample.text if base.capabilities.search_mode in _BY_NEARNESS else sample.word

    def _found(self, filled: Filled, sample: Sample) -> Record:
        rows = asked(filled.base, "search", self._question(filled.base, sample))
        return self._demand_first(filled, sample, rows)

    def _demand_first(self, filled: Filled, sample: Sample, rows: list[Record], how: str = "") -> Record:
        __tracebackhide__ = True
        demand(
            rows and filled.is_about(rows[0], sample),
            f"search({self._question(filled.base, sample)!r}) of the {titled(filled.base)} "
            f"{how and how + ' '}found {shown(identities(rows)) if rows else 'nothing'}; return first the "
            f"record with the text {shown(sample.text)}.",
        )
        return rows[0]

    def _many(self, filled: Filled, limit: int) -> list[Record]:
        """What a word that all samples have finds."""
        return asked(filled.base, "search", self.shared_word, limit=limit)
