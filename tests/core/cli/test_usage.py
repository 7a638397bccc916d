"""Help, mistakes and exit codes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import fingerpost
from fingerpost import demo_bundle
from fingerpost.cli.commands import BUILT_IN
from tests.core.cli.shell import (
    Shell,
    command_line,
    concept,
    environment,
    process,
    write_files,
    write_plug_in,
)

DEMO = demo_bundle()


def test_version_is_that_of_the_package(shell: Shell) -> None:
    outcome = shell("--version")
    assert (outcome.code, outcome.out) == (0, f"fingerpost {fingerpost.__version__}\n")


def test_help_lists_every_command_and_the_exit_codes(shell: Shell) -> None:
    outcome = shell("--help")
    assert outcome.code == 0
    listed = [line.split()[0] for line in outcome.lines if line.startswith("    ")]
    assert {*BUILT_IN, "mcp", "demo"} <= set(listed)
    assert [line.split()[0] for line in outcome.lines if line[2:3].isdigit()] == ["0", "1", "2", "3", "130"]
    variables = outcome.lines[outcome.lines.index("environment:") + 1 :]
    assert [line.split()[0].rstrip(",") for line in variables if line.strip()] == [
        *("FINGERPOST_CACHE", "FINGERPOST_PROCESSES", "NO_COLOR")
    ]
    assert (
        "  FINGERPOST_CACHE       the folder to keep indexes in; off or empty keeps them in memory"
        in variables
    )


@pytest.mark.parametrize("command", BUILT_IN)
def test_each_command_has_help_and_can_answer_in_json(command: str, shell: Shell) -> None:
    outcome = shell(command, "--help")
    assert outcome.code == 0
    assert "--json" in outcome.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "a command is missing. See `fingerpost --help`."),
        (["finde", DEMO], 2, "There is no command 'finde'. Did you mean find?"),
        (["xyzzy"], 2, "There is no command 'xyzzy'. See `fingerpost --help`."),
        (["find"], 2, "the following arguments are required: BUNDLE. See `fingerpost find --help`."),
        (["read", DEMO], 2, "the following arguments are required: ID. See `fingerpost read --help`."),
        (
            ["find", DEMO, "--limit", "0"],
            2,
            "argument --limit: '0' is not a whole number of 1 or more. See `fingerpost find --help`.",
        ),
        (["index", DEMO, "--page", "two"], 2, "'two' is not a whole number"),
        (["index", DEMO, "--pgae", "2"], 2, "unrecognized arguments: --pgae"),
        (["tools", "--prefix", "No Good "], 2, "such as"),
        (["index", "/no/such/folder"], 2, "/no/such/folder"),
        (["read", "gopher://x", "a"], 2, "'gopher'"),
        (["read", DEMO, "policies/cancelation"], 1, "Did you mean policies/cancellation"),
        (["read", DEMO, "policies/damage", "--section", "Rulle"], 1, "has no section 'Rulle'"),
        (["read", DEMO, "https://example.org/a"], 1, "is not an id of this bundle"),
        (["read", DEMO, "policies/"], 1, f"is a folder: call `fingerpost index {DEMO} policies/`."),
        (["index", DEMO, "plans/day"], 1, f"not a folder: read it with `fingerpost read {DEMO} plans/day`."),
        (["read", DEMO, "zz"], 1, f"Call `fingerpost index {DEMO}` to see what there is, or "),
        (["index", DEMO, "--json", "nowhere"], 1, "'nowhere'"),
        (["log", "--json", DEMO, "nowhere"], 1, "'nowhere'"),
        (
            ["find", DEMO, "--nope", "plan"],
            2,
            "unrecognized arguments: --nope plan; before words that start ",
        ),
        (["--nope", "find", DEMO], 2, "unrecognized arguments: --nope"),
        (["links", DEMO, "nothing"], 1, "'nothing'"),
        (["log", DEMO, "nowhere"], 1, "'nowhere'"),
    ],
)
def test_a_mistake_is_one_sentence_and_an_exit_code(
    words: list[str], code: int, said: str, shell: Shell
) -> None:
    outcome = shell(*words)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("fingerpost: ")
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_file_that_is_no_concept_is_told_with_its_rule(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A"), "bad.md": "no frontmatter"})
    outcome = shell("read", folder, "bad")
    assert outcome.code == 1
    assert "OKF101" in outcome.err


def test_storage_that_fails_is_exit_code_3(shell: Shell, tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A")})
    (tmp_path / "log.md").write_bytes(b"x" * 64_000_000)
    outcome = shell("log", folder)
    assert (outcome.code, outcome.out) == (3, "")
    assert "log.md" in outcome.err


def test_a_command_that_breaks_shows_where_and_ends_in_a_sentence(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BUILT_IN, "broken", "tests.core.cli.broken")
    outcome = shell("broken")
    assert outcome.code == 3
    assert "in run\n" in outcome.err
    assert outcome.err.endswith(
        "\nfingerpost: the command failed unexpectedly (ZeroDivisionError); this is a bug, report it.\n"
    )


def test_options_may_stand_anywhere_after_the_command(shell: Shell) -> None:
    before = shell("read", "--json", "--section", "Rule", DEMO, "policies/damage")
    after = shell("read", DEMO, "policies/damage", "--section", "Rule", "--json")
    assert before.json == after.json


def read_one_line(*words: str, **variables: str) -> tuple[int, bytes]:
    """The exit code and the messages of a command whose reader leaves after one line."""
    with subprocess.Popen(
        command_line(*words), env=environment(**variables), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.readline()
        command.stdout.close()
        messages = command.stderr.read()
        return command.wait(timeout=60), messages


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A", "word " * 100_000)})
    assert read_one_line("read", folder, "a") == (0, b"")


@pytest.mark.parametrize("form", ["text", "json", "sarif"])
def test_a_failed_check_fails_also_when_its_reader_has_left(form: str, tmp_path: Path) -> None:
    many = {f"bad{number}.md": "no frontmatter" for number in range(900)}
    folder = write_files(tmp_path, {"a.md": concept("A"), **many})
    assert read_one_line("validate", folder, "--format", form) == (1, b"")


def test_nobody_to_read_anything_leaves_the_exit_code_as_it_is(tmp_path: Path) -> None:
    folder = write_files(tmp_path, {"a.md": concept("A"), "bad.md": "no frontmatter"})
    reading, writing = os.pipe()
    os.close(reading)
    for words, code in ((("validate", folder), 1), (("read", folder, "zz"), 1), (("read", folder, "a"), 0)):
        command = subprocess.run(
            command_line(*words), env=environment(), stdout=writing, stderr=writing, timeout=60, check=False
        )
        assert command.returncode == code
    os.close(writing)


PRINTING = """
def run(arguments):
    for number in range(100_000):
        print("line", number)
    return 0

