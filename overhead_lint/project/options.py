"""Options that the tests of a file ask about, by the nodes of its tree."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from overhead_lint.analysis.ir.relative_imports import package_of
from overhead_lint.analysis.options.asked import AskedOptions
from overhead_lint.analysis.options.attributes import attribute_defaults
from overhead_lint.analysis.options.making import MadeClasses
from overhead_lint.analysis.options.passing import called

if TYPE_CHECKING:
    from overhead_lint.analysis.graph.option import Default, Option
    from overhead_lint.analysis.graph.passed_arguments import PlainArgument, Receiver
    from overhead_lint.project.flow import FileFlow

__all__ = ["Options"]


class Options:
    """The options of one file's functions.

    Args:
        flow: its records, and where its nodes went.
        module: its dotted name.
        is_package: whether it is an ``__init__.py``.
    """

    def __init__(self, flow: FileFlow, module: str, *, is_package: bool) -> None:
        self._flow, self._module, self._is_package = flow, module, is_package
        self.records = self._asked = AskedOptions(flow.stored)
        """The same by operations."""

    @cached_property
    def asked(self) -> tuple[Option, ...]:
        """All options that tests of the file ask about, and that objects of its classes are made."""
        return (*self._asked.all(), *self.made.by_place.values())

    @cached_property
    def made(self) -> MadeClasses:
        """Its classes of which objects are made."""
        return MadeClasses(self._flow.names, self._asked)

    def value(self, node: ast.expr) -> object:
        """The constant that an expression is while options have their defaults; None if none is known."""
        site = self._flow.operation(node)
        return self._asked.value(*site) if site is not None else None

    def by_default(self, value: ast.expr) -> Default | None:
        """Return what an expression is while options have their defaults; None if they do not say it."""
        site = self._flow.operation(value)
        return self._asked.by_default(*site) if site is not None else None

    def shut(self, test: ast.expr, outcome: bool) -> tuple[Option, ...]:
        """Return the options whose defaults keep a test from having an outcome."""
        site = self._flow.operation(test)
        return self._asked.shut(*site, outcome) if site is not None else ()

    def attribute_defaults(self) -> tuple[tuple[str, int, str, str], ...]:
        """What attributes are by default, as far as the file says: names, each with a `Default`."""
        return attribute_defaults(
            self._flow.names, self._asked, self._module.rpartition(".")[0].split(".")[0]
        )

    def called(self) -> tuple[tuple[Receiver, tuple[PlainArgument | str, ...]], ...]:
        """What the calls of the file pass: see `overhead_lint.analysis.options.passing`."""
        package = package_of(self._module, is_package=self._is_package)
        return called(self._flow.names, self._asked, self.made, package, is_package=self._is_package)
