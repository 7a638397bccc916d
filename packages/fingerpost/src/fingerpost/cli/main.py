"""`fingerpost`: read, search and check a bundle from a shell.

Exit codes: 0 done; 1 what was asked for is not there (nothing found, no such concept, a check failed); 2
wrong usage or configuration, or a package is missing; 3 the storage, the output or a command failed; 130
interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from argparse import Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module

from fingerpost.cli.commands import add_all_commands, add_command_named
from fingerpost.cli.output import as_commands, note, write_utf8
from fingerpost.cli.parser import Parser, Run
from fingerpost.errors import (
    ConceptError,
    KnowledgeError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    StoreError,
)

DONE, NOT_THERE, WRONG_USAGE, FAILED, INTERRUPTED = 0, 1, 2, 3, 130

_NOT_THERE_ERRORS = (KnowledgeNotFoundError, KnowledgePathError, ConceptError)

_EXIT_CODES = """exit codes:
  0    done
  1    what was asked for is not there: nothing found, no such concept, a check failed
  2    wrong usage or configuration, or a package is missing
  3    the storage, the output or a command failed
  130  interrupted

Colour is used on a terminal; NO_COLOR turns it off, FORCE_COLOR on."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        argv: The arguments; those of the process by default.

    Returns:
        The exit code, as described above.
    """
    write_utf8()
    try:
        return _guarded(list(sys.argv[1:] if argv is None else argv))
    finally:
        _release_output()


def _guarded(argv: list[str]) -> int:
    try:
        code = _run(argv)
        sys.stdout.flush()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return DONE  # whoever reads the output has seen enough
    except KnowledgeError as error:
        note("fingerpost: ", as_commands(str(error)))
        if isinstance(error, StoreError):
            return FAILED
        return NOT_THERE if isinstance(error, _NOT_THERE_ERRORS) else WRONG_USAGE
    except OSError as error:
        note(f"fingerpost: {error}.")
        return FAILED
    except Exception as error:  # noqa: BLE001 - a shell gets a sentence, whatever happened
        traceback.print_exc()
        note(
            f"fingerpost: the command failed unexpectedly ({type(error).__name__}); this is a bug, report it."
        )
        return FAILED
    return code


def _run(argv: list[str]) -> int:
    parser = Parser(
        prog="fingerpost",
        description="Read, search and check a bundle of the Open Knowledge Format.",
        epilog=_EXIT_CODES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    version: str = import_module("fingerpost").__version__
    parser.add_argument("--version", action="version", version=f"fingerpost {version}")
    subparsers = parser.add_subparsers(metavar="COMMAND")
    wanted = next((word for word in argv if not word.startswith("-")), "")
    if wanted:
        add_command_named(subparsers, wanted)
    else:
        add_all_commands(subparsers)
    arguments: Namespace = parser.parse_args(argv)
    run: Run | None = getattr(arguments, "run", None)
    if run is None:
        parser.error("a command is missing")
    return run(arguments)


def _release_output() -> None:
    """Keep the interpreter from complaining at its end about output that nobody takes."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
