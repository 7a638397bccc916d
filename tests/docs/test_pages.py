"""What the pages promise is so: their commands and links exist, and what checks their Python works."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.blocks import run_page
from tests.docs.pages import PAGES, ROOT, blocks_of
from tests.repo.sources import run_script

LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")
SHELLS = {"sh", "bash", "shell", "console"}


def without_code(text: str) -> str:
    without_blocks = re.sub(r"^( *)(```+).*?^ *\2$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "", without_blocks)


@pytest.mark.parametrize("page", PAGES)
def test_every_run_command_on_a_page_exists(page: str) -> None:
    commands = run_script().COMMANDS
    named = [
        line.split("./run", 1)[1].split()[0]
        for block in blocks_of(page)
        if block.language in SHELLS
        for line in block.code.splitlines()
        if re.match(r"(\$ )?\./run \w", line)
    ]
    assert [name for name in named if name not in commands] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_on_a_page_leads_to_a_file(page: str) -> None:
    text = without_code((ROOT / page).read_text(encoding="utf-8"))
    targets = [match["target"] for match in LINK.finditer(text)]
    files = [target.split("#")[0] for target in targets if not re.match(r"[a-z]+:|#", target)]
    assert [file for file in files if not (ROOT / page).parent.joinpath(file).exists()] == []


@pytest.mark.parametrize("page", ["README.md", "docs/differences.md"])
def test_the_pages_that_a_reader_looks_for_are_there(page: str) -> None:
    assert page in PAGES


def run_text(tmp_path: Path, text: str) -> list[str]:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    return run_page(page)


def test_a_promised_output_that_differs_is_reported_with_its_line(tmp_path: Path) -> None:
    text = "```python\nprint(6 * 7)\n```\n\n<!-- output -->\n```text\n41\n```\n"
    assert run_text(tmp_path, text) == ["page.md:7: the block before printed:\n42\n"]


def test_a_promised_output_that_agrees_is_accepted_also_with_dots(tmp_path: Path) -> None:
    text = (
        "```python\nprint('at', object())\n```\n\n<!-- output -->\n```text\nat <object object at ...>\n```\n"
    )
    assert run_text(tmp_path, text) == []


def test_later_blocks_of_a_page_see_the_names_of_earlier_ones(tmp_path: Path) -> None:
    text = "```python\nanswer = 42\n```\n\n  ```python\n  print(answer)\n  ```\n"
    assert run_text(tmp_path, text + "\n<!-- output -->\n```text\n42\n```\n") == []


def test_a_block_that_needs_a_model_is_compiled_and_not_run(tmp_path: Path) -> None:
    assert run_text(tmp_path, "<!-- needs: model -->\n```python\nraise SystemExit('ran')\n```\n") == []
    with pytest.raises(SyntaxError):
        run_text(tmp_path, "<!-- needs: model -->\n```python\nnot python at all\n```\n")


def test_a_failing_block_names_the_line_of_the_page(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run_text(tmp_path, "Text.\n\n```python\n1 / 0\n```\n")
    assert caught.traceback[-1].lineno == 3  # counted from 0
