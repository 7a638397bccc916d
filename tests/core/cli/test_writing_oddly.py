"""What is odd about a command that writes is said, and what was done before a failure too."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fingerpost import Bundle
from fingerpost.bundle.proposals import proposals
from fingerpost.bundle.writer import BundleWriter
from tests.core.cli.shell import Shell

REFUNDS = "---\ntype: Policy\ntitle: Refunds\n---\n\nWithin 30 days.\n"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    folder = tmp_path / "the kb"
    (folder / "policies").mkdir(parents=True)
    (folder / "policies" / "refunds.md").write_text(REFUNDS)
    (folder / "policies" / "fees.md").write_text("---\ntype: Policy\n---\nTen.\n")
    return folder


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["set", "KB", "policies/refunds", "title=A", "title=B"], "'title' is given twice; give it once."),
        (
            ["set", "KB", "policies/fees", "title=A", "--section", "X"],
            "--section says where --append adds",
        ),
        (
            ["deprecate", "KB", "policies/fees", "--successor", "policies/fees.md"],
            "cannot replace itself",
        ),
        (["review", "KB", "--accept", "x", "--reject", "x"], "'x' is to be accepted and rejected"),
        (
            ["log", "KB", "policies/refunds.md", "--add", "x"],
            "is no folder; it lies in the folder 'policies/'",
        ),
        (["new", "KB", "Fees", "--folder", ".hidden"], "would be hidden"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_it_is_shown(
    shell: Shell, kb: Path, words: list[str], said: str
) -> None:
    outcome = shell(*(str(kb) if word == "KB" else word for word in words), "--yes")
    assert outcome.code in (1, 2)
    assert outcome.out == ""
    assert said in outcome.err


def test_a_folder_that_is_spelt_as_a_shell_does_is_the_folder(shell: Shell, kb: Path) -> None:
    assert shell("new", str(kb), "Refunds", "--folder", "./policies", "--yes").code == 0
    assert (kb / "policies" / "refunds-2.md").exists()
    assert shell("log", str(kb), "Policies", "--add", "Said.", "--yes").code == 0
    assert (kb / "policies" / "log.md").exists()
    (kb / "odd.md").write_text("---\ntype: a: b\n---\n")
    assert shell("fmt", str(kb), "./odd.md", "--check").code == 1
    assert shell("fmt", str(kb), "./policies/", "--check").code == 0


def _odd_files(kb: Path) -> None:
    for name in ("a", "b", "c"):
        (kb / f"{name}.md").write_text("---\ntype: x: y\n---\n")


def _failing_at_b(monkeypatch: pytest.MonkeyPatch) -> None:
    rename = os.rename

    def renamed(source: str, target: bytes, **places: int) -> None:
        if target == b"b.md":
            raise OSError(28, os.strerror(28))
        rename(source, target, **places)

    monkeypatch.setattr(os, "rename", renamed)


def test_what_was_written_before_one_that_fails_is_told(
    shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _odd_files(kb)
    _failing_at_b(monkeypatch)
    outcome = shell("fmt", str(kb), "--yes")
    assert outcome.code != 0
    assert "Written: a.md" in outcome.err
    assert "'b.md' was not written and is as it was" in outcome.err


def test_it_is_told_as_data_too(shell: Shell, kb: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _odd_files(kb)
    _failing_at_b(monkeypatch)
    told = json.loads(shell("fmt", str(kb), "--yes", "--json").out)
    assert [(each["path"], each["written"]) for each in told] == [
        ("a.md", True),
        ("b.md", False),
        ("c.md", False),
    ]


class TestReview:
    def _proposed(self, kb: Path, *ids: str) -> list[str]:
        with Bundle(kb, cache="") as bundle:
            writer = BundleWriter(bundle, actor="process:agent", proposes=True)
            paths = [
                writer.update(id_, fields={"title": "New" + "er" * number}).path
                for number, id_ in enumerate(ids or ("policies/refunds", "policies/fees"))
            ]
        return [path.removeprefix("proposals/").removesuffix(".json") for path in paths]

    def test_nothing_is_accepted_beside_one_that_cannot_be(self, shell: Shell, kb: Path) -> None:
        first, second = self._proposed(kb)
        (kb / "policies" / "fees.md").write_text("---\ntype: Policy\n---\nEleven.\n")
        outcome = shell("review", str(kb), "--yes", "--accept", first, first, second)
        assert outcome.code == 1
        assert f"since '{second}' was proposed" in outcome.err
        assert "Written" not in outcome.err

    def test_what_was_accepted_before_one_that_it_rules_out_is_told(self, shell: Shell, kb: Path) -> None:
        first, second = self._proposed(kb, "policies/refunds", "policies/refunds")
        outcome = shell("review", str(kb), "--yes", "--accept", first, first, second)
        assert outcome.code == 1
        assert outcome.err.count("Written: policies/refunds.md") == 1
        assert "was changed since" in outcome.err

    def test_without_a_terminal_and_yes_nothing_is_accepted_or_dropped(self, shell: Shell, kb: Path) -> None:
        first, second = self._proposed(kb)
        before = (kb / "policies/refunds.md").read_bytes()
        for words in (["--accept", first], ["--reject", first], ["--accept", first, "--reject", second]):
            outcome = shell("review", str(kb), *words)
            assert outcome.code == 1
            assert outcome.err.endswith("Nothing was written; add --yes to write it.\n")
            assert shell("review", str(kb), "--dry-run", *words).code == 0
        assert "+title: New" in shell("review", str(kb), "--accept", first).out
        (told,) = json.loads(shell("review", str(kb), "--json", "--accept", first).out)
        assert (told["id"], told["written"]) == ("policies/refunds", False)
        assert (kb / "policies/refunds.md").read_bytes() == before
        assert len(list((kb / "proposals").iterdir())) == 2

    @pytest.mark.parametrize(
        ("text", "by", "says"),
        [
            ("no frontmatter", "process:x", "This file is no valid concept"),
            ("---\ntype: ''\n---\nx", "process:x", "This file is no valid concept"),
            (
                "---\ntype: A\nverified: [{by: human:boss, at: 2026-01-01T00:00:00Z}]\n---\nx",
                "process:x",
                "verified by whoever has checked it",
            ),
            ("---\ntype: A\ngenerated: {by: human:boss}\n---\nx", "process:x", "is a person's signature"),
            ("---\ntype: A\n---\nx", "human:boss", "is no proposal that can be read"),
        ],
    )
    def test_what_no_agent_may_write_is_not_accepted_from_it(
        self, shell: Shell, kb: Path, text: str, by: str, says: str
    ) -> None:
        forged = {"path": "x.md", "revision": "", "by": by, "at": "2026", "text": text}
        (kb / "proposals").mkdir()
        (kb / "proposals" / "odd.json").write_text(json.dumps(forged))
        outcome = shell("review", str(kb), "--yes", "--accept", "odd")
        assert outcome.code in (1, 2)
        assert says in outcome.err
        assert says in shell("review", str(kb)).err
        assert not (kb / "x.md").exists()

    def test_what_is_verified_already_may_stand_in_a_proposal(self, shell: Shell, kb: Path) -> None:
        old = "---\ntype: A\nverified: [{by: human:boss, at: 2026-01-01T00:00:00Z}]\n---\nx\n"
        (kb / "x.md").write_text(old)
        (name,) = self._proposed(kb, "x")
        assert shell("review", str(kb), "--yes", "--accept", name).code == 0
        assert (kb / "x.md").read_text() == old.replace("---\nx", "title: New\n---\nx")

    @pytest.mark.parametrize("path", ["../x.md", "/etc/x.md", ".git/x.md", "\ud800.md", "run.py"])
    def test_one_that_can_be_no_change_is_said_and_hides_no_other(
        self, shell: Shell, kb: Path, path: str
    ) -> None:
        first, _ = self._proposed(kb)
        odd = {"path": path, "revision": "", "by": "process:x", "at": "2026", "text": "x"}
        (kb / "proposals" / "odd.json").write_text(json.dumps(odd))
        outcome = shell("review", str(kb), "--yes", "--accept", "odd")
        assert (outcome.code, "Traceback" in outcome.err) == (1, False)
        assert shell("review", str(kb), "--yes", "--accept", first).code == 0
        assert "policies/fees.md" in shell("review", str(kb)).out

    def test_half_a_character_in_one_is_no_proposal(self, shell: Shell, kb: Path) -> None:
        self._proposed(kb)
        odd = {"path": "x.md", "revision": "", "by": "process:x", "at": "2026", "text": "\ud800"}
        (kb / "proposals" / "odd.json").write_text(json.dumps(odd))
        assert "'proposals/odd.json' is no proposal that can be read" in shell("review", str(kb)).err

    def test_one_that_cannot_be_read_is_listed_with_its_problem_and_can_be_rejected(
        self, shell: Shell, kb: Path
    ) -> None:
        first, second = self._proposed(kb)
        odd = kb / "proposals" / "odd.json"
        odd.write_text("[]")
        listed = json.loads(shell("review", str(kb), "--json").out)
        assert [each["name"] for each in listed] == [*sorted((first, second)), "odd"]
        assert listed[-1]["problem"].endswith("is no proposal that can be read; look at it, and reject it.")
        assert shell("review", str(kb)).code == 1
        assert shell("review", str(kb), "--yes", "--accept", "odd").code == 1
        assert shell("review", str(kb), "--yes", "--reject", "odd").code == 0
        assert not odd.exists()
        assert shell("review", str(kb)).code == 0

    def test_one_that_could_not_be_read_again_is_not_accepted(self, shell: Shell, kb: Path) -> None:
        self._proposed(kb)
        text = "---\ntype: A\n---\n" + "x" * 9_000_000
        odd = {"path": "x.md", "revision": "", "by": "process:x", "at": "2026", "text": text}
        (kb / "proposals" / "odd.json").write_text(json.dumps(odd))
        assert "no more than 8,388,608 are read" in shell("review", str(kb), "--yes", "--accept", "odd").err
        assert not (kb / "x.md").exists()

    def test_the_largest_text_of_characters_that_are_escaped_can_be_reviewed(self, kb: Path) -> None:
        with Bundle(kb, cache="") as bundle:
            writer = BundleWriter(bundle, actor="process:agent", proposes=True)
            text = "a" + "\x01" * (8 * 1024 * 1024 - 200)
            writer.create(text, {"title": "Large"})
            assert [found.text.count("\x01") for found in proposals(bundle)[0]] == [len(text) - 1]
