"""`fingerpost mcp`: serve bundles to MCP clients, or write the server into a client's configuration."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from fingerpost import Bundle, ConfigError, DocumentStore
from fingerpost.cli.output import note
from fingerpost_mcp.ending import ends_in_any_case
from fingerpost_mcp.http import http_app, run_http
from fingerpost_mcp.install.clients import CLIENTS
from fingerpost_mcp.install.command import install, uninstall
from fingerpost_mcp.listening import (
    DEFAULT_PORT,
    TOKEN_VARIABLE,
    address,
    host_name,
    listening,
    read_token,
    url,
)
from fingerpost_mcp.serving import Served, chosen, of_bundles
from fingerpost_mcp.stdio import run_stdio, take_standard_streams

LOG_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)

_USAGE = """fingerpost mcp [serve] BUNDLE... [options for serving]
       fingerpost mcp [serve] --config FILE --agent NAME [options for serving]
       fingerpost mcp install --client CLIENT BUNDLE... [options for clients]
       fingerpost mcp install --client CLIENT --config FILE --agent NAME [options for clients]
       fingerpost mcp uninstall --client CLIENT [options for clients]"""
_SERVING = ("http", "token_file", "allow_host", "verbose")
_FOR_CLIENTS = ("client", "scope", "project", "name", "yes", "dry_run", "json")


def command(subparsers: argparse._SubParsersAction[Any]) -> None:  # pyright: ignore[reportPrivateUsage]
    """Add the command to the command line of Fingerpost."""
    summary = "Serve bundles to MCP clients, or write the server into a client's configuration."
    parser = subparsers.add_parser("mcp", help=summary, description=summary, usage=_USAGE)
    parser.add_argument(
        "bundles",
        metavar="BUNDLE",
        nargs="*",
        help="a folder, or the URI of a store; with several, each as NAME=BUNDLE",
    )
    parser.add_argument("--prefix", metavar="P", default="", help="put before the tools' names of one bundle")
    parser.add_argument("--config", metavar="FILE", help="knowledge bases of a configuration, not a bundle")
    parser.add_argument("--agent", metavar="NAME", help="whose knowledge bases, by its roles there")
    serving = parser.add_argument_group("for serving")
    serving.add_argument(
        "--http",
        metavar="[HOST:]PORT",
        nargs="?",
        type=address,
        const=address(DEFAULT_PORT),
        help=f"serve over HTTP instead of standard input and output (default: 127.0.0.1:{DEFAULT_PORT})",
    )
    serving.add_argument(
        "--token-file",
        metavar="FILE",
        help=f"holds the token that clients must send; or else the variable {TOKEN_VARIABLE}",
    )
    serving.add_argument(
        "--allow-host",
        metavar="NAME",
        type=host_name,
        action="append",
        help="a host name by which clients call the server, besides localhost",
    )
    serving.add_argument("-v", "--verbose", action="count", help="log more on standard error; twice for all")
    _add_client_options(parser)
    parser.set_defaults(run=run)


def _add_client_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("for clients: install and uninstall")
    group.add_argument("--client", choices=list(CLIENTS), help="whose configuration to change")
    group.add_argument(
        "--scope", choices=["project", "user"], help="for one project (default), or for all of a user's"
    )
    group.add_argument("--project", metavar="DIR", help="the folder of the project (default: this folder)")
    group.add_argument(
        "--name", help="the server's name there (default: that of the bundle, or of the agent)"
    )
    group.add_argument("--yes", action="store_true", default=None, help="change it without asking")
    group.add_argument("--dry-run", action="store_true", default=None, help="only show the change")
    group.add_argument("--json", action="store_true", default=None, help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the input ends or a signal comes, or change a configuration; return the exit code."""
    action, words = (arguments.bundles or ["serve"])[0], arguments.bundles[1:]
    if action in ("install", "uninstall"):
        _refuse(arguments, _SERVING, "is for serving")
        return (install if action == "install" else uninstall)(arguments, words)
    _refuse(arguments, _FOR_CLIENTS, "is for `fingerpost mcp install` and `fingerpost mcp uninstall`")
    make = chosen(arguments, words if action == "serve" else arguments.bundles)
    verbose: int = arguments.verbose or 0
    logging.basicConfig(level=LOG_LEVELS[min(verbose, len(LOG_LEVELS) - 1)], stream=sys.stderr)
    if arguments.http is None:
        _refuse(arguments, ("token_file", "allow_host"), "is for serving with --http")
        serve_clients = _over_stdio(make)
        with ends_in_any_case():
            serve_clients()
    else:
        _serve_http(make, arguments)
    return 0


def serve(bundle: str | os.PathLike[str] | DocumentStore | Bundle, prefix: str = "") -> None:
    """Serve a bundle over standard input and output until the input ends.

    From then on the two streams belong to the protocol: whatever else this process or its children print goes
    to standard error, and an interrupt ends the process at once.

    Args:
        bundle: A folder, a URI, a store, or a `Bundle`.
        prefix: Put before the tools' names.

    Raises:
        ConfigError: If the bundle does not exist, or the prefix makes no valid tool name.
    """
    _over_stdio(partial(of_bundles, {prefix: bundle}))()


def _over_stdio(make: Callable[[], Served]) -> Callable[[], None]:
    """Make everything ready; what is returned serves."""
    requests, answers = take_standard_streams()
    served = make()
    # A thread that waits for the next request cannot be woken, so that a tidy end would have to wait for it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if requests.isatty():
        waiting = "over standard input and output; waiting for a client, Ctrl-C ends."
        note(f"Serving {served.named} {waiting}")
    return partial(run_stdio, served.server, served.read_ahead, requests, answers)


def _serve_http(make: Callable[[], Served], arguments: argparse.Namespace) -> None:
    token, remarks = read_token(arguments.token_file)
    hosts: list[str] = arguments.allow_host or []
    served = make()
    own = [] if arguments.http.is_any else [arguments.http.host]
    app = http_app(served.server, token=token, hosts=[*hosts, *own])
    reader = threading.Thread(target=served.read_ahead, daemon=True)
    if arguments.http.is_any and not hosts:
        remarks.append("Other machines are refused until --allow-host says by which name they call this one.")

    def when_ready() -> None:
        place = url(arguments.http, listener, hosts) + (" with a token" if token else "")
        for remark in (f"Serving {served.named} at {place}; Ctrl-C ends.", *remarks):
            note(remark)
        reader.start()

    with listening(arguments.http, token) as listener, ends_in_any_case():
        cut_off = run_http(app, listener, when_ready)
        if cut_off:
            note(f"The server has ended; requests that were left without an answer: {cut_off}.")


def _refuse(arguments: argparse.Namespace, names: tuple[str, ...], what_for: str) -> None:
    for name in names:
        if getattr(arguments, name) is not None:
            raise ConfigError(f"--{name.replace('_', '-')} {what_for}; leave it out here.")
