"""The package loads CrewAI at first use, and says in one sentence what is missing or too old."""

from __future__ import annotations

from pathlib import Path

import pytest

import fingerpost_crewai
from tests.repo.sources import printed

LOADED = "print(sorted({'crewai', 'pydantic'} & set(sys.modules)))"
MISSING = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "crewai":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
"""
OLD = """
import importlib.metadata, types
sys.modules["crewai"] = types.ModuleType("crewai")
sys.modules["crewai"].__path__ = []
importlib.metadata.version = lambda name: "1.14.7"
"""
USE = """
import fingerpost_crewai
try:
    fingerpost_crewai.bind
except ImportError as error:
    print(type(error).__name__, error)
"""
SETTINGS = """
import os
before = dict(os.environ)
import fingerpost_crewai
assert dict(os.environ) == before
fingerpost_crewai.bind([])
print(sorted(name for name in set(os.environ) - set(before) if name.startswith("CREWAI")))
"""


def test_crewai_is_loaded_at_first_use() -> None:
    assert printed(f"import fingerpost_crewai\n{LOADED}") == "[]"
    loaded = printed(f"from fingerpost_crewai import bind, kb_tools, okf_tools\n{LOADED}")
    assert loaded == "['crewai', 'pydantic']"


def test_no_setting_of_crewai_is_made_for_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CREWAI_DISABLE_TELEMETRY", "CREWAI_TRACING_ENABLED", "CREWAI_STORAGE_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OTEL_SDK_DISABLED", "true")
    assert printed(SETTINGS) == "[]"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (MISSING, "The CrewAI adapter is not installed. Run: pip install 'fingerpost[crewai]'"),
        (
            OLD,
            """The CrewAI adapter works only with a newer release than crewai 1.14.7. \
Run: pip install --upgrade 'fingerpost[crewai]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + USE) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_crewai.__all__ == ["bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_crewai, name).__doc__ for name in fingerpost_crewai.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_crewai, "bnd")  # noqa: B009 - a type checker would refuse the plain form
