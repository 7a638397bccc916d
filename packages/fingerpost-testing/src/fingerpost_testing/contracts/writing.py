"""The contract of `write`."""

from __future__ import annotations

import contextlib
import copy
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import zip_longest
from threading import Barrier
from typing import Any

from fingerpost import KnowledgeBase, KnowledgeError, Record
from fingerpost_testing.contracts.demands import ContractError, broken, demand, left_out, raised, shown
from fingerpost_testing.contracts.rows import (
    asked,
    check_rows,
    id_of,
    identities,
    metadata_of,
    text_of,
    titled,
    written,
)
from fingerpost_testing.contracts.samples import Sample
from fingerpost_testing.contracts.subject import KnowledgeBaseSubject, operations_of

_WRITERS = 8
_CHECKED = ("human-reviewed", "machine-confirmed")
_NEW = ("cormorant", "heron", "avocet", "dunlin", "plover", "whimbrel", "godwit", "turnstone")


def _note(word: str, **metadata: Any) -> Record:
    return {
        "text": f"A {word} sat on the rail of the gallery.",
        "metadata": {"source": "log book", **metadata},
    }


class WriteContract(KnowledgeBaseSubject):
    """What is demanded of a knowledge base that declares `writable`."""

    def test_write_stores_what_is_found_afterwards(self) -> None:
        """What was written is there for the next call."""
        base = self._writable()
        words = _NEW[:2]
        rows = written(base, (_note(word) for word in words))
        for word, row in zip_longest(words, rows[:2]):
            self._demand_there(base, word, id_of(row), "store each record of any iterable")

    def test_write_changes_nothing_that_it_is_given(self) -> None:
        """Records belong to whoever wrote them."""
        base = self._writable()
        records = [_note(_NEW[0], title="Birds", tags=["bird"]), *self.records]
        before = copy.deepcopy(records)
        written(base, records)
        demand(
            records == before,
            f"write() of the {titled(base)} changed the records that it was given; work on copies of them.",
        )

    def test_write_keeps_no_hold_of_what_it_is_given(self) -> None:
        """What is done to a record after it was written changes nothing that is stored."""
        base = self._writable()
        metadata: dict[str, Any] = {"source": "log book", "title": "Birds"}
        rows = written(base, [{"text": _note(_NEW[0])["text"], "metadata": metadata}])
        metadata["source"] = "somebody else"
        for row in self._demand_there(base, _NEW[0], id_of(rows[0]) if rows else "", "store it"):
            demand(
                metadata_of(row).get("source") != "somebody else",
                f"The {titled(base)} stored the very mapping that write() was given; store a copy of it.",
            )

    def test_write_says_what_it_stored(self) -> None:
        """The answer has a record with an id for each that was written, or there is none."""
        base = self._writable()
        rows = written(base, [_note(_NEW[0]), _note(_NEW[1])])
        check_rows(base, "write", rows)
        ids = [id_of(row) for row in rows]
        demand(
            not rows or (len(rows) == 2 and len({*filter(None, ids)}) == 2),
            f"write() of the {titled(base)} returned the ids {ids} for two new records; return a record "
            "with its own id for each, in their order, or None.",
        )
        if base.capabilities.fetch:
            for id_, word in zip(ids, _NEW, strict=False):
                texts = [text_of(row) for row in asked(base, "fetch", [id_])]
                demand(
                    len(texts) == 1 and word in texts[0],
                    f"write() of the {titled(base)} returned the id {id_!r}, under which fetch() gives "
                    f"{shown(texts)}; return the id that the record is fetched by.",
                )

    def test_write_stores_records_without_ids_side_by_side(self) -> None:
        """A new record replaces no other."""
        base = self._writable()
        ids = {word: self._stored(base, word) for word in _NEW[:3]}
        for word, id_ in ids.items():
            self._demand_there(base, word, id_, "make a new id for each record that has none")

    def test_write_replaces_the_record_that_has_the_id(self) -> None:
        """A record that is written under a known id takes the place of the old one."""
        base = self._fetchable()
        id_ = self._stored(base, _NEW[0], id="bird-log") or "bird-log"
        written(base, [_note(_NEW[1], id=id_, **self._revision(base, id_))])
        texts = [text_of(row) for row in asked(base, "fetch", [id_])]
        demand(
            len(texts) == 1 and _NEW[1] in texts[0],
            f"After write() of a second record with the id {id_!r}, fetch() of the {titled(base)} gives "
            f"{shown(texts)}; let the second take the place of the first.",
        )
        if _tells_what_is_not_there(base):
            found = asked(base, "search", _NEW[0], advice="return [] where nothing is found")
            demand(
                not any(id_of(row) == id_ for row in found),
                f"The {titled(base)} still finds what the record {id_!r} said before it was replaced; take "
                "the old text out of the index.",
            )

    def test_write_refuses_a_revision_that_is_not_the_last(self) -> None:
        """Where records have revisions, nobody's change is lost to somebody who has read an older one."""
        base = self._fetchable()
        id_, _ = self._written_too_late(base)
        texts = [text_of(row) for row in asked(base, "fetch", [id_])]
        demand(
            len(texts) == 1 and _NEW[1] in texts[0],
            f"write() of the {titled(base)} with an old revision left {shown(texts)}; raise a "
            "KnowledgeError and store nothing when the revision is not that of the record as it is.",
        )

    def test_write_says_which_revision_is_the_last(self) -> None:
        """Whoever is refused learns what to read, or to write against."""
        base = self._fetchable()
        id_, refusal = self._written_too_late(base)
        last = self._revision(base, id_).get("revision")
        demand(
            refusal and str(last) in refusal,
            f"write() of the {titled(base)} with an old revision said {shown(refusal or None)}, while the "
            f"last one is {last!r}; raise a KnowledgeError whose sentence names the last one.",
        )

    def test_write_is_seen_by_the_very_next_call(self) -> None:
        """Every way that is declared finds what was written, although it was asked before."""
        base = self._writable()
        ways = [each for each in ("fetch", "search", "browse") if each in operations_of(base)]
        for way in ways:
            with contextlib.suppress(ContractError):  # what is not there is another check's business
                self._found_by(base, way, _NEW[0], "bird-log")
        id_ = self._stored(base, _NEW[0], id="bird-log") or "bird-log"
        for way in ways:
            self._demand_seen(base, way, _NEW[0], id_)
        if "fetch" not in ways:
            return
        written(base, [_note(_NEW[1], id=id_, **self._revision(base, id_))])
        for way in ways:
            self._demand_seen(base, way, _NEW[1], id_)

    def test_write_takes_nobody_at_their_word(self) -> None:
        """Where records show trust, what is written shows none that its writer claims."""
        base = self._writable()
        (usual, *_) = self._demand_there(base, _NEW[0], self._stored(base, _NEW[0]), "store it")
        if "trust" not in metadata_of(usual):
            left_out(f"the records of the {titled(base)} show no trust")
        verified = [{"by": "human:ada", "at": "2026-01-01"}]
        front = json.dumps({"type": "Note", "verified": verified})
        claims = [
            _note(_NEW[1], verified=verified),
            _note(_NEW[2], trust="human-reviewed"),
            {**_note(_NEW[3]), "text": f"---\n{front}\n---\n{text_of(_note(_NEW[3]))}"},
        ]
        rows = [usual]
        for word, claim in zip(_NEW[1:], claims, strict=False):
            try:
                stored = written(base, [claim])
            except ContractError as error:
                if not isinstance(error.__cause__, KnowledgeError):
                    raise
                continue  # such a claim may be refused as well
            rows += self._demand_there(base, word, id_of(stored[0]) if stored else "", "store it")
        for row in rows:
            trust = metadata_of(row).get("trust")
            demand(
                trust not in _CHECKED,
                f"The {titled(base)} shows the trust {trust!r} for a record that was written and that nobody "
                "has checked; let what is written be unverified, whatever its metadata and text say.",
            )

    def test_writers_at_the_same_time_lose_nothing(self) -> None:
        """What several threads write is all there."""
        base, start = self._writable(), Barrier(_WRITERS)

        def store(word: str) -> str:
            start.wait()
            return self._stored(base, word)

        with ThreadPoolExecutor(_WRITERS) as threads:
            ids = dict(zip(_NEW, threads.map(store, _NEW), strict=True))
        for word, id_ in ids.items():
            self._demand_there(base, word, id_, "let one thread at a time write")

    def _writable(self) -> KnowledgeBase:
        return self.offering("write").base

    def _fetchable(self) -> KnowledgeBase:
        base = self._writable()
        if "fetch" not in operations_of(base):
            left_out("what a record holds under an id is known where it can be fetched alone")
        return base

    @staticmethod
    def _stored(base: KnowledgeBase, word: str, **metadata: Any) -> str:
        """Writes a note, and returns the id that it was given, "" if nobody said."""
        rows = written(base, [_note(word, **metadata)])
        return id_of(rows[0]) if rows else ""

    @staticmethod
    def _revision(base: KnowledgeBase, id_: str) -> dict[str, Any]:
        """The revision of a record, as metadata to write; empty if it has none."""
        rows = asked(base, "fetch", [id_])
        revision = metadata_of(rows[0]).get("revision") if rows else None
        return {"revision": revision} if revision else {}

    def _written_too_late(self, base: KnowledgeBase) -> tuple[str, str]:
        """The id of a record that was written with an old revision, and the sentence that refused it."""
        id_ = self._stored(base, _NEW[0], id="bird-log") or "bird-log"
        read = self._revision(base, id_)
        if not read:
            left_out(f"the records of the {titled(base)} have no revisions")
        written(base, [_note(_NEW[1], id=id_, **read)])
        try:
            base.write([_note(_NEW[2], id=id_, **read)])
        except KnowledgeError as refusal:
            return id_, str(refusal)
        except Exception as error:
            raise ContractError(
                f"write() of the {titled(base)} with an old revision raised {raised(error)}; raise a "
                "KnowledgeError that says to read the record again."
            ) from error
        return id_, ""

    def _demand_seen(self, base: KnowledgeBase, way: str, word: str, id_: str) -> None:
        __tracebackhide__ = True
        found = self._found_by(base, way, word, id_)
        demand(
            any(word in text_of(row) or (way != "fetch" and id_of(row) == id_) for row in found),
            f"{way}() of the {titled(base)} gave {shown(identities(found))} right after write() of a record "
            f"with the id {id_!r} and the word {word!r}; let every call see what was written before it.",
        )

    def _found_by(self, base: KnowledgeBase, way: str, word: str, id_: str) -> list[Record]:
        if way == "fetch":
            return asked(base, "fetch", [id_])
        if way == "search":
            text = word if _tells_what_is_not_there(base) else text_of(_note(word))
            return asked(base, "search", text)
        fetched = asked(base, "fetch", [id_]) if "fetch" in operations_of(base) else []
        place = self.browse_path(Sample(fetched[0], word)) if fetched else ""
        return asked(base, "browse", place, limit=100)

    def _demand_there(self, base: KnowledgeBase, word: str, id_: str, advice: str) -> list[Record]:
        __tracebackhide__ = True
        if not id_ and not set(operations_of(base)) & {"search", "query", "browse"}:
            left_out(f"the {titled(base)} has no way to find what was written without being told its id")
        rows = self._rows_with(base, word, id_)
        if not rows:
            by = f"the id {id_!r} that it returned" if id_ else repr(word)
            broken(f"What write() of the {titled(base)} was given is not found by {by}; {advice}.")
        return rows

    def _rows_with(self, base: KnowledgeBase, word: str, id_: str = "") -> list[Record]:
        """The rows with a word that the first way which there is finds: the id, if it is known."""
        operations = operations_of(base)
        if id_ and "fetch" in operations:
            rows = asked(base, "fetch", [id_])
        elif "search" in operations:
            text = word if _tells_what_is_not_there(base) else text_of(_note(word))
            rows = asked(base, "search", text)
        elif "query" in operations:
            rows = asked(base, "query", self.statement(word))
        else:
            rows = asked(base, "browse", limit=100)
        if "fetch" in operations and not id_:
            rows = asked(base, "fetch", [id_of(row) for row in rows if id_of(row)])
        return [row for row in rows if word in text_of(row)]


def _tells_what_is_not_there(base: KnowledgeBase) -> bool:
    """Whether search finds records by their words alone."""
    return base.capabilities.search and base.capabilities.search_mode in (None, "lexical")
