"""``overhead-lint guards``: reports, keeps and compares the guards of compiled frames."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import runpy
import sys
import types
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overhead_lint.cli.parser import Parser
from overhead_lint.dynamic import shadowed
from overhead_lint.errors import Complaint
from overhead_lint.probes.api import ProbeUnavailable
from overhead_lint.support import atomic
from overhead_lint.support.existence import why_endless

if TYPE_CHECKING:
    from overhead_lint.probes.guards_advice import Advised
    from overhead_lint.probes.guards_reading import GuardProbe

__all__ = ["run"]

MOST_TRIED = 4
"""Frames of a run on which advice is tried: each takes some compilations."""


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        ``report`` and ``snapshot``: 0, or 1 when the script failed; ``diff``: 0, or 1 for guards that differ.

    Raises:
        Complaint: wrong use, or a run in which nothing compiled.
    """
    found = _parser().parse_args(arguments)
    if found.action == "diff":
        return _diff(found.old, found.new)
    _take_output(found)
    if why := _why_not_run(found.script):
        raise Complaint(f"{found.script}{why}")
    if why := _why_not_written(found.output, found.script):
        raise Complaint(f"{found.output}: {why}")
    if found.action == "snapshot" and found.output is None:
        raise Complaint("guards snapshot: say where to write it: -o FILE")
    output = None if found.output is None else found.output.absolute()  # the script may change the folder
    try:
        text, failed = (_report if found.action == "report" else _snapshot)(found)
        _write(text, output)
    except OSError as error:
        if output is None:
            raise
        raise Complaint(f"{found.output}: cannot be written: {error.strerror}") from error
    return 1 if failed else 0


def _write(text: str, output: Path | None) -> None:
    if output is not None:
        atomic.write(output, text.encode())
    elif getattr(sys.stdout, "name", "") == os.devnull:
        raise Complaint("the script closed standard output: say where to write to: -o FILE")
    else:
        sys.stdout.write(text)


def _why_not_run(script: Path) -> str:
    """Why a script cannot be run at all; "" if it can."""
    if not script.is_file():
        return ": is no file" if script.exists() else ": no such file"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are shown when it runs
            compile(script.read_bytes(), str(script), "exec", dont_inherit=True)
    except SyntaxError as error:
        return f":{error.lineno or 1}: {error.msg}"
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:  # null bytes, or too deep
        return f": {error}"
    except OSError as error:
        return f": cannot be read: {error.strerror or error}"
    return ""


def _why_not_written(output: Path | None, script: Path) -> str:
    """Why a file of ours cannot be written there, as far as shows before the script runs; "" if it can."""
    if output is None:
        return ""
    if why := atomic.why_not(output):
        return why
    if atomic.is_one_of(output, [script]):
        return "is the script, and what is written would take its place"
    return ""


def _take_output(found: argparse.Namespace) -> None:
    """Take ``-o FILE`` right after the script for ours, too."""
    if found.output is None and len(found.arguments) > 1 and found.arguments[0] in ("-o", "--output"):
        found.output, found.arguments = Path(found.arguments[1]), found.arguments[2:]


def _measured(
    found: argparse.Namespace, metrics: frozenset[str], *, closely: bool = False
) -> tuple[GuardProbe, bool]:
    """Run the script under a probe; tells whether it failed.

    Raises:
        Complaint: the guards cannot be measured, or nothing was compiled.
    """
    from overhead_lint.probes import guards_lookout
    from overhead_lint.probes.guards_reading import GuardProbe

    probe = GuardProbe(closely=closely)
    try:
        guards_lookout.prepare()  # what could not be compiled before is none of the script's
        probe.start(metrics)
    except ProbeUnavailable as error:
        guards_lookout.release()
        raise Complaint(error.why) from error
    failed = _ran(found.script, found.arguments)
    reading = probe.stop()
    guards_lookout.release()
    if "guards" in reading.unavailable:
        raise Complaint(reading.unavailable["guards"].replace(" while it was measured", ""))
    return probe, failed


