"""Generators: which functions give items in loops, and where items are taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.loop_shapes import iterables
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import COMPREHENSIONS, NAMED_FUNCTIONS
from overhead_lint.tuples import NamedTuple

if TYPE_CHECKING:
    from overhead_lint.project.file_bindings import FileBindings

__all__ = ["Generators", "Taken"]

# What they decorate gives one item, whatever loop that stands in: it is run by what they make of it.
_ONE_ITEM: Final = frozenset({"asynccontextmanager", "contextmanager", "fixture", "hookimpl"})
# How many names and wrappers are gone through from what a loop goes over to the call of a generator.
_DEEPEST: Final = 4


class Taken(NamedTuple):
    """A place that takes items.

    Attributes:
        node: what stands where each item is taken.
        call: the call that made the generator.
    """

    node: ast.expr
    call: ast.Call


class Generators:
    """The generators of a file.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileBindings) -> None:
        self._facts = facts

    @cached_property
    def giving(self) -> dict[ast.AST, ast.AST]:
        """The loops that give an item in each round, and each ``yield from``, with their functions."""
        found: dict[ast.AST, ast.AST] = {}
        facts = self._facts
        for kind in (ast.Yield, ast.YieldFrom):
            for item in facts.scan.by_class.get(kind, ()):
                function = facts.function_node(item)
                if not isinstance(function, NAMED_FUNCTIONS):
                    continue
                loops = [loop for loop in facts.loops_of(item) if not isinstance(loop, COMPREHENSIONS)]
                giving = loops[-1] if loops else item
                if giving.__class__ is ast.Yield:
                    continue  # one item, or a few
                if not any(last_name(one) in _ONE_ITEM for one in function.decorator_list):
                    found[giving] = function
        return found

    @cached_property
    def functions(self) -> frozenset[ast.AST]:
        """The functions that give items in loops."""
        return frozenset(self.giving.values())

    def taken(self) -> Iterator[Taken]:
        """Places that take items of what a call may have made as a generator."""
        scan = self._facts.scan
        for kind in (ast.For, ast.AsyncFor, ast.comprehension):
            for loop in scan.by_class.get(kind, ()):
                assert isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension))
                for call in self._calls(loop.iter):
                    yield Taken(loop.target, call)
        for call in self._facts.call_index.by_name.get("next", ()):
            if call.func.__class__ is ast.Name and call.args:
                for made in self._calls(call.args[0]):
                    yield Taken(call, made)
        for item in scan.of_class(ast.YieldFrom):
            for call in self._calls(item.value):
                yield Taken(item, call)

    def _calls(self, value: ast.expr, depth: int = 0) -> Iterator[ast.Call]:
        """The calls that may have made what is gone over: ``enumerate(loader)`` of ``loader = batches()``."""
        for part in iterables(value, _is_data_loader):
            if part.__class__ is ast.Call:
                yield part
            elif isinstance(part, (ast.Attribute, ast.Name)) and depth < _DEEPEST:
                for made in self._bound(part):
                    if isinstance(made, (ast.Attribute, ast.Call, ast.Name)):
                        yield from self._calls(made, depth + 1)

    def _bound(self, part: ast.Attribute | ast.Name) -> list[ast.expr | None]:
        """What a name or attribute is bound to; of a local name all that it may be, as in branches."""
        found = self._facts.scan.lookup(part.id, part) if part.__class__ is ast.Name else None
        if found is None:
            return [self._facts.value(part)]
        return [self._facts.values.assigned(binding) for binding in found[1]]


def _is_data_loader(call: ast.Call) -> bool:
    """Whether a call makes a loader: it asks a data set for samples, or for what ``__iter__`` gives."""
    return last_name(call.func).endswith("DataLoader")
