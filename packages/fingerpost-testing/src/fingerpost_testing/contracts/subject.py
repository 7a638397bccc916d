"""The knowledge base that a contract is about: how it is made, filled and asked."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from fingerpost import KnowledgeBase, Record
from fingerpost_testing.contracts.contract import Contract
from fingerpost_testing.contracts.demands import broken, demand, is_a, left_out, shown
from fingerpost_testing.contracts.rows import id_of, metadata_of, text_of, titled, written
from fingerpost_testing.contracts.samples import SAMPLES, SHARED_WORD, UNKNOWN_WORD, Sample

METHODS = {"search": "search", "query": "query", "fetch": "fetch", "browse": "browse", "write": "writable"}
"""The field of the capabilities that declares each method."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A knowledge base that holds the samples.

    Attributes:
        base: The knowledge base.
        ids: What each sample is fetched by, by its word.
    """

    base: KnowledgeBase
    ids: Mapping[str, str]

    def is_about(self, row: Record, sample: Sample) -> bool:
        """Whether a row is the record of a sample: by its id, or by the word that no other has."""
        return (id_of(row) or None) == self.ids[sample.word] or sample.word in text_of(row)


class KnowledgeBaseSubject(Contract, ABC):
    """What a contract has to know of a knowledge base: `make` alone where it can be written.

    Attributes:
        samples: The records that it holds during the tests. They are stored, or, where it holds what it
            holds, they say what there is.
        shared_word: A word that stands in every sample.
        unknown_word: A word that stands nowhere.
        keeps: The keys of metadata that come back as they were stored. "tags" and "links" have lists and
            mappings within.
        picks_by_declaration: Whether a check of what is not declared is left out. Else it is an error.
    """

    samples: ClassVar[Sequence[Sample]] = SAMPLES
    shared_word: ClassVar[str] = SHARED_WORD
    unknown_word: ClassVar[str] = UNKNOWN_WORD
    keeps: ClassVar[Sequence[str]] = ("title", "source")
    picks_by_declaration: ClassVar[bool] = False

    @abstractmethod
    def make(self) -> KnowledgeBase:
        """A new knowledge base with nothing in it. `self.folder` is there for its files."""

    def seed(self, base: KnowledgeBase, records: Sequence[Record]) -> Iterable[Record] | None:
        """Put the records into a knowledge base: by `write`, unless this says how else.

        Args:
            base: What `make` made.
            records: The records. Where they have ids, they are to be fetched by these.

        Returns:
            What was written, with ids, where these are others than in the records.
        """
        if not base.capabilities.writable:
            broken(
                f"The records to look for cannot be stored, because the {titled(base)} does not declare "
                "writable; override seed(base, records) to store them in another way."
            )
        self.applies(base, "writable", "write")
        return written(base, records)

    def statement(self, word: str) -> str:
        """A statement that finds the records whose text has a word; to be said where `query` is declared.

        Args:
            word: The word.
        """
        broken(
            "query is declared, but there is no statement to check it with; override statement(word) to "
            f"return one that finds the records with a word such as {word!r} in their text."
        )

    def browse_path(self, sample: Sample) -> str:
        """The path below which `browse` lists a sample, "" for the top.

        Args:
            sample: The sample.
        """
        del sample
        return ""

    @property
    def records(self) -> list[Record]:
        """The records of the samples as they are stored: with ids, and with what is kept of the rest."""

        def kept(metadata: Mapping[str, Any]) -> dict[str, Any]:
            return {key: value for key, value in metadata.items() if key == "id" or key in self.keeps}

        return copy.deepcopy(
            [{"text": sample.text, "metadata": kept(sample.record["metadata"])} for sample in self.samples]
        )

    def made(self) -> KnowledgeBase:
        """What `make` makes, to be closed after the test."""
        base = self.make()
        demand(is_a(base, KnowledgeBase), f"make() returned {base!r}; return a KnowledgeBase.")
        return self.closed_later(base)

    def filled(self) -> Filled:
        """A knowledge base that holds the samples."""
        base, records = self.made(), self.records
        given = [id_of(record) for record in records]
        stored = [id_of(row) for row in self.seed(base, records) or ()]
        ids = [new or old for new, old in zip(stored or given, given, strict=False)]
        return Filled(base, dict(zip([sample.word for sample in self.samples], ids, strict=False)))

    def offering(self, operation: str) -> Filled:
        """A knowledge base that holds the samples and does an operation.

        Args:
            operation: The operation, such as "search".
        """
        filled = self.filled()
        self.applies(filled.base, METHODS[operation], operation)
        return filled

    def applies(self, base: KnowledgeBase, declaration: str, member: str) -> None:
        """Leave a check out whose capability is not declared; demand that one which is declared is there.

        Args:
            base: The knowledge base.
            declaration: The field of its capabilities.
            member: What implements it.

        Raises:
            SkipTest: It is not declared, and checks are picked by what is declared.
        """
        if not getattr(base.capabilities, declaration):
            sentence = f"the {titled(base)} does not declare {declaration}"
            if self.picks_by_declaration:
                left_out(sentence)
            broken(f"The contract of {declaration} is not for this one, because {sentence}; declare it.")
        demand(
            implements(base, member),
            f"The {titled(base)} declares {declaration} and has no {member}(); write it, or do not declare "
            "it.",
        )

    def check_kept(self, base: KnowledgeBase, operation: str, row: Record, sample: Sample) -> None:
        """Demand that the metadata of a row has what was stored under the keys that are kept.

        Args:
            base: The knowledge base.
            operation: What gave the row.
            row: The row.
            sample: What was stored.
        """
        __tracebackhide__ = True
        stored, found = sample.record["metadata"], metadata_of(row)
        for key in self.keeps:
            demand(
                key not in stored or found.get(key) == stored[key],
                f"{operation}() of the {titled(base)} gave {shown(found.get(key))} as the {key} of a record "
                f"that was stored with {shown(stored.get(key))}; keep metadata as it is, or list in `keeps` "
                "what is kept.",
            )


def implements(base: KnowledgeBase, member: str) -> bool:
    """Whether a knowledge base has a method of its own in place of the one that is there for all."""
    return getattr(type(base), member, None) is not getattr(KnowledgeBase, member)


def operations_of(base: KnowledgeBase) -> list[str]:
    """The operations that are declared and there."""
    return [operation for operation in base.capabilities.operations if implements(base, operation)]
