"""Seed 004, the navigation tools: what they are, and what was learned from running them."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_NAVIGATE = "core/test_navigate.py"
_SHAPES = "core/test_answer_shapes.py"
_READ = "core/bundle/test_read.py"
_FIND = "core/bundle/test_find.py"
_FRESH = "core/bundle/test_freshness.py"
_CONFINED = "core/stores/test_confinement.py"
_DOCUMENT = "core/okf/test_document.py"
_TOOLS = "core/tools"
_DEMO = at(_NAVIGATE, "test_the_demo_bundle_answers_its_question_from_the_policy_in_force")
_PLAYED = at("loops/test_scenarios.py", "test_a_scenario_with_the_adapter")
_EXAMPLES = at("docs/test_examples.py", "test_an_example_runs")
_EDITED = at(_FRESH, "test_an_edit_an_addition_and_a_deletion_are_seen_by_the_next_call")
_NO_INDEX = "search parses every file on each call"

SECTIONS: dict[str, Section] = {
    "Leer en español": (
        Promise(
            "NAV-001",
            ("plain-files format for curated knowledge",),
            "Concepts with front matter and links, each a file of a folder, are what is read.",
            at(_DOCUMENT, "test_a_full_concept_is_read_without_findings"),
        ),
        Promise(
            "NAV-002",
            ("three tools to walk such",),
            "Three tools lead from the index over search to a concept and along its links.",
            _DEMO,
        ),
        Promise(
            "NAV-003",
            ("trust and freshness signals", "intact"),
            "What the format says of trust and age comes with each answer.",
            at(_FIND, "test_a_hit_carries_its_signals"),
        ),
        Promise(
            "NAV-004",
            ("It works with LangChain/LangGraph",),
            "The tools work in nine named surroundings.",
            _PLAYED,
        ),
        Promise(
            "NAV-005",
            ("core depends only on PyYAML",),
            "The core needs PyYAML and nothing else.",
            (
                *at("repo/test_lean_import.py", "test_no_third_party_module_is_loaded_by"),
                *at("repo/test_packages.py", "test_the_core_asks_for_yaml_alone"),
            ),
        ),
        Promise(
            "NAV-006",
            ("products/", "warning DEPRECATED"),
            "A concept that was retired warns of itself when it is read.",
            (*_DEMO, *at(_READ, "test_signals_are_warnings_that_say_what_to_do")),
        ),
    ),
    "Quickstart (30 seconds)": (
        Promise(
            "NAV-007",
            ("create_agent", "okf_tools"),
            "An agent of LangChain gets the tools in one line.",
            at("langchain/test_navigation.py", "test_the_transcript_is_that_of_the_loop_without_a_framework"),
        ),
        Promise(
            "NAV-008",
            ('Bundle("./my-bundle").index("/")', "system_prompt"),
            "The top of a bundle is a text for a system prompt.",
            at(_SHAPES, "test_the_top_of_a_bundle_is_the_same_text_each_time"),
        ),
        Promise(
            "NAV-009",
            ("hand-built LangGraph graph (ToolNode)",),
            "A graph that was built by hand takes them too.",
            _EXAMPLES,
        ),
        Promise(
            "NAV-010",
            ("plain methods that return strings", "OKFTools"),
            "Without a framework the tools are methods that return text.",
            at(_SHAPES, "test_the_tools_are_methods_and_functions_that_return_text"),
        ),
        Promise(
            "NAV-011",
            ("No bundle yet?",),
            "A bundle to try comes along.",
            at(_NAVIGATE, "test_the_demo_bundle_has_nothing_wrong_but_what_it_means_to_show"),
        ),
    ),
    "Why navigate instead of RAG": (
        Promise(
            "NAV-012",
            ("reads whole concepts rather than",),
            "A concept is read as a whole, in pages where it is long.",
            at(_NAVIGATE, "test_the_pages_of_a_concept_hold_all_of_its_text_whatever_else_it_holds"),
            differs="`kb_read` returns whole files",
        ),
        Promise(
            "NAV-013",
            ("cite the concept id",),
            "Every answer names the id of what it tells.",
            (
                *at(_FIND, "test_a_hit_carries_its_signals"),
                *at(_READ, "test_a_concept_is_answered_with_its_fields_and_where_its_links_lead"),
            ),
        ),
        Promise(
            "NAV-014",
            ("visible on the next tool call",),
            "An edit is seen by the call after it.",
            _EDITED,
            differs=_NO_INDEX,
        ),
        Promise(
            "NAV-015",
            ("kb_find is a plain scan",),
            "A search costs what changed, also among many thousands of concepts.",
            at(
                "core/bundle/test_one_look.py",
                "test_an_edit_takes_one_look_at_the_store_and_none_at_the_notes_of_the_catalog",
            ),
            differs=_NO_INDEX,
        ),
        Promise(
            "NAV-016",
            ("mount several bundles in one",),
            "Several bundles serve one agent.",
            (
                *at("langchain/test_tools.py", "test_a_prefix_tells_two_bundles_apart"),
                *at("mcp/test_server.py", "test_several_bundles_share_a_server_by_their_prefixes"),
            ),
        ),
    ),
    "What we learned building this in Astromesh": (
        Promise(
            "NAV-017",
            ("annotated, never used to hide",),
            "Trust and age are shown and hide nothing.",
            at(_FIND, "test_filters_by_folder_status_trust_and_staleness"),
        ),
        Promise(
            "NAV-018",
            ("human-readable warnings",),
            "A doubtful concept is read with sentences that say why.",
            at(_READ, "test_signals_are_warnings_that_say_what_to_do"),
        ),
        Promise(
            "NAV-019",
            ("kb_find skips deprecated concepts", "include_deprecated"),
            "Search alone leaves out what was retired, and takes a switch to show it.",
            at(_FIND, "test_the_best_comes_first_and_deprecated_ones_are_left_out_and_counted"),
        ),
        Promise(
            "NAV-020",
            ("Links come back already resolved",),
            "Links of a concept are ids that can be read as they stand.",
            at(
                _READ,
                "test_links_of_every_kind_come_back_as_what_can_be_opened",
                "test_every_id_that_is_printed_opens_what_it_names",
            ),
            differs="links inside code count, `%20` and reference-style do not",
        ),
        Promise(
            "NAV-021",
            ("marks external URLs, flags directories",),
            "Addresses, folders and what is missing are told apart.",
            at(_READ, "test_links_of_every_kind_come_back_as_what_can_be_opened"),
        ),
        Promise(
            "NAV-022",
            ("drops links that point outside",),
            "A link out of the bundle is left out, and named in a warning.",
            at(_READ, "test_links_of_every_kind_come_back_as_what_can_be_opened"),
            differs="links that leave the bundle vanish",
        ),
        Promise(
            "NAV-023",
            ("root index belongs in the system", "prompt prefix stable"),
            "The top of a bundle reads the same each time, so that prompts can be cached.",
            at(_SHAPES, "test_the_top_of_a_bundle_is_the_same_text_each_time"),
        ),
        Promise(
            "NAV-024",
            ("Tools never raise",),
            "Whatever is sent, a tool answers.",
            (
                *at(_NAVIGATE, "test_no_argument_raises_and_equal_calls_give_equal_answers"),
                *at(
                    f"{_TOOLS}/test_never_raises.py",
                    "test_whatever_is_sent_there_is_an_answer_within_the_budget",
                ),
            ),
        ),
        Promise(
            "NAV-025",
            ("JSON message the model can", "did you mean"),
            "A mistake is answered in JSON, and a missing concept with those that are near.",
            (
                *at(_NAVIGATE, "test_errors_are_one_sentence_in_json"),
                *at(_READ, "test_a_missing_concept_is_answered_with_the_nearest"),
            ),
            differs="the wording of messages and docstrings",
        ),
        Promise(
            "NAV-026",
            ("Models invent arguments", 'limit="2"'),
            "Numbers as text, a word for a list, and null are read as what they mean.",
            at(_NAVIGATE, "test_what_models_really_send_is_understood"),
        ),
        Promise(
            "NAV-027",
            ("with a default when they",),
            "What is no number falls back, and the answer says so.",
            at(_NAVIGATE, "test_an_argument_that_cannot_be_read_falls_back_with_a_note"),
        ),
        Promise(
            "NAV-028",
            ("any other string means false",),
            "Words for true and false are read, and others fall back with a note.",
            at(_SHAPES, "test_a_switch_that_cannot_be_read_is_off_and_that_is_said"),
            differs='`include_deprecated="anything"` means false',
        ),
        Promise(
            "NAV-029",
            ("null means the default",),
            "Null is the default in silence.",
            at(f"{_TOOLS}/test_coercion.py", "test_null_is_the_default_without_a_note"),
        ),
        Promise(
            "NAV-030",
            ("validate arguments against the schema", "PydanticAI and MCP"),
            "No framework stands between what a model sent and what reads it.",
            at(
                "langchain/test_bad_arguments.py",
                "test_the_right_values_reach_the_function_or_the_model_is_told_what_is_wrong",
            ),
            differs="arguments that do not fit are rejected by some frameworks and coerced in others",
        ),
        Promise(
            "NAV-031",
            ("agent loop does not crash",),
            "No such call ends a run.",
            at("loops/test_scenarios.py", "test_no_scenario_ends_a_run_with_the_adapter"),
        ),
        Promise(
            "NAV-032",
            ("must resolve symlinks before checking", ".md is appended before resolving"),
            "Links are followed before it is checked where they lead, with the ending that is read.",
            (
                *at(_CONFINED, "test_links_out_of_the_root_are_refused_and_left_out_of_the_listing"),
                *at(
                    "field_cases/test_links_and_paths.py",
                    "test_links_that_lead_outside_are_refused_in_every_tool_and_reported",
                ),
            ),
        ),
        Promise(
            "NAV-033",
            ("only two things make a", "missing type"),
            "A concept is invalid for unreadable front matter or for want of a type, and for nothing else.",
            (
                *at(
                    _DOCUMENT,
                    "test_the_rule_for_types",
                    "test_broken_frontmatter_is_no_concept_and_stays_out_of_the_body",
                ),
                *at(
                    "core/bundle/test_rules.py",
                    "test_conformance_is_the_matter_of_the_first_three_hundreds_alone",
                ),
                *at("core/okf/test_yaml.py", "test_aliases_are_followed"),
            ),
            differs="an anchor or alias in YAML makes a concept invalid",
        ),
        Promise(
            "NAV-034",
            ("Unknown fields go to extra",),
            "Fields that the format does not know are kept and shown.",
            at(_SHAPES, "test_a_concept_is_read_in_the_shape_that_is_known"),
        ),
        Promise(
            "NAV-035",
            ("unreadable stale_after is ignored",),
            "An expiry that cannot be read does not spoil a concept, and is told.",
            at("core/okf/test_trust.py", "test_an_expiry_that_cannot_be_read_is_no_freshness"),
            differs="an unreadable `stale_after` is a line in the log",
        ),
        Promise(
            "NAV-036",
            ("v0.1 bundles read too",),
            "Bundles of version 0.1 are read.",
            at(_SHAPES, "test_a_bundle_of_the_first_version_is_read"),
        ),
        Promise(
            "NAV-037",
            ("skip invalid concepts and count", "skipped_invalid"),
            "Invalid concepts are left out and counted.",
            at(_FRESH, "test_a_concept_that_breaks_is_counted_and_one_that_is_mended_comes_back"),
        ),
        Promise(
            "NAV-038",
            ("four sample bundles (acme_retail 9", "crypto_bitcoin 9", "zero concepts skipped"),
            "The sample bundles of the format's makers are read to the last concept.",
            at(
                "core/bundle/test_corpus.py",
                "test_the_samples_of_the_format_itself_conform",
                "test_every_concept_link_and_entry_that_exists_can_be_opened",
            ),
        ),
        Promise(
            "NAV-039",
            ("typing.Optional",),
            "Signatures are written so that every framework can read them.",
            at(f"{_TOOLS}/test_functions.py", "test_a_guarded_function_shows_frameworks_what_they_read"),
        ),
        Promise(
            "NAV-040",
            ("Tools return strings because",),
            "A tool returns text.",
            at(_SHAPES, "test_the_tools_are_methods_and_functions_that_return_text"),
        ),
        Promise(
            "NAV-041",
            ("imports no framework at all",),
            "Importing the core loads no framework.",
            at("repo/test_lean_import.py", "test_no_third_party_module_is_loaded_by"),
        ),
    ),
}
