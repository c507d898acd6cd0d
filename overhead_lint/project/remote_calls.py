"""Calls that another process runs, as Ray's actors and functions: ``worker.update.remote(batch)``."""

from __future__ import annotations

import ast
from typing import Final

__all__ = ["REMOTE", "run_remotely"]

REMOTE: Final = "remote"
"""The attribute of functions, classes and methods that calls them in another process."""


def run_remotely(function: ast.Attribute) -> ast.expr:
    """What ``f.remote`` and ``f.options(num_gpus=1).remote`` run when called: ``f``."""
    run = function.value
    if run.__class__ is ast.Call and run.func.__class__ is ast.Attribute and run.func.attr == "options":
        return run.func.value
    return run
