"""What the commands that write refuse, and what they say of a change."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.core.cli.shell import Shell, Terminal

REFUNDS = "---\ntype: Policy\ntitle: Refunds\nlimit: 0755\n---\n\nWithin 30 days.\n"
OWN = "---\ntype: Metric\ntitle: Own\nunit: days\n---\n\nWithin 60 days.\n"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    (folder / "policies").mkdir(parents=True)
    (folder / "policies" / "refunds.md").write_text(REFUNDS)
    (folder / "policies" / "old.md").write_text("---\ntype: Policy\nstatus: deprecated\n---\n")
    (tmp_path / "own.md").write_text(OWN)
    (tmp_path / "empty.md").write_text("\ufeff \n")
    return folder


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            "log KB --kind Update",
            2,
            "--kind says how to write, and nothing is to be written; add --add TEXT.",
        ),
        ("log KB --yes", 2, "--yes says how to write"),
        ("log KB --add", 2, "expected one argument"),
        ("log KB nosuch --add x --yes", 1, "There is no 'nosuch' in this bundle."),
        ("index KB --yes", 2, "--yes says how to write, and nothing is to be written; add --write."),
        ("index KB --dry-run", 2, "--dry-run says how to write"),
        ("index KB policies/refunds --write --yes", 1, "lies in the folder 'policies/'"),
        ("fmt KB --check --yes", 2, "--check writes nothing"),
        ("set KB policies/refunds --text EMPTY --yes", 2, "holds no text"),
        ("set KB policies/refunds --append EMPTY --yes", 2, "holds no text"),
        ("set KB policies/refunds --append OWN --unset limit --yes", 2, "--append changes the text alone"),
        ("set KB policies/refunds --unset type --yes", 2, "'type' is not removed"),
        ("new KB T title=Other --yes", 2, "'title' is given twice; give it once."),
        ("new KB T --type A type=B --yes", 2, "'type' is given twice; give it once."),
        ("deprecate KB policies/refunds --revision 0000 --yes", 1, "was changed since you read it"),
    ],
)
def test_what_is_not_meant_is_refused(shell: Shell, kb: Path, words: str, code: int, said: str) -> None:
    places = {"KB": str(kb), "OWN": str(kb.parent / "own.md"), "EMPTY": str(kb.parent / "empty.md")}
    outcome = shell(*(places.get(word, word) for word in words.split()))
    assert (outcome.code, outcome.out) == (code, "")
    assert said in outcome.err
    assert sorted(path.name for path in kb.rglob("*.md")) == ["old.md", "refunds.md"]
    assert (kb / "policies" / "refunds.md").read_text() == REFUNDS


def test_an_entry_without_words_is_refused(shell: Shell, kb: Path) -> None:
    outcome = shell("log", str(kb), "--add", " ", "--yes")
    assert outcome.code == 2
    assert "--add has no words" in outcome.err


class TestFields:
    def test_a_field_is_removed(self, shell: Shell, kb: Path) -> None:
        words = ("policies/refunds", "--unset", "limit", "--unset", "titel", "status=draft", "--yes")
        outcome = shell("set", str(kb), *words)
        assert outcome.code == 0
        assert "It has no field 'titel'. Did you mean title?" in outcome.err
        expected = REFUNDS.replace("limit: 0755\n", "status: draft\n")
        assert (kb / "policies" / "refunds.md").read_text() == expected

    def test_the_frontmatter_of_a_text_counts_where_nothing_else_is_said(
        self, shell: Shell, kb: Path
    ) -> None:
        own = str(kb.parent / "own.md")
        made = shell("new", str(kb), "Mine", "--text", own, "--yes")
        assert (kb / "mine.md").read_text() == OWN.replace("Own", "Mine")
        assert "The 'title' in the frontmatter of the text gave way" in made.err
        assert shell("new", str(kb), "Other", "--text", own, "--type", "Note", "--yes").code == 0
        assert (kb / "other.md").read_text().startswith("---\ntype: Note\ntitle: Other\nunit: days\n")
        assert shell("set", str(kb), "policies/refunds", "--text", own, "limit=1", "--yes").code == 0
        changed = (kb / "policies" / "refunds.md").read_text()
        assert changed == "---\ntype: Metric\ntitle: Own\nlimit: 1\nunit: days\n---\n\nWithin 60 days.\n"

    @pytest.mark.parametrize("field", ["verified: {by: human:ada}", "generated: {by: human:ada}"])
    def test_nobody_signs_in_the_frontmatter_of_a_text(self, shell: Shell, kb: Path, field: str) -> None:
        own = kb.parent / "own.md"
        own.write_text(OWN.replace("unit: days", field))
        for words in (("new", str(kb), "Mine"), ("set", str(kb), "policies/refunds")):
            outcome = shell(*words, "--text", str(own), "--yes")
            assert (outcome.code, outcome.out) == (2, "")


class TestWhoWrites:
    def test_what_is_recorded_nowhere_is_said(self, shell: Shell, kb: Path) -> None:
        said = "'process:x' is recorded nowhere"
        for words in (
            ("set", str(kb), "policies/refunds", "title=X"),
            ("deprecate", str(kb), "policies/refunds"),
            ("log", str(kb), "policies", "--add", "x"),
            ("set", str(kb), "policies/refunds", "--text", str(kb.parent / "own.md")),
        ):
            assert said in shell(*words, "--by", "process:x").err
            (told,) = json.loads(shell(*words, "--by", "process:x", "--json").out)
            assert any(said in note for note in told["notes"])
            assert said not in shell(*words).err
        assert said not in shell("set", str(kb), "policies/refunds", "title=Refunds", "--by", "process:x").err

    def test_what_is_recorded_is_not(self, shell: Shell, kb: Path) -> None:
        words = ("--by", "process:x", "--yes")
        assert "recorded" not in shell("new", str(kb), "Mine", *words).err
        own = str(kb.parent / "own.md")
        assert "recorded" not in shell("set", str(kb), "mine", "--text", own, *words).err


class TestOffers:
    def test_whoever_says_no_is_not_told_to_say_yes(
        self, shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
        outcome = shell("set", str(kb), "policies/refunds", "title=X")
        assert outcome.code == 1
        assert outcome.err.endswith("Nothing was written.\n")

    def test_what_can_only_be_read_is_told_before_anything_is_shown(self, shell: Shell, kb: Path) -> None:
        archive = shutil.make_archive(str(kb.parent / "packed"), "zip", kb)
        outcome = shell("set", archive, "policies/refunds", "title=X")
        assert (outcome.code, outcome.out) == (2, "")
        assert "can only be read; write to a folder that may be written" in outcome.err
        assert shell("set", archive, "policies/refunds", "title=X", "--dry-run").code == 0
        outcome = shell("fmt", archive)
        assert (outcome.code, outcome.err) == (0, "There is nothing to cure.\n")
        assert json.loads(shell("fmt", archive, "--json").out) == []

    def test_a_new_bundle_is_begun_without_a_warning(
        self, shell: Shell, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "new").mkdir()
        assert shell("new", str(tmp_path / "new"), "First", "--yes").code == 0
        assert caplog.messages == []


class TestIndex:
    def test_it_is_readable_in_any_script_and_lists_nothing_deprecated(self, shell: Shell, kb: Path) -> None:
        (kb / "πολιτικές").mkdir()
        for name in ("πολιτικές/a", "規則 (新)", "50% [x]"):
            (kb / f"{name}.md").write_text("---\ntype: Policy\ntitle: T\n---\n")
        assert shell("index", str(kb), "--write", "--yes").code == 0
        assert (kb / "index.md").read_text() == (
            "# Contents\n\n* [policies](policies/)\n* [πολιτικές](πολιτικές/)\n"
            "* [T](50%25%20%5Bx%5D.md)\n* [T](規則%20%28新%29.md)\n"
        )
        assert shell("index", str(kb), "--write", "--yes").out == ""
        assert "leads to nothing" not in shell("validate", str(kb)).out
        outcome = shell("index", str(kb), "policies", "--write", "--yes")
        assert "1 deprecated concept not added: policies/old." in outcome.err
        assert (kb / "policies" / "index.md").read_text() == "# Contents\n\n* [Refunds](refunds.md)\n"
        assert "[Old](/policies/old) [Policy, deprecated]" in shell("index", str(kb), "policies").out


def test_cures_are_data_and_name_their_file(shell: Shell, kb: Path) -> None:
    (kb / "odd.md").write_text("---\ntype: a: b\n---\n")
    (told,) = json.loads(shell("fmt", str(kb), "--check", "--json").out)
    (cure,) = told["cures"]
    assert (cure["line"], cure["code"], sorted(cure)) == (2, "OKF104", ["code", "column", "line", "reason"])
    assert f"odd.md:2:{cure['column']}: OKF104 {cure['reason']}" in shell("fmt", str(kb)).err


def test_every_command_stands_on_one_line_of_the_help(shell: Shell) -> None:
    assert re.search("^    deprecate +Mark a concept", shell("--help").out, re.MULTILINE)
