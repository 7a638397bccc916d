"""Fences, indexes, empty folders and staleness: the field cases 13 to 22, each with its smallest input."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from fingerpost import Bundle, ConfigError, LocalDocumentStore, OKFTools
from tests.core.cli.shell import environment, process
from tests.field_cases.folders import concept, places, read, refusal, tools_over, write

FENCES: dict[str, tuple[str, str, list[str]]] = {
    "two rules in the body": (
        concept("one\n\n---\n\ntwo\n\n---\n\nthree"),
        "one\n\n---\n\ntwo\n\n---\n\nthree",
        [],
    ),
    "closed by dots": (
        concept("one\n\n---\n\ntwo").replace("\n---\none", "\n...\none"),
        "one\n\n---\n\ntwo",
        ["a.md:5:1 OKF102"],
    ),
    "a blank after each fence": (
        concept("one").replace("---\n", "--- \n"),
        "one",
        ["a.md:1:4 OKF502", "a.md:5:4 OKF502"],
    ),
    "carriage return and line feed": (
        concept("one\n---\ntwo").replace("\n", "\r\n"),
        "one\r\n---\r\ntwo",
        [],
    ),
    "carriage return alone": (concept("one\n---\ntwo").replace("\n", "\r"), "one\r---\rtwo", []),
}


@pytest.mark.parametrize("name", FENCES)
def test_the_first_block_alone_is_front_matter_and_the_body_is_kept_whole(name: str, tmp_path: Path) -> None:
    """Row 13."""
    text, body, reported = FENCES[name]
    kb = tools_over(tmp_path, {"a.md": text})
    view = read(kb, "a")
    assert (view["type"], view["title"], view["body"]) == ("Policy", "Title", body)
    assert places(kb, notes=True) == reported


def test_a_rule_on_the_first_line_is_named_and_is_no_front_matter(tmp_path: Path) -> None:
    """Row 13."""
    kb = tools_over(tmp_path, {"a.md": "---\n\nExample!", "b.md": concept()})
    assert "if line 1 is meant as a horizontal rule, write it as ***" in refusal(kb.kb_read("a"))
    assert places(kb) == ["a.md:1:1 OKF102"]


def test_front_matter_of_indexes_is_stripped_reported_and_costs_no_concept(tmp_path: Path) -> None:
    """Row 16."""
    kb = tools_over(
        tmp_path,
        {
            "index.md": '---\nokf_version: "9.9"\n---\n# Top\n\n* [Sub](sub/)\n',
            "sub/index.md": "---\ntitle: Sub\n---\n# Below\n\n* [A](a.md)\n",
            "sub/a.md": concept(),
        },
    )
    top, below = kb.kb_index("/"), kb.kb_index("sub")
    assert top.split("\n", 1)[1].startswith("# Top\n\n* [Sub](/sub/)\n=====")
    assert below.split("\n", 1)[1].startswith("# Below\n\n* [A](/sub/a)\n=====")
    assert read(kb, "sub/a")["title"] == "Title"
    assert places(kb, notes=True) == ["index.md:2:1 OKF515", "sub/index.md:1:1 OKF301"]
    outcome = process("validate", str(tmp_path))
    assert outcome.returncode == 1
    assert b"`okf_version` is `9.9`, which is not known, and is read as 0.2" in outcome.stdout


def test_a_mistyped_folder_fails_when_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Row 19."""
    write(tmp_path, {"bundle/a.md": concept()})
    monkeypatch.chdir(tmp_path)
    said = f"'{tmp_path}/bundel' does not exist. Did you mean '{tmp_path}/bundle'"
    for opening in (OKFTools, Bundle, LocalDocumentStore):
        with pytest.raises(ConfigError) as caught:
            opening("./bundel")
        assert said in str(caught.value)
    outcome = process("validate", str(tmp_path / "bundel"))
    assert (outcome.returncode, outcome.stdout) == (2, b"")
    assert said.encode() in outcome.stderr


