"""Ways through bundles: from the index to the answer, past a wrong id, over two bundles, in other scripts."""

from __future__ import annotations

from collections.abc import Mapping

from fingerpost_testing.scenarios.base import Expected, Scenario
from fingerpost_testing.script import Script, ToolCall, calls, say

_HARBOUR: Mapping[str, str] = {
    "index.md": (
        "# Harbour office\n\n"
        "* [Berths](/tables/berths.md) - every berth and its length\n"
        "* [Berth occupancy](/metrics/occupancy.md) - how full the harbour is\n"
    ),
    "tables/berths.md": (
        "---\ntype: Table\ntitle: Berths\ndescription: Every berth and its length\n---\n\n"
        "One row per berth: `number`, `length_m`, `in_service`.\n"
    ),
    "metrics/occupancy.md": (
        "---\ntype: Metric\ntitle: Berth occupancy\ndescription: How full the harbour is\n---\n\n"
        "Occupied berths divided by berths in service, from [Berths](/tables/berths.md).\n"
    ),
}
_STATION: Mapping[str, str] = {
    "platforms.md": (
        "---\ntype: Table\ntitle: Platforms\nstatus: deprecated\n---\n\n"
        "One row per platform: `number`, `roofed`.\n"
    ),
}
_ROASTERY: Mapping[str, str] = {
    "تعليمات/تحميص.md": (
        "---\ntype: دليل\ntitle: تحميص القهوة\ndescription: درجات التحميص\n---\n\n"
        "التحميص الفاتح ١٩٦ درجة، انظر [السعر](/价格/咖啡.md).\n"
    ),
    "价格/咖啡.md": "---\ntype: 价格\ntitle: 咖啡价格\n---\n\n一杯咖啡三十元。\n",
}
_LINE = "A line of the register of ships, with a name, a length and a date of arrival.\n"
_REGISTER: Mapping[str, str] = {
    "register.md": (
        "---\ntype: Register\ntitle: Register of ships\n---\n\n# Ships\n\n"
        + _LINE * 2_600
        + "\n# Keeper\n\nAda.\n"
    )
}

_OCCUPANCY = "Berth occupancy is the number of occupied berths divided by the berths in service."

NAVIGATION = Scenario(
    name="index, find, read, answer",
    question="How is berth occupancy defined?",
    script=Script(
        calls(ToolCall("kb_index", {"path": "/"})),
        calls(ToolCall("kb_find", {"text": "occupancy"})),
        calls(ToolCall("kb_read", {"concept_id": "metrics/occupancy"})),
        say(_OCCUPANCY),
    ),
    expected=(
        Expected(mentions=("metrics/occupancy", "how full the harbour is")),
        Expected(mentions=("metrics/occupancy",)),
        Expected(mentions=("divided by berths in service", "tables/berths")),
    ),
    answer=_OCCUPANCY,
    bundles={"": _HARBOUR},
)
"""Index, find, read, answer: the way through a small bundle with `kb_index`, `kb_find` and `kb_read`."""

UNKNOWN_ID = Scenario(
    name="unknown id",
    question="How is berth occupancy defined?",
    script=Script(
        calls(ToolCall("kb_read", {"concept_id": "metrics/ocupancy"})),
        calls(ToolCall("kb_read", {"concept_id": "/metrics/occupancy.md#top"})),
        say(_OCCUPANCY),
    ),
    expected=(
        Expected(mentions=('{"error": ', "Did you mean metrics/occupancy")),
        Expected(mentions=('"id": "metrics/occupancy"',)),
    ),
    answer=_OCCUPANCY,
    bundles={"": _HARBOUR},
)
"""A misspelled id is answered with the right one, which then opens."""

NO_ARGUMENTS = Scenario(
    name="empty text, nothing required",
    question="What is there?",
    script=Script(calls(ToolCall("kb_index", "")), say("Berths.")),
    expected=(Expected(mentions=("tables/berths",)),),
    answer="Berths.",
    bundles={"": _HARBOUR},
)
"""A model that sends no arguments at all, to a tool that needs none."""

TWO_BUNDLES = Scenario(
    name="two bundles with prefixes",
    question="Is there a table of platforms?",
    script=Script(
        calls(ToolCall("harbour_kb_find", {"type": "table"}), ToolCall("station_kb_index", {})),
        calls(ToolCall("station_kb_read", {"concept_id": "platforms"})),
        say("There was one."),
    ),
    expected=(
        Expected(mentions=("tables/berths",), hides=("platforms",)),
        Expected(mentions=("/platforms", "deprecated"), hides=("berths",)),
        Expected(mentions=('"status": "deprecated"', "roofed")),
    ),
    answer="There was one.",
    bundles={"harbour_": _HARBOUR, "station_": _STATION},
)
"""Two bundles in one agent; each tool sees its own."""

OTHER_SCRIPTS = Scenario(
    name="Arabic and Chinese",
    question="ما درجة التحميص؟",
    script=Script(
        calls(ToolCall("kb_find", {"text": "القهوه"})),
        calls(ToolCall("kb_read", {"concept_id": "تعليمات/تحميص"})),
        calls(ToolCall("kb_find", {"text": "咖啡"}), ToolCall("kb_read", {"concept_id": "/价格/咖啡.md"})),
        say("١٩٦ درجة، 三十元。"),
    ),
    expected=(
        Expected(mentions=("تعليمات/تحميص", "تحميص القهوة")),
        Expected(mentions=("التحميص الفاتح ١٩٦ درجة", '"id": "价格/咖啡"')),
        Expected(mentions=("价格/咖啡",)),
        Expected(mentions=("一杯咖啡三十元。",)),
    ),
    answer="١٩٦ درجة، 三十元。",
    bundles={"": _ROASTERY},
)
"""Folders, ids, words and texts in scripts other than Latin, unescaped all the way."""

LONG_DOCUMENT = Scenario(
    name="document of 200 kB",
    question="Who keeps the register?",
    script=Script(
        calls(ToolCall("kb_read", {"concept_id": "register"})),
        calls(ToolCall("kb_read", {"concept_id": "register", "page": 2})),
        calls(ToolCall("kb_read", {"concept_id": "register", "section": "Keeper"})),
        say("Ada."),
    ),
    expected=(
        Expected(mentions=('"page": 1', "call again with page=2", "register of ships")),
        Expected(mentions=('"page": 2', "call again with page=3")),
        Expected(mentions=("Ada.",), hides=("a date of arrival",)),
    ),
    answer="Ada.",
    bundles={"": _REGISTER},
)
"""A document that no model should get whole: pages and sections of it."""
