"""Where each field case is asserted: tests elsewhere in the tree, and what is left open and why.

The tests of this folder say by their docstrings which row they belong to ("Row 22.", "Need 6."). A row counts
only with all inputs that it names; what a row asks of parts that do not exist yet is left open in a sentence.
"""

from __future__ import annotations

from tests.field_cases.row import Row, at
from tests.field_cases.rows_of_writing import WRITING

_YAML = "core/okf/test_yaml.py"
_FRONT = "core/okf/test_frontmatter.py"
_DOCUMENT = "core/okf/test_document.py"
_INDEX_LOG = "core/okf/test_index_log.py"
_PATHS = "core/okf/test_paths.py"
_SCAN = "core/markdown/test_scan.py"
_READ = "core/bundle/test_read.py"
_INDEX = "core/bundle/test_index.py"
_NAVIGATE = "core/test_navigate.py"
_FIND = "core/bundle/test_find.py"
_FRESH = "core/bundle/test_freshness.py"
_VALIDATION = "core/bundle/test_validation.py"
_RULES = "core/bundle/test_rules.py"
_CONFINED = "core/stores/test_confinement.py"
_CLI = "core/cli/test_validate.py"
_TOOLS = "core/tools"
_STDIO = "mcp/test_stdio.py"
_MCP = "mcp/test_server.py"
_BAD = "langchain/test_bad_arguments.py"
_CHAIN = "langchain/test_tools.py"
_OKF = "core/knowledge/test_okf_manager.py"
_BUILDER = "core/knowledge/test_builder.py"
_SCENARIOS = "loops/test_scenarios.py"


