"""Compares what the linter says of an installed package with what really happens, on the simulated device.

    python benchmarks/truth.py PACKAGE [--run 'SCRIPT ARGS'] [--run '-m pytest TESTS'] [--notes FILE]
                               [--readings FILE] [--devices N] [--cwd FOLDER]

PACKAGE is the name of a package that this Python can import, or its folder. Each program runs in a process
of its own on the simulated device (``docs/events.md``), which counts by source line how often the host
waited for the device; the places of the linter's findings are counted as ``overhead-lint run`` counts them.
Two shares are printed, each for findings at the default heat and at any heat:

- **right**: of the findings of rules that speak of waits (`WAITING`) whose place was executed, the share at
  whose statement the host did wait. The rest never did: wrong, or the values lay on the host here.
- **recall**: of the lines where the host waited, the share with a finding at their statement. By default of
  lines that the linter takes for hot, which leaves out what it does not see of heat; at any heat of all,
  which shows whether it knows the tensors and the operators.

``--readings`` writes the lines that disagree, with their source, and how often each ran and waited.
``--notes`` keeps what the programs showed: the notes of several runs add up, and without ``--run`` they are
scored as they are, so that a change of a rule is measured in the time that linting takes.

What is not measured: whether heat is right; places that did not run; compiled code; what a place would do
with tensors of the device that had tensors of the host only. evaluation/truth.md has what was measured.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pickle
import shlex
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from truth_places import Package, Places
from truth_run import Job, Line, Noted

from overhead_lint.rule import Finding, Heat
from overhead_lint.syntax.source_error import SourceError

__all__ = ["WAITING", "Truth", "main"]

WAITING: Final = frozenset({"OVH403", "OVH404", "OVH405", "OVH407", "OVH408", "OVH409", "OVH410", "OVH805"})
"""Rules that say that the host waits, or that values are copied while it does."""
_NEAR: Final = 2
"""Lines of one statement that may lie between a finding and the wait that it is about."""


class Judged(NamedTuple):
    """A finding whose place was executed.

    Attributes:
        path: its file.
        finding: it.
        executions: how often its place ran; 0 where that could not be counted.
        waits: how often the host waited at its statement.
        dispatches: how many operators its statement ran.
    """

    path: str
    finding: Finding
    executions: int
    waits: int
    dispatches: int


class Waited(NamedTuple):
    """A line where the host waited.

    Attributes:
        path: its file.
        line: its number.
        noted: what it did.
        heat: what the linter takes its statement for.
        codes: the rules that found something at its statement.
    """

    path: str
    line: int
    noted: Line
    heat: Heat
    codes: frozenset[str]

    @property
    def operator(self) -> str:
        """The operator that waited most often."""
        return self.noted.operators.most_common(1)[0][0] if self.noted.operators else "?"


class Truth:
    """What the linter says, beside what was noted.

    Args:
        package: the package, linted at some heat.
        noted: what programs showed of it.
    """

    def __init__(self, package: Package, noted: Noted) -> None:
        self._noted = noted
        self.places: dict[str, Places] = {}
        self.judged: list[Judged] = []
        self.waited: list[Waited] = []
        waiting: dict[str, dict[int, Line]] = defaultdict(dict)
        for (path, line), of_line in noted.lines.items():
            waiting[path][line] = of_line
        for path in sorted({*waiting, *package.findings}):
            try:
                self.places[path] = places = package.places(path)
            except SourceError:
                continue
            found = package.findings.get(path, [])
            self.judged += self._judged(path, places, found, waiting[path])
            self.waited += _waited(path, places, found, waiting[path])

    def _judged(
        self, path: str, places: Places, found: Iterable[Finding], lines: dict[int, Line]
    ) -> Iterator[Judged]:
        for finding in found:
            if finding.code in WAITING:
                of = [lines[line] for line in _about(finding, places) if line in lines]
                waits = sum(line.waits for line in of)
                dispatches = sum(line.amounts["dispatches"] for line in of)
                executions = self._noted.executions.get((path, finding.span), 0)
                if executions or waits:
                    yield Judged(path, finding, executions, waits, dispatches)


def _about(finding: Finding, places: Places) -> set[int]:
    """The lines of a finding's statement that are near to what it marks."""
    span = finding.span
    near = range(span.line - _NEAR, span.end_line + _NEAR + 1)
    return {line for line in places.same(span.line) if line in near}


