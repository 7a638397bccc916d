"""What is demanded of a document store that several write to: nobody writes over what they have not read."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from fingerpost import ConflictError, DocumentStore
from fingerpost_testing.contracts.demands import ContractError, broken, call_text, demand, raised, shown
from fingerpost_testing.contracts.store_filling import (
    WritableStoreSubject,
    contents,
    demand_changes,
    demand_contents,
)
from fingerpost_testing.contracts.store_subject import FILES, called, titled

_WRITERS = 8
_ROUNDS = 10
_LINES = 4
_ATTEMPTS = 1_000
_SWAP = "swap what is as it was said to be"


class StoreSwappingContract(WritableStoreSubject):
    """`swap_bytes` does what it is told where the file is what its writer takes it for, and else nothing."""

    def test_swap_creates_where_nothing_is(self) -> None:
        """An empty file is something."""
        store = self.written()
        before = contents(store)
        called(store, "swap_bytes", "new/x.md", None, b"", advice=_SWAP)
        called(store, "swap_bytes", "new/y.md", None, b"The pier.", advice=_SWAP)
        expected = {**before, "new/x.md": b"", "new/y.md": b"The pier."}
        demand_contents(store, expected, "swap_bytes() from None", "create the file")
        for path in ("a.md", "empty.md", "a/b/c.md", "new/x.md"):
            self._demand_conflict(store, path, None, b"The pier.", "a file is there")
        for path in ("absent.md", "absent/x.md"):
            self._demand_conflict(store, path, b"", b"x", "no file is there")

    def test_swap_replaces_what_it_is_told(self) -> None:
        """All of it is compared, and a change that was made before counts."""
        store, tower = self.written(), FILES["a.md"]
        before = contents(store)
        for other in (tower[:-1], tower + b"\n", b"The mower.", tower.lower(), b""):
            self._demand_conflict(store, "a.md", other, b"x", "the file holds something else")
        self._demand_conflict(store, "empty.md", b"x", b"y", "the file holds something else")
        self._demand_conflict(store, "absent.md", b"x", b"y", "no file is there")
        called(store, "swap_bytes", "a.md", tower, b"The bower.", advice=_SWAP)
        demand_contents(store, {**before, "a.md": b"The bower."}, "swap_bytes('a.md')", "replace the file")
        self._demand_conflict(store, "a.md", tower, b"The lower.", "the file was changed in between")
        called(store, "write_bytes", "a.md", tower, advice="replace the file")
        called(store, "swap_bytes", "a.md", tower, b"", advice=_SWAP)
        called(store, "swap_bytes", "a.md", b"", b"The end.", advice=_SWAP)
        demand_contents(store, {**before, "a.md": b"The end."}, "swap_bytes('a.md')", "replace the file")

    def test_swap_removes_what_it_is_told(self) -> None:
        """And nothing else."""
        store = self.written()
        expected = contents(store)
        self._demand_conflict(store, "a.md", b"The bell.", None, "the file holds something else")
        self._demand_conflict(store, "a.md", None, None, "a file is there")
        self._demand_conflict(store, "absent.md", b"x", None, "no file is there")
        for path in ("a.md", "empty.md"):
            called(store, "swap_bytes", path, FILES[path], None, advice=_SWAP)
            expected.pop(path, None)
            demand_contents(store, expected, f"swap_bytes({path!r}, ..., None)", "remove the file")
        self._demand_conflict(store, "a.md", FILES["a.md"], None, "the file was removed in between")

    def test_swap_takes_the_same_bytes(self) -> None:
        """That is how a writer asks whether a file is still what it was."""
        store = self.written()
        before = contents(store)
        for path in ("a.md", "a/z.md", "raw.bin"):
            called(store, "swap_bytes", path, FILES[path], FILES[path], advice="accept equal bytes")
        demand_contents(store, before, "swap_bytes() of equal bytes", "leave the file as it was")
        self._demand_conflict(store, "a.md", b"x", b"x", "the file holds something else")

    def test_changes_tell_of_what_was_swapped(self) -> None:
        """As of what was written."""
        store = self.written()
        before = called(store, "changes", advice="return every file").cursor
        called(store, "swap_bytes", "a.md", FILES["a.md"], b"The bower.", advice=_SWAP)
        called(store, "swap_bytes", "new/y.md", None, b"The pier.", advice=_SWAP)
        called(store, "swap_bytes", "b.md", FILES["b.md"], None, advice=_SWAP)
        after = "swap_bytes() of 'a.md', 'new/y.md' and 'b.md'"
        demand_changes(store, before, ("a.md", "new/y.md"), ("b.md",), after)
        before = called(store, "changes", before, advice="return what changed").cursor
        called(store, "swap_bytes", "a.md", b"The bower.", b"The lower.", advice=_SWAP)
        demand_changes(store, before, ("a.md",), (), "a second swap_bytes('a.md')")

    def test_one_of_several_that_create_a_file_wins(self) -> None:
        """The others are told, and write nothing."""
        store = self.written()
        self._check_that_one_wins([store])

    def test_several_that_append_lose_nothing(self) -> None:
        """Each reads, swaps, and begins anew where somebody was faster."""
        store = self.written()
        self._check_that_no_line_is_lost([store])

    def test_another_object_sees_what_was_written(self) -> None:
        """What one has written is what the other reads, lists and reports."""
        store = self.written()
        other, expected = self.another(store), contents(store)
        demand(
            other.identity == store.identity or not store.is_lasting,
            f"identity of {titled(store)} is {store.identity!r} in one object and {other.identity!r} in "
            "another over the same place; name the place alone, or return False from is_lasting.",
        )
        after, advice = "writing by another object", "look at the place in each call"
        for writer, reader, content, new in (
            (store, other, b"The bower.", "one.md"),
            (other, store, b"The mower.", "other/two.md"),
        ):
            demand_contents(reader, expected, after, advice)
            before = called(reader, "changes", advice="return every file").cursor
            called(writer, "write_bytes", "a.md", content, advice="replace the file")
            called(writer, "write_bytes", new, content, advice="create the file")
            called(writer, "swap_bytes", "b.md", FILES["b.md"], None, advice=_SWAP)
            rest = {path: data for path, data in expected.items() if path != "b.md"}
            demand_contents(reader, {**rest, "a.md": content, new: content}, after, advice)
            demand_changes(reader, before, ("a.md", new), ("b.md",), after)
            called(reader, "write_bytes", "b.md", FILES["b.md"], advice="create the file")
            expected.update({"a.md": content, new: content})

    def test_swaps_of_two_objects_conflict(self) -> None:
        """Whoever has read what is no longer there is told, whichever object wrote."""
        store = self.written()
        other, tower = self.another(store), FILES["a.md"]
        contents(other)
        called(store, "swap_bytes", "a.md", tower, b"The bower.", advice=_SWAP)
        self._demand_conflict(other, "a.md", tower, b"The mower.", "another object has replaced the file")
        called(other, "swap_bytes", "a.md", b"The bower.", b"The lower.", advice=_SWAP)
        self._demand_conflict(store, "a.md", b"The bower.", None, "another object has replaced the file")
        called(other, "swap_bytes", "new.md", None, b"x", advice=_SWAP)
        self._demand_conflict(store, "new.md", None, b"y", "another object has created the file")
        self._check_that_one_wins([store, other])
        self._check_that_no_line_is_lost([store, other])

    def test_swaps_hold_between_processes(self) -> None:
        """A lock that only the threads of this process know guards no place that others can reach."""
        store = self.written()
        self.another(store)
        demand(
            type(store).swap_bytes is not DocumentStore.swap_bytes or not store.is_lasting,
            f"{titled(store)} has the swap_bytes of DocumentStore, by which the threads of one process take "
            "turns; override it, so that the place itself compares and writes in one step.",
        )

    @staticmethod
    def _demand_conflict(
        store: DocumentStore, path: str, old: bytes | None, new: bytes | None, because: str
    ) -> None:
        __tracebackhide__ = True
        before, call = contents(store), call_text("swap_bytes", path, old, new)
        try:
            store.swap_bytes(path, old, new)
        except ConflictError:
            advice = "compare before anything is written"
            demand_contents(store, before, f"{call} was refused", advice)
        except Exception as error:
            raise ContractError(
                f"{call} of {titled(store)} raised {raised(error)}, though {because}; raise ConflictError."
            ) from error
        else:
            broken(
                f"{call} of {titled(store)} was not refused, though {because}; raise ConflictError, and "
                "change nothing."
            )

    @staticmethod
    def _check_that_one_wins(stores: Sequence[DocumentStore]) -> None:
        __tracebackhide__ = True
        start = Barrier(_WRITERS)

        def create(path: str, number: int) -> bytes:
            """What was written, nothing where another was faster."""
            store, data = stores[number % len(stores)], f"by writer {number}".encode()
            start.wait()
            try:
                store.swap_bytes(path, None, data)
            except ConflictError:
                return b""
            except Exception as error:
                call = call_text("swap_bytes", path, None, data)
                raise ContractError(
                    f"{call} of {titled(store)} raised {raised(error)} while others created the file; raise "
                    "ConflictError."
                ) from error
            return data

        with ThreadPoolExecutor(_WRITERS) as threads:
            for number in range(_ROUNDS):
                path = f"created/{number}.md"
                written = list(filter(None, threads.map(create, [path] * _WRITERS, range(_WRITERS))))
                demand(
                    len(written) == 1,
                    f"swap_bytes({path!r}, None, ...) of {titled(stores[0])} succeeded for {len(written)} "
                    f"of {_WRITERS} threads at once; compare and write in one step, so that one succeeds.",
                )
                found = called(stores[0], "read_bytes", path, advice="read what was written")
                demand(
                    found == written[0],
                    f"read_bytes({path!r}) of {titled(stores[0])} gave {shown(found)} where the writer of "
                    f"{shown(written[0])} succeeded; let those that fail write nothing.",
                )

    @staticmethod
    def _check_that_no_line_is_lost(stores: Sequence[DocumentStore]) -> None:
        __tracebackhide__ = True
        start = Barrier(_WRITERS)
        called(stores[0], "write_bytes", "log.md", b"", advice="create the file")

        def append(number: int) -> None:
            store = stores[number % len(stores)]
            start.wait()
            for turn in range(_LINES):
                _append(store, "log.md", f"{number} {turn}\n".encode())

        with ThreadPoolExecutor(_WRITERS) as threads:
            list(threads.map(append, range(_WRITERS)))
        found = called(stores[0], "read_bytes", "log.md", advice="read what was written").decode()
        lost = {f"{number} {turn}" for number in range(_WRITERS) for turn in range(_LINES)} - {
            *found.splitlines()
        }
        demand(
            not lost,
            f"Of {_WRITERS * _LINES} lines that {_WRITERS} threads swapped into one file of "
            f"{titled(stores[0])}, {len(lost)} are lost; compare and write in one step.",
        )


def _append(store: DocumentStore, path: str, line: bytes) -> None:
    """Read, add a line and swap, until nobody was faster."""
    __tracebackhide__ = True
    for _ in range(_ATTEMPTS):
        held = called(store, "read_bytes", path, advice="read while others write")
        try:
            store.swap_bytes(path, held, held + line)
        except ConflictError:
            continue
        except Exception as error:
            raise ContractError(
                f"swap_bytes({path!r}) of {titled(store)} raised {raised(error)} while others wrote; raise "
                "ConflictError where somebody was faster."
            ) from error
        return
    broken(
        f"swap_bytes({path!r}) of {titled(store)} raised ConflictError {_ATTEMPTS} times in a row; let one "
        "of several writers succeed each time."
    )
