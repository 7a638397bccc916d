"""`fingerpost find`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fingerpost import Bundle, demo_bundle
from fingerpost.bundle.bodies import Reading
from fingerpost.bundle.reading import Progress
from fingerpost.cli import progress
from fingerpost.cli.find import read_whole
from tests.core.cli.shell import Shell, Terminal, concept, write_files

DEMO = demo_bundle()


def test_find_prints_each_hit_with_its_signals_and_an_excerpt(shell: Shell) -> None:
    outcome = shell("find", DEMO, "cancelling", "a", "plan")
    assert outcome.code == 0
    assert outcome.lines[0] == "policies/cancellation  Cancelling a plan  [Policy, human-reviewed]"
    assert outcome.lines[1].startswith("    ")
    assert outcome.lines[1].strip()


def test_find_takes_the_words_one_by_one_or_as_one_option(shell: Shell) -> None:
    separate = shell("find", DEMO, "brake", "recall", "--json").json
    assert separate == shell("find", DEMO, "--text", "brake recall", "--json").json
    assert separate["results"][0]["id"] == "runbooks/brake-recall"


@pytest.mark.parametrize(
    "words",
    [
        ("--json", DEMO, "brake", "recall"),
        (DEMO, "--json", "brake", "recall"),
        (DEMO, "brake", "--json", "recall"),
        ("--json", "--limit", "20", DEMO, "--type", "Runbook", "brake", "recall"),
        (DEMO, "--json", "--", "brake", "recall"),
        ("--json", "--", DEMO, "brake", "recall"),
    ],
)
def test_words_may_stand_before_between_and_after_options(shell: Shell, words: tuple[str, ...]) -> None:
    outcome = shell("find", *words)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.json["results"][0]["id"] == "runbooks/brake-recall"


def test_a_word_that_starts_with_a_hyphen_stands_after_two_of_them(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A", "a flag --verbose")})
    assert shell("find", folder, "--limit", "1", "--", "--verbose").lines[0].startswith("a  A")


@pytest.mark.parametrize("words", [("-refund",), ("--text", "-refund"), ("plan", "-refund", "paid")])
def test_a_word_taken_for_an_option_is_answered_with_how_to_write_it(
    words: tuple[str, ...], shell: Shell
) -> None:
    advice = "before words that start with a minus write --, or write them as in --text=-word"
    outcome = shell("find", DEMO, *words)
    assert outcome.code == 2
    assert outcome.err.endswith(f"; {advice}. See `fingerpost find --help`.\n")
    assert advice[1:] in " ".join(shell("find", "--help").out.split())
    assert advice not in shell("find", DEMO, "--limit", "0").err
    assert advice not in shell("index", DEMO, "-refund").err


def test_find_by_type_and_tags_requires_all(shell: Shell) -> None:
    answer = shell("find", DEMO, "--type", "policy", "--tag", "customers", "--tag", "workshop", "--json").json
    assert [hit["id"] for hit in answer["results"]] == ["policies/damage"]


def test_find_leaves_out_deprecated_concepts_and_says_so(shell: Shell) -> None:
    words = ("find", DEMO, "--tag", "refunds")
    without, including = shell(*words), shell(*words, "--include-deprecated")
    assert "policies/cancellation-2024" not in without.out
    assert "1 deprecated left out; --include-deprecated shows them.\n" in without.err
    marked = [line for line in including.lines if line.startswith("policies/cancellation-2024")]
    assert [line.rpartition("]")[2] for line in marked] == ["  deprecated"]
    assert including.err == ""


def test_find_says_how_many_more_there_are(shell: Shell) -> None:
    total = Bundle(DEMO).find(include_deprecated=True)["total"]
    outcome = shell("find", DEMO, "--limit", "2", "--include-deprecated")
    assert len([line for line in outcome.lines if not line.startswith(" ")]) == 2
    assert outcome.err == f"2 of {total} results shown; --offset 2 shows the next.\n"


def test_an_offset_that_passes_over_all_is_told(shell: Shell, tmp_path: Path) -> None:
    files = {f"{name}.md": concept(name, "plan") for name in "abc"}
    folder = write_files(tmp_path, {**files, "d.md": concept("d", "road")})
    outcome = shell("find", folder, "plan", "--offset", "50")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == "There are 3 results; --offset 50 passes over all of them.\n"
    told = "There is 1 result; offset=1 passes over it."
    assert Bundle(folder).find("road", offset=1).get("message") == told
    assert "message" not in Bundle(folder).find("plan", offset=2)


def test_what_is_more_than_search_takes_is_told(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A", "word7")})
    assert (
        shell("find", folder, "word7", "--limit", "101").err == "--limit was set to 100, the most it takes.\n"
    )
    assert shell("find", folder, "word7", "--limit", "100").err == ""
    words = [f"word{number}" for number in range(70)]
    left_out = "Only the first 64 words of the question were searched for; 6 more were left out.\n"
    assert left_out in shell("find", folder, *words).err
    assert shell("find", folder, *(f"none{number}" for number in range(70))).err.startswith(left_out)


def test_find_says_which_spelling_it_searched(shell: Shell) -> None:
    outcome = shell("find", DEMO, "cancelaltion")
    assert "policies/cancellation" in outcome.out
    assert outcome.err.startswith("No concept has the word 'cancelaltion'; searched for ")


def test_find_counts_the_files_that_could_not_be_searched(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A", "word"), "bad.md": "no frontmatter"})
    which = "`fingerpost validate` says which, and what is wrong.\n"
    assert shell("find", folder, "word").err == f"1 file is no valid concept and was not searched.\n{which}"
    write_files(tmp_path, {"worse.md": "nor here"})
    found = shell("find", folder, "word").err
    assert found == f"2 files are no valid concepts and were not searched.\n{which}"


@pytest.mark.parametrize("option", [(), ("--json",)])
def test_finding_nothing_is_exit_code_1(option: tuple[str, ...], shell: Shell) -> None:
    outcome = shell("find", DEMO, "zeppelin", *option)
    assert outcome.code == 1
    if option:
        assert outcome.json["total"] == 0
        message = outcome.json["message"]
    else:
        assert (outcome.out, outcome.err.count("\n")) == ("", 1)
        message = outcome.err
    assert f"`fingerpost index {DEMO}`" in message
    assert "kb_index" not in message


def test_find_takes_every_filter_of_the_library(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(
        tmp_path,
        {
            "a/one.md": concept("One", "plan"),
            "a/two.md": concept("Two", "plan").replace("type:", "stale_after: 2020-01-01\ntype:"),
            "b/three.md": concept("Three", "plan").replace("type:", "status: draft\ntype:"),
        },
    )

    def ids(*words: str) -> list[str]:
        return [hit["id"] for hit in shell("find", folder, "plan", "--json", *words).json["results"]]

    assert ids("--path", "a") == ["a/one", "a/two"]
    assert (ids("--stale"), ids("--no-stale")) == (["a/two"], ["a/one", "b/three"])
    assert ids("--status", "draft") == ["b/three"]
    assert ids("--trust", "human-reviewed") == []
    assert ids("--limit", "1", "--offset", "2") == ["b/three"]
    assert "1 of 3 results shown; --offset 2 shows the next." in (
        shell("find", folder, "plan", "--limit", "1", "--offset", "1").err
    )
    assert shell("find", folder, "--trust", "none").code == 2


def test_find_explains_each_result_when_asked(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("Refunds", "within thirty days")})
    lines = shell("find", folder, "--explain", "refund", "thrity").lines
    assert lines[2].strip().startswith("refund -> refunds (another form), in title; weight ")
    assert lines[3].strip().startswith("thrity -> thirty, 1 edit away, in text; weight ")


def test_help_says_what_is_listed_without_words_and_what_filters_ask_for(shell: Shell) -> None:
    told = " ".join(shell("find", "--help").out.split())
    assert "Without words, list everything that passes the filters." in told
    assert "repeat it for concepts that have all of these tags" in told
    assert "deprecated shows what is left out otherwise" in told


class Slow(Bundle):
    """A bundle that tells of two files: one header is read, and then no text."""

    def wait(self, timeout: float | None = None, progress: Progress | None = None) -> Reading:
        if progress is not None:
            progress(0 if timeout is None else 1, 2)
        return super().wait(timeout)


def test_headers_and_texts_that_are_read_show_their_progress_apart(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_SECONDS_BEFORE", 0.0)
    monkeypatch.setattr(progress, "_SECONDS_BETWEEN", 0.0)
    folder = write_files(tmp_path, {f"{number}.md": concept("A", "word") for number in range(510)})
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert shell("find", folder, "word", "--limit", "1").code == 0
    assert f"\r{'.' * 24} headers read: 0 of 510\r" in terminal.getvalue()
    terminal.truncate(0)
    terminal.seek(0)
    with Slow(DEMO) as bundle:
        read_whole(bundle)
    shown = f"\r{'#' * 12}{'.' * 12} headers read: 1 of 2\r\x1b[K\r{'.' * 24} texts read: 0 of 2\r\x1b[K"
    assert terminal.getvalue() == shown
