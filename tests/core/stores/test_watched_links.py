"""Links, second names and mounts: what changes where no folder tells of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fingerpost.stores import (
    LocalDocumentStore,
)
from tests.core.stores.following import (
    Mount,
    seen,
)

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has inotify"),
    pytest.mark.usefixtures("aged"),
]


class TestLinks:
    def test_a_write_through_a_name_outside_the_root(self, folder: Path, store: LocalDocumentStore) -> None:
        outside = folder.parent / "outside.md"
        outside.hardlink_to(folder / "z.md")
        cursor = store.changes().cursor
        outside.write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("z.md",), ())
        outside.unlink()
        cursor = store.changes(found.cursor).cursor
        assert store.changes(cursor).cursor is cursor

    def test_a_second_name_within_the_root_makes_both_names_followed(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        cursor = store.changes().cursor
        (folder / "a/second.md").hardlink_to(folder / "z.md")
        cursor = store.changes(cursor).cursor
        (folder / "a/second.md").write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("a/second.md", "z.md"), ())

    @pytest.mark.parametrize("target", ["z.md", "../kb/z.md", ".hidden/z.md", "a/../z.md"])
    def test_a_links_target_that_is_written_or_vanishes(
        self, folder: Path, store: LocalDocumentStore, target: str
    ) -> None:
        (folder / ".hidden").mkdir()
        (folder / ".hidden/z.md").write_bytes(b"old")
        (folder / "a/link.md").symlink_to(f"../{target}")
        cursor = store.changes().cursor
        is_served = "kb" not in target
        assert ("a/link.md" in cursor) is is_served
        (folder / target).write_bytes(b"new")
        found = store.changes(cursor)
        assert ("a/link.md" in found.changed) is is_served
        (folder / target).unlink()
        found = store.changes(found.cursor)
        assert ("a/link.md" in found.removed) is is_served
        assert len(found.skipped) == 2
        (folder / target).write_bytes(b"back")
        assert ("a/link.md" in store.changes(found.cursor).changed) is is_served

    def test_a_linked_folder_changes_under_both_paths(self, folder: Path, store: LocalDocumentStore) -> None:
        (folder / "link").symlink_to("a")
        cursor = store.changes().cursor
        (folder / "a/deep/new.md").write_bytes(b"x")
        found = store.changes(cursor)
        assert seen(found) == (("a/deep/new.md", "link/deep/new.md"), ())
        (folder / "link").unlink()
        found = store.changes(found.cursor)
        assert found.removed == ("link/deep/new.md", "link/deep/y.md", "link/x.md")
        (folder / "a/x.md").write_bytes(b"new")
        assert seen(store.changes(found.cursor)) == (("a/x.md",), ())

    def test_a_linked_folder_behind_a_hidden_link_that_is_pointed_elsewhere(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        for version in ("1", "2"):
            (folder / f".versions/{version}/sub").mkdir(parents=True)
            (folder / f".versions/{version}/sub/v{version}.md").write_text(version)
        (folder / ".versions/now").symlink_to("1")
        (folder / "served").symlink_to(".versions/now/sub")
        cursor = store.changes().cursor
        assert "served/v1.md" in cursor
        (folder / ".versions/next").symlink_to("2")
        (folder / ".versions/next").replace(folder / ".versions/now")
        found = store.changes(cursor)
        assert seen(found) == (("served/v2.md",), ("served/v1.md",))
        (folder / ".versions/2/sub/new.md").write_text("x")
        assert seen(store.changes(found.cursor)) == (("served/new.md",), ())

    def test_a_link_that_is_made_later_to_what_nobody_tells_of(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        (folder / ".hidden").mkdir()
        (folder / ".hidden/x.md").write_bytes(b"old")
        cursor = store.changes().cursor
        (folder / "a/link.md").symlink_to("../.hidden/x.md")
        cursor = store.changes(cursor).cursor
        (folder / ".hidden/x.md").write_bytes(b"new")
        assert seen(store.changes(cursor)) == (("a/link.md",), ())

    def test_a_link_in_a_linked_folder_leads_on_from_where_it_really_lies(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        (folder / ".store/v1").mkdir(parents=True)
        (folder / ".store/z.md").write_bytes(b"old")
        (folder / ".store/v1/link.md").symlink_to("../z.md")
        (folder / "served").symlink_to(".store/v1")
        cursor = store.changes().cursor
        (folder / ".store/z.md").write_bytes(b"new")
        assert seen(store.changes(cursor)) == (("served/link.md",), ())

    def test_links_to_what_is_followed_cost_nothing_while_nothing_happens(
        self, folder: Path, store: LocalDocumentStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "a/file.md").symlink_to("../z.md")
        (folder / "folder").symlink_to("a/deep")
        cursor = store.changes().cursor
        monkeypatch.setattr(os, "open", None)
        assert store.changes(cursor).cursor is cursor

    def test_what_a_link_led_past_may_become_another_link(
        self, folder: Path, store: LocalDocumentStore
    ) -> None:
        (folder / "b/deep").mkdir(parents=True)
        (folder / "b/deep/y.md").write_bytes(b"other")
        (folder / "link.md").symlink_to("a/deep/y.md")
        (folder / "z.md").unlink()
        cursor = store.changes().cursor
        (folder / "a").rename(folder / "c")
        (folder / "a").symlink_to("b")
        found = store.changes(cursor)
        assert "link.md" in found.changed
        assert store.read_bytes("link.md") == b"other"


class TestMounts:
    def test_a_folder_that_something_is_mounted_over(
        self, folder: Path, store: LocalDocumentStore, mount: Mount
    ) -> None:
        cursor = store.changes().cursor
        mount("-t", "tmpfs", "none", folder / "a/deep")
        found = store.changes(cursor)
        assert (seen(found), store.watching) == (((), ("a/deep/y.md",)), "")
        (folder / "a/deep/new.md").write_bytes(b"x")
        found = store.changes(found.cursor)
        assert seen(found) == (("a/deep/new.md",), ())
        subprocess.run(["umount", folder / "a/deep"], check=True)
        found = store.changes(found.cursor)
        assert seen(found) == (("a/deep/y.md",), ("a/deep/new.md",))

    def test_a_mounted_file_changes_where_it_comes_from(
        self, folder: Path, store: LocalDocumentStore, mount: Mount
    ) -> None:
        source = folder.parent / "source.md"
        source.write_bytes(b"old")
        mount("--bind", source, folder / "a/x.md")
        cursor = store.changes().cursor
        source.write_bytes(b"new")
        found = store.changes(cursor)
        assert seen(found) == (("a/x.md",), ())
        source.write_bytes(b"newer")
        assert seen(store.changes(found.cursor)) == (("a/x.md",), ())

    def test_something_mounted_elsewhere_is_no_reason_to_look_at_anything(
        self, folder: Path, store: LocalDocumentStore, mount: Mount, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        elsewhere = folder.parent / "elsewhere"
        elsewhere.mkdir()
        cursor = store.changes().cursor
        mount("-t", "tmpfs", "none", elsewhere)
        monkeypatch.setattr(os, "scandir", None)
        assert store.changes(cursor).cursor is cursor