def command(subparsers):
    subparsers.add_parser("talk").set_defaults(run=run)
"""


def test_a_command_of_a_package_that_was_cut_short_does_not_claim_success(tmp_path: Path) -> None:
    write_plug_in(tmp_path, "talking", {"talk": "talking:command"}, {"talking": PRINTING})
    assert read_one_line("talk", PYTHONPATH=f"{tmp_path}:{environment()['PYTHONPATH']}") == (141, b"")


def test_a_full_disk_is_exit_code_3_in_one_sentence() -> None:
    with open("/dev/full", "wb") as full:
        command = subprocess.run(
            command_line("index", DEMO),
            env=environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert command.returncode == 3
    assert command.stderr == (
        b"fingerpost: [Errno 28] No space left on device; "
        b"check the path, its permissions and the room on the disk.\n"
    )


def test_a_closed_standard_output_is_no_error() -> None:
    line = ["sh", "-c", '"$@" >&-', "sh", *command_line("index", DEMO)]
    command = subprocess.run(line, env=environment(), capture_output=True, timeout=60, check=False)
    assert (command.returncode, command.stderr) == (0, b"")


INTERRUPTED = """
import os, signal

def run(arguments):
    os.kill(os.getpid(), signal.SIGINT)
    while True:
        pass

def command(subparsers):
    subparsers.add_parser("wait").set_defaults(run=run)
"""


def test_an_interrupt_is_exit_code_130_without_a_word(tmp_path: Path) -> None:
    write_plug_in(tmp_path, "waiting", {"wait": "waiting:command"}, {"waiting": INTERRUPTED})
    outcome = process("wait", PYTHONPATH=f"{tmp_path}:{environment()['PYTHONPATH']}")
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (130, b"", b"")
