"""Seed 000, knowledge bases: bundles and roles that a configuration names, and the agent that routes."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_BUILDER = "core/knowledge/test_builder.py"

BLOCK: Section = (
    Promise(
        "KB-133",
        ("okf block in config.yaml", "no knowledge-base code at all"),
        "A block of a configuration names bundles and agents, and gives each agent tools and instructions.",
        tests=(
            *at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
            *at(
                "core/configuration/test_prompt.py",
                "test_an_agent_is_told_its_databases_with_what_it_is_to_do",
            ),
        ),
        differs="tools of a configured agent are attached by the framework's own hooks",
    ),
    Promise(
        "KB-134",
        ("programmatic path",),
        "The same can be put together by hand from a store, a backend and a builder.",
        tests=at(
            "core/knowledge/test_okf_manager.py", "test_it_declares_what_it_can_do_and_describes_itself"
        ),
    ),
    Promise(
        "KB-135",
        ("dotted path to a DocumentStore subclass", "type: local"),
        "The type of a bundle's store is a word, or a class of one's own.",
        tests=(
            *at(
                "core/configuration/test_config.py",
                "test_a_file_is_read_and_what_is_no_concern_of_it_left_alone",
            ),
            *at(
                "core/configuration/test_tools.py",
                "test_two_agents_over_10000_concepts_pay_one_walk_and_one_catalog",
            ),
        ),
    ),
    Promise(
        "KB-136",
        ("uri: ./bundle", "s3://bucket/prefix"),
        "Where a bundle lies is one text.",
        tests=at(
            "core/configuration/test_tools.py",
            "test_relative_paths_start_at_the_file_wherever_the_process_runs",
        ),
    ),
    Promise(
        "KB-137",
        ("description:",),
        "What a bundle holds is said in the block.",
        tests=at(
            "core/configuration/test_prompt.py", "test_an_agent_is_told_its_databases_with_what_it_is_to_do"
        ),
    ),
    Promise(
        "KB-138",
        ("refresh_seconds: 300", "null disables automatic refresh"),
        "How old its picture may be is set there too.",
        tests=(
            *at(
                "core/configuration/test_config.py",
                "test_a_file_is_read_and_what_is_no_concern_of_it_left_alone",
            ),
            *at("core/bundle/test_pace.py", "test_none_is_once_and_0_is_always_and_a_hurry_is_now"),
        ),
        differs="a refresh every 300 seconds",
    ),
    Promise(
        "KB-139",
        ("block's presence is the enablement", "no enabled flag"),
        "Without the block nothing happens, and nothing else switches it on.",
        tests=at("core/configuration/test_config.py", "test_without_its_blocks_nothing_is_switched_on"),
    ),
)

ROLES: Section = (
    Promise(
        "KB-140",
        ("consumer", "Navigate the bundle and answer"),
        "A consumer gets the six tools that read, and is told to find its way and answer from what it finds.",
        tests=(
            *at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
            *at(
                "core/configuration/test_prompt.py",
                "test_an_agent_is_told_its_databases_with_what_it_is_to_do",
            ),
        ),
    ),
    Promise(
        "KB-141",
        ("producer", "Add new knowledge to"),
        "A producer may write as well, and is told to add what it learns.",
        tests=(
            *at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
            *at(
                "core/configuration/test_prompt.py",
                "test_an_agent_is_told_its_databases_with_what_it_is_to_do",
            ),
        ),
    ),
    Promise(
        "KB-142",
        ("curator", "maintain existing knowledge"),
        "A curator may write as well, and is told to keep what there is in order.",
        tests=(
            *at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
            *at(
                "core/configuration/test_prompt.py",
                "test_an_agent_is_told_its_databases_with_what_it_is_to_do",
            ),
        ),
    ),
    Promise(
        "KB-143",
        ("identical in permission and differ only",),
        "Those two differ in what they are told and in nothing else.",
        tests=at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
    ),
    Promise(
        "KB-144",
        ("agent named in no database",),
        "An agent that nothing names gets neither tools nor instructions.",
        tests=(
            *at("core/configuration/test_tools.py", "test_roles_decide_which_tools_an_agent_gets"),
            *at(
                "core/configuration/test_prompt.py",
                "test_an_agent_is_told_its_databases_with_what_it_is_to_do",
            ),
        ),
    ),
    Promise(
        "KB-145",
        ("no general role or permission",),
        "Roles are a matter of bundles alone.",
        tests=at("core/configuration/test_config.py", "test_without_its_blocks_nothing_is_switched_on"),
        differs="the configuration declares bundles",
    ),
)

PERMISSION: Section = (
    Promise(
        "KB-146",
        ("both hold at once",),
        "One agent may write to one bundle and only read another.",
        tests=at("core/configuration/test_tools.py", "test_permission_is_per_agent_and_database"),
    ),
    Promise(
        "KB-147",
        ("Ingest_Agent receives write_kb", "has read-only access to"),
        "A write that its role forbids is refused in a sentence that names where it may write.",
        tests=at("core/configuration/test_tools.py", "test_permission_is_per_agent_and_database"),
    ),
    Promise(
        "KB-148",
        ("registers only the databases it holds",),
        "A bundle in which an agent has no role is unknown to all of its tools.",
        tests=at("core/configuration/test_tools.py", "test_permission_is_per_agent_and_database"),
    ),
    Promise(
        "KB-149",
        ("Unknown backend '...'. Available: [...]",),
        "An unknown name is answered with the names that there are.",
        at(_BUILDER, "test_an_unknown_name_lists_those_that_there_are"),
    ),
)

CHECKS: Section = (
    Promise(
        "KB-150",
        ("Checked when the capability is first",),
        "A mistake in the block is told when an agent is made, with the name of the bundle.",
        tests=at("core/configuration/test_config.py", "test_what_is_wrong_is_told_when_an_agent_is_made"),
    ),
    Promise(
        "KB-151",
        ("naming no agent across its three",),
        "A bundle that no agent may use is a mistake.",
        tests=at("core/configuration/test_config.py", "test_what_is_wrong_is_told_when_an_agent_is_made"),
    ),
    Promise(
        "KB-152",
        ("both producer and curator of the", "legitimate and accepted"),
        "One agent in both writing roles of one bundle is a mistake, of two bundles it is none.",
        tests=(
            *at("core/configuration/test_config.py", "test_what_is_wrong_is_told_when_an_agent_is_made"),
            *at(
                "core/configuration/test_prompt.py",
                "test_an_agent_is_told_its_databases_with_what_it_is_to_do",
            ),
        ),
    ),
    Promise(
        "KB-153",
        ("type disagreeing with the uri scheme",),
        "A type and an address that contradict each other are a mistake that names all three.",
        tests=at("core/configuration/test_config.py", "test_what_is_wrong_is_told_when_an_agent_is_made"),
    ),
    Promise(
        "KB-154",
        ("logs a WARNING naming the database", "does not raise"),
        "A writing role on a store that cannot be written is warned of and no mistake.",
        tests=at(
            "core/configuration/test_tools.py",
            "test_a_bundle_that_can_only_be_read_warns_of_its_writers_when_it_is_opened",
        ),
    ),
)

LAZY: Section = (
    Promise(
        "KB-155",
        ("opens no store and walks no",),
        "Which tools an agent gets is known without opening a bundle.",
        tests=at("core/configuration/test_tools.py", "test_making_tools_opens_nothing"),
    ),
    Promise(
        "KB-156",
        ("one OKFManager per database is shared",),
        "All agents of a bundle share one view of it.",
        tests=at(
            "core/configuration/test_tools.py",
            "test_two_agents_over_10000_concepts_pay_one_walk_and_one_catalog",
            "test_agents_share_one_knowledge_base_also_over_several_readings_of_the_file",
        ),
    ),
    Promise(
        "KB-157",
        ("before any bundle exists still receives",),
        "Instructions are made of the block alone and do not wait for the bundle.",
        tests=at("core/configuration/test_prompt.py", "test_the_prompt_opens_nothing"),
    ),
)

CHOICE: Section = (
    Promise(
        "KB-158",
        ("Use the configuration path when",),
        "The instructions for finding one's way come with the product.",
        tests=at("core/configuration/test_prompt.py", "test_every_tool_that_the_prompt_names_is_there"),
    ),
    Promise(
        "KB-159",
        ("Use the programmatic path when", "composing OKF with other backends"),
        "A bundle can stand beside other backends in one builder.",
        tests=(
            *at("core/knowledge/test_builder.py", "test_schemas_are_told_also_where_one_fails"),
            *at(
                "core/configuration/test_tools.py",
                "test_one_that_cannot_be_opened_is_told_and_harms_no_other",
            ),
        ),
    ),
    Promise(
        "KB-160",
        ("Do not use both for the", "WARNING naming the collisions"),
        "Tools that an agent has already are warned of by name, and attached all the same.",
        tests=at("core/configuration/test_tools.py", "test_equal_names_are_told_and_attached_all_the_same"),
    ),
)

ROUTER: Section = (
    Promise(
        "KB-161",
        ("Bind the knowledge base tools into",),
        "Each adapter binds the builder's tools.",
        at("loops/test_scenarios.py", "test_a_scenario_with_the_adapter"),
    ),
    Promise(
        "KB-162",
        ("clear backend descriptions and schemas",),
        "Descriptions and schemas let an agent tell what belongs where.",
        at(
            "core/knowledge/test_known_signatures.py",
            "test_descriptions_are_told_for_each_backend_also_where_one_fails",
        ),
    ),
    Promise(
        "KB-163",
        ("let the agent read the capabilities",),
        "Schemas tell an agent which tools a backend answers.",
        at(_BUILDER, "test_schemas_are_told_also_where_one_fails"),
    ),
    Promise(
        "KB-164",
        ("Keep placeholders logical",),
        "The agent keeps to logical names, also in what it is answered.",
        at(_BUILDER, "test_errors_name_what_the_agent_knows"),
    ),
    Promise(
        "KB-165",
        ("Prefer a router agent",),
        "One agent can see all schemas and ask each backend.",
        at("docs/test_examples.py", "test_an_example_runs"),
    ),
    Promise(
        "KB-166",
        ("works the same across all supported",),
        "What an agent is offered is the same in every framework.",
        at(
            "field_cases/test_binding.py",
            "test_every_agent_offers_a_model_the_same_names_required_lists_and_descriptions",
        ),
    ),
)

EXAMPLES: Section = (
    Promise(
        "KB-167",
        ("chromadb/ - semantic text only",),
        "An example recalls texts from Chroma.",
        later="engines",
    ),
    Promise(
        "KB-168",
        ("neo4j/ - graph reads/writes",),
        "An example asks and feeds Neo4j with Cypher.",
        later="engines",
    ),
    Promise("KB-169", ("starburst/ - SQL backends",), "An example asks Trino with SQL.", later="engines"),
    Promise(
        "KB-170",
        ("multi/ - combined router demo",),
        "An example routes between all of them.",
        later="engines",
    ),
    Promise(
        "KB-171",
        ("okf/ - an Open Knowledge Format",),
        "An example needs no database.",
        at("docs/test_examples.py", "test_an_example_runs"),
    ),
    Promise(
        "KB-172",
        ("Agent: KB_Router_Agent",),
        "Its agent looks at the schemas before it chooses.",
        later="engines",
    ),
    Promise(
        "KB-173",
        ("step-by-step usage and routing behavior",),
        "Each example says how to run it.",
        later="engines",
    ),
)
