"""``overhead-lint run``: runs a program in this process, and writes and shows what was measured."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.cli.run_refused import Refused
from overhead_lint.dynamic import nodes, ranks, shadowed
from overhead_lint.dynamic.exits import reporting_on_exit
from overhead_lint.dynamic.findable import is_missing
from overhead_lint.dynamic.last_words import show
from overhead_lint.dynamic.program import UNCOMPILED, NotImported, Program, ProgramError, end, load
from overhead_lint.dynamic.recorder import Limits
from overhead_lint.dynamic.rounds import why_no_step
from overhead_lint.dynamic.session import Session, Wanted
from overhead_lint.dynamic.signals import at_once, reporting_on_death
from overhead_lint.dynamic.steps import NoStepFunction
from overhead_lint.measure.torchrun_store import place_of
from overhead_lint.native.process import be_quiet
from overhead_lint.support import atomic
from overhead_lint.support.progress import is_watched

if TYPE_CHECKING:
    import argparse

    from overhead_lint.dynamic.program import Ending, Loaded
    from overhead_lint.measure.evidence import Evidence

__all__ = ["run_measured"]

_USAGE_ERROR: Final = 4
"""The exit status of pytest where it was asked for what there is not."""


def run_measured(asked: Program, found: argparse.Namespace) -> int:
    """Run a program, count what the linter finds in it, and say what it costs.

    Args:
        asked: what to run.
        found: the options of ``overhead-lint run``.

    Returns:
        The program's exit status.

    Raises:
        Refused: it cannot be run as asked for.
        SystemExit: the program's own.
        KeyboardInterrupt: the program was interrupted, and did not catch it.
    """
    try:
        loaded = load(asked)
    except NotImported as error:
        of_package = error.__cause__ or error
        show(of_package, of_package.__traceback__)
        return 1
    except ProgramError as error:
        raise Refused(str(error)) from error
    except UNCOMPILED as error:
        show(error.with_traceback(None), None)
        return 1
    _check(found, loaded)
    wanted = _wanted(found)
    # The program may change the folder.
    found.output, found.report_to = found.output.absolute(), found.report_to and found.report_to.absolute()
    if (rank := ranks.this_rank(os.environ)) is not None:
        ranks.forget_part(found.output, rank)
    if found.quiet:
        be_quiet()
    with contextlib.ExitStack() as device:
        if found.device == "simulated":
            _simulate()
            device.callback(_take_back)
        session = Session(loaded, _shown(asked, found), wanted)
        try:
            report = functools.partial(_report_early, session, found)
            with reporting_on_death(report), reporting_on_exit(report, session.save):
                ending = session.run()
            if isinstance(ending.error, NoStepFunction):  # of a module that the program imports
                raise ending.error
        except NoStepFunction as error:
            session.close()
            raise Refused(str(error)) from None
        if ending.error is not None and not isinstance(ending.error, SystemExit):
            show(ending.error, ending.error.__traceback__)
        why = _why_nothing(ending, session, found)
        if session.is_own_process and why:
            if not found.quiet:
                _complain([f"{why}: no evidence is written"])
            session.close()
        elif session.is_own_process:
            _write(session, ending.status, found)
            if not found.quiet:
                _complain(session.failures)
            session.close()
    return end(ending)


def _why_nothing(ending: Ending, session: Session, found: argparse.Namespace) -> str:
    """Why a program came to nothing that evidence could tell of; "" where it did."""
    if isinstance(ending.error, ImportError) and not session.has_steps:
        return f"the program ended with {type(ending.error).__name__} before a step was measured"
    if found.pytest is not None and ending.status == _USAGE_ERROR:
        return "pytest ran no test"
    return ""


def _wanted(found: argparse.Namespace) -> Wanted:
    """What is to be measured."""
    return Wanted(
        output=found.output,
        limits=Limits(found.warmup, found.steps, found.duration),
        function=found.step_function or "",
        sources=tuple(found.source),
        exit_when_done=found.exit,
        progress=is_watched() and not found.quiet and found.pytest is None,
        overlay=found.overlay,
        bare=found.bare,
        tests=found.tests,
    )


def _check(found: argparse.Namespace, loaded: Loaded) -> None:
    """See before the program runs that its file stays, and that there can be a step function as asked for.

    Raises:
        Refused: what is written would replace it, or there is no such module.
    """
    for path in (found.output, found.report_to):
        if path is not None and atomic.is_one_of(path, [Path(loaded.path)]):
            raise Refused(f"{path}: is the program, and what is written would take its place")
    module, _, name = (found.step_function or "").partition(":")
    if module == "__main__" and found.tests is None:
        if why := why_no_step(Path(loaded.path), name):
            raise Refused(f"--step-function {found.step_function}: {why}")
    elif module and found.tests is None and is_missing(module, loaded):  # pytest looks elsewhere, too
        why = f"there is no module {module}; where it lies in a folder of its own, name that in PYTHONPATH"
        raise Refused(f"--step-function {found.step_function}: {why}")


def _shown(program: Program, found: argparse.Namespace) -> tuple[str, ...]:
    """The command line as the user gave it."""
    return program.command if found.pytest is None else ("-m", "pytest", *found.pytest)


def _report_early(session: Session, found: argparse.Namespace, status: int) -> None:
    """Write what was measured in the midst of a program that is about to be ended."""
    if session.is_own_process:
        session.stop()
        _write(session, status, found)
        session.close()


def _write(session: Session, status: int, found: argparse.Namespace) -> None:
    """Write what was measured, if the program has left what that takes: its end is its own in any case."""
    with shadowed.ours():
        _write_ours(session, status, found)


def _write_ours(session: Session, status: int, found: argparse.Namespace) -> None:
    target = found.output
    try:
        whole = _write_evidence(session.evidence(status), found)
        target = found.report_to or "the report"
        if whole is not None and not found.quiet:
            _report(whole, found)
    except OSError as error:
        why = f"{error.filename or target}: cannot be written: {error.strerror or error}"
        _complain([why])
    except Exception as error:  # modules may be gone or replaced
        why = f"{type(error).__name__}: {error}"
        _complain([f"{target}: cannot be written in what the program left of the interpreter: {why}"])


def _write_evidence(measured: Evidence, found: argparse.Namespace) -> Evidence | None:
    """Write it, and give what there is to report: nothing for a rank that ends before others."""
    from overhead_lint.measure import evidence

    rank, place = ranks.this_rank(os.environ), place_of(os.environ)
    if rank is not None and place is not None and place.gathered and place.is_on_several_nodes:
        return nodes.write(found.output, measured, rank, place)
    if rank is not None:
        return ranks.write_part(found.output, measured, rank)  # the rank that ends last reports
    evidence.write(found.output, measured)
    return measured


def _report(whole: Evidence, found: argparse.Namespace) -> None:
    from overhead_lint.dynamic import report
    from overhead_lint.support.relative_paths import relative_to

    shown: str | Path = found.output
    with contextlib.suppress(FileNotFoundError):  # the program may have removed its current folder
        shown = relative_to(found.output, Path.cwd())
    _show(report.render(whole) + f"\n{shown}: evidence written\n", found.report_to)


def _complain(lines: Sequence[str]) -> None:
    _say("".join(f"overhead-lint: {line}\n" for line in lines))


def _say(text: str) -> None:
    """Write to stderr, if the program has left it open: its end is told all the same."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        # Nothing is to be left in it that could not be written at exit, either.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - as long as we run


def _show(text: str, path: Path | None) -> None:
    if path is None:
        _say(text)
    else:
        atomic.write(path, text.encode("utf-8", errors="backslashreplace"))


def _simulate() -> None:
    try:
        from overhead_lint.native import NativeUnavailable
        from overhead_lint.simulated import enable
    except ImportError as error:
        raise Refused(f"--device simulated: torch cannot be imported ({error}): install torch") from error
    try:
        with at_once():  # it may have to be compiled
            enable()
    except (NativeUnavailable, RuntimeError) as error:
        raise Refused(f"--device simulated: {error}") from error


def _take_back() -> None:
    from overhead_lint.simulated import disable

    disable()
