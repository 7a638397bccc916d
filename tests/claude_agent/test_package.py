"""The package loads only what is used, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_claude_agent
from tests.repo.sources import printed

LOADED = "print(sorted({'claude_agent_sdk', 'mcp'} & set(sys.modules)))"
NO_SDK = 'sys.modules["claude_agent_sdk"] = None\n'
OLD_SDK = """
import claude_agent_sdk
from mcp.types import ToolAnnotations
claude_agent_sdk.ToolAnnotations = ToolAnnotations
claude_agent_sdk.__version__ = "0.2.139"
"""
ASKED = """
import fingerpost_claude_agent
try:
    fingerpost_claude_agent.bind
except ImportError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fingerpost_claude_agent", "[]"),
        ("from fingerpost_claude_agent import bind, kb_tools, okf_tools", "['claude_agent_sdk', 'mcp']"),
    ],
)
def test_only_what_is_used_is_loaded(code: str, loaded: str) -> None:
    assert printed(f"{code}\n{LOADED}") == loaded


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (
            NO_SDK,
            "The Claude Agent SDK adapter is not installed. Run: pip install 'fingerpost[claude-agent]'",
        ),
        (
            OLD_SDK,
            """The Claude Agent SDK adapter works only with a newer release than claude-agent-sdk 0.2.139. \
Run: pip install --upgrade 'fingerpost[claude-agent]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + ASKED) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_claude_agent.__all__ == ["bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_claude_agent, name).__doc__ for name in fingerpost_claude_agent.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_claude_agent, "bnd")  # noqa: B009 - a type checker would refuse the plain form
