"""The documents of a bundle that a configuration declares: where they lie, and whether its words agree."""

from __future__ import annotations

import re
from typing import Any, cast

from fingerpost.bundle.pace import Pace
from fingerpost.configuration.databases import OKF, Database
from fingerpost.configuration.loading import called, load
from fingerpost.configuration.reading import members, text
from fingerpost.errors import ConfigError
from fingerpost.knowledge.okf_manager import check_max_concepts
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.local import LocalDocumentStore
from fingerpost.stores.registry import from_uri, scheme_of

_LOCAL = "local"
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def check_bundle(database: Database) -> None:
    """Check the settings of a bundle, as far as that can be done without opening it.

    Raises:
        ConfigError: Its type and its address do not agree, or a number is none.
    """
    if database.kind != OKF:
        return
    try:
        Pace(database.settings.get("refresh_seconds", 0))
        check_max_concepts(database.settings.get("max_concepts"))
    except ConfigError as error:
        raise ConfigError(f"A setting of the database {database.name!r} is wrong. {error}") from error
    _check_address(database)


def _check_address(database: Database) -> None:
    uri = text(database.settings, "uri", f"the database {database.name!r}")
    options = members(database.settings, "options", f"'options' of the database {database.name!r}")
    if options and not _is_dotted(database.type):
        raise ConfigError(
            f"The database {database.name!r} has options, which only a store has that is named by the dotted "
            "path of its class; take them away, or name the class as its type."
        )
    if not uri.strip():
        if _is_dotted(database.type):
            return
        raise ConfigError(f"The database {database.name!r} has no uri; say where its documents lie.")
    scheme = scheme_of(uri)
    agrees = scheme in ("", "file") if database.type == _LOCAL else scheme == database.type
    if database.type and not agrees and not _is_dotted(database.type):
        raise ConfigError(
            f"The database {database.name!r} has the type {database.type!r} and the uri {uri!r}, which do "
            f"not go together; {_advice(database.type, scheme)}"
        )


def open_store(database: Database) -> DocumentStore:
    """The documents of a bundle.

    Raises:
        ConfigError: There are none at its address, or no way to get at them.
    """
    uri = cast("str", database.settings.get("uri") or "")
    if _is_dotted(database.type):
        return _made(database, uri)
    if scheme_of(uri):
        return from_uri(uri)
    return LocalDocumentStore(database.folder / uri if not uri.startswith("~") else uri)


def _made(database: Database, uri: str) -> DocumentStore:
    made = load(database.type, database.name)
    if not (isinstance(made, type) and issubclass(made, DocumentStore)):
        raise ConfigError(
            f"The type {database.type!r} of the database {database.name!r} is no DocumentStore; name a class "
            "that is one."
        )
    options = cast("dict[str, Any]", database.settings.get("options") or {})
    what = f"The database {database.name!r} ({database.type})"
    return cast("DocumentStore", called(made, what, *filter(None, (uri,)), **options))


def _is_dotted(type_: str) -> bool:
    return bool(_DOTTED.fullmatch(type_))


def _advice(type_: str, scheme: str) -> str:
    if type_ == _LOCAL:
        return f"set type to {scheme!r}, or give the path of a folder."
    return f"set type to {scheme or _LOCAL!r}, or give an address that starts with '{type_}://'."
