"""What is demanded of a document store whose files are written and removed."""

from __future__ import annotations

import time
from typing import Any

from fingerpost import (
    KnowledgeCapabilityError,
    KnowledgeError,
    KnowledgeNotFoundError,
    KnowledgePathError,
)
from fingerpost_testing.contracts.demands import ContractError, call_text, demand, left_out, raised, shown
from fingerpost_testing.contracts.store_filling import (
    WritableStoreSubject,
    contents,
    demand_changes,
    demand_contents,
    demand_meanwhile,
)
from fingerpost_testing.contracts.store_subject import FILES, YOUNG, called, refused, titled

_NEW = {
    "nothing.md": b"",
    "bytes.bin": bytes(range(255, -1, -1)),
    "lines.md": b"one\r\ntwo\rthree\n\n",
    "港/桟橋 ü 🗼.md": "桟橋 🗼".encode(),
    "new/folders/further/down/x.md": b"The cellar.",
    "large.bin": bytes(range(256)) * 4_096,
}
_HIDDEN = (".hidden.md", "a/.git/x", ".git/config")
_ABSENT = ("absent.md", "a/absent.md", "absent/x.md", "b", "a.md.md")
_CLASHES = ("a.md/x.md", "empty.md/folder/x.md", "a", "a/b")
_REPLACED = 100
_PAGES = (b"a" * 50_000, b"b" * 70_000)


