from __future__ import annotations

import json
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fingerpost.tools import Cut
from fingerpost.tools.budget import fit, fit_text
from fingerpost.tools.losses import Loss, Losses

CUTS = (Cut("body", "Call again with page=2."), Cut("links", "Ask kb_index."), Cut("extra", "Read the file."))


def size(data: Any) -> int:
    return len(json.dumps(data, ensure_ascii=False))


def test_what_fits_is_returned_as_it_is() -> None:
    data = {"body": "short", "rows": [1, 2]}
    assert fit(data, 6_000, CUTS) == (data, [])


def test_the_first_declared_field_is_cut_first_and_the_answer_says_how_to_get_the_rest() -> None:
    links = [f"policies/{number}" for number in range(20)]
    data: dict[str, Any] = {"id": "x", "body": "One line of text.\n" * 300_000, "links": links}
    fitted, left_out = fit(data, 20_000, CUTS)
    body = fitted["body"]
    assert size(fitted) <= 20_000
    assert len(body) > 17_000
    assert data["body"].startswith(body)
    assert body.endswith("One line of text.")
    assert fitted["links"] == links
    assert left_out == fitted["left_out"]
    assert left_out == [
        {"field": "body", "shown": len(body), "total": 5_400_000, "how": "Call again with page=2."}
    ]
    assert len(data["body"]) == 5_400_000, "the data given is not changed"


def test_a_small_body_is_kept_when_another_field_is_what_is_too_long() -> None:
    data = {
        "body": "Two words. " * 20,
        "links": ["a"],
        "extra": {f"key{number}": "x" * 50 for number in range(1000)},
    }
    fitted, left_out = fit(data, 6_000, CUTS)
    assert fitted["body"] == data["body"]
    assert [entry["field"] for entry in left_out] == ["extra"]
    assert left_out[0]["total"] == 1000
    assert list(fitted["extra"]) == [f"key{number}" for number in range(left_out[0]["shown"])]
    assert 5_500 < size(fitted) <= 6_000


def test_lists_lose_their_tail() -> None:
    data = {"links": [f"policies/{number:05}" for number in range(10_000)]}
    fitted, left_out = fit(data, 6_000, CUTS)
    assert fitted["links"] == data["links"][: len(fitted["links"])]
    assert left_out == [
        {"field": "links", "shown": len(fitted["links"]), "total": 10_000, "how": "Ask kb_index."}
    ]
    assert 5_900 < size(fitted) <= 6_000


def test_without_declared_cuts_ten_thousand_hits_become_the_first_few() -> None:
    data: dict[str, Any] = {
        "results": [{"id": f"c/{number}", "snippet": "s" * 200} for number in range(10_000)],
        "total": 10_000,
    }
    fitted, left_out = fit(data, 6_000)
    assert fitted["results"] == data["results"][: len(fitted["results"])]
    assert len(fitted["results"]) > 20
    assert fitted["total"] == 10_000
    assert left_out[0] | {"shown": 0} == {
        "field": "results",
        "shown": 0,
        "total": 10_000,
        "how": "Ask for less at a time.",
    }


def test_one_cell_of_two_megabytes_does_not_cost_the_other_rows() -> None:
    rows = [{"id": number, "cell": "y" * (2_000_000 if number == 3 else 20)} for number in range(20)]
    fitted, left_out = fit(rows, 6_000)
    assert [row["id"] for row in fitted["result"]] == list(range(20))
    assert [row["cell"] for row in fitted["result"][4:]] == ["y" * 20] * 16
    assert [entry["field"] for entry in left_out] == ["result[].cell"]
    assert left_out[0]["total"] == 2_000_000


def test_a_cut_never_falls_inside_a_character() -> None:
    for shift in range(4):
        fitted, _ = fit({"text": "x" * shift + "👨\u200d👩\u200d👧" * 5_000}, 1_000)
        assert fitted["text"].lstrip("x").replace("👨\u200d👩\u200d👧", "") == ""


