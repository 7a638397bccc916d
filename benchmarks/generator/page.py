"""The file of a concept: frontmatter and a body with everything that such files hold in the wild."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from benchmarks.generator.concept import Concept, concept
from benchmarks.generator.dice import Dice
from benchmarks.generator.languages import Few, Table
from benchmarks.generator.rare import NAMES_KNOWN, identifier, moment, name

_SIZES = (400, 600, 800, 1000, 1300, 1500, 1700, 2000, 2300, 2600, 2900, 3200, 3800, 4600, 6000, 8800)
"""Bytes of a body, each as often as the others."""

_PEOPLE = "amelia boris chen dina emre farid greta hana ivan jorge kaja lars mina noor olga pavel".split()
_ROBOTS = ("catalog-writer/2.1", "process:nightly-sync", "reference_agent/3", "schema-crawler/0.9")
_HEADINGS = {
    "en": ("Scope", "Steps", "Schema", "Exceptions", "Examples", "Background", "Owners", "Limits"),
    "de": ("Geltungsbereich", "Ablauf", "Ausnahmen", "Beispiele", "Zuständigkeit", "Fristen"),
    "ar": ("النطاق", "الخطوات", "الاستثناءات", "أمثلة", "المسؤولية"),
    "zh": ("范围", "步骤", "例外", "示例", "负责人"),
    "ja": ("範囲", "手順", "例外", "例", "担当"),
}
_LINK_WORDS = {"en": "See {}.", "de": "Siehe {}.", "ar": "انظر {}.", "zh": "参见{}。", "ja": "{}を参照。"}

Words = Mapping[str, Table]


def page(seed: int, number: int) -> bytes:
    """The bytes of the file of a concept."""
    dice = Dice(seed, number, "page")
    written = concept(seed, number)
    words = _words(dice, written)
    head = _frontmatter(dice, written, words)
    return _flawed(written.flaw, head, _body(dice, written, words))


def description(seed: int, number: int) -> str:
    """The description of a concept."""
    dice = Dice(seed, number, "description")
    written = concept(seed, number)
    spoken = written.language
    names = Few(written.names or (_rare_name(dice, written),))
    return dice.pick(spoken.descriptions).filled(dice, {**spoken.tables, "N": names})


def _words(dice: Dice, written: Concept) -> Words:
    """What fills the slots of this text: the words of its language, its own names and identifiers."""
    names = [_rare_name(dice, written) for _ in range(64)]
    identifiers = [identifier(dice) for _ in range(8)]
    return {**written.language.tables, "N": Few([*written.names * 4, *names]), "I": Few(identifiers)}


def _rare_name(dice: Dice, written: Concept) -> str:
    return name(written.language.code, dice.below(NAMES_KNOWN))


# ---- frontmatter


def _frontmatter(dice: Dice, written: Concept, words: Words) -> str:
    lines = [
        f"type: {written.type}",
        f"title: {written.title}" if dice.chance(70) else f'title: "{written.title}"',
        f"description: {description(written.seed, written.number)}",
        f"tags: [{', '.join(written.tags)}]"
        if dice.chance(60)
        else "tags:\n" + "\n".join(f"  - {tag}" for tag in written.tags),
    ]
    if dice.chance(30):
        lines.append(f"resource: https://systems.example.com/{words['I'][dice.below(99)]}")
    if written.status:
        lines.append(f"status: {written.status}")
    lines += _trust(dice)
    if dice.chance(25):
        lines.append(f"stale_after: {moment(dice, 2026, 2031)}")
    if dice.chance(40):
        lines += _sources(dice, written)
    if dice.chance(20):
        lines.append(f"owner: team-{dice.pick(_PEOPLE)}")
    return "---\n" + "\n".join(lines) + "\n---\n"


def _trust(dice: Dice) -> list[str]:
    made = moment(dice, 2022, 2026)
    lines = [
        f"generated: {{ by: {dice.pick(_ROBOTS)}, at: {made} }}"
        if dice.chance(60)
        else f"generated:\n  by: human:{dice.pick(_PEOPLE)}\n  at: {made}"
    ]
    if dice.chance(65):
        checks = [
            (dice.pick(_ROBOTS) if dice.chance(40) else f"human:{dice.pick(_PEOPLE)}@example")
            for _ in range(dice.between(1, 2))
        ]
        lines.append("verified:")
        lines += [f"  - {{ by: {by}, at: {moment(dice, 2024, 2026)} }}" for by in checks]
    return lines


def _sources(dice: Dice, written: Concept) -> list[str]:
    lines = ["sources:"]
    for place in range(dice.between(1, 2)):
        other = _earlier(dice, written)
        lines += [
            f"  - id: source-{place + 1}",
            f"    resource: {other.path if other else f'https://sources.example.com/{dice.below(9999)}'}",
            f"    author: human:{dice.pick(_PEOPLE)}@example",
            f"    last_modified: {moment(dice, 2021, 2025)}",
        ]
    return lines


# ---- body


def _body(dice: Dice, written: Concept, words: Words) -> str:
    wanted = int(dice.pick(_SIZES) / written.language.width)
    parts = [f"# {written.title}"] if dice.chance(60) else []
    parts.append(_paragraph(dice, written, words))
    reached = sum(map(len, parts))
    while reached < wanted:
        blocks = [f"## {_heading(dice, written)}", _paragraph(dice, written, words)]
        while dice.chance(45):
            blocks.append(dice.pick((_paragraph, _list, _table, _fence))(dice, written, words))
        parts += blocks
        reached += sum(map(len, blocks))
    parts.append("## Links\n\n" + "\n".join(f"* {link}" for link in _links(dice, written, 4)))
    return "\n" + "\n\n".join(part for part in parts if part) + "\n"


def _heading(dice: Dice, written: Concept) -> str:
    code = written.language.code
    if dice.chance(50):
        return dice.pick(_HEADINGS[code])
    return written.language.blank.join(word.text for word in dice.shuffled(written.words))


def _sentence(dice: Dice, written: Concept, words: Words) -> str:
    text = dice.pick(written.language.sentences).filled(dice, words)
    return text[0].upper() + text[1:]


def _paragraph(dice: Dice, written: Concept, words: Words) -> str:
    sentences = [_sentence(dice, written, words) for _ in range(dice.between(2, 5))]
    if dice.chance(25):
        sentences += [_LINK_WORDS[written.language.code].format(link) for link in _links(dice, written, 1)]
    return written.language.blank.join(sentences)


def _list(dice: Dice, written: Concept, words: Words) -> str:
    mark = dice.pick(("*", "-", "1."))
    return "\n".join(f"{mark} {_sentence(dice, written, words)}" for _ in range(dice.between(3, 6)))


def _table(dice: Dice, _written: Concept, words: Words) -> str:
    kinds = dice.some(("n", "N", "D", "Q", "a", "I"), dice.between(2, 4))
    rows = [[words["n"][draw] for draw in dice.take(len(kinds))], ["---"] * len(kinds)]
    rows += [
        [words[kind][draw] for kind, draw in zip(kinds, dice.take(len(kinds)), strict=True)]
        for _ in range(dice.between(3, 8))
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _fence(dice: Dice, _written: Concept, words: Words) -> str:
    first, second, third = (words["I"][dice.below(99)].replace("-", "_") for _ in range(3))
    amount = words["Q"][dice.below(60_000)]
    kind = dice.below(3)
    if kind == 0:
        return (
            f"```sql\nSELECT t.{first}, COUNT(*) AS total\nFROM `acme.{second}` AS t\n"
            f"WHERE t.{third} > {amount}\nGROUP BY t.{first}\n```"
        )
    if kind == 1:
        return (
            f"```python\ndef {first}({second}):\n    return [{second}.{third} for _ in range({amount})]\n```"
        )
    return f"```yaml\n{first}:\n  limit: {amount}\n  target: {second}\n  link: [none]({third}.md)\n```"


def _links(dice: Dice, written: Concept, most: int) -> list[str]:
    """Links to earlier concepts: from the file, from the root, to a section; one in fifty leads nowhere."""
    links: list[str] = []
    for _ in range(dice.between(1, most)):
        other = _earlier(dice, written)
        if other is None:
            links.append(f"[source](https://www.example.com/{dice.below(9999)})")
            continue
        path = posixpath.relpath(other.path, written.folder or ".") if dice.chance(60) else f"/{other.path}"
        path = path if dice.chance(98) else f"{path[:-3]}-gone.md"
        links.append(f"[{other.title}]({path if dice.chance(97) else path + '#scope'})")
    return links


def _earlier(dice: Dice, written: Concept) -> Concept | None:
    """An earlier concept, mostly one nearby or one that many point to; None where there is none."""
    if written.number == 0:
        return None
    number = written.number
    near = dice.below(min(number, 60))
    place = number - 1 - near if dice.chance(60) else dice.below(number) * dice.below(number) // number
    return concept(written.seed, place)


# ---- files that are no concepts


def _flawed(flaw: str, head: str, body: str) -> bytes:
    match flaw:
        case "no frontmatter":
            return body.encode()
        case "never closed":
            return (head[:-4] + body).encode()
        case "no type":
            return (head.replace("type: ", "kind: ", 1) + body).encode()
        case "broken YAML":
            return (head.replace("title: ", "title: [", 1) + body).encode()
        case "UTF-16":
            return b"\xff\xfe" + (head + body).encode("utf-16-le")
        case "empty":
            return b""
        case _:
            return (head + body).encode()
