"""Code that a configuration names: loading it, and calling it with what the configuration says."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from fingerpost.errors import ConfigError, KnowledgeError
from fingerpost.tools.failures import logged

_TOLD = (ImportError, AttributeError)


def load(path: str, name: str) -> Any:
    """What a dotted path names.

    Args:
        path: The path, such as "package.module.Class".
        name: The database that it stands in, for the sentence.

    Raises:
        ConfigError: There is no such thing.
    """
    module, _, member = path.rpartition(".")
    return loaded(
        lambda: getattr(import_module(module), member),
        f"The type {path!r} of the database {name!r}",
        "check its spelling, and that the package is installed",
    )


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
