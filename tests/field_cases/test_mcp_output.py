"""What an MCP client gets: the field cases 2, 83 and 84, each with its smallest input."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import fingerpost_mcp
from fingerpost import OKFTools, demo_bundle
from tests.core.cli.shell import environment, process
from tests.field_cases.adapters import by_mcp, mcp_result
from tests.field_cases.folders import concept, tools_over, write
from tests.field_cases.test_front_matter import DATED, DATED_EXTRA
from tests.mcp.test_server import listed
from tests.mcp.test_stdio import piped, read_call, request, results

DEMO = OKFTools(demo_bundle())


def test_bare_dates_reach_an_mcp_client_as_text(tmp_path: Path, server_environment: dict[str, str]) -> None:
    """Row 2."""
    kb = tools_over(tmp_path / "kb", {"a.md": DATED})
    assert json.loads(by_mcp(kb.kb_read, {"concept_id": "a"}))["extra"] == DATED_EXTRA
    assert json.loads(by_mcp(kb.kb_find, {"text": "x"}))["total"] == 1
    assert "(/a)" in by_mcp(kb.kb_index, {})
    served = piped(str(tmp_path / "kb"), read_call(1, "a"), variables=server_environment)
    assert json.loads(results(served.stdout)[1]["content"][0]["text"])["extra"] == DATED_EXTRA


LOCALES = [
    {"LC_ALL": "C", "PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C", "PYTHONIOENCODING": "cp950"},
    {"LC_ALL": "C", "PYTHONIOENCODING": "cp950", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
]


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: f"{locale['PYTHONIOENCODING']} {len(locale)}")
def test_arabic_goes_in_and_comes_out_as_the_same_bytes_in_every_locale(
    locale: dict[str, str], tmp_path: Path, server_environment: dict[str, str]
) -> None:
    """Row 83."""
    kb = str(write(tmp_path / "متجر", {"سياسة.md": concept("سياسة الإرجاع – ٣٠ يومًا", "owner: متجر\n")}))
    calls = (
        read_call(1, "سياسة"),
        request(2, "tools/call", name="kb_find", arguments={"text": "الارجاع"}),
        request(3, "tools/call", name="kb_index", arguments={}),
    )
    plain = piped(kb, *calls, variables=server_environment | {"PYTHONUTF8": "1"})
    other = piped(kb, *calls, variables=server_environment | locale)
    answers = results(other.stdout)
    assert json.loads(answers[1]["content"][0]["text"])["extra"] == {"owner": "متجر"}
    assert json.loads(answers[2]["content"][0]["text"])["results"][0]["id"] == "سياسة"
    assert "(/سياسة)" in answers[3]["content"][0]["text"]
    assert sorted(other.stdout.splitlines()) == sorted(plain.stdout.splitlines())


COMMANDS = {
    "read": ("سياسة", "--section", "الإرجاع"),
    "find": ("الإرجاع", "--text", "يومًا", "--type", "سياسة", "--tag", "دعم"),
    "index": ("ملفات",),
    "links": ("سياسة",),
}


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: f"{locale['PYTHONIOENCODING']} {len(locale)}")
@pytest.mark.parametrize("command", COMMANDS)
def test_arabic_arguments_of_a_command_are_understood_in_every_locale(
    command: str, locale: dict[str, str], tmp_path: Path
) -> None:
    """Row 83."""
    text = "---\ntype: سياسة\ntags: [دعم]\n---\n# الإرجاع\n\n٣٠ يومًا [x](ملفات/x.md)\n"
    kb = write(tmp_path / "متجر", {"سياسة.md": text, "ملفات/x.md": concept()})
    words = (command, str(kb), *COMMANDS[command], "--json")
    plain, other = process(*words, PYTHONUTF8="1"), process(*words, **locale)
    assert (plain.returncode, plain.stderr) == (0, b"")
    assert (other.returncode, other.stdout, other.stderr) == (0, plain.stdout, b"")


IN_PYTHON = (
    "import json, sys; from fingerpost import OKFTools; print(json.loads(OKFTools('{}').kb_find())['total'])"
)


@pytest.mark.parametrize("locale", LOCALES, ids=lambda locale: f"{locale['PYTHONIOENCODING']} {len(locale)}")
def test_a_folder_with_an_arabic_name_is_opened_in_every_locale(
    locale: dict[str, str], tmp_path: Path
) -> None:
    """Row 83."""
    kb = write(tmp_path / "متجر", {"a.md": concept()})
    command = [sys.executable, "-c", IN_PYTHON.format(ascii(str(kb))[1:-1])]
    outcome = subprocess.run(command, env=environment(**locale), capture_output=True, timeout=60, check=False)
    assert (outcome.stdout, outcome.stderr) == (b"1\n", b"")


def divide(by: int) -> dict[str, float]:
    """Divide twelve.

    Args:
        by: The divisor.
    """
    return {"quotient": 12 / by}


CALLS: list[tuple[Callable[..., object], dict[str, Any], bool]] = [
    (DEMO.kb_index, {}, False),
    (DEMO.kb_index, {"path": "nowhere"}, True),
    (DEMO.kb_read, {"concept_id": "plans/day"}, False),
    (DEMO.kb_read, {"concept_id": "plans/night"}, True),
    (DEMO.kb_read, {}, True),
    (DEMO.kb_find, {"text": "refund"}, False),
    (DEMO.kb_find, {"text": "zeppelin"}, False),
    (DEMO.kb_find, {"text": "refund", "limit": "many"}, False),
    (divide, {"by": 4}, False),
    (divide, {"by": 0}, True),
]


@pytest.mark.parametrize(("function", "sent", "is_error"), CALLS)
def test_a_result_is_reported_as_the_failure_or_success_that_it_is(
    function: Callable[..., object], sent: dict[str, Any], is_error: bool
) -> None:
    """Row 84."""
    (offered,) = listed(fingerpost_mcp.bind([function]))
    result = mcp_result(function, sent)
    assert offered.output_schema is None
    assert result.structured_content is None
    assert result.is_error is is_error
    assert by_mcp(function, sent).startswith('{"error": ') is is_error
