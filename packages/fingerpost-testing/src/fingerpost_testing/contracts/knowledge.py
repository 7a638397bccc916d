"""The contract of a knowledge base, of which each declares which parts are its own."""

from __future__ import annotations

from fingerpost_testing.contracts.browsing import BrowseContract
from fingerpost_testing.contracts.declaring import BaseContract
from fingerpost_testing.contracts.describing import DerivedSchemaContract
from fingerpost_testing.contracts.fetching import FetchContract
from fingerpost_testing.contracts.offering import ToolsContract
from fingerpost_testing.contracts.querying import QueryContract
from fingerpost_testing.contracts.searching import SearchContract
from fingerpost_testing.contracts.writing import WriteContract


class KnowledgeBaseContract(
    BaseContract,
    SearchContract,
    QueryContract,
    FetchContract,
    BrowseContract,
    WriteContract,
    DerivedSchemaContract,
    ToolsContract,
):
    """What is demanded of a knowledge base: all of it where it is declared, the rest left out by name.

    Inherit from it and say how the knowledge base is made:

        class TestNotes(KnowledgeBaseContract):
            def make(self):
                return Notes(self.folder / "notes.db")

    One that cannot be written needs `seed` as well, one that declares `query` a `statement`.
    """

    picks_by_declaration = True
