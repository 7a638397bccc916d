"""Texts that tell whether all of them is there: each line holds its hash, its place and their number."""

from __future__ import annotations

import hashlib
import random
import re

from tests.durability.history import WORDS

_LINE = re.compile(r"part-([0-9a-f]{12}) (.+)")
_SAYS = re.compile(r"(\d+)/(\d+) ")


def digest(data: bytes) -> str:
    """What tells a content from any other."""
    return hashlib.sha256(data).hexdigest()[:24]


def whole_text(dice: random.Random, lines: int) -> str:
    """A text of some lines."""
    return "".join(f"{whole_line(dice, number, lines)}\n" for number in range(1, lines + 1))


def whole_line(dice: random.Random, number: int = 1, lines: int = 1) -> str:
    """One line of a text, or a text of one."""
    said = f"{number}/{lines} {' '.join(dice.choices(WORDS, k=6))} {dice.getrandbits(64):x}"
    return f"part-{digest(said.encode())[:12]} {said}"


def torn(data: bytes) -> str:
    """What is torn in a file that holds one such text or several after each other, "" when none is."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return f"no text from byte {error.start} on"
    expected = (1, 0)
    for line in text.splitlines():
        found = _LINE.search(line)
        if found is None and ("part-" in line or "\0" in line):
            return f"half a line, {line[:80]!r}"
        if found is None:  # what the writer of bundles has put around them
            continue
        says = _SAYS.match(found[2])
        if found[1] != digest(found[2].encode())[:12] or says is None:
            return f"a line that is not what it was, {line[:80]!r}"
        number, lines = int(says[1]), int(says[2])
        if number != expected[0] or (number > 1 and lines != expected[1]):
            return f"line {number} of {lines} where {expected} was to come"
        expected = (number + 1, lines) if number < lines else (1, 0)
    if expected != (1, 0):
        return f"it ends before line {expected[0]} of {expected[1]}"
    return "" if "part-" in text else f"nothing in {len(data)} bytes"
