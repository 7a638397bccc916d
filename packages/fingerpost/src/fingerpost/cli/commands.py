"""Where commands come from: modules of this package, and the entry-point group `fingerpost.commands`.

A command is a function that takes the subparsers and adds one parser, with `set_defaults(run=...)`, where
`run` takes the parsed arguments and returns the exit code. Only the command that was asked for is imported.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from fingerpost.cli.parser import Subparsers
from fingerpost.errors import ConfigError, KnowledgeError, missing_package
from fingerpost.text.suggest import did_you_mean, nearest

Command = Callable[[Subparsers], None]

GROUP = "fingerpost.commands"

BUILT_IN = {
    "index": "fingerpost.cli.index",
    "read": "fingerpost.cli.read",
    "find": "fingerpost.cli.find",
    "links": "fingerpost.cli.links",
    "log": "fingerpost.cli.log",
    "validate": "fingerpost.cli.validate",
    "new": "fingerpost.cli.new",
    "set": "fingerpost.cli.set",
    "deprecate": "fingerpost.cli.deprecate",
    "fmt": "fingerpost.cli.fmt",
    "review": "fingerpost.cli.review",
    "tools": "fingerpost.cli.tools",
}
"""The module of each command that comes with the core; it has a function `command`."""

EXTRAS = {"mcp": "the MCP server", "demo": "the demo"}
"""The commands that an extra of the same name brings."""


def add_command_named(subparsers: Subparsers, name: str) -> None:
    """Add one command.

    Args:
        subparsers: Where to add it.
        name: The command.

    Raises:
        ConfigError: If there is no such command, or the package that brings it is broken.
        MissingPackageError: If an extra brings it that is not installed.
    """
    if name in BUILT_IN:
        import_module(BUILT_IN[name]).command(subparsers)
        return
    plug_ins = {entry.value: entry for entry in entry_points(group=GROUP, name=name)}
    if len(plug_ins) > 1:
        raise ConfigError(
            f"Several installed packages bring the command {name!r} ({', '.join(sorted(plug_ins))}); "
            "uninstall all but one."
        )
    if not plug_ins:
        raise missing_package(EXTRAS[name], name) if name in EXTRAS else _unknown(name)
    _add_plug_in(subparsers, next(iter(plug_ins.values())))


def add_all_commands(subparsers: Subparsers) -> None:
    """Add every command for `--help`; those of packages are listed without importing them."""
    for name in BUILT_IN:
        add_command_named(subparsers, name)
    offered = {entry.name: entry for entry in entry_points(group=GROUP)}
    for name, entry in sorted(offered.items()):
        subparsers.add_parser(name, help=f"(from the package {_package(entry)})")
    for name, what in EXTRAS.items():
        if name not in offered:
            subparsers.add_parser(name, help=f"{what}; needs the extra fingerpost[{name}]")


def _add_plug_in(subparsers: Subparsers, entry: EntryPoint) -> None:
    try:
        with redirect_stdout(sys.stderr):
            command: Command = entry.load()
            command(subparsers)
    except KnowledgeError:
        raise
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and entry.name in EXTRAS:
            raise missing_package(EXTRAS[entry.name], entry.name) from error
        raise ConfigError(
            f"The command {entry.name!r} of the package {_package(entry)} cannot be loaded "
            f"({type(error).__name__}: {error}); reinstall that package."
        ) from error


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module


def _unknown(name: str) -> ConfigError:
    known = [*BUILT_IN, *EXTRAS, *(entry.name for entry in entry_points(group=GROUP))]
    advice = did_you_mean(nearest(name, dict.fromkeys(known))) or "See `fingerpost --help`."
    return ConfigError(f"There is no command {name!r}. {advice}")
