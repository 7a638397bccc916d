"""Words that few documents share: made names, identifiers, dates and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from benchmarks.generator.dice import DRAWS, Dice

NAMES_KNOWN = 300_000
"""How many made names there are; a document mentions some forty of them."""

_LATIN_STARTS = "b bl br c ch cr d dr f fl fr g gl gr h j k kl kr l m n p pr qu r s st t tr v z".split()
_LATIN_VOWELS = "a e i o u ai eo ia".split()
_LATIN_ENDS = """
    nd lt ris mon ver ten dor las mir beth gan tor nix val dan rim sel tov lin pek zar mund fax hold rick
    bert wyn shaw ston vek ram lo
""".split()
_GERMAN_ENDS = """
    berg stein mann hausen dorf bach tal feld wald hof burg brück münd höfer müller schütz lörr günt ritz
    lau ow itz kirch rode heim horst weiß grün fels au stedt furt
""".split()
_ARABIC_LETTERS = "ب ت ج ح خ د ذ ر ز س ش ص ض ط ع غ ف ق ك ل م ن ه و".split()
_ARABIC_VOWELS = ["", "ا", "و", "ي"]
_ARABIC_ENDS = ["", "ان", "ية", "ين", "ون", "اء", "ات", "ة"]
_SURNAMES = list("王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹")
_GIVEN = list(
    "伟芳娜敏静强磊洋艳勇军杰娟涛明超霞平刚桂英华玉萍红梅建国志文辉力峰鑫波浩宇晨曦雨欣怡梦琪子涵嘉"
)
_KANA = list("アイウエオカキクケコサシスセソタチツテトナニノハヒフホマミメモヤユラリルレロ")
_HEX = "0123456789abcdef"

_LONG_LATIN = (_LATIN_STARTS, _LATIN_VOWELS, _LATIN_STARTS, _LATIN_VOWELS, _LATIN_STARTS, _LATIN_VOWELS)
_SYLLABLES: dict[str, tuple[Sequence[str], ...]] = {
    "en": (*_LONG_LATIN, _LATIN_ENDS),
    "en short": (*_LONG_LATIN[:4], _LATIN_ENDS),
    "de": (*_LONG_LATIN[:4], _GERMAN_ENDS),
    "ar": (_ARABIC_LETTERS, _ARABIC_VOWELS, _ARABIC_LETTERS, _ARABIC_VOWELS, _ARABIC_LETTERS, _ARABIC_ENDS),
    "zh": (_SURNAMES, _GIVEN, _GIVEN),
    "ja": (_KANA, _KANA, _KANA, _KANA),
}


def name(language: str, number: int) -> str:
    """The made name with a number; two numbers rarely share one."""
    parts = _SYLLABLES["en short" if language == "en" and number % 4 == 0 else language]
    left = (number + 1) * 0x9E3779B97F4A7C15 % (1 << 64) >> 16
    made: list[str] = []
    for choices in parts:
        left, place = divmod(left, len(choices))
        made.append(choices[place])
    return "".join(made).capitalize()


def identifier(dice: Dice) -> str:
    """A name out of some system: a ticket, a commit, a table, a number of an order, a variable."""
    kind, *draws = dice.take(5)
    number = draws[0] << 16 | draws[1]
    code = "".join(_HEX[draw >> 12] + _HEX[draw >> 8 & 15] for draw in draws)
    match kind % 5:
        case 0:
            return f"{'ABCDEFGHKLMNPRSTUVWXYZ'[draws[2] % 22]}{'AEIOU'[draws[3] % 5]}T-{number % 1_000_000}"
        case 1:
            return code
        case 2:
            return f"{name('en', draws[0] * 4).lower()}_{name('en', draws[1]).lower()}_v{draws[2] % 9}"
        case 3:
            return f"{2015 + draws[2] % 13}-{number % 10_000_000:07d}"
        case _:
            return f"{name('en', draws[0]).lower()}{name('en', draws[1] * 4)}"


def moment(dice: Dice, first_year: int, last_year: int) -> str:
    """A moment as frontmatter has it."""
    day = date(first_year, 1, 1) + timedelta(days=dice.below((last_year - first_year + 1) * 365))
    return f"{day.isoformat()}T{dice.below(24):02d}:{dice.below(4) * 15:02d}:00Z"


def dates() -> list[str]:
    """A table of dates between 2019 and 2027."""
    first = date(2019, 1, 1)
    return [(first + timedelta(days=draw * 3287 >> 16)).isoformat() for draw in range(DRAWS)]


def numbers() -> list[str]:
    """A table of numbers, small ones more often."""
    return [str(2 + draw * draw * 9998 // (DRAWS * DRAWS)) for draw in range(DRAWS)]