def _waited(path: str, places: Places, found: Iterable[Finding], lines: dict[int, Line]) -> Iterator[Waited]:
    codes: dict[int, set[str]] = defaultdict(set)
    for finding in found:
        for line in _about(finding, places):
            codes[line].add(finding.code)
    for line, noted in sorted(lines.items()):
        if noted.waits:
            yield Waited(path, line, noted, places.heat(line).heat, frozenset(codes[line]))


def shares(hot: Truth, anywhere: Truth) -> str:
    """Both shares, by rule and by operator, as tables in Markdown."""
    lines = ["| rule | hot: ran | waited | share | any heat: ran | waited | share |", "|---" * 7 + "|"]
    for code in (*sorted(WAITING), "all"):
        cells = []
        for truth in (hot, anywhere):
            of = [one for one in truth.judged if code in (one.finding.code, "all")]
            cells += _share(len(of), sum(one.waits > 0 for one in of))
        lines.append(f"| {code} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "| operator | hot: lines | found | share | any heat: lines | found | share |",
        "|---" * 7 + "|",
    ]
    in_hot = [one for one in hot.waited if one.heat >= Heat.STEP]
    operators = [name for name, _ in Counter(one.operator for one in anywhere.waited).most_common()]
    for operator in (*operators, "all"):
        cells = []
        for waited in (in_hot, anywhere.waited):
            of_it = [one for one in waited if operator in (one.operator, "all")]
            cells += _share(len(of_it), sum(bool(one.codes) for one in of_it))
        lines.append(f"| {operator} | " + " | ".join(cells) + " |")
    heats = Counter(one.heat for one in hot.waited)
    lines += ["", "Lines that waited, by heat: " + ", ".join(f"{heat.label} {heats[heat]}" for heat in Heat)]
    return "\n".join(lines)


def often(hot: Truth, anywhere: Truth, least: int) -> str:
    """How many of the lines that waited so often are found by default, and why the others are not."""
    waited = [one for one in hot.waited if one.noted.waits >= least]
    found = sum(bool(one.codes) for one in waited)
    known = {(one.path, one.line) for one in anywhere.waited if one.codes}
    missed = [one for one in waited if not one.codes]
    heats = Counter(one.heat for one in missed if (one.path, one.line) in known)
    return (
        f"Lines that waited {least} times or more: {len(waited)}, found by default {found}"
        f"{f' ({found / len(waited):.2f})' if waited else ''}; of the others, found at any heat "
        f"{sum(heats.values())} ({', '.join(f'{heat.label} {heats[heat]}' for heat in Heat)})"
    )


def _share(of: int, share: int) -> list[str]:
    return [str(of), str(share), f"{share / of:.2f}" if of else ""]


def readings(hot: Truth, anywhere: Truth, folder: Path, least: int) -> str:
    """The places where the linter and the programs disagree, with their source."""
    known = {(one.path, one.line) for one in anywhere.waited if one.codes}
    lines = [f"== waited {least} times or more, and not found by default"]
    for missed in hot.waited:
        if missed.noted.waits >= least and not missed.codes:
            is_known = "found if hot" if (missed.path, missed.line) in known else "not found"
            lines += _missed(missed, hot, folder, f", {missed.noted.waits} times: {is_known}")
    for title, truth in (("hot", hot), ("any heat", anywhere)):
        lines.append(f"== {title}: findings that ran and never waited")
        for one in truth.judged:
            if not one.waits:
                span, places = one.finding.span, truth.places[one.path]
                where = f"{os.path.relpath(one.path, folder)}:{span.line}"
                counted = f"ran {one.executions}, operators {one.dispatches}"
                lines.append(f"{where} {one.finding.code} ({counted}) {one.finding.message}")
                lines.append(f"    {places.text(span.line)}")
        lines.append(f"== {title}: lines that waited without a finding")
        for missed in truth.waited:
            if not missed.codes and (truth is anywhere or missed.heat >= Heat.STEP):
                lines += _missed(missed, truth, folder, "")
    return "\n".join(lines)


