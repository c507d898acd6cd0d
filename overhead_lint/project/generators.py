"""Generators: which functions give items in loops, and where items are taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.loop_shapes import iterables
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import COMPREHENSIONS, NAMED_FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.file_bindings import FileBindings

__all__ = ["Generators"]

# What they decorate gives one item, whatever loop that stands in: it is run by what they make of it.
_ONE_ITEM: Final = frozenset({"asynccontextmanager", "contextmanager", "fixture", "hookimpl"})


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

    def taken(self) -> Iterator[tuple[ast.expr, ast.expr]]:
        """Yield what stands where items are taken, with each that may give them."""
        scan = self._facts.scan
        for kind in (ast.For, ast.AsyncFor, ast.comprehension):
            for loop in scan.by_class.get(kind, ()):
                assert isinstance(loop, (ast.For, ast.AsyncFor, ast.comprehension))
                yield from ((loop.target, part) for part in iterables(loop.iter, _is_data_loader))
        for call in self._facts.call_index.by_name.get("next", ()):
            if call.func.__class__ is ast.Name and call.args:
                yield from ((call, part) for part in iterables(call.args[0], _is_data_loader))
        for item in scan.of_class(ast.YieldFrom):
            yield from ((item, part) for part in iterables(item.value, _is_data_loader))


def _is_data_loader(call: ast.Call) -> bool:
    """Whether a call makes a loader: it asks a data set for samples, or for what ``__iter__`` gives."""
    return last_name(call.func).endswith("DataLoader")
