"""What a `CodeAgent` shows of a tool is valid Python that says how to call it, and calling it so works."""

from __future__ import annotations

import ast
import datetime
import enum
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest
from openai import DefaultHttpxClient
from smolagents import CodeAgent, LogLevel, OpenAIModel  # pyright: ignore[reportMissingTypeStubs]

from fingerpost import demo_bundle
from fingerpost.tools import Between, ToolContext
from fingerpost_smolagents import bind, okf_tools
from fingerpost_testing import Script, play, say
from fingerpost_testing.messages import messages_of


class Color(enum.Enum):
    """A choice."""

    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    """A choice of numbers."""

    SMALL = 1
    LARGE = 2


class Shade(enum.Enum):
    """A choice whose values do not travel, so that its names do."""

    DARK = (0, 0, 0)


@dataclass
class Item:
    """An object with a key that can be left out."""

    name: Annotated[str, "What it is called."]
    count: Annotated[int, Between(1, 9)] = 1


class Order(TypedDict):
    """An object that holds objects."""

    items: list[Item]
    due: datetime.date


class Node(TypedDict):
    """An object that holds itself, twice."""

    left: Node
    right: Node


def paint(
    color: Color = Color.RED,
    item: Optional[Item] = None,
    order: Optional[Order] = None,
    finish: Literal["matt", "gloss"] = "matt",
    coats: Annotated[int, Between(1, 5)] = 2,
) -> str:
    """Paint a thing.

    Args:
        color: The colour
        coats: How often.
    """
    return f"{color} {item} {order} {finish} {coats}"


def shown(function: Callable[..., object]) -> str:
    """The function as a model is shown it."""
    (made,) = bind([function])
    return made.to_code_prompt()


def head(function: Callable[..., object]) -> str:
    """The first line of it, from bracket to bracket."""
    return shown(function).split("\n")[0].partition("(")[2].removesuffix(") -> str:")


PAINT = '''\
def paint(color: Literal['red', 'blue'] = 'red', item: Optional[dict] = None, order: Optional[dict] = None, \
finish: Literal['matt', 'gloss'] = 'matt', coats: int = 2) -> str:
    """Paint a thing.

    Args:
        color: The colour
        item: Keys "name" (str, required; What it is called), "count" (int; at least 1, at most 9).
        order: Keys "items" (list[dict], required; each: keys "name" (str, required; What it is called), \
"count" (int; at least 1, at most 9)), "due" (str, required; format date).
        coats: How often. At least 1, at most 5.
    """'''


def test_choices_objects_dates_and_bounds_are_shown_as_they_travel() -> None:
    assert shown(paint) == PAINT


def times(
    day: datetime.date,
    at: Optional[datetime.datetime] = None,
    key: Optional[uuid.UUID] = None,
    since: datetime.date = datetime.date(2026, 1, 2),
) -> str:
    """Tell times."""
    return f"{day!r} {at!r} {key!r} {since!r}"


def test_texts_of_a_format_are_texts_and_name_it() -> None:
    assert (
        head(times)
        == "day: str, at: Optional[str] = None, key: Optional[str] = None, since: Optional[str] = None"
    )
    lines = shown(times).split("\n")[-5:]
    assert lines == [
        "        day: Format date.",
        "        at: Format date-time.",
        "        key: Format uuid.",
        "        since: Format date.",
        '    """',
    ]


def various(
    size: Size,
    shades: list[Shade],
    many: tuple[Color, ...] = (),
    pair: tuple[int, str] = (1, "a"),
    free: dict[str, Any] = {},  # noqa: B006
    counts: Optional[dict[str, int]] = None,
    either: Union[int, Item, list[Color]] = 1,
    ratio: float = 0.5,
    endless: float = float("inf"),
    what: Any = None,
    tags: set[str] = frozenset(),  # type: ignore[assignment]
) -> str:
    """Take all kinds."""
    return f"{size!r} {shades} {many} {pair} {free} {counts} {either} {ratio} {endless} {what} {tags}"


def test_every_kind_of_argument_is_shown_as_the_json_value_that_it_is() -> None:
    assert head(various).split(", ", 2)[0] == "size: Literal[1"
    assert head(various) == (
        "size: Literal[1, 2], shades: list[Literal['DARK']], many: list[Literal['red', 'blue']] = [], "
        "pair: list = [1, 'a'], free: Optional[dict] = None, counts: Optional[dict] = None, "
        "either: Union[int, dict, list[Literal['red', 'blue']]] = 1, ratio: float = 0.5, "
        "endless: Optional[float] = None, what: Any = None, tags: Optional[list[str]] = None"
    )
    assert '        either: As dict: keys "name" (str, required; What it is called), "count" (int; ' in shown(
        various
    )


def test_a_bound_on_one_side_is_told_alone() -> None:
    def wait(least: Annotated[float, Between(low=0.5)], most: Annotated[int, Between(high=9)] = 1) -> str:
        """Wait."""
        return f"{least} {most}"

    assert "        least: At least 0.5.\n        most: At most 9.\n" in shown(wait)


