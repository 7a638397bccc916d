"""What users of other OKF tooling ask for and no field case covers, on real folders."""

from __future__ import annotations

import json
from pathlib import Path

from fingerpost import Bundle, OKFTools
from tests.core.cli.shell import process
from tests.field_cases.folders import concept, found, places, read, tools_over, write


def test_conformance_and_lint_are_two_verdicts_of_one_report(tmp_path: Path) -> None:
    """Need 2."""
    write(tmp_path, {"a.md": concept("[gone](gone.md)")})
    lint = process("validate", str(tmp_path))
    assert lint.returncode == 0
    assert lint.stdout.decode().splitlines()[-2:] == [
        "Conformance: yes, 1 concept in 1 Markdown file, against OKF 0.2 §11",
        "Lint: 1 warning",
    ]
    write(tmp_path, {"b.md": "no front matter\n"})
    both = process("validate", str(tmp_path))
    assert both.returncode == 1
    assert both.stdout.decode().splitlines()[-2:] == [
        "Conformance: no, 1 error against OKF 0.2 §11",
        "Lint: 1 warning",
    ]


def test_a_verification_that_is_one_mapping_counts_as_the_list_of_it(tmp_path: Path) -> None:
    """Need 4."""
    event = "{by: human:ann, at: 2026-09-01T00:00:00Z}"
    files = {
        "bare.md": concept(fields=f"verified: {event}\n"),
        "list.md": concept(fields=f"verified: [{event}]\n"),
    }
    kb = tools_over(tmp_path, files)
    assert [read(kb, name)["trust"] for name in ("bare", "list")] == ["human-reviewed"] * 2
    assert places(kb, notes=True) == []


GUIDES = ("README.md", "AGENTS.md", "SKILL.md", "CONTRIBUTING.md", "templates/note.md")


def test_guides_within_a_bundle_are_named_one_by_one_and_hide_no_concept(tmp_path: Path) -> None:
    """Need 6."""
    kb = tools_over(tmp_path, {"a.md": concept(), **dict.fromkeys(GUIDES, "# Read me\n")})
    assert kb.bundle.ids() == ["a"]
    assert places(kb) == sorted(f"{path}:1:1 OKF101" for path in GUIDES)
    assert json.loads(kb.kb_find("title"))["skipped_invalid"] == len(GUIDES)


def test_a_bundle_may_lie_in_a_hidden_folder_and_hold_another(tmp_path: Path) -> None:
    """Need 7."""
    inner = {
        "inner/index.md": '---\nokf_version: "0.2"\n---\n# Inner\n\n* [B](b.md)\n',
        "inner/b.md": concept(),
    }
    write(tmp_path / ".okf", {"a.md": concept("[b](inner/b.md)"), ".git/x.md": concept(), **inner})
    kb = OKFTools(tmp_path / ".okf")
    assert kb.bundle.ids() == ["a", "inner/b"]
    assert read(kb, "a")["links"] == [{"id": "inner/b", "exists": True}]
    assert places(kb) == ["inner/index.md:1:1 OKF301"]
    assert Bundle(tmp_path / ".okf" / "inner").ids() == ["b"]
    assert Bundle(tmp_path / ".okf" / "inner").validate().conformant is True


def test_a_log_bad_bytes_hidden_folders_and_rooted_links_are_no_trouble(tmp_path: Path) -> None:
    """Need 9."""
    kb = tools_over(
        tmp_path,
        {
            "log.md": "# Log\n\n## 2026-01-31\n\n* More.\n",
            "sub/latin.md": concept("Caf\xe9.").encode("latin-1"),
            ".venv/x.md": concept(),
            "sub/a.md": concept("[b](/b.md)"),
            "b.md": concept(),
        },
    )
    assert kb.bundle.ids() == ["b", "sub/a", "sub/latin"]
    assert read(kb, "sub/latin")["body"] == "Caf\ufffd."
    assert read(kb, "sub/a")["links"] == [{"id": "b", "exists": True}]
    assert kb.bundle.log() == [{"date": "2026-01-31", "heading": "2026-01-31", "text": "More."}]
    assert places(kb) == ["sub/latin.md:6:4 OKF107"]


