"""The process in which documents are prepared for another one: what it runs, and how the two speak.

Its standard input is a connection to the process that has started it. It says what it is, is told a sample,
and answers each batch of documents that it is given. It has nothing else to say: where it fails, it ends.
"""

from __future__ import annotations

import _thread
import gc
import marshal
import os
import struct
import sys
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, BinaryIO

from fingerpost.catalog.base import Entry
from fingerpost.catalog.documents import Indexed, Sample, Stored, prepare
from fingerpost.catalog.filling import Prepared

_LENGTH = struct.Struct("<I")  # before each message
_SECONDS_BETWEEN_LOOKS = 0.5


def greeting() -> bytes:
    """What is said first, in one line: the interpreter and the package, which are the same on both sides."""
    version: str = import_module("fingerpost").__version__
    return f"{(sys.version, version, __file__)!r}\n".encode()


def command() -> list[str]:
    """The command that starts the process. It has the modules of Python and this package, and no others."""
    program = f"import sys; sys.path.append(sys.argv[1]); import {__name__} as apart; apart.main()"
    folder = __file__.rsplit(os.sep, 3)[0]
    return [sys.executable, "-I", "-S", "-B", "-c", program, folder, str(os.getpid())]


def main() -> None:
    """Prepare what comes, until the connection or the process at its other end is closed."""
    gc.disable()  # nothing that is made here refers to itself
    _thread.start_new_thread(_end_with, (int(sys.argv[2]),))
    with open(0, "rb") as asked, open(0, "wb", closefd=False) as answers:
        answers.write(greeting())
        answers.flush()
        sample = Sample(*received(asked))
        while True:
            documents = [prepare(Entry(*fields), sample) for fields in received(asked)]
            answers.write(message([(tuple(stored), tuple(indexed)) for stored, indexed in documents]))
            answers.flush()


def _end_with(parent: int) -> None:
    """End when the parent does; the connection alone does not tell, where the parent has forked others."""
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os._exit(1)


def batch_message(batch: Sequence[Entry]) -> bytes:
    """Documents as they are sent.

    Raises:
        ValueError: One holds what is neither text nor a number.
    """
    return message([(*entry[:3], dict(entry.facets), dict(entry.ordered), *entry[5:]) for entry in batch])


def documents_of(answer: Any) -> list[Prepared]:
    """The documents of an answer.

    Raises:
        TypeError: It is none.
        ValueError: It is none, either.
    """
    return [(Stored._make(stored), Indexed._make(indexed)) for stored, indexed in answer]


def message(content: Any) -> bytes:
    """Plain values as they are sent."""
    data = marshal.dumps(content)
    return _LENGTH.pack(len(data)) + data


def received(connection: BinaryIO) -> Any:
    """The next values that were sent.

    Raises:
        EOFError: The other side is gone.
        ValueError: It has sent something else.
    """
    length = connection.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        raise EOFError("it has ended")
    return marshal.loads(connection.read(*_LENGTH.unpack(length)))  # noqa: S302 - of the same program
