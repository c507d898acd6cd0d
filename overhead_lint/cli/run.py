"""``overhead-lint run PROGRAM``: runs a program unchanged, and says what it cost by source line."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.cli.parser import Parser, whole_number
from overhead_lint.cli.run_refused import Refused
from overhead_lint.support import atomic

if TYPE_CHECKING:
    from overhead_lint.dynamic.program import Program

__all__ = ["run"]

_OUTPUT: Final = Path("overhead.json")
_LAUNCHERS: Final = {
    "torchrun": "torchrun [OPTIONS] -m",
    "torch.distributed.run": "python -m torch.distributed.run [OPTIONS] -m",
    "torch.distributed.launch": "torchrun [OPTIONS] -m",
    "accelerate launch": "accelerate launch [OPTIONS] -m",
    "deepspeed": "deepspeed [OPTIONS] --module",
}
"""Programs that start others, by name; and how each starts a module."""
_INTERPRETER: Final = re.compile(r"python[0-9.]*")


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        The program's exit status; 2 where it could not be run as asked for.

    Raises:
        SystemExit: the program's own.
        KeyboardInterrupt: the program was interrupted, and did not catch it.
    """
    from overhead_lint.dynamic.signals import waiting

    found = _parser().parse_args(arguments)
    with contextlib.ExitStack() as stack:
        if not found.verify:  # which only waits for others
            stack.enter_context(waiting())
        found.tests = None
        if found.pytest is not None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="overhead-lint-"))
            found.tests = Path(folder) / "tests.json"
        try:
            program = _program(found)
            _check(found)
            if found.verify:
                from overhead_lint.cli.run_verified import run_verified

                return run_verified(program, found)
            from overhead_lint.cli.run_measured import run_measured

            return run_measured(program, found)
        except Refused as error:
            print(f"overhead-lint: {error}", file=sys.stderr)
            return 2


def _program(found: argparse.Namespace) -> Program:
    from overhead_lint.dynamic.program import Kind, Program

    if found.pytest is not None:
        return Program(Kind.MODULE, "pytest", (f"--overhead-numbers={found.tests}", *found.pytest))
    if found.module is not None:
        if not found.module:
            raise Refused("-m takes a module")
        _refuse_launchers(f"-m {found.module[0]}", found.module)
        return Program(Kind.MODULE, found.module[0], tuple(found.module[1:]))
    if not found.program:
        raise Refused("name a script, -m MODULE, or --pytest; `overhead-lint run --help` shows more")
    _refuse_launchers(found.program[0], found.program)
    return Program(Kind.SCRIPT, found.program[0], tuple(found.program[1:]))


def _refuse_launchers(shown: str, words: Sequence[str]) -> None:
    """Say how it is done where what is to be run would start the program elsewhere, or is no script."""
    name = Path(words[0]).name
    name = f"{name} {words[1]}" if name == "accelerate" and len(words) > 1 else name
    if name in _LAUNCHERS:
        command = f"{_LAUNCHERS[name]} overhead_lint run SCRIPT"
        raise Refused(f"{shown} starts the program in processes of its own; measure those: {command}")
    if not Path(words[0]).exists():
        if name == "pytest" and shown == words[0]:
            raise Refused("pytest: write overhead-lint run --pytest, and then its arguments")
        if _INTERPRETER.fullmatch(name):
            raise Refused(f"{shown}: leave the interpreter out: overhead-lint run SCRIPT")


