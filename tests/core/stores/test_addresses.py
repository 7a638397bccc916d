"""Addresses: which store each names, and that nothing in them is shown that is secret."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from fingerpost.errors import ConfigError, MissingPackageError
from fingerpost.stores import (
    ArchiveDocumentStore,
    DocumentStore,
    GitDocumentStore,
    LocalDocumentStore,
    MemoryDocumentStore,
    from_uri,
)
from fingerpost.stores.addresses import shown, type_of
from fingerpost.stores.git_address import GitAddress
from tests.core.stores.archives import tarred, zipped
from tests.core.stores.gits import Repo
from tests.repo.sources import in_fresh_python

HERE = __name__
CANARY = "canary-51"


class Shelf(MemoryDocumentStore):
    """A store of somebody's own."""

    def __init__(self, place: str, colour: str = "") -> None:
        super().__init__({"place.md": place, "colour.md": colour})


class Picky(MemoryDocumentStore):
    """One that is content with nothing."""

    def __init__(self, token: str) -> None:
        raise RuntimeError(f"no good: {token}")


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("kb", "local"),
        ("file:///srv/kb", "local"),
        ("kb.zip/", "local"),
        ("kb.zip", "archive"),
        ("KB.ZIP#docs", "archive"),
        ("file:///srv/kb.tar.gz#docs", "archive"),
        ("a#b.tgz", "archive"),
        ("kb.tar", "archive"),
        ("kb.tar.xz", "local"),
        ("git+https://host/kb", "git"),
        ("git+file:kb", "git"),
        ("Git+File:///kb.zip", "git"),
        ("memory:", "memory"),
        ("python:a.b", "python"),
        ("s3://bucket/kb.zip", "s3"),
        ("git+ssh://host/kb", "git+ssh"),
        ("pythons:a.b", "local"),
    ],
)
def test_the_type_is_told_by_the_address(address: str, kind: str) -> None:
    assert type_of(address) == kind


def test_archives_and_folders_in_them_are_named_by_paths_and_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    odd = tmp_path / "50% #1.zip"
    odd.write_bytes(zipped())
    (tmp_path / "kb.TAR").write_bytes(tarred())
    for address, paths in (
        ("kb.TAR", 3),
        (tmp_path / "kb.TAR", 3),
        ("~/kb.TAR", 3),
        ("./kb.TAR#sub", 2),
        ("50% #1.zip#sub/deep", 1),
        (f"{odd.as_uri()}#sub/deep", 1),
        (odd.as_uri().upper().replace(tmp_path.as_uri().upper(), tmp_path.as_uri()).replace("ZIP", "zip"), 3),
    ):
        store = from_uri(address)
        assert isinstance(store, ArchiveDocumentStore)
        assert len(store.list()) == paths
        again = from_uri(store.identity)
        assert (again.identity, again.list()) == (store.identity, store.list())
    (tmp_path / "folder.zip").mkdir()
    assert isinstance(from_uri("folder.zip/"), LocalDocumentStore)


def test_both_ways_to_open_an_address_are_the_same(tmp_path: Path) -> None:
    (tmp_path / "kb.zip").write_bytes(zipped())
    for address in (str(tmp_path / "kb.zip"), tmp_path, f"python:{HERE}.Shelf?place=x"):
        assert type(DocumentStore.from_uri(address)) is type(from_uri(address))


def test_memory_is_a_new_and_empty_store_each_time() -> None:
    one, two = from_uri("memory:"), from_uri("memory://")
    assert (one.list(), one.writable) == ([], True)
    assert one.identity != two.identity
    with pytest.raises(ConfigError, match="'memory:something' names nothing; write 'memory:'"):
        from_uri("memory:something")


