"""Importing the core costs nothing but the core."""

from __future__ import annotations

import pytest

from tests.repo.sources import in_fresh_python

# Modules that an interpreter may load by itself for the .pth files of its environment.
REPORT = """
import sys
before = set(sys.modules)
{statement}
loaded = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(sorted(loaded - sys.stdlib_module_names - {{"fingerpost"}}))
"""


@pytest.mark.parametrize(
    "statement",
    [
        "import fingerpost",
        "from fingerpost import Bundle, KnowledgeBase, KnowledgeBuilder, OKFTools, tool",
        "import fingerpost.errors",
        "import fingerpost.cli.main",
    ],
)
def test_no_third_party_module_is_loaded_by(statement: str) -> None:
    outcome = in_fresh_python(REPORT.format(statement=statement))
    assert (outcome.stdout.strip(), outcome.stderr) == ("[]", "")


def test_importing_fingerpost_alone_loads_none_of_its_rooms() -> None:
    code = 'import fingerpost, sys; print([name for name in sys.modules if name.startswith("fingerpost.")])'
    outcome = in_fresh_python(code)
    assert (outcome.stdout.strip(), outcome.stderr) == ("[]", "")
