"""For each rule the smallest bundle that breaks it, where it does, and the change that mends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Files = Mapping[str, str | bytes]


def concept(body: str = "Text.", *, fields: str = "", type_: str = "Note") -> str:
    """A concept without fault: its own fields begin on line 5, its body one line below the last of them."""
    return f"---\ntype: {type_}\ntitle: Title\ndescription: One sentence.\n{fields}---\n{body}\n"


@dataclass(frozen=True)
class Breach:
    """A bundle that breaks a rule in one place.

    Attributes:
        code: The rule.
        files: The bundle.
        place: Path, line and column of the one diagnostic.
        mended: Files to put in place of those of the same name; then nothing at all is wrong.
        removed: Files to leave out; then nothing at all is wrong.
    """

    code: str
    files: Files
    place: tuple[str, int, int]
    mended: Files = field(default_factory=dict[str, "str | bytes"])
    removed: tuple[str, ...] = ()


def _in_concept(
    code: str, text: str | bytes, line: int, column: int, mended: str = concept(), **others: str
) -> Breach:
    """A breach in the only concept, a.md, beside other files (`log_md`)."""
    files = {name.replace("_md", ".md"): other for name, other in others.items()}
    return Breach(code, {"a.md": text, **files}, ("a.md", line, column), {"a.md": mended})


def _in_fields(code: str, fields: str, column: int, mended: str = "", *, line: int = 5) -> Breach:
    return _in_concept(code, concept(fields=fields), line, column, concept(fields=mended))


def _in_body(code: str, body: str, column: int, mended: str = "Text.", *, line: int = 6) -> Breach:
    return _in_concept(code, concept(body), line, column, concept(mended), b_md=concept("# Known\n"))


def _in_index(code: str, text: str, line: int, column: int, mended: str) -> Breach:
    return Breach(
        code, {"a.md": concept(), "index.md": text}, ("index.md", line, column), {"index.md": mended}
    )


def _in_log(code: str, text: str, line: int, column: int, mended: str) -> Breach:
    return Breach(code, {"a.md": concept(), "log.md": text}, ("log.md", line, column), {"log.md": mended})


_INDEX = "# All\n\n* [A](a.md) - One sentence.\n"
_LOG = "# History\n\n## 2026-01-31\n\n* **Update**: more.\n"
_CHECKED = "generated: {{by: human:ann, at: {0}}}\nverified: [{{by: human:ben, at: {1}}}]\n"
_ATTESTED = "runtime: bigquery\n"
_COMPUTED = "# Computation\n\n```sql\nSELECT 1\n```\n"

FRONTMATTER = (
    _in_concept("OKF101", "Text.\n", 1, 1),
    _in_concept("OKF102", "---\ntype: Note\n", 1, 1),
    _in_concept("OKF103", concept(fields="owner: [ann\n"), 5, 8),
    _in_concept("OKF104", concept(fields="owner: Sales: EMEA\n"), 5, 8),
    _in_concept("OKF105", "---\n- type: Note\n---\n", 2, 1),
    _in_concept("OKF106", concept(fields=f"owner: {'[' * 300}{']' * 300}\n"), 5, 71),
    _in_concept("OKF107", concept("Caf\xe9.").encode("latin-1"), 6, 4),
    _in_concept("OKF108", concept(fields="owner: ann\nowner: ben\n"), 6, 1),
    _in_concept("OKF201", "---\ntitle: Title\ndescription: One sentence.\n---\n", 1, 1),
    _in_concept("OKF202", concept(type_="[Note]"), 2, 1),
    _in_concept("OKF501", b"\xef\xbb\xbf" + concept().encode(), 1, 1),
    _in_concept("OKF502", concept().replace("---", "---  ", 1), 1, 4),
)

RESERVED_FILES = (
    Breach(
        "OKF301",
        {"sub/a.md": concept(), "sub/index.md": f"---\ntitle: Sub\n---\n{_INDEX}"},
        ("sub/index.md", 1, 1),
        {"sub/index.md": _INDEX},
    ),
    _in_index(
        "OKF301",
        f'---\nokf_version: "0.2"\ntitle: All\n---\n{_INDEX}',
        3,
        1,
        f'---\nokf_version: "0.2"\n---\n{_INDEX}',
    ),
    _in_index("OKF302", "* [A](a.md)\n", 1, 0, "| a |\n|---|\n| [A](a.md) |\n\n## Table\n"),
    _in_log("OKF303", "# History\n\n## January\n\n* More.\n", 3, 1, _LOG),
    _in_log("OKF303", "# History\n\n2026-01-31: more.\n", 3, 0, _LOG),
    _in_index("OKF515", f'---\nokf_version: "3.0"\n---\n{_INDEX}', 2, 1, _INDEX),
    _in_log("OKF518", f"---\ntype: Log\n---\n{_LOG}", 1, 1, _LOG),
)

FIELDS = (
    _in_fields("OKF503", "stale_after: next year\n", 1, "stale_after: 2030-01-01T00:00:00Z\n"),
    _in_fields("OKF504", "stale_after: 2030-01-01\n", 1, "stale_after: 2030-01-01T00:00:00+02:00\n"),
    _in_fields("OKF505", "verified: true\n", 1, "verified: {by: human:ann, at: 2026-01-31T09:00:00Z}\n"),
    _in_fields("OKF506", "status: active\n", 1, "status: Draft\n"),
    _in_fields("OKF507", "tags: one, two\n", 1, "tags: [one, two]\n"),
    _in_fields(
        "OKF508",
        "generated: {by: Ann, at: 2026-01-31T09:00:00Z}\n",
        13,
        "generated: {by: agent/1.0, at: 2026-01-31T09:00:00Z}\n",
    ),
    _in_fields(
        "OKF509",
        _CHECKED.format("2026-02-01T00:00:00Z", "2026-01-31T23:59:59Z"),
        1,
        _CHECKED.format("2026-02-01T00:00:00Z", "2026-02-01T01:00:00+01:00"),
        line=6,
    ),
    _in_fields("OKF510", "sources:\n- title: X\n", 3, "sources:\n- resource: all X\n", line=6),
    _in_fields(
        "OKF511",
        "timestamp: 2026-01-31T09:00:00Z\n",
        1,
        "generated: {by: process:nightly, at: 2026-01-31T09:00:00Z}\n",
    ),
    _in_fields("OKF513", "resource: [x]\n", 1, "resource: urn:x\n"),
    _in_concept("OKF514", "---\ntype: Note\ntitle: Title\ndescription:\n---\n", 4, 1),
    _in_fields("OKF515", 'okf_version: "0.2"\n', 1),
    _in_fields("OKF516", "stale_after: 2026-11-29T00:00:00Z\n", 1, "stale_after: 2026-11-29T00:00:01Z\n"),
    _in_fields(
        "OKF517",
        "generated: human:ann\n",
        1,
        "generated: {by: human:ann, at: 2026-01-31T09:00:00Z}\n",
    ),
)

_ATTESTED_TYPE = "Attested Computation"
COMPUTATIONS = (
    _in_concept("OKF512", concept(_COMPUTED, type_=_ATTESTED_TYPE), 2, 1),
    _in_concept(
        "OKF512",
        concept("# Computation\n\nSELECT 1\n", type_=_ATTESTED_TYPE, fields=_ATTESTED),
        7,
        1,
        concept(_COMPUTED, type_=_ATTESTED_TYPE, fields=_ATTESTED),
    ),
    _in_concept(
        "OKF512",
        concept(_COMPUTED * 2, type_=_ATTESTED_TYPE, fields=_ATTESTED).replace("```\n#", "```\n##"),
        7,
        1,
        concept(f"{_COMPUTED}\n    shown as well\n", type_=_ATTESTED_TYPE, fields=_ATTESTED),
    ),
    Breach(
        "OKF512",
        {
            "a.md": concept(
                _COMPUTED, type_=_ATTESTED_TYPE, fields=f"{_ATTESTED}computation: /sql/one.sql\n"
            ),
            "sql/one.sql": "SELECT 1",
        },
        ("a.md", 8, 1),
        {"a.md": concept(type_=_ATTESTED_TYPE, fields=f"{_ATTESTED}computation: /sql/one.sql\n")},
    ),
)

LINKS = (
    _in_body("OKF601", "See [b](bee.md).", 5, "See [b](b.md)."),
    _in_body("OKF601", "![plan](plan.png)", 1, "![plan](data:image/png;base64,AAAA)"),
    _in_index("OKF601", "# All\n\n* [B](b.md)\n", 3, 3, _INDEX),
    _in_body("OKF602", "Text,\nsee [b](../b.md).", 5, "See [b](/b.md).", line=7),
    _in_fields("OKF602", "resource: ../../x.csv\n", 1, "resource: https://example.org/x.csv\n"),
    _in_body("OKF603", "See [[b]].", 5, "See `[[b]]`."),
    _in_body("OKF604", "See [b](B.md).", 5, "See [b](b)."),
    _in_fields("OKF604", "resource: A.md\n", 1, "resource: a.md\n"),
    _in_body("OKF605", "See [b](b.md#unknown).", 5, "See [b](b.md#known)."),
    _in_body("OKF605", "See [below](#unknown).", 5, '<a id="Own"></a> See [above](#Own), [top](#top).'),
    _in_fields("OKF606", "resource: tables/orders.csv\n", 1, "resource: sales.orders\n"),
    _in_fields("OKF606", "sources: [{resource: /gone}]\n", 12, "sources: [{resource: dashboards/revenue}]\n"),
    _in_body("OKF607", "So it is.[^why]", 10, "So it is.[^why]\n\n[^why]: Because."),
    _in_concept(
        "OKF607",
        concept("So it is.[^why]"),
        6,
        10,
        concept("So it is.[^Why]", fields="sources: [{id: why, resource: all queries}]\n"),
    ),
    _in_body(
        "OKF609",
        "Text, `[b](b c.md)`,\nsee [b](b c.md#known).",
        5,
        "See [b](<b.md>), [b](b.md 'b c.md'), [1](b c), \\[b](b c.md), [^1](b c.md).\n\n[^1]: One.",
        line=7,
    ),
    _in_body("OKF608", "[x](javascript:alert(1))", 1, "[x](mailto:ann@example.org)"),
)

NAMES = (
    Breach("OKF701", {"A.md": concept(), "a.md": concept()}, ("a.md", 0, 0), removed=("a.md",)),
    Breach(
        "OKF701",
        {"caf\u00e9.md": concept(), "cafe\u0301.md": concept()},
        ("caf\u00e9.md", 0, 0),
        removed=("cafe\u0301.md",),
    ),
    Breach("OKF702", {"a.md": concept(), "aux.md": concept()}, ("aux.md", 0, 0), removed=("aux.md",)),
    Breach("OKF702", {"a.md": concept(), "b.MD": concept()}, ("b.MD", 0, 0), removed=("b.MD",)),
    Breach("OKF702", {"what?/a.md": concept(), "what?/b.md": concept(), "c.md": concept()}, ("what?", 0, 0),
           removed=("what?/a.md", "what?/b.md")),
)  # fmt: skip

CONTENT = (
    _in_body("OKF801", "Pay\u200bment.", 4, "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"),
    _in_body("OKF801", "Pay\u200cment.", 4, "API\u200c\u0647\u0627"),
    _in_body("OKF801", "a\u202eb\u202c", 2, "\U0001f469\u200d\U0001f4bb \u2764\ufe0f"),
    _in_body(
        "OKF801",
        "Hi\U000e0068\U000e0069",
        3,
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ),
    _in_body("OKF801", "\u00e9\u200c\u200d\u200c\u00e9", 2),
    _in_body("OKF801", "\U0001f600\U000e0101\U000e0102", 2),
    _in_fields("OKF801", "owner: an\u200bn\n", 10, "owner: ann\n"),
    _in_body("OKF802", "See ![x](https://example.org/x.png).", 5, "See <https://example.org/x.png>."),
    _in_body("OKF803", "Text.\n\n  <!-- ignore the rest -->", 3, "`<!-- x -->`", line=8),
    Breach("OKF407", {"log.md": _LOG}, ("", 0, 0), {"a.md": concept()}),
)  # fmt: skip

BREACHES = (*FRONTMATTER, *RESERVED_FILES, *FIELDS, *COMPUTATIONS, *LINKS, *NAMES, *CONTENT)
