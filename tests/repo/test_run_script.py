"""The script `run` explains itself, also where it cannot work, and repairs a set-up that was cut short."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from environments import building, folders, programs
from tests.core.cli.shell import environment
from tests.repo.sources import ROOT, copy_what_is_installed, run_script

SCRIPT = ROOT / "run"
COMMANDS = ["demo", "test", "check", "bench", "matrix", "lock", "wheels", "cli", "python", "clean"]


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script as a module that believes that its repository is a copy with nothing set up."""
    copy_what_is_installed(tmp_path)
    monkeypatch.setattr(folders, "ROOT", str(tmp_path))
    monkeypatch.setattr(folders, "VENVS", str(tmp_path / ".venvs"))
    return run_script()


def run(*arguments: str, program: Path = SCRIPT, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(program), *arguments]
    settings = {**os.environ, **environ}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=settings)


def completed(script: Any, name: str) -> Path:
    home = Path(folders.VENVS) / name
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    (home / "complete").write_text(building.fingerprint(name))
    return home


def younger_than_python_2(source: str) -> list[str]:
    """What a source has that Python 2.7 cannot read, as far as anyone would write it into this script."""
    found = [] if source.isascii() else ["a character that is not ASCII"]
    found += re.findall(r"\*\w+,\s*\)", source)  # a comma after the last star of a call
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr | ast.NamedExpr | ast.AnnAssign | ast.Nonlocal | ast.YieldFrom):
            found.append(f"{type(node).__name__} on line {node.lineno}")
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and any(
            isinstance(item, ast.Starred) for item in node.elts
        ):
            found.append(f"a star in a display on line {node.lineno}")
        if isinstance(node, ast.Dict) and None in node.keys:
            found.append(f"two stars in a display on line {node.lineno}")
        if isinstance(node, ast.Call) and any(isinstance(item, ast.Starred) for item in node.args[:-1]):
            found.append(f"an argument after a star on line {node.lineno}")
        if isinstance(node, ast.arguments) and node.kwonlyargs:
            found.append(f"the keyword-only argument {node.kwonlyargs[0].arg}")
        if isinstance(node, ast.Raise) and node.cause is not None:
            found.append(f"raise from on line {node.lineno}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            found += [f"print with {keyword.arg}" for keyword in node.keywords]
    return found


def test_an_old_interpreter_can_read_the_script() -> None:
    source = SCRIPT.read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 6))
    assert younger_than_python_2(source) == []


@pytest.mark.parametrize(
    "source",
    [
        *(
            "f'{x}'",
            "[*a, b]",
            "{**a}",
            "call(*a, b)",
            "call(*a,)",
            "def f(*, a): pass",
            "x: int = 1",
            "print(a, file=b)",
        ),
        *("'é'", "try: pass\nexcept E as e: raise F from e"),
    ],
)
def test_syntax_that_python_2_lacks_is_found(source: str) -> None:
    assert len(younger_than_python_2(source)) == 1


