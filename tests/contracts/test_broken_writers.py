"""A store that writes wrongly fails in the checks that name its fault, with a sentence, and in no other."""

from __future__ import annotations

from typing import Any, cast

import pytest

from fingerpost import DocumentStore, MemoryDocumentStore
from fingerpost_testing.contracts import WritableStoreContract, run_contract
from tests.contracts import broken_swappers as swappers
from tests.contracts import broken_writers as writers
from tests.contracts.broken_writers import Shared

TWO = "swaps_of_two_objects_conflict"
OTHERS_OF_TWO = ("another_object_sees_what_was_written", "swaps_hold_between_processes")
CHECKS = {name for name in dir(WritableStoreContract) if name.startswith("test_")}

# The checks that fail, without "test_", and what stands in the sentence of the first of them.
WRITING: dict[type[Shared], tuple[str, str]] = {
    writers.SaysThatItIsOnlyRead: (
        "what_can_be_written_says_so",
        "returned None; raise KnowledgeCapabilityError, or return True from writable.",
    ),
    writers.WritesAndRemovesNothing: (
        (
            "what_can_be_written_says_so a_path_is_written_in_its_one_spelling "
            "a_path_that_leads_elsewhere_is_refused changes_tell_of_what_was_written "
            "delete_of_what_is_not_there_is_refused delete_removes_one_file "
            "what_is_written_has_another_signature"
        ),
        "raised KnowledgeCapabilityError('nothing is removed'); do it, or return False from writable.",
    ),
    writers.LosesEmptyFiles: (
        (
            "every_byte_is_written_as_it_is_given delete_removes_one_file "
            "several_that_append_lose_nothing swap_creates_where_nothing_is swap_removes_what_it_is_told "
            "swaps_of_two_objects_conflict writing_replaces_the_whole_file"
        ),
        "read_bytes('empty.md') of the store LosesEmptyFiles raised KnowledgeNotFoundError",
    ),
    writers.WritesText: (
        "every_byte_is_written_as_it_is_given swap_takes_the_same_bytes",
        "read_bytes('raw.bin') of the store WritesText gave 512 bytes",
    ),
    writers.CutsLargeFiles: (
        "every_byte_is_written_as_it_is_given",
        "read_bytes('large.bin') of the store CutsLargeFiles gave 524288 bytes",
    ),
    writers.KnowsNoNewFolders: (
        "every_byte_is_written_as_it_is_given",
        (
            "raised FileNotFoundError('new/folders/further/down/x.md'); create the file, and the folders "
            "above it."
        ),
    ),
    writers.ListsNoNewFolders: (
        "what_is_written_is_listed_and_exists",
        "lacks ['new/folders/x.md']; list every file as soon as it is written.",
    ),
    writers.DeniesWhatIsNew: (
        "what_is_written_is_listed_and_exists",
        "returned False after write_bytes('new.md'); return True.",
    ),
    writers.SeesFilesThatAreGone: (
        "delete_removes_one_file",
        "returned True after delete('b.md'); return False.",
    ),
    writers.WritesPathsAsTheyAre: (
        "a_path_is_written_in_its_one_spelling",
        "lacks ['new/x.md']; pass every path through writable_path() first.",
    ),
    writers.WritesOverTheStart: (
        "writing_replaces_the_whole_file readers_see_whole_files",
        "has other bytes in ['a.md']; put it in place of all that was there.",
    ),
    writers.KeepsTheBuffer: (
        "what_is_given_is_not_kept_hold_of",
        "gave b'All gone.' after the buffer",
    ),
    writers.SignsByLength: (
        (
            "what_is_written_has_another_signature another_object_sees_what_was_written "
            "changes_tell_of_what_was_swapped changes_tell_of_what_was_written"
        ),
        "stayed '10 bytes' though the file was replaced with other bytes of the same length",
    ),
    writers.SignsAnewAfterRemoval: (
        (
            "what_is_written_has_another_signature another_object_sees_what_was_written "
            "changes_tell_of_what_was_swapped"
        ),
        "though the file was removed and written with other bytes of the same length",
    ),
    writers.ForgetsRemovals: (
        (
            "changes_tell_of_what_was_written another_object_sees_what_was_written "
            "changes_tell_of_what_was_swapped"
        ),
        "named [] as removed instead of ['b.md']; report every write",
    ),
    writers.TellsNothingOfSwaps: (
        "changes_tell_of_what_was_swapped",
        "named [] as changed instead of ['a.md', 'new/y.md']; report every write",
    ),
    writers.ClimbsOut: (
        "a_path_that_leads_elsewhere_is_refused",
        "b'x')",
    ),
    writers.RefusesTooLate: (
        "a_path_that_leads_elsewhere_is_refused",
        ".hidden.md', b'x')]; look at the path before anything is done.",
    ),
    writers.WritesUnderAnotherName: (
        "a_path_that_leads_elsewhere_is_refused",
        "holds ['refused.md']; look at the path before anything is done.",
    ),
    writers.SwapsWhatIsHidden: (
        "a_path_that_leads_elsewhere_is_refused",
        "swap_bytes('.hidden.md') of the store SwapsWhatIsHidden returned None; raise KnowledgePathError.",
    ),
    writers.PutsFilesInPlaceOfFolders: (
        "a_file_and_a_folder_of_one_name_do_no_harm",
        "lacks ['a/b/c.md', 'a/z.md']; keep both, or raise a KnowledgeError.",
    ),
    writers.SaysNothingOfClashes: (
        "a_file_and_a_folder_of_one_name_do_no_harm",
        "lacks ['a.md/x.md']; keep both, or raise a KnowledgeError.",
    ),
    writers.RaisesErrorsOfTheSystem: (
        "a_file_and_a_folder_of_one_name_do_no_harm",
        "raised NotADirectoryError('a.md/x.md'); raise a KnowledgeError where",
    ),
    writers.RemovesInSilence: (
        "delete_of_what_is_not_there_is_refused a_path_that_leads_elsewhere_is_refused",
        "delete('absent.md') of the store RemovesInSilence returned None; raise KnowledgeNotFoundError.",
    ),
    writers.RaisesKeyErrors: (
        "delete_of_what_is_not_there_is_refused a_path_that_leads_elsewhere_is_refused",
        "raised KeyError(\"'absent.md'\"); raise KnowledgeNotFoundError.",
    ),
    writers.RemovesFolders: (
        "delete_of_what_is_not_there_is_refused",
        "lacks ['a/b/c.md', 'a/z.md']; remove one file, never a folder.",
    ),
    writers.RemovesTheContentAlone: (
        (
            "delete_removes_one_file a_path_is_written_in_its_one_spelling "
            "changes_tell_of_what_was_written delete_of_what_is_not_there_is_refused"
        ),
        "holds ['b.md']; remove this file and no other.",
    ),
    writers.ListsTemporaryFiles: (
        "nothing_that_is_half_written_is_listed",
        "listed ['b.md.tmp']; hide temporary files",
    ),
    writers.LeavesTemporaryFiles: (
        "nothing_that_is_half_written_is_listed",
        "'new/19.bin~']; hide temporary files",
    ),
    writers.RemovesBeforeItWrites: (
        "readers_see_whole_files nothing_that_is_half_written_is_listed",
        "raised KnowledgeNotFoundError",
    ),
    writers.WritesInTwoSteps: (
        "readers_see_whole_files",
        "000 bytes that were never written so; let the new content take the place of the old in one step.",
    ),
}
SWAPPING: dict[type[Shared], tuple[str, str]] = {
    swappers.TakesOldAsItIsTold: (
        (
            "swap_replaces_what_it_is_told one_of_several_that_create_a_file_wins "
            "several_that_append_lose_nothing swap_creates_where_nothing_is swap_removes_what_it_is_told "
            "swap_takes_the_same_bytes swaps_of_two_objects_conflict"
        ),
        "was not refused, though the file holds something else; raise ConflictError, and change nothing.",
    ),
    swappers.TakesEmptyForNothing: (
        "swap_creates_where_nothing_is",
        "swap_bytes('empty.md', None, b'The pier.') of the store TakesEmptyForNothing was not refused",
    ),
    swappers.ComparesLengths: (
        "swap_replaces_what_it_is_told swaps_of_two_objects_conflict",
        "swap_bytes('a.md', b'The mower.', b'x') of the store ComparesLengths was not refused",
    ),
    swappers.CreatesOverAnything: (
        "swap_creates_where_nothing_is one_of_several_that_create_a_file_wins swaps_of_two_objects_conflict",
        "was not refused, though a file is there; raise ConflictError",
    ),
    swappers.RemovesAnything: (
        "swap_removes_what_it_is_told swaps_of_two_objects_conflict",
        "swap_bytes('a.md', b'The bell.', None) of the store RemovesAnything was not refused",
    ),
    swappers.RefusesTheSameBytes: (
        "swap_takes_the_same_bytes",
        "raised ConflictError('nothing to do'); accept equal bytes.",
    ),
    swappers.WritesBeforeItRefuses: (
        (
            "swap_replaces_what_it_is_told one_of_several_that_create_a_file_wins "
            "swap_creates_where_nothing_is swap_takes_the_same_bytes swaps_of_two_objects_conflict"
        ),
        (
            "was refused, the store WritesBeforeItRefuses has other bytes in ['a.md']; compare before "
            "anything is written."
        ),
    ),
    swappers.CallsConflictsErrorsOfTheStore: (
        (
            "swap_replaces_what_it_is_told one_of_several_that_create_a_file_wins "
            "swap_creates_where_nothing_is swap_removes_what_it_is_told swap_takes_the_same_bytes "
            "swaps_of_two_objects_conflict"
        ),
        "though the file holds something else; raise ConflictError.",
    ),
    swappers.ComparesFirstAndWritesLater: (
        (
            "several_that_append_lose_nothing one_of_several_that_create_a_file_wins "
            "swaps_of_two_objects_conflict"
        ),
        "are lost; compare and write in one step.",
    ),
    swappers.CreatesWithoutALock: (
        "one_of_several_that_create_a_file_wins swaps_of_two_objects_conflict",
        "threads at once; compare and write in one step, so that one succeeds.",
    ),
    swappers.LetsNobodyAppend: (
        "several_that_append_lose_nothing swaps_of_two_objects_conflict",
        "raised ConflictError 1000 times in a row; let one of several writers succeed each time.",
    ),
    swappers.ReadsOnce: (
        "another_object_sees_what_was_written",
        "has other bytes in ['a.md']; look at the place in each call.",
    ),
    swappers.NamesItself: (
        "another_object_sees_what_was_written",
        "name the place alone, or return False from is_lasting.",
    ),
    swappers.RemembersWhatItWrote: (
        "swaps_of_two_objects_conflict",
        "though another object has replaced the file; raise ConflictError",
    ),
    swappers.TakesTurnsInOneProcess: (
        "swaps_hold_between_processes",
        "override it, so that the place itself compares and writes in one step.",
    ),
}
FAULTS = {**WRITING, **SWAPPING}


