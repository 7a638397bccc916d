"""The script `run` explains itself, also where it cannot work, and repairs a set-up that was cut short."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.repo.sources import ROOT, run_script

SCRIPT = ROOT / "run"


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script as a module that believes that its repository is a copy with nothing set up."""
    (tmp_path / "packages" / "fingerpost").mkdir(parents=True)
    shutil.copy(ROOT / "packages/fingerpost/pyproject.toml", tmp_path / "packages/fingerpost/pyproject.toml")
    shutil.copytree(ROOT / "locks", tmp_path / "locks")
    module = run_script()
    monkeypatch.setattr(module, "ROOT", str(tmp_path))
    monkeypatch.setattr(module, "VENVS", str(tmp_path / ".venvs"))
    return module


def run(*arguments: str, program: Path = SCRIPT, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(program), *arguments]
    settings = {**os.environ, **environ}
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=settings)


def completed(script: Any, name: str) -> Path:
    home = Path(script.VENVS) / name
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python").symlink_to(sys.executable)
    (home / "complete").write_text(script.fingerprint(name))
    return home


def test_an_old_interpreter_can_read_the_script() -> None:
    ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 6))


def test_an_old_interpreter_is_told_which_one_is_needed(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(
        script.Failure, match=r"^Fingerpost needs Python 3\.11 or newer and this is 3\.9\.2: "
    ):
        script.refuse_old_python()


def test_help_lists_every_command_with_a_line() -> None:
    outcome = run("--help")
    commands = [line.split()[0] for line in outcome.stdout.splitlines() if line.startswith("  ")]
    assert commands == ["demo", "test", "check", "bench", "lock", "wheels", "cli", "clean"]
    assert outcome.returncode == 0


def test_an_unknown_command_is_answered_with_the_known_ones() -> None:
    outcome = run("tset")
    assert (
        outcome.stderr
        == "run: There is no command 'tset'. Try: demo, test, check, bench, lock, wheels, cli, clean.\n"
    )
    assert outcome.returncode == 1


def test_an_unknown_benchmark_is_answered_with_a_sentence() -> None:
    assert "There is no benchmark 'nothing'" in run("bench", "nothing").stderr


def test_a_completed_environment_is_used_as_it_is(script: Any) -> None:
    home = completed(script, "demo")
    assert script.environment("demo") == str(home / "bin")


@pytest.mark.parametrize("file", ["locks/demo.txt", "locks/tools.txt", "packages/fingerpost/pyproject.toml"])
def test_an_environment_is_stale_once_its_inputs_change(script: Any, file: str) -> None:
    home = completed(script, "demo")
    with (Path(script.ROOT) / file).open("a") as changed:
        changed.write("# changed\n")
    assert not script.is_ready(str(home), script.fingerprint("demo"))


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

    monkeypatch.setattr(script, "succeeds", pretend)
    script.environment("demo")
    assert not (home / "half-written").exists()
    assert script.is_ready(str(home), script.fingerprint("demo"))
    built = len(steps)
    script.environment("demo")
    assert len(steps) == built


def test_an_environment_whose_interpreter_is_gone_is_not_ready(script: Any) -> None:
    home = completed(script, "demo")
    (home / "bin" / "python").unlink()
    (home / "bin" / "python").symlink_to(home / "no-longer-there")
    assert not script.is_ready(str(home), script.fingerprint("demo"))


def test_a_python_without_venv_is_told_what_to_install(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_spec(name: str) -> object:
        return None if name == "ensurepip" else name

    monkeypatch.setattr("importlib.util.find_spec", find_spec)
    with pytest.raises(script.Failure, match="python3-venv"):
        script.environment("demo")


def test_without_a_package_index_the_script_says_so_and_shows_why(tmp_path: Path) -> None:
    shutil.copy(SCRIPT, tmp_path / "run")
    shutil.copytree(ROOT / "locks", tmp_path / "locks")
    (tmp_path / "packages").mkdir()
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
    environ = script.clean_environ()
    assert ("PYTHONPATH" in environ, "PIP_TARGET" in environ, environ["PIP_INDEX_URL"]) == (
        False,
        False,
        "a mirror",
    )
