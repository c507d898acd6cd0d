"""Paths of what values of one file refer to, and of what annotations in it promise."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.values.elsewhere import PARAMETER_OF, Elsewhere
from overhead_lint.analysis.values.holders import Container, Partial
from overhead_lint.analysis.values.symbols import (
    Api,
    Bound,
    ClassSymbol,
    FunctionSymbol,
    Instance,
    ModuleSymbol,
)
from overhead_lint.project.path_syntax import ANY_INSTANCE, INSTANCE, MANY, is_outside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.analysis.ir.records import Annotation
    from overhead_lint.analysis.values.reference import Reference
    from overhead_lint.analysis.values.symbols import Body
    from overhead_lint.project.file_values import FileValues

__all__ = ["ReferencePaths"]

_SEQUENCES: Final = frozenset({"Iterable", "Iterator", "List", "Sequence", "Set", "list", "set"})
_MAPPINGS: Final = frozenset({"Dict", "Mapping", "dict"})
_OPTIONAL: Final = frozenset({"|", "Annotated", "Final", "Optional", "Union"})
_MOST_PARTIAL: Final = 3


class ReferencePaths:
    """Writes references as paths.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileValues) -> None:
        self._facts = facts
        self._values = facts.kinds.values

    def of(self, references: tuple[Reference, ...], depth: int = 0) -> Iterator[str]:
        """Yield the paths of what a value refers to."""
        for one in references:
            if isinstance(one, Instance):
                ending = INSTANCE if one.is_exact else ANY_INSTANCE
                path = self.of_class(one.cls)
                if path is not None:
                    yield path + ending
            elif isinstance(one, ClassSymbol):
                yield from filter(None, (self.of_class(one),))
            elif isinstance(one, FunctionSymbol):
                yield self._facts.definitions.identity(self._facts.flow.definition(one.body.place))
            elif isinstance(one, Bound):
                cls = one.function.cls
                own = self.of((one.function if cls is None else cls.instance,))
                yield from own if cls is None else (f"{path}.{one.function.name}" for path in own)
            elif isinstance(one, Api):
                if not is_outside(one.path) and not one.name.isupper():
                    yield one.path
            elif isinstance(one, Elsewhere):
                is_constant = one.path[one.path.rfind(".") + 1 :].isupper()
                if not (one.is_part or is_constant or one.path.startswith(PARAMETER_OF)):
                    yield one.path
            elif isinstance(one, ModuleSymbol):
                yield one.name
            elif isinstance(one, Container) and depth == 0:
                held = one.element.value.references
                paths = [*self.of(held, 1)]
                if len(paths) == len(held):
                    yield from (f"{path}{MANY}" for path in paths)
            elif isinstance(one, Partial) and depth < _MOST_PARTIAL:
                made = self.of_partial(*one.place)
                yield from (made,) if made else self.of(one.function.value.references, depth + 1)

    def of_partial(self, home: int, at: int) -> str:
        """Return the name of what a partial call runs of torch; "" if it runs anything else."""
        call = self._facts.flow.expression(home, at)
        runs = call.args[0] if isinstance(call, ast.Call) and call.args else None
        return self._facts.definitions.partials.get(runs, "") if runs is not None else ""

    def of_class(self, cls: Api | ClassSymbol) -> str | None:
        """Return the path of a class of the project, or of a library that may be part of it."""
        if isinstance(cls, Api):
            return None if is_outside(cls.path) else cls.path
        return self._facts.definitions.identity(self._facts.flow.definition(cls.body.place))

    def annotated(self, body: Body, said: Annotation | None) -> str | None:
        """Return the path of what an annotation promises, by the names around a body; None if it has none."""
        if said is None:
            return None
        name, inside = said
        last = name.rpartition(".")[2]
        if last in _OPTIONAL:
            return next(filter(None, (self.annotated(body, one) for one in inside)), None)
        if inside and (last in _SEQUENCES or last in _MAPPINGS):
            path = self.annotated(body, inside[-1])
            return path + MANY if path is not None else None
        named = self._values.named(body, name) if name else None
        path = self.of_class(named) if isinstance(named, (Api, ClassSymbol)) else None
        return path + ANY_INSTANCE if path is not None else None
