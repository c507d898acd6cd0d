"""Counts with instrumented source: for Python 3.10 and 3.11, where nothing else leaves other code alone.

The tree of a file that holds places is compiled with a call before each place. The call is of a C
function (``itertools.count().__next__``) that stands in the constants of the code object, so no name
is added anywhere, and a place costs about 30 ns. Dynamo reads the code without these calls
(`counting_dynamo`). Trace and profile functions stay free for others.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import sys
import textwrap
import types
import warnings
from typing import TYPE_CHECKING, Any, Final, TypeVar

from overhead_lint.dynamic.counting import NO_CALLS
from overhead_lint.dynamic.places import counted_nodes
from overhead_lint.parsing import parse_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from overhead_lint.rule import Finding, Span
    from overhead_lint.source import Source

__all__ = ["InstrumentedCounter"]

_MARK: Final = "\0overhead-lint:"
_N = TypeVar("_N", bound=ast.AST)


class InstrumentedCounter:
    """See `overhead_lint.dynamic.counting.Counter`."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._counts: list[itertools.count[int]] = []
        self._final: list[int] | None = None

    def watch(
        self,
        code: types.CodeType,
        source: Source,
        findings: Sequence[Finding],
        calls: Mapping[Span, Callable[[], None]] = NO_CALLS,
    ) -> types.CodeType:
        """See `Counter`."""
        tree = parse_text(source.text)
        nodes = counted_nodes(tree, source, [*(finding.span for finding in findings), *calls])
        marks: dict[ast.AST, list[str]] = {}
        marked_calls: dict[str, Callable[[], object]] = {}
        for finding in findings:
            if finding.span in nodes:
                mark = f"{_MARK}{len(self.findings)}"
                # From 1 on, so that what a call gives is true.
                count = itertools.count(1)
                marked_calls[mark] = count.__next__
                marks.setdefault(nodes[finding.span], []).append(mark)
                self.findings.append(finding)
                self._counts.append(count)
        for number, (span, call) in enumerate(calls.items()):
            if span in nodes:
                mark = f"{_MARK}call {number}"
                marked_calls[mark] = _true(call)
                marks.setdefault(nodes[span], []).append(mark)
        if not marks:
            return code
        marked = _Marking(marks).generic_visit(tree)
        assert isinstance(marked, ast.Module), "a module stays one"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of calling a constant; the program's own were shown already
            return _with_calls(compile(marked, code.co_filename, "exec", dont_inherit=True), marked_calls)

    def on_start(
        self, function: types.FunctionType, call: Callable[[types.FrameType], None]
    ) -> Callable[[], None]:
        """See `Counter`."""
        original = function.__code__

        def started() -> None:
            call(sys._getframe(1))

        function.__code__ = _starting_with(original, function, started)

        def end() -> None:
            function.__code__ = original

        return end

    def counts(self) -> list[int]:
        """See `Counter`."""
        return self._final or [_next(count) - 1 for count in self._counts]

    def stop(self) -> None:
        """See `Counter`. The calls stay in the code, and go on costing next to nothing."""
        self._final = self.counts()


def _starting_with(
    code: types.CodeType, function: types.FunctionType, call: Callable[[], None]
) -> types.CodeType:
    """The code of a function with a call before its first statement."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError) as error:
        raise ValueError(f"{function.__qualname__}: its source is not there") from error
    (body,) = tree.body
    if not isinstance(body, ast.FunctionDef) or code.co_freevars:
        raise ValueError(f"{function.__qualname__}: is no plain function")
    first = body.body[0]
    body.decorator_list = []
    body.body.insert(0, _at(first, ast.Expr(_at(first, ast.Call(_at(first, ast.Constant(_MARK)), [], [])))))
    ast.increment_lineno(tree, code.co_firstlineno - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of calling a constant
        compiled = _with_calls(compile(tree, code.co_filename, "exec", dont_inherit=True), {_MARK: call})
    (found,) = (one for one in compiled.co_consts if isinstance(one, types.CodeType))
    names: dict[str, Any] = {"co_firstlineno": code.co_firstlineno}
    if hasattr(code, "co_qualname"):  # from Python 3.11 on
        names["co_qualname"] = code.co_qualname
    return found.replace(**names)


def _true(call: Callable[[], None]) -> Callable[[], bool]:
    """A call whose result is true, as that of ``mark() and node`` has to be."""

    def called() -> bool:
        call()
        return True

    return called


def _next(count: itertools.count[int]) -> int:
    """What it would give next, left there."""
    arguments: Any = count.__reduce__()[1]
    value: int = arguments[0]
    return value


class _Marking(ast.NodeTransformer):
    """Puts calls of marks before nodes: ``mark() and node``, and a statement ``mark()``."""

    def __init__(self, marks: dict[ast.AST, list[str]]) -> None:
        self._marks = marks

    def visit(self, node: ast.AST) -> ast.AST | list[ast.stmt]:
        marks = self._marks.get(node, ())
        visited = self.generic_visit(node)
        if not marks:
            return visited
        calls = [_at(node, ast.Call(_at(node, ast.Constant(mark)), [], [])) for mark in marks]
        if isinstance(visited, ast.expr):
            return _at(node, ast.BoolOp(ast.And(), [*calls, visited]))
        assert isinstance(visited, ast.stmt), "only expressions and statements are counted"
        return [*(_at(node, ast.Expr(call)) for call in calls), visited]


def _at(node: ast.AST, new: _N) -> _N:
    return ast.copy_location(new, node)


def _with_calls(code: types.CodeType, calls: Mapping[str, Callable[[], object]]) -> types.CodeType:
    """The code with marks replaced by what is to be called."""

    def replaced(constant: object) -> object:
        if isinstance(constant, types.CodeType):
            return _with_calls(constant, calls)
        return calls.get(constant, constant) if isinstance(constant, str) else constant

    return code.replace(co_consts=tuple(map(replaced, code.co_consts)))
