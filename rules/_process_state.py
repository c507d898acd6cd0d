"""Where a file changes what belongs to the whole process: its environment, and where modules are found."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from ._literals import text_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["changes_environment", "changes_search"]

_ENVIRONMENT: Final = frozenset({"os.environ", "os.environb"})
_OF_ONE_VARIABLE: Final = frozenset({"setdefault", "pop", "__setitem__", "__delitem__"})
_OF_VARIABLES: Final = frozenset({"update", "popitem", "clear"})
_SETTERS: Final = frozenset({"os.putenv", "os.unsetenv"})
_FROM_FILES: Final = frozenset({"dotenv.load_dotenv"})
_SEARCHED: Final = frozenset({"sys.path", "sys.meta_path", "sys.path_hooks", "sys.modules"})
_ADDING: Final = frozenset({"site.addsitedir", "importlib.invalidate_caches"})
_READING: Final = frozenset({"copy", "get", "index", "items", "keys", "values", "count", "__contains__"})


def changes_environment(concerns: Callable[[str], bool], ctx: Context) -> list[ast.AST]:
    """Return where a file sets or removes environment variables, those among them whose name is not written.

    Args:
        concerns: whether a variable of this name matters.
        ctx: the file.
    """
    return [
        node
        for node, names in _environment(ctx)
        if any(name is None or concerns(name) for name in names) or not names
    ]


def changes_search(ctx: Context) -> list[ast.AST]:
    """Return where a file changes which modules and packages are found."""
    found: list[ast.AST] = list(_writes(_SEARCHED, ctx))
    for call in ctx.nodes(ast.Call):
        name = ctx.qualified_name(call.func) or ""
        owner, _, method = name.rpartition(".")
        if name in _ADDING or (owner in _SEARCHED and method not in _READING):
            found.append(call)
    return found


def _environment(ctx: Context) -> Iterator[tuple[ast.AST, list[str | None]]]:
    """Yield what changes the environment, with the names of variables; None for one that is not written."""
    for node in _writes(_ENVIRONMENT, ctx):
        yield node, [text_of(node.slice)] if isinstance(node, ast.Subscript) else []
    for call in ctx.nodes(ast.Call):
        name = ctx.qualified_name(call.func) or ""
        owner, _, method = name.rpartition(".")
        if name in _FROM_FILES or (owner in _ENVIRONMENT and method in _OF_VARIABLES):
            yield call, _updated(call)
        elif name in _SETTERS or (owner in _ENVIRONMENT and method in _OF_ONE_VARIABLE):
            yield call, [text_of(argument) for argument in call.args[:1]]


def _writes(names: frozenset[str], ctx: Context) -> Iterator[ast.expr]:
    """Yield what is assigned or deleted: one of some objects, or an item of one."""
    for node in ctx.nodes(ast.Subscript):
        if not isinstance(node.ctx, ast.Load) and ctx.qualified_name(node.value) in names:
            yield node
    for attribute in ctx.nodes(ast.Attribute):
        if not isinstance(attribute.ctx, ast.Load) and ctx.qualified_name(attribute) in names:
            yield attribute


def _updated(call: ast.Call) -> list[str | None]:
    """Return the names that ``update`` is given; none where they are not all written out."""
    names: list[str | None] = [item.arg for item in call.keywords]
    for argument in call.args:
        if not isinstance(argument, ast.Dict):
            return []
        names += [None if key is None else text_of(key) for key in argument.keys]
    return names