FIELD_CASES: dict[int, Row] = {
    1: Row(
        (
            *at(_FRONT, "test_one_byte_order_mark_is_stripped_and_reported"),
            *at(_INDEX_LOG, "test_the_root_index_may_declare_its_version"),
            *at("core/okf/test_any_bytes.py", "test_line_endings_and_a_byte_order_mark_change_nothing"),
        ),
        "There is no CSV catalog yet.",
    ),
    2: Row(
        (
            *at(_YAML, "test_plain_scalars_stay_what_was_typed", "test_keys_stay_what_was_typed"),
            *at(_DOCUMENT, "test_dates_and_switches_stay_text_in_extra_at_every_depth"),
            *at(f"{_TOOLS}/test_plain.py", "test_every_value_has_a_plain_form"),
        ),
        "There is no REST interface yet.",
    ),
    4: Row((*at(_FIND, "test_filters"), *at(_DOCUMENT, "test_the_rule_for_tags"))),
    6: Row(at(_YAML, "test_the_last_of_two_equal_keys_counts_and_both_lines_are_named")),
    7: Row(
        at(_DOCUMENT, "test_the_rule_for_types", "test_any_text_is_a_type"),
        "There is no get_schemas yet, so no set of types is sorted.",
    ),
    8: Row(
        (
            *at(
                _YAML,
                "test_yaml_faults_name_place_and_field",
                "test_a_tab_after_a_colon_is_read_and_reported",
            ),
            *at(_INDEX, "test_entries_that_lead_to_nothing_or_to_no_concept_are_marked"),
            *at(_FRESH, "test_a_concept_that_breaks_is_counted_and_one_that_is_mended_comes_back"),
        ),
        "There is no get_all_kb_descriptions yet; the count is in kb_find and on the command line.",
    ),
    9: Row(at(_YAML, "test_an_unquoted_colon_is_read_and_reported")),
    10: Row(at(_YAML, "test_yaml_faults_name_place_and_field")),
    11: Row(
        at(
            _YAML,
            "test_billion_laughs_are_refused_at_once_and_in_little_memory",
            "test_a_cycle_is_refused",
            "test_a_long_text_repeated_by_aliases_is_refused",
        )
    ),
    13: Row(
        at(
            _FRONT,
            "test_block_and_body_are_cut_exactly_with_every_line_ending",
            "test_a_horizontal_rule_at_the_start_is_named",
            "test_prose_between_two_rules_stays_in_the_body",
            "test_dots_end_the_block_and_are_reported",
            "test_blanks_after_the_fences_are_tolerated_and_reported",
        )
    ),
    16: Row(
        (
            *at(_INDEX_LOG, "test_index_frontmatter_is_judged_and_never_in_the_body"),
            *at(_INDEX, "test_broken_frontmatter_of_an_index_does_not_leak"),
        )
    ),
    17: Row(
        at(_INDEX, "test_a_folder_with_only_an_index_is_a_folder"),
        "There is no get_schemas yet to agree with the index.",
    ),
    19: Row(
        (
            *at(_CLI, "test_a_folder_without_concepts_fails"),
            *at(
                "core/stores/test_local_reading.py",
                "test_a_missing_folder_is_named_absolutely_with_a_similar_sibling",
            ),
        )
    ),
    22: Row(
        (
            *at("core/okf/test_trust.py", "test_staleness_starts_with_the_instant_itself"),
            *at("core/okf/test_trust.py", "test_the_time_zone_of_the_clock_does_not_matter"),
            *at("core/okf/test_trust.py", "test_an_expiry_that_cannot_be_read_is_no_freshness"),
            *at(_INDEX, "test_an_expiry_that_nobody_can_read_is_a_signal_everywhere"),
            *at(_DOCUMENT, "test_the_rule_for_stale_after"),
            *at(_CLI, "test_staleness_is_judged_at_the_date_given"),
        )
    ),
    23: Row(at(_SCAN, "test_code_holds_no_links", "test_autolinks_and_raw_html")),
    24: Row(at(_SCAN, "test_wiki_links_take_only_brackets_that_no_markdown_link_uses")),
    26: Row(
        at(
            _PATHS,
            "test_another_address_is_external",
            "test_a_scheme_that_can_run_or_read_something_is_unsafe_in_every_disguise",
        ),
        "There is no web page yet on which a link could be clicked.",
    ),
    27: Row(
        (
            *at(_READ, "test_a_composed_and_a_decomposed_name_are_one_concept"),
            *at(_PATHS, "test_names_compare_equal_in_either_unicode_form"),
        )
    ),
    28: Row(
        (
            *at(_READ, "test_two_names_that_differ_in_letter_case_are_two_concepts"),
            *at(_VALIDATION, "test_a_clash_with_a_folder_is_named_once_for_all_that_lies_in_it"),
        )
    ),
    30: Row(
        at(
            _CONFINED,
            "test_links_out_of_the_root_are_refused_and_left_out_of_the_listing",
            "test_absolute_links_out_of_the_root_are_refused",
            "test_a_link_that_is_swapped_in_during_reads_never_leaks",
        )
    ),
    31: Row(
        (
            *at(_CONFINED, "test_dots_are_refused", "test_absolute_paths_are_refused_even_within_the_root"),
            *at(
                _PATHS,
                "test_a_sibling_folder_with_the_same_prefix_is_outside",
                "test_a_path_that_leaves_the_root_in_any_reading_is_none_of_the_bundle",
                "test_no_target_whatsoever_resolves_above_the_root",
            ),
            *at(_READ, "test_what_cannot_be_read_is_refused_with_its_reason"),
            *at("core/stores/test_contract.py", "test_a_malformed_path_is_refused_by_every_operation"),
        )
    ),
    35: Row(
        (
            *at(_CONFINED, "test_answers_are_from_a_committed_state_while_two_trees_are_swapped"),
            *at(
                _FRESH,
                "test_readers_see_only_states_that_existed_while_the_tree_is_swapped",
                "test_a_file_that_is_away_while_it_is_read_comes_back",
                "test_what_was_read_before_a_change_is_not_kept_after_it",
            ),
        )
    ),
    41: Row(),
    42: Row(
        (
            *at(_FRESH, "test_a_failing_store_keeps_the_last_good_state_and_says_so_until_mended"),
            *at("s3/test_faults.py", "test_a_bundle_keeps_what_it_last_knew_and_tells_of_the_trouble"),
            *at(_OKF, "test_a_store_that_fails_is_told_at_once_and_later_with_every_answer"),
        )
    ),
    43: Row(at("core/bundle/test_kept_index.py", "test_a_second_bundle_reads_nothing_that_has_not_changed")),
    58: Row(
        (
            *at(_BUILDER, "test_a_tool_is_there_where_something_can_serve_it"),
            *at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
        ),
        "Neo4j is not there yet; this is the builder.",
    ),
    61: Row(
        at("core/knowledge/test_failures.py", "test_no_more_is_taken_than_was_asked_for"),
        "Neo4j is not there yet; this is any backend that does not heed the limit.",
    ),
    70: Row(
        (
            *at(f"{_TOOLS}/test_functions.py", "test_a_guarded_function_shows_frameworks_what_they_read"),
            *at(f"{_TOOLS}/test_schema.py", "test_lambdas_partials_methods_and_objects_are_tools"),
            *at(_CHAIN, "test_the_model_is_shown_the_description_and_the_schema_of_the_core"),
            *at(_MCP, "test_the_three_tools_are_offered_as_the_core_describes_them"),
            *at(
                "loops/test_schemas.py",
                "test_what_the_model_is_shown_is_what_is_recorded",
                "test_what_is_recorded_has_the_names_descriptions_and_required_lists_of_the_core",
            ),
        ),
        "Each framework is run at its newest release and at its floor, not at those between.",
    ),
    71: Row(
        at(_CHAIN, "test_what_a_model_class_does_to_the_schema_stays_with_the_native_tool"),
        "Whether a model API takes a free-form object in strict mode is its own affair.",
    ),
    72: Row(
        (
            *at(f"{_TOOLS}/test_coercion.py", "test_null_is_the_default_without_a_note"),
            *at(_MCP, "test_arguments_arrive_as_sent_and_are_read_by_the_core"),
            *at(_BAD, "test_the_right_values_reach_the_function_or_the_model_is_told_what_is_wrong"),
        )
    ),
    73: Row(
        (
            *at(
                f"{_TOOLS}/test_answers.py",
                "test_any_other_error_is_logged_once_and_answered_with_its_reference",
            ),
            *at(f"{_TOOLS}/test_answers.py", "test_nothing_a_function_raises_comes_through"),
            *at(
                _FRESH,
                "test_a_foreign_error_about_one_file_costs_that_file_alone",
                "test_a_foreign_error_of_the_whole_store_keeps_the_last_good_state",
            ),
            *at(
                _NAVIGATE,
                "test_every_answer_from_an_old_state_says_so",
                "test_an_error_from_an_old_state_says_so_too",
            ),
            *at(_MCP, "test_a_tool_that_raises_answers_a_sentence_and_the_next_call_works"),
            *at(_CHAIN, "test_an_error_is_a_message_with_that_status_and_no_exception"),
            *at("core/knowledge/test_failures.py", "test_each_operation_may_fail"),
        ),
    ),
    74: Row(
        (
            *at(f"{_TOOLS}/test_arguments.py", "test_the_same_bad_call_gets_the_same_answer"),
            *at(
                _SCENARIOS, "test_a_scenario_with_the_adapter", "test_no_scenario_ends_a_run_with_the_adapter"
            ),
        )
    ),
    75: Row(
        (
            *at(
                f"{_TOOLS}/test_arguments.py",
                "test_what_is_no_json_object_is_named_with_the_shape_to_send",
                "test_nothing_sent_is_no_arguments",
            ),
            *at("langchain/test_middleware.py", "test_a_lost_call_is_asked_for_again_with_a_note"),
            *at(_SCENARIOS, "test_a_scenario_with_the_adapter"),
        ),
        "Over MCP the official server refuses such arguments itself, in words of its own.",
    ),
    77: Row(
        (
            *at(
                f"{_TOOLS}/test_async_calls.py",
                "test_a_hundred_parallel_calls_leave_the_loop_free",
                "test_a_coroutine_function_can_be_called_without_a_loop_and_within_one",
            ),
            *at(
                "langchain/test_many_calls.py",
                "test_ten_blocking_tools_run_at_the_same_time_and_leave_the_event_loop_free",
            ),
            *at("loops/test_event_loop.py", "test_ten_blocking_tools_leave_the_event_loop_free"),
        ),
        "FastAPI is not installed here; Starlette, on which it stands, takes its place.",
    ),
    78: Row(
        at(
            f"{_TOOLS}/test_naming.py",
            "test_any_other_is_refused_with_the_rule_and_a_name_that_would_do",
            "test_two_tools_of_one_name_are_refused_with_a_way_out",
        )
    ),
    79: Row(
        (
            *at(
                f"{_TOOLS}/test_budget.py",
                "test_without_declared_cuts_ten_thousand_hits_become_the_first_few",
                "test_one_cell_of_two_megabytes_does_not_cost_the_other_rows",
                "test_a_cut_never_falls_inside_a_character",
            ),
            *at(
                _NAVIGATE,
                "test_no_answer_is_longer_than_its_budget",
                "test_results_that_do_not_fit_are_got_with_an_offset",
                "test_the_pages_of_a_concept_hold_all_of_its_text_whatever_else_it_holds",
                "test_a_budget_that_holds_no_answer_is_refused_when_the_tools_are_made",
            ),
            *at(_FIND, "test_a_title_of_any_length_leaves_room_for_the_other_hits"),
        )
    ),
    80: Row(
        at(
            _FIND,
            "test_nothing_found_says_what_was_searched_what_that_shows_and_what_to_try",
            "test_silence_of_a_source_that_was_not_wholly_searched_proves_nothing",
            "test_an_unknown_type_or_tag_is_answered_with_those_there_are",
        )
    ),
    81: Row(
        at(
            "core/configuration/test_tools.py",
            "test_relative_paths_start_at_the_file_wherever_the_process_runs",
        )
    ),
    82: Row(at(_STDIO, "test_standard_output_holds_the_protocol_alone_whatever_prints")),
    83: Row(
        (
            *at(_STDIO, "test_the_bytes_are_the_same_in_every_locale"),
            *at("core/cli/test_output.py", "test_the_bytes_are_the_same_in_every_locale"),
            *at("core/stores/test_local_listing.py", "test_names_are_utf8_whatever_the_locale"),
        )
    ),
    84: Row(
        (
            *at(_MCP, "test_reading_tools_say_that_they_change_nothing_and_publish_no_output_schema"),
            *at(_MCP, "test_an_error_of_a_tool_is_marked_as_one", "test_the_text_is_sent_once"),
        ),
        "Nothing is written yet that could be reported as done.",
    ),
    86: Row(at("core/text/test_folding.py", "test_spellings_of_one_word_fold_alike_in_both_unicode_forms")),
    89: Row(),
    90: Row(at(_FIND, "test_what_the_field_asks_for_as_syntax_is_words")),
    101: Row(
        (
            *at(
                f"{_TOOLS}/test_framing.py",
                "test_a_body_that_closes_the_frame_gets_a_longer_one",
                "test_no_text_and_no_label_can_contain_the_delimiter",
            ),
            *at(_NAVIGATE, "test_an_index_is_framed_and_cannot_forge_its_frame"),
            *at(_INDEX, "test_titles_cannot_forge_an_entry"),
        )
    ),
    102: Row(
        (
            *at(_RULES, "test_a_broken_rule_is_reported_once_at_its_place"),
            *at(_VALIDATION, "test_hidden_text_in_the_frontmatter_is_found_too"),
            *at(_INDEX, "test_control_characters_of_an_own_index_are_left_out"),
        ),
        "kb_read and kb_find do not flag hidden text of the front matter or of a log, which validation "
        "names; nothing strips hidden text but control characters in listings; there is no web page.",
    ),
    103: Row(
        (
            *at("core/markdown/test_scan_linear.py", "test_hostile_text_is_scanned_in_linear_time"),
            *at(_YAML, "test_long_runs_do_not_blow_up"),
        )
    ),
    106: Row(left_open="There is no web page yet."),
    **WRITING,
}
