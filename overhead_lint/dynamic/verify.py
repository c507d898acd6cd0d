"""Fixes a copy of what was executed, runs the program with both, and compares the time of a step."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from overhead_lint.config.run_settings import Settings
from overhead_lint.dynamic.candidates import rules_of
from overhead_lint.dynamic.overlay import write_overlay
from overhead_lint.engine import packs
from overhead_lint.engine.linter import Linter
from overhead_lint.fixing import fixer
from overhead_lint.fixing.importers import Importers
from overhead_lint.measure import evidence as evidence_file
from overhead_lint.rule import Heat
from overhead_lint.support.interleaved import LEAST_RUNS, told_apart
from overhead_lint.support.plurals import count
from overhead_lint.support.units import seconds
from overhead_lint.support.versioned_json import UnusableFile
from overhead_lint.syntax.identity import identities
from overhead_lint.syntax.source import Source
from overhead_lint.syntax.source_error import SourceError
from overhead_lint.workspace.roots import root_of

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence, Observed
    from overhead_lint.rule import Finding

__all__ = ["Comparison", "compared", "fixed_texts", "render"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Steps before and after fixes.

    Attributes:
        fixed: what was fixed.
        predicted: seconds a step that the fixes save by the rules' timing cases.
        untimed: how many of the fixed findings have no such case.
        before: median seconds of a step, of each run as it is.
        after: the same of each run with the fixes.
    """

    fixed: tuple[Observed, ...]
    predicted: float
    untimed: int
    before: tuple[float, ...]
    after: tuple[float, ...]

    @property
    def measured(self) -> float:
        """Seconds that a step takes less with the fixes: the difference of the runs' medians."""
        return statistics.median(self.before) - statistics.median(self.after)

    @property
    def told_apart(self) -> bool:
        """Whether the saving, or loss, is more than noise."""
        return told_apart(self.before, self.after)

    def as_object(self) -> dict[str, Any]:
        """For the evidence file."""
        return {
            "fixed": [f"{one.path}:{one.line}: {one.code}" for one in self.fixed],
            "predicted_seconds": self.predicted,
            "measured_seconds": self.measured,
            "told_apart": self.told_apart,
            "before_seconds": list(self.before),
            "after_seconds": list(self.after),
        }


def fixed_texts(
    evidence: Evidence, folder: Path, *, unsafe: bool
) -> tuple[dict[Path, str], tuple[Observed, ...]]:
    """Texts of the files with executed findings, fixed; and the findings that are gone by that.

    Args:
        evidence: of a run.
        folder: what its paths are relative to.
        unsafe: whether to apply unsafe fixes, too.
    """
    rules = packs.select(rules_of(Path.cwd()), ["ALL"], [])
    linter = Linter(rules, Settings(min_heat=Heat.COLD))
    executed = {one.identity: one for one in evidence.findings if one.executions}
    texts, fixed = {}, []
    importers = functools.cache(Importers)  # asks all files of a project, once for each
    for path in sorted({folder / one.path for one in executed.values()}):

        def lint(source: Source) -> list[Finding]:
            found = linter.lint(source)
            named = identities(found, {source.path: source}, folder)
            return [finding for finding, name in zip(found, named, strict=True) if name in executed]

        try:
            source = Source.read(path)
            found = lint(source)
            by_finding = dict(zip(map(id, found), identities(found, {path: source}, folder), strict=True))
            elsewhere = importers(root_of([path], None))
            result = fixer.fix_file(source, lint, unsafe=unsafe, found=found, elsewhere=elsewhere)
        except SourceError:
            continue  # it changed since it was run, or its encoding is not UTF-8's: it stays as it is
        if result.changed:
            texts[path] = result.after_text
            names = (by_finding.get(id(finding)) for finding in result.applied)
            fixed += [executed[name] for name in names if name is not None and name in executed]
    return texts, tuple(fixed)


def compared(
    evidence: Evidence,
    output: Path,
    folder: Path,
    run: Callable[[Path | None, Path], None],
    *,
    runs: int,
    unsafe: bool,
) -> Comparison | str:
    """Run a program with and without fixes in turn.

    Args:
        evidence: of a run.
        output: its file; its paths are relative to its folder.
        folder: an empty folder for the fixed copies and the numbers.
        run: runs the program with a folder of other texts, or as it is, and writes evidence to a file.
        runs: how many runs of each.
        unsafe: whether to apply unsafe fixes, too.

    Returns:
        The comparison, or in words why there is none.
    """
    if evidence.steps is None:
        return "there are no steps to time: mark them with overhead_lint.runtime.step()"
    texts, fixed = fixed_texts(evidence, output.absolute().parent, unsafe=unsafe)
    if not texts:
        more = "" if unsafe else "; --unsafe-fixes takes more"
        return f"nothing that was executed has a fix to apply{more}"
    write_overlay(folder, texts)
    taken: tuple[list[float], list[float]] = ([], [])
    for turn in range(runs):
        for form in (0, 1) if turn % 2 == 0 else (1, 0):
            numbers = folder / f"{turn}-{form}.json"
            run(folder if form else None, numbers)
            try:
                steps = evidence_file.read(numbers).steps
            except UnusableFile as error:
                return f"a run {'with' if form else 'without'} the fixes left no numbers: {error}"
            if steps is None:
                return f"a run {'with' if form else 'without'} the fixes had no steps"
            taken[form].append(steps.median_seconds)
    savings = [one.saving_seconds for one in fixed]
    predicted = sum((evidence.per_step(one) or 0.0) * (one.saving_seconds or 0.0) for one in fixed)
    return Comparison(fixed, predicted, savings.count(None), tuple(taken[0]), tuple(taken[1]))


def render(found: Comparison) -> str:
    """The comparison for people."""
    runs = count(len(found.before), "run")
    lines = [f"{count(len(found.fixed), 'finding')} fixed in a copy, {runs} each way, medians of a step:"]
    for name, times in (("before", found.before), ("after", found.after)):
        spread = f"{seconds(min(times))} to {seconds(max(times))}"
        lines.append(f"  {name:<7} {seconds(statistics.median(times))} ({spread})")
    share = found.predicted / statistics.median(found.before)
    untimed = f", {count(found.untimed, 'finding')} without a timing case left out" if found.untimed else ""
    lines.append(f"  predicted saving {seconds(found.predicted)} a step ({share:.2%}{untimed})")
    if found.told_apart:
        word = "saving" if found.measured > 0 else "LOSS"
        change = abs(found.measured)
        share = change / statistics.median(found.before)
        lines.append(f"  measured {word} {seconds(change)} a step ({share:.2%})")
    elif len(found.before) < LEAST_RUNS:
        lines.append(f"  measured: could not be told from noise by {runs}: --verify-runs {LEAST_RUNS}")
    else:
        lines.append("  measured: could not be told from noise, the runs of both kinds overlap")
    return "\n".join(lines) + "\n"
