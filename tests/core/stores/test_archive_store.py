"""Archives as stores: what is served, and how a replaced archive is followed."""

from __future__ import annotations

import io
import os
import random
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fingerpost import Bundle
from fingerpost.errors import ConfigError, KnowledgeCapabilityError, StoreError
from fingerpost.stores import ArchiveDocumentStore, DocumentStore
from fingerpost_testing.contracts import DocumentStoreContract, run_contract
from tests.core.stores.archives import FILES, gzipped, member, tarred, zipped
from tests.core.stores.gits import NOTE, Repo


class OfArchive(DocumentStoreContract):
    """It is only read, so the archive is written anew for each change."""

    def make(self) -> DocumentStore:
        self.path = self.folder / "kb.zip"
        self.files: dict[str, bytes] = {}
        self.write()
        return ArchiveDocumentStore(self.path)

    def write(self) -> None:
        (self.folder / "new").write_bytes(zipped(self.files))
        (self.folder / "new").replace(self.path)

    def put(self, store: DocumentStore, path: str, data: bytes) -> None:
        self.files[path] = data
        self.write()

    def remove(self, store: DocumentStore, path: str) -> None:
        del self.files[path]
        self.write()


def test_it_keeps_the_contract() -> None:
    report = run_contract(OfArchive)
    assert (report.broken, report.left_out) == ({}, {})


def by_pax() -> bytes:
    return tarred(format=tarfile.PAX_FORMAT)


def by_gnu() -> bytes:
    return tarred(format=tarfile.GNU_FORMAT)


def by_gzip() -> bytes:
    return gzipped(tarred())


def in_two_gzips() -> bytes:
    data = tarred()
    return gzipped(data[:700]) + gzipped(data[700:]) + bytes(512)


def by_zip_stored() -> bytes:
    return zipped(method=zipfile.ZIP_STORED)


def by_zip_as_a_stream() -> bytes:
    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = bytearray()

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.data += bytes(data)  # pyright: ignore[reportArgumentType]
            return len(data)  # pyright: ignore[reportArgumentType]

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # pyright: ignore[reportArgumentType]
        for name, content in FILES.items():
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(content)
    return bytes(pipe.data)


