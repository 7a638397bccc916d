"""Writing to a bundle through `OKFManager.write` and `write_kb`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fingerpost import (
    Bundle,
    ConfigError,
    ConflictError,
    KnowledgeBase,
    KnowledgeBuilder,
    KnowledgeCapabilityError,
    KnowledgeConfig,
    LocalDocumentStore,
    MemoryDocumentStore,
    OKFManager,
    kb_tools,
)
from fingerpost.bundle.proposals import accept
from fingerpost.bundle.writer import BundleWriter
from fingerpost.errors import ArgumentError, ConceptError, KnowledgePathError
from fingerpost_testing import MemoryKnowledgeBase

REFUNDS = (
    "---\n# ours\ntype: Policy\ntitle: 'Refunds'\nlimit: 0755\n"
    "verified: {by: human:ada, at: 2026-01-01}\n---\n\nWithin 30 days.\n"
)
FILES = {"policies/refunds.md": REFUNDS, "policies/fees.md": "---\ntype: Policy\n---\nTen.\n"}


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


def manager(**settings: Any) -> OKFManager:
    return OKFManager(MemoryDocumentStore(FILES), name="kb", **settings)


def tool(base: KnowledgeBase, name: str = "write_kb") -> Callable[..., str]:
    return {function.__name__: function for function in KnowledgeBuilder([base]).build()}[name]


def held(base: OKFManager, path: str = "policies/refunds.md") -> str:
    return base.bundle.store.read_bytes(path).decode()


class TestNewRecords:
    def test_a_record_without_an_id_is_titled_placed_and_signed(self) -> None:
        base = manager(write_actor="process:ingest")
        (row,) = base.write(
            [{"text": "The weir floods in May.\n\nEvery year.", "metadata": {"source": "https://x.org/weir"}}]
        )
        assert row["metadata"]["id"] == "generated/the-weir-floods-in-may"
        (read,) = base.fetch([row["metadata"]["id"]])
        assert read["metadata"]["title"] == "The weir floods in May."
        assert read["metadata"]["revision"] == row["metadata"]["revision"]
        assert read["metadata"]["extra"]["generated"]["by"] == "process:ingest"
        assert read["metadata"]["extra"]["sources"] == [{"resource": "https://x.org/weir"}]
        assert read["metadata"]["trust"] == "unverified"

    def test_it_is_in_the_very_next_answer_of_each_tool(self) -> None:
        base = manager()
        said = tool(base)("kb", "A heron nests at the lock.", title="Heron", tags=["birds"])
        assert said.startswith("Stored in 'kb' under id 'generated/heron', revision '")
        assert "Heron" in tool(base, "browse_kb")("kb", "generated")
        assert "nests at the lock" in tool(base, "fetch_kb")("kb", "generated/heron")
        assert "[generated/heron]" in tool(base, "search_kb")("kb", "heron")
        assert "[generated/heron]" in tool(base, "read_kb")("kb", "nests")

    def test_a_listing_says_what_each_is_about(self) -> None:
        base = manager()
        tool(base)("kb", "## Locks *open* at seven\n\nIn summer at six.")
        assert "Locks open at seven (Note, unverified" in tool(base, "browse_kb")("kb", "generated")

    def test_a_record_with_an_id_is_stored_as_it_is_given(self) -> None:
        base = manager(write_prefix="")
        for id_, source in (("a/b", "agent"), ("a/c", "a/c.md")):
            base.write([{"text": "Text.", "metadata": {"id": id_, "type": "Policy", "source": source}}])
            assert held(base, f"{id_}.md") == "---\ntype: Policy\n---\n\nText.\n"

    def test_several_records_are_written_or_none(self) -> None:
        base = manager()
        with pytest.raises(ArgumentError, match="verified"):
            base.write([{"text": "One."}, {"text": "Two.", "metadata": {"verified": {"by": "human:ada"}}}])
        assert base.bundle.store.list() == sorted(FILES)
        rows = base.write([{"text": "One."}, {"text": "Two."}])
        assert [row["metadata"]["id"] for row in rows] == ["generated/one", "generated/two"]

    @pytest.mark.parametrize("record", [5, None, "x", {"text": "x", "metadata": 5}])
    def test_what_is_no_record_is_refused(self, record: Any) -> None:
        with pytest.raises(ArgumentError, match="mapping"):
            manager().write([record])

    @pytest.mark.parametrize(
        ("text", "metadata", "said"),
        [
            (b"x", {}, "'text' of a record is bytes"),
            ("x", {"id": ["a"]}, "'id' of a record is list"),
            ("x", {"id": "generated/x", "append": "true", "revision": "r"}, "true or false, and is 'true'"),
            ("x", {"extra": ["a"]}, "'extra' of a record is to be a mapping"),
            ("x", {"extra": {"a": [b"x"]}}, "holds bytes"),
            ("x", {"extra": {"a": ENDLESS}}, "nested more than 64 deep"),
        ],
    )
    def test_what_would_be_written_as_something_else_is_refused(
        self, text: Any, metadata: dict[str, Any], said: str
    ) -> None:
        base = manager()
        with pytest.raises(ArgumentError, match=said):
            base.write([{"text": text, "metadata": metadata}])
        assert base.bundle.store.list() == sorted(FILES)

    def test_a_failure_between_two_says_what_was_written(self) -> None:
        class Full(MemoryDocumentStore):
            left = 1

            def swap_bytes(self, path: str, old: bytes | None, new: bytes | None) -> None:
                if not self.left:
                    raise KnowledgePathError("The disk is full.")
                self.left -= 1
                super().swap_bytes(path, old, new)

        base = OKFManager(Full(FILES), name="kb")
        with pytest.raises(
            KnowledgePathError, match=r"The disk is full\. Written before it were: generated/one\."
        ):
            base.write([{"text": "One."}, {"text": "Two."}])


class TestChangedRecords:
    def test_a_fetched_record_that_is_written_back_changes_no_byte(self) -> None:
        base = manager(write_prefix="")
        for id_ in ("policies/refunds", "policies/fees"):
            (row,) = base.fetch([id_])
            written = base.write([row])
            assert written.notes == ("Nothing was changed: it says that already.",)
        assert {path: held(base, path) for path in base.bundle.store.list()} == FILES

    def test_what_differs_in_a_fetched_record_is_written(self) -> None:
        base = manager(write_prefix="")
        (row,) = base.fetch(["policies/refunds"])
        metadata = {
            **row["metadata"],
            "title": "Money back",
            "extra": {**row["metadata"]["extra"], "limit": "7"},
        }
        written = base.write([{"text": row["text"], "metadata": metadata}])
        assert held(base) == REFUNDS.replace("'Refunds'", "'Money back'").replace("0755", "7") or held(
            base
        ) == REFUNDS.replace("'Refunds'", "'Money back'").replace("0755", '"7"')
        assert "before this change; it has to be verified anew" in " ".join(written.notes)

    def test_a_stale_revision_is_refused_with_the_one_that_counts(self) -> None:
        base = manager(write_prefix="")
        (row,) = base.fetch(["policies/refunds"])
        (now,) = base.write([{"text": "", "metadata": {"id": "policies/refunds", "title": "Other"}}])
        with pytest.raises(ConflictError, match=now["metadata"]["revision"]):
            base.write([row])
        answer = tool(base)("kb", "Mine.", id="policies/refunds", revision=row["metadata"]["revision"])
        assert now["metadata"]["revision"] in answer

    def test_the_tool_changes_a_record_in_each_way(self) -> None:
        base = manager(write_prefix="")
        write = tool(base)
        assert "give its revision" in write("kb", "Within 60 days.", id="policies/refunds")
        assert "Stored" in write("kb", "Gift cards never.", id="policies/refunds", append=True)
        assert held(base) == f"{REFUNDS}\nGift cards never.\n"
        revision = base.bundle.read("policies/refunds")["revision"]
        assert "Stored" in write("kb", "Within 60 days.", id="policies/refunds", revision=revision)
        assert held(base) == REFUNDS.replace("30", "60")
        assert "Stored" in write("kb", id="policies/refunds", status="deprecated")
        assert base.bundle.read("policies/refunds")["status"] == "deprecated"
        assert "Nothing to store" in write("kb", id="policies/refunds")

    def test_what_cannot_be_added_to_says_so(self) -> None:
        answer = tool(MemoryKnowledgeBase(name="kb"))("kb", "More.", id="x", append=True)
        assert "cannot add to a record; write the whole text" in answer

    def test_a_change_under_an_old_check_is_told_to_the_agent(self) -> None:
        answer = tool(manager(write_prefix=""))("kb", "More.", id="policies/refunds", append=True)
        assert "human:ada has verified it on 2026-01-01, which was before this change" in answer

    def test_no_claim_of_a_check_is_stored(self) -> None:
        base = manager(write_prefix="")
        (row,) = base.fetch(["policies/fees"])
        claim = {"by": "human:ada", "at": "2026-11-30"}
        for metadata in (
            {**row["metadata"], "verified": claim},
            {**row["metadata"], "extra": {"verified": claim}},
            {**row["metadata"], "extra": {"generated": {"by": "human:ada"}}},
        ):
            with pytest.raises(ArgumentError):
                base.write([{"text": row["text"], "metadata": metadata}])
        assert held(base, "policies/fees.md") == FILES["policies/fees.md"]
        base.write([{"text": row["text"], "metadata": {**row["metadata"], "trust": "human-reviewed"}}])
        assert held(base, "policies/fees.md") == FILES["policies/fees.md"]


class TestWhereAndWho:
    def test_only_the_prefix_is_written_unless_more_is_named(self) -> None:
        answer = tool(manager())("kb", "x", id="policies/new", type="Policy")
        assert "'policies/new' may not be written here; what may be is 'generated/'." in answer
        base = manager(curated=["policies/fees"])
        assert "Stored" in tool(base)("kb", id="policies/fees", title="Fees")
        assert "may not be written" in tool(base)("kb", id="policies/refunds", title="X")

    def test_a_store_that_can_only_be_read_is_not_written(self, tmp_path: Path) -> None:
        base = OKFManager(LocalDocumentStore(tmp_path, writable=False), name="kb")
        assert not base.capabilities.writable
        with pytest.raises(KnowledgeCapabilityError):
            base.write([{"text": "x"}])

    @pytest.mark.parametrize(
        "settings", [{"write_actor": "human:ada"}, {"write_prefix": "../x"}, {"curated": ["../x"]}]
    )
    def test_what_makes_no_sense_fails_at_construction(self, settings: dict[str, Any]) -> None:
        with pytest.raises(ConfigError):
            manager(**settings)

    def test_nothing_is_written_out_of_the_bundle(self, tmp_path: Path) -> None:
        (tmp_path / "kb").mkdir()
        (tmp_path / "out").mkdir()
        (tmp_path / "kb" / "generated").symlink_to("../out", target_is_directory=True)
        answer = tool(OKFManager(tmp_path / "kb", name="kb"))("kb", "Text.")
        assert "leads out of the root folder" in answer
        assert list((tmp_path / "out").iterdir()) == []


class TestProposals:
    def test_a_proposal_is_told_and_not_found_until_it_is_accepted(self) -> None:
        base = manager(proposals=True)
        answer = tool(base)("kb", "A heron nests.", title="Heron")
        assert answer.startswith("Proposed to 'kb'.")
        assert "is not found before a person has accepted it" in answer
        assert "nothing" in tool(base, "search_kb")("kb", "heron")
        (path,) = base.bundle.store.list("proposals")
        accept(base.bundle, path.removeprefix("proposals/"))
        assert "[generated/heron]" in tool(base, "search_kb")("kb", "heron")
        assert base.bundle.store.list("proposals") == []


def configuration(folder: Path, **more: Any) -> dict[str, Any]:
    database = {
        "uri": str(folder),
        "consumer": ["Reader"],
        "producer": ["Ingest Agent"],
        "curator": ["Steward"],
        "curated": ["policies/"],
        **more,
    }
    return {"okf": {"databases": {"kb": database}}}


class TestRoles:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "policies").mkdir()
        (tmp_path / "policies" / "refunds.md").write_text(REFUNDS)
        return tmp_path

    @staticmethod
    def tools(folder: Path, agent: str, **more: Any) -> dict[str, Callable[..., str]]:
        return {each.__name__: each for each in kb_tools(configuration(folder, **more), agent)}

    def test_a_consumer_does_not_write(self, folder: Path) -> None:
        assert "write_kb" not in self.tools(folder, "Reader")

    def test_a_producer_adds_and_signs_with_its_name(self, folder: Path) -> None:
        tools = self.tools(folder, "Ingest Agent")
        assert "Stored" in tools["write_kb"]("kb", "A heron nests.")
        assert "by: process:Ingest-Agent" in (folder / "generated" / "a-heron-nests.md").read_text()
        refused = tools["write_kb"]("kb", id="policies/refunds", title="X")
        assert "'policies/refunds' may not be written here; what may be is 'generated/'." in refused

    def test_a_curator_may_write_what_is_curated_too(self, folder: Path) -> None:
        tools = self.tools(folder, "Steward")
        assert "Stored" in tools["write_kb"]("kb", id="policies/refunds", title="Money back")
        assert "title: 'Money back'" in (folder / "policies" / "refunds.md").read_text()
        assert "may not be written" in tools["write_kb"]("kb", "x", id="other/x", type="T")

    def test_an_actor_that_is_set_signs_for_all(self, folder: Path) -> None:
        self.tools(folder, "Steward", write_actor="process:kb")["write_kb"]("kb", "A heron nests.")
        assert "by: process:kb" in (folder / "generated" / "a-heron-nests.md").read_text()

    @pytest.mark.parametrize(
        ("more", "sentence"),
        [
            ({"write_actor": "human:ada"}, "a person's signature"),
            ({"write_prefix": "../x"}, "cannot be written to"),
            ({"curated": ["a/../../x"]}, "cannot be written to"),
            ({"curated": "policies/", "curator": []}, "names no curator"),
            ({"proposals": "yes"}, "'proposals' of the database 'kb' is to be true or false"),
        ],
    )
    def test_settings_that_make_no_sense_are_refused_before_anything_is_opened(
        self, folder: Path, more: dict[str, Any], sentence: str
    ) -> None:
        with pytest.raises(ConfigError, match=sentence):
            KnowledgeConfig.of(configuration(folder, **more))

    def test_what_an_agent_proposes_waits_for_a_person(self, folder: Path) -> None:
        answer = self.tools(folder, "Steward", proposals=True)["write_kb"]("kb", "A heron nests.")
        assert answer.startswith("Proposed to 'kb'.")
        (file,) = (folder / "proposals").iterdir()
        assert json.loads(file.read_text())["by"] == "process:Steward"
        assert len(Bundle(folder, cache="")) == 1


class TestWhatModelsMistake:
    @pytest.mark.parametrize("tags", ["money, fees", ["money, fees"], '["money", "fees"]', ["money", "fees"]])
    def test_tags_in_one_text_are_several(self, tags: Any) -> None:
        base = manager()
        tool(base)("kb", "Text.", title="T", tags=tags)
        assert "tags: [money, fees]" in held(base, "generated/t.md")

    def test_what_is_one_line_is_stored_as_one(self) -> None:
        base = manager()
        tool(base)("kb", "Text.", title="a\nb", type="Policy\nstatus: x", description=" One.\n Two. ")
        read = base.bundle.read("generated/a-b")
        assert (read["title"], read["type"], read["description"]) == ("a b", "Policy status: x", "One. Two.")

    def test_a_statement_is_refused_and_parameters_without_one_are_told_of(self) -> None:
        base = manager()
        assert "A bundle takes no statements" in tool(base)("kb", "Text.", query="INSERT")
        assert base.bundle.ids() == ["policies/fees", "policies/refunds"]
        for params in ('{"verified": true}', "{broken"):
            told = tool(base)("kb", f"Text of {params}.", params_json=params)
            assert told.endswith('Note: "params_json" was not used: it goes with a statement under "query".')

    def test_nothing_is_added_to_a_record_without_an_id(self) -> None:
        base = manager()
        assert "A text is added to a record with an id" in tool(base)("kb", "More.", append=True)
        assert base.bundle.ids() == ["policies/fees", "policies/refunds"]

    @pytest.mark.parametrize("type_", ["", "  ", "\n"])
    def test_a_concept_is_never_made_into_none(self, type_: str) -> None:
        base = manager(write_prefix="")
        with pytest.raises(
            ConceptError, match=r"was not written\. It would be no valid concept any more\. .*`type` is"
        ):
            BundleWriter(base.bundle).update("policies/fees", fields={"type": type_})
        assert held(base, "policies/fees.md") == FILES["policies/fees.md"]


def test_a_second_proposal_for_one_concept_is_told_of_the_first() -> None:
    base = manager(write_prefix="", proposals=True)
    first = tool(base)("kb", "More.", id="policies/fees", append=True)
    assert "only one can be accepted" not in first
    second = tool(base)("kb", "Still more.", id="policies/fees", append=True)
    name = first.partition("proposed as '")[2].partition("'")[0]
    assert f"Of the proposals for 'policies/fees' only one can be accepted; there is also {name}." in second
