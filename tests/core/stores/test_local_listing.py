"""What a walk over a local folder serves, and what it leaves out and says so."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from fingerpost.stores import Cursor, LocalDocumentStore, Skipped, tree

pytestmark = pytest.mark.usefixtures("any_confinement", "aged")

Unprivileged = Callable[[], AbstractContextManager[None]]


def skipped(folder: Path) -> list[tuple[str, str]]:
    return [(entry.path, entry.code) for entry in LocalDocumentStore(folder).changes().skipped]


def test_each_kind_of_entry_that_is_left_out_has_its_rule_and_reason(folder: Path) -> None:
    (folder / "dangling.md").symlink_to("absent.md")
    (folder / "leaves.md").symlink_to("../other.md")
    (folder.parent / "other.md").write_bytes(b"")
    os.mkfifo(folder / "pipe.md")
    (folder / "pipe-link.md").symlink_to("pipe.md")
    (folder / "circle").symlink_to("circle")
    (folder / "x.md").write_bytes(b"x")
    (folder / "below").symlink_to("x.md/below")
    changes = LocalDocumentStore(folder).changes()
    assert changes.changed == ("x.md",)
    assert changes.complete is True
    assert changes.skipped == (
        Skipped("below", "OKF404", "'below' is left out: the link leads to nothing."),
        Skipped(
            "circle", "OKF406", "'circle' is left out: the link runs in a circle, or through too many links."
        ),
        Skipped("dangling.md", "OKF404", "'dangling.md' is left out: the link leads to nothing."),
        Skipped(
            "leaves.md", "OKF402", "'leaves.md' is left out: the link leaves the root folder, or is absolute."
        ),
        Skipped("pipe-link.md", "OKF403", "'pipe-link.md' is left out: the link leads to a named pipe."),
        Skipped("pipe.md", "OKF403", "'pipe.md' is left out: it is a named pipe."),
    )


def test_names_that_cannot_be_paths_are_left_out(folder: Path) -> None:
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_bytes(b"x")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9")).mkdir()
    (folder / "back\\slash.md").write_bytes(b"x")
    (folder / "x.md").write_bytes(b"x")
    changes = LocalDocumentStore(folder).changes()
    assert changes.changed == ("x.md",)
    assert [(entry.path, entry.code) for entry in changes.skipped] == [
        ("back\\slash.md", "OKF404"),
        ("caf\\xe9", "OKF404"),
        ("caf\\xe9.md", "OKF404"),
    ]
    assert "not valid UTF-8" in changes.skipped[1].reason


def test_a_link_to_a_folder_above_is_left_out_once_and_ends(folder: Path) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "x.md").write_bytes(b"x")
    (folder / "a" / "b" / "up").symlink_to("..")
    (folder / "top").symlink_to(".")
    store = LocalDocumentStore(folder)
    assert store.list() == ["a/b/x.md"]
    assert skipped(folder) == [("a/b/up", "OKF406"), ("top", "OKF406")]


def test_two_folders_that_link_to_each_other_are_listed_to_the_first_return(folder: Path) -> None:
    for name, other in (("a", "b"), ("b", "a")):
        (folder / name).mkdir()
        (folder / name / "x.md").write_bytes(b"x")
        (folder / name / "other").symlink_to(f"../{other}")
    assert LocalDocumentStore(folder).list() == ["a/other/x.md", "a/x.md", "b/other/x.md", "b/x.md"]
    assert skipped(folder) == [("a/other/other", "OKF406"), ("b/other/other", "OKF406")]


def test_links_that_multiply_a_tree_without_a_circle_are_bounded(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for level in range(20):
        (folder / f"d{level}").mkdir()
        if level < 19:
            (folder / f"d{level}" / "a").symlink_to(f"../d{level + 1}")
            (folder / f"d{level}" / "b").symlink_to(f"../d{level + 1}")
    (folder / "d19" / "x.md").write_bytes(b"x")
    monkeypatch.setattr(tree, "MAX_ENTRIES_THROUGH_LINKS", 500)
    changes = LocalDocumentStore(folder).changes()
    assert "d19/x.md" in changes.changed
    assert len(changes.changed) < 500
    assert "linked folders hold more than 500 entries" in changes.skipped[0].reason


def test_folders_are_listed_to_a_depth_of_sixty_four(folder: Path) -> None:
    deepest = folder.joinpath(*["d"] * 64)
    (deepest / "d").mkdir(parents=True)
    (deepest / "x.md").write_bytes(b"x")
    (deepest / "d" / "too-deep.md").write_bytes(b"x")
    assert LocalDocumentStore(folder).list() == ["/".join(["d"] * 64) + "/x.md"]
    assert skipped(folder) == [("/".join(["d"] * 65), "OKF406")]


def test_a_folder_whose_path_is_too_long_to_be_opened_is_left_out(folder: Path) -> None:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(20):
        os.mkdir("d" * 200, dir_fd=here)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    changes = LocalDocumentStore(folder).changes()
    assert (changes.complete, [entry.code for entry in changes.skipped]) == (True, ["OKF406"])
    assert "path is longer than" in changes.skipped[0].reason
    subprocess.run(["rm", "-r", folder], check=True)


@pytest.fixture
def bottomless(folder: Path) -> Iterator[Path]:
    here = os.open(folder, os.O_RDONLY)
    for _ in range(5000):
        os.mkdir("d", dir_fd=here)
        here = moved(here, "d")
    yield folder
    for _ in range(5000):  # no path reaches down here, so the chain is taken off from below
        here = moved(here, "..")
        os.rmdir("d", dir_fd=here)
    os.close(here)


def moved(here: int, name: str) -> int:
    there = os.open(name, os.O_RDONLY, dir_fd=here)
    os.close(here)
    return there


def test_five_thousand_nested_folders_are_no_error(bottomless: Path) -> None:
    (bottomless / "x.md").write_bytes(b"x")
    changes = LocalDocumentStore(bottomless).changes()
    assert changes.changed == ("x.md",)
    assert [entry.code for entry in changes.skipped] == ["OKF406"]


def test_what_is_left_out_a_thousand_times_is_counted(folder: Path) -> None:
    for number in range(250):
        (folder / f"{number:03}.md").symlink_to("absent")
        (folder / f".{number:03}").write_bytes(b"")
    entries = LocalDocumentStore(folder).changes().skipped
    assert len(entries) == 102
    hidden, more = entries[-2:]
    assert (hidden.code, hidden.count) == ("OKF401", 250)
    assert "'.000', '.001', '.002', ..." in hidden.reason
    assert more == Skipped("", "OKF404", "150 more are left out for the same reason.", 150)


def test_a_folder_that_cannot_be_read_keeps_what_was_known_below_it(
    open_folder: Path, unprivileged: Unprivileged
) -> None:
    (open_folder / "locked" / "deep").mkdir(parents=True)
    (open_folder / "locked" / "deep" / "x.md").write_bytes(b"x")
    (open_folder / "locked-not").mkdir()
    for name in ("kept.md", "gone.md", "locked-not/gone.md"):
        (open_folder / name).write_bytes(b"x")
    store = LocalDocumentStore(open_folder)
    good = store.changes().cursor
    (open_folder / "gone.md").unlink()
    (open_folder / "locked-not" / "gone.md").unlink()
    (open_folder / "locked").chmod(0)
    with unprivileged():
        for cursor in (good, Cursor(dict(good.parts))):
            bad = store.changes(cursor)
            assert bad.complete is False
            assert (bad.changed, bad.removed) == ((), ("gone.md", "locked-not/gone.md"))
            assert bad.cursor.signature("locked/deep/x.md") == good.signature("locked/deep/x.md")
            assert [(entry.path, entry.code) for entry in bad.skipped] == [("locked", "OKF404")]
            assert "Permission denied" in bad.skipped[0].reason
        bad = store.changes(good)
        assert store.changes(bad.cursor).changed == ()
    (open_folder / "locked").chmod(0o755)
    (open_folder / "locked" / "deep" / "new.md").write_bytes(b"x")
    mended = store.changes(bad.cursor)
    assert (mended.complete, mended.changed, mended.removed) == (True, ("locked/deep/new.md",), ())


def test_a_folder_that_can_be_listed_but_not_entered_keeps_what_was_known_in_it(
    open_folder: Path, unprivileged: Unprivileged
) -> None:
    (open_folder / "locked").mkdir()
    (open_folder / "locked" / "x.md").write_bytes(b"x")
    store = LocalDocumentStore(open_folder)
    good = store.changes().cursor
    (open_folder / "locked").chmod(0o444)
    with unprivileged():
        bad = store.changes(good)
    assert (bad.complete, bad.removed) == (False, ())
    assert bad.cursor.signature("locked/x.md") == good.signature("locked/x.md")


def test_a_root_that_cannot_be_read_any_more_is_an_error_and_never_an_empty_store(
    open_folder: Path, unprivileged: Unprivileged
) -> None:
    from fingerpost.errors import StoreError

    (open_folder / "x.md").write_bytes(b"x")
    store = LocalDocumentStore(open_folder)
    good = store.changes().cursor
    open_folder.chmod(0)
    with unprivileged():
        for ask in (store.list, lambda: store.changes(good)):
            with pytest.raises(StoreError, match="Permission denied"):
                ask()
    open_folder.chmod(0o755)
    assert store.changes(good).changed == ()


@pytest.mark.parametrize(
    "settings", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}]
)
def test_names_are_utf8_whatever_the_locale(folder: Path, settings: dict[str, str]) -> None:
    (folder / "ملف").mkdir()
    (folder / "ملف" / "é.md").write_text("x")
    program = (
        "import os, sys\nfrom fingerpost.stores import LocalDocumentStore\n"
        "store = LocalDocumentStore(sys.argv[1])\n"
        "assert store.list() == ['\\u0645\\u0644\\u0641/\\u00e9.md'], store.list()\n"
        "assert store.read_bytes(store.list()[0]) == b'x'\n"
        "folder = os.path.join(os.fsencode(sys.argv[1]), '\\u0645\\u0644\\u0641'.encode())\n"
        "cursor = store.changes().cursor\n"
        "open(os.path.join(folder, b'\\xc3\\xb6.md'), 'w').close()\n"
        "open(os.path.join(folder, b'\\xf6.md'), 'w').close()\n"
        "found = store.changes(cursor)\n"
        "assert '\\u0645\\u0644\\u0641/\\u00f6.md' in found.changed, ascii(found)\n"
        "(entry,) = found.skipped\n"
        "assert entry.path == '\\u0645\\u0644\\u0641/\\\\xf6.md', ascii(found)\n"
    )
    subprocess.run([sys.executable, "-c", program, folder], check=True, env={**os.environ, **settings})


def test_real_bundles_are_listed_like_a_plain_walk(corpus: Path) -> None:
    wanted = [
        str(file.relative_to(corpus))
        for file in corpus.rglob("*")
        if file.is_file()
        and not file.is_symlink()
        and not any(part.startswith(".") for part in file.relative_to(corpus).parts)
    ]
    links = [file for file in corpus.rglob("*") if file.is_symlink()]
    assert links == []
    assert LocalDocumentStore(corpus).list() == sorted(wanted)


def test_a_folder_may_be_named_in_letters_that_the_locale_lacks(folder: Path) -> None:
    inner = folder / "متجر"
    inner.mkdir()
    (inner / "a.md").write_bytes(b"x")
    program = (
        "from fingerpost.stores import LocalDocumentStore\n"
        f"print(LocalDocumentStore({str(inner)!a}).list())\n"
    )
    settings = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    listed = subprocess.check_output([sys.executable, "-c", program], env={**os.environ, **settings})
    assert listed == b"['a.md']\n"
