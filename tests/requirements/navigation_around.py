"""Seed 004, the navigation tools: frameworks, the command line, security, and what is around them."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_CONFINED = "core/stores/test_confinement.py"
_READ = "core/bundle/test_read.py"
_SHAPES = "core/test_answer_shapes.py"
_CLI = "core/cli"
_CASES = "field_cases"
_SERVER = "mcp/test_server.py"
_INSTALL = "mcp/test_install.py"
_EXAMPLES = at("docs/test_examples.py", "test_an_example_runs")
_PACKAGES = "frameworks are `integrations` of one package"

SECTIONS: dict[str, Section] = {
    "Frameworks": (
        Promise(
            "NAV-042",
            ("Install with pip install",),
            "Each framework has an extra.",
            at("repo/test_packages.py", "test_every_package_but_the_core_is_an_extra_of_the_core"),
            differs=_PACKAGES,
        ),
        Promise(
            "NAV-043",
            ('okf_tools(bundle, prefix="")', "own tool objects"),
            "One function of one name gives each framework tools of its own kind.",
            at("loops/test_scenarios.py", "test_a_scenario_with_the_adapter"),
        ),
        Promise(
            "NAV-044",
            ("Model packages are separate",),
            "No adapter brings the client of a model.",
            (
                *at(
                    "llamaindex/test_package.py",
                    "test_llamaindex_is_loaded_at_first_use_and_no_client_of_a_model",
                ),
                *at(
                    "adk/test_package.py", "test_the_tools_load_neither_agents_nor_models_nor_what_they_need"
                ),
            ),
        ),
    ),
    "CrewAI": (
        Promise(
            "NAV-045",
            ("from crewai import Agent", "tools=okf_tools"),
            "An agent of CrewAI walks a bundle.",
            (
                *at(
                    "crewai/test_crews.py",
                    "test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework",
                ),
                *_EXAMPLES,
            ),
        ),
    ),
    "Google ADK": (
        Promise(
            "NAV-046",
            ("from google.adk.agents import Agent",),
            "An agent of Google's ADK walks a bundle.",
            (*at("loops/test_scenarios.py", "test_a_scenario_with_the_adapter"), *_EXAMPLES),
        ),
    ),
    "OpenAI Agents SDK": (
        Promise(
            "NAV-047",
            ("Runner.run_sync", "openai_agents"),
            "An agent of the OpenAI SDK walks a bundle.",
            (
                *at(
                    "openai_agents/test_hazards.py",
                    "test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework",
                ),
                *_EXAMPLES,
            ),
        ),
    ),
    "PydanticAI": (
        Promise(
            "NAV-048",
            ("from pydantic_ai import Agent",),
            "An agent of Pydantic AI walks a bundle.",
            (
                *at(
                    "pydantic_ai/test_hazards.py",
                    "test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework",
                ),
                *_EXAMPLES,
            ),
        ),
    ),
    "LlamaIndex": (
        Promise(
            "NAV-049",
            ("FunctionAgent",),
            "An agent of LlamaIndex walks a bundle.",
            (
                *at(
                    "llamaindex/test_agents.py",
                    "test_the_way_through_a_bundle_is_that_of_the_loop_without_a_framework",
                ),
                *_EXAMPLES,
            ),
        ),
    ),
    "smolagents": (
        Promise(
            "NAV-050",
            ("ToolCallingAgent",),
            "An agent of smolagents walks a bundle.",
            (
                *at("smolagents/test_agents.py", "test_an_agent_with_tool_calls_goes_through_a_bundle"),
                *_EXAMPLES,
            ),
        ),
    ),
    "Microsoft Agent Framework": (
        Promise(
            "NAV-051",
            ("from agent_framework import Agent", "OpenAIChatCompletionClient"),
            "An agent of the Agent Framework walks a bundle.",
            (*at("loops/test_scenarios.py", "test_a_scenario_with_the_adapter"), *_EXAMPLES),
        ),
        Promise(
            "NAV-052",
            ("MCP — Claude Desktop (claude_desktop_config.json)", '"mcpServers"', '"--from"'),
            "A client with a configuration file starts the server from an entry in it.",
            at(_INSTALL, "test_the_entry_starts_a_server_that_answers"),
        ),
        Promise(
            "NAV-053",
            ("claude mcp add okf-support",),
            "Claude Code gets the server from one command.",
            at(_INSTALL, "test_the_server_is_written_where_the_client_looks_for_it"),
            differs="a client is given a command line to start a server",
        ),
        Promise(
            "NAV-054",
            ("Plain functions — named, typed", 'OKFTools("./my-bundle").functions()'),
            "Typed functions with docstrings are there for any other framework.",
            (
                *at("loops/test_plain_functions.py", "test_a_scenario_with_plain_functions"),
                *at(
                    "core/test_navigate.py",
                    "test_the_tools_have_the_names_arguments_and_prefix_of_the_format",
                ),
            ),
        ),
    ),
    "CLI": (
        Promise(
            "NAV-077",
            ("print a directory index",),
            "A command lists a folder.",
            at(f"{_CLI}/test_reading.py", "test_index_prints_what_the_folder_holds"),
        ),
        Promise(
            "NAV-078",
            ("one concept as JSON",),
            "A command reads a concept, as JSON where that is asked for.",
            at(f"{_CLI}/test_reading.py", "test_read_as_json_is_what_the_bundle_answers"),
            differs="`read` prints JSON",
        ),
        Promise(
            "NAV-079",
            ("--type", "--tag", "--text"),
            "A command searches by type, tags and words.",
            at(
                f"{_CLI}/test_find.py",
                "test_find_by_type_and_tags_requires_all",
                "test_find_takes_the_words_one_by_one_or_as_one_option",
            ),
        ),
        Promise(
            "NAV-080",
            ("--include-deprecated",),
            "It shows retired concepts when asked.",
            at(f"{_CLI}/test_find.py", "test_find_leaves_out_deprecated_concepts_and_says_so"),
        ),
        Promise(
            "NAV-081",
            ("--limit",),
            "It shows as many as are wanted, and says how many there are.",
            at(f"{_CLI}/test_find.py", "test_find_says_how_many_more_there_are"),
        ),
        Promise(
            "NAV-082",
            ("MCP server over stdio",),
            "A command serves a bundle over standard input and output.",
            at("mcp/test_stdio.py", "test_the_official_client_walks_from_the_index_to_the_concept"),
        ),
        Promise(
            "NAV-083",
            ("--prefix acme_",),
            "The served tools can be renamed.",
            at(_SERVER, "test_a_prefix_renames_tools_and_what_the_server_says_of_them"),
        ),
        Promise(
            "NAV-084",
            ("needs the [mcp] extra",),
            "Without the extra the command says how to get it.",
            at(
                "repo/test_missing_packages.py",
                "test_a_command_without_its_package_names_the_extra_to_install",
            ),
        ),
    ),
    "Security": (
        Promise(
            "NAV-085",
            ("Nothing writes to the bundle",),
            "The three tools change nothing, and say so to clients.",
            (
                *at(_SERVER, "test_reading_tools_say_that_they_change_nothing_and_publish_no_output_schema"),
                *at(_SHAPES, "test_the_tools_leave_every_file_as_it_is"),
            ),
        ),
        Promise(
            "NAV-086",
            ("Confined to the bundle root",),
            "Paths and links that lead out are refused.",
            (
                *at(
                    _CONFINED,
                    "test_dots_are_refused",
                    "test_links_out_of_the_root_are_refused_and_left_out_of_the_listing",
                    "test_a_link_that_is_swapped_in_during_reads_never_leaks",
                ),
            ),
        ),
        Promise(
            "NAV-087",
            ("body links that leave the",),
            "Links of a text that lead out are not among its links.",
            at(_READ, "test_links_of_every_kind_come_back_as_what_can_be_opened"),
            differs="links that leave the bundle vanish",
        ),
        Promise(
            "NAV-088",
            ("a leading / means the",),
            "A slash at the start is the top of the bundle.",
            (
                *at(_READ, "test_an_id_is_understood_however_it_is_written"),
                *at(f"{_CASES}/test_links_and_paths.py", "test_an_absolute_path_of_the_machine_is_no_id"),
            ),
        ),
        Promise(
            "NAV-089",
            ("Only .md concepts are read",),
            "What is no concept is not read.",
            at(_READ, "test_what_cannot_be_read_is_refused_with_its_reason"),
        ),
        Promise(
            "NAV-090",
            ("index.md and log.md are reserved",),
            "An index and a log are no concepts, though a log can be read.",
            (
                *at(_SHAPES, "test_an_index_and_a_log_are_no_concepts_at_any_level"),
                *at(_READ, "test_a_log_can_be_read_where_a_link_leads_to_it"),
            ),
            differs="`log.md` cannot be reached",
        ),
        Promise(
            "NAV-091",
            ("search skips hidden files and",),
            "Hidden files and folders are not searched.",
            at(_SHAPES, "test_hidden_files_are_neither_listed_nor_found_nor_read"),
        ),
        Promise(
            "NAV-092",
            ("Nothing is executed", "kb_read refuses them"),
            "Code beside concepts is neither read nor run.",
            (
                *at(_SHAPES, "test_a_script_beside_concepts_is_neither_read_nor_run"),
                *at("core/okf/test_yaml.py", "test_a_python_tag_makes_no_object"),
            ),
        ),
        Promise(
            "NAV-093",
            ("untrusted input to the model",),
            "Text of a bundle cannot pass itself off as anything else.",
            at(
                f"{_CASES}/test_hostile_content.py",
                "test_no_body_can_leave_the_answer_that_it_stands_in",
                "test_no_index_of_a_folder_can_close_the_frame_around_it",
                "test_hidden_text_and_images_that_carry_data_out_are_reported_where_they_stand",
            ),
        ),
    ),
    "Related projects": (
        Promise(
            "NAV-094",
            ("trust-aware, never-raising navigation",),
            "The tools behave alike in every framework.",
            at(
                f"{_CASES}/test_binding.py",
                "test_every_agent_offers_a_model_the_same_names_required_lists_and_descriptions",
            ),
        ),
    ),
    "Roadmap: not yet": (
        Promise(
            "NAV-095",
            ("Writing or editing bundles",),
            "Bundles can be written.",
            tests=at(
                "core/bundle/test_writer.py", "test_one_field_changes_one_line", "test_a_text_is_added_to"
            ),
        ),
        Promise(
            "NAV-096",
            ("Validation / linting",),
            "Bundles can be validated.",
            at(f"{_CLI}/test_validate.py", "test_a_conforming_bundle_gives_two_lines_and_exit_code_0"),
        ),
        Promise(
            "NAV-097",
            ("Remote bundles (git, tarball, HTTP)",),
            "A bundle may lie in git, in an archive or behind an address.",
            tests=at(
                "core/stores/test_addresses.py",
                "test_archives_and_folders_in_them_are_named_by_paths_and_addresses",
                "test_a_store_of_git_takes_its_parts_or_an_address",
            ),
        ),
        Promise(
            "NAV-098",
            ("Async-native tools",),
            "Tools can be awaited and leave an event loop free.",
            at("core/tools/test_async_calls.py", "test_a_hundred_parallel_calls_leave_the_loop_free"),
        ),
    ),
    "Contributing": (
        Promise(
            "NAV-099",
            ("how to add a framework",),
            "Pages say how to contribute and how to add an adapter, and their links lead somewhere.",
            at("docs/test_pages.py", "test_every_relative_link_on_a_page_leads_to_a_file"),
        ),
    ),
    "License": (
        Promise(
            "NAV-100",
            ("Apache-2.0",),
            "The licence is Apache's, and each package carries it.",
            at("repo/test_packages.py", "test_a_package_carries_the_licence_a_readme_and_the_mark_of_typing"),
        ),
    ),
}

ASIDES: dict[str, tuple[str, ...]] = {
    "what the product is called and where it comes from": (
        "Let your agents navigate knowledge",
        "The diagram renders on GitHub",
        "OKF reader of the Astromesh",
        "Built by the Astromesh team",
        "astromesh_okf",
    ),
    "other projects": (
        "okflib (Google Cloud)",
        "okf-agent-tools",
        "okft: a linter",
        "deep-wiki-agent",
        "GitHub",
    ),
    "leading over to what follows": ("Claude Code:",),
    "names of frameworks": ("CrewAI", "LlamaIndex", "llama_index", "OpenAI", "OpenAIModel"),
    "names within samples of frameworks": ("final_output", "invoke", "main", "run", "check_google_samples"),
}
