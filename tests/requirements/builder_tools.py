"""Seed 000, knowledge bases: the builder, its tools, and names that stand for resources."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_KNOWN = "core/knowledge/test_known_signatures.py"
_BUILDER = "core/knowledge/test_builder.py"
_MAP = "core/knowledge/test_semantic_map.py"

_OFFERED = at(_BUILDER, "test_a_tool_is_there_where_something_can_serve_it")
_ARGUMENTS = at(_KNOWN, "test_each_tool_takes_what_is_known_of_it_with_the_known_defaults")
_RESOLVED = at(_KNOWN, "test_logical_names_are_resolved_wherever_a_tool_takes_them")
_FURTHER = "the builder's tools take these arguments"
_NAMES = at(
    _MAP,
    "test_names_are_resolved_in_one_pass_the_longest_first",
    "test_a_placeholder_that_is_not_known_is_told_with_those_that_are",
)

TOOLS: Section = (
    Promise(
        "KB-093",
        ("KnowledgeBuilder composes one or more KnowledgeBase",),
        "Several knowledge bases become one set of tools, no larger than they can serve.",
        _OFFERED,
    ),
    Promise(
        "KB-094",
        ("Four tools are always built",),
        "Four tools are there whatever the backends are.",
        _OFFERED,
    ),
    Promise(
        "KB-095",
        ("get_schemas()", "including its declared capabilities"),
        "One tool tells in JSON what each backend is and declares.",
        at(_BUILDER, "test_schemas_are_told_also_where_one_fails"),
    ),
    Promise(
        "KB-096",
        ('degrades to an {"error": ...} entry',),
        "A backend whose schema fails is an error within that answer and spares the others.",
        at(_BUILDER, "test_schemas_are_told_also_where_one_fails"),
    ),
    Promise(
        "KB-097",
        ("read_kb(backend: str, query: str, limit:",),
        "One tool reads from any backend, and chooses how by the declaration.",
        (
            *_ARGUMENTS,
            *at(
                _BUILDER,
                "test_reading_asks_with_a_statement_where_there_is_a_language_and_else_with_words",
                "test_a_declared_search_is_not_used_for_reading_where_there_is_a_language",
            ),
        ),
        differs=_FURTHER,
    ),
    Promise(
        "KB-098",
        ('write_kb(backend: str, text: str = "",', 'params_json: str = "{}"'),
        "One tool writes a text or a statement with parameters.",
        (
            *_ARGUMENTS,
            *at(
                _BUILDER,
                "test_writing_names_what_was_stored_and_keeps_the_source",
                "test_a_statement_is_written_with_its_parameters",
            ),
        ),
        differs=_FURTHER,
    ),
    Promise(
        "KB-099",
        ("get_all_kb_descriptions()",),
        "One tool tells in short what each backend holds.",
        at(_KNOWN, "test_descriptions_are_told_for_each_backend_also_where_one_fails"),
    ),
    Promise(
        "KB-100",
        ("Up to three more are appended", "names an operation nothing can serve"),
        "Three more tools appear where a backend can serve them, and only there.",
        _OFFERED,
    ),
    Promise(
        "KB-101",
        ("search_kb(backend, query, limit=3)",),
        "Searching by name is offered where something can be searched.",
        (*_OFFERED, *_ARGUMENTS),
        differs=_FURTHER,
    ),
    Promise(
        "KB-102",
        ("fetch_kb(backend, ids)",),
        "Fetching is offered where something can be fetched.",
        (*_OFFERED, *_ARGUMENTS),
    ),
    Promise(
        "KB-103",
        ('browse_kb(backend, path="", limit=50)',),
        "Browsing is offered where something can be browsed.",
        (*_OFFERED, *_ARGUMENTS),
    ),
    Promise(
        "KB-104",
        ("refuses a backend that cannot",),
        "The tool for searching ranks, and a backend without a search is refused there.",
        at(_BUILDER, "test_what_a_knowledge_base_does_not_offer_is_refused_with_what_it_offers"),
    ),
    Promise(
        "KB-105",
        ("registering Chroma gets five tools", "OKF application gets seven"),
        "A searchable backend makes five tools, a bundle seven.",
        _OFFERED,
    ),
    Promise(
        "KB-106",
        ("write_kb is the exception to gating", "never an exception"),
        "The tool for writing is always there, and a refused write names the backends that take writes.",
        (*_OFFERED, *at(_BUILDER, "test_nothing_is_written_where_there_is_nothing_or_no_writing")),
    ),
    Promise(
        "KB-107",
        ("StarburstManager is read-only in exactly",),
        "A write to Trino is declined by the tool and not by the backend.",
        later="engines",
    ),
    Promise(
        "KB-108",
        ("one identity, or several separated by", "comma-free"),
        "Ids are given one or several, with commas between, so that no id has a comma.",
        (
            *at(_BUILDER, "test_ids_are_fetched_as_they_are_printed"),
            *at("core/bundle/test_read.py", "test_a_comma_is_printed_and_read_as_its_percent_code"),
        ),
    ),
    Promise(
        "KB-109",
        ("format_results() puts in square brackets", "straight back into a fetch"),
        "The id at the start of a printed record can be given back as it stands.",
        (
            *at(_BUILDER, "test_ids_are_fetched_as_they_are_printed"),
            *at(
                "core/knowledge/test_base.py",
                "test_results_are_a_list_with_sources_and_with_ids_where_they_can_be_fetched",
            ),
        ),
    ),
    Promise(
        "KB-110",
        ("supports a semantic_map parameter", "changing catalog names"),
        "Agents write stable names in place of physical ones.",
        _NAMES,
    ),
    Promise(
        "KB-111",
        ("immediately before the backend executes it",),
        "A name is replaced when a tool is called, so that prompts are the same everywhere.",
        at(_BUILDER, "test_errors_name_what_the_agent_knows"),
    ),
    Promise(
        "KB-112",
        ("read_kb and search_kb queries", "write_kb queries", "comma-separated segment of a fetch_kb id"),
        "Names are replaced in questions, statements, paths and each single id.",
        _RESOLVED,
    ),
    Promise(
        "KB-113",
        ("kb_tools", "list of plain Python callables"),
        "What is built are plain functions, which adapters bind.",
        at(_KNOWN, "test_what_is_built_are_plain_functions_that_return_text"),
    ),
    Promise(
        "KB-114",
        ("tools=OpenAIToolBuilder.bind(knowledgeBuilder.build())",),
        "Binding them into an agent takes one call.",
        at(
            "openai_agents/test_tools.py",
            "test_a_plain_function_a_lambda_a_guarded_function_and_a_tool_are_bound_in_the_order_given",
        ),
        differs="`ConfigError` is called `AKConfigError`, binding is a builder class per framework",
    ),
)

NAMES: Section = (
    Promise(
        "KB-115",
        ("semantic_map", "Form: a plain Python dict"),
        "The names are a dict from texts to texts.",
        at(_MAP, "test_a_map_takes_texts_to_texts"),
    ),
    Promise(
        "KB-116",
        ("concrete backend resource identifiers",),
        "What a name stands for is any text, such as a table, a path or a function.",
        _NAMES,
    ),
    Promise(
        "KB-117",
        ("Trino/Starburst CALL syntax",),
        "A name may stand for a table function, which the deployer thereby allows.",
        later="engines",
        differs="a semantic map may stand for `CALL` statements",
    ),
    Promise(
        "KB-118",
        ("remain portable across deployments",),
        "One prompt serves deployments with different resources.",
        _RESOLVED,
    ),
    Promise(
        "KB-119",
        ("binds those tokens to the correct",),
        "The statement that a backend gets holds the physical name.",
        at(_BUILDER, "test_errors_name_what_the_agent_knows"),
    ),
    Promise(
        "KB-120",
        ("Reduces agent hallucinations",),
        "An unknown name in a statement is answered with the known ones.",
        at(_MAP, "test_a_placeholder_that_is_not_known_is_told_with_those_that_are"),
    ),
    Promise(
        "KB-121",
        ("<VECTOR_STORE>", "map to the backend name"),
        "A name may stand for a backend itself.",
        _RESOLVED,
    ),
    Promise("KB-122", ("Graph (Neo4j)", "<GRAPH>"), "A name may stand for a named graph.", later="engines"),
    Promise(
        "KB-123",
        ("TABLE(kb_sheets.system.sheet(id => 'SHEET_ID'))", "<MONGO_SOURCE>"),
        "A name may stand for whatever a FROM takes.",
        at(_MAP, "test_names_are_resolved_in_one_pass_the_longest_first"),
    ),
    Promise(
        "KB-124",
        ("Keep placeholders short and descriptive", "<SHEETS_SOURCE>"),
        "Names in capitals between angle brackets are told from other angle brackets of a statement.",
        at(_MAP, "test_other_angle_brackets_of_a_statement_are_left_alone"),
    ),
    Promise(
        "KB-125",
        ("avoid aliasing the same physical target",),
        "Where two names stand for one thing, answers show the first.",
        at(_MAP, "test_of_two_names_for_the_same_thing_the_first_is_shown"),
    ),
    Promise(
        "KB-126",
        ("Document expected query syntax",),
        "How to ask a backend can be added to its schema, which agents see.",
        at(_BUILDER, "test_schemas_are_told_also_where_one_fails"),
    ),
    Promise(
        "KB-127",
        ("Never expose credentials",),
        "What a name stands for does not come back to the model in errors.",
        at(_MAP, "test_physical_names_are_hidden_again"),
    ),
    Promise(
        "KB-128",
        ("environment-specific overrides",),
        "Each deployment gives a map of its own when it makes the tools.",
        _RESOLVED,
    ),
)

EXAMPLE: Section = (
    Promise(
        "KB-129",
        ("register backends, provide a semantic_map",),
        "Backends, a map and tools take a few lines.",
        _RESOLVED,
    ),
    Promise(
        "KB-130",
        ("KnowledgeBuilder([v_db, g_db], semantic_map=semantic_map)",),
        "The map is an argument of the builder beside the list of backends.",
        _RESOLVED,
    ),
    Promise(
        "KB-131",
        ("wiring the KB tools into",),
        "The tools are given to an agent together with instructions that route between backends.",
        at("docs/test_examples.py", "test_an_example_runs"),
    ),
    Promise(
        "KB-132",
        ("get_schemas() tells you what each",),
        "What a backend declares is visible to the agent, so that instructions need not repeat it.",
        at(_BUILDER, "test_schemas_are_told_also_where_one_fails"),
    ),
)
