"""`fingerpost tools`: the tools exactly as a model is told of them."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from fingerpost.cli.output import BOLD, DIM, Styled, say, say_json, say_text
from fingerpost.cli.parser import Subparsers, add_command
from fingerpost.navigate import OKFTools
from fingerpost.stores.memory import MemoryDocumentStore
from fingerpost.tools import Tool


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = add_command(subparsers, "tools", "Show the tools as a model sees them.", run)
    parser.add_argument(
        "bundle", metavar="BUNDLE", nargs="?", help="a folder or URI; the tools are the same for all"
    )
    parser.add_argument("--prefix", metavar="P", default="", help="put before the tools' names")


def run(arguments: Namespace) -> int:
    """Print name, description and parameters of each tool; exit code 0."""
    bundle = MemoryDocumentStore() if arguments.bundle is None else arguments.bundle
    tools = [Tool.of(function) for function in OKFTools(bundle, prefix=arguments.prefix).functions()]
    if arguments.json:
        say_json(
            [
                {"name": tool.name, "description": tool.description, "parameters": tool.schema}
                for tool in tools
            ]
        )
        return 0
    for tool in tools:
        _say_tool(tool)
    return 0


def _say_tool(tool: Tool) -> None:
    say(Styled(tool.name, BOLD))
    say_text(_indented(tool.description) + "\n")
    properties: Mapping[str, Mapping[str, Any]] = tool.schema["properties"]
    required: list[str] = tool.schema.get("required", [])
    for name, schema in properties.items():
        say("    ", Styled(name, BOLD), Styled(f" ({_kind(schema, required=name in required)})", DIM))
        say_text(_indented(schema.get("description", ""), 8))
    say()


def _kind(schema: Mapping[str, Any], *, required: bool) -> str:
    items: Mapping[str, Any] = schema.get("items", {})
    parts = [" of ".join(part["type"] for part in (schema, items) if "type" in part) or "any"]
    parts += ["required"] if required else []
    parts += [f"default {json.dumps(schema['default'], ensure_ascii=False)}"] if "default" in schema else []
    return ", ".join(parts)


def _indented(text: str, by: int = 4) -> str:
    return "\n".join(" " * by + line if line else "" for line in text.splitlines())
