"""Those that keep the contracts pass them, each in what it declares."""

from __future__ import annotations

import pytest

from fingerpost_testing.contracts import DocumentStoreContract, KnowledgeBaseContract, run_contract
from fingerpost_testing.contracts.contract import Contract
from fingerpost_testing.contracts.subject import METHODS
from tests.contracts import healthy

CONTRACTS = [
    value for name, value in vars(healthy).items() if name.startswith("Of") and issubclass(value, Contract)
]

# Checks that may be left out although what they are about is declared, and why.
FOR_A_REASON = {
    "test_search_finds_nothing_for_a_word_that_stands_nowhere": "something is always near",
    "test_search_gives_what_was_stored": "what was stored is given by fetch()",
    "test_search_takes_the_filters_that_it_declares": "declares no filters",
    "test_write_refuses_a_revision_that_is_not_the_last": "have no revisions",
    "test_write_says_which_revision_is_the_last": "have no revisions",
    "test_write_takes_nobody_at_their_word": "show no trust",
}


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract.__name__)
def test_it_keeps_the_contract(contract: type[Contract]) -> None:
    report = run_contract(contract)
    assert report.broken == {}
    for name, reason in report.left_out.items():
        assert "does not declare" in reason or FOR_A_REASON[name] in reason


@pytest.mark.parametrize(
    ("contract", "declared"),
    [
        (healthy.OfArchive, {"search", "fetch", "browse", "write"}),
        (healthy.OfSearched, {"search"}),
        (healthy.OfTables, {"query"}),
        (healthy.OfPages, {"fetch", "browse", "write"}),
        (healthy.OfPagesInAFolder, {"fetch", "browse"}),
        (healthy.OfBundle, {"search", "fetch", "browse", "write"}),
    ],
)
def test_every_check_of_what_is_declared_is_made_and_no_other(
    contract: type[KnowledgeBaseContract], declared: set[str]
) -> None:
    report = run_contract(contract)
    for operation in METHODS:
        own = [name for name in dir(contract) if name.startswith(f"test_{operation}_")]
        made = [name for name in own if name in report.held]
        assert own
        assert made if operation in declared else not made
        if operation in declared:
            assert {name for name in own if name not in made} <= set(FOR_A_REASON)


def test_where_trust_is_shown_nobody_is_taken_at_their_word() -> None:
    for contract in (healthy.OfReviewed, healthy.OfRefusesClaims):
        assert "test_write_takes_nobody_at_their_word" in run_contract(contract).held


def test_no_check_of_a_store_is_left_out() -> None:
    for contract in CONTRACTS:
        if issubclass(contract, DocumentStoreContract):
            assert run_contract(contract).left_out == {}
