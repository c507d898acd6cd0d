"""The table of all studies, a row each; it stands on the page of results and in the documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from case_results import Result, Spread, StageResult
from case_study import STUDIES
from tabulate import tabulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["PENDING", "copies", "number", "overview", "put_into"]

PENDING: Final = "pending"
"""What stands for a time that only a GPU can give."""
_MARKED: Final = re.compile(r"(<!-- case_studies -->\n).*?(<!-- /case_studies -->)", re.DOTALL)


def overview(studies: Sequence[Result]) -> str:
    """Return the table: what is found and mended, and what a step asks of the device before and after."""
    headers = ["program", "what it is", "found", "`--fix`", "unsafe", "by hand"]
    headers += ["waits a step", "copies a step", "times as fast", "equal"]
    rows = [_row(study) for study in studies if not study.left_out]
    return tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def put_into(page: Path, table: str) -> None:
    """Write the table between the marks of a page.

    Raises:
        ValueError: it has no marks, or several.
    """
    text, found = _MARKED.subn(rf"\g<1>\n{table}\n\n\g<2>", page.read_text(encoding="utf-8"))
    if found != 1:
        raise ValueError(f"{page}: marks for the table: {found}, not 1")
    page.write_text(text, encoding="utf-8")


def _row(study: Result) -> list[str]:
    about = next(one for one in STUDIES if one.name == study.name)
    link = f"[{about.title}](https://github.com/{about.repository}/tree/{about.commit})"
    stages = [study.stages[name] for name in ("safe", "unsafe", "hand")]
    shown = [link, about.kind, str(sum(study.stages["before"].tiers.values()))]
    shown += [str(len(stage.mended)) for stage in stages]
    shown += [_change(study, lambda stage: stage.waits), _change(study, copies), _speedup(study)]
    if not all(stage.rounds for stage in stages):
        return [*shown, ""]
    return [*shown, "yes" if all(stage.equal == stage.rounds for stage in stages) else "no"]


def _change(study: Result, counted: Callable[[StageResult], float | None]) -> str:
    """A count as it was, and after what was done by hand."""
    before, after = (counted(study.stages[name]) for name in ("before", "hand"))
    return number(before) if before == after else f"{number(before)} to {number(after)}"


def _speedup(study: Result) -> str:
    if not study.is_timed:
        return PENDING
    pairs = zip(study.stages["before"].seconds, study.stages["hand"].seconds, strict=True)
    ratio = Spread.of([before / after for before, after in pairs])
    return f"{ratio.median:.2f} ({ratio.lower:.2f} to {ratio.upper:.2f})"


def copies(stage: StageResult) -> float | None:
    """Return copies between host and device, a step; None where they were not counted."""
    counted = [stage.per_step[name] for name in ("copies_h2d", "copies_d2h") if name in stage.per_step]
    return sum(counted) if counted else None


def number(value: float | None) -> str:
    """Return a count as people read it; "" without one."""
    return "" if value is None else f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"