class StoreWritingContract(WritableStoreSubject):
    """Files are created, replaced and removed, each whole or not at all, and no other is touched."""

    def test_what_can_be_written_says_so(self) -> None:
        """Whoever asks `writable` knows whether the three methods work."""
        store = self.made()
        if not store.writable:
            advice = "raise KnowledgeCapabilityError, or return True from writable"
            for method, rest in (("write_bytes", (b"x",)), ("swap_bytes", (None, b"x")), ("delete", ())):
                refused(store, method, "new.md", KnowledgeCapabilityError, *rest, advice=advice)
            return
        advice = "do it, or return False from writable"
        called(store, "write_bytes", "new.md", b"first", advice=advice)
        called(store, "swap_bytes", "new.md", b"first", b"second", advice=advice)
        called(store, "delete", "new.md", advice=advice)

    def test_every_byte_is_written_as_it_is_given(self) -> None:
        """Nothing, any bytes, many of them, in new folders and under names of every script."""
        store = self.written()
        for path, data in _NEW.items():
            called(store, "write_bytes", path, data, advice="create the file, and the folders above it")
        for path, data in {**FILES, **_NEW}.items():
            found = called(store, "read_bytes", path, advice="read what was written")
            demand(
                found == data,
                f"read_bytes({path!r}) of {titled(store)} gave {len(found)} bytes, {shown(found)}, after "
                f"write_bytes() of {len(data)} bytes, {shown(data)}; store the very bytes.",
            )

    def test_what_is_written_is_listed_and_exists(self) -> None:
        """At once, and nothing else is."""
        store = self.written()
        expected = contents(store)
        for path in ("new.md", "new/folders/x.md", "nothing.md"):
            called(store, "write_bytes", path, b"x", advice="create the file")
            expected[path] = b"x"
            after = f"write_bytes({path!r})"
            demand_contents(store, expected, after, "list every file as soon as it is written")
            demand(
                store.exists(path),
                f"exists({path!r}) of {titled(store)} returned False after {after}; return True.",
            )

    def test_a_path_is_written_in_its_one_spelling(self) -> None:
        """Slashes and dots too many make no other file."""
        store = self.written()
        before, advice = contents(store), "pass every path through writable_path() first"
        called(store, "write_bytes", "new//./x.md", b"x", advice=advice)
        demand_contents(store, {**before, "new/x.md": b"x"}, "write_bytes('new//./x.md')", advice)
        called(store, "swap_bytes", "./new/x.md", b"x", b"y", advice=advice)
        demand_contents(store, {**before, "new/x.md": b"y"}, "swap_bytes('./new/x.md')", advice)
        called(store, "delete", "new/./x.md", advice=advice)
        demand_contents(store, before, "delete('new/./x.md')", advice)

    def test_writing_replaces_the_whole_file(self) -> None:
        """Nothing is left of what was there before."""
        store = self.written()
        before = contents(store)
        for data in (b"The tower is high and white.", b"short", b"", b"The tower."):
            called(store, "write_bytes", "a.md", data, advice="replace the file")
            after = call_text("write_bytes", "a.md", data)
            demand_contents(store, {**before, "a.md": data}, after, "put it in place of all that was there")

    def test_what_is_given_is_not_kept_hold_of(self) -> None:
        """A buffer that is used again changes nothing that is stored."""
        store = self.written()
        buffer: Any = bytearray(b"The lamp.")  # as data that somebody read into a buffer
        try:
            store.write_bytes("new.md", buffer)
            store.swap_bytes("newer.md", None, buffer)
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing is kept
            left_out(f"{titled(store)} takes no bytearray ({raised(error)})")
        buffer[:] = b"All gone."
        for path in ("new.md", "newer.md"):
            found = called(store, "read_bytes", path, advice="read what was written")
            demand(
                found == b"The lamp.",
                f"read_bytes({path!r}) of {titled(store)} gave {shown(found)} after the buffer that it was "
                "written from was filled anew; store a copy, bytes(data).",
            )

    def test_what_is_written_has_another_signature(self) -> None:
        """Also when it is as long as before, written at once, or removed in between."""
        store = self.written()
        before = called(store, "signature", "a.md", advice="return a text that changes with the content")
        for data, is_removed in ((b"The bower.", False), (b"The mower.", True), (b"The lower.", False)):
            if is_removed:
                called(store, "delete", "a.md", advice="remove the file")
            called(store, "write_bytes", "a.md", data, advice="create or replace the file")
            after = called(store, "signature", "a.md", advice="return a text that changes with the content")
            how = "removed and written" if is_removed else "replaced"
            demand(
                after != before or after.endswith(YOUNG),
                f"signature('a.md') of {titled(store)} stayed {after!r} though the file was {how} with other "
                "bytes of the same length; make it of the content or of what is new with each write.",
            )
            before = after

    def test_changes_tell_of_what_was_written(self) -> None:
        """Created, replaced by something as long, and removed, each since the cursor before."""
        store = self.written()
        for content in (b"The bower.", b"The lower."):
            before = called(store, "changes", advice="return every file").cursor
            called(store, "write_bytes", "new/y.md", content, advice="create or replace the file")
            called(store, "write_bytes", "a.md", content, advice="replace the file")
            called(store, "delete", "b.md", advice="remove the file")
            after = "write_bytes() of 'a.md' and 'new/y.md' and delete('b.md')"
            demand_changes(store, before, ("a.md", "new/y.md"), ("b.md",), after)
            before = called(store, "changes", before, advice="return what changed").cursor
            called(store, "write_bytes", "b.md", content, advice="create the file")
            demand_changes(store, before, ("b.md",), (), "write_bytes('b.md')")

    def test_a_path_that_leads_elsewhere_is_refused(self) -> None:
        """What is malformed or hidden is written nowhere, neither in the store nor around it."""
        store = self.written()
        paths = (*self.malformed_paths(), *_HIDDEN)
        before, around = contents(store), self._files_around()
        for path in paths:
            refused(store, "write_bytes", path, KnowledgePathError, b"x")
            refused(store, "swap_bytes", path, KnowledgePathError, None, b"x")
            refused(store, "delete", path, (KnowledgePathError, KnowledgeNotFoundError))
        advice = "look at the path before anything is done"
        demand_contents(store, before, "malformed and hidden paths were refused", advice)
        left = sorted(set(self._files_around().items()) ^ set(around.items()))
        demand(
            not left,
            f"Malformed and hidden paths were refused by {titled(store)}, and yet it wrote {shown(left)}; "
            f"{advice}.",
        )

    def test_a_file_and_a_folder_of_one_name_do_no_harm(self) -> None:
        """Where both cannot be, the later one is refused; where they can, both are there."""
        for method, rest in (("write_bytes", (b"x",)), ("swap_bytes", (None, b"x"))):
            for path in _CLASHES:
                self._check_clash(method, path, *rest)

    def test_delete_removes_one_file(self) -> None:
        """That one, and it can be written again."""
        store = self.written()
        expected = contents(store)
        for path in ("b.md", "a/b/c.md", "empty.md", "ملف/灯台 ü.md"):
            called(store, "delete", path, advice="remove the file")
            del expected[path]
            demand_contents(store, expected, f"delete({path!r})", "remove this file and no other")
            refused(store, "read_bytes", path, KnowledgeNotFoundError)
            demand(
                not store.exists(path),
                f"exists({path!r}) of {titled(store)} returned True after delete({path!r}); return False.",
            )
        for path in ("a/b/c.md", "empty.md"):
            called(store, "write_bytes", path, b"again", advice="create the file again")
            expected[path] = b"again"
        demand_contents(store, expected, "removed files were written again", "create them again")

    def test_delete_of_what_is_not_there_is_refused(self) -> None:
        """One error says that there is no such file; a folder is none."""
        store = self.written()
        before = contents(store)
        for path in _ABSENT:
            refused(store, "delete", path, KnowledgeNotFoundError)
        for path in ("a", "a/b", "a.md/x.md"):
            refused(store, "delete", path, (KnowledgeNotFoundError, KnowledgeError))
        called(store, "delete", "b.md", advice="remove the file")
        refused(store, "delete", "b.md", KnowledgeNotFoundError)
        rest = {path: data for path, data in before.items() if path != "b.md"}
        demand_contents(store, rest, "delete() of what is not there", "remove one file, never a folder")

    def test_nothing_that_is_half_written_is_listed(self) -> None:
        """Neither a temporary name, nor a gap where a file is replaced."""
        store = self.written()
        before = contents(store)
        new = {f"new/{number}.bin": _PAGES[0] for number in range(20)}
        advice = "hide temporary files, and let each file appear and be replaced in one step"

        def look() -> str:
            found = set(called(store, "list", advice="list while others write"))
            unknown, lost = found - {*before, *new}, before.keys() - found
            differences = (
                f"listed {sorted(unknown)}" if unknown else "",
                f"lost {sorted(lost)}" if lost else "",
            )
            named = " and ".join(filter(None, differences))
            return named and f"{named}; {advice}"

        def work() -> None:
            for path, data in new.items():
                called(store, "write_bytes", path, data, advice="create the file")
                called(store, "write_bytes", "b.md", data, advice="replace the file")
                time.sleep(0)  # lets those that look have their turn

        demand_meanwhile(store, work, look)
        demand_contents(store, {**before, **new, "b.md": _PAGES[0]}, "all was written", advice)

    def test_readers_see_whole_files(self) -> None:
        """Whoever reads a file while it is replaced sees the old content or the new one."""
        store = self.written()
        advice = "let the new content take the place of the old in one step"
        called(store, "write_bytes", "a.md", _PAGES[0], advice="replace the file")

        def look() -> str:
            found = called(store, "read_bytes", "a.md", advice=advice)
            return "" if found in _PAGES else f"gave {len(found)} bytes that were never written so; {advice}"

        def work() -> None:
            for old, new in (_PAGES, _PAGES[::-1]) * (_REPLACED // 4):
                called(store, "write_bytes", "a.md", new, advice="replace the file")
                time.sleep(0)  # lets those that look have their turn
                called(store, "swap_bytes", "a.md", new, old, advice="replace the file")
                called(store, "swap_bytes", "a.md", old, new, advice="replace the file")

        demand_meanwhile(store, work, look)

    def _check_clash(self, method: str, path: str, *rest: object) -> None:
        __tracebackhide__ = True
        store, call = self.written(), call_text(method, path, *rest)
        before = contents(store)
        try:
            getattr(store, method)(path, *rest)
        except KnowledgeError:
            demand_contents(store, before, f"{call} was refused", "leave all files as they were")
        except Exception as error:
            raise ContractError(
                f"{call} of {titled(store)} raised {raised(error)}; raise a KnowledgeError where a file "
                "cannot be beside a folder of its name."
            ) from error
        else:
            advice = "keep both, or raise a KnowledgeError"
            demand_contents(store, {**before, path: b"x"}, call, advice)

    def _files_around(self) -> dict[str, bytes]:
        """What lies around the folder of the test, and under hidden names in it."""
        around = [file for file in self.folder.parent.parent.rglob("*") if self.folder not in file.parents]
        hidden = [self.folder / path for path in _HIDDEN]
        return {str(file): file.read_bytes() for file in (*around, *hidden) if file.is_file()}
