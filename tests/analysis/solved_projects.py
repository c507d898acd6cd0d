"""Small projects, solved, and how tests ask for what stands in them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from textwrap import dedent

from overhead_lint.analysis.ir.builder import Trace
from overhead_lint.analysis.ir.lowering import lower
from overhead_lint.analysis.ir.opcodes import CALL
from overhead_lint.analysis.values.lattice import KINDS, Value, names_of
from overhead_lint.analysis.values.project import Callees, Values, solve
from overhead_lint.analysis.values.symbols import Body, ClassSymbol, FunctionSymbol

Order = Callable[[list[Body]], list[Body]]


class Solved:
    """A project and its values.

    Args:
        files: the text of each file by the name of its module.
        order: in which order to evaluate.
    """

    def __init__(self, files: Mapping[str, str], order: Order | None = None) -> None:
        self.trees = {name: ast.parse(dedent(text)) for name, text in files.items()}
        self.traces = {name: Trace() for name in files}
        records = {name: lower(tree, self.traces[name]) for name, tree in self.trees.items()}
        self.values: Values = solve(records, order=order)

    def body(self, name: str) -> Body:
        """Return the body of a function or class by module and qualified name: ``m.Net.forward``."""
        for one in self.values.bodies():
            if f"{one.module.name}.{one.record.qualname}".rstrip(".") == name:
                return one
        raise KeyError(name)

    def function(self, name: str) -> FunctionSymbol:
        """Return a function by module and qualified name."""
        symbol = self.body(name).symbol
        assert isinstance(symbol, FunctionSymbol)
        return symbol

    def cls(self, name: str) -> ClassSymbol:
        """Return a class by module and qualified name."""
        symbol = self.body(name).symbol
        assert isinstance(symbol, ClassSymbol)
        return symbol

    def returned(self, name: str) -> Value:
        """Return what a function may give."""
        return self.values.returned(self.function(name))

    def kinds(self, name: str) -> list[str]:
        """Return the kinds of what a function may give, in words."""
        return names_of(self.returned(name).bits & KINDS)

    def callees(self, name: str, number: int = -1) -> Callees:
        """Return what a call of a body may run: the last one, or by its number in the text."""
        body = self.body(name)
        calls = [at for at, code in enumerate(body.record.code) if code == CALL]
        return self.values.callees(body, calls[number])


def solved(text: str, **others: str) -> Solved:
    """Return a project of a file ``m`` and others by name, solved."""
    return Solved({"m": text, **{name.replace("__", "."): one for name, one in others.items()}})
