"""Seed 000, knowledge bases: a bundle of the Open Knowledge Format as a backend."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_SHAPES = "core/test_answer_shapes.py"
_FRONT = "field_cases/test_front_matter.py"
_REFRESH = "a refresh every 300 seconds"

BUNDLE: Section = (
    Promise(
        "KB-215",
        ("OKFManager(", 'name="",', "description=None"),
        "A bundle's backend gets a name and a description when it is made, or has its own.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_its_description_names_what_cannot_be_served",
            "test_it_is_a_view_of_one_bundle",
        ),
    ),
    Promise(
        "KB-066",
        ("refresh_seconds=300.0", "None disables automatic refresh"),
        "How old the picture of a store may be is a number of seconds, or never renewed by itself.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_a_dear_store_is_asked_once_in_a_while_and_on_reload",
            "test_an_edit_of_a_local_bundle_is_seen_by_the_next_call",
        ),
        differs=_REFRESH,
    ),
    Promise(
        "KB-067",
        ("max_concepts=10_000", "truncated at max_concepts"),
        "A cap on concepts can be set, and what it cut off is told.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_no_more_concepts_than_allowed_are_served_and_that_is_told",
        ),
        differs="the first 10,000 concepts, the first 128 words of a text",
    ),
    Promise(
        "KB-068",
        ("write_actor=None", "generated.by on write"),
        "Who writes is stamped into what was written.",
        tests=at(
            "core/knowledge/test_okf_writing.py",
            "test_a_record_without_an_id_is_titled_placed_and_signed",
            "test_an_actor_that_is_set_signs_for_all",
        ),
    ),
    Promise(
        "KB-069",
        ("targeting OKF version 0.2",),
        "Bundles of version 0.2 are read as the specification says.",
        (
            *at("core/okf/test_document.py", "test_a_full_concept_is_read_without_findings"),
            *at("core/bundle/test_corpus.py", "test_the_samples_of_the_format_itself_conform"),
        ),
    ),
    Promise(
        "KB-070",
        ("index.md and log.md are reserved",),
        "At every level the index and the log are no concepts.",
        at(_SHAPES, "test_an_index_and_a_log_are_no_concepts_at_any_level"),
    ),
    Promise(
        "KB-071",
        ("returning that file verbatim",),
        "A folder with an index of its own is browsed through it, in the words of its author.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_an_own_index_is_browsed_as_it_was_written_and_what_it_lacks_follows",
            "test_folders_are_paged_and_so_are_long_indexes",
        ),
        differs="`kb_index` gives an index.md word for word",
    ),
    Promise(
        "KB-072",
        ("derived from the filesystem",),
        "A folder without one gets a listing that is made for it.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_a_folder_without_an_index_lists_folders_and_concepts_with_their_signals",
        ),
    ),
    Promise(
        "KB-073",
        ("answers get_schemas() from the bundle itself",),
        "The schema tells version, counts, types, folders, reserved files and diagnostics of the bundle.",
        tests=at(
            "core/knowledge/test_okf_manager.py", "test_it_declares_what_it_can_do_and_describes_itself"
        ),
    ),
    Promise(
        "KB-074",
        ("Tolerance is a specification requirement",),
        "One broken document never keeps a bundle from loading.",
        at(_FRONT, "test_four_broken_files_cost_the_hundred_good_ones_nothing"),
    ),
    Promise(
        "KB-075",
        ("surfaced through get_all_kb_descriptions()",),
        "How much was found wrong stands in the description that agents read.",
        tests=at("core/knowledge/test_okf_manager.py", "test_its_description_names_what_cannot_be_served"),
    ),
    Promise(
        "KB-076",
        ('metadata["trust"]', "derived from the document's verified"),
        "Each record says how far it was checked, in three degrees.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_a_search_shows_every_signal_and_puts_what_is_deprecated_last",
        ),
    ),
    Promise(
        "KB-077",
        ("unverified, machine-confirmed or human-reviewed",),
        "The degree follows from who verified the document.",
        at("core/okf/test_trust.py", "test_the_tier_follows_the_actors"),
    ),
    Promise(
        "KB-078",
        ('metadata["stale"] (derived from stale_after)',),
        "Each record says whether its date of expiry has passed.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_a_search_shows_every_signal_and_puts_what_is_deprecated_last",
        ),
    ),
    Promise(
        "KB-079",
        ("nothing is ever filtered on either",),
        "Neither trust nor age hides a concept.",
        at("core/bundle/test_find.py", "test_filters_by_folder_status_trust_and_staleness"),
    ),
    Promise(
        "KB-080",
        ("Only fetch reads a full document",),
        "Search and listing answer without reading a document again, and fetching gives all of it.",
        tests=at("core/knowledge/test_okf_manager.py", "test_only_fetching_reads_bodies"),
    ),
    Promise(
        "KB-081",
        ("bounded token index",),
        "Words far into a text are found like the first ones.",
        at(_SHAPES, "test_a_word_far_into_a_text_is_found"),
        differs="the first 10,000 concepts, the first 128 words of a text",
    ),
    Promise(
        "KB-082",
        ("fails at construction rather than inside",),
        "A store that is not there is an error when the backend is made.",
        tests=at(
            "core/knowledge/test_okf_manager.py",
            "test_a_bundle_that_is_not_there_is_told_at_once",
            "test_a_store_that_fails_is_told_at_once_and_later_with_every_answer",
        ),
    ),
    Promise(
        "KB-083",
        ("every operation is one clock comparison",),
        "A call that finds nothing changed costs next to nothing.",
        at(
            "core/stores/test_watching.py",
            "test_nothing_changed_is_the_same_cursor_without_a_look_at_any_file",
        ),
        differs=_REFRESH,
    ),
    Promise(
        "KB-084",
        ("10,000 ranged GETs every five minutes",),
        "Looking for changes on S3 costs a listing, and reads only what changed.",
        tests=at(
            "s3/test_bundles.py",
            "test_an_unchanged_prefix_of_10000_objects_is_refreshed_in_11_requests",
            "test_one_edit_costs_one_read_more",
        ),
    ),
    Promise(
        "KB-085",
        ("call reload() when it changes",),
        "A bundle can be told to look again.",
        tests=at(
            "core/knowledge/test_okf_manager.py", "test_a_dear_store_is_asked_once_in_a_while_and_on_reload"
        ),
    ),
    Promise(
        "KB-086",
        ("Writes are write-through", "under write_prefix (generated/ by default)"),
        "What is written is an ordinary document in a folder for such documents.",
        tests=at(
            "core/knowledge/test_okf_writing.py",
            "test_a_record_without_an_id_is_titled_placed_and_signed",
            "test_only_the_prefix_is_written_unless_more_is_named",
        ),
    ),
    Promise(
        "KB-087",
        ("generated: block naming the write actor",),
        "It says that it was generated, and by whom.",
        tests=at(
            "core/knowledge/test_okf_writing.py",
            "test_a_record_without_an_id_is_titled_placed_and_signed",
            "test_a_producer_adds_and_signs_with_its_name",
        ),
    ),
    Promise(
        "KB-088",
        ("on the very next call",),
        "It is found by the next call of any tool.",
        tests=at("core/knowledge/test_okf_writing.py", "test_it_is_in_the_very_next_answer_of_each_tool"),
    ),
    Promise(
        "KB-089",
        ('naming no metadata["id"]', "path is slugged from that title"),
        "A text without an id is titled by its first line, and its path is made of the title.",
        tests=at(
            "core/bundle/test_writer.py",
            "test_a_concept_is_titled_by_its_text_placed_by_its_title_and_stamped",
        ),
    ),
    Promise(
        "KB-090",
        ("an untitled concept would render",),
        "So listings of what agents wrote say what each is about.",
        tests=at("core/knowledge/test_okf_writing.py", "test_a_listing_says_what_each_is_about"),
    ),
    Promise(
        "KB-091",
        ("gains no frontmatter its curator",),
        "A record with an id is stored as it was given, without added fields.",
        tests=at(
            "core/knowledge/test_okf_writing.py",
            "test_a_record_with_an_id_is_stored_as_it_is_given",
            "test_a_fetched_record_that_is_written_back_changes_no_byte",
        ),
    ),
    Promise(
        "KB-092",
        ("runnable end-to-end example, with a checked-in",),
        "An example over a bundle in the repository runs from end to end.",
        at("docs/test_examples.py", "test_an_example_runs"),
    ),
)
