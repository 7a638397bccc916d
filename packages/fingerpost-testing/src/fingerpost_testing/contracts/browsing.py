"""The contract of `browse`."""

from __future__ import annotations

from fingerpost_testing.contracts.demands import demand, shown
from fingerpost_testing.contracts.rows import asked, check_rows, identities, refused_or_nothing, titled
from fingerpost_testing.contracts.subject import KnowledgeBaseSubject

_NOWHERE = "no-such-part"


class BrowseContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base that declares `browse`; `browse_path` says where samples lie."""

    def test_browse_lists_what_was_stored(self) -> None:
        """Each sample is listed where it lies."""
        filled = self.offering("browse")
        for sample in self.samples:
            path = self.browse_path(sample)
            rows = asked(filled.base, "browse", path)
            demand(
                any(filled.is_about(row, sample) for row in rows),
                f"browse({path!r}) of the {titled(filled.base)} listed {shown(identities(rows))}; list the "
                f"record with the id {filled.ids[sample.word]!r} too, or override browse_path(sample) where "
                "it lies elsewhere.",
            )

    def test_browse_starts_at_the_top(self) -> None:
        """Without a path there is something to begin with."""
        base = self.offering("browse").base
        demand(
            asked(base, "browse", advice='let path be "" and limit be 50 by default'),
            f"browse() of the {titled(base)} listed nothing; list without a path what there is at the top.",
        )

    def test_browse_lists_nothing_below_a_path_that_is_not_there(self) -> None:
        """What is not there is no error, and no reason to list all."""
        base = self.offering("browse").base
        rows = asked(base, "browse", _NOWHERE, advice="return [] below a path that is not there")
        demand(
            not rows,
            f"browse({_NOWHERE!r}) of the {titled(base)} listed {shown(identities(rows))}; return [] below "
            "a path that is not there.",
        )

    def test_browse_gives_records(self) -> None:
        """Rows have a text and metadata that can be sent as JSON."""
        base = self.offering("browse").base
        for path in {"", self.browse_path(self.samples[0])}:
            check_rows(base, "browse", asked(base, "browse", path))

    def test_browse_heeds_the_limit(self) -> None:
        """No more comes than was asked for, and the same as at the head of all."""
        base, path = self.offering("browse").base, self.browse_path(self.samples[0])
        every = len(asked(base, "browse", path))
        for limit in (1, 2):
            rows = asked(base, "browse", path, limit=limit)
            demand(
                len(rows) == min(limit, every),
                f"browse({path!r}, limit={limit}) of the {titled(base)} gave {len(rows)} of {every} "
                f"records; return the first {limit}.",
            )

    def test_browse_keeps_one_order(self) -> None:
        """What is listed stands where it stood."""
        base, path = self.offering("browse").base, self.browse_path(self.samples[0])
        every = identities(asked(base, "browse", path))
        for limit in (50, 2, 50):
            rows = identities(asked(base, "browse", path, limit=limit))
            demand(
                rows == every[: len(rows)],
                f"browse({path!r}, limit={limit}) of the {titled(base)} gave {shown(rows)} after "
                f"{shown(every)}; sort what is listed, as by its id.",
            )

    def test_browse_serves_nothing_that_was_not_stored(self) -> None:
        """No path leads outside."""
        base = self.offering("browse").base
        for path in ("../", "../..", "x/../..", str(self.folder.parent), *self.paths_to_secrets()):
            refused_or_nothing(base, "browse", path, path)
