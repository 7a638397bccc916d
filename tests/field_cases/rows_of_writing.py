"""The field cases of writing, of S3 and of archives."""

from __future__ import annotations

from tests.field_cases.row import Row, at

_DOCUMENT = "core/okf/test_document.py"
_WRITER = "core/bundle/test_writer.py"
_WRITES = "core/knowledge/test_okf_writing.py"
_FOLDERS = "core/stores/test_local_writing.py"
_ARCHIVES = "core/stores/test_hostile_archives.py"

WRITING: dict[int, Row] = {
    14: Row(
        (
            *at(_WRITER, "test_what_is_no_concept_is_refused_and_stays"),
            *at(_WRITER, "test_a_text_may_bring_its_own_frontmatter_and_gets_no_second_one"),
        )
    ),
    15: Row(
        (
            *at(_DOCUMENT, "test_dates_and_switches_stay_text_in_extra_at_every_depth"),
            *at(_WRITES, "test_a_fetched_record_that_is_written_back_changes_no_byte"),
            *at(_WRITER, "test_one_field_changes_one_line"),
        )
    ),
    32: Row(
        (
            *at(_FOLDERS, "test_nothing_is_written_outside"),
            *at(_FOLDERS, "test_nothing_outside_is_made_through_a_link_to_a_file_that_is_not_there"),
            *at(_WRITER, "test_a_prefix_that_leads_out_of_the_bundle_is_not_written_through"),
        )
    ),
    36: Row(
        (
            *at(
                "durability/test_killed.py",
                "test_a_catalog_whose_writer_is_killed_holds_all_that_was_acknowledged",
                "test_a_bundle_whose_reader_is_killed_answers_like_one_that_keeps_no_index",
            ),
            *at(
                "durability/test_power_cut.py",
                "test_a_catalog_holds_a_state_that_was_committed_whatever_a_power_cut_has_left",
            ),
            *at(
                "durability/test_documents_killed.py",
                "test_every_document_is_whole_and_every_acknowledged_one_is_there",
            ),
            *at(
                "durability/test_documents_cut.py",
                "test_no_acknowledged_write_is_lost_and_none_is_torn_at_any_call",
            ),
        ),
    ),
    37: Row(
        at(
            _FOLDERS,
            "test_a_file_that_is_replaced_keeps_its_mode",
            "test_a_link_is_written_through_and_stays_a_link",
        )
    ),
    38: Row(
        (
            *at(
                "durability/test_crowd_of_writers.py",
                "test_notes_of_one_title_additions_and_entries_in_a_log_all_survive",
            ),
            *at(_WRITER, "test_a_stale_revision_is_refused_with_the_current_one"),
        )
    ),
    44: Row(
        at(
            "s3/test_faults.py",
            "test_an_object_is_read_whole_or_not_at_all",
            "test_an_object_that_is_cut_off_once_and_then_replaced_is_read_as_it_is_now",
        )
    ),
    45: Row(
        (
            *at("s3/test_faults.py", "test_an_object_that_vanished_since_it_was_listed_is_not_found"),
            *at("s3/test_listing.py", "test_whatever_came_and_went_since_is_seen"),
        )
    ),
    46: Row(at("s3/test_keys.py", "test_sibling_prefixes_and_folder_markers_are_not_seen")),
    48: Row(
        at(
            "s3/test_faults.py",
            "test_a_listing_that_fails_is_an_error_in_time_and_works_again_afterwards",
            "test_a_listing_of_which_the_second_page_fails_is_no_shorter_listing",
            "test_a_bundle_keeps_what_it_last_knew_and_tells_of_the_trouble",
        )
    ),
    104: Row(
        at(
            _ARCHIVES,
            "test_links_and_odd_names_are_left_out_each_with_its_diagnostic",
            "test_an_archive_that_is_not_to_be_trusted_is_refused_as_a_whole",
            "test_a_million_entries_are_refused_before_they_are_kept",
            "test_a_bomb_is_ended_before_it_unfolds",
        )
    ),
}