def _report(found: argparse.Namespace) -> tuple[str, bool]:
    from overhead_lint.probes.guards_advice import advise_entries
    from overhead_lint.probes.guards_reading import TIMED
    from overhead_lint.probes.guards_report import as_text, entry_reports

    probe, failed = _measured(found, TIMED, closely=True)
    entries, eager, given_up = probe.entries(), probe.eager_calls(), probe.given_up()
    reports = entry_reports(entries, probe.recompilations())
    advised = advise_entries(entries, MOST_TRIED) if found.advice else None
    if found.output_format == "text":
        return as_text(reports, entries, given_up, eager, advised), failed
    content = {
        "schema": 1,
        "hits": sum(entry.hits for entry in entries),
        "misses": len(probe.recompilations()) + len(eager),
        "entries": [report._asdict() for report in reports],
        "eager_calls": [
            {**call._asdict(), "calls": amount} for call, amount in sorted(Counter(eager).items())
        ],
        **(_advice(advised) if advised is not None else {}),
        "not_compiled": [frame._asdict() for frame in given_up],
    }
    return json.dumps(content, indent=1) + "\n", failed


def _advice(advised: Advised) -> dict[str, object]:
    return {
        "advice": [advice._asdict() for advice in advised.advice],
        "without_effect": [advice._asdict() for advice in advised.without_effect],
        "not_tried": advised.not_tried,
    }


def _snapshot(found: argparse.Namespace) -> tuple[str, bool]:
    from overhead_lint.probes.guards_snapshot import Snapshot

    probe, failed = _measured(found, frozenset({"guards"}))
    return Snapshot.of(probe.entries()).as_text(), failed


def _diff(old: Path, new: Path) -> int:
    from overhead_lint.probes.guards_drift import drift
    from overhead_lint.probes.guards_snapshot import BadSnapshot, Snapshot

    snapshots = []
    for path in (old, new):
        if why := why_endless(path):
            raise Complaint(f"{path}: cannot be read: {why}")
        try:
            snapshots.append(Snapshot.parse(path.read_bytes().decode(), str(path)))
        except BadSnapshot as error:
            raise Complaint(str(error)) from error
        except UnicodeDecodeError as error:
            raise Complaint(f"{path}: is not UTF-8") from error
        except OSError as error:
            raise Complaint(f"{path}: cannot be read: {error.strerror or error}") from error
    changed = drift(*snapshots)
    sys.stdout.write(changed.as_text())
    return 1 if changed else 0


def _ran(script: Path, arguments: Sequence[str]) -> bool:
    """Run a script as ``python SCRIPT ARGUMENTS`` would; True when it failed.

    Raises:
        SystemExit: in a process that the script forked, which has nothing to report.
        KeyboardInterrupt: the script was interrupted.
    """
    process = os.getpid()
    status: object = 0
    with _as_main(script, arguments):
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as error:
            status = error.code
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the script raises is the script's own failure
            own = _own(error.__traceback__, str(script))
            sys.excepthook(type(error), error.with_traceback(own), own)
            status = 1
    if os.getpid() != process:
        raise SystemExit(status)
    if status not in (None, 0) and not isinstance(status, int):
        print(status, file=sys.stderr)
    return status not in (None, 0)


def _own(trace: types.TracebackType | None, script: str) -> types.TracebackType | None:
    """The part of a traceback that begins in the script."""
    part = trace
    while part is not None and part.tb_frame.f_code.co_filename != script:
        part = part.tb_next
    return part or trace


@contextlib.contextmanager
def _as_main(script: Path, arguments: Sequence[str]) -> Iterator[None]:
    kept, stdout = (sys.argv, list(sys.path)), sys.stdout
    folder = str(script.resolve().parent)
    shadowed.prepare([folder], [folder, *sys.path])
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, folder)
    try:
        with shadowed.theirs():
            yield
    finally:
        sys.argv, sys.path[:] = kept
        sys.stdout = stdout  # the script may have let it lead to a file of its own
        if stdout.closed:  # torch writes to it when it compiles
            sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - as long as we run


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint guards",
        description="Guards of compiled frames: how many, for which lines, and how long they take.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION", dest="action")
    report = actions.add_parser("report", help="run a script and report", allow_abbrev=False)
    report.add_argument("--output-format", choices=("text", "json"), default="text")
    report.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the report there, not to stdout"
    )
    report.add_argument(
        "--no-advice", dest="advice", action="store_false", help="do not try what would save time"
    )
    snapshot = actions.add_parser(
        "snapshot", help="run a script and keep its guards as a text to review", allow_abbrev=False
    )
    snapshot.add_argument("-o", "--output", type=Path, metavar="FILE", help="the file to write")
    for action in (report, snapshot):
        action.add_argument("script", type=Path, metavar="SCRIPT", help="a Python script")
        action.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="its arguments")
    diff = actions.add_parser("diff", help="compare two snapshots", allow_abbrev=False)
    for name in ("old", "new"):
        diff.add_argument(name, type=Path, metavar=name.upper(), help="a file that snapshot wrote")
    return parser
