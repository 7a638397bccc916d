"""`Bundle.index`: a folder's own index.md or one made for it, with ids that open, within a budget."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from fingerpost import Bundle, ConceptError, ConfigError, KnowledgeNotFoundError, MemoryDocumentStore
from fingerpost.markdown.scan import scan

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def concept(**fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Policy", **fields}.items()]
    return "---\n" + "\n".join(lines) + "\n---\nText.\n"


def of(files: dict[str, str]) -> Bundle:
    return Bundle(MemoryDocumentStore(files))


def test_a_folder_without_index_lists_folders_first_then_concepts_with_their_signals() -> None:
    kb = of(
        {
            "b.md": concept(title="Refunds", description="Money back.", stale_after="2026-01-01"),
            "a.md": concept(title="Plans", status="deprecated"),
            "sub/deep/c.md": concept(),
        }
    )
    assert kb.index("/", now=NOW) == (
        "# Index\n\n"
        "* [sub/](/sub/) - 1 concept\n"
        "* [Plans](/a) [Policy, deprecated]\n"
        "* [Refunds](/b) - Money back. [Policy, stable, stale]\n"
    )


def test_an_own_index_keeps_its_words_and_gets_links_that_can_be_opened() -> None:
    kb = of(
        {
            "index.md": '---\nokf_version: "0.2"\n---\n# Top\n\n'
            "* [Tables](tables/index.md) - What we store.\n",
            "tables/index.md": "# Tables\n\n* [Orders](orders.md) - Sales.\n* [Rooted](tables/rooted.md)\n",
            "tables/orders.md": concept(),
            "tables/rooted.md": concept(status="deprecated"),
        }
    )
    assert kb.index("/", now=NOW) == "# Top\n\n* [Tables](/tables/) - What we store.\n"
    assert kb.index("tables/", now=NOW) == (
        "# Tables\n\n* [Orders](/tables/orders) - Sales.\n* [Rooted](/tables/rooted) [deprecated]\n"
    )


@pytest.mark.parametrize(
    "path", ["tables", "/tables/", "tables/index.md", "/tables/index.md", "Tables", "[x](/tables/)"]
)
def test_a_folder_is_understood_however_it_is_written(path: str) -> None:
    assert "orders" in of({"tables/orders.md": concept()}).index(path)


def test_what_an_own_index_does_not_list_is_added() -> None:
    kb = of(
        {
            "index.md": "# Top\n\n* [A](a.md)\n",
            "a.md": concept(),
            "b.md": concept(title="B"),
            "sub/c.md": concept(),
        }
    )
    assert kb.index("/").endswith(
        "# Not listed above\n\n* [sub/](/sub/) - 1 concept\n* [B](/b) [Policy, stable]\n"
    )


def test_an_index_that_links_into_a_folder_has_listed_the_folder() -> None:
    kb = of({"index.md": "# Top\n\n* [C](sub/c.md)\n", "sub/c.md": concept()})
    assert "Not listed" not in kb.index("/")


def test_titles_cannot_forge_an_entry() -> None:
    kb = of({"a.md": concept(title='"x](/evil)\\n* [y"', description='"one\\ntwo"')})
    text = kb.index("/")
    assert text.count("\n* ") == 1
    assert [link.target for link in scan(text).links] == ["/a"]


def test_names_that_need_encoding_come_back_as_ids() -> None:
    kb = of(
        {"a b (c), d.md": concept(title="T"), "100%.md": concept(title="P"), "日本/語.md": concept(title="J")}
    )
    targets = [link.target for link in scan(kb.index("/") + kb.index("日本")).links]
    assert len(targets) == 4
    for target in targets:
        assert kb.index(target) if target.endswith("/") else kb.read(target)


def test_pages_end_at_lines_and_together_hold_everything() -> None:
    kb = of({f"{number:03}.md": concept(title=f"Concept {number}") for number in range(200)})
    first = kb.index("/", max_chars=2000)
    assert len(first) < 2100
    assert first.endswith("Page 1 of 5.\n") or "Page 1 of" in first
    count = int(first.rstrip().removesuffix(".").rpartition(" ")[2])
    lines = "".join(
        kb.index_page("/", page=page, max_chars=2000)[0] for page in range(1, count + 1)
    ).splitlines()
    assert sum(line.startswith("* [Concept") for line in lines) == 200


def test_a_folder_that_does_not_exist_is_answered_with_the_nearest() -> None:
    kb = of({"policies/a.md": concept()})
    with pytest.raises(KnowledgeNotFoundError, match="policies/"):
        kb.index("polices")
    with pytest.raises(KnowledgeNotFoundError, match="kb_read"):
        kb.index("policies/a")


def test_broken_frontmatter_of_an_index_does_not_leak() -> None:
    kb = of({"index.md": "---\ntitle: [x\n---\n# Top\n", "a.md": concept()})
    assert kb.index("/").startswith("# Top")


def test_a_folder_with_only_an_index_is_a_folder() -> None:
    kb = of({"notes/index.md": "# Notes\n\nNothing yet.\n", "a.md": concept()})
    assert "[notes/](/notes/)" in kb.index("/")
    assert kb.index("notes") == "# Notes\n\nNothing yet.\n"


def test_hidden_files_are_left_out() -> None:
    kb = of({"a.md": concept(), ".git/x.md": concept(), "sub/.b.md": concept()})
    assert kb.ids() == ["a"]
    with pytest.raises(KnowledgeNotFoundError):
        kb.read(".git/x")


def test_the_log_is_history() -> None:
    kb = of(
        {
            "log.md": "# Log\n\n## 2026-02-01\n\n* **Added** a.\n* b\n\n## 2026-01-01\n\n* c\n",
            "a.md": concept(),
        }
    )
    assert kb.log() == [
        {"date": "2026-02-01", "heading": "2026-02-01", "text": "**Added** a."},
        {"date": "2026-02-01", "heading": "2026-02-01", "text": "b"},
        {"date": "2026-01-01", "heading": "2026-01-01", "text": "c"},
    ]
    assert of({"log.md": "# Log\n\n## Last week\n\n* d\n"}).log() == [
        {"date": "", "heading": "Last week", "text": "d"}
    ]
    assert of({"a.md": concept()}).log() == []


def test_an_entry_of_an_own_index_is_marked_when_its_concept_is_stale() -> None:
    kb = of({"index.md": "# Top\n\n* [A](a.md) - Rules.\n", "a.md": concept(stale_after="2026-01-01")})
    assert kb.index("/", now=NOW) == "# Top\n\n* [A](/a) [stale] - Rules.\n"


def test_an_index_that_links_deep_does_not_hide_the_rest_of_a_folder() -> None:
    kb = of({"index.md": "# H\n\n* [R](s/rules.md)\n", "s/rules.md": concept(), "s/other.md": concept()})
    assert kb.index("/").endswith("# Not listed above\n\n* [s/](/s/) - 2 concepts\n")


def test_entries_that_lead_to_nothing_or_to_no_concept_are_marked() -> None:
    kb = of(
        {
            "index.md": "# H\n\n* [Gone](gone.md)\n* [Bad](bad.md)\n* [A](a.md)\n",
            "bad.md": "x",
            "a.md": concept(),
        }
    )
    assert kb.index("/") == (
        "# H\n\n* [Gone](/gone.md) [missing]\n* [Bad](/bad) [no valid concept]\n* [A](/a)\n"
        "\n(1 file of this folder is not listed: no valid concept, or not readable.)\n"
    )


def test_an_entry_from_the_root_of_a_bigger_repository_names_what_it_means() -> None:
    kb = of({"index.md": "# H\n\n* [A](/repo/sub/a.md)\n", "sub/a.md": concept()})
    assert kb.index("/") == "# H\n\n* [A](/repo/sub/a.md) [missing, perhaps /sub/a]\n"


def test_an_html_link_of_an_index_opens_too() -> None:
    kb = of({"index.md": '# H\n\n<a href="a.md">A</a>\n', "a.md": concept()})
    assert kb.index("/") == '# H\n\n<a href="/a">A</a>\n'


def test_an_index_that_cannot_be_read_is_made_and_said() -> None:
    kb = of({"index.md": "# H\n" + "x" * (9 * 1024 * 1024), "a.md": concept(title="A")})
    text = kb.index("/")
    assert "* [A](/a) [Policy, stable]" in text
    assert "(The index.md of this folder could not be read. 'index.md' holds" in text


def test_file_names_cannot_add_lines_or_hide_text_in_a_listing() -> None:
    kb = of({"h\u2028* Fake entry.md": concept(), "n\x85* x.md": concept(), "r\u202egnp.md": concept()})
    text = kb.index("/")
    assert len(text.splitlines()) == 5
    assert not set(text) & set("\u2028\x85\u202e")


def test_control_characters_of_an_own_index_are_left_out() -> None:
    assert "\x1b" not in of({"index.md": "# H\n\x1b[2J\u202eabc\n", "a.md": concept()}).index("/")


def test_a_budget_without_room_for_an_entry_is_refused() -> None:
    with pytest.raises(ConfigError, match="at least 200"):
        of({"a.md": concept()}).index("/", max_chars=10)


def test_an_expiry_that_nobody_can_read_is_a_signal_everywhere() -> None:
    kb = of({"a.md": concept(title="A", stale_after="31.12.2025"), "b.md": concept(title="B")})
    assert "* [A](/a) [Policy, stable, expiry unreadable]\n" in kb.index("/")
    first, second = kb.find()["results"]
    assert (first.get("expiry_unreadable"), "expiry_unreadable" in second) == (True, False)
    assert "EXPIRY UNREADABLE" in kb.read("a")["warnings"][0]


def test_entries_of_a_sub_folder_are_written_from_the_root_whatever_they_lead_to() -> None:
    kb = of(
        {
            "sub/index.md": "# S\n\n* [x](bad.md)\n* [m](notes.txt)\n* [n](gone.md)\n",
            "sub/bad.md": "no frontmatter",
            "sub/notes.txt": "x",
            "bad.md": concept(),
            "other/gone.md": concept(),
        }
    )
    text = kb.index("sub")
    assert "* [x](/sub/bad) [no valid concept]\n" in text
    assert "* [m](/sub/notes.txt) [not a concept]\n" in text
    assert "* [n](/sub/gone.md) [missing]\n" in text
    for target in ("/sub/bad", "/sub/notes.txt", "/sub/gone.md"):
        with pytest.raises((ConceptError, KnowledgeNotFoundError)):
            kb.read(target)


def test_an_html_entry_is_marked_too_and_a_mark_makes_no_link() -> None:
    kb = of(
        {
            "index.md": '# H\n\n* <a href="old.md">Old</a>\n* [a](old.md)(http://evil)\n',
            "old.md": concept(status="deprecated"),
        }
    )
    assert kb.index("/") == (
        '# H\n\n* <a href="/old"> [deprecated] Old</a>\n* [a](/old) [deprecated] (http://evil)\n'
    )


def test_names_with_ampersands_and_quotes_are_encoded() -> None:
    kb = of({"a&amp;b.md": concept(title="A"), "it's.md": concept(title="I")})
    for target in [link.target for link in scan(kb.index("/")).links]:
        assert kb.read(f"[x]({target})")["title"] in ("A", "I")
    assert "&" not in kb.index("/")


def test_files_that_could_not_be_read_are_counted_where_they_lie() -> None:
    kb = of(
        {
            "a.md": concept(),
            "sub/big.md": "---\ntype: T\n---\n" + "x" * (9 * 1024 * 1024),
            "sub/b.md": concept(),
        }
    )
    assert kb.index("sub").endswith(
        "(1 file of this folder is not listed: no valid concept, or not readable.)\n"
    )
