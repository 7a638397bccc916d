"""Running the tests: each part in the environments that it belongs to."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence

from environments import folders
from environments.building import environment
from environments.programs import Failure, become, call, clean_environ, say
from environments.resolving import resolve_newest
from environments.routing import pytest_runs

NOTHING_COLLECTED = 5  # pytest's exit status

# Old releases warn of what is long mended or was not yet deprecated when they came out: that is no failure.
AT_FLOORS = ("-W", "default")


def run_tests(words: Sequence[str], at_floors: bool = False) -> int:
    """Run tests, with the locked releases or at the floors, and return pytest's exit status.

    That a choice such as -k fits no test of an environment is no fault as long as it fits one of another.
    """
    runs = pytest_runs(words, with_other_releases=at_floors)
    os.chdir(folders.ROOT)
    statuses: list[int] = []
    for base, arguments in runs.items():
        python, environ = interpreter("floors-" * at_floors + base)
        command = [python, "-m", "pytest", *(AT_FLOORS if at_floors else ()), *arguments]
        if len(runs) == 1:
            become(*command, **environ)
        statuses.append(call(command, env=clean_environ(**environ)))
    failed = [status for status in statuses if status not in (0, NOTHING_COLLECTED)]
    return failed[0] if failed else min(statuses)


def interpreter(name: str) -> tuple[str, dict[str, str]]:
    """The Python of an environment, built if need be and announced, and the variable that tells the tests."""
    python = os.path.join(environment(name), "python")
    say(f"Testing in environment {name}")
    return python, {"FINGERPOST_ENVIRONMENT": name}


def try_newest(words: Sequence[str]) -> int:
    """Test against the newest releases of everything; the last line says what they break."""
    statuses: dict[str, int] = {}
    broken: list[str] = []
    runs = pytest_runs(words, with_other_releases=True)
    for base in runs:
        moved = resolve_newest(base)
        say("\n  ".join([f"Packages of environment {base} that moved: {len(moved)}", *moved]))
    os.chdir(folders.ROOT)
    for base, arguments in runs.items():
        report = os.path.join(folders.VENVS, f"newest-{base}.xml")
        if os.path.exists(report):
            os.remove(report)
        python, environ = interpreter("newest-" + base)
        command = [python, "-m", "pytest", "--junitxml", report, *arguments]
        statuses[base] = call(command, env=clean_environ(**environ))
        if statuses[base] not in (0, NOTHING_COLLECTED):
            found = failures(report)
            broken += [
                f"{place} in environment {base} ({count})" for place, count in sorted(found.items())
            ] or [f"the run in environment {base} (pytest ended with {statuses[base]})"]
    if broken:
        raise Failure(f"The newest releases break {', '.join(broken)}.")
    say("The newest releases break nothing.")
    return min(statuses.values())


def failures(report: str) -> Counter[str]:
    """How many tests failed in each folder, from a report in JUnit's format that pytest wrote if it could."""
    from xml.etree import ElementTree

    found: Counter[str] = Counter()
    if not os.path.exists(report):
        return found
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            module = (case.get("classname") or case.get("name") or "").split(".")
            found["/".join(module[:2])] += 1
    return found
