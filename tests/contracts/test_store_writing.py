"""The stores of the core keep the contract of those that are written to; what is only read is left alone."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost import DocumentStore, KnowledgeCapabilityError, LocalDocumentStore, MemoryDocumentStore
from fingerpost_testing import DocumentStoreContract, WritableStoreContract, run_contract
from fingerpost_testing.contracts.contract import Contract
from tests.contracts.healthy import Least

BOTH = {name for kind in (DocumentStoreContract, WritableStoreContract) for name in dir(kind)}
OF_TWO = {
    "test_another_object_sees_what_was_written",
    "test_swaps_of_two_objects_conflict",
    "test_swaps_hold_between_processes",
}


class OfMemory(DocumentStoreContract, WritableStoreContract):
    def make(self) -> DocumentStore:
        return MemoryDocumentStore()


class OfFolder(DocumentStoreContract, WritableStoreContract):
    def make(self) -> DocumentStore:
        return LocalDocumentStore(self.folder)

    def again(self, store: DocumentStore) -> DocumentStore:
        return LocalDocumentStore(self.folder)


class OfMemoryAlone(WritableStoreContract):
    def make(self) -> DocumentStore:
        return MemoryDocumentStore()


class OfLeast(WritableStoreContract):
    def make(self) -> DocumentStore:
        return Least()


class OfFolderThatIsOnlyRead(WritableStoreContract):
    def make(self) -> DocumentStore:
        return LocalDocumentStore(self.folder, writable=False)


class TakesBytesAlone(MemoryDocumentStore):
    def write_bytes(self, path: str, data: bytes) -> None:
        hash(data)  # a buffer that may change has none
        super().write_bytes(path, data)


class OfOneThatTakesBytesAlone(WritableStoreContract):
    def make(self) -> DocumentStore:
        return TakesBytesAlone()


class RefusesOneWay(LocalDocumentStore):
    """It is only read, but for one method that says nothing."""

    silent = ""

    def write_bytes(self, path: str, data: bytes) -> None:
        self._unless_silent("write_bytes")

    def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
        self._unless_silent("swap_bytes")

    def delete(self, path: str) -> None:
        self._unless_silent("delete")

    def _unless_silent(self, method: str) -> None:
        if method != self.silent:
            raise KnowledgeCapabilityError("only read")


def names(contract: type[Contract]) -> set[str]:
    return {name for name in dir(contract) if name.startswith("test_")}


def test_memory_keeps_all_of_both_but_what_needs_two_objects() -> None:
    report = run_contract(OfMemory)
    assert report.broken == {}
    assert set(report.left_out) == OF_TWO
    assert set(report.held) | OF_TWO == {name for name in BOTH if name.startswith("test_")}
    reason = "again(store) makes no other object over the place of the store MemoryDocumentStore"
    assert set(report.left_out.values()) == {reason}


def test_a_folder_keeps_all_of_both() -> None:
    report = run_contract(OfFolder)
    assert (report.broken, report.left_out) == ({}, {})
    assert set(report.held) == names(OfFolder)


def test_the_contract_can_be_had_alone() -> None:
    report = run_contract(OfMemoryAlone)
    assert report.broken == {}
    assert set(report.held) == names(WritableStoreContract) - OF_TWO


@pytest.mark.parametrize("contract", [OfLeast, OfFolderThatIsOnlyRead], ids=lambda each: each.__name__)
def test_of_what_is_only_read_nothing_is_demanded_but_that_it_says_so(contract: type[Contract]) -> None:
    report = run_contract(contract)
    assert report.held == ("test_what_can_be_written_says_so",)
    assert report.broken == {}
    assert set(report.left_out) == names(contract) - {*report.held}
    (reason,) = set(report.left_out.values())
    assert reason.endswith(" is not writable")


@pytest.mark.parametrize("method", ["write_bytes", "swap_bytes", "delete"])
def test_what_is_only_read_refuses_each_of_the_three(method: str) -> None:
    class Silent(RefusesOneWay):
        silent = method

    class OfIt(WritableStoreContract):
        def make(self) -> DocumentStore:
            return Silent(self.folder, writable=False)

    (found,) = run_contract(OfIt).broken.items()
    assert found == (
        "test_what_can_be_written_says_so",
        (
            f"{method}('new.md') of the store Silent returned None; raise KnowledgeCapabilityError, or "
            "return True from writable."
        ),
    )


def test_a_store_that_takes_bytes_alone_is_told_nothing_about_buffers() -> None:
    report = run_contract(OfOneThatTakesBytesAlone)
    reasons: dict[str, Any] = {name: reason for name, reason in report.left_out.items() if name not in OF_TWO}
    assert report.broken == {}
    assert reasons == {
        "test_what_is_given_is_not_kept_hold_of": "the store TakesBytesAlone takes no bytearray "
        "(TypeError(\"unhashable type: 'bytearray'\"))"
    }
