"""Where the host time of a step goes, for people, in shares that add up to 100 %.

By kind, by line, and by the line in a library that runs for a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabulate import tabulate

from overhead_lint.measure.time_profile import shares
from overhead_lint.measure.trace import KINDS
from overhead_lint.support.plurals import count
from overhead_lint.support.shown_path import shown_path
from overhead_lint.support.units import seconds

if TYPE_CHECKING:
    from overhead_lint.measure.evidence import Evidence
    from overhead_lint.measure.library_time import LibraryTime
    from overhead_lint.measure.time_profile import TimeProfile

__all__ = ["host_time"]

_MOST_LINES: Final = 10
_MOST_KINDS: Final = 3
_HEADERS: Final = ("a step", "share")


def host_time(evidence: Evidence) -> str:
    """Return the tables; "" where no step was recorded."""
    profile = evidence.host_time
    if profile is None or not profile.seconds:
        return ""
    recorded = (
        f"{count(profile.steps, 'recorded step')}, {seconds(profile.seconds)} each with what recording adds"
    )
    return "\n".join(
        [
            f"where the host time goes: {recorded}; {profile.explained:.1%} of it at lines of the program",
            _kinds(profile, _guards(evidence)),
            "",
            _lines(profile),
            *(("", _inside(profile)) if profile.inside else ()),
        ]
    )


def _guards(evidence: Evidence) -> float:
    """Seconds a step that guards take, as they were timed by themselves."""
    return float(sum(entry["calls_per_step"] * entry["hot_seconds"] for entry in evidence.compiled))


def _kinds(profile: TimeProfile, guards: float) -> str:
    rows = [
        (KINDS[kind], seconds(amount), f"{share:.1f} %")
        for (kind, amount), share in zip(profile.kinds.items(), shares(profile.kinds.values()), strict=True)
    ]
    if guards:
        place = next((n for n, kind in enumerate(profile.kinds, 1) if kind == "compiled"), len(rows))
        rows.insert(place, ("- of this guards, timed by themselves", seconds(guards), ""))
    rows.append(("all", seconds(profile.seconds), "100.0 %"))
    return tabulate(rows, ("kind", *_HEADERS), disable_numparse=True, colalign=("left", "right", "right"))


def _lines(profile: TimeProfile) -> str:
    known = [one for one in profile.lines if one.path]
    shown, others = known[:_MOST_LINES], known[_MOST_LINES:]
    rows = [
        (f"{shown_path(one.path)}:{one.line}", one.seconds, ", ".join(list(one.kinds)[:_MOST_KINDS]))
        for one in shown
    ]
    if others:
        more = f"and {count(len(others), 'more line')} in the evidence file"
        rows.append((more, sum(one.seconds for one in others), ""))
    nowhere = sum(one.seconds for one in profile.lines if not one.path)
    if nowhere:
        rows.append(("no line known", nowhere, ""))
    cells = [
        (place, seconds(amount), f"{share:.1f} %", kinds)
        for (place, amount, kinds), share in zip(rows, shares(row[1] for row in rows), strict=True)
    ]
    headers = ("line", *_HEADERS, "mostly")
    return tabulate(cells, headers, disable_numparse=True, colalign=("left", "right", "right", "left"))


def _inside(profile: TimeProfile) -> str:
    shown, others = profile.inside[:_MOST_LINES], profile.inside[_MOST_LINES:]
    rows = [(*_places(one), one.seconds) for one in shown]
    if others:
        more = f"and {count(len(others), 'more pair')} in the evidence file"
        rows.append((more, "", sum(one.seconds for one in others)))
    cells = [
        (place, seconds(amount), f"{share:.1f} %", inside)
        for (place, inside, amount), share in zip(rows, shares(row[2] for row in rows), strict=True)
    ]
    headers = ("line that runs", *_HEADERS, "library inside")
    return tabulate(cells, headers, disable_numparse=True, colalign=("left", "right", "right", "left"))


def _places(one: LibraryTime) -> tuple[str, str]:
    """The line of the program, and what runs for it in a library."""
    own = f"{shown_path(one.path)}:{one.line}" if one.path else "no line of the program"
    if not one.library_path:
        return own, ""
    return own, f"{shown_path(one.library_path)}:{one.library_line} ({one.function})"