def test_a_key_that_is_itself_too_long_is_left_out() -> None:
    fitted, left_out = fit({"k" * 600: ["x" * 300], "id": 1}, 500)
    assert fitted == {"id": 1, "left_out": left_out}
    assert [(entry["field"], entry["shown"], entry["total"]) for entry in left_out] == [
        ("(the whole answer)", 1, 2)
    ]


CONCEPT: dict[str, Any] = {
    "links": [{"id": f"policies/{number}", "title": "A title"} for number in range(40)],
    "body": "One line of text.\n" * 400,
    "backlinks": {"first": [f"plans/{number}" for number in range(60)], "count": 60},
    "extra": {"owner": "ann", "notes": "n " * 2_000, "rows": list(range(900))},
    "id": "policies/cancellation",
    "title": "Cancelling a plan",
    "stale": False,
    "warnings": [],
}


@pytest.mark.parametrize("declared", [(), CUTS, (Cut("backlinks", "Ask kb_find."), Cut("extra", "Open it."))])
@pytest.mark.parametrize("limit", [800, 1_000, 2_000, 6_000])
def test_short_fields_are_kept_and_of_long_ones_a_useful_part(limit: int, declared: tuple[Cut, ...]) -> None:
    fitted, left_out = fit(CONCEPT, limit, declared)
    assert size(fitted) <= limit
    assert list(fitted) == [*CONCEPT, "left_out"]
    assert {key: fitted[key] for key in ("id", "title", "stale", "warnings")} == {
        "id": "policies/cancellation",
        "title": "Cancelling a plan",
        "stale": False,
        "warnings": [],
    }
    assert fitted["backlinks"]["count"] == 60
    assert fitted["extra"]["owner"] == "ann"
    assert len(fitted["body"]) >= 80
    assert CONCEPT["body"].startswith(fitted["body"])
    assert left_out
    assert left_out == fitted["left_out"]


def test_what_was_cut_within_a_field_is_named_with_the_advice_for_the_field() -> None:
    sources = [f"plans/{number:04}" for number in range(900)]
    data = {"id": "x", "backlinks": {"first": sources, "count": 900}}
    fitted, left_out = fit(data, 2_000, (Cut("backlinks", "Ask kb_find."),))
    shown = len(fitted["backlinks"]["first"])
    assert fitted["backlinks"] == {"first": sources[:shown], "count": 900}
    assert left_out == [{"field": "backlinks.first", "shown": shown, "total": 900, "how": "Ask kb_find."}]
    assert 1_900 < size(fitted) <= 2_000


def test_of_a_list_whose_first_element_is_too_long_a_part_of_that_is_shown() -> None:
    hits = [{"id": f"c/{number}", "description": "word " * 900, "stale": True} for number in range(20)]
    fitted, left_out = fit({"results": hits, "total": 20}, 2_000, (Cut("results", "Use more words."),))
    (hit,) = fitted["results"]
    assert (hit["id"], hit["stale"], fitted["total"]) == ("c/0", True, 20)
    assert len(hit["description"]) > 1_500
    assert left_out == [
        {
            "field": "results[].description",
            "shown": len(hit["description"]),
            "total": 4_500,
            "how": "Use more words.",
        },
        {"field": "results", "shown": 1, "total": 20, "how": "Use more words."},
    ]


def test_more_losses_than_can_be_listed_are_counted() -> None:
    data = {f"field{number}": "x" * 2_000 for number in range(9)}
    fitted, left_out = fit(data, 6_000)
    assert [entry["field"] for entry in left_out] == [
        "field0",
        "field1",
        "field2",
        "field3",
        "field4",
        "(4 more)",
    ]
    assert left_out[-1] == {"field": "(4 more)", "shown": 0, "total": 4, "how": ""}
    assert {key: len(fitted[key]) for key in data} == dict.fromkeys(data, len(fitted["field0"]))


