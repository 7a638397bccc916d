"""Forms: which words are one word inflected. It is for matching, ranked below the word as it was typed.

The rules are light. They take off what plurals and verbs add in English, what cases add in German, plurals
in French and Spanish, the article in Arabic and particles in Korean, and read ae, oe and ue as umlauts. No
language is guessed: each rule is one that does little harm in the other languages. Where a rule would take
two common words for one, a table says otherwise.

`docs/languages.md` is the table of every rule, with what it must not conflate; a test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from string import ascii_lowercase

_SHORTEST = 4

# Words that the rules would change and that stay as they are, with all their own forms.
_KEPT = """
    accounting alias always atlas bias binge canvas collagen corps corpse coupe customs does embed evening
    fasten finale fluchtling goods guess guest guide hasten heaven heroine https humane kurs lehrling lens
    lessen listen locale maiden marketing mars morale news paste pollen premiere rationale regimen severe
    silicone suite unite vigilante warden zins
    والدين ثلاثين ثلاثون اربعين اربعون ثمانين ثمانون
""".split()
# Forms that no rule finds, by the word that they are forms of.
_IRREGULAR_OF = {
    "agree": "agreed",
    "analyse": "analysis",
    "api": "apis",
    "break": "broken",
    "build": "built",
    "bus": "buses",
    "buy": "bought",
    "cancel": "cancellation",
    "child": "children",
    "choose": "chose chosen",
    "crise": "crisis",
    "criterion": "criteria",
    "diagnose": "diagnosis",
    "free": "freed",
    "freeze": "frozen",
    "fuel": "fuelled fuelling",
    "gas": "gases",
    "give": "given",
    "guarantee": "guaranteed",
    "guide": "guided guiding",
    "half": "halves",
    "hide": "hidden",
    "hold": "held",
    "hypothese": "hypothesis",
    "index": "indices",
    "install": "installation",
    "keep": "kept",
    "kpi": "kpis",
    "make": "made",
    "matrix": "matrices",
    "menu": "menus",
    "paste": "pasted pasting",
    "pay": "paid",
    "quiz": "quizzes",
    "sell": "sold",
    "send": "sent",
    "shelf": "shelves",
    "spend": "spent",
    "steal": "stolen",
    "take": "taken",
    "taxi": "taxis",
    "unite": "united uniting",
    "uri": "uris",
    "use": "used using",
    "vertex": "vertices",
    "withdraw": "withdrawn",
    "woman": "women",
    "write": "written wrote",
    "بيان": "بيانات",
    "حساب": "حسابات",
    "خيار": "خيارات",
    "طلب": "طلبات",
    "قرار": "قرارات",
    "متطلب": "متطلبات",
    "مرتجع": "مرتجعات",
    "مستند": "مستندات",
    "ملف": "ملفات",
    "منتج": "منتجات",
    "والدين": "الوالدين للوالدين",
}

_VOWELS = "aeiouy"
_ADDS_ES = ("ches", "shes", "sses", "xes", "zzes")
_DOUBLED = "bdgmnprt"
# A stem of one short syllable. With one consonant behind it, it has lost an e: clos-, not-, blu-.
_SHORT_STEM = re.compile(rf"y?(?:qu|[^{_VOWELS}])*(?:[{_VOWELS}][^{_VOWELS}wx]|u)")
_TWO_SYLLABLES = re.compile(rf"[{_VOWELS}][^{_VOWELS}]+[{_VOWELS}]")
_HAS_VOWEL = re.compile(rf"[{_VOWELS}]")
_UMLAUT = re.compile(r"(?<![aeiouq])(?:a(?=e[^aeio])|o(?=e[^aeiou])|u(?=e[^aeiou]))e")
# Arabic nouns of action, such as تعديل and إعلان, which make their plural in ات without a singular in ة.
_NOUN_OF_ACTION = re.compile("ت..ي.|ا(?!ست.ا.$)..+ا.")
_ARTICLE = re.compile("(?:[وف]?(?:[بك]?ال|لل))+(?=...)")
_TAKEN_OFF = "وفبكال"  # what an article, with what is written with it, starts with
_PARTICLES = re.compile("(?<=..)(?:에서|에게|한테|으로|부터|까지|[을를은는이가의에도와과로])+$")


def form_key(word: str) -> str:
    """The key under which all forms of a word meet.

    Two words are forms of one word exactly when their keys are equal. A key is not for reading, and need not
    be a word itself.

    Args:
        word: A folded word.

    Returns:
        The key; the word itself when it is short, holds digits, or is in a language without rules.
    """
    if len(word) < _SHORTEST:
        return _PARTICLES.sub("", word) if "가" <= word[-1:] <= "힣" else word
    if not word.isalpha():
        return word
    if word.isascii():
        return _latin(word)
    if "ء" <= word[0] <= "ي":
        return _arabic(word)
    return _PARTICLES.sub("", word) if "가" <= word[-1] <= "힣" else word


def key_starts(words: Iterable[str]) -> list[str]:
    """What the keys of words start with, in most languages found without making the keys.

    Args:
        words: Folded words.

    Returns:
        The start for each word: one of those that `starts_of` gives for its key.
    """
    return [_start((form_key(word) if word[:1] in _TAKEN_OFF else word)[:3]) for word in words]


def starts_of(key: str) -> tuple[str, ...]:
    """What `key_starts` gives for the words of a key.

    Args:
        key: What `form_key` gave.
    """
    return (_start(key[:3]), *_OTHER_STARTS.get(key, ()))


@lru_cache(1 << 12)
def _start(three: str) -> str:
    """The first two of three letters, with what the rules change in them read as one."""
    start = three.replace("y", "i")
    has_umlaut = start[1:2] == "e" and start[0] in "aou" and start[2:].isalpha() and start.isascii()
    return start[0] + start[2] if has_umlaut else start[:2]


def _latin(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for last_letters, step in _STEPS_OF[word[-1]]:
        if word[-1] in last_letters:
            shorter = step(word)
            if shorter is not word and shorter in _IRREGULAR:
                return _IRREGULAR[shorter]
            word = shorter
    return word


def _steps_of(last_letter: str) -> tuple[_Step, ...]:
    """The steps that may change a word with some last letter.

    They are all from the first that looks for that letter on, since it may leave another one at the end, and
    that of umlauts, which leaves it as it is.
    """
    taken = [last_letter in letters and step is not _without_umlaut_spelling for letters, step in _STEPS]
    first = taken.index(True) if any(taken) else len(_STEPS)
    return tuple(
        step for place, step in enumerate(_STEPS) if place >= first or step[1] is _without_umlaut_spelling
    )


def _without_plural(word: str) -> str:
    """Policies to polici, boxes to box, refunds to refund; status, class and basis stay."""
    if word[-2] in "siu":
        return word
    if word.endswith(_ADDS_ES) or (len(word) > _SHORTEST and word.endswith("ies")):
        return word[:-2]
    return word[:-2] if len(word) > 5 and word.endswith("oes") else word[:-1]


def _without_verb_ending(word: str) -> str:
    """Stopped to stop, closing to close, required to requir; need, string and being stay."""
    if word.endswith("ing"):
        stem = word[:-3]
    elif word[-2] == "e" and word[-3] != "e":
        stem = word[:-2]
    else:
        return word
    if len(stem) < 3 or not _HAS_VOWEL.search(stem):
        return word
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in _DOUBLED:
        return stem[:-1]
    return _with_silent_e(stem)


def _without_umlaut_spelling(word: str) -> str:
    """Kuendigung to kundigung; poet, value and neue stay."""
    if len(word) > _SHORTEST and ("ue" in word or "oe" in word or "ae" in word):
        return _UMLAUT.sub(_first_letter, word)
    return word


def _first_letter(match: re.Match[str]) -> str:
    return match[0][0]


def _without_case(word: str) -> str:
    """Fristen to frist, klagen to klage, regeln to regel; token and sixteen stay."""
    if len(word) < 6:
        return word
    if word.endswith("en") and word[-3] != "e":
        return _with_silent_e(word[:-2])
    return word[:-1] if word.endswith("eln") else word


def _without_last_letter(word: str) -> str:
    """Require to requir, policy to polici, install to instal; close, free, day and fill stay."""
    if len(word) < _SHORTEST:
        return word[:-1] + "y" if word[-1] == "i" else word  # tri- of tried
    if word[-1] == "e" and word[-2] != "e" and not _SHORT_STEM.fullmatch(word, 0, len(word) - 1):
        word = word[:-1]
    if word[-1] == "y":
        return word if word[-2] in _VOWELS else word[:-1] + "i"
    if word.endswith(("ll", "mm")):
        return word[:-1] if _TWO_SYLLABLES.search(word) else word
    return word[:-1] if word.endswith("niss") else word


def _with_silent_e(stem: str) -> str:
    return stem + "e" if _SHORT_STEM.fullmatch(stem) else stem


def _arabic(word: str) -> str:
    """Without the article and what is written with it; plurals in ات, ون and ين as their singular."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    article = _ARTICLE.match(word)
    stem = word[article.end() :] if article else word
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    if len(stem) >= 5 and stem.endswith("ات"):
        return stem[:-2] if _NOUN_OF_ACTION.fullmatch(stem, 0, len(stem) - 2) else stem[:-2] + "ه"
    return stem[:-2] if len(stem) >= 6 and stem.endswith(("ون", "ين")) else stem


_Step = tuple[str, Callable[[str], str]]
_STEPS: tuple[_Step, ...] = (
    ("s", _without_plural),
    ("dg", _without_verb_ending),
    (ascii_lowercase, _without_umlaut_spelling),
    ("n", _without_case),
    ("eilmsy", _without_last_letter),
)
"""What is taken off, in this order, from words with one of these last letters."""
_STEPS_OF: dict[str, tuple[_Step, ...]] = {letter: _steps_of(letter) for letter in ascii_lowercase}
_IRREGULAR: dict[str, str] = {word: word for word in _KEPT}
_IRREGULAR.update((form, form_key(base)) for base, forms in _IRREGULAR_OF.items() for form in forms.split())
_OTHER_STARTS: dict[str, tuple[str, ...]] = {
    key: tuple({_start(form[:3]) for form in _IRREGULAR if _IRREGULAR[form] == key} - {_start(key[:3])})
    for key in set(_IRREGULAR.values())
}
