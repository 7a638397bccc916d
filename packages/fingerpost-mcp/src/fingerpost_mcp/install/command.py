"""`fingerpost mcp install` and `uninstall`: the change is shown, asked for, and made in one step."""

from __future__ import annotations

import difflib
import json
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from fingerpost import ConfigError, KnowledgeNotFoundError
from fingerpost.cli.output import note, say, say_json, say_text
from fingerpost_mcp.install.clients import CLIENTS, SERVERS, Client
from fingerpost_mcp.install.config_file import ConfigFile, read_config, write_config
from fingerpost_mcp.install.entries import (
    agent_entry,
    bundles_of,
    check_server_name,
    default_name,
    is_ours,
    server_entry,
)
from fingerpost_mcp.install.json_text import put, take_out
from fingerpost_mcp.serving import chosen

DONE, NOT_DONE = 0, 1
_NEW_TEXT = "{}\n"
_NEW_USER_FILE, _NEW_PROJECT_FILE = 0o600, 0o644


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What `--json` prints: the file, our server in it, the change, whether it was made, and the old file."""

    file: str
    name: str
    entry: dict[str, Any] | None
    diff: str
    written: bool
    backup: str


def install(arguments: Namespace, words: Sequence[str]) -> int:
    """Write a server into a client's configuration; exit code 1 when it was only shown."""
    make = chosen(arguments, words)
    client, config = _opened(arguments)
    make()  # what cannot be served is told now, and not to the client
    if arguments.config is None:
        entry, usual = server_entry(words, arguments.prefix), default_name(words)
    else:
        entry, usual = agent_entry(arguments.config, arguments.agent), default_name([arguments.agent])
    name = usual if arguments.name is None else check_server_name(arguments.name)
    before: Any = config.servers.get(name)
    if name in config.servers and not is_ours(before):
        raise ConfigError(
            f"{config.path} has another server named {name!r}, which is none of Fingerpost's: "
            "choose another name with --name."
        )
    serves = bundles_of(before) if before else []
    if before and arguments.name is None and serves != bundles_of(entry):
        raise ConfigError(
            f"{config.path} has a server named {name!r} already, which serves {', '.join(serves)}: "
            f"choose another name with --name, or replace that one with --name {name}."
        )
    kept = {key: value for key, value in before.items() if key not in entry} if before else {}
    entry = {**entry, **kept}
    text = _NEW_TEXT if config.is_blank else config.text
    changed = config.text if before == entry else put(text, (SERVERS, name), entry)
    code = _change(arguments, config, name, entry, changed)
    if code == DONE and not arguments.json and not arguments.dry_run:
        note(client.afterwards)
    return code


def uninstall(arguments: Namespace, words: Sequence[str]) -> int:
    """Take our server out of a client's configuration; exit code 1 when it was only shown."""
    if words or arguments.prefix or arguments.config or arguments.agent:
        raise ConfigError(
            "To take a server out, its name is enough, with --name; give no bundle, no prefix and no "
            "configuration."
        )
    _, config = _opened(arguments)
    ours = [name for name, entry in config.servers.items() if is_ours(entry)]
    if arguments.name is not None:
        ours = [name for name in ours if name == arguments.name]
    if not ours:
        named = "" if arguments.name is None else f" named {arguments.name!r}"
        raise KnowledgeNotFoundError(
            f"{config.path} has no server of Fingerpost{named}; look there, or try another --scope."
        )
    if len(ours) > 1:
        raise ConfigError(
            f"{config.path} has several servers of Fingerpost ({', '.join(ours)}); say which with --name."
        )
    return _change(arguments, config, ours[0], None, take_out(config.text, (SERVERS, ours[0])))


def _opened(arguments: Namespace) -> tuple[Client, ConfigFile]:
    if arguments.client is None:
        raise ConfigError(f"Say whose configuration to change: --client {' or --client '.join(CLIENTS)}.")
    if arguments.scope == "user" and arguments.project is not None:
        raise ConfigError("--project is for the scope of a project; leave it out, or leave out --scope user.")
    client = CLIENTS[arguments.client]
    return client, read_config(client.path(arguments.scope or "project", arguments.project))


def _change(
    arguments: Namespace, config: ConfigFile, name: str, entry: dict[str, Any] | None, text: str
) -> int:
    """Show a change, and make it if that is wanted."""
    diff = _difference(config, name, entry)
    if diff and not arguments.json:
        say_text(diff)
    written, backup = False, ""
    if diff and _is_wanted(arguments, config):
        mode = _NEW_USER_FILE if arguments.scope == "user" else _NEW_PROJECT_FILE
        written, backup = True, write_config(config, text, mode)
    if arguments.json:
        say_json(asdict(_Outcome(config.path, name, entry, diff, written, backup)))
    elif written:
        say(f"Changed {config.path}", f"; the old file is {backup}." if backup else ", which is new.")
    elif not diff:
        say(f"{config.path} has this already; nothing was changed.")
    else:
        note(
            "Nothing was changed."
            if arguments.dry_run or _is_terminal()
            else "Nothing was changed: add --yes."
        )
    return DONE if written or not diff or arguments.dry_run else NOT_DONE


def _difference(config: ConfigFile, name: str, entry: dict[str, Any] | None) -> str:
    """What changes in our own entry; what the file holds besides, such as keys of others, is not shown."""
    before, after = _lines(name, config.servers.get(name)), _lines(name, entry)
    label = f"{config.path} {name}"
    lines = difflib.unified_diff(before, after, label, label, lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith("@@"))


def _lines(name: str, entry: Any) -> list[str]:
    if entry is None:
        return []
    return json.dumps({SERVERS: {name: entry}}, ensure_ascii=False, indent=2).splitlines()[2:-2]


def _is_wanted(arguments: Namespace, config: ConfigFile) -> bool:
    if arguments.dry_run or arguments.yes or arguments.json or not _is_terminal():
        return bool(arguments.yes) and not arguments.dry_run
    print(f"Change {config.path}? [y/N] ", end="", file=sys.stderr, flush=True)  # noqa: T201 - a question
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
