"""Describes fixes as Markdown for a pull request: what, why, what it saves, how it was checked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from overhead_lint.report.cost_texts import duration
from overhead_lint.report.fix_totals import noun
from overhead_lint.report.order import TIERS
from overhead_lint.report.trial_text import ended, few, saving
from overhead_lint.rule import Applicability
from overhead_lint.support.plurals import count
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from overhead_lint.fixing.trial import Trial
    from overhead_lint.report.expected_cost import Cost
    from overhead_lint.rule import Finding

__all__ = ["FixReport", "RuleStory", "render"]

_FENCE: Final = "`"


class RuleStory(NamedTuple):
    """What the page of a rule says for reviewers.

    Attributes:
        why: why what it finds costs; "" for a rule without a page.
        safety: when its fix is safe, and what to look at; likewise.
    """

    why: str = ""
    safety: str = ""


class FixReport(NamedTuple):
    """What fixes change.

    Attributes:
        fixed: the findings that are fixed.
        cost: gives what a finding was expected to cost.
        stories: what pages say, by code of the rule.
        command: how to make the same change.
        version: of the linter.
        trial: the command that was run with the fixes and without; None for none.
    """

    fixed: Sequence[Finding]
    cost: Callable[[Finding], Cost]
    stories: Mapping[str, RuleStory]
    command: str
    version: str
    trial: Trial | None


def render(report: FixReport) -> str:
    """The description; its first line is the title."""
    rules = _by_rule(report)
    blocks = [f"# {_title(report)}", _opening(report), "## What, and why"]
    for code, findings in rules.items():
        blocks += _rule(findings, report.stories.get(code, RuleStory()))
    blocks += ["## Expected saving", _table(rules, report), "## How it was checked", _checks(report)]
    return "\n\n".join(blocks) + "\n"


def _by_rule(report: FixReport) -> dict[str, list[Finding]]:
    """What is fixed by rule; first the rules that find what matters most."""
    rules: dict[str, list[Finding]] = {}
    for finding in report.fixed:
        rules.setdefault(finding.code, []).append(finding)

    def rank(code: str) -> tuple[int, int, str]:
        return min(TIERS.index(report.cost(one).tier) for one in rules[code]), -len(rules[code]), code

    return {code: rules[code] for code in sorted(rules, key=rank)}


def _title(report: FixReport) -> str:
    tiers = [report.cost(finding).tier for finding in report.fixed]
    parts = [f"{number} {noun(tier, number)}" for tier in TIERS if (number := tiers.count(tier))]
    return f"Remove {' and '.join(filter(None, [', '.join(parts[:-1]), parts[-1]]))}"


def _opening(report: FixReport) -> str:
    places = count(len(report.fixed), "place")
    files = count(len({finding.path for finding in report.fixed}), "file")
    how = f"`{report.command}` (overhead-lint {report.version})"
    return f"{places} in {files}, changed by {how}."


def _rule(findings: Sequence[Finding], story: RuleStory) -> list[str]:
    first = findings[0]
    blocks = [f"### {first.name} ({first.code}): {count(len(findings), 'place')}"]
    if story.why:
        blocks.append(story.why)
    blocks.append("\n".join(_places(findings)))
    if story.safety and any(_is_unsafe(finding) for finding in findings):
        blocks.append(f"To look at: {story.safety}")
    return blocks


def _places(findings: Sequence[Finding]) -> list[str]:
    """A line for each file, with what was done in which functions: numbers of lines change with each fix."""
    done: dict[tuple[str, str, bool], list[str]] = {}
    for finding in findings:
        what = finding.fix.message if finding.fix is not None else ""
        function = finding.standing.function.lstrip(".") if finding.standing is not None else ""
        done.setdefault((_shown(finding.path), what, _is_unsafe(finding)), []).append(function)
    lines = []
    for (path, what, unsafe), functions in done.items():
        named = [
            _code(name) + (f" ({functions.count(name)})" if functions.count(name) > 1 else "")
            for name in dict.fromkeys(functions)
            if name
        ]
        where = f", in {few(named)}" if named else ""
        lines.append(f"- {_code(path)}{where}: {what}{' (unsafe: needs a look)' if unsafe else ''}")
    return lines


def _shown(path: Path) -> str:
    """A path as the reader of a repository knows it."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def _code(text: str) -> str:
    return f"{_FENCE}{text}{_FENCE}"


def _is_unsafe(finding: Finding) -> bool:
    return finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE


def _table(rules: Mapping[str, Sequence[Finding]], report: FixReport) -> str:
    lines = ["| rule | places | saves a step |", "|---|---|---|"]
    for code, findings in rules.items():
        costs = [report.cost(finding) for finding in findings]
        lines.append(f"| {findings[0].name} ({code}) | {len(findings)} | {_saves(costs)} |")
    costs = [report.cost(finding) for finding in report.fixed]
    if len(rules) > 1:
        lines.append(f"| all | {len(costs)} | {_saves(costs)} |")
    estimated = any(cost.seconds is not None and not cost.is_measured for cost in costs)
    note = "\n\n`~` marks estimates: executions a step, as the source tells them, times what one takes."
    return "\n".join(lines) + (note if estimated else "")


def _saves(costs: Sequence[Cost]) -> str:
    """What fixes save a step: waits, and time of the host."""
    stalls = [cost for cost in costs if cost.waits]
    many = sum(cost.is_assumed for cost in stalls)
    parts = (
        [count(len(stalls) - many, "wait for the device", "waits for the device")]
        if many < len(stalls)
        else []
    )
    parts += [f"{count(many, 'place that waits', 'places that wait')} in a loop"] if many else []
    seconds = sum(cost.seconds or 0.0 for cost in costs)
    if seconds:
        is_measured = all(cost.is_measured for cost in costs if cost.seconds is not None)
        parts.append(f"{'' if is_measured else '~'}{duration(seconds)} of the host")
    return "; ".join(parts) or "not timed"


def _checks(report: FixReport) -> str:
    unsafe = sum(map(_is_unsafe, report.fixed))
    safe = len(report.fixed) - unsafe
    lines = ["- Each changed file parses and compiles, and a second run would change nothing more."]
    if safe:
        lines.append(
            f"- {count(safe, 'fix is', 'fixes are')} safe: same behaviour apart from speed, comments kept."
        )
    if unsafe:
        lines.append(
            f"- {count(unsafe, 'fix is', 'fixes are')} unsafe: the paragraphs above say what to look at."
        )
    trial = report.trial
    if trial is None:
        return "\n".join([*lines, "- No command was run with the fixes and without."])
    how = f"with the fixes as without, each in a copy of the project: {ended(trial.before)}"
    lines.append(f"- {_code(trial.command)} ended {how}.")
    if trial.not_ran:
        lines.append(f"- It ran none of {few([_code(str(path)) for path in trial.not_ran])}.")
    if trial.seconds_before:
        runs = count(len(trial.seconds_before), "run")
        lines.append(f"- Its time, median of {runs} each way, in turn: {saving(trial)}.")
    return "\n".join(lines)
