"""Fields that are removed, and those that a text brings along in its own frontmatter."""

from __future__ import annotations

import pytest

from fingerpost.errors import ArgumentError, ConceptError
from tests.core.bundle.writing import REFUNDS, held, writer

OWN = "---\ntype: Policy\ntitle: Own\nunit: '%'\n---\n\nThe text.\n"


class TestRemoved:
    def test_a_field_goes_and_every_other_byte_stays(self) -> None:
        to = writer()
        change = to.update("policies/refunds", unset=["x-limit", "tags"])
        gone = b"x-limit: 0755\n", b'tags: [money, "returns"]\n'
        expected = REFUNDS
        for line in gone:
            expected = expected.replace(line, b"")
        assert held(to, change.path) == expected

    def test_one_that_is_not_there_is_told(self) -> None:
        to = writer()
        change = to.update("policies/refunds", unset=["titel"])
        assert change.notes == ("It has no field 'titel'. Did you mean title?", "Nothing was changed.")
        assert held(to, "policies/refunds.md") == REFUNDS
        (absent, *_) = to.update("policies/refunds", fields={"title": "New"}, unset=["zzz"]).notes
        assert absent == "It has no field 'zzz'."

    @pytest.mark.parametrize("name", ["type", "verified", "generated", "Verified", "generated\u200b"])
    def test_what_makes_a_concept_and_what_is_signed_stays(self, name: str) -> None:
        to = writer()
        with pytest.raises(ArgumentError, match="is not removed from a concept"):
            to.update("policies/refunds", unset=[name])
        assert held(to, "policies/refunds.md") == REFUNDS

    def test_no_field_is_set_and_removed(self) -> None:
        with pytest.raises(ArgumentError, match="'title' is to be set and removed"):
            writer().update("policies/refunds", fields={"title": "X"}, unset=["title"])

    def test_what_an_attested_computation_runs_on_stays(self) -> None:
        computed = b"---\ntype: Attested Computation\nruntime: sql\nowner: us\n---\n\n```sql\nselect 1\n```\n"
        to = writer({"sum.md": computed})
        with pytest.raises(ArgumentError, match="an attested computation, which its owner changes"):
            to.update("sum", unset=["runtime"])
        to.update("sum", unset=["owner"])
        assert held(to, "sum.md") == computed.replace(b"owner: us\n", b"")


class TestBroughtAlong:
    def test_what_is_said_apart_wins_and_that_is_told(self) -> None:
        to = writer()
        made = to.create(OWN, {"title": "Said", "unit": "%"})
        assert made.notes == (
            "The 'title' in the frontmatter of the text gave way to the one that was given.",
        )
        assert b"type: Policy\ntitle: Said\nunit:" in made.after
        revision = to.bundle.read("policies/new")["revision"]
        changed = to.update("policies/new", OWN, {"title": "Other"}, revision=revision)
        assert changed.notes == made.notes
        assert b"title: Other\nunit:" in changed.after

    def test_what_is_removed_is_not_taken_from_the_text(self) -> None:
        to = writer()
        revision = to.bundle.read("policies/new")["revision"]
        assert b"title" not in to.update("policies/new", OWN, unset=["title"], revision=revision).after


def test_a_value_is_given_as_the_text_that_is_to_stand_there() -> None:
    to = writer()
    with pytest.raises(ConceptError, match="holds a value of the type int: give it as a text"):
        to.update("policies/new", fields={"nested": {"n": 1}})  # type: ignore[dict-item]
    assert b'nested: {"n": "1"}\n' in to.update("policies/new", fields={"nested": {"n": "1"}}).after
