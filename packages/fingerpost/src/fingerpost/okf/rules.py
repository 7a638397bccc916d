"""Every rule that a bundle is held to: one table, from which the checks, the command line and the docs speak.

A rule belongs to one of two verdicts. *Conformance* rules stand for the three clauses of the specification
(OKF 0.2 §11, OKF 0.1 §9) and nothing else; *lint* rules are good practice. Codes are stable: a code is never
given a new meaning, and a rule that goes leaves its number behind.

    OKF1xx  clause 1: a parseable frontmatter block      OKF5xx  lint: frontmatter values, trust, freshness
    OKF2xx  clause 2: a non-empty type                   OKF6xx  lint: links
    OKF3xx  clause 3: index.md and log.md                OKF7xx  lint: names
    OKF4xx  files that could not be used                 OKF8xx  lint: content that a reader does not see
"""

from __future__ import annotations

from dataclasses import dataclass

from fingerpost.records import Diagnostic, Finding, Severity, Verdict


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule.

    Attributes:
        code: Stable code.
        name: Readable name in kebab case.
        verdict: "conformance" or "lint".
        severity: "error", "warning" or "note".
        clause: The section of the specification that it stands on, "" for good practice.
        summary: What the rule asks for, for the docs.
        cure: What to do, in one sentence, for whoever breaks it; a finding may know better.
    """

    code: str
    name: str
    verdict: Verdict
    severity: Severity
    clause: str
    summary: str
    cure: str


def _conformance(code: str, name: str, clause: str, summary: str, cure: str) -> Rule:
    return Rule(code, name, "conformance", "error", clause, summary, cure)


def _warning(code: str, name: str, clause: str, summary: str, cure: str) -> Rule:
    return Rule(code, name, "lint", "warning", clause, summary, cure)


def _note(code: str, name: str, clause: str, summary: str, cure: str) -> Rule:
    return Rule(code, name, "lint", "note", clause, summary, cure)


_TABLE = (
    _conformance(
        "OKF101", "frontmatter-missing", "§11.1",
        "A concept starts with a frontmatter block on line 1.",
        "Start the file with a line ---, then `type: ...`, then a line ---.",
    ),
    _conformance(
        "OKF102", "frontmatter-unclosed", "§11.1",
        "The frontmatter block is closed by a line of its own.",
        "Add a line --- after the last key.",
    ),
    _conformance(
        "OKF103", "yaml-invalid", "§11.1",
        "The frontmatter is valid YAML.",
        "Correct the YAML at this place; quote the value if it is meant as text.",
    ),
    _conformance(
        "OKF104", "yaml-colon", "§11.1",
        "A value that contains a colon and a blank is quoted.",
        "Put the value in double quotes.",
    ),
    _conformance(
        "OKF105", "frontmatter-shape", "§11.1",
        "The frontmatter is a mapping of keys to values.",
        "Write the frontmatter as `key: value` lines, with a blank after each colon.",
    ),
    _conformance(
        "OKF106", "yaml-too-large", "§11.1",
        "The frontmatter stays within the reader's caps on bytes, depth and nodes, aliases expanded.",
        "Make the frontmatter smaller, and spell out what the aliases repeat.",
    ),
    _conformance(
        "OKF107", "not-utf8", "§4",
        "Files are UTF-8.",
        "Save the file as UTF-8.",
    ),
    _conformance(
        "OKF108", "duplicate-key", "§11.1",
        "A key stands once in a mapping; the last one is the one that is read.",
        "Delete or rename one of the two keys.",
    ),
    _conformance(
        "OKF201", "type-missing", "§11.2",
        "Every concept has a type.",
        "Add a line such as `type: Policy` to the frontmatter.",
    ),
    _conformance(
        "OKF202", "type-invalid", "§11.2",
        "The type is a non-empty text.",
        "Give the type one short text, such as `type: Policy`.",
    ),
    _conformance(
        "OKF301", "index-frontmatter", "§11.3",
        "Only the index.md at the root has frontmatter, and okf_version is its only key.",
        "Remove the frontmatter of this index.md, or all keys but okf_version at the root.",
    ),
    _conformance(
        "OKF302", "index-sections", "§11.3",
        "An index.md has at least one heading, for the entries to stand below.",
        "Add a heading, and below it entries such as `* [Title](file.md) - description`.",
    ),
    _conformance(
        "OKF303", "log-date", "§11.3",
        "The second-level headings of a log.md are ISO dates.",
        "Write the heading as `## YYYY-MM-DD`.",
    ),
    _note(
        "OKF401", "hidden-files", "",
        "Hidden files and folders are not part of what is served.",
        "Nothing to do, unless knowledge lies in them: then rename them without the leading dot.",
    ),
    _warning(
        "OKF402", "leaves-root", "",
        "Symbolic links stay within the bundle.",
        "Copy the target into the bundle, or remove the link.",
    ),
    _warning(
        "OKF403", "special-file", "",
        "A bundle holds files and folders, no pipes, sockets or devices.",
        "Remove it from the bundle.",
    ),
    Rule(
        "OKF404", "unreadable", "lint", "error", "",
        "Every file can be read.",
        "Check that the file exists and that its permissions let this process read it.",
    ),
    Rule(
        "OKF405", "file-too-large", "lint", "error", "",
        "A Markdown file stays below the reader's cap on bytes.",
        "Split it into smaller concepts.",
    ),
    _warning(
        "OKF406", "too-deep", "",
        "Folders are not nested beyond the reader's cap, and links do not run in circles.",
        "Flatten the folders, or remove the circular link.",
    ),
    Rule(
        "OKF407", "no-concepts", "lint", "error", "",
        "A bundle holds at least one concept.",
        "Check the path: a bundle is a folder of Markdown files with frontmatter.",
    ),
    _warning(
        "OKF501", "byte-order-mark", "§4",
        "Files start without a byte-order mark; many readers take the frontmatter for missing.",
        "Save the file as UTF-8 without BOM.",
    ),
    _warning(
        "OKF502", "fence-blanks", "§4",
        "The fences are exactly three hyphens; blanks after them confuse some readers.",
        "Remove what follows the three hyphens.",
    ),
    _warning(
        "OKF503", "date-unreadable", "§5",
        "Dates and times are ISO 8601.",
        "Write it in the form YYYY-MM-DDThh:mm:ssZ.",
    ),
    _note(
        "OKF504", "date-without-offset", "§5",
        "Times carry a UTC offset (0.2, August text); a bare date counts from its start in UTC.",
        "Write it in the form YYYY-MM-DDThh:mm:ssZ.",
    ),
    _warning(
        "OKF505", "verified-shape", "§5.2",
        "`verified` is a list of {by, at}.",
        "Say who checked it and when, as `verified: [{by: human:<id>, at: YYYY-MM-DDThh:mm:ssZ}]`.",
    ),
    _warning(
        "OKF506", "status-unknown", "§5.4",
        "The status is draft, stable or deprecated.",
        "Use one of the three, or keep the value under a key of your own.",
    ),
    _warning(
        "OKF507", "tags-shape", "§4.1",
        "Tags are a list of short texts.",
        "Write them as `tags: [one, two]`.",
    ),
    _note(
        "OKF508", "actor-form", "§7",
        "Actors are <producer>/<version>, human:<id> or process:<id>.",
        "Write people as human:<id>, agents as <name>/<version>, jobs as process:<id>.",
    ),
    _warning(
        "OKF509", "verification-predates", "§5.3",
        "The latest verification is not older than the content.",
        "Check the concept again and add a new verification.",
    ),
    _warning(
        "OKF510", "sources-shape", "§5.1",
        "`sources` is a list of mappings, each with a resource.",
        "Write each source as `- resource: ...`, with an id when the body cites it.",
    ),
    _note(
        "OKF511", "legacy-timestamp", "§13.1",
        "`timestamp` (0.1) has become `generated: {by, at}`.",
        "Move the value to `generated.at` and say in `generated.by` who wrote the content.",
    ),
    _warning(
        "OKF512", "computation-incomplete", "§10.2",
        "An Attested Computation has a runtime, and a computation file or one block under # Computation.",
        "Add what is missing; see §10 of the specification.",
    ),
    _note(
        "OKF513", "field-shape", "§4.1",
        "Fields of the specification hold what the specification says.",
        "Give the field a value of the kind named.",
    ),
    _note(
        "OKF514", "title-or-description-missing", "§4.1",
        "A concept has a title and a one-sentence description; indexes and search live on them.",
        "Add the line to the frontmatter.",
    ),
    _note(
        "OKF515", "version-unknown", "§12",
        'okf_version is "0.1" or "0.2", and stands in the root index.md alone.',
        'Write `okf_version: "0.2"` in the root index.md and nowhere else.',
    ),
    _warning(
        "OKF516", "stale", "§5.5",
        "A concept is not past its stale_after.",
        "Review the concept, then move stale_after.",
    ),
    _note(
        "OKF517", "generated-shape", "§5.2",
        "`generated` is a mapping with by and at.",
        "Write it as `generated: {by: <who>, at: YYYY-MM-DDThh:mm:ssZ}`.",
    ),
    _note(
        "OKF518", "log-frontmatter", "§9",
        "A log.md has no frontmatter; the specification is silent, and several readers refuse it.",
        "Remove the frontmatter of this log.md.",
    ),
    _warning(
        "OKF601", "link-broken", "§6.1",
        "Links lead to something that exists.",
        "Correct the link, or write the missing concept.",
    ),
    _warning(
        "OKF602", "link-leaves-root", "§6.1",
        "Links stay within the bundle.",
        "Link to the web address, or move the target into the bundle.",
    ),
    _note(
        "OKF603", "wiki-link", "§6.1",
        "Links are Markdown links; `[[wiki links]]` are not part of the format.",
        "Write it as `[text](path.md)`.",
    ),
    _warning(
        "OKF604", "link-case", "§6.1",
        "Links spell the path exactly, letter case and Unicode form included.",
        "Use the spelling of the file.",
    ),
    _note(
        "OKF605", "anchor-missing", "",
        "An anchor names a heading of the target.",
        "Correct the part after #.",
    ),
    _warning(
        "OKF606", "field-path-broken", "§6.2",
        "Paths in fields lead to something that exists.",
        "Correct the path; a leading / means the root of the bundle.",
    ),
    _note(
        "OKF607", "footnote-dangling", "§5.1",
        "A footnote reference has a definition or names a source.",
        "Add the footnote, or give a source this id.",
    ),
    _warning(
        "OKF608", "link-scheme", "",
        "Links use web addresses, mail addresses or paths, never a scheme that runs something.",
        "Remove the link.",
    ),
    _note(
        "OKF609", "link-with-blank", "§6.1",
        "Paths in links have no bare blanks; with one, the brackets and parentheses are plain text.",
        "Write the path in angle brackets, or each blank as %20.",
    ),
    _warning(
        "OKF701", "name-clash", "",
        "No two paths differ in letter case or Unicode form alone.",
        "Rename one of them: on macOS and Windows they are one file.",
    ),
    _note(
        "OKF702", "name-not-portable", "",
        "Names work on every system and in every link: no blanks at the ends, no control or reserved signs.",
        "Rename the file.",
    ),
    _warning(
        "OKF801", "hidden-characters", "",
        "No characters hide words: zero-width, controls of direction, tags, stacked selectors.",
        "Remove the characters.",
    ),
    _note(
        "OKF802", "remote-image", "",
        "Images lie in the bundle; a remote one tells its server who reads what.",
        "Copy the image into the bundle.",
    ),
    _note(
        "OKF803", "hidden-comment", "",
        "HTML comments are invisible to people and visible to models.",
        "Write it as text, or remove it.",
    ),
)  # fmt: skip

RULES: dict[str, Rule] = {rule.code: rule for rule in _TABLE}
"""All rules by code, in the order of their codes."""


def diagnose(path: str, finding: Finding) -> Diagnostic:
    """Give a finding its file, and its rule's name and severity, and the rule's cure if it has none itself.

    Args:
        path: Bundle-relative path of the file, "" for the bundle as a whole.
        finding: What was found in it.

    Returns:
        The diagnostic.

    Raises:
        KeyError: If no rule has the finding's code.
    """
    rule = RULES[finding.code]
    return Diagnostic(
        code=rule.code,
        rule=rule.name,
        severity=rule.severity,
        verdict=rule.verdict,
        path=path,
        line=finding.line,
        column=finding.column,
        reason=finding.reason,
        cure=finding.cure or rule.cure,
    )