def test_a_scalar_that_is_too_long_is_named_too() -> None:
    fitted, left_out = fit({"number": 10**2_000, "id": "x"}, 1_000)
    assert (fitted["number"], fitted["id"]) == (None, "x")
    assert left_out == [{"field": "number", "shown": 0, "total": 1, "how": "Ask for less at a time."}]


def test_what_an_earlier_cut_said_is_still_said_after_a_further_one() -> None:
    first, _ = fit({"links": [f"p/{number:05}" for number in range(5_000)], "id": "x"}, 3_000, CUTS)
    whole = {**first, "body": "One line of text.\n" * 4_000}
    for declared in (CUTS, CUTS[:1]):
        fitted, left_out = fit(whole, 6_000, declared)
        by_field = {entry["field"]: (entry["shown"], entry["total"]) for entry in left_out}
        assert by_field == {
            "links": (len(fitted["links"]), 5_000),
            "body": (len(fitted["body"]), 72_000),
        }


@pytest.mark.parametrize(
    "own",
    [
        "a text",
        [1],
        [{"field": "body", "shown": "1", "total": 2, "how": ""}],
        [{"field": "body", "shown": 1, "total": 10**4_000, "how": ""}],
    ],
)
def test_something_else_of_that_name_is_replaced(own: Any) -> None:
    fitted, left_out = fit({"left_out": own, "body": "x" * 9_000}, 2_000)
    shown = len(fitted["body"])
    assert (
        fitted["left_out"]
        == left_out
        == [
            {"field": "left_out", "shown": 0, "total": 1, "how": "Ask for less at a time."},
            {"field": "body", "shown": shown, "total": 9_000, "how": "Ask for less at a time."},
        ]
    )


def test_a_text_ends_with_what_was_left_out() -> None:
    text = "A line.\n" * 1_000
    fitted = fit_text(text, 1_000, "Call again with page=2.")
    head, closing = fitted.split("\n\n")
    assert text.startswith(head)
    assert closing == f"(Cut here: {len(head)} of 8,000 characters are shown. Call again with page=2.)"
    assert 950 < len(fitted) <= 1_000


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=2_000) | st.just('\n"\\' * 900),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=200), inner, max_size=20),
    max_leaves=60,
)


@given(PLAIN, st.integers(500, 3_000), st.booleans())
def test_whatever_the_data_it_fits_and_names_what_is_missing(data: Any, limit: int, declared: bool) -> None:
    keys = list(cast("dict[str, Any]", data))[:2] if declared and isinstance(data, dict) else []
    cuts = [Cut(key, "Ask again.") for key in keys]
    fitted, left_out = fit(data, limit, cuts)
    assert size(fitted) <= limit
    assert json.loads(json.dumps(fitted)) == fitted
    if size(data) <= limit:
        assert (fitted, left_out) == (data, [])
    else:
        assert fitted["left_out"] == left_out
        assert left_out
        assert all(entry["shown"] <= entry["total"] for entry in left_out)
    assert fit(data, limit, cuts) == (fitted, left_out)


@pytest.mark.parametrize(
    "data",
    [
        list(range(1_000_000)),
        {f"key{number}": number for number in range(200_000)},
        {"a": '\n"é😀' * 1_200_000},
        [["x" * 500] * 10] * 1_000,
        ["x" * 5_000_000],
    ],
    ids=["numbers", "keys", "escapes", "rows", "one text"],
)
def test_five_megabytes_of_any_form_fit_and_use_the_room(data: Any) -> None:
    fitted, left_out = fit(data, 6_000)
    assert 5_000 < size(fitted) <= 6_000
    assert left_out


def test_the_losses_of_a_field_are_its_own_and_those_within_it() -> None:
    losses = Losses({name: Loss(1, 2) for name in ("links", "links[].x", "links.y", "linksmith", "extra")})
    assert list(losses.within("links").by_field) == ["links", "links[].x", "links.y"]
    assert list(losses.without("links").by_field) == ["linksmith", "extra"]
