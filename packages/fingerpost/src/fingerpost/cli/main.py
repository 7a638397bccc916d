"""`fingerpost`: read, search, check and write a bundle from a shell.

Exit codes: 0 done; 1 what was asked for is not there (nothing found, no such concept, no longer as it was, a
check failed), or nobody agreed to a change; 2 wrong usage or configuration, or a package is missing; 3 the
storage, the output or a command failed; 130 interrupted. A reader that closes the pipe early changes none of
them, except that a command of another package which prints on its own ends with 141.
"""

from __future__ import annotations

import sys
import traceback
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import cast

from fingerpost.cli.commands import add_all_commands, add_command_named
from fingerpost.cli.output import as_commands, flush, let_go, note, note_text, write_utf8
from fingerpost.cli.parser import Parser, Run, parse_in_any_order
from fingerpost.errors import (
    ConceptError,
    ConfigError,
    ConflictError,
    KnowledgeError,
    KnowledgeNotFoundError,
    KnowledgePathError,
    StoreError,
)

DONE, NOT_THERE, WRONG_USAGE, FAILED, INTERRUPTED, READER_GONE = 0, 1, 2, 3, 130, 141

_NOT_THERE_ERRORS = (KnowledgeNotFoundError, KnowledgePathError, ConceptError, ConflictError)

_EPILOG = """exit codes:
  0    done
  1    what was asked for is not there: nothing found, no such concept, no longer as it was, a check failed;
       or nobody agreed to a change
  2    wrong usage or configuration, or a package is missing
  3    the storage, the output or a command failed
  130  interrupted

environment:
  FINGERPOST_CACHE       the folder to keep indexes in; off or empty keeps them in memory
  FINGERPOST_PROCESSES   1 leaves all work to one process; else a second one helps to index much text
  NO_COLOR, FORCE_COLOR  colour is used on a terminal; these turn it off, and on"""


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
    arguments = Namespace()
    try:
        run = _parsed(argv, arguments)
        code = run(arguments)
        flush()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return READER_GONE
    except KnowledgeError as error:
        note("fingerpost: ", as_commands(str(error), getattr(arguments, "bundle", None) or "BUNDLE"))
        if isinstance(error, StoreError):
            return FAILED
        return NOT_THERE if isinstance(error, _NOT_THERE_ERRORS) else WRONG_USAGE
    except OSError as error:
        note(f"fingerpost: {error}; check the path, its permissions and the room on the disk.")
        return FAILED
    except Exception as error:  # noqa: BLE001 - a shell gets a sentence, whatever happened
        note_text(traceback.format_exc().rstrip("\n"))
        note(
            f"fingerpost: the command failed unexpectedly ({type(error).__name__}); this is a bug, report it."
        )
        return FAILED
    return code


def _parsed(argv: list[str], arguments: Namespace) -> Run:
    """Parse the command line into `arguments`, and return what does the work."""
    parser = Parser(
        prog="fingerpost",
        description="Read, search, check and write a bundle of the Open Knowledge Format.",
        epilog=_EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    version: str = import_module("fingerpost").__version__
    parser.add_argument("-V", "--version", action="version", version=f"fingerpost {version}")
    subparsers = parser.add_subparsers(metavar="COMMAND")
    position = next((position for position, word in enumerate(argv) if not word.startswith("-")), None)
    if position is None:
        add_all_commands(subparsers)
        parser.parse_args(argv)
        parser.error("a command is missing")
    parser.parse_args(argv[:position])
    add_command_named(subparsers, argv[position])
    parsers = cast("Mapping[str, ArgumentParser]", subparsers.choices)
    if argv[position] not in parsers:
        raise ConfigError(
            f"The package that offers the command {argv[position]!r} did not add it; reinstall it."
        )
    parse_in_any_order(parsers[argv[position]], argv[position + 1 :], arguments)
    run: Run = arguments.run
    return run


def _release_output() -> None:
    """Keep the interpreter from complaining at its end about output that nobody takes."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        let_go(sys.stdout)
