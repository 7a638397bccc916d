"""A change of one file that is worked out, and not written yet."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from fingerpost.bundle.names import concept_id
from fingerpost.bundle.reading import MAX_DOCUMENT_BYTES
from fingerpost.bundle.scanned import revision_of
from fingerpost.errors import ArgumentError, ConceptError
from fingerpost.okf.yaml_problems import LINE_END


@dataclass(frozen=True, slots=True)
class Change:
    """A file as it is, and as it is to be.

    Attributes:
        path: Its path.
        before: What it holds, None when it is not there yet.
        after: What it is to hold.
        notes: What whoever wants it should know, a sentence each.
    """

    path: str
    before: bytes | None
    after: bytes
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the concept."""
        return concept_id(self.path)

    @property
    def is_new(self) -> bool:
        """Whether the file is not there yet."""
        return self.before is None

    @property
    def is_any(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after

    @property
    def revision(self) -> str:
        """The revision of the file once it is written."""
        return revision_of(self.after)

    @property
    def diff(self) -> str:
        """What changes, line by line, as a unified diff; "" when nothing does."""
        from difflib import unified_diff

        old, new = _lines(self.before or b""), _lines(self.after)
        names = ("/dev/null" if self.is_new else f"a/{self.path}", f"b/{self.path}")
        return "".join(map(_ended, unified_diff(old, new, *names)))


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(data: bytes) -> list[str]:
    text = LINE_END.sub("\n", data.decode("utf-8", "replace"))
    *ended, last = text.split("\n")
    return [*(f"{line}\n" for line in ended), *filter(None, (last,))]


@contextmanager
def naming(path: str) -> Generator[None]:
    """Name a file in the sentence about what cannot be changed in it."""
    try:
        yield
    except ConceptError as error:
        raise ConceptError(f"{path!r} was not written. {error}") from error


def check_size(change: Change) -> None:
    """Refuse a change that makes a file too large to be read.

    Raises:
        ArgumentError: It does.
    """
    if len(change.after) > MAX_DOCUMENT_BYTES:
        raise ArgumentError(
            f"{change.path!r} would have {len(change.after):,} bytes, and no more than "
            f"{MAX_DOCUMENT_BYTES:,} are read; divide it."
        )
