"""What is written in one file: its tree, the names in it, and what its nodes stand in.

What is known of a file is a class a layer, each of which has all of the one before and knows none behind:
`FileSyntax`, `FileBindings`, `FileValues`, `FilePaths`, `FileCalls`, `FileFunctions`, `FileLoops`,
`FilePlacements`, `FileSummaries`, and with all of them `FileFacts`. What finds something out takes the first
that has all that it asks.
"""

from __future__ import annotations

import ast
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from overhead_lint.project.call_index import CallIndex
from overhead_lint.project.classes import class_facts
from overhead_lint.project.flow import FileFlow
from overhead_lint.project.loop_shapes import repeats
from overhead_lint.project.names import Names
from overhead_lint.project.scan import COMPREHENSIONS, FUNCTIONS, LOOPS, STATEMENTS, Scan, scan

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from overhead_lint.rule import ClassFacts

__all__ = ["FileSyntax"]

_DEFINITIONS: Final = frozenset((*FUNCTIONS, ast.ClassDef))
# What repeats nodes, or ends the way out from one to the loops around it.
_LOOPING: Final = frozenset((*LOOPS, *COMPREHENSIONS, *FUNCTIONS))


class FileSyntax:
    """What is written in one file.

    Args:
        tree: the file's tree.
        module: dotted name of its module, "" if unknown.
        is_package: whether it is an ``__init__.py``.
        is_importable: whether others than the project may import it.
        aliases: what names that it imports from other files are there, as far as the project tells.

    Attributes:
        module: see there.
        is_package: see there.
        is_importable: see there.
        scan: its nodes, gathered in one pass.
        names: what its names stand for.
        call_index: its calls, by name.
    """

    def __init__(
        self,
        tree: ast.Module,
        module: str = "",
        is_package: bool = False,
        is_importable: bool = True,
        aliases: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.module = module
        self.is_package = is_package
        self.is_importable = is_importable
        self.scan: Scan = scan(tree)
        self.names = Names(self.scan, module, is_package, aliases)
        self.call_index = CallIndex(self.scan, self.names)
        self._functions_around: dict[ast.AST, ast.AST | None] = {}
        self._classes_around: dict[ast.AST, ClassFacts | None] = {}

    @cached_property
    def flow(self) -> FileFlow:
        """Control and data flow."""
        return FileFlow(self.scan)

    @cached_property
    def classes(self) -> dict[ast.ClassDef, ClassFacts]:
        """Classes of the file, in source order."""
        return class_facts(self.scan, self.names)

    def class_holding(self, node: ast.AST) -> ClassFacts | None:
        """The class whose body holds `node` directly, as it does its methods."""
        parents = self.scan.parents
        holder = parents.get(node)
        while holder is not None and holder.__class__ not in _DEFINITIONS:
            holder = parents.get(holder)
        return self.classes[holder] if holder.__class__ is ast.ClassDef else None

    def function_node(self, node: ast.AST) -> ast.AST | None:
        """The innermost function whose body holds `node`, decorators and defaults left out."""
        parents, known = self.scan.parents, self._functions_around
        child, parent = node, parents.get(node)
        passed: list[ast.AST] = []
        found: ast.AST | None = None
        while parent is not None:
            if child.__class__ in STATEMENTS:
                if child in known:
                    found = known[child]
                    break
                passed.append(child)
                if parent.__class__ is ast.FunctionDef or parent.__class__ is ast.AsyncFunctionDef:
                    found = parent
                    break
            elif parent.__class__ is ast.Lambda and child is parent.body:
                found = parent
                break
            child, parent = parent, parents.get(parent)
        for one in passed:  # what holds a statement is the same for all in it
            known[one] = found
        return found

    def class_of(self, node: ast.AST) -> ClassFacts | None:
        """The innermost class whose body holds `node`, through its methods."""
        parents, known = self.scan.parents, self._classes_around
        child, parent = node, parents.get(node)
        passed: list[ast.AST] = []
        found: ClassFacts | None = None
        while parent is not None:
            if child.__class__ in STATEMENTS:
                if child in known:
                    found = known[child]
                    break
                passed.append(child)
                if parent.__class__ is ast.ClassDef:
                    found = self.classes[parent]
                    break
            child, parent = parent, parents.get(parent)
        for one in passed:
            known[one] = found
        return found

    def loops_of(self, node: ast.AST) -> Sequence[ast.AST]:
        """Loops and comprehensions that run `node` again and again, outermost first.

        What a ``for`` iterates runs once, and so does its ``else``; the test of a ``while`` runs
        on every round. Loops outside of the innermost function are left out.
        """
        parents = self.scan.parents
        found: list[ast.AST] = []
        before: ast.AST | None = None
        child, parent = node, parents.get(node)
        while parent is not None:
            if parent.__class__ in _LOOPING:
                if isinstance(parent, LOOPS):
                    if repeats(parent, child):
                        found.append(parent)
                elif isinstance(parent, COMPREHENSIONS):
                    first = parent.generators[0]
                    if not (child is first and before is first.iter):
                        found.append(parent)
                elif parent.__class__ is ast.Lambda:
                    if child is parent.body:
                        break
                elif child.__class__ in STATEMENTS:
                    break
            before, child, parent = child, parent, parents.get(parent)
        found.reverse()
        return tuple(found)

    @cached_property
    def _returns(self) -> dict[ast.AST, list[ast.Return]]:
        found: dict[ast.AST, list[ast.Return]] = {}
        for statement in self.scan.of_class(ast.Return):
            function = self.function_node(statement)
            if function is not None:
                found.setdefault(function, []).append(statement)
        return found

    def returns_of(self, function: ast.AST) -> list[ast.Return]:
        """The ``return`` statements of a function, those of functions in it left out."""
        return self._returns.get(function, [])
