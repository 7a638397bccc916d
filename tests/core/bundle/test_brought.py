"""What a change brings in is told with it: what `validate` would find, and circles of successors."""

from __future__ import annotations

import logging

import pytest

from fingerpost.bundle import names, proposals
from fingerpost.errors import ArgumentError
from tests.core.bundle.writing import FILES, held, writer

LINKED = b"---\ntype: Policy\ntitle: Linked\ndescription: A.\n---\n\n[Gone](gone.md)\n"


class TestFaults:
    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("status", "depracated", "The status `depracated` is none of draft, stable, deprecated."),
            ("stale_after", "next year", "`stale_after` is `next year`, which is no ISO 8601 date"),
            ("stale_after", "2020-01-01", "The concept is stale since 2020-01-01"),
            (
                "superseded_by",
                "policies/refund",
                "which names no concept. Did you mean /policies/refunds",
            ),
            ("superseded_by", "/policies/", "which names no concept."),
        ],
    )
    def test_a_field_that_is_wrong_is_told_and_written(self, field: str, value: str, said: str) -> None:
        to = writer()
        change = to.update("policies/new", fields={field: value})
        (note,) = change.notes
        assert said in note
        assert f"{field}: {value}".encode() in held(to, "policies/new.md").replace(b'"', b"")

    def test_a_link_that_leads_nowhere_is_told_of_a_new_concept_too(self) -> None:
        made = writer().create(
            "[Ours](/policies/refunds.md) and [theirs](/policies/theirs.md).", {"title": "X"}
        )
        (said,) = made.notes
        assert said == (
            "The link '/policies/theirs.md' leads to nothing. Correct the link, or write the missing concept."
        )

    def test_what_was_wrong_before_is_not_told(self) -> None:
        to = writer({"a.md": LINKED})
        assert to.update("a", fields={"title": "Other"}).notes == ()
        (said,) = to.append("a", "[Too](too.md)").notes
        assert "'too.md'" in said
        (again,) = to.append("a", "[Third](third.md)").notes
        assert "'third.md'" in again

    def test_of_many_faults_a_few_are_told_and_the_others_counted(self) -> None:
        text = "\n".join(f"[{number}](gone-{number}.md)" for number in range(9))
        *told, more = writer().create(text, {"title": "X"}).notes
        assert len(told) == 5
        assert more == "4 more faults come with it; `fingerpost validate` lists them."

    def test_what_leads_to_a_concept_is_no_fault(self) -> None:
        to = writer()
        for successor in ("/policies/new.md", "new.md", "policies/new", "https://example.org/new"):
            assert to.update("policies/refunds", fields={"superseded_by": successor}).notes[1:] == ()


class TestCircles:
    def test_concepts_do_not_replace_each_other(self) -> None:
        files = {f"{name}.md": b"---\ntype: T\n---\n" for name in "abc"}
        to = writer(files)
        to.deprecate("a", "b")
        to.deprecate("b", "c")
        before = held(to, "c.md")
        for change in (
            lambda: to.deprecate("c", "a"),
            lambda: to.update("c", fields={"superseded_by": "a.md"}),
        ):
            with pytest.raises(
                ArgumentError, match="'c' cannot be replaced by 'a', which is replaced by 'b'"
            ):
                change()
        assert held(to, "c.md") == before
        to.update("b", unset=["superseded_by"])
        assert to.deprecate("c", "a").is_any

    def test_a_circle_that_is_there_keeps_nobody_from_writing(self) -> None:
        old = b"---\ntype: T\nsuperseded_by: /%s.md\n---\n"
        to = writer({"a.md": old % b"b", "b.md": old % b"a", "c.md": b"---\ntype: T\n---\n"})
        assert to.update("a", fields={"title": "Of many"}).is_any
        assert to.deprecate("c", "a").is_any


class TestAnEmptyBundle:
    def test_the_first_concept_is_written_without_a_warning(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.WARNING, "fingerpost"):
            to = writer({})
            to.create("The first.")
            assert len(to.bundle) == 1
        assert caplog.messages == []

    def test_whoever_asks_it_is_warned_once_though_somebody_writes(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.WARNING, "fingerpost"):
            to = writer({})
            to.draft("Not written.")
            for _ in range(2):
                assert to.bundle.find("x")["results"] == []
        (said,) = caplog.messages
        assert said.startswith("No concept was found in memory:")


class TestProposals:
    def test_their_folder_is_listed_where_concepts_lie_in_it_too(self) -> None:
        assert proposals.FOLDER == names.PROPOSALS
        to = writer({**FILES, "proposals/x.json": b"{}", "deep/proposals/x.json": b"{}"})
        bundle = to.bundle
        assert "proposals" not in bundle.index()
        assert [folder["id"] for folder in bundle.contents()["folders"]] == ["deep/", "policies/"]
        assert "proposals" in bundle.index("deep")
        bundle.store.write_bytes("proposals/by-hand.md", FILES["policies/new.md"])
        assert "[proposals/](/proposals/) - 1 concept" in bundle.index()
        assert bundle.read("proposals/by-hand")["body"].strip() == "The new rule."