def test_rooted_and_relative_links_lead_to_the_same_concept(tmp_path: Path) -> None:
    """Need 10."""
    body = "[r](/tables/orders.md) [s](../tables/orders.md) [t](/tables/orders) [u](../tables/orders.md#top)"
    kb = tools_over(tmp_path, {"metrics/a.md": concept(body), "tables/orders.md": concept("# Top")})
    links = read(kb, "metrics/a")["links"]
    assert links == [
        {"id": "tables/orders", "exists": True},
        {"id": "tables/orders", "exists": True, "anchor": "top"},
    ]
    assert read(kb, "tables/orders")["backlinks"] == {"count": 1, "first": ["metrics/a"]}
    assert places(kb, notes=True) == []


def test_encoded_links_and_links_with_blanks_are_edges(tmp_path: Path) -> None:
    """Need 11."""
    body = "[a](Gr%C3%B6%C3%9Fe%20und%20Ma%C3%9F.md) [b](<Größe und Maß.md>) [c](Größe%20und%20Maß.md)"
    kb = tools_over(tmp_path, {"a.md": concept(body), "Größe und Maß.md": concept()})
    assert read(kb, "a")["links"] == [{"id": "Größe und Maß", "exists": True}]
    assert kb.bundle.backlinks("Größe und Maß") == ["a"]
    assert [item for item in places(kb) if "OKF6" in item] == []


def test_a_link_with_bare_blanks_is_text_and_is_reported_with_both_ways_to_write_it(tmp_path: Path) -> None:
    """Need 11."""
    files = {"a.md": concept("See [b](Größe und Maß.md)."), "Größe und Maß.md": concept()}
    kb = tools_over(tmp_path, files)
    assert read(kb, "a")["links"] == []
    (reported,) = kb.bundle.diagnostics()
    assert (reported.location, reported.code, reported.severity) == ("a.md:6:5", "OKF609", "note")
    assert "'Größe und Maß.md' has blanks, so that this is plain text and not a link." in reported.reason
    assert reported.cure == "Write the path as <Größe und Maß.md>, or as Größe%20und%20Maß.md."


def test_paths_in_fields_are_looked_for_from_the_file_and_from_the_root(tmp_path: Path) -> None:
    """Need 13."""
    fields = (
        "resource: data/x.csv\nexecutor: {resource: skills/run.md}\nattester: {resource: ./near.md}\n"
        "sources: [{resource: near.md}, {resource: /skills/run.md}, {resource: gone.md}]\n"
    )
    files = {
        "c/a.md": concept(fields=fields),
        "c/near.md": concept(),
        "skills/run.md": concept(),
        "data/x.csv": "1",
    }
    kb = tools_over(tmp_path, files)
    assert {link["field"]: link.get("id") or link.get("file") for link in read(kb, "c/a")["links"]} == {
        "sources[0].resource": "c/near",
        "sources[1].resource": "skills/run",
        "sources[2].resource": "c/gone",
        "resource": "data/x.csv",
        "executor.resource": "skills/run",
        "attester.resource": "c/near",
    }
    assert places(kb) == ["c/a.md:8:61 OKF606"]


def test_a_concept_and_a_folder_of_one_name_are_two_entries_of_the_index(tmp_path: Path) -> None:
    """Need 17."""
    kb = tools_over(tmp_path, {"guide.md": concept(), "guide/part.md": concept()})
    assert kb.kb_index("/").splitlines()[3:5] == [
        "* [guide/](/guide/) - 1 concept",
        "* [Title](/guide) - One sentence. [Policy, stable]",
    ]
    assert "(/guide/part)" in kb.kb_index("/guide/")
    assert read(kb, "/guide")["id"] == "guide"


LANGUAGES = {
    "ja/返品": "返品について",
    "zh/退货": "退货政策",
    "ko/환불": "환불 정책",
    "ar/سياسة": "سياسة الإرجاع",
    "de/rückgabe": "Rückgabe",
}


def test_concepts_in_any_script_are_listed_read_linked_and_found(tmp_path: Path) -> None:
    """Need 19."""
    files = {f"{id_}.md": concept(words, "lang: xx\n") for id_, words in LANGUAGES.items()}
    links = " ".join(f"[x]({id_}.md)" for id_ in LANGUAGES)
    kb = tools_over(tmp_path, {**files, "all.md": concept(links)})
    assert [link["id"] for link in read(kb, "all")["links"]] == list(LANGUAGES)
    for id_, words in LANGUAGES.items():
        assert f"(/{id_})" in kb.kb_index(id_.partition("/")[0])
        assert (read(kb, id_)["id"], read(kb, id_)["extra"]) == (id_, {"lang": "xx"})
        assert found(kb, text=words)[0] == id_
