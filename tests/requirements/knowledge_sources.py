"""Seed 003, knowledge sources with Arabic-aware search."""

from __future__ import annotations

from tests.requirements.promise import Promise, Section, at

_ARABIC = "field_cases/test_search.py"
_CATALOG = "core/catalog/test_catalogs.py"
_PAGE = "core/text/test_languages_page.py"

_ALIKE = (
    *at(_ARABIC, "test_spellings_of_one_arabic_word_find_each_other"),
    *at(_PAGE, "test_what_the_page_calls_the_same_folds_alike"),
)
_EDITS = (
    *at(_CATALOG, "test_the_limits_on_edits"),
    *at(_ARABIC, "test_edits_are_counted_after_folding_and_limited_by_length"),
)

SEARCH: Section = (
    Promise(
        "SRC-013",
        ("search_knowledge is built",),
        "What is stored and what is asked are folded alike before they are compared.",
        _ALIKE,
    ),
    Promise("SRC-014", ("أ إ آ become ا",), "An alef with hamza or madda is a bare alef.", _ALIKE),
    Promise("SRC-015", ("ة becomes ه",), "A final teh marbuta is a heh.", _ALIKE),
    Promise("SRC-016", ("ى becomes ي",), "An alef maksura is a yeh.", _ALIKE),
    Promise("SRC-017", ("diacritics (harakat)",), "Vowel signs do not count.", _ALIKE),
    Promise("SRC-018", ("tatweel",), "Neither do strokes that only stretch a word.", _ALIKE),
    Promise(
        "SRC-019",
        ("Arabic-Indic digits",),
        "Digits of any script are those of ASCII.",
        (*_ALIKE, *at("core/text/test_folding.py", "test_every_decimal_digit_is_an_ascii_digit")),
    ),
    Promise(
        "SRC-020",
        ("common stop words are ignored",),
        "Words that carry no meaning do not count, in Arabic as in other languages.",
        (
            *at(_CATALOG, "test_question_words_do_not_win"),
            *at("core/text/test_words.py", "test_question_words_of_five_languages_are_stop_words"),
            *at(_PAGE, "test_a_question_asks_for_what_the_page_says"),
        ),
    ),
    Promise(
        "SRC-021",
        ("Matching is word-by-word",),
        "Words are compared one by one, in their forms too.",
        at(
            _CATALOG,
            "test_every_word_beats_some_words_however_often_those_stand_there",
            "test_a_form_of_a_word_is_found_beside_it_and_after_it",
        ),
        differs="words match as they stand, folded",
    ),
    Promise(
        "SRC-022",
        ("typo tolerance",),
        "A misspelt word finds what was meant, where nothing is spelt like that.",
        at(
            _CATALOG,
            "test_a_misspelt_word_finds_what_was_meant_and_says_so",
            "test_near_spellings_are_tried_when_no_document_holds_every_word",
        ),
        differs="near spellings are always tried",
    ),
    Promise(
        "SRC-023",
        ("one edit for words of 3–5",),
        "Of three to five letters one may be wrong, and two that changed places count once.",
        _EDITS,
        differs="one edit is an insertion, a deletion or a replacement",
    ),
    Promise("SRC-024", ("two edits for 6 letters",), "Of six letters or more two may be wrong.", _EDITS),
    Promise(
        "SRC-025",
        ("none below 3",),
        "Shorter words are exact, and so is whatever has a digit.",
        (*_EDITS, *at(_CATALOG, "test_short_words_and_words_with_digits_are_exact")),
        differs="a number may be an edit off",
    ),
    Promise(
        "SRC-026",
        ("matches every word of the query",),
        "Who has all words comes before who has some.",
        at(_CATALOG, "test_every_word_beats_some_words_however_often_those_stand_there"),
    ),
    Promise(
        "SRC-027",
        ("ties go to the shorter",),
        "Of equals the shorter comes first.",
        at(_CATALOG, "test_the_shorter_header_then_the_id_settle_a_tie"),
    ),
    Promise(
        "SRC-028", ("at most 25 hits",), "A search of sources gives no more than 25 lines.", later="sources"
    ),
    Promise(
        "SRC-029",
        ("صندق بخور", "still finds"),
        "A chest misspelt by one letter finds the line with its price.",
        at("core/test_answer_shapes.py", "test_a_misspelt_chest_finds_the_line_with_its_price"),
    ),
    Promise(
        "SRC-030",
        ("one chunk per line", "up to 800 characters"),
        "Lists are cut at lines, texts into paragraphs of bounded length.",
        later="sources",
    ),
)

