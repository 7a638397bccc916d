"""What is demanded of a document store in which something changes."""

from __future__ import annotations

import json
from typing import Any

from fingerpost import DocumentStore, KnowledgeCapabilityError, KnowledgePathError
from fingerpost_testing.contracts.demands import demand
from fingerpost_testing.contracts.store_subject import (
    FILES,
    YOUNG,
    DocumentStoreSubject,
    called,
    is_young,
    refused,
    titled,
)


class StoreChangingContract(DocumentStoreSubject):
    """Edits, new files and removed ones are seen, and nothing else is taken for one."""

    def test_a_signature_stays_until_the_content_changes(self) -> None:
        """It tells contents apart, and says nothing of its own accord."""
        store = self.filled()
        before = self._signature(store, "a.md")
        self.put(store, "b.md", b"The bell is gone.")
        if not before.endswith(YOUNG):
            demand(
                self._signature(store, "a.md") == before,
                f"signature('a.md') of {titled(store)} changed though the file did not; make it of the "
                "file's state.",
            )
        self.put(store, "a.md", b"The tower is high.")
        after = self._signature(store, "a.md")
        demand(
            after != before or after.endswith(YOUNG),
            f"signature('a.md') of {titled(store)} stayed {after!r} though the file was edited; make it of "
            "the content or of what changes with it.",
        )

    def test_the_first_changes_name_every_file(self) -> None:
        """Without a cursor everything is new."""
        store = self.filled()
        found = self._changes(store)
        demand(
            list(found.changed) == sorted(FILES) and found.removed == (),
            f"changes() of {titled(store)} named {list(found.changed)} as changed and {list(found.removed)} "
            f"as removed without a cursor; name every file as changed: {sorted(FILES)}.",
        )
        known = sorted(found.cursor.paths())
        demand(
            known == sorted(FILES), f"The cursor of {titled(store)} knows {known}; put every file into it."
        )

    def test_nothing_is_changed_where_nothing_changed(self) -> None:
        """The next call names no file."""
        store = self.filled()
        first = self._changes(store)
        found = self._changes(store, first.cursor)
        named = [path for path in found.changed if not is_young(first.cursor, path)]
        demand(
            not named and not found.removed,
            f"changes(cursor) of {titled(store)} named {named} as changed and {list(found.removed)} as "
            "removed though nothing happened; name what differs from the cursor.",
        )

    def test_changes_name_what_was_edited_added_and_removed(self) -> None:
        """Each of them, and a cursor is not used up."""
        store = self.filled()
        before = self._changes(store).cursor
        self.put(store, "a.md", b"The tower is high.")
        self.put(store, "new/y.md", b"The pier.")
        self.remove(store, "b.md")
        for _ in range(2):
            found = self._changes(store, before)
            changed = [path for path in found.changed if path == "a.md" or not is_young(before, path)]
            for what, named, expected in (
                ("edited or added", changed, ["a.md", "new/y.md"]),
                ("removed", list(found.removed), ["b.md"]),
            ):
                demand(
                    named == expected,
                    f"changes(cursor) of {titled(store)} named {named} as {what} instead of {expected}; "
                    "compare with the cursor that is given, whoever else has asked.",
                )

    def test_a_cursor_can_be_written_down(self) -> None:
        """Where the store outlasts a process, its cursors do."""
        store = self.filled()
        cursor = self._changes(store).cursor
        again = type(cursor)(json.loads(json.dumps(dict(cursor.parts))))
        found = self._changes(store, again)
        named = [path for path in found.changed if not is_young(cursor, path)]
        demand(
            not named and not found.removed,
            f"changes() of {titled(store)} named {named} and {list(found.removed)} with a cursor that was "
            "written down and read back; keep in it all that it needs.",
        )

    def test_write_bytes_creates_and_replaces(self) -> None:
        """What is written is read, and nothing else changes."""
        store = self.filled()
        if not store.writable:
            refused(store, "write_bytes", "new.md", KnowledgeCapabilityError, b"x")
            return
        for data in (b"first", b"the second", b""):
            called(store, "write_bytes", "new/x.md", data, advice="create or replace the file")
            found = called(store, "read_bytes", "new/x.md", advice="read what was written")
            demand(
                found == data,
                f"read_bytes() of {titled(store)} gave {found!r} after {data!r} was written; store it.",
            )
        listed = called(store, "list", advice="list what was written")
        demand(
            sorted(listed) == sorted([*FILES, "new/x.md"]),
            f"list() of {titled(store)} gave {listed} after a file was written; list it, and change no "
            "other.",
        )

    def test_write_bytes_refuses_malformed_and_hidden_paths(self) -> None:
        """Nothing is written outside of the store, or where it would not be seen."""
        store = self.filled()
        kinds = KnowledgePathError if store.writable else (KnowledgeCapabilityError, KnowledgePathError)
        for path in (*self.malformed_paths(), ".hidden.md", "a/.git/x"):
            refused(store, "write_bytes", path, kinds, b"x")

    def _changes(self, store: DocumentStore, cursor: object = None) -> Any:
        return called(store, "changes", cursor, advice="return what changed, or let the base class do it")

    @staticmethod
    def _signature(store: DocumentStore, path: str) -> str:
        signature = called(store, "signature", path, advice="return a text that changes with the content")
        demand(
            isinstance(signature, str) and signature,
            f"signature({path!r}) of {titled(store)} is {signature!r}; return a text.",
        )
        return signature
