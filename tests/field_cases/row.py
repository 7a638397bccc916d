"""What is known of one field case."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """What is known of one field case.

    Attributes:
        elsewhere: Tests in other folders, as "file below tests/::function".
        left_open: What no test asserts yet, and why; "" for nothing.
    """

    elsewhere: tuple[str, ...] = ()
    left_open: str = ""


def at(file: str, *functions: str) -> tuple[str, ...]:
    return tuple(f"{file}::{function}" for function in functions)
