"""Seed 001, the guide for authors of backends."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_BASE = "core/knowledge/test_base.py"
_CONTRACT = at(
    "contracts/test_broken.py",
    "test_a_fault_is_found_in_its_place_and_nowhere_else",
    "test_every_broken_one_is_in_the_table",
)
_KNOWN = "core/knowledge/test_known_signatures.py"
_BUILDER = "core/knowledge/test_builder.py"
_DOCUMENTS = "core/knowledge/test_documents.py"
_CONFINED = "core/stores/test_confinement.py"
_REGISTRY = "core/stores/test_registry.py"

_PACKAGES = "`S3DocumentStore` at the root, managers as modules of the one package"
_UNDECLARED = at(_BASE, "test_what_is_not_declared_is_an_error_of_its_own")
_REFUSED = at(_BASE, "test_a_declaration_that_makes_no_sense_is_refused_by_name")
_OFFERED = at(_BUILDER, "test_a_tool_is_there_where_something_can_serve_it")
_STRANGER = at(_KNOWN, "test_the_backend_of_a_stranger_is_searched_and_written")

SECTIONS: dict[str, Section] = {
    "Adding a New Knowledge Base Integration": (
        Promise(
            "DEV-001",
            ("ChromaManager", "Neo4jManager", "StarburstManager"),
            "Chroma, Neo4j and Trino need no backend of one's own.",
            later="engines",
        ),
        Promise(
            "DEV-002",
            ("OKFManager",),
            "Neither do bundles of Markdown.",
            tests=at(
                "core/knowledge/test_okf_manager.py", "test_it_declares_what_it_can_do_and_describes_itself"
            ),
        ),
        Promise(
            "DEV-003",
            ("compose a DocumentStore instead",),
            "Documents at paths are a matter of a store below a ready class.",
            at(_DOCUMENTS, "test_what_is_not_there_is_no_error_and_is_logged"),
        ),
    ),
    "2. Subclass KnowledgeBase": (
        Promise(
            "DEV-004",
            ("class MyBackendManager(KnowledgeBase):", "capabilities=KnowledgeCapabilities("),
            "A backend is a subclass.",
            _STRANGER,
        ),
        Promise(
            "DEV-005",
            ("takes no zero-argument form",),
            "The base class is not made without a declaration.",
            at(_KNOWN, "test_the_constructor_wants_a_declaration_and_may_have_a_name"),
        ),
        Promise(
            "DEV-006",
            ("rejected declaration names your backend",),
            "A refused declaration names the backend, or its class where it has no name yet.",
            (*_REFUSED, *at(_BASE, "test_the_class_names_a_knowledge_base_that_has_no_name_yet")),
        ),
        Promise(
            "DEV-007",
            ("description or", "def connect(self, **kwargs)"),
            "Connecting takes whatever keyword arguments a backend likes.",
            at(_KNOWN, "test_each_operation_takes_what_is_known_of_it_with_the_known_defaults"),
        ),
    ),
    "2a. Declare the Right Capability Set": (
        Promise(
            "DEV-008",
            ("backend_name, connect and get_description",),
            "Three members are abstract, and no operation is.",
            at(_BASE, "test_three_members_are_abstract"),
        ),
        Promise(
            "DEV-009",
            ("kinds is an open taxonomy", "search_mode", "it does not imply search"),
            "Kinds and mode describe; neither one needs or brings a search.",
            (*_REFUSED, *at(_KNOWN, "test_a_search_needs_no_mode_and_a_mode_no_search")),
        ),
        Promise("DEV-010", ("At least one of search",), "Something has to be declared.", _REFUSED),
        Promise(
            "DEV-011",
            ("query_language", "query=True"),
            "A query has a language, and a language has a query.",
            _REFUSED,
        ),
        Promise(
            "DEV-012",
            ("KnowledgeBase.validate_capabilities(capabilities, subject)",),
            "A declaration can be checked before there is a backend.",
            (*_REFUSED, *at(_BASE, "test_any_one_operation_is_enough")),
        ),
        Promise(
            "DEV-013",
            ("how the contract suite exercises it",),
            "The contract suite checks a backend's declaration.",
            _CONTRACT,
        ),
        Promise(
            "DEV-014",
            ("Never implement read()", "read_kb"),
            "What is called read is no part of the interface and not called.",
            at(_KNOWN, "test_a_method_called_read_is_no_part_of_it_and_never_called"),
        ),
        Promise(
            "DEV-015",
            ("search_kb's gate",),
            "Any backend that can be searched brings the tool for it.",
            _OFFERED,
        ),
        Promise(
            "DEV-016",
            ("derives_schema=True", "_derived_schema()"),
            "A backend that describes itself declares so and returns something.",
            at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
        ),
        Promise(
            "DEV-017",
            ("the contract suite fails a backend",),
            "Saying the one without doing the other fails the contract suite.",
            _CONTRACT,
        ),
        Promise(
            "DEV-018",
            ("schema() writes capabilities last", "the declaration through add_schema()"),
            "Nothing that is added to a schema changes what it says of the declaration.",
            at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
        ),
    ),
    "3. Respect the Record Contract": (
        Promise(
            "DEV-019",
            ('{"text": str, "metadata": dict}',),
            "Every operation gives and takes the same shape.",
            (
                *at(_KNOWN, "test_records_are_any_mappings_and_nothing_is_checked"),
                *at(
                    _BUILDER,
                    "test_writing_names_what_was_stored_and_keeps_the_source",
                    "test_ids_are_fetched_as_they_are_printed",
                ),
            ),
        ),
        Promise(
            "DEV-020",
            ("write(records=[...])",),
            "Writing takes its records by that name.",
            at(_KNOWN, "test_each_operation_takes_what_is_known_of_it_with_the_known_defaults"),
        ),
        Promise(
            "DEV-021",
            ("normalize inside search()", "fetch() / browse()", "rows compatible with KnowledgeBuilder"),
            "What a provider answers is brought into shape within the backend.",
            later="engines",
        ),
        Promise(
            "DEV-022",
            ("TypedDicts", "KnowledgeRecord", "KnowledgeMetadata", "beyond the conventional set"),
            "The usual keys are named for people, and others are let through.",
            at(
                _KNOWN,
                "test_the_usual_keys_of_metadata_are_named",
                "test_records_are_any_mappings_and_nothing_is_checked",
            ),
        ),
        Promise(
            "DEV-023",
            ("comma-free id in every record's metadata", "format_results()", "fetch_kb splits its ids"),
            "Where there is fetching, a printed id is what fetching takes, cut at commas.",
            at(_BUILDER, "test_ids_are_fetched_as_they_are_printed"),
        ),
        Promise(
            "DEV-024",
            ("KnowledgeBaseContract asserts this",),
            "The contract suite looks for an id without a comma in each record.",
            _CONTRACT,
        ),
    ),
    "4. Define Backend Constraints Explicitly": (
        Promise(
            "DEV-025",
            ("read-only, say so in the declaration",),
            "A backend that only reads declares no writing and has nothing more to do.",
            at(_BUILDER, "test_nothing_is_written_where_there_is_nothing_or_no_writing"),
        ),
        Promise(
            "DEV-026",
            ('raises KnowledgeCapabilityError(backend_name, "write")',),
            "An undeclared write raises by itself, with a sentence that names backend and operation.",
            _UNDECLARED,
            differs="`KnowledgeCapabilityError(backend, operation)`",
        ),
        Promise(
            "DEV-027",
            ("gates write_kb before it ever",),
            "The tool refuses before the backend is asked.",
            at(_BUILDER, "test_nothing_is_written_where_there_is_nothing_or_no_writing"),
        ),
        Promise(
            "DEV-028",
            ("leave undeclared ones unimplemented",),
            "The same goes for all other operations.",
            (
                *_UNDECLARED,
                *at(_BUILDER, "test_what_a_knowledge_base_does_not_offer_is_refused_with_what_it_offers"),
            ),
        ),
        Promise(
            "DEV-029",
            ("KnowledgeError is the base",),
            "All errors on purpose have one ancestor.",
            at(_KNOWN, "test_every_error_is_of_one_tree"),
        ),
        Promise(
            "DEV-030",
            ("KnowledgeCapabilityError is an undeclared operation", "not a NotImplementedError"),
            "An undeclared operation is told apart from an unwritten one, and tools explain it.",
            (
                *_UNDECLARED,
                *at(_KNOWN, "test_a_declared_operation_that_is_not_there_is_answered_by_the_tool"),
            ),
        ),
        Promise(
            "DEV-031",
            ("KnowledgePathError is a path",),
            "A path out of a store has an error of its own.",
            at(_DOCUMENTS, "test_a_path_that_leaves_the_store_is_an_error"),
        ),
        Promise(
            "DEV-032",
            ("Finding nothing is not a failure",),
            "Nothing found is empty, and a broken document is left out with a diagnostic.",
            (
                *at(_KNOWN, "test_nothing_found_is_an_answer_and_no_error"),
                *at(
                    "field_cases/test_front_matter.py",
                    "test_four_broken_files_cost_the_hundred_good_ones_nothing",
                ),
            ),
        ),
    ),
    "4a. Document-Shaped Backends: Compose a DocumentStore": (
        Promise(
            "DEV-033",
            ("subclass DocumentKnowledgeBase rather than KnowledgeBase", "with no code change"),
            "One backend serves any store, since the store is handed to it.",
            at(
                _DOCUMENTS,
                "test_what_is_not_there_is_no_error_and_is_logged",
                "test_the_more_restrictive_side_wins",
            ),
        ),
        Promise(
            "DEV-034",
            ("OKFManager (okf/manager.py)",),
            "The backend for bundles is built that way.",
            tests=at("core/knowledge/test_okf_manager.py", "test_only_fetching_reads_bodies"),
        ),
        Promise(
            "DEV-035",
            ("Writability folds with and", "per instance, not per class"),
            "Writing needs both sides, for each instance by itself.",
            at(_DOCUMENTS, "test_the_more_restrictive_side_wins"),
        ),
        Promise(
            "DEV-036",
            ("_read_document(path) maps absence to None", "FileNotFoundError and other OSErrors"),
            "What is not there, a folder, or a failing disk is no document and a warning in the log.",
            at(
                _DOCUMENTS,
                "test_what_is_not_there_is_no_error_and_is_logged",
                "test_a_store_that_fails_gives_no_document",
            ),
        ),
        Promise(
            "DEV-037",
            ("KnowledgePathError deliberately propagates",),
            "A path that leaves the store is an error all the same.",
            at(_DOCUMENTS, "test_a_path_that_leaves_the_store_is_an_error"),
        ),
        Promise(
            "DEV-038",
            ("Containment is the store's obligation",),
            "Stores refuse what leaves them and leave it out of listings.",
            at(
                _CONFINED,
                "test_dots_are_refused",
                "test_absolute_paths_are_refused_even_within_the_root",
                "test_links_out_of_the_root_are_refused_and_left_out_of_the_listing",
            ),
        ),
        Promise(
            "DEV-039",
            ("DocumentStore.from_uri() accepts a bare path", "python:pkg.mod.ClassName"),
            "One text names a store of any kind, one's own class included.",
            tests=at(
                "core/stores/test_addresses.py",
                "test_both_ways_to_open_an_address_are_the_same",
                "test_a_class_of_somebodys_own_gets_its_arguments_as_texts",
            ),
        ),
        Promise(
            "DEV-040",
            ("Take a DocumentStore in your constructor",),
            "A store is handed in, not made within.",
            at(_DOCUMENTS, "test_the_more_restrictive_side_wins"),
        ),
    ),
    "5. Add Robust Connection Handling": (
        Promise(
            "DEV-041",
            ("Validate required configuration fields", "Fail fast with clear ValueError"),
            "A missing setting is a ValueError that names it, at once.",
            later="engines",
        ),
        Promise(
            "DEV-042",
            ("Add reconnection logic",),
            "A connection that went stale is made anew.",
            later="engines",
        ),
        Promise(
            "DEV-043",
            ("Implement close()",),
            "What a backend holds open is given back by closing it.",
            at(_BASE, "test_a_knowledge_base_is_closed_at_the_end_of_its_block"),
        ),
    ),
    "6. Add Optional Dependencies": (
        Promise(
            "DEV-044",
            ("narrow and provider-specific",),
            "Each provider has an extra of its own.",
            at("repo/test_packages.py", "test_every_package_but_the_core_is_an_extra_of_the_core"),
        ),
        Promise(
            "DEV-045",
            ("The OKF backend adds none", "pyyaml is a core dependency"),
            "Bundles need nothing but the core, which needs PyYAML.",
            at("repo/test_packages.py", "test_the_core_asks_for_yaml_alone"),
        ),
        Promise(
            "DEV-046",
            ("boto3 arrives through S3DocumentStore", "existing aws extra"),
            "The client for S3 comes with the store that uses it.",
            tests=at("core/stores/test_addresses.py", "test_a_scheme_of_an_extra_names_it"),
            differs=_PACKAGES,
        ),
        Promise(
            "DEV-047",
            ("_LAZY_EXPORTS", "pulls no optional dependency"),
            "Names of the root load nothing optional.",
            at("repo/test_lean_import.py", "test_importing_fingerpost_alone_loads_none_of_its_rooms"),
        ),
        Promise(
            "DEV-048",
            ("TYPE_CHECKING mirror entry",),
            "Type checkers see the lazy names as well.",
            at("repo/test_public_names.py", "test_type_checkers_are_shown_the_same_names"),
        ),
    ),
}

ASIDES: dict[str, tuple[str, ...]] = {
    "where files of another repository lie": (
        "ak-py/src/agentkernel/knowledgebase/",
        ".agents/skills/ak-dev-architecture/SKILL.md",
        "knowledgebase/base.py",
        "knowledgebase/model.py",
        "knowledgebase/errors.py",
        "knowledgebase/knowledgebuilder.py",
        "document.py and store/base.py",
        "okf/manager.py (the reference document",
        "<backend>.py",
        "Use lowercase file names",
        "Update ak-py/pyproject.toml",
    ),
    "what an author needs": ("Have provider credentials", "Understand existing knowledge base APIs", "APIs"),
    "leading over to what follows": (
        "This applies when you are",
        "Create a new file",
        "Implement a concrete class",
        "Rules KnowledgeBase.__init__ enforces",
        "Raise into the hierarchy",
        "What the base gives you",
        "Two cases the template",
    ),
    "names of a sample": ("MyDocBackend", "get", "strip", "super"),
}
