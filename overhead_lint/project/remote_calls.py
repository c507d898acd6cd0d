"""Calls that another process runs, as Ray's actors and functions: ``worker.update.remote(batch)``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from overhead_lint.project.names import Names

__all__ = ["REMOTE", "given_remotely", "run_remotely"]

REMOTE: Final = "remote"
"""The attribute of functions, classes and methods that calls them in another process."""

# Functions of Ray that give back what they are called with, or what it stands for.
_PASSING: Final = frozenset({"get", "put", REMOTE})


def run_remotely(function: ast.Attribute) -> ast.expr:
    """What ``f.remote`` and ``f.options(num_gpus=1).remote`` run when called: ``f``."""
    run = function.value
    if run.__class__ is ast.Call and run.func.__class__ is ast.Attribute and run.func.attr == "options":
        return run.func.value
    return run


def given_remotely(call: ast.Call, names: Names) -> ast.expr | None:
    """What a call of Ray stands for: ``ray.get(result)``, ``ray.remote(Worker)``.

    Also ``ray.remote(num_gpus=1)(Worker)``. None if it is no such call.
    """
    maker: ast.expr = call.func
    if maker.__class__ is ast.Call and not maker.args:
        maker = maker.func
    if not call.args or maker.__class__ is not ast.Attribute or maker.attr not in _PASSING:
        return None
    if maker is not call.func and maker.attr != REMOTE:
        return None
    return call.args[0] if names.qualified(maker.value) == "ray" else None
