"""Which operations give the parameters of functions what they are, call by call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from overhead_lint.analysis.compile_sites.sites import method_of
from overhead_lint.analysis.ir.opcodes import ATTRIBUTE, CALL
from overhead_lint.analysis.ir.queries import by_place
from overhead_lint.analysis.values.symbols import Api, Bound, ClassSymbol, FunctionSymbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.values.project import Values
    from overhead_lint.analysis.values.symbols import Body

__all__ = ["Callers", "base_method"]


class Callers:
    """The calls of each function of a project by a reference.

    Args:
        values: what is known of its values.
    """

    def __init__(self, values: Values) -> None:
        self._calls: dict[Body, list[tuple[Body, int, int]]] = {}
        for body in values.bodies():
            for at, code in enumerate(body.record.code):
                if code == CALL:
                    for function, first in _called(body, at):
                        self._calls.setdefault(function.body, []).append((body, at, first))

    def arguments(self, body: Body, place: int) -> Iterator[tuple[Body, int]]:
        """Yield the operations that give a parameter what it is, each with the body that it stands in.

        Args:
            body: the function's.
            place: the parameter's.
        """
        name = body.record.parameters[place].name
        for caller, at, first in self._calls.get(body, ()):
            arguments, names = caller.record.extra[at]
            plain = by_place(caller.record, at)
            if name in names:
                yield caller, arguments[len(plain) + names.index(name)]
            elif 0 <= place - first < len(plain):
                yield caller, plain[place - first]


def _called(body: Body, at: int) -> Iterator[tuple[FunctionSymbol, int]]:
    """Yield the functions that a call runs, with how many parameters it does not give itself."""
    for one in body.values[body.record.operand[at]].references:
        if isinstance(one, FunctionSymbol):
            yield one, 0
        elif isinstance(one, Bound):
            yield one.function, 1
        elif isinstance(one, ClassSymbol):
            made = method_of(one, "__init__")
            if made is not None:
                yield made, 1


def base_method(body: Body, at: int) -> FunctionSymbol | None:
    """Return the method of the project that ``super().method(...)`` calls; None if a call is none such."""
    record = body.record
    called = record.operand[at]
    made = record.operand[called] if record.code[called] == ATTRIBUTE else -1
    if made < 0 or record.code[made] != CALL:
        return None
    apis = [one.path for one in body.values[record.operand[made]].references if isinstance(one, Api)]
    methods = [one.function for one in body.values[called].references if isinstance(one, Bound)]
    return methods[0] if apis == ["builtins.super"] and methods else None
