"""Frontmatter as people write it: the same values in many spellings, made with a fixed seed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from difflib import unified_diff
from pathlib import Path

from fingerpost.okf.frontmatter import open_text
from fingerpost.okf.yaml_text import Value

AWKWARD = (
    "", " ", " lead", "trail ", "- a", "-", "#x", "a #b", "a: b", "a:", ":a", "yes", "No", "on", "y",
    "true", "NULL", "null", "~", "2026-01-01", "2026-01-01T10:00:00Z", "2026-1-1 1:00:00", "0755", "0o17",
    "0x1F", "1_000", "1.10", ".5", "-.inf", ".nan", "1e3", "10:30", "=", "<<", "*a", "&a", "!t", "|", ">",
    ">-", "%x", "@x", "`x`", "[x]", "{x}", "{{date}}", "a, b", "a]", "'", '"', "it's", 'say "so"',
    "it's \"both\"", "back\\slash", "\\", "---", "...", "a\nb", "a\nb\n", "a\n\nb", "\n", "\na", "a\n ",
    "a\n---\nb", "a\tb", "\t", "a\rb", "a\r\nb", "\x85", "a\u2028b", "\ufeff", "\x00", "\x1b", "ü", "日本語",
    "العربية", "\N{WOMAN}\u200d\N{WOMAN}\u200d\N{GIRL}", "a\xa0", "\xa0a", "\u3000a", "\u200b", "\ufdd0",
    "\uffff", "?", "? a", "?a", "a?b", "http://x/y?z=1#k", "x" * 3000, "word " * 400, "plain", "two words",
    "key: 'v' # c",
)  # fmt: skip
"""Texts that some reader of YAML would take for something else."""

_SAFE = ("plain", "two words", "human:a", "x/1", "a.md", "über", "日本")


def random_text(rng: random.Random) -> str:
    """A text, awkward as often as not."""
    return rng.choice(AWKWARD if rng.random() < 0.5 else _SAFE)


def random_value(rng: random.Random, depth: int = 0) -> Value:
    """A value of any shape, not deep."""
    chance = rng.random()
    if depth < 2 and chance < 0.2:
        return [random_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if depth < 2 and chance < 0.4:
        return {rng.choice("abcd"): random_value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return None if chance > 0.95 else random_text(rng)


def spelt(value: Value, rng: random.Random, indent: int) -> str:
    """A value in some spelling, from after the colon or the dash to the end of its last line."""
    pad = " " * indent
    comment = rng.choice(["", "", "  # why: who"])
    if isinstance(value, dict) and value and rng.random() < 0.7:
        lines = (f"{pad}{key}:{spelt(inner, rng, indent + 2)}" for key, inner in value.items())
        return f"{comment}\n{_with_comments(lines, pad, rng)}"
    if isinstance(value, list) and value and rng.random() < 0.7:
        lines = (f"{pad}-{spelt(item, rng, indent + 2)}" for item in value)
        return f"{comment}\n{_with_comments(lines, pad, rng)}"
    if isinstance(value, str) and value.isalpha() and value.isascii() and value.lower() != "null":
        folded = f" >-{comment}\n{pad}{value}\n"
        return rng.choice(
            [f" {value}{comment}\n", f" '{value}'{comment}\n", f"   {value}{comment}\n", folded]
        )
    if value is None:
        return rng.choice([f" null{comment}\n", f"{comment}\n", f" ~{comment}\n"])
    return f" {_escaped(value)}{comment}\n"


def _escaped(value: Value) -> str:
    # JSON is YAML, save for the characters that YAML wants escaped.
    written = json.dumps(value, ensure_ascii=False)
    odd = {
        character for character in written if not character.isprintable() or "\ufdd0" <= character <= "\ufdef"
    }
    return "".join(f"\\u{ord(each):04x}" if each in odd and each < "\U00010000" else each for each in written)


def _with_comments(lines: Iterable[str], pad: str, rng: random.Random) -> str:
    return "".join(line + rng.choice(["", "", "", f"{pad}# note - a: b\n", "\n"]) for line in lines)


def random_file(rng: random.Random) -> tuple[bytes, dict[str, Value]]:
    """A file, and the fields that it has."""
    values = {
        key: random_value(rng) for key in rng.sample(["type", "title", "tags", "generated", "x-y", "z"], 4)
    }
    block = _with_comments((f"{key}:{spelt(value, rng, 2)}" for key, value in values.items()), "", rng)
    text = f"---\n{block}---\n\n# Body\n\n---\n\nlast"
    text = text.replace("\n", rng.choice(["\n", "\n", "\r\n", "\r"]))
    mark = rng.choice([b"", b"", b"\xef\xbb\xbf"])
    return mark + text.encode(), values


def values_of(data: bytes) -> dict[str, Value]:
    """The fields of a file."""
    frontmatter = open_text(data).frontmatter
    assert frontmatter is not None
    return frontmatter.values


def diff(old: bytes, new: bytes) -> list[str]:
    """The lines that go and come, with a sign before each."""
    both = unified_diff(old.decode().splitlines(), new.decode().splitlines(), lineterm="", n=0)
    return [line for line in both if not line.startswith(("---", "+++", "@@"))]


def concepts_with_fields(corpus: Path) -> list[bytes]:
    """Every Markdown file of the public bundles that has frontmatter, each content once."""
    files = dict.fromkeys(path.read_bytes() for path in sorted(corpus.rglob("*.md")))
    return [data for data in files if open_text(data).frontmatter is not None]
