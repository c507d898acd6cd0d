"""Packages that a file does without where they are not installed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final, cast

from overhead_lint.syntax.grammar import TRIES

from .._names import own_name
from .._once import once

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["asks_for_package", "optional_packages"]

_FAILURES: Final = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
_SEEKERS: Final = frozenset({"find_spec", "find_loader", "importorskip"})


def asks_for_package(node: ast.expr, ctx: Context) -> bool:
    """Whether a function asks for a package by its name, or for a mode, but torch's, that may need one."""
    name = own_name(node)
    if name in _SEEKERS:
        return True
    if not name.startswith("is_"):
        return False
    asks_mode = name.endswith("_enabled") and not (ctx.qualified_name(node) or "").startswith("torch.")
    return asks_mode or name.endswith("_available")


@once
def optional_packages(ctx: Context) -> frozenset[str]:
    """Return the roots of packages that the file imports behind a handler or asks for, by their names.

    What the module imports at its top, whatever happens, is none.
    """
    # Both kinds of `try` have the same fields, and not each Python has both.
    blocks = [cast("ast.Try", block) for block in ctx.nodes(*TRIES)]
    found = {root for block in blocks if _catches_failure(block) for root in _imported(block.body)}
    for call in ctx.nodes(ast.Call):
        if asks_for_package(call.func, ctx):
            name = own_name(call.func)
            found.add(name.removeprefix("is_").removesuffix("_available"))
            found.update(_named(call))
    return frozenset(found - set(_roots(ctx.tree.body)))


def _catches_failure(block: ast.Try) -> bool:
    """Whether a handler takes that a module is missing."""
    for handler in block.handlers:
        caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(one is None or own_name(one) in _FAILURES for one in caught):
            return True
    return False


def _imported(body: list[ast.stmt]) -> set[str]:
    inside = [item for stmt in body for item in ast.walk(stmt) if isinstance(item, ast.stmt)]
    return set(_roots(inside))


def _roots(body: list[ast.stmt]) -> list[str]:
    """The packages that statements import by their whole names."""
    names = [alias.name for stmt in body if isinstance(stmt, ast.Import) for alias in stmt.names]
    names += [stmt.module or "" for stmt in body if isinstance(stmt, ast.ImportFrom) and not stmt.level]
    return [name.partition(".")[0] for name in names if name]


def _named(call: ast.Call) -> set[str]:
    """The packages that a call names: ``find_spec("triton.language")``."""
    return {
        argument.value.partition(".")[0]
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
