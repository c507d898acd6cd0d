"""What calls give while options have their defaults: look-ups, checks of types, methods; what loads."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.graph.option import ARGUMENT, SETTING, Option
from overhead_lint.analysis.vocabulary import RESTORING, RESTORING_METHODS
from overhead_lint.analysis.words import words
from overhead_lint.project.names import last_name
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.project.file_calls import FileCalls

__all__ = ["LOOKING_UP", "given_by_methods", "is_instance", "is_restored", "looked_up"]

LOOKING_UP: Final = frozenset({"get", "getattr", "pop"})
"""Names of calls that may read a setting with a default."""

_TYPES: Final[dict[str, type]] = {"bool": bool, "float": float, "int": int, "str": str}


def looked_up(call: ast.Call, facts: FileCalls) -> tuple[object, Option] | None:
    """The default and the option that ``__init__`` reads from settings: ``getattr(config, "causal", False)``.

    Settings are what is passed to it, whatever they are called. What it takes out of its own ``**kwargs``
    is passed by keyword, as other parameters are: ``kwargs.pop("causal", False)``.
    """
    function, given = call.func, call.args
    if function.__class__ is ast.Attribute and function.attr in {"get", "pop"}:
        given = [function.value, *given]
    elif not (function.__class__ is ast.Name and function.id == "getattr"):
        return None
    maker = facts.function_node(call)
    if len(given) != 3 or maker.__class__ is not ast.FunctionDef or maker.name != "__init__":
        return None
    settings, name, default = given
    if settings.__class__ is not ast.Name or not isinstance(default, ast.Constant):
        return None
    if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
        return None
    found = facts.scan.lookup(settings.id, settings)
    if found is None or len(found[1]) != 1 or not isinstance(found[1][0], ast.arg):
        return None
    is_keywords = found[1][0] is maker.args.kwarg
    whose = (ARGUMENT, facts.definitions.identity(maker)) if is_keywords else (SETTING, settings.id)
    return default.value, Option(*whose, name.value, repr(default.value))


def is_instance(value: Any, asked: ast.expr) -> bool:
    """Whether a constant is of one of the types that ``isinstance`` is asked about: no tensor ever is."""
    types = asked.elts if asked.__class__ is ast.Tuple else [asked]
    return any(isinstance(value, _TYPES.get(last_name(one), ())) for one in types)


def given_by_methods(call: ast.Call, facts: FileCalls) -> list[ast.expr]:
    """What methods of the file give that do nothing else, by the name of one of ``self``.

    Nothing if one of that name takes something, or does something besides.
    """
    function = call.func
    if function.__class__ is not ast.Attribute or not is_self(function.value) or call.args or call.keywords:
        return []
    found = []
    for cls in facts.classes.values():
        for method in cls.node.body:
            if method.__class__ is not ast.FunctionDef or method.name != function.attr:
                continue
            *before, last = method.body
            value = last.value if last.__class__ is ast.Return else None
            said = [one.value for one in before if one.__class__ is ast.Expr]
            if value is None or len(said) < len(before) or not all(map(_is_text, said)):
                return []
            found.append(value)
    return found


def is_restored(node: ast.AST, facts: FileCalls) -> bool:
    """Whether a place is in a function that brings back what was saved: ``load_state_dict``."""
    name = getattr(facts.function_node(node), "name", "")
    return name in RESTORING_METHODS or not RESTORING.isdisjoint(words(name)[:1])


def _is_text(node: ast.expr) -> bool:
    return node.__class__ is ast.Constant
