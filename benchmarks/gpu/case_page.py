"""Writes what a run measured as a page of Markdown, and a chart."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from case_chart import chart
from case_overview import PENDING, copies, number, overview
from case_results import Result, Spread, StageResult, results
from case_study import STUDIES
from tabulate import tabulate

from overhead_lint.report.reference_costs import MACHINE, SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

__all__ = ["page", "write_page"]

_STAGES: Final = {
    "before": "as it was",
    "safe": "`--fix`",
    "unsafe": "`--fix --unsafe-fixes`",
    "runtime": "the same, with the runtime declared",
    "hand": "by hand, then `--fix`",
    "again": "as it was, once more",
}


def write_page(lines: Sequence[Mapping[str, Any]], folder: Path) -> list[Path]:
    """Write the page, and the chart where there are times; gives their files."""
    table = folder / "reference_costs.json"
    machine, costs = MACHINE, dict(SECONDS)
    if table.is_file():
        content = json.loads(table.read_text(encoding="utf-8"))
        machine, costs = content["machine"], costs | content["seconds"]
    written = [folder / "case_studies.md"]
    written[0].write_text(page(lines, costs, machine), encoding="utf-8")
    if any(one.is_timed for one in results(lines)):
        written.append(folder / "case_studies.svg")
        written[1].write_text(chart(results(lines)), encoding="utf-8")
    return written


def page(lines: Sequence[Mapping[str, Any]], costs: Mapping[str, float], machine: str) -> str:
    """Return the page.

    Args:
        lines: the records.
        costs: seconds that an execution of a rule's pattern costs the host, by which savings are predicted.
        machine: where these were timed.
    """
    studies = results(lines)
    parts = ["# Case studies", *_head(lines, studies), overview(studies)]
    for study in studies:
        parts += _study(study)
    parts += _predictions(studies, costs, machine)
    parts += _runtime(lines)
    return "\n\n".join(parts) + "\n"


def _head(lines: Sequence[Mapping[str, Any]], studies: Sequence[Result]) -> Iterator[str]:
    for line in lines:
        if line["kind"] == "machine":
            yield f"{line['device']}, torch {line['torch']}, Python {line['python']}."
            break
    for line in lines:
        if line["kind"] == "part" and line["status"] != 0:
            yield f"Not finished: {line['subject']}, after {line['seconds']:.0f} s: {line['said']}."
    if any(one.is_timed for one in studies):
        yield "![Time of a step, by stage](case_studies.svg)"
    else:
        yield (
            "**Times on a GPU are pending.** What stands here was counted on the simulated device, at small "
            "sizes: waits, copies and events are those of the program, times would be the simulator's."
        )


def _study(study: Result) -> Iterator[str]:
    about = next(one for one in STUDIES if one.name == study.name)
    yield f"## {about.title}"
    yield (
        f"{about.kind.capitalize()}: [{about.repository}](https://github.com/{about.repository}) at "
        f"`{about.commit[:10]}`, {about.licence}. Counted and timed by {about.step}."
    )
    if study.left_out:
        yield f"Not measured: {study.left_out}."
        return
    if found := study.stages["before"].tiers:
        told = ", ".join(f"{number} of tier {tier}" for tier, number in sorted(found.items()))
        yield f"The linter finds {sum(found.values())} places: {told}."
    names = [name for name in _STAGES if name in study.stages]
    headers = ["", "lines", "mended", "left", "ms", "ratio", "waits", "copies", "events", "operators"]
    headers += ["launches", "idle", "equal"]
    rows = [_row(study, study.stages[name]) for name in names]
    yield tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def _row(study: Result, stage: StageResult) -> list[str]:
    same = stage.name not in ("before", "again") and stage.tree == "before"
    title = _STAGES[stage.name] + (": nothing changes" if same else "")
    left = "" if stage.name == "again" else str(sum(stage.tiers.values()))
    counts = stage.per_step
    shown = [title, str(stage.lines), str(len(stage.mended)), left, *_times(study, stage)]
    shown += [number(stage.waits), number(copies(stage)), number(counts.get("event_record"))]
    shown += [number(counts.get("dispatches")), number(stage.launches)]
    shown.append("" if stage.idle_share is None else f"{100 * stage.idle_share:.0f} %")
    return [*shown, _equality(stage)]


def _times(study: Result, stage: StageResult) -> tuple[str, str]:
    """The time of a step with its quartiles, and how many times as fast it is."""
    if not study.is_timed:
        return PENDING, PENDING
    if not stage.seconds:
        return "", ""
    taken = Spread.of(stage.seconds)
    pairs = zip(study.stages["before"].seconds, stage.seconds, strict=True)
    ratio = Spread.of([before / after for before, after in pairs])
    milliseconds = f"{taken.median * 1e3:.3g} ({taken.lower * 1e3:.3g} to {taken.upper * 1e3:.3g})"
    return milliseconds, f"{ratio.median:.2f} ({ratio.lower:.2f} to {ratio.upper:.2f})"


def _equality(stage: StageResult) -> str:
    if not stage.rounds:
        return ""
    if stage.equal == stage.rounds:
        return "bit by bit"
    if stage.difference is None:
        return f"{stage.equal} of {stage.rounds}, else not comparable"
    return f"{stage.equal} of {stage.rounds}, else to {stage.difference:.1g}"


def _predictions(studies: Iterable[Result], costs: Mapping[str, float], machine: str) -> Iterator[str]:
    yield "## Predicted and measured"
    yield (
        "What mended places were expected to save the host in a step, beside what a step is shorter by. "
        f"Predictions are by the table of: {machine}. A wait has no price beforehand: it lasts as long as "
        "the device has work. The last row of a study is what two equal forms differ by."
    )
    rows = []
    for study in studies:
        for stage in study.stages.values():
            if stage.name == "before" or (stage.tree == "before" and stage.name != "again"):
                continue
            waits = sum(one["tier"] == "stall" for one in stage.mended)
            predicted = f"{stage.predicted(costs) * 1e6:,.1f}" if stage.mended else ""
            rules = " ".join(sorted({str(one["code"]) for one in stage.mended}))
            saving = study.saving(stage) if study.is_timed else None
            rows.append([study.name, stage.name, rules, str(waits), predicted, _microseconds(saving)])
    headers = ["study", "stage", "rules", "waits mended", "predicted, us", "measured, us"]
    yield tabulate(rows, headers, tablefmt="github", disable_numparse=True)


def _microseconds(saving: Spread | None) -> str:
    if saving is None:
        return PENDING
    return f"{saving.median * 1e6:,.1f} ({saving.lower * 1e6:,.1f} to {saving.upper * 1e6:,.1f})"


def _runtime(lines: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The runtime's rows; nothing where they were not timed on a GPU."""
    there = [line for line in lines if line["device"] not in ("", "simulated device")]
    calls = [line for line in there if line["kind"] == "call"]
    if calls:
        yield "## Calls of the runtime"
        rows = [
            [one["name"], one["form"], f"{stock:,.0f}", f"{ours:,.0f}", f"{stock / ours:.1f}"]
            for one in calls
            if (stock := one.get("reference_ns")) and (ours := one.get("ours_ns"))
        ]
        yield tabulate(rows, ["", "form", "stock, ns", "ours, ns", "ratio"], "github", disable_numparse=True)
    decoders = [line for line in there if line["kind"] == "decoder" and "microseconds" in line]
    if decoders:
        yield "## A decoder, from end to end"
        rows = [
            [
                one["compiler"],
                one["variant"],
                f"{one['microseconds']:,.1f}",
                f"{1e6 / one['microseconds']:,.0f}",
            ]
            for one in decoders
        ]
        yield tabulate(rows, ["", "", "us a token", "tokens a second"], "github", disable_numparse=True)
