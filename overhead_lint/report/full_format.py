"""Each finding with its source line, the reason for its heat, help, and what fixes it."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice
from typing import TYPE_CHECKING, Final

from overhead_lint.errors import on_one_line
from overhead_lint.report.blocks import Block
from overhead_lint.report.chain_places import staying_wait
from overhead_lint.report.concise_format import headlines
from overhead_lint.report.cost_texts import told
from overhead_lint.report.folded import FOLDED, folded_lines
from overhead_lint.report.headlines import FEW, LAST_LINE, first_lines
from overhead_lint.report.numbers import number_of
from overhead_lint.report.order import grouped
from overhead_lint.report.place import in_cell, is_notebook, reason
from overhead_lint.report.style import paint
from overhead_lint.report.summary import summary
from overhead_lint.rule import Applicability, Finding, Heat, Tier
from overhead_lint.support.plurals import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from overhead_lint.report import Report
    from overhead_lint.report.chain_places import ChainPlace
    from overhead_lint.report.order import Group
    from overhead_lint.syntax.source import Source

__all__ = ["STATISTICS", "render"]

STATISTICS: Final = "text"

_LONGEST_LINE = 200
_STYLE: Final = re.compile(r"\x1b\[[0-9;]*m")
_WIDTH: Final = 110
"""Columns that lines are wrapped at, between words."""
_NARROWEST: Final = 40
_INDENT: Final = "    "
_WHOLE: Final = 4
"""Lines of a span that are shown; of a longer one the first and the last."""
_MOST_COPIES: Final = 3
_MOST_OTHERS: Final = 8
"""Lines of a block that name what it tells."""
_FIXES = {
    Applicability.SAFE: "safe (--fix)",
    Applicability.UNSAFE: "unsafe (--fix --unsafe-fixes)",
    Applicability.NEEDS_RUNTIME: "not applied, as the project does not declare overhead-runtime",
}


def render(report: Report) -> str:
    """The summary, then all findings with an empty line after each, small ones counted, then the totals.

    A few findings are listed as they are.
    """
    groups = grouped(report.findings, report.cost, report.sources) if report.by_cost else []
    found = [block for group in groups for block in group.blocks]
    if not report.by_cost:
        found = [Block(finding) for finding in report.findings]
    if not report.by_cost or len(report.findings) <= FEW:
        parts = _blocks(report, found, repeats=True)
        parts += summary(report, found)
        return "\n\n".join(parts) + "\n" if parts else ""
    parts = first_lines(report, found)
    folded: dict[Tier, list[Finding]] = {tier: [] for tier in FOLDED}
    for group in groups:
        if group.tier in folded and group.tier not in report.listed:
            folded[group.tier] += [one.first for one in group.blocks if not _is_asked_for(one.first, report)]
            group = group._replace(blocks=[one for one in group.blocks if _is_asked_for(one.first, report)])
        if not group.blocks:
            continue
        if len(groups) > 1:
            parts.append(_heading(group, report))
        parts += _blocks(report, group.blocks)
    for tier, findings in folded.items():
        parts += folded_lines(tier, findings)
    parts += ["\n".join([*summary(report, found), LAST_LINE])] if not report.quiet else []
    return "\n\n".join(parts) + "\n" if parts else ""


def _is_asked_for(finding: Finding, report: Report) -> bool:
    """Whether a small finding is shown by itself: where unsafe fixes are asked for, and it has one."""
    return (
        report.asks_unsafe and finding.fix is not None and finding.fix.applicability is Applicability.UNSAFE
    )


def _heading(group: Group, report: Report) -> str:
    number = count(len(group.blocks), "place")
    return paint(
        f"== {group.tier.value}: {on_one_line(group.cause)} ({number}) ==", "bold", color=report.color
    )


def _blocks(report: Report, blocks: Sequence[Block], *, repeats: bool = False) -> list[str]:
    """The first finding of each block, with the others in a note; a reason for heat once, or always."""
    parts = []
    given: set[tuple[Heat, str]] = set()
    shown = report._replace(findings=[block.first for block in blocks])
    for headline, block in zip(headlines(shown), blocks, strict=True):
        finding = block.first
        why = reason(finding, report.sources)
        is_new = (finding.warmth.heat, why) not in given
        notes = _notes(block, report, why if repeats or is_new else "")
        given.add((finding.warmth.heat, why))
        parts.append(_finding(headline, finding, report.sources[finding.path], report.color, notes))
    return parts


def _finding(
    headline: str, finding: Finding, source: Source, color: bool, notes: Iterable[tuple[str, str]]
) -> str:
    numbers = {line: str(in_cell(source, line)[1]) for line in _lines_of(finding)}
    width = max(map(len, numbers.values()))
    gutter = " " * width
    bar = paint("|", "blue", color=color)
    lines = [f"\n{_INDENT}".join(_wrapped(headline, _WIDTH))]
    before = finding.span.line
    for line, number in numbers.items():
        text = source.line_text(line)
        if not text:
            continue
        shown, marks = _excerpt(finding, text, line)
        lines.append(f"{gutter} {bar} ..." if line > before + 1 else f"{gutter} {bar}")
        lines.append(f"{paint(f'{number:>{width}}', 'blue', color=color)} {bar} {shown}")
        lines.append(f"{gutter} {bar} {paint(marks, 'red', color=color)}")
        before = line
    for name, what in notes:
        lines.append(_note(gutter, name, what, color))
    return "\n".join(lines)


def _lines_of(finding: Finding) -> list[int]:
    """The lines of a finding that are shown: all of its span, or the first and the last of a long one."""
    span = finding.span
    lines = range(span.line, span.end_line + 1)
    return list(lines) if len(lines) <= _WHOLE else [lines[0], lines[-1]]


def _note(gutter: str, name: str, what: str, color: bool) -> str:
    """A note, over as many lines as it takes."""
    ahead = f"{gutter} = {name}: "
    first, *more = _wrapped(what, max(_WIDTH - len(ahead), _NARROWEST))
    lines = [f"{gutter} = {paint(name, 'bold', color=color)}: {first}"]
    return "\n".join([*lines, *(" " * len(ahead) + one for one in more)])


def _wrapped(text: str, width: int) -> list[str]:
    """A text in lines that end between words; colours take no room."""
    first, *more = re.split(r"( +)", text)
    lines, used = [first], _columns(first)
    for space, word in zip(more[::2], more[1::2], strict=True):
        if used + len(space) + _columns(word) <= width:
            lines[-1] += space + word
            used += len(space) + _columns(word)
        else:
            lines.append(word)
            used = _columns(word)
    return lines


def _columns(word: str) -> int:
    return len(_STYLE.sub("", word) if "\x1b" in word else word)


def _notes(block: Block, report: Report, why: str) -> Iterator[tuple[str, str]]:
    finding = block.first
    warmth, fix = finding.warmth, finding.fix
    yield "cost", told(report.cost(finding))
    if why and (warmth.heat > Heat.COLD or warmth.is_measured):
        yield "heat", f"{warmth.heat.label}: {on_one_line(why)}"
    if finding.also and not is_notebook(finding.path):
        yield "also", _numbered("line", finding.also)
    if (step := _step(block, report)) is not None:
        yield "step", step
    yield from (("also", text) for text in _others(block))
    if block.copies:
        yield "copies", _copies(block)
    if warmth.evaluates:
        yield "phase", "no training leads here: evaluations and predictions alone run it"
    if (stays := staying_wait(finding)) is not None:
        yield "stays", _staying(finding, stays)
    if finding.help:
        yield "help", finding.help
    if fix is not None:
        yield "fix", f"{_FIXES[fix.applicability]}: {fix.message}"


def _step(block: Block, report: Report) -> str | None:
    """What mends of waits come to where a step waits at several places; None where it does not."""
    waiting = [one for one in (block.first, *block.others) if report.cost(one).waits]
    if len(waiting) < 2 or staying_wait(block.first) is not None:
        return None
    number = count(number_of(waiting), "place")
    return f"the CPU waits at {number} of it: little is gained before all of them are gone"


def _others(block: Block) -> Iterator[str]:
    """The other findings of a block, file by file and rule by rule; of many lines the first."""
    lines: dict[tuple[Path, str], list[int]] = {}
    for one in block.others:
        numbers = (one.span.line, *one.also)
        lines.setdefault((one.path, f"{one.code} {one.name}"), []).extend(numbers)
    for (path, name), places in islice(lines.items(), _MOST_OTHERS):
        file = f"{on_one_line(str(path))}, " if path != block.first.path else ""
        yield f"{file}{_numbered('line', places)}: {name}"
    if rest := sum(len(places) for places in islice(lines.values(), _MOST_OTHERS, None)):
        yield f"{count(rest, 'more place')}: --sort path lists them"


def _numbered(noun: str, numbers: Sequence[int]) -> str:
    return f"{noun if len(numbers) == 1 else f'{noun}s'} {', '.join(map(str, numbers))}"


def _copies(block: Block) -> str:
    """Where the same function stands as well, the first of many."""
    places = [f"{on_one_line(str(one.first.path))}:{one.first.span.line}" for one in block.copies]
    shown = ", ".join(places[:_MOST_COPIES])
    more = f" and {len(places) - _MOST_COPIES} more" if len(places) > _MOST_COPIES else ""
    return f"the same function stands in {count(len(places), 'other place')}: {shown}{more}"


def _staying(finding: Finding, wait: ChainPlace) -> str:
    """Why a mend of a wait saves little."""
    if not wait.what and wait.line == finding.span.line:
        return "the program needs what the CPU waits for"
    shown = f"{on_one_line(wait.path)}:{wait.line}{f' in {wait.what}' if wait.what else ''}"
    return f"the CPU waits in the same pass anyway: {shown}"


def _excerpt(finding: Finding, text: str, line: int) -> tuple[str, str]:
    """A line and the carets under its marked characters; of a very long line the part around them."""
    span = finding.span
    start = span.column - 1 if line == span.line else len(text) - len(text.lstrip())
    end = span.end_column - 1 if span.end_line == line else len(text)
    if len(text) <= _LONGEST_LINE:
        return _printable(text), _carets(text, start, end)
    first = max(start - _LONGEST_LINE // 4, 0)
    last = min(first + _LONGEST_LINE, len(text))
    head, tail = "..." if first else "", "..." if last < len(text) else ""
    part = text[first:last]
    shown = f"{head}{_printable(part)}{tail}"
    return shown, " " * len(head) + _carets(part, start - first, min(end, last) - first)


def _carets(text: str, start: int, end: int) -> str:
    """Carets under ``text[start:end]``, columns counted as a terminal does."""
    if text.isascii() and "\t" not in text and text.isprintable():
        return " " * min(start, len(text)) + "^" * max(min(end, len(text)) - start, 1)
    before = "".join("\t" if char == "\t" else " " * _width(char) for char in text[:start])
    marked = sum(1 if char == "\t" else _width(char) for char in text[start:end])
    return before + "^" * max(marked, 1)


def _width(char: str) -> int:
    """Terminal columns that a character takes."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _printable(text: str) -> str:
    """A source line without characters that would move the cursor or change the terminal."""
    if text.isprintable():
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) == "Cc" and char != "\t" else char
        for char in text
    )
