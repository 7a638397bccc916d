"""The table on the page of rules is the one that the command prints."""

from __future__ import annotations

import re
from pathlib import Path

from fingerpost.cli.validate import rules_table
from fingerpost.okf.rules import RULES

BEGIN, END = "<!-- rules: begin -->\n", "<!-- rules: end -->\n"
REGENERATE = "put what `./run cli validate --rules` prints between the two comments of docs/rules.md"


def test_the_page_holds_the_table_of_all_rules(repository: Path) -> None:
    page = (repository / "docs" / "rules.md").read_text(encoding="utf-8")
    table = page.partition(BEGIN)[2].partition(END)[0]
    assert table == rules_table() + "\n", REGENERATE


def test_the_table_has_a_row_of_seven_cells_for_each_rule() -> None:
    rows = [re.split(r"(?<!\\)\|", line) for line in rules_table().splitlines()[2:]]
    assert [row[1].strip() for row in rows] == list(RULES)
    assert {len(row) for row in rows} == {9}
