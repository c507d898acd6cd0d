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
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from overhead_lint.dynamic.calls_at_places import NO_CALLS
from overhead_lint.dynamic.places import counted_nodes
from overhead_lint.dynamic.untraced import untraced
from overhead_lint.syntax.text_parsing import parse_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from overhead_lint.rule import Finding, Span
    from overhead_lint.syntax.source import Source

__all__ = ["InstrumentedCounter"]

_MARK: Final = "\0overhead-lint:"
_N = TypeVar("_N", bound=ast.AST)
_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


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
        return _calling(function, call, _at_start)

    def on_return(
        self, function: types.FunctionType, call: Callable[[types.FrameType], None]
    ) -> Callable[[], None]:
        """See `Counter`."""
        return _calling(function, call, _at_returns)

    def counts(self) -> list[int]:
        """See `Counter`."""
        return self._final or [_next(count) - 1 for count in self._counts]

    def stop(self) -> None:
        """See `Counter`. The calls stay in the code, and go on costing next to nothing."""
        self._final = self.counts()


def _calling(
    function: types.FunctionType,
    call: Callable[[types.FrameType], None],
    mark: Callable[[_Function], None],
) -> Callable[[], None]:
    """Put calls into a function, and give what takes them out; see `Counter.on_start`."""
    original = function.__code__

    @untraced
    def called() -> None:
        call(sys._getframe(1))

    function.__code__ = _marked(original, called, mark)

    def end() -> None:
        function.__code__ = original

    return end


def _marked(
    code: types.CodeType, call: Callable[[], None], mark: Callable[[_Function], None]
) -> types.CodeType:
    """The code of a function with calls at the places that `mark` marks."""
    name = code.co_name
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, SyntaxError) as error:
        raise ValueError(f"{name}: its source is not there") from error
    body = tree.body[0]
    if len(tree.body) != 1 or not isinstance(body, (ast.FunctionDef, ast.AsyncFunctionDef)):
        raise ValueError(f"{name}: is no plain function")
    body.decorator_list = []
    mark(body)
    if code.co_freevars:
        tree.body = [_around(body, code.co_freevars)]
    ast.increment_lineno(tree, code.co_firstlineno - 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of calling a constant
        compiled = _with_calls(compile(tree, code.co_filename, "exec", dont_inherit=True), {_MARK: call})
    if code.co_freevars:
        compiled = _only_code(compiled)
    found = _only_code(compiled)
    if found.co_freevars != code.co_freevars or found.co_name != name:
        raise ValueError(f"{name}: its source is another function's")
    names: dict[str, Any] = {"co_firstlineno": code.co_firstlineno}
    if hasattr(code, "co_qualname"):  # from Python 3.11 on
        names["co_qualname"] = code.co_qualname
    return found.replace(**names)


def _only_code(code: types.CodeType) -> types.CodeType:
    return next(one for one in code.co_consts if isinstance(one, types.CodeType))


def _around(body: _Function, names: Iterable[str]) -> ast.FunctionDef:
    """A function that has the variables which `body` takes from around it."""
    targets: list[ast.expr] = [ast.Name(name, ast.Store()) for name in names]
    outer = ast.parse("def around():\n    pass\n").body[0]
    assert isinstance(outer, ast.FunctionDef), "as it is written"
    outer.body = [ast.Assign(targets, ast.Constant(None)), body]
    return ast.fix_missing_locations(outer)


def _call_at(node: ast.stmt) -> ast.Expr:
    return _at(node, ast.Expr(_at(node, ast.Call(_at(node, ast.Constant(_MARK)), [], []))))


def _at_start(function: _Function) -> None:
    function.body.insert(0, _call_at(function.body[0]))


def _at_returns(function: _Function) -> None:
    """Before each ``return``, whose value is worked out after the call, and where the body ends without."""
    _Returns().generic_visit(function)
    if not isinstance(function.body[-1], ast.Return):
        function.body.append(_call_at(function.body[-1]))


class _Returns(ast.NodeTransformer):
    """Puts calls before the returns of one function."""

    def visit_Return(self, node: ast.Return) -> list[ast.stmt]:
        return [_call_at(node), node]

    def _leave(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _leave  # noqa: N815


def _true(call: Callable[[], None]) -> Callable[[], bool]:
    """A call whose result is true, as that of ``mark() and node`` has to be."""

    @untraced
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
