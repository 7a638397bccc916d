"""A command that breaks."""

from __future__ import annotations

from argparse import Namespace

from fingerpost.cli.parser import Subparsers


def command(subparsers: Subparsers) -> None:
    """Add the command."""
    subparsers.add_parser("broken").set_defaults(run=run)


def run(_arguments: Namespace) -> int:
    """Break."""
    return 1 // 0
