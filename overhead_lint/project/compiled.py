"""Which functions `torch.compile` reaches, as far as the file shows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.project.facts import FileFacts

__all__ = ["COMPILE", "compiled_nodes"]

COMPILE: Final = frozenset(
    {"torch.compile", "torch._dynamo.optimize", "torch.compiler.compile", "overhead_lint.runtime.compile"}
)
_COMPILE_NAMES: Final = frozenset(name.rpartition(".")[2] for name in COMPILE)


def compiled_nodes(facts: FileFacts) -> frozenset[ast.AST]:
    """The functions and methods that run compiled.

    Those decorated with ``torch.compile``, those passed to it by name, the methods of a module
    class of which an instance is passed to it or has its ``.compile()`` called, and the functions
    defined inside of such functions.
    """
    found: set[ast.AST] = set()
    for node in facts.scan.scopes:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
            _is_compile(decorator, facts) for decorator in node.decorator_list
        ):
            found.add(node)
    for call in facts.scan.by_class.get(ast.Call, ()):
        assert isinstance(call, ast.Call)
        if isinstance(call.func, ast.Attribute) and call.func.attr not in _COMPILE_NAMES:
            continue
        if facts.names.qualified(call.func) in COMPILE:
            argument = call.args[0] if call.args else _keyword(call, "model")
            if argument is not None:
                found.update(_targets(argument, facts))
        elif isinstance(call.func, ast.Attribute) and call.func.attr == "compile":
            found.update(_targets(call.func.value, facts))
    return frozenset(found)


def _is_compile(decorator: ast.expr, facts: FileFacts) -> bool:
    if isinstance(decorator, ast.Call):
        if facts.names.qualified(decorator.func) in {"functools.partial"} and decorator.args:
            return facts.names.qualified(decorator.args[0]) in COMPILE
        decorator = decorator.func
    return facts.names.qualified(decorator) in COMPILE


def _keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def _targets(argument: ast.expr, facts: FileFacts) -> Iterator[ast.AST]:
    """The functions that compiling `argument` compiles."""
    if isinstance(argument, ast.Lambda):
        yield argument
        return
    name = facts.names.qualified(argument)
    if name is not None:
        for node in facts.scan.scopes:
            if isinstance(node, ast.FunctionDef) and "." + facts.names.qualname(node) == name:
                yield node
        return
    value = facts.value(argument)
    made = value if value is not None else argument
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute):
        made = made.func.value  # Model().to(device).eval()
    if isinstance(made, ast.Call):
        name = facts.names.qualified(made.func)
        for cls in facts.classes.values():
            if cls.is_module and "." + cls.qualname == name:
                yield from _methods(cls.node)


def _methods(node: ast.ClassDef) -> Iterator[ast.AST]:
    """The methods that a call of the module may run: all but special ones, which it does not reach."""
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and (
            item.name == "__call__" or not item.name.startswith("__")
        ):
            yield item
