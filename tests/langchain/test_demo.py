"""`fingerpost demo` answers from the bundle, and fails when the bundle says otherwise."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from fingerpost import ConfigError, demo_bundle
from fingerpost.cli.output import say
from fingerpost_langchain.demo import (
    ANSWER,
    FACTS,
    Run,
    Step,
    cited,
    command,
    find_problems,
    show_step,
)

PATIENCE = 120


@pytest.fixture(autouse=True)
def environment_is_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_COLOR", "LANGSMITH_TRACING", "LANGSMITH_TRACING_V2"):
        monkeypatch.setenv(name, os.environ.get(name, ""))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the sample bundle, to edit."""
    return Path(shutil.copytree(demo_bundle(), tmp_path / "bundle"))


def parsed(*arguments: str) -> Namespace:
    parser = ArgumentParser()
    command(parser.add_subparsers())
    return parser.parse_args(["demo", *arguments])


def run(*arguments: str) -> int:
    options = parsed(*arguments)
    return options.run(options)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_demo_shows_each_call_the_answer_and_its_source(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert ANSWER in " ".join(shown.out.split())
    for line in (
        "The model is scripted",
        '1  kb_index(path="/")',
        '2  kb_find(text="cancel season plan refund")',
        "left out because deprecated: 1",
        '3  kb_read(concept_id="plans/season")',
        "plans/season  Season plan  [Plan, stable, human-reviewed]",
        '4  kb_read(concept_id="policies/cancellation")',
        "policies/cancellation  Cancelling a plan  [Policy, stable, human-reviewed]",
    ):
        assert line in shown.out
    assert shown.out.rindex("policies/cancellation  Cancelling a plan") > shown.out.rindex("Sources")
    assert "\x1b" not in shown.out


def test_the_json_document_holds_calls_results_answer_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json") == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert (document["model"], document["is_scripted"]) == ("scripted", True)
    assert [step["tool"] for step in document["steps"]] == ["kb_index", "kb_find", "kb_read", "kb_read"]
    assert document["steps"][1]["result"]["left_out_deprecated"] == 1
    assert "30 days" in document["steps"][3]["result"]["body"]
    assert document["answer"] == ANSWER
    assert document["sources"] == [
        {
            "id": "policies/cancellation",
            "title": "Cancelling a plan",
            "status": "stable",
            "trust": "human-reviewed",
            "stale": False,
        }
    ]
    assert document["problems"] == []


def test_a_bundle_with_another_rule_makes_the_demo_fail(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(copy / "policies/cancellation.md", "**30 days**", "**20 days**")
    edit(copy / "policies/cancellation.md", "After 30 days", "After 20 days")
    assert run("--bundle", str(copy)) == 1
    assert 'The answer says "30 days"' in capsys.readouterr().err


def test_a_bundle_whose_rule_is_retired_makes_the_demo_fail(
    copy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(copy / "policies/cancellation.md", "status: stable", "status: deprecated")
    assert run("--bundle", str(copy)) == 1
    shown = capsys.readouterr()
    assert "nothing but what is deprecated: policies/cancellation" in shown.err
    assert "[Policy, deprecated, human-reviewed]" in shown.out


def test_a_bundle_without_what_the_script_reads_is_refused_before_anything_is_printed(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (copy / "policies/cancellation.md").unlink()
    with pytest.raises(ConfigError, match=r"bundle has no policies/cancellation; add --model"):
        run("--bundle", str(copy))
    own = tmp_path / "own"
    own.mkdir()
    (own / "a.md").write_text("---\ntype: Note\ntitle: A\n---\n\nText.\n", encoding="utf-8")
    with pytest.raises(
        ConfigError, match="own has no plans/season and no policies/cancellation; add --model"
    ):
        run("--bundle", str(own), "--json")
    assert capsys.readouterr() == ("", "")


def test_a_call_that_failed_shows_the_sentence_of_the_tool(capsys: pytest.CaptureFixture[str]) -> None:
    step = Step("kb_read", {"concept_id": "x"}, "There is no concept x.", is_error=True)
    show_step(say, 4, step)
    assert capsys.readouterr().out == '\n4  kb_read(concept_id="x")\n   There is no concept x.\n'


def test_a_result_of_many_lines_is_shown_by_its_first(capsys: pytest.CaptureFixture[str]) -> None:
    for count, closing in ((7, "   ... and 1 more line\n"), (8, "   ... and 2 more lines\n")):
        text = "".join(f"line {number}\n" for number in range(count))
        show_step(say, 1, Step("kb_index", {}, {"text": text}, is_error=False))
        assert capsys.readouterr().out.endswith(f"   line 5\n{closing}")


def test_a_bundle_cannot_write_to_the_terminal(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(copy / "plans/season.md", "title: Season plan", 'title: "Season\\e[31m plan"')
    assert run("--bundle", str(copy)) == 0
    shown = capsys.readouterr().out
    assert "Season\\x1b[31m plan" in shown
    assert "\x1b" not in shown


def test_a_question_of_ones_own_needs_a_real_model() -> None:
    with pytest.raises(ConfigError, match="--model"):
        run("--question", "What does a day cost?")


def test_a_bundle_that_is_not_there_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        run("--bundle", str(tmp_path / "nowhere"))


def test_a_model_that_cannot_be_used_is_one_sentence_before_anything_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="'openai:gpt-5' cannot be used"):
        run("--model", "openai:gpt-5")
    assert capsys.readouterr() == ("", "")


def test_a_long_sentence_about_a_model_ends_at_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ConfigError) as refused:
        run("--model", "foo")
    cause = " ".join(str(refused.value.__cause__).split())
    assert len(cause) > 300
    said = str(refused.value).removeprefix("The model 'foo' cannot be used (ValueError: ")
    head = said.removesuffix(" …). Check its name, its key and the network.")
    assert 150 < len(head) <= 300
    assert cause.startswith(f"{head} ")
    assert capsys.readouterr() == ("", "")


def concept(name: str, body: str, status: str = "stable") -> Step:
    return Step("kb_read", {"concept_id": name}, {"id": name, "body": body, "status": status}, False)


IDS = ["policies/cancellation", "policies/cancellation-2024"]
RULE = concept(IDS[0], "within 30 days, for a full refund")
OLD_RULE = concept(IDS[1], "within 30 days, for a full refund", "deprecated")


@pytest.mark.parametrize(
    ("steps", "answer", "problem"),
    [
        ([RULE], ANSWER, ""),
        ([RULE, OLD_RULE], f"{ANSWER} No more: [policies/cancellation-2024]", ""),
        ([RULE], "A full refund, within 30 days.", "names no concept"),
        ([], ANSWER, "which was not read"),
        ([OLD_RULE], "A full refund within 30 days [policies/cancellation-2024]", "deprecated"),
        ([RULE], "A full refund [policies/cancellation]", 'does not say "30 days"'),
        ([concept(IDS[0], "within 14 days, for a full refund")], ANSWER, 'says "30 days", but no'),
    ],
)
def test_an_answer_is_held_against_what_was_read(steps: list[Step], answer: str, problem: str) -> None:
    problems = find_problems(Run(steps, answer), IDS, FACTS)
    assert problem in " ".join(problems)
    assert bool(problems) == bool(problem)


def test_an_id_is_not_taken_for_a_longer_one() -> None:
    assert cited("See `policies/cancellation-2024`.", IDS) == ["policies/cancellation-2024"]
    assert cited("See (policies/cancellation.md).", IDS) == ["policies/cancellation"]


class Collector(BaseHTTPRequestHandler):
    """Stands where traces and proxied requests would arrive."""

    def do_POST(self) -> None:
        received: list[str] = vars(self.server)["received"]
        received.append(self.path)
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_POST()

    def do_CONNECT(self) -> None:
        self.do_POST()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


AUDITED = """
import sys
sys.path[:0] = {paths!r}
seen = set()
def audit(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        seen.add(str(arguments[1][0]))
    elif event == "socket.getaddrinfo":
        seen.add(str(arguments[0]))
sys.addaudithook(audit)
from argparse import ArgumentParser
from fingerpost_langchain.demo import command
parser = ArgumentParser()
command(parser.add_subparsers())
options = parser.parse_args(["demo"])
code = options.run(options)
print("hosts", sorted(seen))
sys.exit(code)
"""


def test_nothing_leaves_the_machine_whatever_tracing_and_proxy_are_set(
    repository: Path,
) -> None:
    server = HTTPServer(("127.0.0.1", 0), Collector)
    received = vars(server)["received"] = list[str]()
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_address[1]}"
    proxies = {"HTTP_PROXY": address, "http_proxy": address, "ALL_PROXY": address, "OPENAI_PROXY": address}
    tracing = {
        "LANGSMITH_TRACING": "true",
        "LANGCHAIN_TRACING_V2": "true",
        "LANGSMITH_API_KEY": "x",
        "LANGSMITH_ENDPOINT": address,
    }
    ours = ("no_proxy", "NO_PROXY", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING")
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    paths = [str(folder / "src") for folder in sorted(repository.glob("packages/*"))]
    outcome = subprocess.run(
        [sys.executable, "-I", "-c", AUDITED.format(paths=paths)],
        env={**kept, **proxies, **tracing},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    server.shutdown()
    server.server_close()
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert "hosts ['127.0.0.1']" in outcome.stdout
    assert received == []
