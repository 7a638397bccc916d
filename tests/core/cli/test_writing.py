"""The commands that write: each shows a diff first, and writes only when somebody says so."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fingerpost import Bundle
from fingerpost.bundle.writer import BundleWriter
from tests.core.cli.shell import Shell, Terminal

REFUNDS = "---\ntype: Policy\ntitle: Refunds  # the shop's\nlimit: 0755\n---\n\nWithin 30 days.\n"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    folder = tmp_path / "kb"
    (folder / "policies").mkdir(parents=True)
    (folder / "policies" / "refunds.md").write_text(REFUNDS)
    (folder / "policies" / "new.md").write_text("---\ntype: Policy\ntitle: New refunds\n---\n\nNever.\n")
    return folder


def answering(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal("".join(f"{answer}\n" for answer in answers)))


def state(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


COMMANDS = {
    "new": ("new", "KB", "Fees", "--folder", "policies"),
    "set": ("set", "KB", "policies/refunds", "title=Money back"),
    "deprecate": ("deprecate", "KB", "policies/refunds", "--successor", "policies/new"),
    "log": ("log", "KB", "--add", "Fees set."),
    "index": ("index", "KB", "policies", "--write"),
    "fmt": ("fmt", "KB"),
}


@pytest.fixture(params=COMMANDS)
def words(request: pytest.FixtureRequest, kb: Path) -> list[str]:
    if request.param == "fmt":
        (kb / "odd.md").write_bytes(b"\xef\xbb\xbf---\ntype: T\n---\nx\n")
    return [str(kb) if word == "KB" else word for word in COMMANDS[request.param]]


class TestEachOfThem:
    def test_without_a_terminal_nothing_is_written_until_yes_is_said(
        self, shell: Shell, kb: Path, words: list[str]
    ) -> None:
        before = state(kb)
        shown = shell(*words)
        assert (shown.code, state(kb)) == (1, before)
        assert "+++ b/" in shown.out
        assert "Nothing was written; add --yes to write it." in shown.err
        dry = shell(*words, "--dry-run", "--yes")
        assert (dry.code, dry.out, state(kb)) == (0, shown.out, before)
        written = shell(*words, "--yes")
        assert (written.code, written.out) == (0, shown.out)
        assert "Written: " in written.err
        assert state(kb) != before

    @pytest.mark.parametrize(("answer", "code"), [("y", 0), ("YES", 0), ("", 1), ("n", 1)])
    def test_at_a_terminal_it_asks(
        self,
        shell: Shell,
        kb: Path,
        words: list[str],
        monkeypatch: pytest.MonkeyPatch,
        answer: str,
        code: int,
    ) -> None:
        before = state(kb)
        answering(monkeypatch, answer)
        outcome = shell(*words)
        assert outcome.code == code
        assert "Write this? [y/N]" in outcome.err
        assert (state(kb) == before) is bool(code)

    def test_json_tells_what_would_change_and_what_was(
        self, shell: Shell, kb: Path, words: list[str]
    ) -> None:
        before = state(kb)
        (told,) = json.loads(shell(*words, "--json").out)
        assert (told["changed"], told["written"], state(kb)) == (True, False, before)
        (done,) = json.loads(shell(*words, "--json", "--yes").out)
        assert (done["written"], done["diff"]) == (True, told["diff"])
        file = kb / done["path"]
        assert file.exists()
        assert done["new"] is (done["path"] not in before)


class TestNew:
    def test_a_concept_is_written_with_what_is_said_of_it(
        self, shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = io.TextIOWrapper(io.BytesIO("Ten € a year.\n".encode()))
        monkeypatch.setattr(sys, "stdin", text)
        words = (
            "--type",
            "Policy",
            "--text",
            "-",
            "tags=money,fees",
            "limits=[1, 2]",
            "--by",
            "process:import",
        )
        assert shell("new", str(kb), "The fees", *words, "--yes").code == 0
        today = datetime.now(UTC).date().isoformat()
        written = (kb / "the-fees.md").read_text()
        assert written.startswith("---\ntype: Policy\ntitle: The fees\ntags: [money, fees]\nlimits: [")
        assert f'generated:\n  by: process:import\n  at: "{today}T' in written
        assert written.endswith("---\n\nTen € a year.\n")

    def test_what_is_taken_is_said(self, shell: Shell, kb: Path) -> None:
        outcome = shell("new", str(kb), "X", "--id", "policies/new", "--yes")
        assert outcome.code == 1
        assert "There is a concept 'policies/new' already" in outcome.err

    def test_a_person_signs_only_at_a_terminal(
        self, shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        outcome = shell("new", str(kb), "X", "--by", "human:ada", "--yes")
        assert outcome.code == 2
        assert "given at a terminal alone" in outcome.err
        answering(monkeypatch, "y")
        assert shell("new", str(kb), "X", "--by", "human:ada").code == 0
        assert "by: human:ada" in (kb / "x.md").read_text()


class TestSet:
    def test_one_line_changes(self, shell: Shell, kb: Path) -> None:
        outcome = shell("set", str(kb), "policies/refunds", "title=Money back", "--yes")
        changed = [line for line in outcome.out.splitlines() if line[0] in "+-" and line[1] not in "+-"]
        assert changed == ["-title: Refunds  # the shop's", "+title: Money back  # the shop's"]

    def test_a_text_is_replaced_or_added_to(self, shell: Shell, kb: Path, tmp_path: Path) -> None:
        text = tmp_path / "text.md"
        text.write_text("Within 60 days.")
        assert shell("set", str(kb), "policies/refunds", "--append", str(text), "--yes").code == 0
        assert (kb / "policies/refunds.md").read_text() == f"{REFUNDS}\nWithin 60 days.\n"
        assert shell("set", str(kb), "policies/refunds", "--text", str(text), "--yes").code == 0
        assert (kb / "policies/refunds.md").read_text() == REFUNDS.replace("30", "60")

    def test_a_stale_revision_is_refused(self, shell: Shell, kb: Path) -> None:
        outcome = shell("set", str(kb), "policies/refunds", "title=X", "--revision", "0" * 16, "--yes")
        assert outcome.code == 1
        assert "was changed since you read it" in outcome.err

    @pytest.mark.parametrize(
        ("words", "sentence"),
        [
            (["policies/refunds"], "nothing to change"),
            (["policies/refunds", "title"], "'title' is no field; write KEY=VALUE"),
            (["policies/refunds", "limits=[1, "], "is no YAML"),
            (["policies/refunds", "--text", "/absent"], "cannot be read"),
            (["policies/refunds", "verified=[a]"], "leave out 'verified'"),
            (["policies/absent", "title=X"], "There is no 'policies/absent'"),
        ],
    )
    def test_what_makes_no_sense_is_said(
        self, shell: Shell, kb: Path, words: list[str], sentence: str
    ) -> None:
        before = state(kb)
        outcome = shell("set", str(kb), *words, "--yes")
        assert outcome.code != 0
        assert sentence in outcome.err
        assert state(kb) == before

    def test_a_change_that_somebody_else_comes_in_between_is_not_made(
        self, shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        file = kb / "policies" / "refunds.md"

        class Slow(Terminal):
            def readline(self, *_size: int) -> str:  # type: ignore[override]
                file.write_text(REFUNDS.replace("30", "31"))
                return "y\n"

        monkeypatch.setattr(sys, "stdin", Slow())
        outcome = shell("set", str(kb), "policies/refunds", "title=Mine")
        assert outcome.code == 1
        assert "was changed by somebody else" in outcome.err
        assert file.read_text() == REFUNDS.replace("30", "31")


class TestDeprecate:
    def test_readers_are_told_what_replaces_it(self, shell: Shell, kb: Path) -> None:
        words = ("policies/refunds", "--successor", "policies/new", "--yes")
        assert shell("deprecate", str(kb), *words).code == 0
        assert "superseded_by: /policies/new.md\n" in (kb / "policies/refunds.md").read_text()


class TestFmt:
    def test_check_lists_what_would_be_cured_and_fails(self, shell: Shell, kb: Path) -> None:
        assert shell("fmt", str(kb), "--check").code == 0
        (kb / "bad.md").write_text("---\ntype: Policy\ntitle: Refunds: how\n---\nx\n")
        outcome = shell("fmt", str(kb), "--check")
        assert outcome.code == 1
        assert outcome.out.startswith("bad.md:3:")
        assert "OKF104" in outcome.out
        (told,) = json.loads(shell("fmt", str(kb), "--check", "--json").out)
        assert told["path"] == "bad.md"
        assert shell("fmt", str(kb), "policies", "--check").code == 0
        assert shell("fmt", str(kb), "--yes").code == 0
        assert shell("fmt", str(kb), "--check").code == 0
        assert Bundle(kb, cache="").read("bad")["title"] == "Refunds: how"

    def test_nothing_to_cure_is_said(self, shell: Shell, kb: Path) -> None:
        outcome = shell("fmt", str(kb))
        assert (outcome.code, outcome.out) == (0, "")
        assert "nothing to cure" in outcome.err
        assert "No Markdown file lies at absent" in shell("fmt", str(kb), "absent").err


class TestIndex:
    def test_an_index_gets_what_it_lacks_and_keeps_the_rest(self, shell: Shell, kb: Path) -> None:
        own = '---\nokf_version: "0.2"\n---\n\n# Ours\n\n* [Fees](fees.md)\n'
        (kb / "index.md").write_text(own)
        (kb / "fees.md").write_text("---\ntype: Policy\ntitle: Fees\n---\n")
        (kb / "a b.md").write_text("---\ntype: Policy\ntitle: A and B\ndescription: Both.\n---\n")
        assert shell("index", str(kb), "--write", "--yes").code == 0
        written = (kb / "index.md").read_text()
        assert written.startswith(own)
        assert "* [policies](policies/)\n" in written
        assert "* [A and B](a%20b.md) - Both.\n" in written
        again = shell("index", str(kb), "--write", "--yes")
        assert (again.code, again.out) == (0, "")
        assert (kb / "index.md").read_text() == written


class TestReview:
    @pytest.fixture
    def proposed(self, kb: Path) -> str:
        with Bundle(kb, cache="") as bundle:
            writer = BundleWriter(bundle, actor="process:agent", proposes=True)
            change = writer.update("policies/refunds", fields={"title": "Money back"})
        return change.path.removeprefix("proposals/").removesuffix(".json")

    def test_a_proposal_is_shown_and_changes_nothing(self, shell: Shell, kb: Path, proposed: str) -> None:
        outcome = shell("review", str(kb))
        assert outcome.code == 0
        assert f"{proposed}  policies/refunds.md, by process:agent" in outcome.out
        assert "+title: Money back  # the shop's" in outcome.out
        assert (kb / "policies/refunds.md").read_text() == REFUNDS
        (told,) = json.loads(shell("review", str(kb), "--json").out)
        assert (told["name"], told["written"]) == (proposed, False)

    def test_a_proposal_is_accepted(self, shell: Shell, kb: Path, proposed: str) -> None:
        assert shell("review", str(kb), "--yes", "--accept", proposed).code == 0
        assert "title: Money back  # the shop's" in (kb / "policies/refunds.md").read_text()
        assert "Nothing is proposed." in shell("review", str(kb)).err

    def test_a_proposal_that_was_made_and_not_put_away_is_accepted_again(
        self, shell: Shell, kb: Path, proposed: str
    ) -> None:
        kept = (kb / "proposals" / f"{proposed}.json").read_bytes()
        assert shell("review", str(kb), "--yes", "--accept", proposed).code == 0
        made = (kb / "policies/refunds.md").read_bytes()
        (kb / "proposals" / f"{proposed}.json").write_bytes(kept)  # as a crash between the two leaves it
        assert shell("review", str(kb), "--yes", "--accept", proposed).code == 0
        assert (kb / "policies/refunds.md").read_bytes() == made
        assert "Nothing is proposed." in shell("review", str(kb)).err

    def test_a_proposal_is_rejected(self, shell: Shell, kb: Path, proposed: str) -> None:
        assert shell("review", str(kb), "--yes", "--reject", proposed).code == 0
        assert (kb / "policies/refunds.md").read_text() == REFUNDS
        assert "Nothing is proposed." in shell("review", str(kb)).err

    def test_at_a_terminal_each_is_asked_about(
        self, shell: Shell, kb: Path, proposed: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answering(monkeypatch, "s")
        assert shell("review", str(kb)).code == 0
        assert proposed in shell("review", str(kb)).out
        answering(monkeypatch, "a")
        assert "Written: policies/refunds.md" in shell("review", str(kb)).err

    def test_what_was_changed_meanwhile_is_not_accepted(self, shell: Shell, kb: Path, proposed: str) -> None:
        (kb / "policies/refunds.md").write_text("---\ntype: Policy\n---\n")
        assert shell("review", str(kb)).code == 1
        outcome = shell("review", str(kb), "--yes", "--accept", proposed)
        assert outcome.code == 1
        assert "was changed since" in outcome.err
        assert (kb / "policies/refunds.md").read_text() == "---\ntype: Policy\n---\n"

    def test_what_is_not_proposed_is_said(self, shell: Shell, kb: Path, proposed: str) -> None:
        outcome = shell("review", str(kb), "--yes", "--accept", "absent", proposed)
        assert outcome.code == 1
        assert "There is no proposal 'absent'" in outcome.err
        (kb / "proposals" / "odd.json").write_text("[]")
        assert "'proposals/odd.json' is no proposal that can be read" in shell("review", str(kb)).err
