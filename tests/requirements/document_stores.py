"""Seed 000, knowledge bases: documents and the stores that they lie in."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_DOCUMENTS = "core/knowledge/test_documents.py"
_ADDRESSES = "core/stores/test_addresses.py"
_REGISTRY = "core/stores/test_registry.py"
_CONFINED = "core/stores/test_confinement.py"

TWO_AXES: Section = (
    Promise(
        "KB-048",
        ("two independent axes", "DocumentStore supplies bytes at paths"),
        "A store knows bytes at paths and nothing of what they mean.",
        at(
            "repo/test_arrows.py", "test_a_room_of_the_core_imports_only_lower_rooms_and_the_standard_library"
        ),
    ),
    Promise(
        "KB-049",
        ("LocalDocumentStore reads a directory",),
        "A folder is a store.",
        at("core/stores/test_contract.py", "test_changes_name_what_was_edited_added_and_removed"),
    ),
    Promise(
        "KB-050",
        ("S3DocumentStore reads a bucket prefix",),
        "Keys below a prefix are a store.",
        tests=at("s3/test_keys.py", "test_sibling_prefixes_and_folder_markers_are_not_seen"),
    ),
    Promise(
        "KB-051",
        ("Representation - a DocumentKnowledgeBase subclass",),
        "What the bytes mean is decided by a class over any store.",
        at(_DOCUMENTS, "test_what_is_not_there_is_no_error_and_is_logged"),
    ),
    Promise(
        "KB-052",
        ("OKFManager reads them as Open",),
        "One such class reads them as concepts of the format.",
        tests=at(
            "core/knowledge/test_okf_manager.py", "test_a_whole_concept_comes_with_its_links_and_revision"
        ),
    ),
    Promise(
        "KB-053",
        ("store swap, not a backend change",),
        "Moving from a folder to object storage changes the store alone.",
        tests=at("s3/test_bundles.py", "test_a_bundle_in_a_bucket_is_opened_by_its_address"),
    ),
)

STORES: Section = (
    Promise(
        "KB-054",
        ('writable=False), name="OKF"',),
        "A folder can be served for reading only although it could be written.",
        tests=at("core/stores/test_local_writing.py", "test_a_store_may_be_declared_to_be_read_only"),
    ),
    Promise(
        "KB-055",
        ("DocumentStore.from_uri() accepts four forms",),
        "One text of a configuration is enough to make any store, through the class of stores.",
        at(_ADDRESSES, "test_both_ways_to_open_an_address_are_the_same"),
    ),
    Promise(
        "KB-056",
        ("./bundle, /srv/kb",),
        "A plain path is a folder.",
        at(_REGISTRY, "test_a_plain_path_in_any_form_is_a_local_folder"),
    ),
    Promise(
        "KB-057",
        ("file:///srv/kb",),
        "A file address is a folder.",
        at(_REGISTRY, "test_a_plain_path_in_any_form_is_a_local_folder"),
    ),
    Promise(
        "KB-058",
        ("s3://bucket/prefix",),
        "An S3 address is a store over S3.",
        tests=at("s3/test_bundles.py", "test_a_bundle_in_a_bucket_is_opened_by_its_address"),
    ),
    Promise(
        "KB-059",
        ("python:mypkg.stores.GitStore", "python: discriminator is mandatory"),
        "A class of one's own is named with a scheme, since a dotted name alone is a path.",
        at(
            _ADDRESSES,
            "test_a_class_of_somebodys_own_gets_its_arguments_as_texts",
            "test_the_type_is_told_by_the_address",
        ),
    ),
    Promise(
        "KB-060",
        ("Any other scheme raises AKConfigError",),
        "An unknown scheme is an error of configuration that names the known ones.",
        at(_REGISTRY, "test_an_unknown_scheme_names_the_nearest_and_keeps_passwords_to_itself"),
        differs="`ConfigError` is called `AKConfigError`, binding is a builder class per framework",
    ),
    Promise(
        "KB-061",
        ("LocalDocumentStore(root, writable=None) probes",),
        "Whether a folder can be written is looked up there, unless it is said.",
        tests=at(
            "core/stores/test_local_writing.py",
            "test_a_folder_of_somebody_else_is_not_writable",
            "test_a_disk_that_is_mounted_read_only_is_found_out",
        ),
    ),
    Promise(
        "KB-062",
        ("S3DocumentStore(..., writable=True)", "probing a bucket"),
        "Whether a bucket can be written is declared, yes by default, and never tried out.",
        tests=at("s3/test_writing.py", "test_a_store_made_to_be_read_refuses_to_write"),
    ),
    Promise(
        "KB-063",
        ("more restrictive side always wins",),
        "A backend writes only where both it and its store do.",
        at(_DOCUMENTS, "test_the_more_restrictive_side_wins"),
    ),
    Promise(
        "KB-064",
        ("Path containment is the store's obligation",),
        "No path leaves a store, by dots, as an absolute one, or through links.",
        at(
            _CONFINED,
            "test_dots_are_refused",
            "test_absolute_paths_are_refused_even_within_the_root",
            "test_links_out_of_the_root_are_refused_and_left_out_of_the_listing",
        ),
    ),
    Promise(
        "KB-065",
        ("skipped during traversal", "a link inside a document"),
        "That holds for listings and for paths from models and documents alike.",
        (
            *at(_CONFINED, "test_links_out_of_the_root_are_refused_and_left_out_of_the_listing"),
            *at(
                "field_cases/test_links_and_paths.py",
                "test_links_that_lead_outside_are_refused_in_every_tool_and_reported",
            ),
        ),
    ),
)