def test_an_empty_folder_is_warned_of_loudly_and_passes_no_validation(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Row 19."""
    kb = OKFTools(tmp_path)
    assert "No concepts lie in this folder." in kb.kb_index("/")
    said = json.loads(kb.kb_find("x"))["message"]
    assert said.startswith("0 concepts of this bundle were searched, and none matches. ")
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.getMessage() for record in warned] == [
        f"No concept was found in {tmp_path.as_uri()}; check that this is the bundle meant."
    ]
    outcome = process("validate", str(tmp_path))
    assert outcome.returncode == 1
    assert b"error OKF407 no-concepts" in outcome.stdout
    assert b"Conformance: no, there is no concept in 0 Markdown files" in outcome.stdout


CLOCK = """
import json, re, sys, time_machine
from fingerpost import OKFTools
kb = OKFTools(sys.argv[1])
told = {}
for now in ("2026-09-22T23:59:59Z", "2026-09-23T00:00:00Z"):
    with time_machine.travel(now, tick=False):
        told[now] = {
            "read": [id_ for id_ in kb.bundle.ids() if json.loads(kb.kb_read(id_))["stale"]],
            "find": sorted(hit["id"] for hit in json.loads(kb.kb_find())["results"] if hit["stale"]),
            "index": sorted(re.findall(r"\\]\\(/(\\w+)\\).*stale\\]", kb.kb_index("/"))),
            "validate": [item.path[:-3] for item in kb.bundle.diagnostics() if item.code == "OKF516"],
        }
print(json.dumps(told))
"""  # fmt: skip


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_a_concept_is_stale_from_the_start_of_its_day_in_utc_wherever_the_reader_is(
    zone: str, tmp_path: Path
) -> None:
    """Row 22."""
    dates = {
        "yesterday": "2026-09-22",
        "today": "2026-09-23",
        "quoted": '"2026-09-23"',
        "tomorrow": "2026-09-24",
    }
    write(tmp_path, {f"{name}.md": concept(fields=f"stale_after: {date}\n") for name, date in dates.items()})
    outcome = subprocess.run(
        [sys.executable, "-c", CLOCK, tmp_path],
        env=environment(TZ=zone),
        capture_output=True,
        timeout=60,
        check=True,
    )
    before, after = ["yesterday"], ["quoted", "today", "yesterday"]
    places_told = ("read", "find", "index", "validate")
    assert json.loads(outcome.stdout) == {
        "2026-09-22T23:59:59Z": dict.fromkeys(places_told, before),
        "2026-09-23T00:00:00Z": dict.fromkeys(places_told, after),
    }


@pytest.mark.parametrize("hours", [14, 0, -12])
def test_the_clock_can_be_given_and_its_zone_does_not_matter(hours: int, tmp_path: Path) -> None:
    """Row 22."""
    there = timezone(timedelta(hours=hours))
    write(tmp_path, {"a.md": concept(fields="stale_after: 2026-09-23\n")})
    start = datetime(2026, 9, 23, tzinfo=UTC)
    for moment, stale in ((start - timedelta(seconds=1), False), (start, True)):
        bundle = Bundle(tmp_path, clock=lambda moment=moment: moment.astimezone(there))
        assert read(OKFTools(bundle), "a")["stale"] is stale
        assert Bundle(tmp_path).read("a", now=moment.astimezone(there))["stale"] is stale


@pytest.mark.parametrize("written", ["someday", "2026-13-01", "[2026-09-23]"])
def test_a_date_of_expiry_that_cannot_be_read_is_no_proof_of_freshness(written: str, tmp_path: Path) -> None:
    """Row 22."""
    kb = tools_over(tmp_path, {"a.md": concept(fields=f"stale_after: {written}\n")})
    view = read(kb, "a")
    is_list = written.startswith("[")
    shown = "a list" if is_list else f"`{written}`"
    assert view["stale"] is False
    warning = (
        f"EXPIRY UNREADABLE: `stale_after` is {shown}, which is no date that can be read, so that `stale` "
        "says nothing. Check the concept against a current source, or say that it may be out of date."
    )
    assert view["warnings"] == [warning]
    assert "* [Title](/a) - One sentence. [Policy, stable, expiry unreadable]\n" in kb.kb_index("/")
    assert [hit["expiry_unreadable"] for hit in json.loads(kb.kb_find())["results"]] == [True]
    assert places(kb, notes=True) == ["a.md:5:1 OKF513" if is_list else "a.md:5:1 OKF503"]