def by_zip_with_sizes_of_64_bits() -> bytes:
    """A zip with its sizes in an extra field, after another one, as those of more than 4 GiB have them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zipfile, "ZIP64_LIMIT", 1)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in FILES.items():
                info = zipfile.ZipInfo(name)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.extra = b"UT\x05\x00\x01abcd"
                archive.writestr(info, content)
        return out.getvalue()


WAYS: list[Callable[[], bytes]] = [
    zipped, by_zip_stored, by_zip_as_a_stream, by_zip_with_sizes_of_64_bits, by_pax, by_gnu, by_gzip,
    in_two_gzips,
]  # fmt: skip


@pytest.mark.parametrize("make", WAYS, ids=lambda way: way.__name__)
def test_each_kind_of_archive_is_read(make: Callable[[], bytes], tmp_path: Path) -> None:
    (tmp_path / "kb.tgz").write_bytes(make())
    store = ArchiveDocumentStore(tmp_path / "kb.tgz")
    assert {path: store.read_bytes(path) for path in store.list()} == FILES
    assert store.changes().skipped == ()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kb.tgz"]


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz"])
def test_what_git_packs_is_read(kind: str, tmp_path: Path) -> None:
    long = "/".join(["a folder of some length"] * 9) + "/x.md"
    repo = Repo(tmp_path / "repo", {"kb/a.md": "x", f"kb/{long}": "long", "other/b.md": "y"})
    packed = tmp_path / f"kb.{kind}"
    repo.git("archive", "--prefix=repo-main/", "-o", str(packed), "main")
    store = ArchiveDocumentStore(packed, "repo-main/kb")
    assert store.list() == [long, "a.md"]
    assert store.read_bytes(long) == b"long"
    assert store.identity == f"{packed.as_uri()}#repo-main/kb"


@pytest.mark.parametrize(
    "options", [[], ["--format=gnu"], ["--format=v7"], ["--format=pax"], ["--format=oldgnu"]]
)
def test_what_tar_packs_is_read(options: list[str], tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / "kb" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "kb" / name).write_bytes(content)
    subprocess.run(["tar", *options, "-C", tmp_path / "kb", "-cf", tmp_path / "kb.tar", "."], check=True)
    store = ArchiveDocumentStore(tmp_path / "kb.tar")
    assert {path: store.read_bytes(path) for path in store.list()} == FILES


def test_many_entries_take_the_large_form_of_a_zip(tmp_path: Path) -> None:
    (tmp_path / "kb.zip").write_bytes(
        zipped({f"{n % 50}/{n}.md": b"" for n in range(70_000)}, zipfile.ZIP_STORED)
    )
    assert len(ArchiveDocumentStore(tmp_path / "kb.zip").list()) == 70_000


def test_whatever_zipfile_and_tarfile_write_is_read_the_same(tmp_path: Path) -> None:
    chance = random.Random(11)
    for _ in range(60):
        files = {
            "/".join(chance.choice(["a", "ü", "x" * 90, "b c"]) for _ in range(chance.randint(1, 4)))
            + f"{n}.md": chance.randbytes(chance.choice([0, 1, 511, 512, 513, 3000]))
            for n in range(chance.randint(0, 9))
        }
        members = [member(name, content) for name, content in files.items()]
        forms = (
            [zipped(files), tarred(*members, format=tarfile.GNU_FORMAT), tarred(*members)]
            if members
            else [zipped({})]
        )
        for data in forms:
            (tmp_path / "kb.zip").write_bytes(data)
            store = ArchiveDocumentStore(tmp_path / "kb.zip")
            assert {path: store.read_bytes(path) for path in store.list()} == files


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "kb.zip"
    path.write_bytes(zipped({f"{n}.md": NOTE.format(n).encode() for n in range(5)}))
    return path


@pytest.fixture
def store(archive: Path) -> Iterator[ArchiveDocumentStore]:
    with ArchiveDocumentStore(archive) as store:
        yield store


def replaced(archive: Path, data: bytes) -> None:
    new = archive.with_suffix(".new")
    new.write_bytes(data)
    new.replace(archive)


def test_a_replaced_archive_counts_at_once(archive: Path, store: ArchiveDocumentStore) -> None:
    assert store.has_cheap_changes is True
    with Bundle(store, cache="") as kb:
        assert len(kb) == 5
        files = {f"{n}.md": NOTE.format(n).encode() for n in range(6)} | {"2.md": NOTE.format("two").encode()}
        replaced(archive, zipped(files))
        assert kb.read("2")["title"] == "two"
        assert len(kb) == 6
        before = store.changes().cursor
        replaced(archive, gzipped(tarred(*[member(name, data) for name, data in files.items()])))
        assert store.changes(before).changed == (), "the contents are the same, however they are packed"
        assert store.changes(before).cursor is before


@pytest.mark.parametrize("harm", ["cut", "empty", "gone", "nonsense", "in two steps"])
def test_while_the_new_archive_cannot_be_read_the_old_one_is_served(
    archive: Path, store: ArchiveDocumentStore, harm: str
) -> None:
    whole = archive.read_bytes()
    with Bundle(store, cache="") as kb:
        assert len(kb) == 5
        if harm == "gone":
            archive.unlink()
        elif harm == "in two steps":
            archive.write_bytes(whole[: len(whole) // 2])
        else:
            replaced(archive, {"cut": whole[:-1], "empty": b"", "nonsense": b"x" * 5_000}[harm])
        assert len(kb) == 5
        assert str(archive) in kb.trouble
        assert kb.read("3")["title"] == "3"
        with pytest.raises(StoreError):
            store.changes()
        archive.write_bytes(zipped({"new.md": NOTE.format("new").encode()}))
        assert (kb.ids(), kb.trouble) == (["new"], "")


def test_an_archive_that_stays_is_read_once(
    archive: Path, store: ArchiveDocumentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(archive, (1, 1))
    opened: list[object] = []

    def noted(*arguments: object) -> object:
        opened.append(arguments)
        return io.FileIO(*arguments)  # pyright: ignore[reportArgumentType, reportCallIssue]

    monkeypatch.setattr("fingerpost.stores.archive.open", noted, raising=False)
    monkeypatch.setattr("fingerpost.stores.signatures.YOUNG_NS", 0)
    first = store.changes()
    for _ in range(5):
        assert store.changes(first.cursor).cursor is first.cursor
        store.read_bytes("1.md")
    assert len(opened) == 1
    replaced(archive, b"nonsense")
    for _ in range(3):
        with pytest.raises(StoreError, match=r"is no zip, tar or tar\.gz archive, so nothing of it is used"):
            store.changes()
    assert len(opened) == 2


def test_what_is_no_archive_at_all_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "folder.zip").mkdir()
    for path, says in (
        (tmp_path / "folder.zip", "is a folder; give an archive, or end the path with '/'"),
        (tmp_path / "none.zip", r"The archive '.*none\.zip' does not exist; check its path\."),
        ("", "names no archive"),
    ):
        with pytest.raises(ConfigError, match=says):
            ArchiveDocumentStore(path)


def test_a_folder_that_is_not_in_it_is_told(archive: Path) -> None:
    with pytest.raises(StoreError, match="holds no folder 'docs', so nothing of it is used"):
        ArchiveDocumentStore(archive, "docs").list()


def test_it_is_only_read_and_may_be_used_again_when_it_was_closed(store: ArchiveDocumentStore) -> None:
    with pytest.raises(KnowledgeCapabilityError, match="can only be read"):
        store.write_bytes("x.md", b"")
    store.close()
    assert len(store.list()) == 5


def test_a_large_file_is_refused(store: ArchiveDocumentStore) -> None:
    with pytest.raises(StoreError, match="more than the 3 bytes that are read"):
        store.read_bytes("1.md", 3)
