"""`BundleWriter`: what a bundle is written through, by programs and by people."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from fingerpost.bundle.brought import findings_brought_in, refuse_circle
from fingerpost.bundle.bundle import Bundle
from fingerpost.bundle.change import Change, check_size, naming
from fingerpost.bundle.drafts import Stamp, Wanted, changed_concept, new_concept
from fingerpost.bundle.folders import folder_at
from fingerpost.bundle.given_text import given, is_person, no_program_signs, title_in
from fingerpost.bundle.listing import left_out, missing_entries
from fingerpost.bundle.names import INDEX, LOG, concept_id, folder_id
from fingerpost.bundle.proposals import proposed
from fingerpost.bundle.reach import Reach
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from fingerpost.bundle.snapshot import Snapshot
from fingerpost.bundle.targets import free_path, meant_concept, new_folder
from fingerpost.errors import (
    ArgumentError,
    ConfigError,
    ConflictError,
    KnowledgeCapabilityError,
    KnowledgeNotFoundError,
    StoreError,
)
from fingerpost.okf.index_edit import with_entries
from fingerpost.okf.log_edit import add_entry
from fingerpost.okf.trust import SUCCESSOR
from fingerpost.okf.yaml_text import Value

_MOST_ATTEMPTS = 1_000  # to write what others write at the same time
_LONGEST_PAUSE_MS = 64
_MOST_LISTED = 1_000_000
_DEFAULT_ACTOR = "process:fingerpost"


class BundleWriter:
    """Writes concepts and log entries of one bundle.

    Each method works a change out on what the store holds at that moment, writes it if that is still so, and
    works it out anew if it is not; so nothing that others write is lost. Only what is asked for changes:
    every other byte stays. What was written is in the next answer of the bundle.

    The value of a field is a text, a list or a mapping of such, or None. Numbers, truth values and dates are
    given as the text that is to stand there: `"0.50"`, `"true"`, `"2026-12-31"`.

    Args:
        bundle: The bundle.
        actor: Who writes, as the field `generated` tells it, such as "process:curator"; no person.
        prefix: The folder that new concepts go to, and that may be written; "" for all of the bundle.
        beyond: Further folders (`policies/`) and concepts (`policies/refunds`) that may be written.
        proposes: Whether changes are put aside for a person to accept, and not made.
        clock: Tells the present.
        signs_in_person: Whether the actor may be a person, who has been asked and writes in person.

    Raises:
        ConfigError: The actor passes for a person, or the prefix, or what lies beyond it, is no path.
    """

    def __init__(
        self,
        bundle: Bundle,
        *,
        actor: str = "",
        prefix: str = "",
        beyond: Iterable[str] = (),
        proposes: bool = False,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
        signs_in_person: bool = False,
    ) -> None:
        if not signs_in_person:
            check_actor(actor)
        self.bundle = bundle
        self.actor = actor.strip() or _DEFAULT_ACTOR
        self.reach = Reach(prefix, beyond)
        self.proposes = proposes
        self._clock = clock

    def create(
        self,
        text: str,
        fields: Mapping[str, Value] | None = None,
        *,
        id: str = "",  # noqa: A002 - the name of the field
        folder: str | None = None,
        is_stamped: bool | None = None,
    ) -> Change:
        """Write a new concept.

        Args:
            text: Its text.
            fields: Its fields; without a title it gets one from its text, without a type it is a Note.
            id: Its id; by default one is made of the title, unlike that of any other.
            folder: The folder for an id that is made; by default the prefix.
            is_stamped: Whether it says who generated it; by default when its id is made.

        Raises:
            ConflictError: There is a concept of that id.
            KnowledgeError: It cannot be written; nothing was.
        """
        return self.write(lambda: self.draft(text, fields, id=id, folder=folder, is_stamped=is_stamped))

    def update(
        self,
        id: str,  # noqa: A002 - the name of the field
        text: str = "",
        fields: Mapping[str, Value] | None = None,
        *,
        unset: Iterable[str] = (),
        revision: str = "",
    ) -> Change:
        """Change a concept.

        Args:
            id: Its id.
            text: Its new text; "" to leave it.
            fields: Fields to set; others stay, and one that is None does too.
            unset: Fields to remove; never type, verified or generated. What is not there is noted.
            revision: The revision that was read; needed to replace a text.

        Raises:
            ConflictError: It is no longer of that revision.
            KnowledgeError: It cannot be written; nothing was.
        """
        wanted = Wanted(text, fields, revision, unset=tuple(unset))
        return self.write(lambda: self.redraft(id, wanted))

    def append(self, id: str, text: str, *, section: str = "", revision: str = "") -> Change:  # noqa: A002
        """Add to the text of a concept.

        Args:
            id: Its id.
            text: What is to follow.
            section: The heading of a section, to add to its end; "" for the end of all.
            revision: The revision that was read, if it has to be that one still.

        Raises:
            KnowledgeError: As `update`.
        """
        wanted = Wanted(text, None, revision, appends=True, section=section)
        return self.write(lambda: self.redraft(id, wanted))

    def deprecate(self, id: str, successor: str = "", *, revision: str = "") -> Change:  # noqa: A002
        """Mark a concept as no longer in force.

        Args:
            id: Its id.
            successor: The id of the concept that replaces it, told to whoever reads the old one.
            revision: The revision that was read, if it has to be that one still.

        Raises:
            KnowledgeNotFoundError: There is no such concept, or no such successor.
            KnowledgeError: As `update`.
        """
        return self.write(lambda: self.draft_deprecation(id, successor, revision))

    def log(self, text: str, folder: str = "", kind: str = "") -> Change:
        """Add an entry to the history of a folder, under today's date.

        Args:
            text: What happened, in a line.
            folder: The folder; "" for the top.
            kind: A word for what it was, such as "Update".

        Raises:
            KnowledgeError: It cannot be written; nothing was.
        """
        return self.write(lambda: self.draft_entry(text, folder, kind))

    def draft(
        self,
        text: str,
        fields: Mapping[str, Value] | None = None,
        *,
        id: str = "",  # noqa: A002 - the name of the field
        folder: str | None = None,
        is_stamped: bool | None = None,
    ) -> Change:
        """What `create` would write."""
        new = given(text, fields or {})
        stamped = not id if is_stamped is None else is_stamped
        stamp = self._stamp() if stamped else None
        with self.bundle.reader.snapshot(to_write=True) as snapshot:
            if id:
                path, is_there = meant_concept(snapshot, id)
                if is_there:
                    raise ConflictError(f"There is a concept {concept_id(path)!r} already; update that one.")
            else:
                own = new.fields.get("title")
                title = "" if own is None else str(own).strip()
                if not title:
                    title = title_in(new.body)
                    new = replace(new, fields={**new.fields, "title": title})
                if not title:
                    raise ArgumentError("The text has no words to make a title of; give it a title.")
                place = self.reach.prefix if folder is None else new_folder(snapshot, folder)
                path = free_path(snapshot, place, title)
        self._check(path)
        return self._told(new_concept(path, new, stamp))

    def redraft(self, id: str, wanted: Wanted) -> Change:  # noqa: A002 - the name of the field
        """What `update`, `append` and `deprecate` would write."""
        with self.bundle.reader.snapshot(to_write=True) as snapshot:
            path, is_there = meant_concept(snapshot, id)
        if not is_there:
            raise KnowledgeNotFoundError(
                f"There is no concept {concept_id(path)!r} to change; look for it with its words, or write a "
                "new one."
            )
        self._check(path)
        return self._told(changed_concept(path, self._read(path), wanted, self._stamp()))

    def draft_deprecation(self, id: str, successor: str = "", revision: str = "") -> Change:  # noqa: A002
        """What `deprecate` would write."""
        fields: dict[str, Value] = {"status": "deprecated"}
        if successor:
            with self.bundle.reader.snapshot(to_write=True) as snapshot:
                path, is_there = meant_concept(snapshot, successor)
                old, _ = meant_concept(snapshot, id)
            if not is_there:
                raise KnowledgeNotFoundError(f"There is no concept {successor!r} that could replace another.")
            if path == old:
                raise ArgumentError(f"{successor!r} cannot replace itself; name another successor, or none.")
            fields[SUCCESSOR] = f"/{path}"
        return self.redraft(id, Wanted(fields=fields, revision=revision))

    def draft_entry(self, text: str, folder: str, kind: str) -> Change:
        """What `log` would write."""
        with self.bundle.reader.snapshot(to_write=True) as snapshot:
            name = self._folder(snapshot, folder)
        path = f"{name}/{LOG}" if name else LOG
        self._check(path)
        before = self._read_if_there(path)
        with naming(path):
            return Change(path, before, add_entry(before, text, self._clock().date(), kind))

    def draft_index(self, folder: str = "/") -> Change:
        """An index.md that lists what it does not list yet, of a folder; all else in it stays.

        Args:
            folder: The folder, "/" for the top.

        Raises:
            KnowledgeNotFoundError: There is no such folder.
        """
        with self.bundle.reader.snapshot(to_write=True) as snapshot:
            name = folder_at(snapshot, folder)
        path = f"{name}/{INDEX}" if name else INDEX
        self._check(path)
        before = self._read_if_there(path)
        contents = self.bundle.contents(folder_id(name), limit=_MOST_LISTED)
        entries, notes = list(missing_entries(contents)), tuple(left_out(contents))
        if before is None and not entries:
            raise KnowledgeNotFoundError(f"{folder_id(name)!r} holds nothing to list; write a concept first.")
        with naming(path):
            after = with_entries(before, entries) if entries else before
        return Change(path, before, after or b"", notes)

    def _folder(self, snapshot: Snapshot, folder: str) -> str:
        """The path of a folder that is there, or that is the writer's own to make."""
        try:
            return folder_at(snapshot, folder)
        except KnowledgeNotFoundError:
            if folder.strip("/ ") != self.reach.prefix:
                raise
        return self.reach.prefix

    def _told(self, change: Change) -> Change:
        """A change of a concept, with what it brings in among its notes."""
        reader = self.bundle.reader
        with reader.snapshot(to_write=True) as snapshot:
            refuse_circle(reader, snapshot, change)
            found = tuple(findings_brought_in(reader, snapshot, change, self._clock()))
        return replace(change, notes=(*change.notes, *found)) if found else change

    def _read_if_there(self, path: str) -> bytes | None:
        try:
            return self._read(path)
        except KnowledgeNotFoundError:
            return None

    def write(self, draft: Callable[[], Change]) -> Change:
        """Work a change out and make it, again and again until nobody else comes in between.

        Args:
            draft: Works it out on what there is.

        Returns:
            The change that was made.

        Raises:
            KnowledgeError: It cannot be made; nothing was written.
        """
        attempts = 0
        while True:
            change = draft()
            attempts += 1
            try:
                return self.apply(change)
            except ConflictError as error:
                if attempts == _MOST_ATTEMPTS:
                    raise StoreError(
                        f"{change.path!r} was not written: others changed it {attempts:,} times meanwhile; "
                        "try later."
                    ) from error
                # Of many at the same time, each waits for another while, lest all meet again.
                time.sleep(secrets.randbelow(min(2**attempts, _LONGEST_PAUSE_MS)) / 1000)

    def apply(self, change: Change) -> Change:
        """Make a change that was worked out, or put it aside as a proposal.

        Returns:
            What was written.

        Raises:
            ConflictError: The file is no longer what it was; nothing was written.
            KnowledgeError: It cannot be written; nothing was.
        """
        check_writable(self.bundle)
        if self.proposes and not change.is_any:
            return change
        check_size(change)
        written = proposed(self.bundle, change, self._stamp()) if self.proposes else change
        try:
            self.bundle.store.swap_bytes(written.path, written.before, written.after)
        finally:
            self.bundle.reader.pace.hurry()
        return written

    def _check(self, path: str) -> None:
        self.reach.check(path, self.bundle.store.leads_to)

    def _read(self, path: str) -> bytes:
        return self.bundle.store.read_bytes(path, MAX_DOCUMENT_BYTES)

    def _stamp(self) -> Stamp:
        return Stamp(self.actor, self._clock())


def check_actor(actor: str) -> None:
    """Refuse an actor that passes for a person.

    Raises:
        ConfigError: It does.
    """
    if is_person(actor):
        raise ConfigError(f"{no_program_signs(actor)}; choose an actor such as 'process:curator'.")


def check_writable(bundle: Bundle) -> None:
    """Refuse a bundle that cannot be written.

    Raises:
        KnowledgeCapabilityError: It can only be read; the sentence says what can be written.
    """
    if not bundle.store.writable:
        raise KnowledgeCapabilityError(
            f"The bundle {bundle.store.identity} can only be read; write to a folder that may be written, or "
            "to a bucket: clone a repository, or unpack an archive, first."
        )
