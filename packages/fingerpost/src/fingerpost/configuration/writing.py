"""What a configuration says of writing to a bundle, checked before anything is opened."""

from __future__ import annotations

from fingerpost.bundle.reach import Reach
from fingerpost.bundle.writer import check_actor
from fingerpost.configuration.databases import OKF, Database
from fingerpost.configuration.reading import text, texts
from fingerpost.errors import ConfigError


def check_writing(database: Database) -> None:
    """Check who writes to a bundle, and where.

    Raises:
        ConfigError: The actor is a person, a path is none, or proposals are neither on nor off.
    """
    if database.kind != OKF:
        return
    what = f"the database {database.name!r}"
    settings = database.settings
    actor, prefix = text(settings, "write_actor", what), text(settings, "write_prefix", what)
    curated = texts(settings, "curated", what)
    try:
        check_actor(actor)
        Reach(prefix, curated)
    except ConfigError as error:
        raise ConfigError(f"A setting of the database {database.name!r} is wrong. {error}") from error
    if not isinstance(settings.get("proposals", False), bool):
        raise ConfigError(f"'proposals' of {what} is to be true or false, and is {settings['proposals']!r}.")
    if settings.get("curated") and not database.agents["curator"]:
        raise ConfigError(
            f"The database {database.name!r} has 'curated', and names no curator who could write there; name "
            "one, or take it away."
        )
