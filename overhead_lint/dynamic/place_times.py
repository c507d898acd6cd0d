"""How long the places of findings took in the step that was recorded, as parts of that step.

A part of the recorded step holds for other steps, too: what the recording adds is spread over all of it.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from overhead_lint.measure.evidence import Basis

if TYPE_CHECKING:
    from overhead_lint.measure.trace import Span, Trace
    from overhead_lint.rule import Finding
    from overhead_lint.syntax.source import Source

__all__ = ["PlaceTime", "place_time"]

_COMPREHENSIONS: Final = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)


class PlaceTime(NamedTuple):
    """What a finding's place took.

    Attributes:
        share: of the recorded step, 0 to 1.
        basis: `Basis.PLACE` for what the finding marks alone, `Basis.LINE` for its whole line.
    """

    share: float
    basis: Basis


def place_time(trace: Trace, finding: Finding, source: Source) -> PlaceTime | None:
    """The part of a recorded step that a finding's place took; None where no call of it was recorded.

    A call is what ran under its name for its line, however often and from wherever: a generator is resumed
    by others. A loop is all that ran for its lines. Of other expressions only the line is known.

    Args:
        trace: the step, with the paths that code has.
        finding: a finding in a file of the program.
        source: that file.
    """
    real = cache(os.path.realpath)
    path, lines = str(source.path), range(finding.span.line, finding.span.end_line + 1)
    here = [number for number, span in enumerate(trace.spans) if _is_at(span, path, lines, real)]
    node = _marked(finding, source)
    name = _called(node)
    if name:
        own = [number for number in here if name in trace.spans[number].label.split(".")]
        if own:
            return PlaceTime(_part(trace, own), Basis.PLACE)
    if not here:
        return None
    is_whole = isinstance(node, (ast.For, ast.While, *_COMPREHENSIONS))
    return PlaceTime(_part(trace, here), Basis.PLACE if is_whole else Basis.LINE)


def _is_at(span: Span, path: str, lines: range, real: Callable[[str], str]) -> bool:
    return span.thread == 0 and span.line in lines and bool(span.path) and real(span.path) == path


def _part(trace: Trace, numbers: Iterable[int]) -> float:
    """The part of the step in which one of some spans was open."""
    wanted, taken = set(numbers), 0
    for number in wanted:
        around = trace.spans[number].parent
        while around >= 0 and around not in wanted:
            around = trace.spans[around].parent
        taken += trace.spans[number].length if around < 0 else 0
    return min(1.0, taken / trace.length)


def _marked(finding: Finding, source: Source) -> ast.AST | None:
    """The expression or loop that a finding marks."""
    span = finding.span
    lines = source.text.splitlines()[span.line - 1 : span.end_line]
    if not lines:
        return None
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    text = "\n".join(lines)
    for attempt in (f"({text}\n)", text, f"{text} pass"):  # of a loop the head may be marked alone
        try:
            body = ast.parse(attempt).body
        except (SyntaxError, ValueError):
            continue
        node = body[0] if body else None
        return node.value if isinstance(node, ast.Expr) else node
    return None


def _called(node: ast.AST | None) -> str:
    """The name of the function that an expression calls; "" where it is no call."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
