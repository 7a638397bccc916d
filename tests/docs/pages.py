"""The pages that a reader may find, their blocks, and how what they show is run."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from environments.table import package_of
from tests.docs.blocks import Block, blocks

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*.md", "docs/**/*.md", "packages/*/README.md", "examples/**/*.md")
    for path in ROOT.glob(pattern)
)


def blocks_of(page: str) -> list[Block]:
    """The fenced blocks of a page, which is named by its path from the root of the repository."""
    return blocks((ROOT / page).read_text(encoding="utf-8"))


# What frameworks themselves warn of when they are loaded and run: fields of their own that they deprecated.
WARNED_BY_FRAMEWORKS = {
    "fingerpost-crewai": (
        "ignore:Cannot set an attribute on 'crewai:ImportWarning",
        "ignore:function_calling_llm is deprecated:DeprecationWarning",
        "ignore:deprecated:DeprecationWarning",
    ),
    "fingerpost-llamaindex": ("ignore::DeprecationWarning:inspect",),
}


def strict_python(path: str) -> list[str]:
    """The command of a Python to which every warning is an error, for what a page or an example shows."""
    allowed = WARNED_BY_FRAMEWORKS.get(package_of(path), ())
    return [sys.executable, "-P", "-W", "error", *(word for each in allowed for word in ("-W", each))]


def settings_for(page: str) -> dict[str, str]:
    """The environment variables of a page; OpenTelemetry is switched on where it is what the page shows."""
    is_shown = any("opentelemetry.sdk" in block.code for block in blocks_of(page))
    return {name: value for name, value in os.environ.items() if name != "OTEL_SDK_DISABLED" or not is_shown}
