"""What a user gets: the contents of the built wheels."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.repo.sources import PACKAGES, ROOT

DEMO_BUNDLE = ROOT / "packages" / "fingerpost" / "src" / "fingerpost" / "demo"


def wheel_of(package: Path, folder: Path) -> zipfile.ZipFile:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=package, check=True, capture_output=True, timeout=120)
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_wheel_holds_its_typed_package_its_licence_and_no_tests(package: Path, tmp_path: Path) -> None:
    module = package.name.replace("-", "_")
    with wheel_of(package, tmp_path) as wheel:
        names = wheel.namelist()
    assert f"{module}/py.typed" in names
    assert f"{module}/__init__.py" in names
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names if ".dist-info/" not in name} == {module}
    assert [name for name in names if {"tests", "conftest.py", "__pycache__"} & set(name.split("/"))] == []


def test_the_core_wheel_holds_the_whole_demo_bundle(tmp_path: Path) -> None:
    with wheel_of(PACKAGES[0], tmp_path) as wheel:
        packed = {name for name in wheel.namelist() if name.startswith("fingerpost/demo/")}
    expected = {
        f"fingerpost/demo/{path.relative_to(DEMO_BUNDLE)}"
        for path in DEMO_BUNDLE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert any(name.endswith(".md") for name in expected)
    assert packed == expected
