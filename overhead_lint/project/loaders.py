"""What loops take their batches from: data loaders, streams, time steps, micro-batches, rounds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.vocabulary import BATCHES, LOADERS, NEW_TOKENS, ROUNDS, STREAMS, TIMES
from overhead_lint.analysis.words import words
from overhead_lint.project.library_functions import is_whole_pass
from overhead_lint.project.loop_shapes import is_for_no_batch, iterables, range_end, short
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from overhead_lint.project.file_functions import FileFunctions

__all__ = ["Loaders"]

_TIMES: Final = frozenset((word,) for word in TIMES)


class Loaders:
    """Tells what gives a loop its batches.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFunctions) -> None:
        self._facts = facts

    def iterated(self, loop: ast.For | ast.AsyncFor | ast.comprehension, *, works: bool) -> str:
        """What a loop iterates, if that makes its rounds steps; "" otherwise."""
        if is_for_no_batch(loop.target):
            return ""
        for node in iterables(loop.iter):
            if last_name(node).isupper():
                continue  # a constant of the module
            said = words(last_name(node))
            if set(said) & LOADERS or (node.__class__ is not ast.Call and self._is_loader(node)):
                return short(node)
            if works and said and (said[-1] in BATCHES or said[-1] in TIMES):
                return short(node)
        if is_whole_pass(loop, self._facts):
            return "batches"
        rounds = range_end(loop.iter)
        if works and rounds is not None:
            said = words(last_name(rounds))
            if said and (said[-1] in ROUNDS or set(said[-2:]) == NEW_TOKENS):
                return short(rounds)
            return self._times(loop)
        return ""

    def _times(self, loop: ast.For | ast.AsyncFor | ast.comprehension) -> str:
        """The time steps that a loop takes one by one by their numbers: ``timesteps[i]``; "" if none."""
        number = last_name(loop.target)
        for read in self._facts.scan.within(loop, ast.Subscript):
            is_time = words(last_name(read.value))[-1:] in _TIMES and last_name(read.slice) == number
            if is_time and read.ctx.__class__ is ast.Load:
                return short(read.value)
        return ""

    def is_gone_over(self, loop: ast.For) -> bool:
        """Whether a loop goes over all batches of a loader."""
        return any(set(words(last_name(node))) & LOADERS for node in iterables(loop.iter))

    def is_stream(self, node: ast.expr) -> bool:
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return False
        said = set(words(last_name(node)))
        if said & (LOADERS | STREAMS):
            return True
        value = self._facts.value(node)
        return value.__class__ is ast.Call and any(self._is_loader(argument) for argument in value.args)

    def _is_loader(self, node: ast.expr, depth: int = 0) -> bool:
        """Whether an expression is a data loader, by name or by what it is bound to."""
        if set(words(last_name(node))) & LOADERS:
            return True
        if depth > 3:
            return False
        if node.__class__ is ast.Call:
            return any(self._is_loader(argument, depth + 1) for argument in node.args)
        value = self._facts.value(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if value is None and node.__class__ is ast.Name:
            value = self._entered(node)
        return value is not None and self._is_loader(value, depth + 1)

    def _entered(self, name: ast.Name) -> ast.expr | None:
        """What a ``with`` around a use gives a name: ``with tqdm(loader) as bar: for batch in bar:``."""
        parents = self._facts.scan.parents
        parent = parents.get(name)
        while parent is not None and not isinstance(parent, FUNCTIONS):
            for item in parent.items if isinstance(parent, (ast.With, ast.AsyncWith)) else ():
                if item.optional_vars.__class__ is ast.Name and item.optional_vars.id == name.id:
                    return item.context_expr
            parent = parents.get(parent)
        return None