def contract_of(store: type[Shared]) -> type[WritableStoreContract]:
    def make(self: WritableStoreContract) -> DocumentStore:
        made = store()
        made.folder = self.folder
        return made

    def again(self: WritableStoreContract, other: DocumentStore) -> DocumentStore:
        assert isinstance(other, Shared)
        return other.over_the_same()

    members = {"make": make, "again": again}
    return cast("type[WritableStoreContract]", type(f"Of{store.__name__}", (WritableStoreContract,), members))


@pytest.mark.parametrize("store", FAULTS, ids=lambda store: store.__name__)
def test_a_fault_is_found_in_its_place_and_nowhere_else(store: type[Shared]) -> None:
    checks, says = FAULTS[store]
    found = run_contract(contract_of(store)).broken
    expected = [f"test_{name}" for name in checks.split()]
    assert set(found) == set(expected)
    assert says in found[expected[0]]
    assert all(sentence.endswith(".") and "; " in sentence for sentence in found.values())


def test_what_they_are_made_of_is_not_broken() -> None:
    report = run_contract(contract_of(Shared))
    assert (report.broken, report.left_out) == ({}, {})
    assert set(report.held) == CHECKS


def test_every_broken_one_is_in_the_table() -> None:
    values = [value for module in (writers, swappers) for value in vars(module).values()]
    own = {value for value in values if isinstance(value, type) and issubclass(value, Shared)}
    assert own - {Shared} == set(FAULTS)


def test_every_check_has_a_store_that_it_finds_out() -> None:
    assert {f"test_{name}" for checks, _ in FAULTS.values() for name in checks.split()} == CHECKS


@pytest.mark.parametrize("again", ["no store", "itself"])
def test_another_object_is_another(again: str) -> None:
    class OfIt(WritableStoreContract):
        def make(self) -> DocumentStore:
            return MemoryDocumentStore()

        def again(self, store: DocumentStore) -> Any:
            return store if again == "itself" else again

    found = run_contract(OfIt).broken
    assert set(found) == {f"test_{TWO}", *(f"test_{name}" for name in OTHERS_OF_TWO)}
    for sentence in found.values():
        assert sentence.startswith("again(store) returned ")
        assert sentence.endswith("; return another DocumentStore over the same place, or None.")
