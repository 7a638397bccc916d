"""Which parts of a bundle may be written."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
        folders = [_folder(path) for path in given if path.endswith("/")]
        self._folders = tuple(filter(None, (self.prefix, *folders)))
        self._files = tuple(
            f"{_path(path).removesuffix(SUFFIX)}{SUFFIX}" for path in given if not path.endswith("/")
        )
        self._is_all = not self.prefix or "" in folders

    def check(self, path: str, leads_to: Callable[[str], str] = str) -> None:
        """Refuse a file that may not be written.

        Args:
            path: Its path.
            leads_to: Tells the path that links lead to; by default there are none.

        Raises:
            KnowledgePathError: It may not; the sentence says what may.
        """
        if not self._holds(path, str):
            raise KnowledgePathError(f"{concept_id(path)!r} may not be written here; {self._told()}.")
        real = leads_to(path)
        if is_hidden(real):
            raise KnowledgePathError(
                f"{concept_id(path)!r} leads to {real!r}, which is hidden; give another id."
            )
        if real != path and not self._holds(real, leads_to):
            raise KnowledgePathError(
                f"{concept_id(path)!r} leads to {concept_id(real)!r}, which may not be written here; "
                f"{self._told()}."
            )

    def _holds(self, path: str, leads_to: Callable[[str], str]) -> bool:
        return (
            self._is_all
            or any(path == leads_to(file) for file in self._files)
            or any(path.startswith(f"{leads_to(folder)}/") for folder in self._folders)
        )

    @property
    def places(self) -> tuple[str, ...]:
        """What may be written: folders, with a slash behind each, and ids of concepts; "/" for everything."""
        if self._is_all:
            return ("/",)
        first, *folders = self._folders
        return (f"{first}/", *sorted({*(f"{folder}/" for folder in folders), *map(concept_id, self._files)}))

    def _told(self) -> str:
        return f"what may be is {', '.join(map(repr, self.places))}"


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
