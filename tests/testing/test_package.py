"""The package as strangers meet it: its README runs and its import costs nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import fingerpost_testing

PACKAGE = Path(__file__).parents[2] / "packages" / "fingerpost-testing"


def test_the_readme_runs() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text("utf-8"), re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", block], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr


def test_the_import_loads_only_the_standard_library_and_fingerpost() -> None:
    code = (
        "import sys; before = set(sys.modules); import fingerpost_testing\n"
        "print({name.partition('.')[0] for name in set(sys.modules) - before} - sys.stdlib_module_names)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() in (
        "{'fingerpost', 'fingerpost_testing'}",
        "{'fingerpost_testing', 'fingerpost'}",
    )


def test_every_public_name_exists_once_and_in_order() -> None:
    names = fingerpost_testing.__all__
    assert names == sorted(set(names))
    assert all(hasattr(fingerpost_testing, name) for name in names)
