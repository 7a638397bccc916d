"""Opening the bundle that a command was given."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Generator
from contextlib import contextmanager

from fingerpost.bundle import Bundle
from fingerpost.cli.output import YELLOW, Styled, note


@contextmanager
def opened(arguments: Namespace) -> Generator[Bundle]:
    """Open the bundle, and say at the end when not all of it could be read.

    Args:
        arguments: The parsed arguments, with `bundle`.

    Yields:
        The bundle; its store is closed afterwards.
    """
    with Bundle(arguments.bundle) as bundle, bundle.store:
        yield bundle
        if bundle.trouble:
            note(Styled("warning: ", YELLOW), bundle.trouble)
