"""`BundleWriter`: new concepts, changes of old ones, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from fingerpost import (
    Bundle,
    ConfigError,
    ConflictError,
    KnowledgeError,
    LocalDocumentStore,
)
from fingerpost.bundle.writer import BundleWriter
from fingerpost.errors import (
    ArgumentError,
    ConceptError,
    KnowledgeCapabilityError,
    KnowledgeNotFoundError,
    KnowledgePathError,
)
from fingerpost.okf.yaml_text import Value
from tests.core.bundle.writing import FILES, REFUNDS, held, writer


class TestNewConcepts:
    def test_a_concept_is_titled_by_its_text_placed_by_its_title_and_stamped(self) -> None:
        to = writer(prefix="generated")
        made = to.create("# Größe der Räume\n\nThe hall has 40 m².", {"tags": ["rooms", "size"]})
        assert (made.id, made.is_new) == ("generated/größe-der-räume", True)
        assert held(to, "generated/größe-der-räume.md").decode() == (
            "---\n"
            "type: Note\n"
            "title: Größe der Räume\n"
            "tags: [rooms, size]\n"
            "generated:\n"
            "  by: process:curator\n"
            '  at: "2026-11-30T12:30:45Z"\n'
            "---\n"
            "\n"
            "# Größe der Räume\n"
            "\n"
            "The hall has 40 m².\n"
        )
        read = to.bundle.read(made.id)
        assert (read["title"], read["trust"], read["revision"]) == (
            "Größe der Räume",
            "unverified",
            made.revision,
        )

    def test_equal_titles_get_ids_of_their_own_in_any_spelling(self) -> None:
        to = writer(prefix="generated")
        ids = [
            to.create(f"{title}\n\n{number}").id
            for number, title in enumerate(["Café", "CAFÉ", "Cafe\u0301"])
        ]
        assert ids == ["generated/café", "generated/café-2", "generated/café-3"]

    def test_no_concept_is_called_like_a_folder_beside_it(self) -> None:
        assert writer().create("Policies").id == "policies-2"

    @pytest.mark.parametrize(("title", "id_"), [("Index", "index-2"), ("log", "log-2")])
    def test_no_concept_gets_a_reserved_name(self, title: str, id_: str) -> None:
        made = writer().create(title)
        assert made.id not in ("index", "log")
        assert made.path.endswith(".md")
        assert id_  # whichever way it is avoided

    def test_a_name_is_never_too_long_for_a_file_system(self, tmp_path: Path) -> None:
        to = BundleWriter(Bundle(LocalDocumentStore(tmp_path), cache=""))
        for text in ("ع" * 3_000, "wort " * 900, "家" * 500):
            for _ in range(2):
                made = to.create(text, {"title": text})
                assert len(made.path.encode()) <= 255
        assert len(to.bundle) == 6

    @pytest.mark.parametrize("text", ["", "  \n", "***\n---\n", "\u200b"])
    def test_a_text_without_words_is_refused(self, text: str) -> None:
        with pytest.raises(ArgumentError, match="give it a title"):
            writer().create(text)

    def test_a_text_may_bring_its_own_frontmatter_and_gets_no_second_one(self) -> None:
        to = writer()
        made = to.create(
            "---\ntype: Metric\ntitle: Churn\nunit: '%'\n---\n\nLost customers.", {"status": "draft"}
        )
        assert held(to, made.path).decode().count("---\n") == 2
        read = to.bundle.read("churn")
        assert (read["type"], read["status"], read["extra"]["unit"]) == ("Metric", "draft", "%")

    def test_a_text_whose_frontmatter_cannot_be_read_is_refused(self) -> None:
        to = writer()
        with pytest.raises(ConceptError, match="starts with a frontmatter block that cannot be read"):
            to.create("---\ntype: [\n---\n\nText")
        assert to.bundle.store.list() == sorted(FILES)

    def test_an_id_that_is_given_is_kept_and_nothing_is_added(self) -> None:
        to = writer()
        made = to.create("The text.", {"type": "Policy", "title": "Fees"}, id="policies/fees")
        assert made.path == "policies/fees.md"
        assert held(to, made.path) == b"---\ntype: Policy\ntitle: Fees\n---\n\nThe text.\n"
        with pytest.raises(ConflictError, match="There is a concept 'policies/fees' already"):
            to.create("Another.", id="policies/fees")

    @pytest.mark.parametrize(
        "id_",
        [
            *(
                "../out",
                "policies/",
                "policies/index",
                "log.md",
                "a/.b",
                "https://x.org/y",
                "notes.txt",
                "x#y",
            ),
            *("a/Index", "a/LOG", "%2e%2e/x", "a%2Fb", "a/\u202eb", "a/ b", "a /b", "a\nb"),
        ],
    )
    def test_an_id_that_can_be_no_concept_is_refused(self, id_: str) -> None:
        to = writer()
        with pytest.raises(KnowledgeError):
            to.create("Text.", {"type": "T"}, id=id_)
        assert to.bundle.store.list() == sorted(FILES)


class TestChanges:
    def test_one_field_changes_one_line(self) -> None:
        to = writer()
        change = to.update("policies/refunds", fields={"title": "Money back"})
        assert [line for line in change.diff.splitlines() if line[0] in "+-"] == [
            "--- a/policies/refunds.md",
            "+++ b/policies/refunds.md",
            "-title:   'Refunds'  # as in the shop",
            "+title:   'Money back'  # as in the shop",
        ]
        assert to.bundle.read("policies/refunds")["title"] == "Money back"

    def test_a_text_is_replaced_and_its_author_told_and_nothing_else(self) -> None:
        to = writer()
        revision = to.bundle.read("policies/refunds")["revision"]
        change = to.update("policies/refunds", "Within 60 days.", revision=revision)
        assert held(to, change.path) == (
            REFUNDS[: REFUNDS.index(b"Within")]
            .replace(b"process:importer", b"process:curator")
            .replace(b"2025-12-01", b"2026-11-30T12:30:45Z")
            + b"Within 60 days.\n"
        )
        assert any(
            "has verified it on 2026-01-01, which was before this change" in note for note in change.notes
        )
        assert any("Its text had" in note for note in change.notes)
        (hit,) = to.bundle.find("60 days")["results"]
        assert hit.get("verified_before_last_change") is True

    def test_a_text_that_nobody_has_read_is_not_replaced(self) -> None:
        to = writer()
        revision = to.bundle.read("policies/refunds")["revision"]
        with pytest.raises(ArgumentError, match=f"has a text already.*'{revision}' now"):
            to.update("policies/refunds", "Another.")
        assert held(to, "policies/refunds.md") == REFUNDS

    def test_a_stale_revision_is_refused_with_the_current_one(self) -> None:
        to = writer()
        old = to.bundle.read("policies/refunds")["revision"]
        now = to.update("policies/refunds", fields={"title": "Other"}).revision
        for text, title in (("Mine.", None), ("", "Mine")):
            with pytest.raises(ConflictError, match=f"its revision is '{now}' now, and not '{old}'"):
                to.update("policies/refunds", text, {"title": title}, revision=old)
        with pytest.raises(ConflictError):
            to.append("policies/refunds", "Mine.", revision=old)

    def test_what_says_so_already_is_not_written(self) -> None:
        to = writer()
        body = to.bundle.read("policies/refunds")["body"]
        change = to.update("policies/refunds", body, {"title": "Refunds", "tags": ["money", "returns"]})
        assert (change.is_any, change.notes) == (False, ("Nothing was changed: it says that already.",))

    def test_a_text_is_added_to(self) -> None:
        to = writer({"a.md": b"---\r\ntype: T\r\n---\r\n\r\nOne.\r\n"})
        to.append("a", "Two.\nThree.")
        assert held(to, "a.md") == b"---\r\ntype: T\r\n---\r\n\r\nOne.\r\n\r\nTwo.\r\nThree.\r\n"

    def test_a_section_is_added_to(self) -> None:
        to = writer()
        to.append("policies/refunds", "Gift cards.", section="Exceptions")
        assert held(to, "policies/refunds.md").endswith(b"## Exceptions\n\nNone.\n\nGift cards.\n")

    def test_a_concept_is_deprecated_and_says_what_replaces_it(self) -> None:
        to = writer()
        change = to.deprecate("policies/refunds", "policies/new")
        added = [line for line in change.diff.splitlines() if line.startswith("+")]
        assert added[1:] == ["+status: deprecated", "+superseded_by: /policies/new.md"]
        read = to.bundle.read("policies/refunds")
        assert read["status"] == "deprecated"
        assert any("policies/new" in warning for warning in read["warnings"])
        with pytest.raises(KnowledgeNotFoundError, match="could replace another"):
            to.deprecate("policies/new", "policies/absent")

    def test_what_is_no_concept_is_refused_and_stays(self) -> None:
        to = writer()
        for change in (
            lambda: to.update("broken", fields={"title": "X"}),
            lambda: to.append("broken", "More."),
            lambda: to.deprecate("broken"),
        ):
            with pytest.raises(ConceptError, match=r"This file is no valid concept\. broken\.md:3:1: OKF103"):
                change()
        assert held(to, "broken.md") == FILES["broken.md"]

    def test_an_attested_computation_is_changed_by_its_owner_alone(self) -> None:
        computed = b"---\ntype: Attested Computation\nruntime: sql\n---\n\n```sql\nselect 1\n```\n"
        to = writer({"sum.md": computed})
        revision = to.bundle.read("sum")["revision"]
        for change in (
            lambda: to.append("sum", "More."),
            lambda: to.update("sum", "select 2", revision=revision),
            lambda: to.update("sum", fields={"runtime": "python"}),
        ):
            with pytest.raises(ArgumentError, match="an attested computation, which its owner changes"):
                change()
        assert held(to, "sum.md") == computed
        to.update("sum", fields={"title": "Total"})

    def test_a_section_is_no_concept_to_be_written(self) -> None:
        with pytest.raises(KnowledgePathError, match="names a section"):
            writer().append("policies/refunds#exceptions", "x")

    def test_a_concept_that_is_not_there_is_not_changed(self) -> None:
        with pytest.raises(KnowledgeNotFoundError, match="no concept 'policies/refund' to change"):
            writer().append("policies/refund", "x")


class TestClaims:
    @pytest.mark.parametrize(
        "actor",
        [
            "human:ada",
            " Human:ada",
            "HUMAN:",
            "\u200bhuman:ada",
            "hu\xadman:ada",
            "hum\u0430n:ada",
            "\uff48uman:ada",
            "human\uff1aada",
            "human\u2236ada",
        ],
    )
    def test_no_writer_signs_as_a_person(self, actor: str) -> None:
        with pytest.raises(ConfigError, match="a person's signature"):
            writer(actor=actor)

    @pytest.mark.parametrize(
        "actor", ["process:human", "superhuman:x", "humane:x", "humid:x", "\u0430\u0433\u0435\u043d\u0442:x"]
    )
    def test_whoever_is_called_otherwise_signs(self, actor: str) -> None:
        assert writer(actor=actor).create("Text.").after.decode().count(actor) == 1

    def test_nothing_is_verified_by_being_written(self) -> None:
        to = writer()
        claim: Value = [{"by": "human:ada", "at": "2026-11-30"}]
        for write in (
            lambda: to.create("Text.", {"verified": claim}),
            lambda: to.create("---\ntype: T\nverified: {by: human:ada}\n---\nText."),
            lambda: to.create("Text.", {"type": "T", "verified": claim}, id="x"),
            lambda: to.create('---\ntype: T\n"verified ": {by: human:ada}\n---\nText.'),
            lambda: to.create("Text.", {"Verified": claim}),
            lambda: to.create("Text.", {"verified\u200b": claim}),
            lambda: to.create("Text.", {"\uff56erified": claim}),
            lambda: to.update("policies/new", fields={"verified": claim}),
            lambda: to.update("policies/refunds", fields={"verified": claim}),
        ):
            with pytest.raises(ArgumentError, match=r"(?i)leave out '[v\uff56]erified( |\\u200b)?'"):
                write()
        assert {path: held(to, path) for path in to.bundle.store.list()} == FILES

    def test_no_key_takes_in_a_verification_for_other_readers(self) -> None:
        with pytest.raises(ArgumentError, match="'<<' takes in other fields"):
            writer().create("---\ntype: T\nb: &b {verified: {by: human:ada}}\n<<: *b\n---\nText.")

    def test_no_text_says_that_a_person_wrote_it(self) -> None:
        to = writer()
        for write in (
            lambda: to.create("Text.", {"generated": {"by": "human:ada"}}, id="x"),
            lambda: to.create("Text.", {"generated": {"by": ["hum\u0430n:ada"]}}, id="x"),
            lambda: to.create("Text.", {"generated": [{"By": "human:ada"}]}, id="x"),
            lambda: to.create("Text.", {"Generated": {"by": "human:ada"}}, id="x"),
            lambda: to.update("policies/refunds", fields={"generated": {"by": "Human:ada", "at": "2026"}}),
        ):
            with pytest.raises(ArgumentError, match="a person's signature"):
                write()

    def test_a_generated_that_is_brought_along_gives_way_to_the_stamp(self) -> None:
        to = writer()
        made = to.create("---\ntype: T\ntitle: X\ngenerated: {by: process:a}\n---\nText.")
        assert to.bundle.read(made.id)["extra"]["generated"]["by"] == "process:curator"


class TestSize:
    def test_what_could_not_be_read_again_is_not_written(self) -> None:
        to = writer()
        large = "word " * 2_000_000
        for write in (lambda: to.create(large), lambda: to.append("policies/new", large)):
            with pytest.raises(ArgumentError, match="no more than 8,388,608 are read; divide it"):
                write()
        assert {path: held(to, path) for path in to.bundle.store.list()} == FILES


class TestReach:
    def test_only_the_prefix_and_what_is_named_beside_it_are_written(self) -> None:
        to = writer(prefix="generated", beyond=["policies/new", "plans/"])
        to.update("policies/new", fields={"title": "New"})
        to.create("Text.", {"type": "T"}, id="plans/deep/x")
        for write in (
            lambda: to.update("policies/refunds", fields={"title": "X"}),
            lambda: to.create("Text.", id="generatedx/y"),
            lambda: to.create("Text.", id="policies/newer"),
            lambda: to.log("x"),
        ):
            with pytest.raises(
                KnowledgePathError, match="what may be is 'generated/', 'plans/', 'policies/new'"
            ):
                write()
        to.log("x", "plans")

    @pytest.mark.parametrize(
        ("prefix", "beyond"), [("../x", ()), (".git", ()), ("g", ["../y"]), ("g", ["a/../b"])]
    )
    def test_a_reach_that_is_no_path_is_refused(self, prefix: str, beyond: list[str]) -> None:
        with pytest.raises(ConfigError, match="cannot be written to"):
            writer(prefix=prefix, beyond=beyond)

    def test_a_bundle_that_can_only_be_read_is_not_written(self, tmp_path: Path) -> None:
        to = BundleWriter(Bundle(LocalDocumentStore(tmp_path, writable=False), cache=""))
        with pytest.raises(KnowledgeCapabilityError, match="can only be read"):
            to.create("Text.")

    def test_a_prefix_that_leads_out_of_the_bundle_is_not_written_through(self, tmp_path: Path) -> None:
        (tmp_path / "kb").mkdir()
        (tmp_path / "out").mkdir()
        (tmp_path / "kb" / "generated").symlink_to("../out")
        to = BundleWriter(Bundle(tmp_path / "kb", cache=""), prefix="generated")
        with pytest.raises(KnowledgePathError, match="leads out of the root folder"):
            to.create("Text.")
        assert list((tmp_path / "out").iterdir()) == []
