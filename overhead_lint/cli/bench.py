"""``overhead-lint bench [CODES]``: what the rules' two forms take on this machine."""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from overhead_lint.cli.parser import Parser, whole_number
from overhead_lint.config.settings import wanted_packs
from overhead_lint.engine import packs
from overhead_lint.engine.pages import Page, TimingCase
from overhead_lint.errors import Complaint
from overhead_lint.measure.calibration import BLOCKS, CalibrationError, NoDevice, count, device_name, measure
from overhead_lint.measure.rule_costs import costs_file, keep_costs, write_reference

__all__ = ["run"]

_SCHEMA: Final = 1


def run(arguments: Sequence[str]) -> int:
    """Run the command.

    Returns:
        0, or 2 where there is nothing to time, or a form does not run here.

    Raises:
        Complaint: no rule has a code, a rule pack or a page cannot be used, or there is no torch.
    """
    found = _parser().parse_args(arguments)
    cases, untimed = _cases(found.codes)
    if untimed:
        said = f"{', '.join(untimed)}: nothing to time; `overhead-lint rule` shows why it costs"
        print(f"overhead-lint: {said}", file=sys.stderr)
    if not cases:
        return 2
    if importlib.util.find_spec("torch") is None:
        raise Complaint("bench needs torch, which is not installed here")
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what rules find may be deprecated
            timed, status = (_json if found.output_format == "json" else _text)(cases, found.blocks)
    finally:
        torch.set_num_threads(threads)
    if found.write_reference is not None:
        _write(found.write_reference, timed)
    return status


def _write(file: Path, timed: Sequence[dict[str, Any]]) -> None:
    """Write the table of this machine.

    Raises:
        Complaint: it cannot be written.
    """
    try:
        write_reference(file, _where(), timed)
    except OSError as error:
        raise Complaint(f"{file}: cannot be written: {error.strerror or error}") from error


def _cases(codes: Sequence[str]) -> tuple[list[TimingCase], list[str]]:
    """The cases of the pages of the rules that were named, or of all rules; and the codes that have none."""
    rules = packs.load(wanted_packs(Path.cwd()))
    chosen = {code: {loaded.rule.code for loaded in packs.named(rules, code)} for code in codes or ["ALL"]}
    wanted = set().union(*chosen.values())
    cases = [
        case
        for loaded in rules
        if loaded.rule.code in wanted and loaded.page is not None
        for case in Page.read(loaded.page).timing_cases()
    ]
    timed = {case.code for case in cases}
    return cases, [code for code, named in chosen.items() if named.isdisjoint(timed)]


def _text(cases: Sequence[TimingCase], blocks: int) -> tuple[list[dict[str, Any]], int]:
    """Print a line a case; gives what was timed, and the exit status."""
    machine = _where()
    print(machine, flush=True)
    results, failures = [], _Failures()
    for case in cases:
        try:
            result = _measured(case, blocks)
        except CalibrationError as error:
            failures.add(case, error)
        else:
            results.append(result)
            print(f"{case.code}  {case.title}: {_line(result)}", flush=True)
    _keep(machine, results)
    return results, failures.status()


def _keep(machine: str, results: Sequence[dict[str, Any]]) -> None:
    """Keep what was timed: the linter ranks findings by it."""
    try:
        keep_costs(machine, results)
    except OSError as error:
        print(f"overhead-lint: {costs_file()}: cannot be written: {error.strerror or error}", file=sys.stderr)


class _Failures:
    """Says which cases do not run here, and once of all together that there is no device to count at."""

    def __init__(self) -> None:
        self._any = False
        self._uncounted: dict[str, None] = {}
        self._why = ""

    def add(self, case: TimingCase, error: CalibrationError) -> None:
        self._any = True
        if isinstance(error, NoDevice):
            self._uncounted[case.code], self._why = None, str(error)
        else:
            print(f"overhead-lint: {error}", file=sys.stderr)

    def status(self) -> int:
        if self._uncounted:
            print(f"overhead-lint: {', '.join(self._uncounted)}: not counted: {self._why}", file=sys.stderr)
        return 2 if self._any else 0


def _line(result: dict[str, Any]) -> str:
    parts = [f"{name} {before:g} -> {after:g}" for name, (before, after) in result.get("counts", {}).items()]
    if "before_seconds" in result:
        before, after = result["before_seconds"] * 1e9, result["after_seconds"] * 1e9
        saving = result["saving_seconds"] * 1e9
        lower, upper = (seconds * 1e9 for seconds in result["saving_quartiles_seconds"])
        parts.append(
            f"{before:,.0f} -> {after:,.0f} ns, x{before / after:.2f}, "
            f"saves {saving:,.0f} ns ({lower:,.0f} to {upper:,.0f})"
        )
    if result.get("simulated"):
        parts.append("simulated device")
    return ", ".join(parts)


def _json(cases: Sequence[TimingCase], blocks: int) -> tuple[list[dict[str, Any]], int]:
    """Print all as one object; gives what `_text` does."""
    results, failures = [], _Failures()
    for case in cases:
        try:
            results.append(_measured(case, blocks))
        except CalibrationError as error:
            failures.add(case, error)
    machine = _where()
    json.dump({"schema": _SCHEMA, "machine": machine, "cases": results}, sys.stdout, indent=2)
    print()
    _keep(machine, results)
    return results, failures.status()


def _measured(case: TimingCase, blocks: int) -> dict[str, Any]:
    """One case as an object that JSON can hold."""
    result: dict[str, Any] = {"code": case.code, "title": case.title}
    if case.metrics:
        counts = count(case)
        result["counts"] = {name: (counts.before[name], counts.after[name]) for name in case.metrics}
        result["simulated"] = counts.simulated
        if counts.simulated:
            return result  # its times would be the simulator's
    timing = measure(case, blocks)
    result["before_seconds"], result["after_seconds"] = timing.before_seconds, timing.after_seconds
    result["saving_seconds"], result["ratio"] = timing.saving_seconds, timing.ratio
    result["saving_quartiles_seconds"] = timing.spread_seconds
    return result


def _where() -> str:
    import torch

    return f"torch {torch.__version__}, Python {sys.version.split()[0]}, {device_name()}, one thread"


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="overhead-lint bench",
        description="Time what each rule finds against what it proposes, in turn, on this machine.",
        epilog="A line gives both times, their ratio, and the saving per execution with its quartiles. "
        "What is paid on a device is counted instead, on a simulated one where there is no GPU. "
        "What was timed is kept in the user's cache folder, and the linter ranks findings by it.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="codes of rules or prefixes of them (default: all rules)"
    )
    parser.add_argument(
        "--blocks",
        type=whole_number("a number of blocks, 1 or more", 1),
        default=BLOCKS,
        metavar="N",
        help="blocks of half a millisecond for each form (default: %(default)s)",
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="(default: text)")
    parser.add_argument(
        "--write-reference",
        type=Path,
        metavar="FILE",
        help="also write savings by rule, with their spread, as a table that OVERHEAD_LINT_COSTS may name",
    )
    return parser
