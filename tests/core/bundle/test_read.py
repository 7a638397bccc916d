"""`Bundle.read`: ids as people and models write them, signals, links, sections."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime

import pytest

from fingerpost import Bundle, ConceptError, KnowledgeNotFoundError, KnowledgePathError, MemoryDocumentStore
from fingerpost.bundle.names import concept_id
from fingerpost.markdown.scan import scan

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def concept(body: str = "Text.", **fields: str) -> str:
    lines = [f"{key}: {value}" for key, value in {"type": "Policy", **fields}.items()]
    return "---\n" + "\n".join(lines) + f"\n---\n{body}\n"


def bundle(**files: str) -> Bundle:
    return Bundle(MemoryDocumentStore({name.replace("__", "/"): text for name, text in files.items()}))


def of(files: dict[str, str]) -> Bundle:
    return Bundle(MemoryDocumentStore(files))


SUPPORT = {
    "index.md": "# Support\n\n* [Policies](policies/) - Rules.\n",
    "policies/refunds.md": concept(
        "# Rule\n\nThirty days. See [plans](../products/plans.md) and the [old rule](refunds-2024.md).\n\n"
        "## Exceptions\n\nNone.\n\n# Process\n\nAsk.\n",
        title="Refund policy",
        description="Money back within 30 days.",
        tags="[support, refunds]",
    ),
    "policies/refunds-2024.md": concept("Old.", status="deprecated"),
    "products/plans.md": concept("See [refunds](/policies/refunds).", title="Plans"),
    "notes.txt": "not a concept",
}


@pytest.mark.parametrize(
    "written",
    [
        "policies/refunds",
        "/policies/refunds",
        "policies/refunds.md",
        "/policies/refunds.md#rule",
        " [policies/refunds] ",
        "`policies/refunds`",
        "[Refund policy](/policies/refunds.md)",
        "<policies/refunds.md>",
        "policies%2Frefunds",
        "./policies/refunds",
        "../policies/refunds.md",
        "Policies/Refunds",
        "refunds.md",
    ],
)
def test_an_id_is_understood_however_it_is_written(written: str) -> None:
    assert of(SUPPORT).read(written)["id"] == "policies/refunds"


def test_a_concept_is_answered_with_its_fields_and_where_its_links_lead() -> None:
    view = of(SUPPORT).read("policies/refunds", now=NOW)
    assert (view["type"], view["title"], view["status"]) == ("Policy", "Refund policy", "stable")
    assert (view["trust"], view["stale"], view["tags"]) == ("unverified", False, ["support", "refunds"])
    assert view["links"] == [
        {"id": "products/plans", "exists": True},
        {"id": "policies/refunds-2024", "exists": True},
    ]
    assert view["backlinks"] == {"count": 1, "first": ["products/plans"]}
    assert view["body"].startswith("# Rule\n\nThirty days.")
    assert len(view["revision"]) == 16


def test_a_section_is_the_heading_and_all_below_it() -> None:
    view = of(SUPPORT).read("policies/refunds", "rule")
    assert view["body"].startswith("# Rule")
    assert view["body"].endswith("None.")
    assert of(SUPPORT).read("policies/refunds#exceptions")["body"] == "## Exceptions\n\nNone."
    assert of(SUPPORT).read("policies/refunds", "Process")["links"] == []


def test_an_unknown_section_names_those_there_are_and_an_unknown_anchor_is_passed_over() -> None:
    with pytest.raises(KnowledgeNotFoundError, match=r"no section 'Proces'.*Process"):
        of(SUPPORT).read("policies/refunds", "Proces")
    assert of(SUPPORT).read("policies/refunds#nope")["body"].startswith("# Rule")


def test_a_missing_concept_is_answered_with_the_nearest() -> None:
    with pytest.raises(KnowledgeNotFoundError, match=r"'policies/refund'.*policies/refunds"):
        of(SUPPORT).read("policies/refund")


@pytest.mark.parametrize(
    ("id_", "error", "sentence"),
    [
        ("policies", ConceptError, "folder.*kb_index"),
        ("notes.txt", ConceptError, "file beside the concepts"),
        ("https://example.org/x", KnowledgePathError, "not an id of this bundle"),
        ("//products/plans", KnowledgePathError, "not an id of this bundle"),
        ("#rule", KnowledgeNotFoundError, "names a section"),
        ("[a](" + " " * 100_000 + "x", KnowledgePathError, "at most 4,096 characters"),
        ("[a](" + " " * 4_000 + "x", KnowledgeNotFoundError, "There is no"),
        ("javascript:alert(1)", KnowledgePathError, "not an id of this bundle"),
        ("../../etc/passwd", KnowledgePathError, "outside this bundle"),
        ("a/../../kb-secret/x", KnowledgePathError, "outside this bundle"),
        ("", ConceptError, "folder"),
        ("x\0y", (KnowledgePathError, KnowledgeNotFoundError), "bundle"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(
    id_: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        of(SUPPORT).read(id_)


def test_an_invalid_concept_says_where_and_how_to_mend_it() -> None:
    broken = of({"a.md": "---\ntitle: x\n---\nbody\n"})
    with pytest.raises(ConceptError, match=r"a\.md.*OKF201"):
        broken.read("a")


def test_a_composed_and_a_decomposed_name_are_one_concept() -> None:
    name = unicodedata.normalize("NFD", "café")
    kb = of({f"{name}.md": concept(), "b.md": concept("[x](café.md)")})
    assert kb.read("café")["id"] == name
    assert kb.read("b")["links"] == [{"id": name, "exists": True}]
    assert kb.read("café")["backlinks"]["first"] == ["b"]


def test_two_names_that_differ_in_letter_case_are_two_concepts() -> None:
    kb = of({"Refunds.md": concept("upper"), "refunds.md": concept("lower")})
    assert kb.read("Refunds")["body"] == "upper"
    assert kb.read("refunds")["body"] == "lower"
    with pytest.raises(KnowledgeNotFoundError, match="Refunds"):
        kb.read("REFUNDS")


def test_a_comma_is_printed_and_read_as_its_percent_code() -> None:
    kb = of({"a, b.md": concept(), "c.md": concept("[x](<a, b.md>)")})
    assert kb.ids() == ["a%2C b", "c"]
    assert kb.read("a%2C b")["id"] == "a%2C b"
    assert kb.read("a, b.md")["id"] == "a%2C b"
    assert kb.read("c")["links"] == [{"id": "a%2C b", "exists": True}]


def test_links_of_every_kind_come_back_as_what_can_be_opened() -> None:
    body = (
        "[folder](sub/) [sub index](sub/index.md) [log](log.md) [file](data.csv) [web](HTTPS://e.org/x) "
        "[gone](gone.md) [rooted](/repo/sub/c.md) [out](../up.md) [run](javascript:alert) [self](#top)\n"
        "![picture](p.png) `[code](nope.md)` [[wiki]]"
    )
    kb = of({"a.md": concept(body), "sub/c.md": concept(), "data.csv": "x", "log.md": "# Log\n"})
    view = kb.read("a")
    assert view["links"] == [
        {"id": "sub/", "dir": True, "exists": True},
        {"id": "log.md", "exists": True},
        {"file": "data.csv", "exists": True},
        {"url": "HTTPS://e.org/x", "external": True},
        {"id": "gone", "exists": False},
        {"id": "repo/sub/c", "exists": False, "did_you_mean": "sub/c"},
    ]
    assert len(view["warnings"]) == 2
    assert "'../up.md'" in view["warnings"][0]
    assert "'javascript:alert'" in view["warnings"][1]


def test_a_log_can_be_read_where_a_link_leads_to_it() -> None:
    view = of({"a.md": concept(), "log.md": "# Log\n\n## 2026-01-02\n\n* Did [a](a.md).\n"}).read("log.md")
    assert (view["type"], view["id"]) == ("Log", "log.md")
    assert view["links"] == [{"id": "a", "exists": True}]


def test_path_fields_are_tried_from_the_file_then_from_the_root() -> None:
    kb = of(
        {
            "c/x.md": concept(
                resource="skills/run.md", sources="[{resource: near.md}, {resource: https://e.org}]"
            ),
            "c/near.md": concept(),
            "skills/run.md": concept(),
        }
    )
    assert kb.links("c/x") == [
        {"id": "c/near", "exists": True, "field": "sources[0].resource"},
        {"id": "skills/run", "exists": True, "field": "resource"},
    ]
    assert kb.backlinks("skills/run") == ["c/x"]


def test_signals_are_warnings_that_say_what_to_do() -> None:
    kb = of(
        {
            "old.md": concept(status="deprecated"),
            "late.md": concept(stale_after="2026-11-29"),
            "later.md": concept(stale_after="2026-11-30"),
            "checked.md": concept(
                generated="{by: human:a, at: 2026-05-01T00:00:00Z}",
                verified="{by: human:b, at: 2026-04-01T00:00:00Z}",
            ),
        }
    )
    assert "DEPRECATED" in kb.read("old", now=NOW)["warnings"][0]
    assert "STALE" in kb.read("late", now=NOW)["warnings"][0]
    assert kb.read("late", now=NOW)["stale"] is True
    assert kb.read("later", now=NOW)["stale"] is False
    assert kb.read("checked", now=NOW)["trust"] == "human-reviewed"
    assert len(kb.read("checked", now=NOW)["warnings"]) == 1


def test_a_concept_and_a_folder_of_one_name_are_told_apart() -> None:
    kb = of(
        {
            "guide.md": concept(),
            "guide/part.md": concept(),
            "a.md": concept("[c](guide) [f](guide/) [i](guide/index.md) [m](guide.md)"),
        }
    )
    assert kb.read("a")["links"] == [
        {"id": "guide", "exists": True},
        {"id": "guide/", "dir": True, "exists": True},
    ]
    assert kb.read("[guide]")["id"] == "guide"
    assert "part" in kb.index("guide")


def test_a_clock_tells_the_present_wherever_it_is_not_given() -> None:
    kb = Bundle(MemoryDocumentStore({"a.md": concept(stale_after="2026-11-29")}), clock=lambda: NOW)
    assert kb.read("a")["stale"] is True
    assert kb.find("")["results"][0]["stale"] is True
    assert "stale]" in kb.index("/")
    assert [item.code for item in kb.diagnostics()].count("OKF516") == 1
    earlier = datetime(2026, 11, 28)  # noqa: DTZ001 - a time without zone is taken for UTC
    assert kb.read("a", now=earlier)["stale"] is False


def test_the_same_unicode_form_is_preferred_to_another_letter_case() -> None:
    lower, upper = unicodedata.normalize("NFD", "café"), unicodedata.normalize("NFD", "Café")
    kb = of({f"{lower}.md": concept("lower"), f"{upper}.md": concept("upper")})
    assert kb.read("café")["body"] == "lower"
    assert kb.read("Café")["body"] == "upper"


def test_a_bare_name_that_two_concepts_end_with_is_not_guessed() -> None:
    kb = of({"a/rules.md": concept(), "b/rules.md": concept()})
    with pytest.raises(KnowledgeNotFoundError, match=r"a/rules.*b/rules"):
        kb.read("rules")


@pytest.mark.parametrize(
    "path",
    [
        "Note: plan.md",
        "FAQ: billing/x.md",
        "Q: why?.md",
        "C#.md",
        "C# guide.md",
        "100%.md",
        "a%20b c.md",
        "%2e%2e/x.md",
        "[f]/'s'/x.md",
        " lead.md",
        "x\u3000.md",
        "tab\t.md",
        "a, b.md",
        "a%2Cb.md",
        "x.md.md",
        "r\u202egnp.md",
        "h\u2028* Fake entry.md",
        '"q".md',
        "<h>.md",
        "`t`.md",
    ],
)
def test_every_id_that_is_printed_opens_what_it_names(path: str) -> None:
    others = {
        "x.md": concept("other"),
        "a, b, c.md": concept("other"),
        "C.md": concept("other"),
        "c/C#.md": concept("other"),
    }
    kb = of(
        {
            **others,
            path: concept("this one"),
            "from.md": concept(f"[l](<{path}>)" if "\n" not in path else ""),
        }
    )
    id_ = concept_id(path)
    assert id_ in kb.ids()
    assert kb.read(id_)["body"] == "this one"
    folder = path.rpartition("/")[0]
    targets = [link.target for link in scan(kb.index(f"/{folder}" if folder else "/")).links]
    assert "this one" in [kb.read(target)["body"] for target in targets if not target.endswith("/")]
    assert kb.ids().count(id_) == 1


def test_folders_of_odd_names_open_as_printed() -> None:
    names = ["C#", "[f]", "'s'", '"q"', "<h>", "`t`", "%2e%2e", "FAQ: x", " lead", "a, b"]
    kb = of({f"{name}/x.md": concept() for name in names})
    targets = [link.target for link in scan(kb.index("/")).links]
    assert len(targets) == len(names)
    for target in targets:
        assert "[X](" in kb.index(target)


def test_a_link_pasted_from_a_body_is_read_from_the_top_and_the_doubt_is_told() -> None:
    kb = of({"x.md": concept("top"), "a/x.md": concept("below"), "a/only.md": concept("only")})
    view = kb.read("x.md")
    assert view["body"] == "top"
    assert "it may mean a/x" in view["warnings"][0]
    assert kb.read("x")["warnings"] == []
    assert kb.read("only.md")["body"] == "only"
    with pytest.raises(KnowledgePathError, match="a/x"):
        kb.read("../x.md")


@pytest.mark.parametrize(
    "written", ['[t](a/b "title")', "* [t](/a/b) - d [T]", "![t](a/b.md)", "see [t](</a/b.md>) there"]
)
def test_an_id_is_taken_out_of_the_markdown_that_it_stands_in(written: str) -> None:
    kb = of({"a/b.md": concept("this one"), "t.md": concept()})
    if written.startswith("!"):
        with pytest.raises(KnowledgeNotFoundError):
            kb.read(written)
    else:
        assert kb.read(written)["body"] == "this one"


def test_a_heading_in_a_quote_is_no_section() -> None:
    kb = of({"a.md": concept("# One\n\n> # Two\n> quoted\n\nrest\n\n# Two\n\nsecond")})
    assert kb.read("a", "One")["body"] == "# One\n\n> # Two\n> quoted\n\nrest"
    assert kb.read("a", "Two")["body"] == "# Two\n\nsecond"


def test_the_links_of_a_log_are_told() -> None:
    kb = of({"a.md": concept(), "log.md": "# Log\n\n## 2026-01-02\n\n* [a](a.md)\n"})
    assert kb.links("log.md") == [{"id": "a", "exists": True}]


def test_a_link_and_an_id_of_one_spelling_open_what_each_names() -> None:
    kb = of({"a b.md": concept("blank"), "a%20b.md": concept("code")})
    assert kb.read("/a%20b")["body"] == "blank"
    assert kb.read("a%20b")["body"] == "code"
    bodies = {link.target: kb.read(link.target)["body"] for link in scan(kb.index("/")).links}
    assert bodies == {"/a%20b": "blank", "/a%2520b": "code"}


def test_what_was_read_in_place_of_a_missing_id_is_said() -> None:
    kb = of({"other/sub/gone.md": concept("other"), "a.md": concept("[x](sub/gone.md)")})
    assert kb.read("a")["links"] == [{"id": "sub/gone", "exists": False}]
    assert "other/sub/gone was read" in kb.read("sub/gone")["warnings"][0]
    with pytest.raises(KnowledgeNotFoundError):
        kb.read("/sub/gone.md")


def test_a_section_is_found_by_its_heading_as_it_is_written() -> None:
    kb = of({"a.md": concept("## The `limit` *flag*\n\ntext")})
    assert kb.read("a", "The `limit` *flag*")["body"].endswith("text")
    with pytest.raises(KnowledgeNotFoundError) as caught:
        kb.read("a", "x" * 100_000)
    assert len(str(caught.value)) < 400


def test_many_links_out_of_the_bundle_are_counted() -> None:
    body = " ".join(f"[x](../../{number}.md)" for number in range(40))
    warnings = of({"a.md": concept(body)}).read("a")["warnings"]
    assert len(warnings) == 6
    assert warnings[-1] == "35 more links were left out for such reasons."


def test_hidden_characters_of_a_title_are_told() -> None:
    assert "HIDDEN" in of({"a.md": concept(title="a\u200bb")}).read("a")["warnings"][0]


def test_no_two_concepts_share_an_id() -> None:
    kb = of({"a,b.md": concept("comma"), "a%2Cb.md": concept("code")})
    assert kb.ids() == ["a%252Cb", "a%2Cb"]
    assert (kb.read("a%2Cb")["body"], kb.read("a%252Cb")["body"]) == ("comma", "code")
