"""What the environment of this run holds is what its packages ask for, and loading them is a quiet affair."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from environments.table import current, locked
from environments.telemetry import SWITCHED_OFF
from tests.repo.sources import NO_ADAPTERS, ROOT, in_fresh_python, project, requirements_of

PACKAGES_HERE = locked()[current()].packages
ADAPTERS_HERE = [name for name in PACKAGES_HERE if name not in NO_ADAPTERS]

# What a framework sets for itself when it is loaded.
SET_BY_THE_FRAMEWORK = {"fingerpost-crewai": ["TOKENIZERS_PARALLELISM"]}

# Events of Python's auditing: a call to somebody, and any use of a socket.
OUTWARD = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}
ANY_SOCKET = {*OUTWARD, "socket.__new__", "socket.bind"}

LOADING = """
import os
for switch in {switches}:
    os.environ.pop(switch, None)
before, events = set(os.environ.items()), []
sys.addaudithook(lambda event, _: events.append(event) if event in {wanted} else None)
{statement}
print(sorted({{name for name, _ in before ^ set(os.environ.items())}}), events)
"""


def loading(statement: str, wanted: set[str]) -> str:
    """The environment variables that a statement changes and the wanted events that it causes, as printed."""
    set_already = {name for names in SET_BY_THE_FRAMEWORK.values() for name in names}
    switches = sorted({*SWITCHED_OFF, "CREWAI_STORAGE_DIR", *set_already})
    outcome = in_fresh_python(LOADING.format(statement=statement, wanted=wanted, switches=switches))
    return outcome.stdout.strip() + outcome.stderr


@pytest.mark.parametrize("name", PACKAGES_HERE)
def test_this_environment_holds_what_a_package_asks_for(name: str) -> None:
    found = {
        requirement: version(requirement.name)
        for requirement in requirements_of(project(ROOT / "packages" / name))
        if not requirement.name.startswith("fingerpost")
    }
    assert [f"{asked}: {held}" for asked, held in found.items() if held not in asked.specifier] == []


@pytest.mark.parametrize("name", PACKAGES_HERE)
def test_importing_a_package_sets_no_environment_variable_and_opens_no_socket(name: str) -> None:
    assert loading(f"import {name.replace('-', '_')}", ANY_SOCKET) == "[] []"


@pytest.mark.parametrize("name", ADAPTERS_HERE)
def test_loading_the_framework_for_an_adapter_calls_nobody_and_sets_only_what_the_framework_does(
    name: str,
) -> None:
    statement = f"from {name.replace('-', '_')} import bind, okf_tools"
    assert loading(statement, OUTWARD) == f"{SET_BY_THE_FRAMEWORK.get(name, [])} []"
