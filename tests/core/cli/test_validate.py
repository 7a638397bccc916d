"""`fingerpost validate`: the report in its three forms, the options, the exit codes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
import yaml

from fingerpost import Bundle, MemoryDocumentStore, __version__
from fingerpost.cli import progress
from fingerpost.cli.listing import MOST_OF_A_KIND
from fingerpost.okf.rules import RULES
from tests.core.cli.shell import Shell, Terminal, concept, process, write_files
from tests.docs.blocks import blocks

GOOD = concept("Good", "Text.", more="description: One sentence.\n")
BROKEN_LINK = concept("Links", "See [b](b.md).", more="description: One sentence.\n")
NO_TYPE = "---\ntitle: T\ndescription: One sentence.\n---\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_conforming_bundle_gives_two_lines_and_exit_code_0(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a.md": GOOD})
    outcome = shell("validate", "kb")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.lines == [
        "Conformance: yes, 1 concept in 1 Markdown file, against OKF 0.2 §11",
        "Lint: nothing found",
    ]


def test_the_report_on_the_page_is_the_one_that_is_printed(
    shell: Shell, here: Path, repository: Path
) -> None:
    fields = "description: Rules.\ngenerated: {by: human:ann, at: 2026-09-01T00:00:00Z}\n"
    fields += "sources: [{resource: all tickets, last_modified: 2026-08-30T00:00:00Z}]\n"
    body = "Fees are in [fees](cancellation.md).\n"
    text = f"---\ntype: Policy\ntitle: Refunds: how and when\n{fields}---\n\n{body}"
    write_files(here, {"docs/kb/policies/refunds.md": text})
    page = blocks((repository / "docs" / "validate.md").read_text(encoding="utf-8"))
    command, promised = page[0].code.split(), page[1].code
    outcome = shell(*command[1:])
    assert outcome.out == promised
    assert outcome.code == 1


def test_the_json_on_the_page_has_the_keys_that_are_printed(
    shell: Shell, here: Path, repository: Path
) -> None:
    write_files(here, {"kb/a.md": BROKEN_LINK})
    page = blocks((repository / "docs" / "validate.md").read_text(encoding="utf-8"))
    promised = json.loads(next(block.code for block in page if block.language == "json"))
    printed = shell("validate", "kb", "--json").json
    assert list(printed) == list(promised)
    assert list(printed["diagnostics"][0]) == list(promised["diagnostics"][0])
    assert list(printed["severities"]) == list(promised["severities"])


def test_json_counts_everything_and_lists_what_was_asked_for(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a.md": BROKEN_LINK, "kb/sub/b.md": NO_TYPE})
    outcome = shell("validate", "kb", "--format", "json", "--only", "conformance")
    assert outcome.code == 1
    assert {key: outcome.json[key] for key in ("conformant", "concepts", "documents", "rules")} == {
        "conformant": False,
        "concepts": 1,
        "documents": 2,
        "rules": {"OKF201": 1, "OKF601": 1},
    }
    assert outcome.json["diagnostics"] == [
        {
            "code": "OKF201",
            "rule": "type-missing",
            "severity": "error",
            "verdict": "conformance",
            "path": "sub/b.md",
            "line": 1,
            "column": 1,
            "reason": "The frontmatter has no `type`.",
            "cure": "Add a line such as `type: Policy` to the frontmatter.",
        }
    ]


def test_only_lint_leaves_the_exit_code_as_it_is(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a.md": BROKEN_LINK, "kb/b2.md": NO_TYPE})
    outcome = shell("validate", "kb", "--only", "lint")
    assert outcome.code == 1
    assert "OKF601" in outcome.out
    assert "OKF201" not in outcome.out
    assert outcome.lines[-2:] == ["Conformance: no, 1 error against OKF 0.2 §11", "Lint: 1 warning"]


def test_a_summary_counts_by_rule(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a.md": BROKEN_LINK, "kb/c.md": BROKEN_LINK, "kb/d.md": NO_TYPE})
    assert shell("validate", "kb", "--summary").lines == [
        "      1  error    OKF201 type-missing",
        "      2  warning  OKF601 link-broken",
        "",
        "Conformance: no, 1 error against OKF 0.2 §11",
        "Lint: 2 warnings",
    ]
    assert "diagnostics" not in shell("validate", "kb", "--summary", "--json").json


def test_strict_fails_on_a_warning_and_says_so(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a.md": BROKEN_LINK})
    assert shell("validate", "kb").code == 0
    outcome = shell("validate", "kb", "--strict")
    assert outcome.code == 1
    assert outcome.lines[-1] == "Lint: 1 warning; warnings fail, because of --strict"


def test_strict_lets_notes_pass(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a.md": concept("No description")})
    assert shell("validate", "kb", "--strict").code == 0


def test_a_folder_without_concepts_fails(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/data.csv": "x"})
    outcome = shell("validate", "kb")
    assert outcome.code == 1
    assert outcome.lines[0].startswith("kb: error OKF407 no-concepts: There is no concept in ")
    assert outcome.lines[-2] == "Conformance: no, there is no concept in 0 Markdown files"


@pytest.mark.parametrize("words", [("gone",), (), ("kb", "--now", "soon"), ("kb", "--format", "xml")])
def test_wrong_usage_is_one_sentence_and_exit_code_2(
    shell: Shell, here: Path, words: tuple[str, ...]
) -> None:
    write_files(here, {"kb/a.md": GOOD})
    outcome = shell("validate", *words)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("fingerpost: ")
    assert outcome.err.count("\n") == 1


def test_staleness_is_judged_at_the_date_given(shell: Shell, here: Path) -> None:
    aging = concept("Aging", more="description: D.\nstale_after: 2026-06-01T00:00:00Z\n")
    write_files(here, {"kb/a.md": aging})
    assert shell("validate", "kb", "--now", "2026-05-31", "--json").json["rules"] == {}
    assert shell("validate", "kb", "--now", "2026-06-01", "--json").json["rules"] == {"OKF516": 1}


def test_unreadable_files_leave_the_verdict_open(
    shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(here, {"kb/a.md": GOOD, "kb/b.md": GOOD})
    monkeypatch.setattr("fingerpost.bundle.documents.MAX_DOCUMENT_BYTES", len(GOOD) - 1)
    monkeypatch.setattr("fingerpost.bundle.check.MAX_DOCUMENT_BYTES", len(GOOD) - 1)
    write_files(here, {"kb/b.md": "---\ntype: A\n---\n"})
    outcome = shell("validate", "kb")
    assert outcome.code == 1
    assert outcome.lines[-2] == "Conformance: unknown, 1 file could not be read"


def test_sarif_names_rules_and_places_from_the_current_folder(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a b#.md": BROKEN_LINK, "kb/café.md": NO_TYPE})
    outcome = shell("validate", "kb", "--format", "sarif")
    assert outcome.code == 1
    log = outcome.json
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("fingerpost", __version__)
    assert [rule["id"] for rule in driver["rules"]] == ["OKF201", "OKF601", "OKF702"]
    assert driver["rules"][0] == {
        "id": "OKF201",
        "name": "TypeMissing",
        "shortDescription": {"text": RULES["OKF201"].summary},
        "fullDescription": {"text": f"{RULES['OKF201'].summary} (OKF 0.2 §11.2)"},
        "help": {"text": RULES["OKF201"].cure, "markdown": RULES["OKF201"].cure},
        "defaultConfiguration": {"level": "error"},
        "properties": {"tags": ["conformance"]},
    }
    results = [
        (
            result["ruleId"],
            driver["rules"][result["ruleIndex"]]["id"],
            result["level"],
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            result["locations"][0]["physicalLocation"]["region"],
        )
        for result in run["results"]
    ]
    assert results == [
        ("OKF702", "OKF702", "note", "kb/a%20b%23.md", {"startLine": 1}),
        ("OKF601", "OKF601", "warning", "kb/a%20b%23.md", {"startLine": 7, "startColumn": 5}),
        ("OKF201", "OKF201", "error", "kb/caf%C3%A9.md", {"startLine": 1, "startColumn": 1}),
    ]
    assert run["results"][2]["message"]["text"] == (
        "The frontmatter has no `type`. Add a line such as `type: Policy` to the frontmatter."
    )


def test_sarif_addresses_stay_relative_wherever_the_bundle_lies(
    shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_files(here / "kb", {"a.md": NO_TYPE})
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    results = shell("validate", folder, "--format", "sarif").json["runs"][0]["results"]
    addresses = [
        at["physicalLocation"]["artifactLocation"]["uri"] for at in (r["locations"][0] for r in results)
    ]
    assert addresses == [".", "a.md"]


def test_a_path_is_printed_as_it_leads_from_here(
    shell: Shell, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_files(here / "kb", {"a.md": GOOD, "b.md": NO_TYPE})
    assert shell("validate", folder).lines[0].startswith(f"{folder}/b.md:1:1: error OKF201 ")
    assert shell("validate", "./kb/").lines[0].startswith("kb/b.md:1:1: error ")
    monkeypatch.chdir(folder)
    assert shell("validate", ".").lines[0].startswith("b.md:1:1: error ")


def test_a_line_break_in_a_name_or_a_title_begins_no_line(shell: Shell, here: Path) -> None:
    write_files(here, {"kb/a\n::error::b.md": NO_TYPE, "kb/ok.md": GOOD})
    outcome = shell("validate", "kb")
    assert all(
        line.startswith(("kb/a\\n::error::b.md", "    ", "Conf", "Lint")) or not line
        for line in outcome.lines
    )


def test_rules_are_printed_as_a_table_without_a_bundle(shell: Shell) -> None:
    outcome = shell("validate", "--rules")
    assert outcome.code == 0
    assert outcome.lines[0] == "| code | name | verdict | severity | clause | asks for | cure |"
    assert [line.split("|")[1].strip() for line in outcome.lines[2:]] == list(RULES)


def test_rules_as_json_are_those_of_the_table(shell: Shell) -> None:
    for form in (("--json",), ("--format", "json")):
        rules = shell("validate", "--rules", *form).json
        assert [rule["code"] for rule in rules] == list(RULES)
        assert rules[0] == {
            "code": "OKF101",
            "name": "frontmatter-missing",
            "verdict": "conformance",
            "severity": "error",
            "clause": "§11.1",
            "summary": RULES["OKF101"].summary,
            "cure": RULES["OKF101"].cure,
        }


def test_rules_as_sarif_are_refused(shell: Shell) -> None:
    outcome = shell("validate", "--rules", "--format", "sarif")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("fingerpost: `--rules` prints text or JSON; ")


def many_broken_links(count: int) -> str:
    links = "".join(f"[x](gone-{number}.md)\n" for number in range(count))
    return concept("Links", links, more="description: One sentence.\n")


def test_a_rule_broken_without_end_in_one_file_is_listed_to_a_limit_and_counted_in_full(
    shell: Shell, here: Path
) -> None:
    write_files(here, {"kb/a.md": many_broken_links(MOST_OF_A_KIND + 5)})
    rest = "5 more from here on, of this rule in this file, are not listed."
    text = shell("validate", "kb")
    place = f"kb/a.md:{7 + MOST_OF_A_KIND}:1"
    assert f"{place}: warning OKF601 link-broken: {rest}" in text.lines
    assert len([line for line in text.lines if line.startswith("kb/a.md:")]) == MOST_OF_A_KIND + 1
    assert text.lines[-1] == f"Lint: {MOST_OF_A_KIND + 5:,} warnings"
    answer = shell("validate", "kb", "--json").json
    assert answer["rules"] == {"OKF601": MOST_OF_A_KIND + 5}
    assert len(answer["diagnostics"]) == MOST_OF_A_KIND + 1
    assert answer["diagnostics"][-1]["reason"] == rest
    (run,) = shell("validate", "kb", "--format", "sarif").json["runs"]
    assert len(run["results"]) == MOST_OF_A_KIND + 1
    assert run["results"][-1]["message"]["text"] == f"{rest} {RULES['OKF601'].cure}"
    assert (
        shell("validate", "kb", "--summary").lines[0]
        == f"{MOST_OF_A_KIND + 5:>7,}  warning  OKF601 link-broken"
    )


def test_the_limit_holds_for_each_file_and_rule_and_one_more_is_simply_listed(
    shell: Shell, here: Path
) -> None:
    one_more = many_broken_links(MOST_OF_A_KIND + 1)
    write_files(here, {"kb/a.md": one_more, "kb/b.md": one_more})
    answer = shell("validate", "kb", "--json").json
    assert len(answer["diagnostics"]) == 2 * (MOST_OF_A_KIND + 1)
    assert all(diagnostic["reason"].startswith("The link ") for diagnostic in answer["diagnostics"])


def test_the_page_states_the_limit(repository: Path) -> None:
    page = (repository / "docs" / "validate.md").read_text(encoding="utf-8")
    assert f"first {MOST_OF_A_KIND:,}" in page


def test_the_hook_runs_this_command_on_the_bundle_that_it_is_given(
    shell: Shell, here: Path, repository: Path
) -> None:
    (hook,) = yaml.safe_load((repository / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    page = blocks((repository / "docs" / "validate.md").read_text(encoding="utf-8"))
    snippet = yaml.safe_load(next(block.code for block in page if block.language == "yaml"))
    (used,) = snippet["repos"][0]["hooks"]
    assert (hook["id"], hook["pass_filenames"]) == (used["id"], False)
    write_files(here, {"docs/kb/a.md": GOOD})
    program, *words = [*hook["entry"].split(), *used["args"]]
    assert program == "fingerpost"
    assert shell(*words).code == 0


@pytest.mark.parametrize(("stream", "shows"), [(Terminal(), True), (io.StringIO(), False)])
def test_long_work_shows_its_progress_on_a_terminal_alone(
    stream: io.StringIO, shows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_SECONDS_BEFORE", 0.0)
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN", 0.0)
    monkeypatch.setattr(sys, "stderr", stream)
    line = progress.Progress("files checked:")
    Bundle(MemoryDocumentStore({"a.md": GOOD, "b.md": GOOD})).validate(progress=line.show)
    line.clear()
    shown = f"\r{'.' * 24} files checked: 0 of 2\r{'#' * 12}{'.' * 12} files checked: 1 of 2\r\x1b[K"
    assert stream.getvalue() == (shown if shows else "")


def test_the_report_reaches_a_pipe_as_utf_8(here: Path) -> None:
    folder = write_files(here / "kb", {"café.md": NO_TYPE})
    outcome = process("validate", folder, LC_ALL="C", PYTHONIOENCODING="cp1252")
    assert outcome.returncode == 1
    assert f"{folder}/café.md:1:1: error OKF201".encode() in outcome.stdout
    assert "§11".encode() in outcome.stdout