def _check(found: argparse.Namespace) -> None:
    for path in (found.output, found.report_to):
        if path is not None and (why := atomic.why_not(path)):
            raise Refused(f"{path}: {why}")
        # Asked now, and not only when hours have been measured; what is no plain file is not replaced.
        if path is not None and not (path.exists() and not path.is_file()):
            for place in (path, path.resolve().parent):
                if place.exists() and not os.access(place, os.W_OK):
                    why = "it is read-only" if place == path else f"{place} is read-only"
                    raise Refused(f"{path}: cannot be written: {why}; name a file elsewhere")
    if found.report_to and found.report_to.resolve() == found.output.resolve() != Path(os.devnull):
        raise Refused(f"{found.output}: cannot hold both the evidence and the report: name two files")
    for folder in found.source:
        if not folder.is_dir():
            raise Refused(f"--source {folder}: no such folder")
    if found.exit and not (found.steps or found.duration):
        raise Refused("--exit goes with --steps or --duration, which say when")
    if found.fix != found.verify:
        raise Refused("--fix goes with --verify; to fix files: overhead-lint --fix --evidence overhead.json")
    if found.verify and (found.pytest is not None or found.report_to or found.quiet):
        raise Refused("--verify takes a script or module, and reports on stderr")
    if found.unsafe_fixes and not found.fix:
        raise Refused("--unsafe-fixes widens --fix --verify")
    if found.step_function and not all(found.step_function.partition(":")):
        raise Refused(f"--step-function {found.step_function}: write pkg.module:function")


def _duration(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < 1e9:
        raise argparse.ArgumentTypeError(f"seconds, as in 1.5, not {text!r}")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint run",
        usage="overhead-lint run [options] (SCRIPT | FOLDER | -m MODULE | --pytest) [ARGS]...",
        description="Run a program unchanged, count what the linter finds in it, and say what it costs.",
        epilog="Options come before the program; what follows it is its own.",
        allow_abbrev=False,
    )
    what = parser.add_argument_group("what to run")
    rest = argparse.REMAINDER
    what.add_argument(
        "program",
        nargs=rest,
        metavar="SCRIPT",
        help="a script, or a folder with a __main__.py, and arguments",
    )
    what.add_argument("-m", dest="module", nargs=rest, metavar="MODULE", help="a module, as python -m does")
    what.add_argument("--pytest", nargs=rest, metavar="ARGS", help="pytest with these arguments")
    what.add_argument(
        "--device",
        choices=("auto", "simulated"),
        default="auto",
        help="`simulated` gives the program a simulated cuda device (default: what is there)",
    )
    _add_amount(parser)
    _add_fixes(parser)
    _add_report(parser)
    return parser


def _add_amount(parser: argparse.ArgumentParser) -> None:
    much = parser.add_argument_group("how much to measure")
    much.add_argument(
        "--warmup",
        type=whole_number("a number, 0 or more"),
        default=3,
        metavar="N",
        help="steps before the first that is measured (default: %(default)s)",
    )
    much.add_argument(
        "--steps",
        type=whole_number("a number, 1 or more", 1),
        metavar="N",
        help="measure so many steps (default: all)",
    )
    much.add_argument("--duration", type=_duration, metavar="SECONDS", help="measure for so long at most")
    much.add_argument("--exit", action="store_true", help="end the program once so much was measured")
    much.add_argument("--step-function", metavar="MODULE:NAME", help="each call of this function is a step")
    much.add_argument(
        "--source",
        type=Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="count findings of files below it, too, not only below the current folder and the script's",
    )


def _add_fixes(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what fixes would save")
    group.add_argument("--fix", action="store_true", help="with --verify: fix a copy of what was executed")
    group.add_argument("--verify", action="store_true", help="run both, compare with what was predicted")
    group.add_argument("--unsafe-fixes", action="store_true", help="apply unsafe fixes, too")
    group.add_argument(
        "--verify-runs",
        type=whole_number("a number, 1 or more", 1),
        default=4,
        metavar="N",
        help="runs each way, in turn (default: %(default)s)",
    )
    # Of the runs that --verify starts.
    group.add_argument("--overlay", type=Path, help=argparse.SUPPRESS)
    group.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)


def _add_report(parser: argparse.ArgumentParser) -> None:
    report = parser.add_argument_group("how to report")
    report.add_argument(
        "-o",
        "--output",
        type=Path,
        default=_OUTPUT,
        metavar="FILE",
        help="the evidence file (default: %(default)s)",
    )
    report.add_argument(
        "--report-to", type=Path, metavar="FILE", help="write the report there, not to stderr"
    )
    report.add_argument("-q", "--quiet", action="store_true", help="write the evidence, and report nothing")
