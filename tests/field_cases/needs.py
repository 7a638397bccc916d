"""Where each need of users is asserted, in the way of `rows.py`."""

from __future__ import annotations

from tests.field_cases.row import Row, at

_YAML = "core/okf/test_yaml.py"
_VALIDATION = "core/bundle/test_validation.py"
_RULES = "core/bundle/test_rules.py"
_INDEX_LOG = "core/okf/test_index_log.py"
_INDEX = "core/bundle/test_index.py"
_CLI = "core/cli/test_validate.py"
_DOCUMENT = "core/okf/test_document.py"
_PATHS = "core/okf/test_paths.py"
_SCAN = "core/markdown/test_scan.py"
_READ = "core/bundle/test_read.py"

NEEDS: dict[int, Row] = {
    1: Row(at(_YAML, "test_yaml_faults_name_place_and_field", "test_an_unquoted_colon_is_read_and_reported")),
    2: Row(
        (
            *at(_VALIDATION, "test_lint_alone_does_not_make_a_bundle_fail"),
            *at(_RULES, "test_conformance_is_the_matter_of_the_first_three_hundreds_alone"),
            *at(
                "core/bundle/test_corpus.py",
                "test_the_fixtures_of_another_reader_get_the_verdicts_that_it_expects",
            ),
        )
    ),
    3: Row(at(_VALIDATION, "test_the_text_that_was_applied_is_told_by_declaration_then_dates")),
    4: Row(
        at("core/okf/test_trust.py", "test_staleness_starts_with_the_instant_itself"),
        "Nothing appends a verification yet.",
    ),
    5: Row(
        at(
            _INDEX_LOG,
            "test_index_frontmatter_is_judged_and_never_in_the_body",
            "test_log_frontmatter_is_a_note_and_no_part_of_the_body",
        )
    ),
    6: Row(left_open="There is no list of files to ignore yet: such guides are named and break conformance."),
    7: Row(at(_INDEX, "test_hidden_files_are_left_out")),
    8: Row(
        at(
            _CLI,
            "test_sarif_names_rules_and_places_from_the_current_folder",
            "test_the_hook_runs_this_command_on_the_bundle_that_it_is_given",
            "test_json_counts_everything_and_lists_what_was_asked_for",
        )
    ),
    9: Row(at(_DOCUMENT, "test_bad_bytes_in_the_body_do_not_hide_the_concept")),
    10: Row(at(_PATHS, "test_a_path_has_its_readings_in_order"), "No tool rewrites links yet."),
    11: Row(at(_INDEX, "test_names_that_need_encoding_come_back_as_ids")),
    12: Row(
        at(_SCAN, "test_wiki_links_take_only_brackets_that_no_markdown_link_uses"),
        "Wiki links are reported, and followed in an index.md alone; nothing converts them.",
    ),
    13: Row(at(_READ, "test_path_fields_are_tried_from_the_file_then_from_the_root")),
    17: Row(at(_READ, "test_a_concept_and_a_folder_of_one_name_are_told_apart")),
    19: Row(left_open="Nothing tells a translation from its original."),
}
