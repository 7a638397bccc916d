"""The package loads LlamaIndex at first use, and says in one sentence what is missing or too old."""

from __future__ import annotations

import pytest

import fingerpost_llamaindex
from tests.repo.sources import printed

LOADED = "print(sorted({'llama_index', 'openai', 'pydantic'} & set(sys.modules)))"
MISSING = """
import importlib.abc
class Nothing(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "llama_index":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Nothing())
"""
OLD = """
import importlib.metadata
importlib.metadata.version = lambda name: "0.13.6"
"""
USE = """
import fingerpost_llamaindex
try:
    fingerpost_llamaindex.bind
except ImportError as error:
    print(type(error).__name__, error)
"""


def test_llamaindex_is_loaded_at_first_use_and_no_client_of_a_model() -> None:
    assert printed(f"import fingerpost_llamaindex\n{LOADED}") == "[]"
    loaded = printed(f"from fingerpost_llamaindex import MalformedCallMixin, bind, kb_tools\n{LOADED}")
    assert loaded == "['llama_index', 'pydantic']"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (MISSING, "The LlamaIndex adapter is not installed. Run: pip install 'fingerpost[llamaindex]'"),
        (
            OLD,
            """The LlamaIndex adapter works only with a newer release than llama-index-core 0.13.6. \
Run: pip install --upgrade 'fingerpost[llamaindex]'""",
        ),
    ],
)
def test_what_is_missing_or_too_old_is_named_with_the_cure(code: str, said: str) -> None:
    assert printed(code + USE) == f"MissingPackageError {said}"


def test_the_public_names_can_be_imported_and_an_unknown_one_cannot() -> None:
    assert fingerpost_llamaindex.__all__ == ["MalformedCallMixin", "bind", "kb_tools", "okf_tools"]
    assert all(getattr(fingerpost_llamaindex, name).__doc__ for name in fingerpost_llamaindex.__all__)
    with pytest.raises(AttributeError, match="bnd"):
        getattr(fingerpost_llamaindex, "bnd")  # noqa: B009 - a type checker would refuse the plain form
