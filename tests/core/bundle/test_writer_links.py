"""Links within a bundle lead no writer to where it may not write."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingerpost import Bundle, KnowledgeError
from fingerpost.bundle.writer import BundleWriter
from fingerpost.errors import KnowledgePathError

CONCEPT = "---\ntype: T\n---\nText.\n"


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    for path in ("policies/refunds.md", "generated/own.md", "plans/q.md", ".git/hooks/h.md"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(CONCEPT)
    return tmp_path


def writer(kb: Path, **settings: object) -> BundleWriter:
    return BundleWriter(Bundle(kb, cache=""), **{"prefix": "generated", **settings})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("link", "target", "id_"),
    [
        ("generated/link", "../policies", "generated/link/refunds"),
        ("generated/link", "../policies", "generated/link/new"),
        ("generated/link.md", "../policies/refunds.md", "generated/link"),
        ("generated/link", "..", "generated/link/policies/new"),
        ("generated/link.md", "other.md", "generated/link"),
    ],
)
def test_no_link_leads_out_of_what_may_be_written(kb: Path, link: str, target: str, id_: str) -> None:
    (kb / "generated" / "other.md").symlink_to("../policies/refunds.md")
    (kb / link).symlink_to(target)
    to = writer(kb)
    with pytest.raises(KnowledgePathError, match=r"leads to 'policies/.*what may be is 'generated/'"):
        _change(to, id_)
    assert sorted(path.read_text() for path in (kb / "policies").iterdir()) == [CONCEPT]


def _change(to: BundleWriter, id_: str) -> None:
    if id_.endswith("new"):
        to.create("Text.", id=id_)
    else:
        to.update(id_, fields={"title": "Changed"})


@pytest.mark.parametrize("prefix", ["generated", ""])
@pytest.mark.parametrize(("link", "target"), [("x", "../.git/hooks"), ("x.md", "../.git/hooks/h.md")])
def test_no_link_leads_to_what_is_hidden(kb: Path, prefix: str, link: str, target: str) -> None:
    (kb / "generated" / link).symlink_to(target)
    with pytest.raises(KnowledgePathError, match=r"leads to '\.git/hooks/h\.md', which is hidden"):
        _change(writer(kb, prefix=prefix), "generated/x" if link.endswith(".md") else "generated/x/h")
    assert (kb / ".git" / "hooks" / "h.md").read_text() == CONCEPT


def test_a_link_within_what_may_be_written_is_written_through(kb: Path) -> None:
    (kb / "generated" / "link.md").symlink_to("own.md")
    (kb / "generated" / "more").symlink_to("../plans")
    to = writer(kb, beyond=["plans/"])
    _change(to, "generated/link")
    _change(to, "generated/more/q")
    assert "title: Changed" in (kb / "generated" / "own.md").read_text()
    assert "title: Changed" in (kb / "plans" / "q.md").read_text()
    assert (kb / "generated" / "link.md").is_symlink()


def test_a_prefix_that_is_a_link_itself_is_written_through(kb: Path) -> None:
    (kb / "notes").symlink_to("plans")
    (kb / "curated.md").symlink_to("policies/refunds.md")
    to = writer(kb, prefix="notes", beyond=["curated"])
    assert to.create("Text.").path == "notes/text.md"
    assert (kb / "plans" / "text.md").exists()
    _change(to, "curated")
    assert "title: Changed" in (kb / "policies" / "refunds.md").read_text()


def test_a_link_to_a_name_that_is_no_text_is_said(kb: Path) -> None:
    folder = bytes(kb) + b"/\xff"
    Path(folder.decode("utf-8", "surrogateescape")).mkdir()
    for target in ("\udcff", "\udcff.md"):
        (kb / f"link{target[1:]}").symlink_to(target)
    (kb / "\udcff.md").write_text(CONCEPT)
    for write in (
        lambda: writer(kb, prefix="").create("Text.", id="link/new"),
        lambda: writer(kb, prefix="").bundle.store.write_bytes("link.md", b"x"),
        lambda: writer(kb, prefix="").bundle.store.delete("link.md"),
    ):
        with pytest.raises(KnowledgeError, match=r"no UTF-8; rename what it leads to"):
            write()
