"""Which parts of a bundle may be written."""

from __future__ import annotations

from collections.abc import Iterable

from fingerpost.bundle.names import SUFFIX, concept_id
from fingerpost.errors import ConfigError, KnowledgePathError
from fingerpost.stores.base import DocumentStore, is_hidden


class Reach:
    """What may be written of a bundle.

    Args:
        prefix: The folder that new concepts go to; "" for all of the bundle.
        beyond: Further folders (`policies/`) and concepts (`policies/refunds`).

    Attributes:
        prefix: The folder, without slashes around it.

    Raises:
        ConfigError: One of them is no path.
    """

    def __init__(self, prefix: str, beyond: Iterable[str] = ()) -> None:
        self.prefix = _folder(prefix)
        given = list(beyond)
        self._folders = tuple(f"{_folder(path)}/" for path in given if path.endswith("/") and _folder(path))
        self._files = frozenset(
            f"{_path(path).removesuffix(SUFFIX)}{SUFFIX}" for path in given if not path.endswith("/")
        )
        self._is_all = not self.prefix or any(path.endswith("/") and not _folder(path) for path in given)

    def check(self, path: str) -> None:
        """Refuse a file that may not be written.

        Raises:
            KnowledgePathError: It may not; the sentence says what may.
        """
        if self._is_all or path in self._files or path.startswith((f"{self.prefix}/", *self._folders)):
            return
        others = sorted({*self._folders, *map(concept_id, self._files)})
        told = ", ".join(repr(name) for name in (f"{self.prefix}/", *others))
        raise KnowledgePathError(f"{concept_id(path)!r} may not be written here; what may be is {told}.")


def _folder(path: str) -> str:
    return _path(path.strip("/")) if path.strip("/") else ""


def _path(path: str) -> str:
    try:
        normal = DocumentStore.normalise(path)
    except KnowledgePathError as error:
        raise ConfigError(f"{path!r} cannot be written to. {error}") from error
    if is_hidden(normal):
        raise ConfigError(f"{path!r} cannot be written to: names that start with a dot are not served.")
    return normal