def test_what_python_takes_by_name_alone_is_shown_so_and_the_context_is_not_shown() -> None:
    def look(context: ToolContext, at: str, *, closely: bool = False) -> str:
        """Look."""
        return f"{context} {at} {closely}"

    assert head(look) == "at: str, *, closely: bool = False"


def test_a_type_that_holds_itself_is_told_to_a_depth() -> None:
    def grow(tree: Node) -> str:
        """Grow."""
        return str(tree)

    text = shown(grow)
    assert 'tree: Keys "left" (dict, required; keys "left" (dict' in text
    assert len(text) < 2_000


def quoted(text: str = 'say """now"""') -> str:
    r'''Take """quotes""", a \d and a \N.

    Args:
        text: A "text", as in """this""" or C:\new.
    '''
    return text


class Empty(enum.Enum):
    """A choice of nothing."""


def nothing(empty: Optional[Empty] = None) -> str:
    """Take nothing."""
    return str(empty)


@pytest.mark.parametrize("function", [paint, times, various, quoted, nothing, *okf_tools(demo_bundle())])
def test_what_is_shown_is_valid_python_with_the_docstring_as_it_was_written(function: Any) -> None:
    made: Any = function if hasattr(function, "guarded") else bind([function])[0]
    (definition,) = ast.parse(made.to_code_prompt()).body
    assert isinstance(definition, ast.FunctionDef)
    assert [each.arg for each in definition.args.args] == [each.name for each in made.guarded.parameters]
    told = ast.get_docstring(definition) or ""
    assert told.startswith(made.description)
    assert all(each.description in told for each in made.guarded.parameters)


def run(code: str, *functions: Callable[..., object]) -> tuple[str, Any]:
    """What a `CodeAgent` was shown of functions, and its final answer with a model that writes this code."""
    said = say(f"Thought: I need this.\n<code>\n{code}\n</code>")
    with play(Script(said)) as session, DefaultHttpxClient(trust_env=False) as client:
        settings = {"max_retries": 0, "http_client": client}
        model = OpenAIModel("scripted", api_base=session.base_url, api_key="none", client_kwargs=settings)
        agent: Any = CodeAgent(bind(functions), model, verbosity_level=LogLevel.OFF)
        answer = agent.run("Go.")
    return messages_of(session.requests[0].body)[0].text, answer


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        ("paint()", "Color.RED None None matt 2"),
        ("paint('blue', {'name': 'x'})", "Color.BLUE Item(name='x', count=1) None matt 2"),
        (
            "paint(color='red', order={'items': [{'name': 'x', 'count': 3}], 'due': '2026-01-02'}, coats=5)",
            "Color.RED None {'items': [Item(name='x', count=3)], 'due': datetime.date(2026, 1, 2)} matt 5",
        ),
        ("paint('blue', None, None, 'gloss', 1)", "Color.BLUE None None gloss 1"),
    ],
)
def test_an_agent_that_writes_code_calls_a_tool_as_it_is_shown(call: str, answer: str) -> None:
    system, said = run(f"final_answer({call})", paint)
    assert PAINT in system
    assert said == answer


def test_none_is_the_default_where_it_is_shown_as_the_default() -> None:
    assert run("final_answer(times('2026-01-02', None, None, None))", times)[1] == run(
        "final_answer(times('2026-01-02'))", times
    )[1]  # fmt: skip
    assert run("final_answer(various(2, ['DARK'], endless=None, tags=None, free=None))", various)[1] == (
        "<Size.LARGE: 2> [<Shade.DARK: (0, 0, 0)>] () (1, 'a') {} None 1 0.5 inf None frozenset()"
    )


def note(entry: Optional[Item] = None, name: str = "none", times: int = 1) -> str:
    """Note an entry."""
    return f"{entry} {name} {times}"


def keep(data: dict[str, int], key: str = "none") -> str:
    """Keep data."""
    return f"{data} {key}"


def find(text: str, limit: int = 10) -> str:
    """Find."""
    return f"{text} {limit}"


def top(path: str = "/", page: int = 1) -> str:
    """Show the top."""
    return f"{path} {page}"


@pytest.mark.parametrize(
    ("function", "call", "answer"),
    [
        (find, "find({'text': 'brakes', 'limit': '2'})", "brakes 2"),
        (top, "top({'page': 3})", "/ 3"),
        (top, "top({})", "/ 1"),
        (keep, "keep({'data': {'a': 1}, 'key': 'k'})", "{'a': 1} k"),
        (keep, "keep({'key': 1})", "{'key': 1} none"),
        (keep, "keep({})", "{} none"),
        (note, "note({'entry': {'name': 'x'}, 'times': 2})", "Item(name='x', count=1) none 2"),
        (note, "note({'name': 'x'})", "Item(name='x', count=1) none 1"),
    ],
)
def test_one_dict_by_position_is_the_arguments_where_it_can_be_nothing_else(
    function: Callable[..., object], call: str, answer: str
) -> None:
    assert run(f"final_answer({call})", function)[1] == answer


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"text": "brakes", "colour": "red"}, "takes a text, not an object"),
        ({"limit": 2}, '\\"text\\" is missing'),
    ],
)
def test_one_dict_that_does_not_do_is_answered_by_the_core(sent: dict[str, object], said: str) -> None:
    (made,) = bind([find])
    assert said in made(sent)
