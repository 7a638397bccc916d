"""The lines of a text by offset, whatever they end with."""

from __future__ import annotations

from bisect import bisect_right

from fingerpost.okf.yaml_problems import LINE_END


class Lines:
    """A text by lines.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in LINE_END.finditer(text))]

    def number(self, offset: int) -> int:
        """The line of a character, from 0."""
        return bisect_right(self.starts, offset) - 1

    def place(self, number: int) -> int:
        """Offset of a line; the end of the text for the one after the last."""
        return self.starts[number] if number < len(self.starts) else len(self.text)

    def start(self, offset: int) -> int:
        """Offset of the first character of the line."""
        return self.starts[self.number(offset)]

    def after(self, offset: int) -> int:
        """Offset of the line below."""
        return self.place(self.number(offset) + 1)

    def column(self, offset: int) -> int:
        """How many characters stand before this one in its line."""
        return offset - self.start(offset)
