"""Seed 000, knowledge bases: the interface, what backends declare, schemas and errors."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_BASE = "core/knowledge/test_base.py"
_KNOWN = "core/knowledge/test_known_signatures.py"
_BUILDER = "core/knowledge/test_builder.py"
_DOCUMENTS = "core/knowledge/test_documents.py"
_LEAN = "repo/test_lean_import.py"

_PACKAGES = "`S3DocumentStore` at the root, managers as modules of the one package"
_DECLARED = at(_BASE, "test_what_is_not_declared_is_an_error_of_its_own")
_READ = at(_BUILDER, "test_reading_asks_with_a_statement_where_there_is_a_language_and_else_with_words")
_CALLED = at(_KNOWN, "test_each_operation_takes_what_is_known_of_it_with_the_known_defaults")

INTERFACE: Section = (
    Promise(
        "KB-002",
        ("ChromaManager", "semantic text recall"),
        "Texts in ChromaDB are recalled by meaning.",
        later="engines",
    ),
    Promise(
        "KB-003",
        ("Neo4jManager", "entities and relationships"),
        "A Neo4j graph is asked and fed through the same interface.",
        later="engines",
    ),
    Promise(
        "KB-004",
        ("StarburstManager", "MongoDB, Google Sheets, PostgreSQL", "operational details"),
        "Whatever Trino or Starburst Galaxy is connected to can be read with SQL, and its page says how.",
        later="engines",
    ),
    Promise(
        "KB-005",
        ("OKFManager", "no database and no service"),
        "A bundle of Markdown with front matter is a knowledge base by itself, without a server.",
        tests=at(
            "core/knowledge/test_okf_manager.py", "test_it_declares_what_it_can_do_and_describes_itself"
        ),
    ),
    Promise(
        "KB-006",
        ("local directory or an S3 prefix",),
        "That bundle may lie in a folder or below a prefix of an S3 bucket.",
        tests=at("s3/test_bundles.py", "test_a_bundle_in_a_bucket_is_opened_by_its_address"),
    ),
    Promise(
        "KB-007",
        ("Three members are abstract",),
        "A backend has to write three members, and no more.",
        at(_BASE, "test_three_members_are_abstract"),
    ),
    Promise(
        "KB-008",
        ("backend_name",),
        "Each backend has a name of its own, by which tools and schemas know it.",
        at(_BUILDER, "test_there_is_a_knowledge_base_and_no_two_share_a_name"),
    ),
    Promise(
        "KB-009",
        ("connect(**kwargs)",),
        "Connections are made in a method with free keyword arguments.",
        _CALLED,
    ),
    Promise(
        "KB-010",
        ("get_description()",),
        "A backend describes itself in words that help to choose it.",
        at(_KNOWN, "test_descriptions_are_told_for_each_backend_also_where_one_fails"),
    ),
    Promise(
        "KB-011",
        ("KnowledgeCapabilityError", "returning an empty result"),
        "What was not declared is an error of its own and never an empty answer.",
        _DECLARED,
    ),
    Promise(
        "KB-012",
        ("search", "relevance retrieval"),
        "A declared search finds by relevance, three at first.",
        (*_CALLED, *_READ),
    ),
    Promise(
        "KB-013",
        ("query + query_language", "query(statement, limit=3)"),
        "A declared query runs statements of its language.",
        (*_CALLED, *_READ),
    ),
    Promise(
        "KB-014",
        ("fetch", "retrieval by identity"),
        "A declared fetch returns records by their ids.",
        (*_CALLED, *at(_BUILDER, "test_ids_are_fetched_as_they_are_printed")),
    ),
    Promise(
        "KB-015",
        ("browse", 'browse(path="", limit=50)'),
        "A declared browse lists what lies below a path.",
        (*_CALLED, *at(_BUILDER, "test_browsing_lists_a_part_and_says_that_there_may_be_more")),
    ),
    Promise(
        "KB-016",
        ("writable", "write(records)"),
        "A declared write stores records.",
        (*_CALLED, *at(_BUILDER, "test_writing_names_what_was_stored_and_keeps_the_source")),
    ),
    Promise(
        "KB-017",
        ("There is no read()", "read_kb", "calls query() or search()"),
        "The interface has no method that routes; the one reading tool does so by the declaration.",
        (
            *at(_KNOWN, "test_a_method_called_read_is_no_part_of_it_and_never_called"),
            *at(_BUILDER, "test_reading_asks_with_a_statement_where_there_is_a_language_and_else_with_words"),
        ),
    ),
    Promise(
        "KB-018",
        ("The base also provides add_schema()", "format_results()", "close()"),
        "Schemas, the form of results and closing come with the base class.",
        at(
            _BASE,
            "test_a_schema_is_merged_in_order_and_the_declaration_comes_last",
            "test_results_are_a_list_with_sources_and_with_ids_where_they_can_be_fetched",
            "test_a_knowledge_base_is_closed_at_the_end_of_its_block",
        ),
    ),
    Promise(
        "KB-019",
        ("Records are plain mappings", "Record is Mapping[str, Any]"),
        "A record is any mapping with a text and metadata.",
        at(_KNOWN, "test_records_are_any_mappings_and_nothing_is_checked"),
    ),
    Promise(
        "KB-020",
        ("KnowledgeRecord", "KnowledgeMetadata", "TypedDicts"),
        "Two typed dictionaries tell the usual keys of metadata and check nothing.",
        at(
            _KNOWN,
            "test_the_usual_keys_of_metadata_are_named",
            "test_records_are_any_mappings_and_nothing_is_checked",
        ),
    ),
    Promise(
        "KB-021",
        ("import from the package root",),
        "The names of the interface and of stores are those of the package itself.",
        at("repo/test_public_names.py", "test_the_public_names_are_these_in_order"),
    ),
    Promise(
        "KB-022",
        ("Names resolve lazily", "pulls no optional SDK"),
        "Importing the package loads none of its rooms and no other package.",
        at(
            _LEAN,
            "test_no_third_party_module_is_loaded_by",
            "test_importing_fingerpost_alone_loads_none_of_its_rooms",
        ),
    ),
    Promise(
        "KB-023",
        ("S3DocumentStore is exported the same", "touching it imports boto3"),
        "A store over S3 can be imported, and only then loads the client library, from a package of its own.",
        tests=at("core/stores/test_addresses.py", "test_a_scheme_of_an_extra_names_it"),
        differs=_PACKAGES,
    ),
    Promise(
        "KB-024",
        ("three SDK-backed managers", "deliberately not exported"),
        "Managers over client libraries are imported from where they live, never with the core.",
        later="engines",
        differs=_PACKAGES,
    ),
)

DECLARATION: Section = (
    Promise(
        "KB-025",
        ("kinds", "open taxonomy"),
        "The kinds of knowledge are an open list of words, empty by default.",
        at(_KNOWN, "test_nothing_is_declared_by_default", "test_kinds_and_languages_are_any_words"),
    ),
    Promise(
        "KB-026",
        ("search", "query", "fetch", "browse", "writable", "implements write()"),
        "Each operation is declared by a switch that is off by default.",
        at(_KNOWN, "test_nothing_is_declared_by_default"),
    ),
    Promise(
        "KB-027",
        ("search_mode", "does not imply search"),
        "How a search works is said for information and switches nothing on; it may be hybrid too.",
        at(_KNOWN, "test_a_search_needs_no_mode_and_a_mode_no_search"),
        differs="`search_mode` is semantic or lexical",
    ),
    Promise(
        "KB-028",
        ("query_language", 'for example "cypher", "sql"'),
        "The query language is a free word.",
        at(_KNOWN, "test_kinds_and_languages_are_any_words"),
    ),
    Promise(
        "KB-029",
        ("derives_schema", "self-describes without add_schema()"),
        "A backend may declare that it describes itself.",
        at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
    ),
    Promise(
        "KB-030",
        ("KnowledgeBase.__init__ enforces two invariants", "At least one of search"),
        "A declaration of nothing is refused with the name of the backend.",
        at(
            _BASE,
            "test_a_declaration_that_makes_no_sense_is_refused_by_name",
            "test_any_one_operation_is_enough",
        ),
    ),
    Promise(
        "KB-031",
        ("query=True requires a query_language",),
        "Of a query and its language neither is declared without the other.",
        at(_BASE, "test_a_declaration_that_makes_no_sense_is_refused_by_name"),
    ),
    Promise(
        "KB-032",
        ("KnowledgeBase.validate_capabilities(capabilities, subject)", "static method"),
        "A declaration can be checked by itself.",
        at(
            _BASE,
            "test_a_declaration_that_makes_no_sense_is_refused_by_name",
            "test_any_one_operation_is_enough",
        ),
    ),
    Promise(
        "KB-033",
        ("ChromaManager", "search (semantic), writable"),
        "Chroma declares semantic search and writing.",
        later="engines",
    ),
    Promise(
        "KB-034",
        ("Neo4jManager", "query (cypher), writable"),
        "Neo4j declares Cypher and writing.",
        later="engines",
    ),
    Promise(
        "KB-035",
        ("StarburstManager", "query (sql); not writable"),
        "Trino declares SQL and no writing.",
        later="engines",
    ),
    Promise(
        "KB-036",
        ("OKFManager", "fetch, browse, writable*, derives_schema"),
        "A bundle declares lexical search, fetching, browsing and a schema of its own.",
        tests=at(
            "core/knowledge/test_okf_manager.py", "test_it_declares_what_it_can_do_and_describes_itself"
        ),
    ),
    Promise(
        "KB-037",
        ("folded with the document store's",),
        "Whether a bundle can be written depends on its store as well.",
        at(_DOCUMENTS, "test_the_more_restrictive_side_wins"),
    ),
)

SCHEMAS: Section = (
    Promise(
        "KB-038",
        ("schema() is what get_schemas()", "merges, in order"),
        "A schema is made of the name, what is derived, what was added, and the declaration.",
        at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
    ),
    Promise(
        "KB-039",
        ("written last and therefore not overridable",),
        "Nobody can overwrite the declaration in a schema.",
        at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
    ),
    Promise(
        "KB-040",
        ("neither received an add_schema() call", "raises ValueError"),
        "Who describes nothing and derives nothing has no schema, which is a ValueError.",
        at(_BASE, "test_without_a_schema_there_is_none"),
    ),
    Promise(
        "KB-041",
        ("override _derived_schema()",),
        "A backend describes itself by overriding one method, without a call.",
        at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
    ),
)

ERRORS: Section = (
    Promise(
        "KB-042",
        ("Every knowledge-base failure subclasses KnowledgeError",),
        "All errors that are raised on purpose are of one tree.",
        at(_KNOWN, "test_every_error_is_of_one_tree"),
    ),
    Promise(
        "KB-043",
        ("Finding nothing is not a failure", "returns an empty list"),
        "A question without results gets an empty answer and no error.",
        at(_KNOWN, "test_nothing_found_is_an_answer_and_no_error"),
    ),
    Promise(
        "KB-044",
        ("malformed document is skipped",),
        "A document that cannot be read costs itself alone and leaves a diagnostic.",
        at("field_cases/test_front_matter.py", "test_four_broken_files_cost_the_hundred_good_ones_nothing"),
    ),
    Promise(
        "KB-045",
        ("KnowledgeCapabilityError", "not a NotImplementedError"),
        "Asking for what was not declared is told apart from a method that is missing.",
        _DECLARED,
    ),
    Promise(
        "KB-046",
        ("KnowledgeBuilder catches it",),
        "That error reaches an agent as a sentence that says what to do.",
        at(_KNOWN, "test_a_declared_operation_that_is_not_there_is_answered_by_the_tool"),
    ),
    Promise(
        "KB-047",
        ("KnowledgePathError", "unusable as an identity"),
        "A path that leaves the store, or can be no id, has an error of its own.",
        (
            *at(_DOCUMENTS, "test_a_path_that_leaves_the_store_is_an_error"),
            *at("core/stores/test_contract.py", "test_a_malformed_path_is_refused_by_every_operation"),
        ),
    ),
)
