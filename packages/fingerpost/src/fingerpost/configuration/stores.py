"""The documents of a bundle that a configuration declares: where they lie, and whether its words agree."""

from __future__ import annotations

from typing import Any, cast

from fingerpost.bundle.pace import Pace
from fingerpost.configuration.databases import OKF, Database
from fingerpost.configuration.reading import members, text
from fingerpost.errors import ConfigError
from fingerpost.knowledge.okf_manager import check_max_concepts
from fingerpost.stores.addresses import (
    ARCHIVE,
    GIT,
    LOCAL,
    MEMORY,
    PYTHON,
    PythonAddress,
    is_dotted,
    scheme_of,
    shown,
    type_of,
)
from fingerpost.stores.base import DocumentStore
from fingerpost.stores.loading import python_store, store_of
from fingerpost.stores.registry import from_uri

_EXAMPLES = {
    LOCAL: "give the path of a folder",
    ARCHIVE: "give the path of a .zip, .tar, .tgz or .tar.gz file",
    GIT: "give an address like 'git+https://host/repository@revision#folder'",
    MEMORY: "give the address 'memory:'",
    PYTHON: "give an address like 'python:package.module.Class'",
}


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
    is_class = is_dotted(database.type)
    if options and not is_class and type_of(uri) != PYTHON:
        raise ConfigError(
            f"The database {database.name!r} has options, which only a store has that is named by the dotted "
            "path of its class; take them away, or name the class as its type."
        )
    if is_class:
        return
    if not uri.strip():
        raise ConfigError(f"The database {database.name!r} has no uri; say where its documents lie.")
    found = type_of(uri)
    if database.type and found != database.type:
        raise ConfigError(
            f"The database {database.name!r} has the type {database.type!r} and the uri {shown(uri)!r}, "
            f"which do not go together; set type to {found!r}, or {_example(database.type)}."
        )
    if found == PYTHON:
        PythonAddress.parse(uri)


def open_store(database: Database) -> DocumentStore:
    """The documents of a bundle.

    Raises:
        ConfigError: There are none at its address, or no way to get at them.
    """
    uri = cast("str", database.settings.get("uri") or "")
    options = cast("dict[str, Any]", database.settings.get("options") or {})
    if is_dotted(database.type):
        what = f"The type {database.type!r} of the database {database.name!r}"
        place = f"The database {database.name!r} ({database.type})"
        return store_of(database.type, what, place, *filter(None, (uri,)), **options)
    if scheme_of(uri) == PYTHON:
        return python_store(uri, **options)
    return from_uri(uri, folder=database.folder)


def _example(type_: str) -> str:
    return _EXAMPLES.get(type_, f"give an address that starts with '{type_}://'")
