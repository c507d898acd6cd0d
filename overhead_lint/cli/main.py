"""The console script: finds the command and hands over to its module."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from overhead_lint.cli import streams
from overhead_lint.errors import Complaint, ProgramInterrupted, comes_of_interrupt
from overhead_lint.support.dependencies import REQUIRED

__all__ = ["COMMANDS", "console", "main"]

COMMANDS: Final = {
    "bench": "overhead_lint.cli.bench",
    "check": "overhead_lint.cli.check",
    "clean": "overhead_lint.cli.clean",
    "compile-sites": "overhead_lint.cli.compile_sites",
    "completions": "overhead_lint.cli.completions",
    "fix-report": "overhead_lint.cli.fix_report",
    "guards": "overhead_lint.cli.guards",
    "merge-budget": "pytest_overhead.merge",
    "merge-reports": "overhead_lint.cli.merge_reports",
    "native": "overhead_lint.cli.native",
    "report": "overhead_lint.cli.report_html",
    "rule": "overhead_lint.cli.rule",
    "run": "overhead_lint.cli.run",
    "server": "overhead_lint.cli.server",
    "vendor": "overhead_lint.cli.vendor",
}
_INTERRUPTED: Final = 130  # what shells use for Ctrl-C
# Modules, trees of sources, and what is kept between runs, are many objects that all stay for a while:
# looking through them for garbage as often as Python usually does costs a tenth of a check.
_OBJECTS_BETWEEN_COLLECTIONS: Final = 500_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: arguments without the program's name; ``sys.argv[1:]`` if None.

    Returns:
        The exit status: 0 clean, 1 findings, 2 wrong use or a file that could not be checked.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = "check"
    if arguments and arguments[0] in COMMANDS:
        command = arguments.pop(0)
    try:
        if command == "run":  # exceptions, streams and exit status are those of the program that it runs
            return 2 if _is_lost() else _run(command, arguments)
        return _run_own(command, arguments)
    except ProgramInterrupted:
        raise KeyboardInterrupt from None  # the interpreter ends by the signal for no other class
    except ModuleNotFoundError as error:
        if error.name not in REQUIRED:
            raise
        streams.complain(f"{error.name} is not installed: {sys.executable} -m pip install {error.name}")
        return 2
    except (Exception, KeyboardInterrupt) as error:
        if not comes_of_interrupt(error):
            raise
        return _interrupted()


def _interrupted() -> int:
    """Say that Ctrl-C ended the command; the exit status."""
    streams.complain("interrupted")
    return _INTERRUPTED


def _run(command: str, arguments: Sequence[str]) -> int:
    return int(importlib.import_module(COMMANDS[command]).run(arguments))


def _run_own(command: str, arguments: Sequence[str]) -> int:
    """Run a command that has the process for itself."""
    streams.open_closed()
    streams.print_anything()
    if command == "check":
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    if command == "check" and not {"-h", "--help"}.isdisjoint(arguments):
        importlib.import_module("overhead_lint.cli.options").parse(arguments)  # prints and exits
    try:
        status = _run(command, arguments)
        if not sys.stdout.closed:  # by the language server, which speaks through it
            sys.stdout.flush()
    except Complaint as error:
        streams.complain(str(error))
        return 2
    except OSError as error:
        if error.filename is not None:
            streams.complain(f"{error.filename}: {error.strerror or error}")
            return 2
        if not isinstance(error, BrokenPipeError) and _is_lost():
            return 2
        return streams.unwritable(error)  # no file is named, so it is the stream: a full disk behind `>`
    return status


def console() -> NoReturn:
    """The console script: runs the command line, and ends the process.

    A check ends it without taking down all that was read: of a large project, warm, that would cost a tenth
    of the run. Functions that were registered for the end are called, and the streams are written out.
    """
    # Asked for before: a program that is run has arguments of its own, and threads that are waited for.
    checks = sys.argv[1:2] == ["check"] or COMMANDS.keys().isdisjoint(sys.argv[1:2])
    if checks:
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    gc.enable()
    try:
        status = main()
    except Exception:
        if sys.argv[1:2] == ["run"]:  # the program's own
            raise
        status = _faulty()
    if not checks:
        sys.exit(status)
    try:
        _end()
    except KeyboardInterrupt:
        status = _interrupted()
    os._exit(status)


def _faulty() -> int:
    """Tell of an exception that nobody expected, whose traceback a report needs; the exit status.

    The interpreter would end with 1, which stands for findings.
    """
    import traceback

    traceback.print_exc()
    streams.complain("the error above is a fault of overhead-lint itself: please report it with these lines")
    return 2


def _end() -> None:
    """Do what the interpreter does at its end."""
    import atexit

    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()


def _is_lost() -> bool:
    """Whether the current folder was removed; if so, that is said."""
    try:
        Path.cwd()
    except FileNotFoundError:
        print("overhead-lint: the current folder is not there any more: cd to one that is", file=sys.stderr)
        return True
    return False
