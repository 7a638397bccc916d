"""Seed 000, knowledge bases: backends of one's own, what changed for older ones, and when to use them."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_BASE = "core/knowledge/test_base.py"
_KNOWN = "core/knowledge/test_known_signatures.py"
_BUILDER = "core/knowledge/test_builder.py"

_UNDECLARED = at(_BASE, "test_what_is_not_declared_is_an_error_of_its_own")
_OFFERED = at(_BUILDER, "test_a_tool_is_there_where_something_can_serve_it")
_NO_READ = at(_KNOWN, "test_a_method_called_read_is_no_part_of_it_and_never_called")

OWN: Section = (
    Promise(
        "KB-174",
        ("bring your own storage backend",),
        "A class of anyone's serves the same tools as those that come along.",
        at(_KNOWN, "test_the_backend_of_a_stranger_is_searched_and_written"),
    ),
)

MINIMAL: Section = (
    Promise(
        "KB-175",
        ("Three members stay abstract",),
        "A subclass writes three members and the operations that it declares.",
        at(_BASE, "test_three_members_are_abstract"),
    ),
    Promise(
        "KB-176",
        ("MyBackend", "super().__init__(", "capabilities=KnowledgeCapabilities("),
        "The declaration is handed to the constructor of the base class.",
        at(_KNOWN, "test_the_backend_of_a_stranger_is_searched_and_written"),
    ),
    Promise(
        "KB-177",
        ("def write(self, records: Iterable[Record], **kwargs)",),
        "Writing takes any iterable of records, and may tell what it stored.",
        at(_BUILDER, "test_writing_names_what_was_stored_and_keeps_the_source"),
        differs="`write()` returns nothing",
    ),
    Promise(
        "KB-178",
        ("A read() defined on your subclass",),
        "A method that is called read is never called.",
        _NO_READ,
    ),
)

OPERATIONS: Section = (
    Promise(
        "KB-179",
        ("search", "read_kb and search_kb"),
        "A declared search serves two tools.",
        at(
            _BUILDER,
            "test_reading_asks_with_a_statement_where_there_is_a_language_and_else_with_words",
            "test_a_search_takes_the_filters_that_are_declared",
        ),
    ),
    Promise(
        "KB-180",
        ("query + query_language", "query-language retrieval — read_kb"),
        "A declared query serves reading.",
        at(_BUILDER, "test_a_declared_search_is_not_used_for_reading_where_there_is_a_language"),
    ),
    Promise(
        "KB-181",
        ("fetch", "retrieval by identity — fetch_kb"),
        "A declared fetch serves fetching.",
        at(_BUILDER, "test_ids_are_fetched_as_they_are_printed"),
    ),
    Promise(
        "KB-182",
        ("browse", "namespace enumeration — browse_kb"),
        "A declared browse serves browsing.",
        at(_BUILDER, "test_browsing_lists_a_part_and_says_that_there_may_be_more"),
    ),
    Promise(
        "KB-183",
        ("writable", "persistence — write_kb"),
        "A declared write serves writing.",
        at(_BUILDER, "test_writing_names_what_was_stored_and_keeps_the_source"),
    ),
    Promise(
        "KB-184",
        ("is rejected in __init__",),
        "A declaration that makes no sense does not get past the constructor.",
        at(_BASE, "test_a_declaration_that_makes_no_sense_is_refused_by_name"),
    ),
)

REGISTERING: Section = (
    Promise(
        "KB-185",
        ("exactly as you would a built-in", "MyBackend().add_schema({"),
        "Adding a schema returns the backend, which goes into a builder like any other.",
        at(_KNOWN, "test_the_backend_of_a_stranger_is_searched_and_written"),
    ),
)

OVERRIDES: Section = (
    Promise(
        "KB-186",
        ("format_results(rows)", "Bullet-list of text + source"),
        "Records are printed as a list with their sources, unless a backend prints them otherwise.",
        (
            *at(_BASE, "test_results_are_a_list_with_sources_and_with_ids_where_they_can_be_fetched"),
            *at(_KNOWN, "test_a_backend_may_print_its_records_in_its_own_way"),
        ),
    ),
    Promise(
        "KB-187",
        ("close()", "No-op"),
        "Closing does nothing unless a backend has something to give back.",
        at(_BASE, "test_a_knowledge_base_is_closed_at_the_end_of_its_block"),
    ),
    Promise(
        "KB-188",
        ("add_schema(config)", "_dynamic_schema"),
        "What is added to a schema is merged with what was added before.",
        at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
    ),
    Promise(
        "KB-189",
        ("schema()", "schema_config"),
        "A schema has the name, what was added, and the declaration.",
        at(_BASE, "test_a_schema_is_merged_in_order_and_the_declaration_comes_last"),
    ),
    Promise(
        "KB-190",
        ("_derived_schema()",),
        "Nothing is derived unless a backend does.",
        at(_BASE, "test_without_a_schema_there_is_none"),
    ),
    Promise("KB-191", ("search(query, limit)",), "An undeclared search raises.", _UNDECLARED),
    Promise("KB-192", ("query(statement, limit)",), "An undeclared query raises.", _UNDECLARED),
    Promise("KB-193", ("fetch(ids)",), "An undeclared fetch raises.", _UNDECLARED),
    Promise("KB-194", ("browse(path, limit)",), "An undeclared browse raises.", _UNDECLARED),
    Promise("KB-195", ("write(records)",), "An undeclared write raises.", _UNDECLARED),
    Promise(
        "KB-196", ("read(query, limit)", "Never - the routing"), "Reading is not to be overridden.", _NO_READ
    ),
)

CHANGES: Section = (
    Promise(
        "KB-197",
        ('schema() output gains a "capabilities"',),
        "What get_schemas tells includes the declaration.",
        at(_BUILDER, "test_schemas_are_told_also_where_one_fails"),
    ),
    Promise(
        "KB-198",
        ("self.schema to self.db_schema", "schema= constructor keyword"),
        "The schema within Trino is an argument `schema` and an attribute of another name; both work.",
        later="engines",
    ),
    Promise(
        "KB-199",
        ("requires a capabilities argument", "name stays optional"),
        "The constructor wants a declaration, and a name only if one likes.",
        at(_KNOWN, "test_the_constructor_wants_a_declaration_and_may_have_a_name"),
    ),
    Promise(
        "KB-200",
        (
            "Undeclared operations raise KnowledgeCapabilityError",
            "StarburstManager.write no longer raises NotImplementedError",
        ),
        "What is undeclared is told apart from what is not implemented.",
        _UNDECLARED,
    ),
    Promise(
        "KB-201",
        ("cypher_query / cypher_params", "generic query / params keys"),
        "A written statement and its parameters travel under names that are the same for all backends.",
        at(_BUILDER, "test_a_statement_is_written_with_its_parameters"),
    ),
    Promise(
        "KB-202",
        ("falls back to the old ones",),
        "Neo4j still reads records that have the older names.",
        later="engines",
    ),
    Promise(
        "KB-203",
        ("build() may return up to", "It also takes writable=False"),
        "Seven tools at most are built, and the one that writes can be left out.",
        _OFFERED,
    ),
    Promise(
        "KB-204",
        ("format_results() prefixes [<id>]",),
        "Ids are printed where they can be fetched.",
        at(_BASE, "test_results_are_a_list_with_sources_and_with_ids_where_they_can_be_fetched"),
    ),
    Promise(
        "KB-205",
        ("Neo4jManager.query (formerly read)", "StarburstManager.query (formerly read)"),
        "Three rows are the default of every query, also as the limit that a SELECT without one gets.",
        later="engines",
    ),
    Promise(
        "KB-206",
        ("read_kb always passes limit",),
        "The reading tool says how many records it wants.",
        at(_BUILDER, "test_reading_asks_with_a_statement_where_there_is_a_language_and_else_with_words"),
    ),
    Promise(
        "KB-207",
        ("renamed to the capability it actually",),
        "The managers' methods are called like what they declare.",
        later="engines",
    ),
    Promise(
        "KB-208",
        ("A written OKF concept naming no",),
        "A concept without an id takes title and path from its text.",
        tests=at(
            "core/knowledge/test_okf_writing.py", "test_a_record_without_an_id_is_titled_placed_and_signed"
        ),
    ),
)

_MEMORY = "session memory and caches beside knowledge bases"

WHEN: Section = (
    Promise(
        "KB-209",
        ("Use session memory and caches when", "tied to a single conversation", "current LLM context only"),
        "What belongs to one conversation is kept by the agent's framework.",
        differs=_MEMORY,
    ),
    Promise(
        "KB-210",
        ("durable, reusable knowledge",),
        "Knowledge outlives sessions and processes.",
        at("core/bundle/test_kept_index.py", "test_a_second_bundle_reads_nothing_that_has_not_changed"),
    ),
    Promise(
        "KB-211",
        ("multiple agents or sessions to share",),
        "Agents and processes share one knowledge base.",
        at("core/bundle/test_kept_index.py", "test_two_bundles_of_one_store_share_what_either_has_read"),
    ),
    Promise(
        "KB-212",
        ("specialized query capabilities",),
        "Search by meaning and graph queries are at hand.",
        later="engines",
    ),
    Promise(
        "KB-213",
        ("session’s volatile cache for fast reuse",),
        "What was fetched may be kept for a request by the agent's framework.",
        differs=_MEMORY,
    ),
)

INTRODUCTION: Section = (
    Promise(
        "KB-001",
        ("backend-agnostic knowledge base interface", "is never offered to the agent"),
        "One interface serves every kind of storage, and agents are offered what is declared and no more.",
        (*_OFFERED, *_UNDECLARED),
    ),
    Promise(
        "KB-214",
        ("Session + caches", "durable, cross‑session knowledge"),
        "Memory of a session stays with the agent's framework; this is for what lasts.",
        differs=_MEMORY,
    ),
)
