from __future__ import annotations

import json
from typing import Any

import pytest

from fingerpost.tools import Tool, tool


@tool
def read(concept_id: str, page: int = 1, include_links: bool = False) -> dict[str, Any]:
    """Read."""
    return {"got": [concept_id, page, include_links]}


READ = Tool.of(read)


@tool
def status() -> str:
    """Say how things are."""
    return "well"


def got(sent: Any) -> Any:
    result = READ.call(sent)
    assert not result.is_error, result.text
    assert result.notes == ()
    return result.data["got"]


@pytest.mark.parametrize(
    "sent",
    [
        {"concept_id": "a", "page": 2},
        '{"concept_id": "a", "page": "2"}',
        json.dumps('{"concept_id": "a", "page": 2}'),
        b'{"concept_id": "a", "page": 2}',
        {"arguments": {"concept_id": "a", "page": 2}},
        {"args": {"concept_id": "a", "page": 2}},
        {"kwargs": {"concept_id": "a", "page": 2}, "args": []},
        {"parameters": {"concept_id": "a", "page": 2}},
        {"input": '{"concept_id": "a", "page": 2}'},
        {"raw": '{"concept_id": "a", "page": 2}'},
        {"name": "read", "arguments": '{"concept_id": "a", "page": 2}'},
        {"arguments": {"input": {"concept_id": "a", "page": 2}}},
        {"type": "object", "properties": {"concept_id": {"type": "string", "value": "a"}, "page": 2}},
        {"conceptId": "a", "PAGE": 2},
        {"concept-id": "a", "Page": 2},
        {"concept_id": "a", "page": 2, "include_links": None},
    ],
    ids=lambda sent: str(sent)[:40],
)
def test_the_arguments_are_found_whatever_is_around_them(sent: Any) -> None:
    assert got(sent) == ["a", 2, False]


@pytest.mark.parametrize(
    "sent", [None, "", "  ", "{}", "null", {}, {"args": [], "kwargs": {}}, {"raw": ""}, b""]
)
def test_nothing_sent_is_no_arguments(sent: Any) -> None:
    assert Tool.of(status).call(sent).text == "well"


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ("{", "not valid JSON (Expecting property name enclosed in double quotes at character 2)"),
        ('{"concept_id": "a",', "at character 20"),
        ("refunds", "The arguments are not valid JSON (Expecting value at character 1)"),
        ('["oops"]', "The arguments are a list"),
        (["oops"], "The arguments are a list"),
        ("42", "The arguments are a number"),
        (42, "The arguments are a number"),
        ('"plain"', "The arguments are not valid JSON"),
        ("true", "The arguments are true or false"),
        ({"raw": '["oops"]'}, "The arguments are a list"),
        ({"raw": "{"}, "The arguments are not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"concept_id": ' + "9" * 5000 + "}", "a number with too many digits"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_no_json_object_is_named_with_the_shape_to_send(sent: Any, problem: str) -> None:
    result = READ.call(sent)
    assert result.is_error
    assert problem in result.data["error"]
    assert result.data["error"].endswith('; send one JSON object such as {"concept_id": "text"}.')


def test_a_missing_argument_is_named_with_what_was_sent_instead() -> None:
    assert READ.call({}).data == {
        "error": 'The argument "concept_id" is missing; send one JSON object such as {"concept_id": "text"}.'
    }
    assert '("id" is no argument of this tool)' in READ.call({"id": "a"}).data["error"]
    assert READ.call({"concept_id": None}).is_error


def test_unknown_arguments_are_ignored_with_a_note() -> None:
    result = READ.call({"concept_id": "a", "include_link": True, "zzz": 1})
    assert result.data["got"] == ["a", 1, False]
    assert result.data["notes"] == [
        'There is no argument "include_link"; it was ignored. Did you mean "include_links"?',
        'There is no argument "zzz"; it was ignored.',
    ]


def test_many_unknown_arguments_do_not_flood_the_answer() -> None:
    result = READ.call({"concept_id": "a", **{f"zz{number}": 1 for number in range(1000)}})
    assert len(result.notes) == 7
    assert result.notes[-1] == "994 more arguments were changed or ignored."


def test_the_exact_name_wins_over_another_spelling() -> None:
    result = READ.call({"conceptId": "b", "concept_id": "a"})
    assert result.data["got"][0] == "a"
    assert result.notes == ('There is no argument "conceptId"; it was ignored.',)


def test_a_tool_with_an_argument_called_input_gets_it() -> None:
    def shout(input: str) -> str:  # noqa: A002
        return input.upper()

    assert Tool.of(shout).call({"input": "x"}).text == "X"


def test_python_calls_take_positions_and_names() -> None:
    call: Any = read
    assert json.loads(call("a", "3"))["got"] == ["a", 3, False]
    assert json.loads(call("a", include_links="yes"))["got"] == ["a", 1, True]
    assert json.loads(call(*"abcd"))["error"] == "At most 3 arguments can be given by position, not 4."
    assert json.loads(call("a", concept_id="b"))["error"] == (
        'The argument "concept_id" was given twice, by position and by name.'
    )


def test_the_same_bad_call_gets_the_same_answer() -> None:
    assert READ.invoke({"concept_id": "a", "page": "many"}) == READ.invoke(
        {"concept_id": "a", "page": "many"}
    )
