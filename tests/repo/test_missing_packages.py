"""Where an optional package is missing, one sentence says how to get it."""

from __future__ import annotations

import pytest

from tests.repo.sources import in_fresh_python

BLOCK = """
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Block())
from fingerpost.errors import MissingPackageError
try:
    {use}
except MissingPackageError as error:
    print(error)
"""

ADAPTERS = [
    ("langchain", {"langchain_core"}, "import fingerpost_langchain; fingerpost_langchain.okf_tools"),
    ("mcp", {"mcp", "mcp_types"}, "import fingerpost_mcp; fingerpost_mcp.okf_tools"),
]

# Commands come from the packages of the extras; without the package, or without what it needs, they say so.
COMMANDS = [
    ("demo", {"langchain", "langgraph", "langchain_openai", "langchain_core"}, "demo"),
    ("demo", {"fingerpost_langchain"}, "demo"),
    ("mcp", {"mcp", "mcp_types"}, "mcp"),
    ("mcp", {"fingerpost_mcp"}, "mcp"),
]


def sentence_end(extra: str) -> str:
    return f"pip install 'fingerpost[{extra}]'"


@pytest.mark.parametrize(("extra", "blocked", "use"), ADAPTERS)
def test_an_adapter_without_its_framework_names_the_extra_to_install(
    extra: str, blocked: set[str], use: str
) -> None:
    outcome = in_fresh_python(BLOCK.format(blocked=blocked, use=use))
    assert outcome.stderr == ""
    assert outcome.stdout.strip().endswith(sentence_end(extra))
    assert outcome.stdout.count("\n") == 1


@pytest.mark.parametrize(("extra", "blocked", "command"), COMMANDS)
def test_a_command_without_its_package_names_the_extra_to_install(
    extra: str, blocked: set[str], command: str
) -> None:
    use = f"import fingerpost.cli.main as cli; sys.exit(cli.main([{command!r}]))"
    outcome = in_fresh_python(BLOCK.format(blocked=blocked, use=use))
    assert outcome.returncode != 0
    assert outcome.stderr.strip().endswith(sentence_end(extra))
    assert "Traceback" not in outcome.stderr
