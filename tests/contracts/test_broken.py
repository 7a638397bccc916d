"""What is broken fails in the check that names its fault, with a sentence that says so, and in no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import pytest

from fingerpost import KnowledgeBase, Record
from fingerpost_testing.contracts import KnowledgeBaseContract, run_contract
from tests.contracts import broken, misleading
from tests.contracts import broken_records as records
from tests.contracts.healthy import OfArchive, OfFiltered, OfPagesInAFolder, OfSearched, OfTables


@dataclass(frozen=True)
class Fault:
    """What is wrong with a knowledge base, and what must come of it.

    Attributes:
        base: The knowledge base.
        checks: The names of the checks that fail, without "test_".
        says: What stands in the sentence of the first of them.
    """

    base: Any
    checks: str
    says: str


MODULES = (broken, misleading, records)
SEARCH = "search_finds_the_record_that_has_the_word search_finds_words_of_other_scripts"
SEEN = "write_is_seen_by_the_very_next_call"
REFUSES = "write_refuses_a_revision_that_is_not_the_last"
NAMES_IT = "write_says_which_revision_is_the_last"
TRUST = "write_takes_nobody_at_their_word"
SCHEMA = "the_schema_starts_with_the_name_and_ends_with_the_declaration"
FAULTS = [
    Fault(
        broken.ReturnsNothing,
        f"{SEARCH} search_heeds_the_limit {SEEN}",
        "found nothing; return first the record",
    ),
    Fault(
        broken.SameForEveryQuery,
        f"search_finds_nothing_for_a_word_that_stands_nowhere {SEARCH} {SEEN}",
        "though the word stands nowhere; return [] where nothing is found",
    ),
    Fault(
        broken.IgnoresLimit,
        "search_heeds_the_limit browse_heeds_the_limit",
        "limit=1) of the knowledge base 'archive' gave 6 of the 6 records with the word; return the first 1.",
    ),
    Fault(
        broken.Unordered,
        "search_keeps_one_order",
        "sort by relevance, and what is equally relevant by its id",
    ),
    Fault(
        broken.RaisesWhereNothingIs,
        "search_finds_nothing_for_a_word_that_stands_nowhere search_takes_any_text "
        "write_replaces_the_record_that_has_the_id",
        "raised LookupError('no match'); return [] where nothing is found",
    ),
    Fault(
        broken.ChokesOnQuotes,
        "search_takes_any_text",
        "raised SyntaxError('unterminated string'); take its words",
    ),
    Fault(
        broken.IgnoresFilters,
        "search_takes_the_filters_that_it_declares",
        "leave out what the filter does not fit",
    ),
    Fault(
        broken.DropsMetadata,
        "fetch_gives_the_metadata_that_was_stored",
        "gave None as the title of a record that was stored with 'Lamp oil'; keep metadata as it is",
    ),
    Fault(
        broken.LosesOtherLetters,
        "fetch_gives_letters_of_every_script_as_they_were_stored search_finds_words_of_other_scripts",
        "gave the text 'Die Strae zum Turm",
    ),
    Fault(
        broken.CutsTexts,
        "fetch_gives_the_text_that_was_stored fetch_gives_letters_of_every_script_as_they_were_stored",
        "return it whole, as it was stored",
    ),
    Fault(broken.TextsInLists, "search_gives_records", 'put a text under "text"'),
    Fault(broken.NoJson, "browse_gives_records", "whose metadata is no JSON (TypeError("),
    Fault(
        broken.CommasInIds,
        "every_record_has_an_id_that_can_stand_in_a_list the_tools_answer",
        "which fetch_kb cannot be given; make ids without commas",
    ),
    Fault(broken.OtherIdsInSearch, "what_other_answers_found_can_be_fetched", "use one id in all answers"),
    Fault(
        broken.NoIdsInBrowse,
        "every_record_has_an_id_that_can_stand_in_a_list",
        'fetched under metadata["id"]',
    ),
    Fault(
        broken.RaisesForUnknownIds,
        "fetch_gives_nothing_for_an_id_that_is_not_there fetch_gives_those_of_several_that_are_there "
        "fetch_serves_nothing_that_was_not_stored",
        "leave out what is not there",
    ),
    Fault(
        broken.AnswersEveryId,
        "fetch_gives_nothing_for_an_id_that_is_not_there fetch_serves_nothing_that_was_not_stored",
        "leave out what is not there",
    ),
    Fault(broken.FetchesOneOfSeveral, "fetch_gives_those_of_several_that_are_there", "each once"),
    Fault(
        broken.HidesTheLast,
        f"browse_lists_what_was_stored {SEEN}",
        "list the record with the id 'pier-sign' too",
    ),
    Fault(broken.UnorderedListing, "browse_keeps_one_order", "sort what is listed, as by its id"),
    Fault(broken.AnswersOneThreadAlone, "threads_get_equal_answers", "share what it holds among threads"),
    Fault(
        misleading.DerivesNothingAndIsToldNothing, "it_describes_itself", "though it declares derives_schema"
    ),
    Fault(
        broken.ListsAllForEveryPath,
        "browse_lists_nothing_below_a_path_that_is_not_there browse_serves_nothing_that_was_not_stored",
        "return [] below a path that is not there",
    ),
    Fault(broken.ChangesWhatItIsGiven, "write_changes_nothing_that_it_is_given", "work on copies of them"),
    Fault(broken.KeepsWhatItIsGiven, "write_keeps_no_hold_of_what_it_is_given", "store a copy of it"),
    Fault(
        broken.StoresOneOfSeveral,
        "write_stores_what_is_found_afterwards write_says_what_it_stored",
        "store each record of any iterable",
    ),
    Fault(
        broken.OneIdForAll,
        "write_stores_records_without_ids_side_by_side write_says_what_it_stored "
        "write_stores_what_is_found_afterwards writers_at_the_same_time_lose_nothing",
        "make a new id for each record that has none",
    ),
    Fault(
        broken.AddsWhereItShouldReplace,
        "write_replaces_the_record_that_has_the_id",
        "let the second take the place of the first",
    ),
    Fault(
        broken.FindsWhatWasReplaced,
        "write_replaces_the_record_that_has_the_id",
        "take the old text out of the index",
    ),
    Fault(
        broken.IgnoresRevisions,
        f"{REFUSES} {NAMES_IT}",
        "raise a KnowledgeError and store nothing when the revision is not that of the record",
    ),
    Fault(
        records.SaysNothingOfTheLastRevision,
        NAMES_IT,
        "while the last one is 'r2'; raise a KnowledgeError whose sentence names the last one.",
    ),
    Fault(
        records.RaisesKeyErrorsForOldRevisions,
        f"{REFUSES} {NAMES_IT}",
        "raised KeyError(\"'revision'\"); raise a KnowledgeError that says to read the record again.",
    ),
    Fault(records.SearchesAnOldIndex, SEEN, "search() of the knowledge base 'archive' gave [] right after"),
    Fault(records.SearchesWhatWasReplaced, SEEN, "and the word 'heron'; let every call see what was written"),
    Fault(records.BrowsesAnOldListing, SEEN, "browse() of the knowledge base 'archive' gave [('lamp-oil'"),
    Fault(
        records.FetchesWhatItRemembers, SEEN, "fetch() of the knowledge base 'archive' gave [] right after"
    ),
    Fault(records.TrustsWhatWasVerified, TRUST, "the trust 'human-reviewed' for a record that was written"),
    Fault(records.TrustsWhatIsSaid, TRUST, "let what is written be unverified, whatever its metadata"),
    Fault(records.TrustsTheText, TRUST, "shows the trust 'machine-confirmed' for a record"),
    Fault(records.TrustsEverything, TRUST, "let what is written be unverified, whatever its metadata"),
    Fault(broken.LosesUpdates, "writers_at_the_same_time_lose_nothing", "let one thread at a time write"),
    Fault(
        broken.BoundToItsThread, "threads_get_equal_answers", "make what it holds usable from every thread"
    ),
    Fault(
        misleading.DeclaresWhatItDoesNot,
        "what_is_declared_is_implemented browse_gives_records browse_heeds_the_limit browse_keeps_one_order "
        "browse_lists_nothing_below_a_path_that_is_not_there browse_lists_what_was_stored "
        "browse_serves_nothing_that_was_not_stored browse_starts_at_the_top",
        "declares browse and has no browse(); write it, or do not declare it.",
    ),
    Fault(
        misleading.DoesWhatItDoesNotDeclare,
        "what_is_implemented_is_declared",
        "has browse() and does not declare browse, so that no agent is offered it",
    ),
    Fault(
        misleading.RaisesByHand,
        "what_is_not_declared_raises_KnowledgeCapabilityError",
        "raised NotImplementedError('read only'); take the method out",
    ),
    Fault(
        misleading.HasRead, "there_is_no_read", "has a read(), which nothing calls; name it search or query"
    ),
    Fault(
        misleading.NoDescription,
        "the_description_says_something",
        "return a sentence that says what it holds",
    ),
    Fault(misleading.NameWithBlanks, "the_name_is_one_line_and_stays", "without blanks around it"),
    Fault(
        misleading.ChangesItsName,
        f"the_name_is_one_line_and_stays {SCHEMA} the_tools_answer the_tools_describe_it",
        "return the same name always",
    ),
    Fault(
        misleading.ChangesItsDeclaration,
        "the_declaration_makes_sense",
        "give the declaration to super().__init__(), which checks it, and do not change it later",
    ),
    Fault(misleading.OverridesTheDeclaration, SCHEMA, "end it with what is declared"),
    Fault(misleading.TurnsItsSchemaRound, SCHEMA, "start it with the name as its backend"),
    Fault(
        misleading.DerivesNothing,
        "it_describes_itself what_it_is_told_counts_more_than_what_it_derives",
        "return a mapping from _derived_schema()",
    ),
    Fault(misleading.DerivesInSecret, "what_is_implemented_is_declared", "does not declare derives_schema"),
    Fault(
        misleading.InsistsOnWhatItDerives,
        "what_it_is_told_counts_more_than_what_it_derives",
        "do not override schema()",
    ),
    Fault(misleading.ClosesOnce, "it_may_be_closed_twice", "do nothing where nothing is left to close"),
    Fault(misleading.EntersAsSomethingElse, "it_is_a_context_manager", "return self there"),
    Fault(
        misleading.ListsWithoutIds,
        "results_are_listed_with_the_ids_that_fetch_takes",
        "its id in square brackets where it can be fetched",
    ),
    Fault(
        broken.AllRowsForEveryStatement,
        "query_finds_nothing_where_no_record_is_asked_for query_finds_the_records_that_a_statement_asks_for",
        "though the word stands nowhere; return [] where nothing is found",
    ),
    Fault(broken.IgnoresLimitOfStatements, "query_heeds_the_limit", "gave 6 of 6 rows; return the first 1."),
    Fault(
        broken.UnorderedStatements,
        "query_keeps_one_order",
        "give rows an order where the statement leaves it open",
    ),
    Fault(
        broken.SilentAboutStatements,
        "query_explains_what_is_wrong_with_a_statement",
        "raise a KnowledgeError with a sentence by which the statement can be mended",
    ),
    Fault(
        broken.AnswersAnything,
        "query_explains_what_is_wrong_with_a_statement",
        "answered as if that were a statement; raise a KnowledgeError that says what is wrong",
    ),
    Fault(broken.EndsTheRun, "the_tools_return_text_whatever_they_are_given", "raised SystemExit('1')"),
]


def contract_of(base: Any) -> type[KnowledgeBaseContract]:
    kinds = {broken.IgnoresFilters: OfFiltered, broken.Archive: OfArchive, broken.Tables: OfTables}
    kind = next((kind for above, kind in kinds.items() if issubclass(base, above)), OfSearched)

    def make(_self: KnowledgeBaseContract) -> KnowledgeBase:
        return base()

    return cast("type[KnowledgeBaseContract]", type(f"Of{base.__name__}", (kind,), {"make": make}))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.base.__name__)
def test_a_fault_is_found_in_its_place_and_nowhere_else(fault: Fault) -> None:
    found = run_contract(contract_of(fault.base)).broken
    expected = [f"test_{name}" for name in fault.checks.split()]
    assert set(found) == set(expected)
    assert fault.says in found[expected[0]]
    for sentence in found.values():
        assert sentence.endswith(".")
        assert "; " in sentence


def test_every_broken_one_is_in_the_table() -> None:
    values = [value for module in MODULES for value in vars(module).values()]
    own = {
        value
        for value in values
        if getattr(value, "__module__", "") in {module.__name__ for module in MODULES}
    }
    assert own == {fault.base for fault in FAULTS} | {broken.EscapesTheRoot, broken.Lazy, broken.ListsTheRoot}


def test_rows_that_are_no_list_fail_whatever_reads_them() -> None:
    found = run_contract(contract_of(broken.Lazy)).broken
    searching = {name for name in dir(OfSearched) if name.startswith("test_search_")}
    assert set(found) == searching - {"test_search_takes_the_filters_that_it_declares"} | {
        "test_threads_get_equal_answers"
    }
    assert all("return a list of records, [] for none." in sentence for sentence in found.values())


@pytest.mark.parametrize(
    ("base", "check"),
    [(broken.EscapesTheRoot, "fetch"), (broken.ListsTheRoot, "browse")],
)
def test_one_that_escapes_its_root_is_found_out(base: type[broken.EscapesTheRoot], check: str) -> None:
    class OfIt(OfPagesInAFolder):
        def make(self) -> KnowledgeBase:
            return base(self.folder)

    found = run_contract(OfIt).broken
    assert set(found) == {f"test_{check}_serves_nothing_that_was_not_stored"}
    (sentence,) = found.values()
    assert "serve nothing but what was stored" in sentence


def test_a_contract_of_one_that_cannot_be_filled_fails_and_leaves_nothing_out() -> None:
    class OfIt(KnowledgeBaseContract):
        def make(self) -> KnowledgeBase:
            return broken.Searched()

    report = run_contract(OfIt)
    searching = {name for name in dir(OfIt) if name.startswith("test_search_")}
    assert searching <= set(report.broken)
    (sentence,) = {report.broken[name] for name in searching}
    assert sentence == (
        "The records to look for cannot be stored, because the knowledge base 'shelf' does not declare "
        "writable; override seed(base, records) to store them in another way."
    )


def test_a_query_without_a_statement_fails_and_is_not_left_out() -> None:
    class OfIt(KnowledgeBaseContract):
        def make(self) -> KnowledgeBase:
            return broken.Tables()

        def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> None:
            assert isinstance(base, broken.Tables)
            base.rows += records

    report = run_contract(OfIt)
    asking = {name for name in dir(OfIt) if name.startswith("test_query_")} - {
        "test_query_explains_what_is_wrong_with_a_statement"
    }
    assert asking <= set(report.broken)
    assert all("override statement(word)" in report.broken[name] for name in asking)
