"""What decorators of the project put around functions: whoever calls the function runs that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.project.path_syntax import DECORATED, INSTANCE, is_outside

if TYPE_CHECKING:
    from overhead_lint.project.file_functions import FileFunctions

__all__ = ["decorated", "wrappers"]


def wrappers(facts: FileFunctions) -> Iterator[tuple[str, str]]:
    """Decorated functions, by name in paths, with the paths of what their decorators give for them.

    ``@dispatch("add")`` gives ``.dispatch()()``: what is given by what calling ``dispatch`` gives.
    """
    for path, name in _decorators(facts):
        yield name, path + INSTANCE


def decorated(facts: FileFunctions) -> Iterator[tuple[str, str, str]]:
    """What decorators of the project are handed, as `overhead_lint.project.callbacks.handed` has it."""
    for path, name in _decorators(facts):
        yield path, DECORATED, name


def _decorators(facts: FileFunctions) -> Iterator[tuple[str, str]]:
    """The paths of decorators of the project, with the functions that they decorate, by name in paths."""
    for function in facts.functions.values():
        if isinstance(function.node, ast.Lambda):
            continue
        for decorator in function.node.decorator_list:
            path = facts.paths.of(decorator)
            if path is not None and not is_outside(path):
                yield path, facts.definitions.identity(function.node)
