"""What is demanded of every document store that is read."""

from __future__ import annotations

import contextlib
from concurrent.futures import ThreadPoolExecutor

from fingerpost import DocumentStore, KnowledgeNotFoundError, KnowledgePathError, StoreError
from fingerpost_testing.contracts.demands import demand, is_a, shown
from fingerpost_testing.contracts.store_subject import FILES, DocumentStoreSubject, called, refused, titled

_ABSENT = ("absent.md", "a/absent.md", "a.md/below", "b", "B.MD.md", "a/b/c.md.md")
_HIDDEN = (".hidden.md", ".git/config", "a/.notes.md")


class StoreReadingContract(DocumentStoreSubject):
    """Bytes at paths: they are listed, read, and kept apart from what lies elsewhere."""

    def test_the_identity_names_what_is_stored(self) -> None:
        """What is kept about a store is kept by its identity."""
        store = self.made()
        identity = store.identity
        demand(
            is_a(identity, str) and identity.strip() and store.identity == identity,
            f"identity of {titled(store)} is {shown(identity)}; return one text that names what is stored.",
        )
        demand(
            is_a(store.is_lasting, bool) and is_a(store.writable, bool),
            f"is_lasting and writable of {titled(store)} are {store.is_lasting!r} and {store.writable!r}; "
            "return True or False.",
        )

    def test_nothing_is_listed_where_nothing_is(self) -> None:
        """An empty store is no error."""
        store = self.made()
        found = called(store, "list", advice="return []")
        demand(found == [], f"list() of {titled(store)} gave {shown(found)} of an empty store; return [].")

    def test_every_file_is_listed_in_order(self) -> None:
        """The paths of all files come sorted, of folders none."""
        store = self.filled()
        found = called(store, "list", advice="return the sorted paths of all files")
        demand(
            found == sorted(FILES),
            f"list() of {titled(store)} gave {found} instead of {sorted(FILES)}; return the sorted paths of "
            "all files and of nothing else.",
        )

    def test_a_prefix_is_a_folder(self) -> None:
        """It is no start of a name, may end in a slash, and one that is not there is no error."""
        store = self.filled()
        for prefix, expected in (
            ("a", ["a/b/c.md", "a/z.md"]),
            ("a/", ["a/b/c.md", "a/z.md"]),
            ("nothing", []),
        ):
            found = called(store, "list", prefix, advice="list the files of a folder, [] where there is none")
            demand(
                sorted(found) == expected,
                f"list({prefix!r}) of {titled(store)} gave {found} instead of {expected}; take the prefix "
                "for a folder.",
            )
        refused(store, "list", "../a", KnowledgePathError)

    def test_bytes_are_read_as_they_were_stored(self) -> None:
        """Whatever the bytes, and whatever script the path is in."""
        store = self.filled()
        for path, data in FILES.items():
            found = called(store, "read_bytes", path, advice="return the bytes of the file")
            demand(
                found == data,
                f"read_bytes({path!r}) of {titled(store)} gave {shown(found)} for {shown(data)}; return the "
                "very bytes.",
            )

    def test_a_path_has_one_meaning_however_it_is_spelt(self) -> None:
        """Slashes and dots too many change nothing."""
        store = self.filled()
        advice = "pass every path through normalise() first"
        for path in ("a//z.md", "./a/z.md", "a/./z.md"):
            found = called(store, "read_bytes", path, advice=advice)
            demand(
                found == FILES["a/z.md"], f"read_bytes({path!r}) of {titled(store)} gave {found!r}; {advice}."
            )

    def test_no_more_bytes_are_read_than_may_be(self) -> None:
        """A file of just the cap is read; one byte more is an error, as half a file is worse than none."""
        store, size = self.filled(), len(FILES["b.md"])
        advice = "read a file of just max_bytes whole"
        found = called(store, "read_bytes", "b.md", max_bytes=size, advice=advice)
        demand(
            found == FILES["b.md"],
            f"read_bytes('b.md', max_bytes={size}) of {titled(store)} gave {shown(found)}; {advice}.",
        )
        refused(store, "read_bytes", "b.md", StoreError, size - 1)

    def test_what_is_not_there_is_not_found(self) -> None:
        """One error says so, by every way."""
        store = self.filled()
        for path in _ABSENT:
            refused(store, "read_bytes", path, KnowledgeNotFoundError)
            refused(store, "signature", path, KnowledgeNotFoundError)
            self._demand_exists(store, path, False)

    def test_what_is_there_exists(self) -> None:
        """`exists` and the listing agree."""
        store = self.filled()
        for path in FILES:
            self._demand_exists(store, path, True)

    def test_a_folder_is_no_file(self) -> None:
        """It is neither read nor does it exist as one."""
        store = self.filled()
        refused(store, "read_bytes", "a", (StoreError, KnowledgeNotFoundError))
        refused(store, "signature", "a", (StoreError, KnowledgeNotFoundError))
        self._demand_exists(store, "a", False)

    def test_a_malformed_path_is_refused(self) -> None:
        """Paths that leave the store, are absolute or are no paths are refused before they are looked up."""
        store = self.filled()
        for path in self.malformed_paths():
            refused(store, "read_bytes", path, KnowledgePathError)
            refused(store, "signature", path, KnowledgePathError)
            self._demand_exists(store, path, False)

    def test_no_link_leads_out(self) -> None:
        """Where the store is a folder, links to other places are not served."""
        store = self.filled()
        self.paths_to_secrets()
        with contextlib.suppress(OSError):  # a system without links has none that lead out
            (self.folder / "link.md").symlink_to(self.folder.parent / "secret.md")
            (self.folder / "linked").symlink_to(self.folder.parent, target_is_directory=True)
        for path in ("link.md", "linked/secret.md"):
            refused(store, "read_bytes", path, (KnowledgePathError, KnowledgeNotFoundError))

    def test_what_is_hidden_is_not_served(self) -> None:
        """Names that start with a dot are neither listed nor found."""
        store = self.filled()
        for path in _HIDDEN:
            with contextlib.suppress(OSError):
                (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / path).write_bytes(b"hidden")
            refused(store, "read_bytes", path, KnowledgeNotFoundError)
            self._demand_exists(store, path, False)
        listed = [path for path in called(store, "list", advice="list the files") if f"/{path}".count("/.")]
        demand(
            not listed,
            f"list() of {titled(store)} names what is hidden: {listed}; leave out what is_hidden() says.",
        )

    def test_threads_read_the_same(self) -> None:
        """Several threads read at once."""
        store = self.filled()

        def read(path: str) -> bytes:
            return called(store, "read_bytes", path, advice="make the store safe for threads")

        paths = sorted(FILES) * 4
        alone = [read(path) for path in paths]
        with ThreadPoolExecutor(4) as threads:
            together = list(threads.map(read, paths))
        other = [path for path, one, another in zip(paths, alone, together, strict=True) if one != another]
        demand(
            not other,
            f"read_bytes() of {titled(store)} gave other bytes of {other} to several threads than to one; "
            "make it safe for threads.",
        )

    def test_it_may_be_closed_twice(self) -> None:
        """It is itself in its block, and closing what is closed does nothing."""
        store = self.filled()
        with store as entered:
            demand(entered is store, f"{titled(store)} is {shown(entered)} in its block; return self there.")
        called(store, "close", advice="do nothing where nothing is left to close")

    def _demand_exists(self, store: DocumentStore, path: str, expected: bool) -> None:
        __tracebackhide__ = True
        found = called(store, "exists", path, advice="return False for what is not there")
        demand(
            found is expected, f"exists({path!r}) of {titled(store)} returned {found!r}; return {expected}."
        )
