"""Where an optional package is missing, one sentence says how to get it."""

from __future__ import annotations

import pytest

from tests.repo.sources import NO_ADAPTERS, PACKAGES, in_fresh_python

BLOCK = """
class Block:
    def find_spec(self, name, path=None, target=None):
        if any(name == other or name.startswith(other + ".") for other in {blocked!r}):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Block())
from fingerpost.errors import MissingPackageError
try:
    {use}
except MissingPackageError as error:
    print(error)
"""

# What each adapter needs from others, by extra.
FRAMEWORKS = {
    "adk": {"google.adk"},
    "agent-framework": {"agent_framework"},
    "claude-agent": {"claude_agent_sdk", "mcp"},
    "crewai": {"crewai"},
    "haystack": {"haystack"},
    "langchain": {"langchain_core"},
    "llamaindex": {"llama_index"},
    "mcp": {"mcp", "mcp_types"},
    "openai-agents": {"agents"},
    "pydantic-ai": {"pydantic_ai"},
    "smolagents": {"smolagents"},
}

# Commands come from the packages of the extras; without the package, or without what it needs, they say so.
COMMANDS = [
    ("demo", {"langchain", "langgraph", "langchain_openai", "langchain_core"}, "demo"),
    ("demo", {"fingerpost_langchain"}, "demo"),
    ("mcp", {"mcp", "mcp_types"}, "mcp"),
    ("mcp", {"fingerpost_mcp"}, "mcp"),
]


def sentence_end(extra: str) -> str:
    return f"pip install 'fingerpost[{extra}]'"


def test_there_is_a_row_for_every_adapter() -> None:
    adapters = {package.name for package in PACKAGES} - NO_ADAPTERS
    assert {f"fingerpost-{extra}" for extra in FRAMEWORKS} == adapters


@pytest.mark.parametrize("extra", FRAMEWORKS)
def test_an_adapter_without_its_framework_names_the_extra_to_install(extra: str) -> None:
    module = f"fingerpost_{extra.replace('-', '_')}"
    use = f"import {module}; {module}.okf_tools"
    outcome = in_fresh_python(BLOCK.format(blocked=FRAMEWORKS[extra], use=use))
    assert outcome.stderr == ""
    assert outcome.stdout.strip().endswith(sentence_end(extra))
    assert outcome.stdout.count("\n") == 1


def test_a_store_without_its_client_names_the_extra_to_install() -> None:
    use = "import fingerpost_s3; fingerpost_s3.S3DocumentStore"
    outcome = in_fresh_python(BLOCK.format(blocked={"boto3", "botocore"}, use=use))
    assert (outcome.stderr, outcome.stdout.count("\n")) == ("", 1)
    assert outcome.stdout.strip().endswith(sentence_end("s3"))


@pytest.mark.parametrize(("extra", "blocked", "command"), COMMANDS)
def test_a_command_without_its_package_names_the_extra_to_install(
    extra: str, blocked: set[str], command: str
) -> None:
    use = f"import fingerpost.cli.main as cli; sys.exit(cli.main([{command!r}]))"
    outcome = in_fresh_python(BLOCK.format(blocked=blocked, use=use))
    assert outcome.returncode != 0
    assert outcome.stderr.strip().endswith(sentence_end(extra))
    assert "Traceback" not in outcome.stderr
