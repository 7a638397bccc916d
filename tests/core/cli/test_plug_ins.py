"""Commands that other packages bring."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from tests.core.cli.shell import Shell, write_plug_in
from tests.repo.sources import in_fresh_python

GREET = """
print("noise while importing")

def run(arguments):
    print(f"hello {arguments.name}")
    return 7

def command(subparsers):
    print("noise while adding")
    parser = subparsers.add_parser("greet", help="greet someone")
    parser.add_argument("name")
    parser.set_defaults(run=run)
"""


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed packages."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def forget(*modules: str) -> None:
    for name in modules:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


def test_a_package_can_add_a_command(site: Path, shell: Shell) -> None:
    write_plug_in(site, "greeter", {"greet": "greeter_one:command"}, {"greeter_one": GREET})
    forget("greeter_one")
    outcome = shell("greet", "you")
    assert (outcome.code, outcome.out) == (7, "hello you\n")
    assert outcome.err == "noise while importing\nnoise while adding\n"


NESTED = """
def command(subparsers):
    parser = subparsers.add_parser("remote")
    parser.add_argument("--loud", action="store_true")
    adding = parser.add_subparsers().add_parser("add")
    adding.add_argument("name")
    adding.set_defaults(run=lambda arguments: print(arguments.name, arguments.loud) or 0)
"""


def test_a_command_of_a_package_may_have_commands_of_its_own(site: Path, shell: Shell) -> None:
    write_plug_in(site, "remotes", {"remote": "remotes_one:command"}, {"remotes_one": NESTED})
    forget("remotes_one")
    assert shell("remote", "--loud", "add", "x").out == "x True\n"
    outcome = shell("remote", "add", "x", "y")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err == "fingerpost: unrecognized arguments: y. See `fingerpost remote --help`.\n"


def test_a_package_that_adds_another_command_than_it_offers_is_named(site: Path, shell: Shell) -> None:
    write_plug_in(site, "greeter", {"meet": "greeter_five:command"}, {"greeter_five": GREET})
    forget("greeter_five")
    outcome = shell("meet", "you")
    assert (outcome.code, outcome.out) == (2, "")
    assert "the command 'meet' did not add it" in outcome.err


def test_help_lists_it_without_importing_it(site: Path, shell: Shell) -> None:
    write_plug_in(site, "greeter", {"greet": "greeter_two:command"}, {"greeter_two": "raise SystemError"})
    outcome = shell("--help")
    assert outcome.code == 0
    assert ["greet", "(from", "the", "package", "greeter)"] in [line.split() for line in outcome.lines]
    assert "greeter_two" not in sys.modules


def test_a_built_in_command_looks_for_no_plug_in(site: Path) -> None:
    code = (
        "from fingerpost.cli.main import main; from fingerpost import demo_bundle\n"
        "import contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()): main(['index', demo_bundle()])\n"
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('fingerpost_mcp', 'fingerpost_langchain', 'mcp', 'langchain_core')])"
    )
    outcome = in_fresh_python(code)
    assert (outcome.stdout, outcome.stderr) == ("[]\n", "")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import no_such_module_at_all", "(ModuleNotFoundError: No module named 'no_such_module_at_all')"),
        ("raise RuntimeError('broken inside')", "(RuntimeError: broken inside)"),
        ("", "AttributeError"),
        ("command = 5", "TypeError"),
    ],
)
def test_a_broken_plug_in_is_one_sentence_that_names_it(
    source: str, said: str, site: Path, shell: Shell
) -> None:
    write_plug_in(site, "greeter", {"greet": "greeter_three:command"}, {"greeter_three": source})
    forget("greeter_three")
    outcome = shell("greet", "you")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith("fingerpost: The command 'greet' of the package greeter cannot be loaded (")
    assert said in outcome.err
    assert outcome.err.count("\n") == 1


def test_two_packages_with_the_same_command_are_refused_by_name(site: Path, shell: Shell) -> None:
    for package in ("one", "two"):
        write_plug_in(site, package, {"greet": f"greeter_{package}:command"}, {})
    outcome = shell("greet")
    assert outcome.code == 2
    assert "(greeter_one:command, greeter_two:command)" in outcome.err


def test_a_misspelt_command_of_a_package_is_recognised(site: Path, shell: Shell) -> None:
    write_plug_in(site, "greeter", {"greet": "greeter_four:command"}, {})
    assert "Did you mean greet?" in shell("greeet").err


@pytest.mark.parametrize(("command", "what"), [("mcp", "The MCP server"), ("demo", "The demo")])
def test_a_command_of_an_extra_that_is_not_installed_says_how_to_get_it(
    command: str, what: str, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    outcome = shell(command)
    sentence = f"fingerpost: {what} is not installed. Run: pip install 'fingerpost[{command}]'\n"
    assert (outcome.code, outcome.out, outcome.err) == (2, "", sentence)


@pytest.mark.parametrize("command", ["mcp", "demo"])
def test_a_command_of_an_extra_whose_package_lacks_a_module_says_how_to_get_it(
    command: str, site: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if "site-packages" not in entry])
    write_plug_in(
        site, f"fingerpost-{command}", {command: "half_there:command"}, {"half_there": "import absent_one"}
    )
    forget("half_there")
    assert shell(command).err.endswith(f"pip install 'fingerpost[{command}]'\n")
