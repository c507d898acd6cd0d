"""``overhead-lint guards report SCRIPT``: runs a script, and reports the guards of its compiled frames."""

from __future__ import annotations

import argparse
import contextlib
import json
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path

from overhead_lint import atomic
from overhead_lint.probes.api import ProbeUnavailable

__all__ = ["run"]

_METRICS = frozenset({"guards", "recompiles", "graph_breaks", "guard_time_hot", "guard_time_cold"})


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, 1 when the script failed, 2 for wrong use or a run in which nothing compiled.
    """
    found = _parser().parse_args(arguments)
    if not found.script.is_file():
        return _refuse(f"{found.script}: no such file")
    try:
        from overhead_lint.probes.guards import GuardProbe
        from overhead_lint.probes.guards_dynamo import watch
        from overhead_lint.probes.guards_report import as_text, entry_reports

        probe = GuardProbe()
        probe.start(_METRICS)
    except ProbeUnavailable as error:
        return _refuse(error.why)
    given_up_before = len(watch().given_up)
    failed = _ran(found.script, found.arguments)
    reading = probe.stop()
    given_up = watch().given_up[given_up_before:]
    if "guards" in reading.unavailable:
        return _refuse(reading.unavailable["guards"].replace(" while it was measured", ""))
    entries = probe.entries()
    reports = entry_reports(entries, probe.recompilations())
    if found.output_format == "json":
        content = {
            "schema": 1,
            "entries": [report._asdict() for report in reports],
            "not_compiled": [frame._asdict() for frame in given_up],
        }
        text = json.dumps(content, indent=1) + "\n"
    else:
        text = as_text(reports, entries, given_up)
    if found.output is None:
        sys.stdout.write(text)
    else:
        try:
            atomic.write(found.output, text.encode())
        except OSError as error:
            return _refuse(f"{found.output}: cannot be written: {error.strerror}")
    return 1 if failed else 0


def _refuse(why: str) -> int:
    print(f"overhead-lint: {why}", file=sys.stderr)
    return 2


def _ran(script: Path, arguments: Sequence[str]) -> bool:
    """Run a script as ``python SCRIPT ARGUMENTS`` would; True when it failed."""
    with _as_main(script, arguments):
        try:
            runpy.run_path(str(script), run_name="__main__")
        except SystemExit as error:
            if isinstance(error.code, str):
                print(error.code, file=sys.stderr)
            return error.code not in (None, 0)
        except Exception:  # whatever the script raises is the script's own failure
            traceback.print_exc()
            return True
    return False


@contextlib.contextmanager
def _as_main(script: Path, arguments: Sequence[str]) -> Iterator[None]:
    kept = sys.argv, list(sys.path)
    sys.argv = [str(script), *arguments]
    sys.path.insert(0, str(script.resolve().parent))
    try:
        yield
    finally:
        sys.argv, sys.path[:] = kept


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="overhead-lint guards",
        description="Guards of compiled frames: how many, for which lines, and how long they take.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(required=True, metavar="ACTION")
    report = actions.add_parser("report", help="run a script and report", allow_abbrev=False)
    report.add_argument("--output-format", choices=("text", "json"), default="text")
    report.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="write the report there, not to stdout"
    )
    report.add_argument("script", type=Path, metavar="SCRIPT", help="a Python script")
    report.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="its arguments")
    return parser
