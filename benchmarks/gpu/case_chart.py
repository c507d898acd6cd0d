"""The chart of a run: how long a step takes at each stage, beside the program as it was."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from case_results import Result, Spread
from case_study import STUDIES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["chart"]

_SHOWN: Final = {"safe": "#9ec5e8", "unsafe": "#5b9bd5", "hand": "#1f4e79"}
_NAMES: Final = {"safe": "--fix", "unsafe": "--unsafe-fixes", "hand": "by hand"}
_WIDTH, _LEFT, _BAR, _GAP = 720, 220, 12, 14
"""Of the chart, of the names, and of a bar, in pixels."""


def chart(studies: Iterable[Result]) -> str:
    """Return the chart as SVG: bars are medians of the time of a step, 100 % is as it was; with quartiles."""
    timed = [study for study in studies if study.is_timed]
    height = 40 + len(timed) * (len(_SHOWN) * _BAR + _GAP)
    body = "\n".join(line for at, study in enumerate(timed) for line in _group(study, at))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'font-family="sans-serif" font-size="11">\n<title>Time of a step, of what it was</title>\n'
        f"{_legend()}\n{body}\n{_line(height)}\n</svg>\n"
    )


def _group(study: Result, at: int) -> Iterator[str]:
    title = next(one.title for one in STUDIES if one.name == study.name)
    top = 30 + at * (len(_SHOWN) * _BAR + _GAP)
    yield f'<text x="{_LEFT - 8}" y="{top + 22}" text-anchor="end">{escape(title)}</text>'
    before = study.stages["before"].seconds
    for place, (name, colour) in enumerate(_SHOWN.items()):
        stage = study.stages.get(name)
        if stage is None or not stage.seconds:
            continue
        share = Spread.of([after / first for first, after in zip(before, stage.seconds, strict=True)])
        y = top + place * _BAR
        width, percent = _pixels(share.median), f"{100 * share.median:.0f} %"
        yield f'<rect x="{_LEFT}" y="{y}" width="{width:.1f}" height="{_BAR - 2}" fill="{colour}"/>'
        low, high = _LEFT + _pixels(share.lower), _LEFT + _pixels(share.upper)
        middle = y + (_BAR - 2) / 2
        yield f'<path d="M{low:.1f} {middle}H{high:.1f}" stroke="#c00"/>'
        yield f'<text x="{max(high, _LEFT + width) + 6:.1f}" y="{y + 9}">{percent}</text>'


def _pixels(share: float) -> float:
    """The length of a share of the time as it was; a form that takes far longer is cut off."""
    return min(share, 1.15) * (_WIDTH - _LEFT - 60) / 1.15


def _legend() -> str:
    parts = []
    for place, (name, colour) in enumerate(_SHOWN.items()):
        x = _LEFT + place * 120
        parts.append(f'<rect x="{x}" y="8" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{x + 14}" y="17">{_NAMES[name]}</text>')
    return "\n".join(parts)


def _line(height: int) -> str:
    x = _LEFT + _pixels(1.0)
    return f'<path d="M{x:.1f} 24V{height - 6}" stroke="#888" stroke-dasharray="3 3"/>'
