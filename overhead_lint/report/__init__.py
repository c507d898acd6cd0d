"""One module a format, found by its name: ``<format>_format.py``. To add a format, copy one.

It offers ``render(report) -> str``, which gives the report with its last newline, or "" when there is nothing
to show. With ``BY_COST = True`` it gets the most expensive findings first, unless the run asks for another
order; others get them by file and place. If ``--statistics`` goes with the format, ``STATISTICS`` says how:
as ``"text"`` or as ``"json"``.
"""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Final

from overhead_lint.support.nearest import did_you_mean
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding, Rule, TextEdit, Tier
    from overhead_lint.syntax.source import Source

__all__ = ["FixRun", "Report", "UnknownFormat", "check_format", "formats", "render", "statistics_form"]

_SUFFIX: Final = "_format"


class UnknownFormat(Exception):
    """A format that there is no module for; the message names the nearest one."""


class FixRun(NamedTuple):
    """What a run fixed.

    Attributes:
        fixed: what was, or would be, fixed.
        unsafe: whether it took unsafe fixes, too.
        is_dry: whether it showed them, and wrote nothing.
    """

    fixed: Sequence[Finding]
    unsafe: bool
    is_dry: bool


class Report(NamedTuple):
    """What a run has to show.

    Attributes:
        findings: what is left, by file and place.
        sources: the files that have findings, as they were linted.
        rules: the rules that ran.
        plan: gives the text edits of a finding's fix; None where it has none that can be carried out.
        cost: gives what a finding is expected to cost.
        page: gives the file of a rule's page, by its code; None where it has none.
        by_cost: whether formats for reading show the most expensive first, with minor and micro findings in
            one line a rule; otherwise the findings are shown in the order that they have.
        listed: tiers each of whose findings is shown even so.
        asks_unsafe: whether unsafe fixes are asked for: small findings that have one are shown, too.
        fixing: what the run fixed; None where it was not asked to.
        errors: what could not be checked or written, one line each.
        baselined: how many findings a baseline took away.
        color: whether to colour text.
        quiet: whether to leave the summary out.
        unwritten: how many of the errors tell of files that could not be written.
    """

    findings: Sequence[Finding]
    sources: Mapping[Path, Source]
    rules: Sequence[Rule]
    plan: Callable[[Finding], tuple[TextEdit, ...] | None]
    cost: Callable[[Finding], Cost]
    page: Callable[[str], Path | None]
    by_cost: bool = False
    listed: Collection[Tier] = ()
    asks_unsafe: bool = False
    fixing: FixRun | None = None
    errors: Sequence[str] = ()
    baselined: int = 0
    color: bool = False
    quiet: bool = False
    unwritten: int = 0

    @property
    def fixed(self) -> int:
        """How many findings were, or would be, fixed."""
        return len(self.fixing.fixed) if self.fixing is not None else 0

    def told_by(self) -> dict[int, Finding]:
        """Return which finding tells another, by the other's identity; in order of places none does."""
        if not self.by_cost:
            return {}
        from overhead_lint.report.blocks import blocks, told_by  # formats for reading group for themselves

        return told_by(blocks(self.findings, self.cost, self.sources))


def formats() -> tuple[str, ...]:
    """The names of all formats, sorted."""
    ending = f"{_SUFFIX}.py"
    files = os.listdir(__path__[0])  # noqa: PTH208 - every run asks, and pkgutil costs start-up
    return tuple(sorted(file.removesuffix(ending) for file in files if file.endswith(ending)))


def check_format(name: str) -> None:
    """See that there is a format.

    Raises:
        UnknownFormat: there is none of that name.
    """
    known = formats()
    if name in known:
        return
    hint = did_you_mean(name.lower(), known, f"there are {', '.join(known)}")
    raise UnknownFormat(f"unknown output format {name!r}: {hint}")


def render(name: str, report: Report) -> str:
    """A report in the named format, with its last newline; empty when there is nothing to show."""
    module = _module(name)
    if report.by_cost and getattr(module, "BY_COST", False):
        from overhead_lint.report.order import by_cost  # services sort for themselves

        report = report._replace(findings=by_cost(report.findings, report.cost, report.sources))
    return str(module.render(report))


def statistics_form(name: str) -> str:
    """How the named format shows statistics: ``text`` or ``json``; "" if it cannot."""
    return str(getattr(_module(name), "STATISTICS", ""))


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"overhead_lint.report.{name}{_SUFFIX}")
