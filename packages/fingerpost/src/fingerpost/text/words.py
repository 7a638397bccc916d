"""Words for search: the same cut for what is indexed and what is asked.

A word is a run of letters and digits; everything else separates. Chinese and Japanese run without blanks, so
their text is indexed as single characters and as overlapping pairs, and asked for as pairs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fingerpost.text.folding import fold

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+)")

STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be been before but by can could d did do does for from
    get had has have he her his how i if in into is it its just let ll m may me might my no not of on or
    our out re s shall she should so some such t tell than that the their them then there these they
    this those to under up us ve was we were what when where which while who whom whose why will with
    would you your explain find give please show

    aber als am an auch auf aus bei bin bis das dass dem den der des die ein eine einem einen einer
    eines er es fur hat ich im in ist kann man mein mit nach nicht noch oder sich sie sind uber um und
    uns vom von war was wenn wer wie wir wird wo zu zum zur

    ان او اي الي التي الذي ثم عن علي في قد كل كم كيف لا لم لن ليس ما متي من منذ هذا هذه هل هم هو هي و يا
    """.split()
)
"""Words that carry no subject, in English, German and Arabic (folded)."""


def query_words(text: str) -> list[str]:
    """The words that a query asks for: folded, no repeats, stop words only when there is nothing else.

    Args:
        text: What was typed; quotes and operators are separators, never syntax.

    Returns:
        Folded words in the order typed.
    """
    found = list(dict.fromkeys(_words(text, singles=False)))
    return [word for word in found if word not in STOP_WORDS] or found


def indexed_words(text: str) -> list[str]:
    """Every word of a document's text, folded, repeats and stop words kept.

    Args:
        text: A field or a body.

    Returns:
        Folded words in reading order.
    """
    return list(_words(text, singles=True))


def _words(text: str, *, singles: bool) -> Iterator[str]:
    for run in _WORD.findall(fold(text)):
        if run.isascii() or not _UNSPACED.search(run):
            yield run
            continue
        for position, part in enumerate(_UNSPACED.split(run)):
            if position % 2 == 0:
                if part:
                    yield part
                continue
            if singles or len(part) == 1:
                yield from part
            yield from (part[start : start + 2] for start in range(len(part) - 1))