SECTIONS: dict[str, Section] = {
    "Knowledge": (
        Promise(
            "SRC-001",
            ("Knowledge sources (ks_…)",),
            "Facts are kept in sources that have ids.",
            later="sources",
        ),
        Promise(
            "SRC-002",
            ("Sources belong to the project",),
            "Agents share sources, and each chooses which and how.",
            later="sources",
        ),
    ),
    "Kinds of source": (
        Promise(
            "SRC-003",
            ("text", "up to 200,000 characters"),
            "A source may be a bounded free text.",
            later="sources",
        ),
        Promise(
            "SRC-004", ("catalog", "or CSV"), "A source may be a list, by lines or as CSV.", later="sources"
        ),
        Promise(
            "SRC-005",
            ("api", "on a schedule"),
            "A source may be fetched regularly and made into lines.",
            later="sources",
        ),
        Promise(
            "SRC-006",
            ("knowledge_sources", '"kind": "catalog"'),
            "A source is made by a request with name, kind and content, under a key.",
            later="sources",
        ),
    ),
    "Always or searchable": (
        Promise(
            "SRC-007",
            ("knowledge.sources", "source_id"),
            "An agent names its sources with a mode each.",
            later="sources",
        ),
        Promise(
            "SRC-008",
            ("always", "Context Information"),
            "A source may stand wholly in the prompt, under a heading, in the order of the agent's list.",
            later="sources",
        ),
        Promise(
            "SRC-009",
            ("searchable", "search_knowledge tool"),
            "A source may be looked into with a tool instead.",
            later="sources",
        ),
        Promise(
            "SRC-010", ("token estimate",), "How many tokens a source takes is estimated.", later="sources"
        ),
        Promise(
            "SRC-011",
            ("about 8,000 tokens", "dashboard suggests"),
            "Where prompts grow too long, the page advises to search instead.",
            later="page",
        ),
        Promise(
            "SRC-012",
            ("live across versions",),
            "An edit counts at once wherever the source is used.",
            later="sources",
        ),
        Promise(
            "SRC-031",
            ("Live: applies to all versions",),
            "The page says that edits count at once.",
            later="page",
        ),
        Promise(
            "SRC-032",
            ("records the updated_at",),
            "Each answer tells of when the sources are that it used.",
            later="sources",
        ),
    ),
    "Arabic-aware search": SEARCH,
    "When nothing matches": (
        Promise(
            "SRC-033",
            ("every searched source is marked complete",),
            "Nothing found is evidence only where all that was searched is said to be the whole.",
            later="sources",
        ),
        Promise(
            "SRC-034",
            ("does not show the business lacks",),
            "Otherwise the agent is told what was searched, that this proves nothing, and what to do.",
            later="sources",
        ),
        Promise(
            "SRC-035",
            ("hand the question to your team",),
            "It may use what it knows already, or pass the question on.",
            later="sources",
        ),
        Promise(
            "SRC-036",
            ("complete defaults to true",),
            "Lists are taken for the whole and texts are not, unless it is said.",
            later="sources",
        ),
    ),
    "Test a search": (
        Promise(
            "SRC-037",
            ("v1/knowledge/search", "source_ids"),
            "A search over some sources can be tried out by a request.",
            later="sources",
        ),
    ),
    "API sources": (
        Promise(
            "SRC-038", ("An api source fetches JSON",), "JSON from an address becomes lines.", later="sources"
        ),
        Promise(
            "SRC-039",
            ("refresh_minutes is between 15 and",),
            "It is fetched every 15 minutes to once a day, hourly if nothing is said.",
            later="sources",
        ),
        Promise(
            "SRC-040",
            ("syncs right away",),
            "A new address or a new transformation is fetched at once.",
            later="sources",
        ),
        Promise(
            "SRC-041",
            ("POST /v1/knowledge_sources/{ks}/sync",),
            "Fetching can be asked for.",
            later="sources",
        ),
        Promise(
            "SRC-042",
            ("items_path points at the list",),
            "A path leads to the list in the answer.",
            later="sources",
        ),
        Promise(
            "SRC-043",
            ("line is a template",),
            "A template with fields in braces makes each line.",
            later="sources",
        ),
        Promise(
            "SRC-044",
            ("group_by adds", "biggest group first"),
            "Lines may be grouped under headings, the largest group first.",
            later="sources",
        ),
        Promise(
            "SRC-045",
            ("sort_by sorts ascending",),
            "Within a group lines are sorted upwards.",
            later="sources",
        ),
        Promise(
            "SRC-046",
            ("skip_when_zero drops items",),
            "What has none of a field, or zero, is left out.",
            later="sources",
        ),
        Promise("SRC-047", ("max_items caps the list",), "The list can be capped.", later="sources"),
        Promise(
            "SRC-048", ("header goes on top",), "A line of one's own may lead the others.", later="sources"
        ),
        Promise(
            "SRC-049",
            ("Headers use secrets by name", "{{secret.CATALOG_TOKEN}}"),
            "Headers of requests name secrets and hold none.",
            later="sources",
        ),
        Promise(
            "SRC-050",
            ("allowed_hosts must include",),
            "A secret goes to the hosts that it allows alone.",
            later="sources",
        ),
        Promise(
            "SRC-051",
            ("same protected client", "port 443 or 8443", "no redirects", "1 MiB limit"),
            "Requests go to public addresses over TLS on two ports, follow nothing and read one mebibyte.",
            later="sources",
        ),
        Promise(
            "SRC-052",
            ("Failures keep the last good",),
            "What failed leaves the last good content in use.",
            later="sources",
        ),
        Promise(
            "SRC-053",
            ("missing items_path or an empty",),
            "An error status, broken JSON, a path to nothing and an empty list are failures.",
            later="sources",
        ),
        Promise(
            "SRC-054", ("the source shows the error",), "A failure is seen at the source.", later="sources"
        ),
        Promise(
            "SRC-055",
            ("knowledge_source.sync_failed webhook fires",),
            "A failure is sent to a webhook.",
            later="sources",
        ),
        Promise(
            "SRC-056",
            ("readiness shows knowledge_sync_failing",),
            "A failure shows in how ready an agent is.",
            later="sources",
        ),
    ),
    "Endpoints": (
        Promise(
            "SRC-057", ("GET, POST /v1/knowledge_sources",), "Sources are listed and made.", later="sources"
        ),
        Promise(
            "SRC-058",
            ("GET, PATCH, DELETE /v1/knowledge_sources/{ks}",),
            "A source is read, changed and deleted.",
            later="sources",
        ),
        Promise(
            "SRC-059",
            ("POST /v1/knowledge_sources/{ks}/sync",),
            "A source is fetched when asked.",
            later="sources",
        ),
        Promise("SRC-060", ("POST /v1/knowledge/search",), "A search is tried out.", later="sources"),
        Promise("SRC-061", ("up to 5 MiB",), "A request may hold five mebibytes.", later="sources"),
    ),
}

ASIDES: dict[str, tuple[str, ...]] = {
    "names of a sample": (
        "KAGENT_API_KEY",
        "ks_01k6rz2n5q8t1w4z7c0f3h6k9m",
        "ks_01k6rz2p9r3t5w7y1a3c5e7g9j",
    ),
    "plain words with capitals": ("FAQs", "URLs"),
}
