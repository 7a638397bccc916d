"""Seed 004, the navigation tools: what each answers."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_NAVIGATE = "core/test_navigate.py"
_SHAPES = "core/test_answer_shapes.py"
_READ = "core/bundle/test_read.py"
_INDEX = "core/bundle/test_index.py"
_FIND = "core/bundle/test_find.py"
_CATALOG = "core/catalog/test_catalogs.py"
_DOCUMENT = "core/okf/test_document.py"
_TRUST = "core/okf/test_trust.py"

SECTIONS: dict[str, Section] = {
    "The three tools": (
        Promise(
            "NAV-060",
            ("kb_index returns the directory's own", "index.md (frontmatter stripped)"),
            "A folder is listed by its own index, without front matter, with links that open.",
            at(
                _INDEX,
                "test_an_own_index_keeps_its_words_and_gets_links_that_can_be_opened",
                "test_what_an_own_index_does_not_list_is_added",
            ),
            differs="`kb_index` gives an index.md word for word",
        ),
        Promise(
            "NAV-061",
            ("synthesized one", "* [Title](/id) - description"),
            "Without one it is listed in the format of an index, folders first, with signals.",
            at(_INDEX, "test_a_folder_without_index_lists_folders_first_then_concepts_with_their_signals"),
        ),
        Promise(
            "NAV-062",
            ("kb_read returns", '"warnings": []', '"extra": {'),
            "A concept is read with its fields, warnings, other fields, body and links.",
            at(_SHAPES, "test_a_concept_is_read_in_the_shape_that_is_known"),
        ),
        Promise(
            "NAV-063",
            ('"at": "2026-09-01T12:00:00+00:00"',),
            "Values of other fields are text as it was written.",
            at(_DOCUMENT, "test_dates_and_switches_stay_text_in_extra_at_every_depth"),
            differs="frontmatter values are typed by YAML",
        ),
        Promise(
            "NAV-064",
            ('"trust": "human-reviewed"', '"stale": false'),
            "Trust and age are judged from who verified, when, and until when it holds.",
            at(_TRUST, "test_the_tier_follows_the_actors", "test_staleness_starts_with_the_instant_itself"),
            differs="`trust` alone",
        ),
        Promise(
            "NAV-065",
            ('Links are {"id", "exists"}',),
            "A link is an id, a folder or an address, each in a shape of its own.",
            at(_READ, "test_links_of_every_kind_come_back_as_what_can_be_opened"),
        ),
        Promise(
            "NAV-066",
            ("matches type exactly (case-insensitive)",),
            "A type is compared whole and without regard to capitals.",
            at(_FIND, "test_filters", "test_an_unknown_type_or_tag_is_answered_with_those_there_are"),
        ),
        Promise(
            "NAV-067",
            ("requires all tags",),
            "A hit has every tag that was asked for.",
            at(_FIND, "test_filters"),
        ),
        Promise(
            "NAV-068",
            ("title, description, tags and body",),
            "Words are looked for in the fields and in the text, and count each by itself.",
            (
                *at(_SHAPES, "test_a_word_is_found_in_each_field_and_in_the_text"),
                *at(_CATALOG, "test_every_word_beats_some_words_however_often_those_stand_there"),
            ),
            differs="`kb_find` looks for the whole query as one substring",
        ),
        Promise(
            "NAV-069",
            ("header matches before body matches",),
            "What stands in a field comes before what stands in the text.",
            at(_CATALOG, "test_the_header_beats_the_body"),
        ),
        Promise(
            "NAV-070",
            ("limit is clamped to 1–100",),
            "A limit is between 1 and 100, and setting it there is said.",
            at(
                _NAVIGATE,
                "test_numbers_beyond_what_the_search_takes_are_set_to_its_bounds_and_that_is_said",
            ),
            differs="`kb_find` ends with `limit`",
        ),
        Promise(
            "NAV-071",
            ('{"results": [{"id", "type", "title"', '"skipped_invalid": 0'),
            "A hit tells what it is and how far to trust it, and the answer how many were left out.",
            at(_SHAPES, "test_a_search_is_answered_in_the_shape_that_is_known"),
        ),
        Promise(
            "NAV-072",
            ('Errors come back as {"error":',),
            "An error is an object with a sentence.",
            at(_NAVIGATE, "test_errors_are_one_sentence_in_json"),
        ),
        Promise(
            "NAV-073",
            (
                "prefix renames the tools",
                "support_kb_index, support_kb_read, support_kb_find",
                "finance_kb_index",
            ),
            "A prefix renames the tools of a bundle.",
            (
                *at(_NAVIGATE, "test_the_tools_have_the_names_arguments_and_prefix_of_the_format"),
                *at("langchain/test_tools.py", "test_a_prefix_tells_two_bundles_apart"),
            ),
        ),
        Promise(
            "NAV-074",
            ("Full reference: docs/tools.md",),
            "A page describes the tools in full, and its Python runs.",
            at("docs/test_code.py", "test_the_python_on_a_page_runs_and_prints_what_the_page_says"),
        ),
    ),
    "Trust and freshness": (
        Promise(
            "NAV-075",
            ("Tell the agent what to", "Prefer concepts with trust"),
            "Sentences for a prompt say how to heed trust, warnings and ids.",
            at(_SHAPES, "test_what_a_model_is_told_names_trust_warnings_and_ids"),
        ),
        Promise(
            "NAV-076",
            ("follow its links to the",),
            "A retired concept leads to its successor.",
            at(_NAVIGATE, "test_the_demo_bundle_answers_its_question_from_the_policy_in_force"),
        ),
    ),
}
