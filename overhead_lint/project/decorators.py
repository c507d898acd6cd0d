"""What decorators of the project put around functions: whoever calls the function runs that."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.project.paths import INSTANCE, is_outside

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["wrappers"]


def wrappers(facts: FileFacts) -> Iterator[tuple[str, str]]:
    """Decorated functions, by name in paths, with the paths of what their decorators give for them.

    ``@dispatch("add")`` gives ``.dispatch()()``: what is given by what calling ``dispatch`` gives.
    """
    for function in facts.functions.values():
        if isinstance(function.node, ast.Lambda):
            continue
        for decorator in function.node.decorator_list:
            path = facts.paths.of(decorator)
            if path is not None and not is_outside(path):
                yield facts.calls.identity(function.node), path + INSTANCE