@pytest.mark.parametrize(
    ("address", "url", "rev", "subdir"),
    [
        ("git+https://host/org/kb.git", "https://host/org/kb.git", "HEAD", ""),
        ("git+https://host/kb@v1.2#docs/kb", "https://host/kb", "v1.2", "docs/kb"),
        ("git+https://host/kb@feature/x#a%20b", "https://host/kb", "feature/x", "a b"),
        ("git+https://me:x@host:8443/kb@main", "https://host:8443/kb", "main", ""),
        ("git+https://me@host/kb", "https://host/kb", "HEAD", ""),
        ("git+file:///srv/a%40b/kb@main", "file:///srv/a%40b/kb", "main", ""),
        ("git+file:kb@main#docs/", "file:///base/kb", "main", "docs"),
        ("git+file:../kb", "file:///kb", "HEAD", ""),
        ("git+file:/srv/kb", "file:///srv/kb", "HEAD", ""),
        ("git+file:///srv/kb@" + "A" * 40, "file:///srv/kb", "a" * 40, ""),
    ],
)
def test_the_parts_of_an_address_in_git(address: str, url: str, rev: str, subdir: str) -> None:
    parsed = GitAddress.parse(address, Path("/base"))
    assert (parsed.url, parsed.rev, parsed.subdir) == (url, rev, subdir)
    again = GitAddress.parse(parsed.identity)
    assert (again.url, again.rev, again.subdir, again.credentials) == (url, rev, subdir, "")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("git+file:", "names no repository; write 'git\\+https://host/repository@revision#folder'"),
        ("git+file://kb/x", "with three slashes"),
        ("git+https://", "names no host and path"),
        ("git+https://host", "names no host and path"),
        (f"git+https://me:{CANARY}@", "is malformed"),
        (f"git+https://me:{CANARY}@[host/kb", "is malformed"),
        (f"git+https://me:{CANARY}@host:port/kb", "is malformed"),
        (f"git+https://me:{CANARY}@host/kb?token={CANARY}", "on 'host' has a '\\?' or a '#' within its path"),
        (f"git+https://me:{CANARY}@host/k b", "names no host and path"),
        ("git+https://host/kb@a..b", "'a..b' is no revision; give a branch, a tag"),
        ("git+https://host/kb@-x", "'-x' is no revision"),
        ("git+https://host/kb@a%20b", "is no revision"),
        ("git+https://host/kb@", "'' is no revision"),
        ("git+https://host/kb#../up", "holds '..'"),
        ("git+https://host/kb#a%0Ab", "has a line break in its name"),
        (
            f"git+ssh://me:{CANARY}@host/kb",
            "known are .*file, .*git\\+file, .*git\\+https, .*memory, .*python, .*s3",
        ),
        (f"git+http://me:{CANARY}@host/kb", "No store is known for the scheme 'git\\+http'"),
    ],
)
def test_an_address_in_git_that_is_none_is_refused(address: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        from_uri(address)
    assert CANARY not in "".join(traceback.format_exception(caught.value))


def test_a_store_of_git_takes_its_parts_or_an_address(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "r@1", {"kb/a.md": "x"})
    for store in (
        from_uri(f"{repo.folder.as_uri().replace('file:', 'git+file:')}@main#kb"),
        from_uri("git+file:r%401@main#kb", folder=tmp_path),
        GitDocumentStore(repo.folder, "main", "kb"),
        GitDocumentStore(repo.folder.as_uri(), "main", "/kb/"),
    ):
        with store:
            assert store.identity == f"git+file://{tmp_path}/r%401@main#kb"
            assert store.list() == ["a.md"]
    with pytest.raises(ConfigError, match="fetched over https or from this machine, and not over 'ssh'"):
        GitDocumentStore("ssh://host/kb")


def test_a_class_of_somebodys_own_gets_its_arguments_as_texts() -> None:
    store = from_uri(f"python:{HERE}.Shelf?colour=red%26blue&place=a+b%3D%C3%A9")
    assert (store.read_bytes("place.md"), store.read_bytes("colour.md")) == ("a+b=é".encode(), b"red&blue")


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("python:", "names no class; write 'python:package.module.Class'"),
        ("python:Shelf", "names no class"),
        (f"python:a-b.Shelf?token={CANARY}", "'python:a-b.Shelf\\?...' names no class"),
        (f"python:{HERE}.Missing?token={CANARY}", "The store '.*Missing' cannot be loaded \\(AttributeError"),
        ("python:no_such_package.Shelf", "cannot be loaded \\(ModuleNotFoundError"),
        (f"python:{HERE}.HERE", "is no DocumentStore; name a class that is one"),
        ("python:builtins.dict", "is no DocumentStore"),
        (f"python:{HERE}.Shelf", "cannot be made of its settings: missing a required argument: 'place'"),
        (f"python:{HERE}.Shelf?place=x&size={CANARY}", "got an unexpected keyword argument 'size'"),
        (f"python:{HERE}.Shelf?{CANARY}", "not all of the form 'name=value'"),
        (f"python:{HERE}.Shelf?place=x&place={CANARY}", "each name once"),
        (f"python:{HERE}.Picky?token={CANARY}", "cannot be made of its settings: RuntimeError"),
        ("python:fingerpost.stores.DocumentStore", "cannot be made of its settings: TypeError"),
    ],
)
def test_a_class_that_cannot_be_used_is_told_without_its_arguments(address: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        from_uri(address)
    assert CANARY not in str(caught.value)


def test_a_scheme_of_an_extra_names_it() -> None:
    code = (
        "import sys\n"
        "from fingerpost.stores import from_uri\n"
        "from fingerpost.errors import MissingPackageError\n"
        "class Block:\n    def find_spec(self, name, path=None, target=None):\n"
        "        if name.startswith('fingerpost_s3'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "try:\n    from_uri('s3://me:hunter2@bucket/kb')\n"
        "except MissingPackageError as error:\n    print(error)"
    )
    outcome = in_fresh_python(code)
    assert outcome.stdout == (
        "The store for 's3://' addresses is not installed. Run: pip install 'fingerpost[s3]'\n"
    )
    assert issubclass(MissingPackageError, ImportError)


def test_what_is_shown_of_an_address() -> None:
    assert shown(f"git+https://me:{CANARY}@host/kb@main#x") == "git+https://host/kb@main#x"
    assert shown(f"python:a.B?token={CANARY}") == "python:a.B?..."
    assert shown(f"s3://key:{CANARY}@bucket/kb?secret={CANARY}") == "s3://bucket/kb?..."
    assert shown("what?.md") == "what?.md"