def _missed(waited: Waited, truth: Truth, folder: Path, more: str) -> list[str]:
    places = truth.places[waited.path]
    where = f"{os.path.relpath(waited.path, folder)}:{waited.line}"
    by = ", ".join(f"{amount} {name}" for name, amount in waited.noted.operators.most_common(3))
    return [
        f"{where} {waited.heat.label} {places.function(waited.line)} ({by}){more}",
        f"    {places.text(waited.line)}",
    ]


def noted_of(words: Sequence[str], package: Package, devices: int, cwd: Path) -> Noted:
    """Run a program, and give what it showed.

    Args:
        words: the program and its arguments, or ``-m``, a module and its arguments.
        package: the package, with findings at any heat, whose places are counted.
        devices: how many to simulate.
        cwd: where it runs.

    Raises:
        SystemExit: it ended before anything was noted.
    """
    with tempfile.TemporaryDirectory() as work:
        output, job = Path(work) / "noted", Path(work) / "job"
        job.write_bytes(pickle.dumps(Job(tuple(words), package.folder, package.findings, devices, output)))
        here = Path(__file__).parent
        command = [sys.executable, str(here / "truth_run.py"), str(job)]
        done = subprocess.run(command, cwd=cwd, check=False, stdout=sys.stderr)
        if not output.exists():
            raise SystemExit(f"{shlex.join(words)}: status {done.returncode}, and nothing was noted")
        noted: Noted = pickle.loads(output.read_bytes())
    if noted.error:
        print(f"{shlex.join(words)}: {noted.error}", file=sys.stderr)
    return noted


def _folder(package: str) -> Path:
    if os.sep in package or Path(package).is_dir():
        if not Path(package).is_dir():
            raise SystemExit(f"{package}: no such folder")
        return Path(package).resolve()
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package}: no such package")
    return Path(next(iter(spec.submodule_search_locations))).resolve()


def _kept(notes: Path | None) -> Noted:
    if notes is None or not notes.exists():
        return Noted()
    try:
        found = pickle.loads(notes.read_bytes())
    except Exception as error:  # what is no pickle raises anything
        raise SystemExit(f"{notes}: cannot be read: {error}") from None
    if not isinstance(found, Noted):
        raise SystemExit(f"{notes}: holds no notes")
    return found


def _check(asked: argparse.Namespace) -> None:
    """Refuse, before anything runs, what would be nothing measured, or measured in vain."""
    if not asked.run and not (asked.notes and asked.notes.exists()):
        raise SystemExit("nothing to score: name a program with --run, or --notes that a run has kept")
    if not asked.cwd.is_dir():
        raise SystemExit(f"--cwd {asked.cwd}: no such folder")
    for file in (asked.notes, asked.readings):
        if file and (file.is_dir() or not file.absolute().parent.is_dir()):
            raise SystemExit(f"{file}: cannot be written")


def main() -> int:
    """Run the programs, lint the package, print the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("package", help="its name, or its folder")
    parser.add_argument("--run", action="append", default=[], metavar="PROGRAM", help="may be given again")
    parser.add_argument("--notes", type=Path, help="where to keep what the programs showed")
    parser.add_argument("--readings", type=Path, help="where to write the lines that disagree")
    parser.add_argument("--often", type=int, default=20, metavar="N", help="waits of a line in steps (20)")
    parser.add_argument("--devices", type=int, default=1)
    parser.add_argument("--cwd", type=Path, default=Path.cwd(), help="where the programs run")
    asked = parser.parse_args()
    _check(asked)
    folder = _folder(asked.package)
    noted = _kept(asked.notes)
    anywhere = Package(folder, Heat.COLD)
    for program in asked.run:
        noted.add(noted_of(shlex.split(program), anywhere, asked.devices, asked.cwd))
        if asked.notes:
            asked.notes.write_bytes(pickle.dumps(noted))
    truths = Truth(Package(folder), noted), Truth(anywhere, noted)
    print(shares(*truths))
    print(f"\n{often(*truths, asked.often)}")
    if asked.readings:
        asked.readings.write_text(readings(*truths, folder, asked.often) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
