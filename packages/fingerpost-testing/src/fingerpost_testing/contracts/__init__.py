"""Contracts: what knowledge bases and document stores are held to, as classes of tests to inherit from.

    class TestNotes(KnowledgeBaseContract):
        def make(self):
            return Notes(self.folder / "notes.db")

They need no test runner; pytest finds their tests, and `run_contract` runs them without.
"""

from __future__ import annotations

from fingerpost_testing.contracts.browsing import BrowseContract
from fingerpost_testing.contracts.declaring import BaseContract
from fingerpost_testing.contracts.demands import ContractError
from fingerpost_testing.contracts.describing import DerivedSchemaContract
from fingerpost_testing.contracts.fetching import FetchContract
from fingerpost_testing.contracts.knowledge import KnowledgeBaseContract
from fingerpost_testing.contracts.offering import ToolsContract
from fingerpost_testing.contracts.querying import QueryContract
from fingerpost_testing.contracts.running import ContractReport, run_contract
from fingerpost_testing.contracts.samples import SAMPLES, Sample
from fingerpost_testing.contracts.searching import SearchContract
from fingerpost_testing.contracts.stores import DocumentStoreContract, WritableStoreContract
from fingerpost_testing.contracts.writing import WriteContract

__all__ = [
    "SAMPLES",
    "BaseContract",
    "BrowseContract",
    "ContractError",
    "ContractReport",
    "DerivedSchemaContract",
    "DocumentStoreContract",
    "FetchContract",
    "KnowledgeBaseContract",
    "QueryContract",
    "Sample",
    "SearchContract",
    "ToolsContract",
    "WritableStoreContract",
    "WriteContract",
    "run_contract",
]
