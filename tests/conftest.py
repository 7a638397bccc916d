from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from environments.telemetry import SWITCHED_OFF

ROOT = Path(__file__).resolve().parent.parent

# Frameworks read these when they are imported, so that they have to be set before any test module is.
os.environ.update(SWITCHED_OFF)
os.environ["FINGERPOST_CACHE"] = "off"  # tests of the kept index name a folder of their own
if "PYTEST_XDIST_WORKER" not in os.environ:  # the workers share the folder of the process that started them
    os.environ["CREWAI_STORAGE_DIR"] = tempfile.mkdtemp(prefix="fingerpost-tests-")
    atexit.register(shutil.rmtree, os.environ["CREWAI_STORAGE_DIR"], ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--services", action="store_true", help="also run the tests that start a server of their own"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What starts servers is tested by one worker, which starts each once, or is left out with a reason."""
    left_out = pytest.mark.skip(reason="starts a server of its own; ./run test --services runs it")
    mark = pytest.mark.xdist_group("services") if config.getoption("--services") else left_out
    for item in items:
        if item.get_closest_marker("services") is not None:
            item.add_marker(mark)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root folder of this repository."""
    return ROOT


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of public bundles that lies next to a checkout of this repository."""
    folder = ROOT.parent / "shared" / "bundles"
    if not folder.is_dir():
        pytest.skip(f"the public bundles are not there: {folder}")
    return folder
