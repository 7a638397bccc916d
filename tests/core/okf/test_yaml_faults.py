"""What is said of YAML that cannot be read: plain words and a cure, whichever parser refused it."""

import pytest
import yaml

from fingerpost.okf import yaml_text
from fingerpost.okf.frontmatter import parse
from fingerpost.records import Finding


def refused(block: str) -> Finding:
    frontmatter, findings = parse(block, 2)
    assert frontmatter is None
    assert len(findings) == 1
    return findings[0]


TAB = "Replace the tab by blanks, as many as the lines beside it have."
UNCLOSED = "and the quoted part does not end where the value ends."
UNCLOSED_LIST = (
    "The value of `type` starts with [, which opens a list in YAML; it is not closed, lacks a comma, or text "
    "follows it."
)
FAULTS = (
    (
        "type: x\ntags:\n\t- a\n",
        "At `tags`, a tab indents this line, and YAML indents with blanks alone.",
        TAB,
    ),
    ("\ttype: x\n", "At `type`, a tab indents this line, and YAML indents with blanks alone.", TAB),
    ("a:\n  \tb: c\n", "At `b`, a tab indents this line, and YAML indents with blanks alone.", TAB),
    (
        "type: [a, b\ntitle: x\n",
        UNCLOSED_LIST,
        "Close the list with ], with commas between its entries; or put the value in quotes if it is text.",
    ),
    (
        "title: 'it's'\n",
        f"The value of `title` starts with a single quote, {UNCLOSED}",
        "Close the quotes at the end of the value, and write each single quote within them twice.",
    ),
    (
        'title: "a" b\n',
        f"The value of `title` starts with a double quote, {UNCLOSED}",
        'Close the quotes at the end of the value, and write each double quote within them as \\".',
    ),
    ("@a: b\n", "The key `@a` starts with @, which YAML reserves.", "Put the key in quotes."),
    ("a: `b`\n", "The value of `a` starts with `, which YAML reserves.", "Put the value in quotes."),
    ("a: [b, @c]\n", "A part of `a` starts with @, which YAML reserves.", "Put the value in quotes."),
    (
        "a: b\n%c: d\n",
        "At `%c`, a line that starts with % is a directive in YAML and has no place here.",
        "Remove the line, or put its key in quotes.",
    ),
    (
        "type: x\ntitle:y\n",
        "The line is no `key: value` line; a colon and a blank have to follow the key.",
        "Write it as `key: value`, or indent it if it goes on with the value above.",
    ),
    (
        " a: b\nc: d\n",
        "At `c`, the line is indented less than the first one.",
        "Indent the line with blanks exactly like the other lines of its mapping or list.",
    ),
    (
        "a:\n    b: c\n  d: 'e'\n",
        "At `d`, the indentation fits nothing above.",
        "Indent the line with blanks exactly like the other lines of its mapping or list.",
    ),
    (
        "a: x\n  b: -5\n",
        "At `b`, a colon stands where YAML expects none.",
        "Indent the line like the keys beside it, or put the value in quotes if the colon belongs to it.",
    ),
    (
        "a: b\n- c\n",
        "At `a`, a list entry stands where YAML expects none.",
        "Indent it like the other entries of its list, or start the list below a key without a value.",
    ),
    ("a: b\n}\n", "At `a`, a bracket closes what was not opened.", "Remove the bracket."),
    ("a: ? b\n", "The value of `a` starts with ?, which is a key in YAML.", "Put the value in quotes."),
    ("a: *b\n", "*b repeats an anchor &b that does not exist.", "Put the value in quotes."),
    (
        "a: {{b}}\n",
        "In `a`, a mapping stands where a key has to be text.",
        "Put a placeholder such as {{date}} in quotes.",
    ),
    ("a: x\x00\n", "The character U+0000 in `a` cannot stand in YAML.", "Remove the character."),
)


@pytest.mark.parametrize("with_libyaml", [True, False])
@pytest.mark.parametrize(("block", "reason", "cure"), FAULTS)
def test_a_yaml_fault_has_plain_words_and_a_cure_of_its_own_with_either_parser(
    block: str, reason: str, cure: str, with_libyaml: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", with_libyaml and yaml.__with_libyaml__)
    yaml_text._engine.cache_clear()  # pyright: ignore[reportPrivateUsage]
    try:
        found = refused(block)
    finally:
        yaml_text._engine.cache_clear()  # pyright: ignore[reportPrivateUsage]
    assert (found.code, found.reason, found.cure) == ("OKF103", reason, cure)


def test_a_directive_is_reported_on_its_own_line() -> None:
    found = refused("%YAML 1.2\na: b\n")
    assert (found.line, found.column) == (2, 1)
    assert found.reason == "A line that starts with % is a directive in YAML and has no place here."
