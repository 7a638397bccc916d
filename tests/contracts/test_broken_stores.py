"""A broken store fails in the check that names its fault, with a sentence that says so, and in no other."""

from __future__ import annotations

from typing import cast

import pytest

from fingerpost import DocumentStore, LocalDocumentStore
from fingerpost_testing.contracts import DocumentStoreContract, run_contract
from tests.contracts import broken_stores as broken
from tests.contracts.healthy import Least, OfFolder, OfMemory

CHANGES = "changes_name_what_was_edited_added_and_removed"
UNCHANGED = "nothing_is_changed_where_nothing_changed a_cursor_can_be_written_down"
WRITE = "write_bytes_refuses_malformed_and_hidden_paths"

# The checks that fail, without "test_", and what stands in the sentence of the first of them.
FAULTS: dict[type[DocumentStore], tuple[str, str]] = {
    broken.ReadsByNameAlone: (
        "a_malformed_path_is_refused no_link_leads_out what_is_hidden_is_not_served",
        "returned b'A secret that lies outside.'; raise KnowledgePathError.",
    ),
    broken.Unsorted: ("every_file_is_listed_in_order", "return the sorted paths of all files"),
    broken.ListsByTheStartOfNames: ("a_prefix_is_a_folder", "take the prefix for a folder"),
    broken.ListsNothingAsAnError: (
        "nothing_is_listed_where_nothing_is",
        "raised LookupError('empty'); return [].",
    ),
    broken.RaisesErrorsOfTheSystem: (
        "what_is_not_there_is_not_found no_link_leads_out what_is_hidden_is_not_served",
        "raised FileNotFoundError('absent.md'); raise KnowledgeNotFoundError.",
    ),
    broken.ReadsText: ("bytes_are_read_as_they_were_stored", "return the very bytes"),
    broken.CutsAtTheCap: ("no_more_bytes_are_read_than_may_be", "returned b'The bell'; raise StoreError."),
    broken.IgnoresTheCap: ("no_more_bytes_are_read_than_may_be", "returned b'The bell.'; raise StoreError."),
    broken.TakesPathsAsTheyAre: (
        "a_path_has_one_meaning_however_it_is_spelt",
        "pass every path through normalise() first",
    ),
    broken.SeesNoEdits: (
        f"a_signature_stays_until_the_content_changes {CHANGES}",
        "though the file was edited; make it of the content",
    ),
    broken.SignsEachTimeAnew: (
        f"a_signature_stays_until_the_content_changes {UNCHANGED} {CHANGES}",
        "changed though the file did not",
    ),
    broken.IgnoresTheCursor: (
        f"{UNCHANGED} {CHANGES}",
        "though nothing happened; name what differs from the cursor",
    ),
    broken.ForgetsWhatWasRemoved: (CHANGES, "named [] as removed instead of ['b.md']"),
    broken.RemembersForItself: (CHANGES, "compare with the cursor that is given, whoever else has asked"),
    broken.WritesNothing: (
        f"write_bytes_creates_and_replaces {WRITE}",
        "returned None; raise KnowledgeCapabilityError.",
    ),
    broken.WritesAnywhere: (WRITE, "write_bytes('../x.md') of the store WritesAnywhere returned None; raise"),
    broken.WritesWhatIsHidden: (
        WRITE,
        "write_bytes('.hidden.md') of the store WritesWhatIsHidden returned None",
    ),
    broken.ShowsWhatIsHidden: ("what_is_hidden_is_not_served", "exists('.hidden.md')"),
    broken.ListsWhatIsHidden: ("what_is_hidden_is_not_served", "names what is hidden: ['.hidden.md'"),
    broken.ReadsOtherwiseInThreads: ("threads_read_the_same", "make it safe for threads"),
    broken.NamesFoldersAsFiles: (
        "a_folder_is_no_file",
        "exists('a') of the store NamesFoldersAsFiles returned True",
    ),
    broken.ClosesOnce: ("it_may_be_closed_twice", "do nothing where nothing is left to close"),
    broken.ChangesItsIdentity: (
        "the_identity_names_what_is_stored",
        "return one text that names what is stored",
    ),
}


def contract_of(store: type[DocumentStore]) -> type[DocumentStoreContract]:
    kind = OfFolder if issubclass(store, broken.IN_A_FOLDER) else OfMemory

    def make(self: DocumentStoreContract) -> DocumentStore:
        return broken.made(store, self.folder)

    return cast("type[DocumentStoreContract]", type(f"Of{store.__name__}", (kind,), {"make": make}))


@pytest.mark.parametrize("store", FAULTS, ids=lambda store: store.__name__)
def test_a_fault_is_found_in_its_place_and_nowhere_else(store: type[DocumentStore]) -> None:
    checks, says = FAULTS[store]
    found = run_contract(contract_of(store)).broken
    expected = [f"test_{name}" for name in checks.split()]
    assert set(found) == set(expected)
    assert says in found[expected[0]]
    assert all(sentence.endswith(".") and "; " in sentence for sentence in found.values())


def test_every_broken_one_is_in_the_table() -> None:
    values = [value for value in vars(broken).values() if isinstance(value, type)]
    assert {value for value in values if value.__module__ == broken.__name__} == set(FAULTS)


def test_a_contract_of_a_store_that_cannot_be_filled_fails_and_leaves_nothing_out() -> None:
    class OfIt(DocumentStoreContract):
        def make(self) -> DocumentStore:
            return LocalDocumentStore(self.folder, writable=False)

    report = run_contract(OfIt)
    assert report.left_out == {}
    assert len(report.broken) > 15
    assert (
        "override put(store, path, data) to store them in another way."
        in report.broken["test_what_is_there_exists"]
    )


def test_removing_cannot_be_checked_where_nobody_says_how() -> None:
    class OfIt(DocumentStoreContract):
        def make(self) -> DocumentStore:
            return Undeletable()

    class Undeletable(Least):
        writable = True  # type: ignore[assignment]

        def write_bytes(self, path: str, data: bytes) -> None:
            self.put(path, data)

    (found,) = run_contract(OfIt).broken.items()
    assert found[0] == f"test_{CHANGES}"
    assert "override remove(store, path) to remove one." in found[1]
