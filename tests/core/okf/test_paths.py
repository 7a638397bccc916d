"""Where link targets point: every spelling that has led somewhere wrong, with the right answer."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fingerpost.okf import paths
from fingerpost.okf.paths import Reference, portable_key, resolve, same_key

SOURCE = "sales/q1/report.md"
ABOVE_ROOT = (
    "../../../etc/passwd",
    "/..",
    "/../x",
    "a/../../../../x",
    "%2e%2e/%2e%2e/%2e%2e/x",
    "..%2F..%2F../x",
)
NO_PATH = (
    "a\\b",
    "..\\..\\x",
    "%5C%5Chost",
    "\\\\host\\share",
    "/\\host",
    "a\x00b",
    "a%00.md",
    "C:\\x",
    "c:/x",
    "C:x",
)


@pytest.mark.parametrize(
    ("target", "first", "others"),
    [
        ("orders.md", "sales/q1/orders.md", ()),
        ("./orders.md", "sales/q1/orders.md", ()),
        ("../orders.md", "sales/orders.md", ()),
        ("../../orders.md", "orders.md", ()),
        ("/orders.md", "orders.md", ()),
        ("/a//b/./c.md", "a/b/c.md", ()),
        ("orders", "sales/q1/orders", ("sales/q1/orders.md",)),
        ("v1.2", "sales/q1/v1.2", ("sales/q1/v1.2.md",)),
        ("sub/", "sales/q1/sub/", ("sales/q1/sub.md",)),
        ("..", "sales/", ("sales.md",)),
        ("/", "", ()),
        ("ORDERS.MD", "sales/q1/ORDERS.MD", ()),
        ("a%20b.md", "sales/q1/a%20b.md", ("sales/q1/a b.md",)),
        ("a%2520b.md", "sales/q1/a%2520b.md", ("sales/q1/a%20b.md",)),
        ("caf%C3%A9.md", "sales/q1/caf%C3%A9.md", ("sales/q1/café.md",)),
        ("x.md?raw=1", "sales/q1/x.md?raw=1", ("sales/q1/x.md", "sales/q1/x.md?raw=1.md")),
        ("Meeting notes: May.md", "sales/q1/Meeting notes: May.md", ()),
        ("Note: plan.md", "sales/q1/Note: plan.md", ()),
        ("Note:%20plan.md", "sales/q1/Note:%20plan.md", ("sales/q1/Note: plan.md",)),
        ("FAQ: billing/x.md", "sales/q1/FAQ: billing/x.md", ()),
        ("Q: why?.md", "sales/q1/Q: why?.md", ("sales/q1/Q: why", "sales/q1/Q: why.md")),
        ("/Note:%20plan", "Note:%20plan", ("Note: plan", "Note:%20plan.md", "Note: plan.md")),
        ("/Note:plan.md", "Note:plan.md", ()),
        ("/javascript:alert", "javascript:alert", ("javascript:alert.md",)),
        ("/q: why", "q: why", ("q: why.md",)),
    ],
)
def test_a_path_has_its_readings_in_order(target: str, first: str, others: tuple[str, ...]) -> None:
    assert resolve(target, SOURCE) == Reference("internal", (first, *others))


def test_a_file_at_the_root_is_the_base_of_its_own_links() -> None:
    assert resolve("a/b.md", "index.md").candidates == ("a/b.md",)


@pytest.mark.parametrize(
    ("target", "kind", "anchor"),
    [
        ("#top", "anchor", "top"),
        ("#a%20b", "anchor", "a b"),
        ("", "anchor", ""),
        ("x.md#schema", "internal", "schema"),
        ("/x.md#a#b", "internal", "a#b"),
    ],
)
def test_the_anchor_is_told_apart_and_decoded(target: str, kind: str, anchor: str) -> None:
    reference = resolve(target, SOURCE)
    assert (reference.kind, reference.anchor) == (kind, anchor)


@pytest.mark.parametrize(
    "target",
    [
        "HTTPS://e.com",
        "https://e.com/a\u200bb",
        "http:x",
        "mailto:a@b.c",
        "mailto: a@b.c",
        "https: //e.com",
        "note:plan.md",
        "//host/x",
        "ftp://x",
        "gs://b/o",
        "tel:1",
    ],
)
def test_another_address_is_external(target: str) -> None:
    assert resolve(target, SOURCE) == Reference("external")


@pytest.mark.parametrize(
    "target",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        " javascript:alert(1)",
        "\x01javascript:alert(1)",
        "java\tscript:alert(1)",
        "java\nscript:alert(1)",
        "java\u200bscript:alert(1)",
        "javascript: alert(1)",
        "javascript:%20alert(1)",
        "\x01data: text/html",
        "data:text/html,<script>",
        "vbscript:x",
        "file:///etc/passwd",
        "FILE:x",
        "ht\ttps://e.com",
        "/\t/host/x",
    ],
)
def test_a_scheme_that_can_run_or_read_something_is_unsafe_in_every_disguise(target: str) -> None:
    assert resolve(target, SOURCE) == Reference("unsafe")


@pytest.mark.parametrize("target", [*ABOVE_ROOT, *NO_PATH])
def test_a_path_that_leaves_the_root_in_any_reading_is_none_of_the_bundle(target: str) -> None:
    reference = resolve(target, SOURCE)
    assert (reference.kind, reference.candidates) == ("leaves_root", ())


def test_a_sibling_folder_with_the_same_prefix_is_outside() -> None:
    assert resolve("../kb-secret/x.md", "x.md").kind == "leaves_root"
    assert resolve("a/../../kb-secret/x", "x.md").kind == "leaves_root"
    assert resolve("a/../kb-secret/x.md", "x.md").candidates == ("kb-secret/x.md",)


def test_names_compare_equal_in_either_unicode_form() -> None:
    composed, decomposed = (unicodedata.normalize(form, "Café/é.md") for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert same_key(composed) == same_key(decomposed) == composed
    assert portable_key(composed) == portable_key(decomposed.upper())


def test_letter_case_tells_names_apart_but_not_on_every_disk() -> None:
    assert same_key("Refunds.md") != same_key("refunds.md")
    assert portable_key("Refunds.md") == portable_key("refunds.md")
    assert portable_key("STRASSE.md") == portable_key("straße.md")


@given(st.text(alphabet="./\\%2eE5cC#?: ab\x00\u200bé", max_size=12))
@settings(max_examples=1000, derandomize=True, deadline=None)
def test_a_path_that_is_read_at_once_leads_where_a_close_look_at_it_does(target: str) -> None:
    at_once = resolve(target, SOURCE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paths, "_PLAIN", re.compile("(?!)"))
        assert resolve(target, SOURCE) == at_once


@given(st.text(alphabet="./\\%2eE5cC#?: ab\x00é", max_size=20))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_no_target_whatsoever_resolves_above_the_root(target: str) -> None:
    for candidate in resolve(target, SOURCE).candidates:
        assert not candidate.startswith("/")
        assert not {"..", "."} & set(candidate.split("/"))
        assert "\x00" not in candidate
        assert "\\" not in candidate