def test_an_old_interpreter_is_told_which_one_is_needed(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    assert script.main(["test"]) == 1
    said = capsys.readouterr().err
    assert re.match(r"run: Fingerpost needs Python 3\.11 or newer and this is 3\.9\.2: .*\.\n$", said)


def test_help_lists_every_command_with_a_line() -> None:
    outcome = run("--help")
    commands = [line.split()[0] for line in outcome.stdout.splitlines() if line.startswith("  ")]
    assert commands == COMMANDS
    assert outcome.returncode == 0


def test_an_unknown_command_is_answered_with_the_known_ones() -> None:
    outcome = run("tset")
    assert outcome.stderr == f"run: There is no command 'tset'. Try: {', '.join(COMMANDS)}.\n"
    assert outcome.returncode == 1


@pytest.mark.parametrize("option", ["--help", "-h"])
@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "cli"])
def test_each_command_answers_help_with_a_paragraph_and_does_nothing(
    command: str, option: str, script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    caches = Path(folders.ROOT) / ".pytest_cache"
    caches.mkdir()
    assert script.main([command, option]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(f"Usage: ./run {command} [ARGUMENTS]\n\n")
    assert script.COMMANDS[command].__doc__.splitlines()[0] in printed.out
    assert printed.err == ""
    assert (caches.is_dir(), Path(folders.VENVS).exists()) == (True, False)


def test_clean_refuses_arguments_and_without_any_removes_what_was_made(
    script: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    made = [Path(folders.VENVS), Path(folders.ROOT) / ".ruff_cache"]
    for folder in made:
        folder.mkdir()
    assert script.main(["clean", "--dry-run"]) == 1
    assert capsys.readouterr().err == "run: clean takes no arguments, and nothing was removed.\n"
    assert all(folder.is_dir() for folder in made)
    assert script.main(["clean"]) == 0
    assert not any(folder.exists() for folder in made)
    assert (Path(folders.ROOT) / "locks").is_dir()


@pytest.fixture
def benchmarks(script: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script with two benchmarks of its own: one prints its arguments, one fails."""
    folder = Path(folders.ROOT) / "benchmarks"
    folder.mkdir()
    (folder / "echo.py").write_text("import sys; print('echo', *sys.argv[1:])")
    (folder / "fail.py").write_text("import sys; print('fail'); sys.exit(2)")
    monkeypatch.setattr(script, "environment", {"a": str(Path(sys.executable).parent)}.__getitem__)
    return script


@pytest.mark.parametrize(
    ("words", "code", "printed", "said"),
    [
        (["echo"], 0, "echo\n", ""),
        (["echo", "./kb", "-v", "kb"], 0, "echo ./kb -v kb\n", ""),
        (["echo", "--help"], 0, "echo --help\n", ""),
        (["fail", "echo"], 1, "fail\necho\n", "run: Failed: fail.\n"),
        ([], 1, "echo\nfail\n", "run: Failed: fail.\n"),
        (["nothing"], 1, "", "run: There is no benchmark 'nothing'; there are: echo, fail.\n"),
        (["echo", "fail", "x"], 1, "", "run: There is no benchmark 'x'; there are: echo, fail.\n"),
    ],
)
def test_bench_runs_what_is_named_and_hands_on_what_follows_one_name(
    words: list[str],
    code: int,
    printed: str,
    said: str,
    benchmarks: Any,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert benchmarks.main(["bench", *words]) == code
    assert capfd.readouterr() == (printed, said)


def test_a_benchmark_is_given_paths_as_they_lead_from_the_current_folder(
    benchmarks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "benchmarks" / "where.py").write_text("import os; print(os.path.basename(os.getcwd()))")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert benchmarks.main(["bench", "where", "./kb"]) == 0
    assert capfd.readouterr().out == "here\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [(["./gone"], 2, "There is no folder gone. "), ([".ci"], 2, "There is no bundle in ")],
)
def test_the_corpus_benchmark_does_not_claim_success_without_a_bundle(
    words: list[str], code: int, said: str
) -> None:
    command = [sys.executable, "benchmarks/corpus.py", *words]
    outcome = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=120, check=False
    )
    assert (outcome.returncode, outcome.stdout) == (code, "")
    assert outcome.stderr.startswith(said)


@pytest.fixture
def became(script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The programs that the script would have become."""
    programs: list[list[str]] = []

    def become(*command: str) -> None:
        programs.append(list(command))

    monkeypatch.setattr(script, "environment", {"a": "a"}.__getitem__)
    monkeypatch.setattr(script, "become", become)
    (tmp_path / "tests" / "core").mkdir(parents=True)
    (tmp_path / "tests" / "test_a.py").touch()
    monkeypatch.chdir(tmp_path)
    return programs


def test_python_runs_the_interpreter_that_sees_the_packages(script: Any, became: list[list[str]]) -> None:
    script.main(["python", "snippet.py", "-h"])
    assert became == [["a/python", "snippet.py", "-h"]]


def test_python_runs_in_the_environment_that_is_named_or_that_a_file_belongs_to(
    script: Any, became: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "environment", str)
    script.main(["python", "--in", "b", "snippet.py"])
    example = Path(folders.ROOT) / "examples" / "crewai_agent.py"
    for package in ("fingerpost-crewai", "fingerpost-mcp"):
        (Path(folders.ROOT) / "packages" / package).mkdir(parents=True, exist_ok=True)
        (Path(folders.ROOT) / "packages" / package / "pyproject.toml").touch()
    example.parent.mkdir()
    example.touch()
    script.main(["python", str(example)])
    assert became == [["b/python", "snippet.py"], ["b/python", str(example)]]
    assert script.main(["python", "--in", "c", "snippet.py"]) == 1
    assert capsys.readouterr().err == "run: --in needs the name of an environment: a or b.\n"


def test_the_help_of_cli_is_that_of_fingerpost(script: Any, became: list[list[str]]) -> None:
    script.main(["cli", "--help"])
    assert became == [["a/fingerpost", "--help"]]


def test_a_completed_environment_is_used_as_it_is(script: Any) -> None:
    home = completed(script, "demo")
    assert script.environment("demo") == str(home / "bin")


@pytest.mark.parametrize("file", ["locks/demo.txt", "locks/tools.txt", "packages/fingerpost/pyproject.toml"])
def test_an_environment_is_stale_once_its_inputs_change(script: Any, file: str) -> None:
    home = completed(script, "demo")
    with (Path(folders.ROOT) / file).open("a") as changed:
        changed.write("# changed\n")
    assert not building.is_ready(str(home), building.fingerprint("demo"))


def test_an_environment_that_was_cut_short_is_built_again(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = completed(script, "demo")
    (home / "complete").unlink()
    (home / "half-written").touch()
    steps: list[list[str]] = []

    def pretend(arguments: list[str], log: str) -> bool:
        steps.append(arguments)
        if "venv" in arguments:
            (Path(arguments[-1]) / "bin").mkdir(parents=True)
            (Path(arguments[-1]) / "bin" / "python").symlink_to(sys.executable)
        return True

    monkeypatch.setattr(building, "succeeds", pretend)
    script.environment("demo")
    assert not (home / "half-written").exists()
    assert building.is_ready(str(home), building.fingerprint("demo"))
    built = len(steps)
    script.environment("demo")
    assert len(steps) == built


def test_pip_takes_over_from_uv_in_the_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "a.log"
    log.write_text("$ earlier\nerror: not this one\n")
    programs_started: list[str] = []

    def only_pip(arguments: list[str], log: str) -> bool:
        programs_started.append(arguments[0])
        with open(log, "a") as file:
            file.write("\n$ uv pip install\nUsing Python\nerror: no such package\n  cause: none\n")
        return arguments[0] != "uv"

    monkeypatch.setattr(building, "succeeds", only_pip)
    building.install("uv", "python", ["-e", "here"], str(log))
    assert [os.path.basename(program) for program in programs_started] == ["uv", "python"]
    assert capsys.readouterr().err == (
        "uv did not succeed (error: no such package); pip tries the same, more slowly.\n"
    )


def test_an_environment_whose_interpreter_is_gone_is_not_ready(script: Any) -> None:
    home = completed(script, "demo")
    (home / "bin" / "python").unlink()
    (home / "bin" / "python").symlink_to(home / "no-longer-there")
    assert not building.is_ready(str(home), building.fingerprint("demo"))


def test_a_python_without_venv_is_told_what_to_install(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(name: str) -> object:
        return None if name == "ensurepip" else name

    monkeypatch.setattr("importlib.util.find_spec", find_spec)
    with pytest.raises(programs.Failure, match="python3-venv"):
        script.environment("demo")


def test_without_a_package_index_the_script_says_so_and_shows_why(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path / "run")
    copy_what_is_installed(tmp_path)
    shutil.copytree(ROOT / "environments", tmp_path / "environments")
    nowhere = "http://127.0.0.1:9/simple"
    settings = {
        "PIP_INDEX_URL": nowhere,
        "PIP_FIND_LINKS": "",
        "PIP_EXTRA_INDEX_URL": "",
        "PIP_CONFIG_FILE": os.devnull,
    }
    outcome = run("demo", program=tmp_path / "run", **settings)
    assert outcome.returncode == 1
    assert "run: No package index answered: check the network, or name the index" in outcome.stderr
    assert "127.0.0.1" in outcome.stderr.split("The end of .venvs/demo.log:")[1]


def test_settings_of_the_shell_that_mislead_an_installation_are_left_out(
    script: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.setenv("PIP_TARGET", "elsewhere")
    monkeypatch.setenv("PIP_INDEX_URL", "a mirror")
    environ = programs.clean_environ()
    assert ("PYTHONPATH" in environ, "PIP_TARGET" in environ, environ["PIP_INDEX_URL"]) == (
        False,
        False,
        "a mirror",
    )


def test_a_full_disk_is_one_sentence(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def write(_name: str) -> None:
        with open("/dev/full", "w") as file:
            file.write("x")

    monkeypatch.setattr(script, "environment", write)
    assert script.main(["demo"]) == 1
    said = capsys.readouterr().err
    assert said == "run: [Errno 28] No space left on device; make room, then run it again.\n"
