"""The recorded results of all drivers (`matrix.json`), and the page of the documentation made of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tests.loops.differences import DIFFERENCES, Difference
from tests.loops.playing import BY_NAME, play
from tests.loops.present import DRIVERS

HERE = Path(__file__).resolve().parent
FILE = HERE / "matrix.json"
PAGE = HERE.parents[1] / "docs" / "matrix.md"

Way = Literal["adapter", "plain"]

AS_SHOULD_BE = ("same", "not sent")
"""The verdicts that need no explanation."""

INTRODUCTION = """# Every framework, every scenario

This page is made from test results, never by hand: `./run matrix` plays every scenario with every framework
and writes it, and `./run test` checks every cell. A scripted model on loopback says what the scenario says;
the framework's own agent and OpenAI-compatible client do the rest. What the model saw is compared, word for
word, with an agent without a framework over the same tools. The MCP server and the Claude Agent SDK are asked
call by call, by the protocol's own client.

* **same**: every word that the model saw is that of the agent without a framework.
* **own words**: everything that the scenario requires happened; a text is the framework's, because the call
  never reached a tool.
* **differs**: something is lost, and the note says what and why.
* **ends**: an exception ends the run.
* **not sent**: the protocol carries arguments as an object, so that nothing else can be sent.

Each driver uses the cures that the page of its framework recommends. The first table also holds at the oldest
releases that the packages promise to work with: `./run test --floors` checks each of its cells there.
"""
PLAIN = """
## Plain functions, without an adapter

`OKFTools.functions()` and everything that `tool` made are plain functions whose annotations show every
framework the core's schema and leave reading the arguments to the core. Where a framework wants them wrapped
(`function_tool`, `tool`), they were. smolagents takes only functions that are defined in a file, and MCP and
the Claude Agent SDK take none.
"""


@dataclass(frozen=True)
class Column:
    """A framework in the matrix."""

    name: str
    title: str
    package: str
    version: str


def read() -> dict[str, Any]:
    """What is recorded: frameworks, and a verdict for each way, scenario and framework."""
    return (
        json.loads(FILE.read_text(encoding="utf-8"))
        if FILE.exists()
        else {"frameworks": {}, "adapter": {}, "plain": {}}
    )


def write(recorded: dict[str, Any]) -> None:
    """Record, and make the page anew."""
    FILE.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    PAGE.write_text(page(recorded), encoding="utf-8")


def explanation(way: Way, scenario: str, name: str, verdict: str) -> Difference | None:
    """Why a cell is not "same"; None where nothing explains it."""
    return next(
        (each for each in DIFFERENCES if each.explains(way, scenario, name, verdict)),
        None,
    )


def problem(way: Way, name: str, scenario: str) -> str:
    """Play a cell; say how it is not what is recorded and explained, "" if it is."""
    played = play(DRIVERS[name], BY_NAME[scenario], is_plain=way == "plain")
    recorded = read()[way][scenario].get(name)
    if played.verdict != recorded:
        return f"{played.verdict!r} instead of {recorded!r}: {played.seen}"
    if played.verdict in AS_SHOULD_BE:
        return ""
    reason = explanation(way, scenario, name, played.verdict)
    if reason is None or not reason.matches(played.seen):
        return f"{played.verdict!r}, which nothing in differences.py explains: {played.seen}"
    return ""


def page(recorded: dict[str, Any]) -> str:
    """The page of the documentation."""
    columns = [Column(name, *about) for name, about in recorded["frameworks"].items()]
    notes: list[str] = []
    tables = [_table(way, recorded[way], columns, notes) for way in ("adapter", "plain")]
    lines = [INTRODUCTION, *tables[0], PLAIN, *tables[1], "", "## Notes", ""]
    lines += [f"{number}. {note}" for number, note in enumerate(notes, 1)]
    versions = ", ".join(f"{column.title} {column.version}" for column in columns)
    return "\n".join([*lines, "", f"Versions: {versions}.", ""])


def _table(
    way: Way, verdicts: dict[str, dict[str, str]], columns: list[Column], notes: list[str]
) -> list[str]:
    shown = [column for column in columns if any(column.name in row for row in verdicts.values())]
    head = " | ".join(column.title for column in shown)
    lines = [f"| | {head} |", "|---" * (len(shown) + 1) + "|"]
    for scenario in BY_NAME:
        cells = [
            _cell(way, scenario, column.name, verdicts[scenario][column.name], notes) for column in shown
        ]
        lines.append(f"| {scenario} | {' | '.join(cells)} |")
    return lines


def _cell(way: Way, scenario: str, name: str, verdict: str, notes: list[str]) -> str:
    if verdict in AS_SHOULD_BE:
        return verdict
    note = explanation(way, scenario, name, verdict)
    if note is None:
        raise LookupError(f"Nothing in differences.py explains {way}, {scenario!r}, {name}: {verdict!r}.")
    if note.why not in notes:
        notes.append(note.why)
    mark = f"[{notes.index(note.why) + 1}](#notes)"
    return f"{verdict} {mark}" if verdict == "own words" else f"**{verdict}** {mark}"
