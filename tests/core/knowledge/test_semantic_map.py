"""The semantic map: logical names in, physical ones out, and never back."""

from __future__ import annotations

from typing import Any

import pytest

from fingerpost.errors import ArgumentError, ConfigError
from fingerpost.knowledge.semantic_map import SemanticMap

MAP = SemanticMap(
    {
        "<ORDERS>": "shop.public.orders",
        "<ORDERS_OLD>": "archive.orders<ORDERS>",
        "customers": "crm.people",
        "customers_eu": "eu.clients",
        "<SHEET>": "TABLE(kb.system.sheet(id => 'X'))",
    }
)


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("SELECT * FROM <ORDERS>", "SELECT * FROM shop.public.orders"),
        ("<ORDERS_OLD> <ORDERS>", "archive.orders<ORDERS> shop.public.orders"),
        ("customers_eu and customers", "eu.clients and crm.people"),
        ("<SHEET>", "TABLE(kb.system.sheet(id => 'X'))"),
        ("nothing <else> <div>", "nothing <else> <div>"),
        ("", ""),
    ],
)
def test_names_are_resolved_in_one_pass_the_longest_first(text: str, resolved: str) -> None:
    assert MAP.resolved(text) == resolved


def test_a_placeholder_that_is_not_known_is_told_with_those_that_are() -> None:
    with pytest.raises(ArgumentError) as caught:
        MAP.resolved_statement("SELECT * FROM <ODRERS>")
    assert str(caught.value) == (
        "The placeholder <ODRERS> stands for nothing; the known ones are <ORDERS>, <ORDERS_OLD>, <SHEET>, "
        "customers, customers_eu."
    )


@pytest.mark.parametrize(
    "text", ["a <div> b", "x < Y > z", "<B>bold</B>", "if a<B and C>d", "<Orders>", "<ORDERS>"]
)
def test_other_angle_brackets_of_a_statement_are_left_alone(text: str) -> None:
    assert MAP.resolved_statement(text) == text.replace("<ORDERS>", "shop.public.orders")


def test_a_name_may_be_any_text() -> None:
    assert SemanticMap({"a.b|c": "x"}).resolved("a.b|c, aXb, c") == "x, aXb, c"


def test_without_a_map_a_statement_is_what_it_is() -> None:
    assert SemanticMap().resolved_statement("SELECT '<ORDERS>'") == "SELECT '<ORDERS>'"


def test_physical_names_are_hidden_again() -> None:
    error = "table shop.public.orders, not archive.orders<ORDERS> or eu.clients"
    assert MAP.hidden(error) == "table <ORDERS>, not <ORDERS_OLD> or customers_eu"
    assert SemanticMap().hidden(error) == error


def test_of_two_names_for_the_same_thing_the_first_is_shown() -> None:
    assert SemanticMap({"<A1>": "tab", "<A2>": "tab"}).hidden("tab") == "<A1>"


def test_a_physical_name_is_not_looked_for_within_words() -> None:
    names = SemanticMap({"<TABLE>": "order", "<A>": "a"})
    assert names.hidden("a reorder of order, ordered by 'a'") == "a reorder of <TABLE>, ordered by '<A>'"


def test_very_short_physical_names_are_looked_for_in_quotes_alone_and_blank_ones_not_at_all() -> None:
    names = SemanticMap({"<AB>": "ab", "<ABC>": "abc", "<NONE>": "", "<BLANK>": " "})
    assert names.hidden("ab, 'ab', abc, '' and ' '") == "ab, '<AB>', <ABC>, '' and ' '"
    assert names.resolved("<NONE>, <BLANK>.") == ",  ."


@pytest.mark.parametrize("names", [{"": "x"}, {"<A1>": 3}, {4: "x"}])
def test_a_map_takes_texts_to_texts(names: Any) -> None:
    with pytest.raises(ConfigError, match="takes texts to texts"):
        SemanticMap(names)


@pytest.mark.parametrize(
    "spelt",
    [
        "shop.public.orders",
        "SHOP.PUBLIC.ORDERS",
        'shop"."public"."orders',
        "shop`.`public`.`orders",
        "C:\\data\\own",
        repr("C:\\data\\own")[1:-1],
        "sheet(id => 'A')",
        "sheet(id => \\'A\\')",
    ],
)
def test_a_physical_name_is_hidden_however_an_engine_spells_it(spelt: str) -> None:
    names = SemanticMap({"<A1>": "shop.public.orders", "<A2>": "C:\\data\\own", "<A3>": "sheet(id => 'A')"})
    assert names.hidden(f"no '{spelt}' here") in {f"no '<A{number}>' here" for number in (1, 2, 3)}


def test_a_word_is_hidden_in_its_own_letter_case_alone() -> None:
    assert SemanticMap({"<A1>": "orders"}).hidden("Orders of orders") == "Orders of <A1>"
