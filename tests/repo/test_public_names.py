"""The core's public face: this list, and nothing that is not also explained in docs/."""

from __future__ import annotations

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import fingerpost
from tests.repo.sources import ROOT

PUBLIC_NAMES = [
    "ArgumentError",
    "Bundle",
    "BundleWriter",
    "ConceptError",
    "ConfigError",
    "ConflictError",
    "Diagnostic",
    "DocumentKnowledgeBase",
    "DocumentStore",
    "KnowledgeBase",
    "KnowledgeBuilder",
    "KnowledgeCapabilities",
    "KnowledgeCapabilityError",
    "KnowledgeConfig",
    "KnowledgeError",
    "KnowledgeMetadata",
    "KnowledgeNotFoundError",
    "KnowledgePathError",
    "KnowledgeRecord",
    "LocalDocumentStore",
    "MemoryDocumentStore",
    "MissingPackageError",
    "OKFManager",
    "OKFTools",
    "Record",
    "Records",
    "StoreError",
    "Tool",
    "ToolContext",
    "ToolResult",
    "demo_bundle",
    "kb_prompt",
    "kb_tools",
    "tool",
]


def test_the_public_names_are_these_in_order() -> None:
    assert list(fingerpost.__all__) == PUBLIC_NAMES
    assert sorted(PUBLIC_NAMES) == PUBLIC_NAMES


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_a_public_name_can_be_imported_and_says_what_it_is(name: str) -> None:
    value = getattr(fingerpost, name)
    assert isinstance(value, str) or (value.__doc__ or "").strip()


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_a_public_name_is_explained_in_the_documentation(name: str) -> None:
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("**/*.md")]
    mention = re.compile(rf"`(?:fingerpost\.)?{re.escape(name)}\b[^`]*`")
    assert any(mention.search(page) for page in pages)


def test_dir_shows_the_public_names_before_they_are_used() -> None:
    assert set(PUBLIC_NAMES) <= set(dir(fingerpost))


def test_an_unknown_name_is_refused_like_any_other_attribute() -> None:
    with pytest.raises(AttributeError, match="Bundel"):
        getattr(fingerpost, "Bundel")  # noqa: B009 - a type checker would refuse the plain form


def test_type_checkers_are_shown_the_same_names() -> None:
    tree = ast.parse(Path(fingerpost.__file__).read_text(encoding="utf-8"))
    (shown,) = [
        node for node in tree.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    ]
    imported = [node for node in shown.body if isinstance(node, ast.ImportFrom)]
    homes = {alias.name: node.module for node in imported for alias in node.names}
    assert sorted(homes) == PUBLIC_NAMES
    for name, home in homes.items():
        assert getattr(fingerpost, name) is getattr(import_module(f"{home}"), name)
