"""Imports point one way: a room of the core knows only lower rooms, an adapter only the public core."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.repo.sources import PACKAGES, ROOT, imports, relative

# Lowest first. A room may import from the rooms before it and from itself.
ROOMS = [
    "errors",
    "records",
    "capabilities",
    "text",
    "tools",
    "stores",
    "markdown",
    "okf",
    "catalog",
    "bundle",
    "knowledge",
    "navigate",
    "configuration",
    "demo",
    "cli",
    "__main__",
]
CORE = ROOT / "packages" / "fingerpost" / "src" / "fingerpost"

# What an adapter may import besides the standard library, the core's public face and itself: its framework's
# smallest package. Its modules named in HOST_MODULES may also use the second set.
NOTHING: set[str] = set()
FRAMEWORKS = {
    "fingerpost_adk": ({"google"}, {"openai"}),
    "fingerpost_agent_framework": ({"agent_framework", "pydantic"}, NOTHING),
    "fingerpost_claude_agent": ({"claude_agent_sdk", "jsonschema"}, NOTHING),
    "fingerpost_crewai": ({"crewai", "pydantic"}, NOTHING),
    "fingerpost_haystack": ({"haystack"}, NOTHING),
    "fingerpost_langchain": (
        {"langchain_core"},
        {"langchain", "langgraph", "langchain_openai", "pydantic", "fingerpost_testing"},
    ),
    "fingerpost_llamaindex": ({"llama_index"}, NOTHING),
    "fingerpost_mcp": ({"mcp", "mcp_types", "anyio"}, {"starlette", "uvicorn"}),
    "fingerpost_openai_agents": ({"agents"}, NOTHING),
    "fingerpost_opentelemetry": ({"opentelemetry"}, NOTHING),
    "fingerpost_pydantic_ai": ({"pydantic", "pydantic_ai"}, NOTHING),
    "fingerpost_s3": ({"boto3", "botocore", "mypy_boto3_s3", "urllib3"}, NOTHING),
    "fingerpost_smolagents": ({"smolagents"}, NOTHING),
    "fingerpost_testing": (NOTHING, NOTHING),
}
HOST_MODULES = {"client", "command", "demo", "http", "middleware"}

# Modules of the core that are public by themselves, next to the names of `fingerpost.__all__`.
PUBLIC_MODULES = {"fingerpost.errors", "fingerpost.stores", "fingerpost.tools"}
PUBLIC_TO_COMMANDS = {"fingerpost.cli.output"}  # what the `demo` and `command` modules print with


def core_files() -> list[Path]:
    return [path for path in sorted(CORE.rglob("*.py")) if path != CORE / "__init__.py"]


def room_of(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def wrong_arrow(path: Path, module: str, name: str) -> str:
    """Why the import is not allowed in a file of the core, or ""."""
    if module.startswith("."):
        return "a relative import"
    parts = module.split(".")
    if parts[0] == "fingerpost":
        target = parts[1] if len(parts) > 1 else name
        if target not in ROOMS:
            return f"the front door, or an unknown room: {target!r}"
        return "" if ROOMS.index(target) <= ROOMS.index(room_of(path)) else f"the higher room {target!r}"
    return (
        ""
        if parts[0] in sys.stdlib_module_names or parts[0] == "yaml"
        else f"the third-party package {parts[0]!r}"
    )


@pytest.mark.parametrize("path", core_files(), ids=relative)
def test_a_room_of_the_core_imports_only_lower_rooms_and_the_standard_library(path: Path) -> None:
    assert room_of(path) in ROOMS, "give the new room its place in ROOMS"
    wrong = [
        f"line {line}: {module} {name} is {reason}"
        for line, module, name in imports(path)
        if (reason := wrong_arrow(path, module, name))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("file", "module", "name"),
    [
        ("text/cutting.py", "fingerpost.okf", "document"),
        ("markdown/scan.py", "fingerpost", "Bundle"),
        ("markdown/scan.py", "fingerpost.unheard_of", "x"),
        ("stores/local.py", "boto3", ""),
        ("stores/local.py", ".base", "DocumentStore"),
    ],
)
def test_the_arrow_rule_refuses_what_it_is_there_for(file: str, module: str, name: str) -> None:
    assert wrong_arrow(CORE / file, module, name)


def adapter_files() -> list[Path]:
    return [
        path
        for package in PACKAGES
        if package.name != "fingerpost"
        for path in sorted(package.glob("src/*/**/*.py"))
    ]


@pytest.mark.parametrize("path", adapter_files(), ids=relative)
def test_an_adapter_imports_only_the_public_core_and_its_own_framework(path: Path) -> None:
    import fingerpost

    own = next(part for part in path.parts if part.startswith("fingerpost_"))
    framework, host = FRAMEWORKS[own]
    allowed = framework | (host if path.stem in HOST_MODULES else NOTHING) | {own} | sys.stdlib_module_names
    wrong: list[str] = []
    for line, module, name in imports(path):
        top = module.split(".")[0]
        if top == "fingerpost":
            is_command = path.stem in ("demo", "command")
            faces = PUBLIC_MODULES | (PUBLIC_TO_COMMANDS if is_command else NOTHING)
            public = module in faces or (
                module == "fingerpost" and name in {"", "__version__", *fingerpost.__all__}
            )
            wrong += [] if public else [f"line {line}: {module} {name} is not public"]
        elif top not in allowed:
            wrong.append(f"line {line}: {module} is not of this adapter's framework")
    assert wrong == []


def test_every_package_but_the_core_is_in_the_table_of_frameworks() -> None:
    assert sorted(FRAMEWORKS) == sorted(p.name.replace("-", "_") for p in PACKAGES if p.name != "fingerpost")
