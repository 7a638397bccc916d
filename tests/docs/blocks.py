"""The fenced blocks of a Markdown page, and a program that runs its Python ones: `python blocks.py PAGE`.

A reader goes through a page from the top, so its Python blocks run in that order in one process and one
namespace, in a fresh folder. A comment right before a fence says more about the block:

    <!-- needs: model -->   it needs something that is not here (a model, an account): it is only compiled
    <!-- output -->         it is what the Python block before it prints; "..." stands for anything
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"(?P<indent> *)(?P<mark>`{3,}|~{3,})(?P<language>[\w+-]*).*")
COMMENT = re.compile(r"\s*<!--\s*(?P<text>.*?)\s*-->\s*")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block.

    Attributes:
        language: The first word after the fence, "" when there is none.
        code: The content without the indentation of the fence.
        line: Line of the page on which the content starts, from 1.
        comment: Text of the HTML comment on the line before the fence, "" when there is none.
    """

    language: str
    code: str
    line: int
    comment: str


def blocks(page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    found: list[Block] = []
    lines = page.splitlines()
    number = 0
    while number < len(lines):
        opening = FENCE.fullmatch(lines[number])
        number += 1
        if opening is None:
            continue
        comment = COMMENT.fullmatch(lines[number - 2]) if number > 1 else None
        start = number
        while number < len(lines) and not is_closing(lines[number], opening["mark"]):
            number += 1
        code = textwrap.dedent("\n".join(lines[start:number])) + "\n"
        found.append(Block(opening["language"], code, start + 1, comment["text"] if comment else ""))
        number += 1
    return found


def is_closing(line: str, mark: str) -> bool:
    """Whether a line closes the fence that `mark` opened."""
    return line.strip().startswith(mark) and not line.strip().strip(mark[0])


def run_page(path: Path) -> list[str]:
    """Run the Python blocks of a page.

    Returns:
        One sentence for each output that differs from what the page promises.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    printed: str | None = None
    differences: list[str] = []
    for block in blocks(path.read_text(encoding="utf-8")):
        where = f"{path.name}:{block.line}"
        if block.language == "python":
            code = compile("\n" * (block.line - 1) + block.code, str(path), "exec")
            if block.comment.startswith("needs:"):
                printed = None
                continue
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(code, namespace)
            printed = output.getvalue()
        elif block.comment == "output":
            if printed is None:
                differences.append(f"{where}: this output follows no Python block that ran.")
            elif not doctest.OutputChecker().check_output(block.code, printed, doctest.ELLIPSIS):
                differences.append(f"{where}: the block before printed:\n{printed}")
    return differences


def main(path: Path) -> int:
    """Run a page in a fresh folder and report."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        differences = run_page(path)
        os.chdir("/")
    print(*differences, sep="\n", end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
