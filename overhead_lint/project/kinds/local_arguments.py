"""What the calls of a file pass for the parameters of its functions."""

from __future__ import annotations

import ast
from itertools import islice
from typing import TYPE_CHECKING, Final

from overhead_lint.project.classes import is_autograd_function
from overhead_lint.project.kinds.abstract_value import UNKNOWN, AbstractValue
from overhead_lint.project.kinds.foreign_arguments import parameter_path
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import NAMED_FUNCTIONS
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.kinds.inference import Kinds
    from overhead_lint.rule import ClassFacts

__all__ = ["Passed"]

# More calls of a function than these are not looked at for what they pass.
_MOST_CALLS: Final = 8
_NO_VALUES: Final = frozenset({"self", "cls", "ctx"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Passed:
    """What calls of one file pass.

    Args:
        kinds: infers what is passed.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts

    def to(self, argument: ast.arg, function: ast.AST) -> list[AbstractValue]:
        """What calls in this file pass for a parameter, each thing once; nothing if that cannot be told."""
        if not isinstance(function, NAMED_FUNCTIONS) or _is_variadic(argument, function):
            return []
        calls = list(islice(self._calls(function), _MOST_CALLS + 1))
        if not 0 < len(calls) <= _MOST_CALLS or not any(certain for _, certain in calls):
            return []
        place = self._place(argument, function)
        found: list[AbstractValue] = []
        for call, certain in calls:
            given = _given(call, argument.arg, place)
            what = self._kinds.infer(given) if given is not None else UNKNOWN
            if certain and given is None and not _has_default(argument, function):
                return []
            if what not in found and (certain or what.kind is not Kind.UNKNOWN):
                found.append(what)
        return found

    def path(self, argument: ast.arg, function: ast.AST) -> str | None:
        """The path of a parameter of a public function, by which other files are asked; None for others."""
        if not isinstance(function, NAMED_FUNCTIONS) or _is_variadic(argument, function):
            return None
        if function.name.startswith("_") or self._facts.class_holding(function) is not None:
            return None
        name = self._facts.calls.identity(function)
        if "<locals>" in name or argument.arg in _NO_VALUES:
            return None
        return parameter_path(name, argument.arg, self._place(argument, function))

    def _place(self, argument: ast.arg, function: _Function) -> int | None:
        """Which positional argument of a call a parameter takes; None if it has to be named."""
        positional = [*function.args.posonlyargs, *function.args.args]
        if argument not in positional:
            return None
        bound = self._facts.class_holding(function) is not None and not any(
            last_name(decorator) == "staticmethod" for decorator in function.decorator_list
        )
        autograd = self._is_applied(function)
        return positional.index(argument) - (bound or autograd)

    def _is_applied(self, function: _Function) -> bool:
        """Whether a function is what ``apply`` of an autograd function runs."""
        cls = self._facts.class_holding(function)
        return cls is not None and function.name == "forward" and is_autograd_function(cls)

    def _calls(self, function: _Function) -> Iterator[tuple[ast.Call, bool]]:
        """The calls that may run a function, and whether they certainly do, as far as this file shows."""
        cls = self._facts.class_holding(function)
        if cls is None:
            for call in self._facts.call_index.by_name.get(function.name, ()):
                if call.func.__class__ is ast.Name:
                    yield call, True
        elif function.name == "__init__":
            for call in self._facts.call_index.by_name.get(cls.node.name, ()):
                yield call, True
        elif self._is_applied(function):
            for call in self._facts.call_index.by_name.get("apply", ()):
                if call.func.__class__ is ast.Attribute and last_name(call.func.value) == cls.node.name:
                    yield call, True
        else:
            for call in self._facts.call_index.by_name.get(function.name, ()):
                runs = self._runs(call.func, function, cls) if call.func.__class__ is ast.Attribute else False
                if runs is not False:
                    yield call, bool(runs)

    def _runs(self, called: ast.Attribute, function: _Function, cls: ClassFacts) -> bool | None:
        """Whether a method that is called is certainly this one, or one that overrides it; None if unsure."""
        owner = called.value
        if owner.__class__ is not ast.Name or owner.id not in {"self", "cls", cls.node.name}:
            return function in self._facts.calls.functions_named(called) or None
        around = self._facts.class_of(called)
        if around is None or around is cls or owner.id == cls.node.name:
            return True
        lineage = self._facts.local_graph.families.lineage
        own, its = f".{cls.qualname}", f".{around.qualname}"
        return own in lineage(its) or its in lineage(own)


def _given(call: ast.Call, name: str, place: int | None) -> ast.expr | None:
    """What a call passes for a parameter, if that can be told."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if place is None or not 0 <= place < len(call.args):
        return None
    before = call.args[: place + 1]
    return before[-1] if not any(one.__class__ is ast.Starred for one in before) else None


def _is_variadic(argument: ast.arg, function: _Function) -> bool:
    return argument is function.args.vararg or argument is function.args.kwarg


def _has_default(argument: ast.arg, function: _Function) -> bool:
    arguments = function.args
    if argument in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(argument)] is not None
    positional = [*arguments.posonlyargs, *arguments.args]
    return positional.index(argument) >= len(positional) - len(arguments.defaults)
