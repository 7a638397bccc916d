"""The error tree. Everything that Fingerpost raises on purpose is a `KnowledgeError`.

    KnowledgeError
    ├── KnowledgePathError        a path or id that is malformed or leaves its root (also ValueError)
    ├── KnowledgeNotFoundError    nothing is there (also LookupError)
    ├── KnowledgeCapabilityError  a backend or store was asked for what it does not offer
    ├── ConceptError              a document is there, but is not a readable concept
    ├── StoreError                storage failed: unreadable, unreachable (also OSError)
    │   └── TooLargeError         a file holds more bytes than are read
    ├── ConflictError             somebody else has changed what was to be written
    ├── ConfigError               a configuration or a constructor argument is wrong (also ValueError)
    ├── ArgumentError             a tool was called with an argument that cannot be read (also ValueError)
    └── MissingPackageError       an optional package is not installed (also ImportError)

Each message is one sentence for a person or a model: what is wrong, where, and what to do next. The classes
double as the built-in error that a caller would expect, so `except OSError` and the like keep working.
"""

from __future__ import annotations


class KnowledgeError(Exception):
    """Base of all errors that Fingerpost raises on purpose."""


class KnowledgePathError(KnowledgeError, ValueError):
    """A path or an id is malformed, or points outside its root."""


class KnowledgeNotFoundError(KnowledgeError, LookupError):
    """Nothing is stored under this path or id."""


class KnowledgeCapabilityError(KnowledgeError):
    """A backend or a store was asked for something that it does not offer."""


class ConceptError(KnowledgeError):
    """A document exists but cannot be read as a concept."""


class StoreError(KnowledgeError, OSError):
    """The storage below could not be read or written."""


class TooLargeError(StoreError):
    """A file holds more bytes than are read."""


class ConflictError(KnowledgeError):
    """What was to be written is no longer what its writer has read."""


class ConfigError(KnowledgeError, ValueError):
    """A configuration value or a constructor argument is wrong."""


class ArgumentError(KnowledgeError, ValueError):
    """A tool argument is missing or cannot be read as what it should be."""


class MissingPackageError(KnowledgeError, ImportError):
    """An optional package is needed and not installed, or is too old."""


def missing_package(wanted: str, extra: str = "", *, needs: str = "", found: str = "") -> MissingPackageError:
    """The one sentence about an optional package that is missing or too old.

    Args:
        wanted: What the caller tried to use, as a noun phrase that starts the sentence ("the MCP server").
        extra: The extra of `fingerpost` that brings it ("mcp").
        needs: The one package that is missing, where no extra brings just that ("langchain").
        found: What is installed instead, when it is too old to work ("mcp 1.30.0").

    Returns:
        The error, for the caller to raise (`raise missing_package(...) from cause`).
    """
    subject = wanted[:1].upper() + wanted[1:]
    state = f"needs {needs}, which is not installed" if needs else "is not installed"
    if found:
        state = f"works only with a newer release than {found}"
    upgrade = "--upgrade " if found else ""
    package = needs or f"'fingerpost[{extra}]'"
    return MissingPackageError(f"{subject} {state}. Run: pip install {upgrade}{package}")
