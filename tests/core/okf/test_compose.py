"""A new concept says what it was given, to every reader."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import yaml

from fingerpost.errors import ConceptError
from fingerpost.okf.compose import compose
from fingerpost.okf.document import read_document
from fingerpost.okf.edit_body import body_text
from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_text import BYTES_CAP, Value
from tests.core.okf.written import AWKWARD, concepts_with_fields, random_value, values_of


def test_a_concept_as_it_is_written() -> None:
    fields: dict[str, Value] = {
        "type": "Policy",
        "title": "Refunds: how and when",
        "description": 'It\'s "final".',
        "tags": ["finance", "a, b", "no"],
        "generated": {"by": "human:ana", "at": "2026-01-31T10:00:00Z"},
        "sources": [{"resource": "https://x.example/y?z=1", "title": "Handbook"}, {"resource": "/a.md"}],
        "text": "a\nb\n",
        "none": None,
        "empty": [],
        "x": {"y": {"z": ["1"]}},
    }
    assert (
        compose(fields, "# Refunds\r\n\r\nText.").decode()
        == """\
---
type: Policy
title: "Refunds: how and when"
description: It's "final".
tags: [finance, "a, b", "no"]
generated:
  by: human:ana
  at: "2026-01-31T10:00:00Z"
sources:
  - resource: https://x.example/y?z=1
    title: Handbook
  - resource: /a.md
text: "a\\nb\\n"
none: null
empty: []
x:
  "y":
    z: ["1"]
---

# Refunds

Text.
"""
    )


@pytest.mark.parametrize("text", [text for text in AWKWARD if "\ufdd0" not in text])
def test_awkward_texts_come_back_in_every_reader(text: str) -> None:
    fields: dict[str, Value] = {
        "type": text,
        "l": [text, "b"],
        "m": {"k": text},
        "s": [{"k": text, "l": [text]}],
    }
    data = compose(fields, "x")
    assert values_of(data) == fields
    assert list(values_of(data)) == list(fields)
    assert yaml.safe_load(data.decode().partition("---\n")[2].partition("\n---\n")[0]) == fields
    assert [found.code for found in open_text(data).findings] == []


def test_what_needs_no_quotes_has_none() -> None:
    plain = [
        "two words",
        "human:a@b",
        "x/1",
        "über",
        "日本語",
        "a#b",
        "a - b",
        "1.2.3",
        "v2",
        "it's",
        "(x)",
        "yes!",
    ]
    for text in plain:
        assert compose({"type": text}, "").decode() == f"---\ntype: {text}\n---\n"


def test_values_of_any_shape_come_back() -> None:
    rng = random.Random(4)
    for _ in range(1500):
        fields = {key: random_value(rng) for key in rng.sample("abcdefgh", rng.randrange(6))}
        assert values_of(compose(fields, "body")) == fields


def test_every_public_concept_can_be_written_anew(corpus: Path) -> None:
    for data in concepts_with_fields(corpus):
        opened = open_text(data)
        written = compose(values_of(data), opened.body)
        assert values_of(written) == values_of(data)
        assert body_text(open_text(written).body) == body_text(opened.body)
        assert compose(values_of(written), open_text(written).body) == written


@pytest.mark.parametrize(
    "body", ["---\n\na rule", "---", "a\n---\nb: c\n---\n", "x\x85y\u2028z", "  code", ""]
)
def test_a_body_comes_back(body: str) -> None:
    document = read_document(compose({"type": "x"}, body), "x.md")
    assert document.is_concept
    assert document.body == (f"\n{body.rstrip()}\n" if body else "")


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(ConceptError, match="begins with a frontmatter block"):
        compose({"type": "x"}, "---\ntype: y\n---\n")
    with pytest.raises(
        ConceptError, match=r"`type` would not be read as it is given\. The frontmatter has more"
    ):
        compose({"type": "x" * BYTES_CAP}, "")
    with pytest.raises(ConceptError, match="`type` holds half of a character"):
        compose({"type": "\udc00"}, "")
    with pytest.raises(ConceptError, match="holds half of a character"):
        compose({"\udc00": "x"}, "")
    with pytest.raises(ConceptError, match="half of a character"):
        compose({"type": "x"}, "\udc00")


def test_of_fields_that_are_too_much_together_the_longest_is_named() -> None:
    fields: dict[str, Value] = {"type": "Note", "quote": "x" * BYTES_CAP, "title": "Refunds"}
    with pytest.raises(ConceptError, match=r"`quote` would not be read as it is given\. .*Make it shorter"):
        compose(fields, "")
