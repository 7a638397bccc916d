"""Code that a configuration or an address names: loading it, and calling it with what stands there."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.stores.addresses import PythonAddress
from fingerpost.stores.base import DocumentStore
from fingerpost.tools.failures import logged

_TOLD = (ImportError, AttributeError)


def load(path: str, what: str) -> Any:
    """What a dotted path names.

    Args:
        path: The path, such as "package.module.Class".
        what: What it is, to start the sentence with.

    Raises:
        ConfigError: There is no such thing.
    """
    module, _, member = path.rpartition(".")
    return loaded(
        lambda: getattr(import_module(module), member),
        what,
        "check its spelling, and that its package is installed, or its folder named in PYTHONPATH",
    )


def store_of(path: str, what: str, place: str, /, *arguments: object, **settings: object) -> DocumentStore:
    """A store of the class that a dotted path names.

    Args:
        path: The path.
        what: What it is ("The class 'package.module.Class'"), to start the sentence with.
        place: What is made of it, to start the sentence with.
        *arguments: What the constructor is given.
        **settings: What it is given by keyword.

    Raises:
        ConfigError: There is no such class, it is no `DocumentStore`, or it cannot be made of these.
        KnowledgeError: The store cannot be opened.
    """
    kind = load(path, what)
    if not (isinstance(kind, type) and issubclass(kind, DocumentStore)):
        raise ConfigError(f"{what} is no DocumentStore; name a class that is one.")
    made = called(kind, place, *arguments, **settings)
    assert isinstance(made, DocumentStore)  # noqa: S101 - an instance of that class
    return made


def python_store(address: str, /, **settings: object) -> DocumentStore:
    """The store of an address like "python:package.module.Class?name=value".

    Args:
        address: The address.
        **settings: What the constructor is given besides what the address says.

    Raises:
        ConfigError: The address is malformed, or there is no such class, or it cannot be made of these.
        KnowledgeError: The store cannot be opened.
    """
    parsed = PythonAddress.parse(address)
    twice = sorted(parsed.arguments.keys() & settings.keys())
    if twice:
        raise ConfigError(f"The store {parsed.path!r} is given {twice[0]!r} twice; give it once.")
    what = f"The store {parsed.path!r}"
    return store_of(parsed.path, what, what, **parsed.arguments, **settings)


def loaded(loader: Callable[[], Any], what: str, cure: str) -> Any:
    """What a loader returns.

    Raises:
        ConfigError: It fails.
    """
    try:
        return loader()
    except KnowledgeError:
        raise
    except Exception as error:
        is_told = isinstance(error, _TOLD)
        reason = f"{type(error).__name__}: {error}" if is_told else logged(error, f"The loading of {what}")
        raise ConfigError(f"{what} cannot be loaded ({reason}); {cure}.") from error


def called(factory: Callable[..., object], what: str, /, *args: Any, **settings: Any) -> object:
    """What a factory makes of settings.

    What it raises is logged and not repeated, since agents read the sentence: a driver may put into its error
    the address that it was given, and with it a password.

    Raises:
        ConfigError: It takes no such settings, or fails.
    """
    try:
        inspect.signature(factory).bind(*args, **settings)
    except TypeError as error:
        raise ConfigError(f"{what} cannot be made of its settings: {error}.") from error
    except ValueError:
        pass  # what is built in may have no signature
    try:
        return factory(*args, **settings)
    except KnowledgeError:
        raise
    except Exception as error:
        raise ConfigError(f"{what} cannot be made of its settings: {logged(error, what)}.") from error
