"""Other ways to write the same program: names, aliases, nesting, decorators, shadowed names, and more.

Each takes the text of a module and gives one that does the same, or None where it does not apply.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections.abc import Callable
from typing import Any, Final

import torch

__all__ = ["VARIATIONS", "Variation"]

Variation = Callable[[str], "str | None"]
Function = (ast.FunctionDef, ast.AsyncFunctionDef)


def _split(tree: ast.Module) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """The imports at the top of a module, and the rest."""
    body = tree.body
    count = next(
        (i for i, s in enumerate(body) if not isinstance(s, (ast.Import, ast.ImportFrom))), len(body)
    )
    return body[:count], body[count:]


def _text(tree: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Renamer(ast.NodeTransformer):
    """Renames a name everywhere, keyword arguments too."""

    def __init__(self, old: str, new: str) -> None:
        self._names = {old: new}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        self.generic_visit(node)
        node.arg = self._names.get(node.arg, node.arg)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        node.arg = self._names.get(node.arg, node.arg) if node.arg else None
        return node


def renamed(old: str, new: str) -> Variation:
    """A variable that is called otherwise."""

    def vary(text: str) -> str | None:
        tree = ast.parse(text)
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        return _text(_Renamer(old, new).visit(tree)) if old in names and new not in names else None

    return vary


def module_alias(text: str) -> str | None:
    """``import torch as th``, and ``th`` wherever torch was named."""
    tree = ast.parse(text)
    found = False
    for stmt in ast.walk(tree):
        for alias in stmt.names if isinstance(stmt, ast.Import) else ():
            if alias.name == "torch" and not alias.asname:
                alias.asname, found = "th", True
            elif alias.name.startswith("torch.") and not alias.asname:
                return None
    return _text(_Renamer("torch", "th").visit(tree)) if found else None


class _Importer(ast.NodeTransformer):
    """Calls what ``from torch import name as _name`` brings."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        dotted = ast.unparse(node)
        module, _, name = dotted.rpartition(".")
        if module == "torch" and callable(getattr(torch, name, None)) and isinstance(node.ctx, ast.Load):
            self.names[name] = f"imported_{name}"
            return ast.Name(self.names[name], ast.Load())
        return node


def from_import(text: str) -> str | None:
    """``from torch import autocast as imported_autocast``, and that wherever ``torch.autocast`` was."""
    tree = ast.parse(text)
    importer = _Importer()
    importer.visit(tree)
    if not importer.names:
        return None
    aliases = [ast.alias(name, alias) for name, alias in sorted(importer.names.items())]
    imports, rest = _split(tree)
    tree.body = [*imports, ast.ImportFrom("torch", aliases, 0), *rest]
    return _text(tree)


def star_import(text: str) -> str:
    """Star imports above the others, of names that the module may use or bind too."""
    return f"from math import *\nfrom contextlib import *\n{text}"


def submodule_import(text: str) -> str | None:
    """``import torch.nn.functional as F``, and ``import torch.nn``, which binds torch, for its import."""
    if "\nimport torch\n" not in f"\n{text}":
        return None
    return f"\n{text}".replace("\nimport torch\n", "\nimport torch.nn\nimport torch.nn.functional as F\n", 1)[
        1:
    ]


def documented(text: str) -> str:
    """A docstring and a future import above all."""
    return f'"""A module."""\n\nfrom __future__ import annotations\n\n{text}'


def in_function(text: str, *, imports_too: bool = False, is_async: bool = False) -> str | None:
    """All of it in a function that is called once."""
    tree = ast.parse(text)
    imports, rest = _split(tree)
    if any(isinstance(node, ast.Global) for node in ast.walk(tree)) or "globals()" in text:
        return None
    inside = [*imports, *rest] if imports_too else rest
    if any(alias.name == "*" for stmt in imports if isinstance(stmt, ast.ImportFrom) for alias in stmt.names):
        return None
    if any(isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__" for stmt in imports):
        return None
    outer: Any = ast.parse("async def build(): pass" if is_async else "def build(): pass").body[0]
    outer.body = [*inside, ast.Return(ast.Name("result", ast.Load()))]
    call = "import asyncio\nresult = asyncio.run(build())" if is_async else "result = build()"
    tree.body = [*([] if imports_too else imports), outer, *ast.parse(call).body]
    return _text(tree)


def local_imports(text: str) -> str | None:
    """All of it in a function, its imports too."""
    return in_function(text, imports_too=True)


def in_coroutine(text: str) -> str | None:
    """All of it in an ``async`` function."""
    return in_function(text, is_async=True)


def _each_function(text: str, change: Callable[[Any], None]) -> str | None:
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    for function in functions:
        change(function)
    return _text(tree) if functions else None


def decorated(text: str) -> str | None:
    """A decorator next to each function, which gives it back as it is."""
    changed = _each_function(text, lambda one: one.decorator_list.append(ast.Name("as_it_is", ast.Load())))
    if changed is None:
        return None
    imports, rest = _split(ast.parse(changed))
    return _text(ast.Module([*imports, *ast.parse("def as_it_is(f):\n    return f").body, *rest], []))


def _wrapped(template: str) -> Variation:
    """The body of each function inside another statement; its docstring and declarations stay outside."""

    def change(function: Any) -> None:
        outside = (ast.Global, ast.Nonlocal)
        body = function.body
        kept = list(itertools.takewhile(lambda s: isinstance(s, outside) or _is_docstring(s), body))
        inside = body[len(kept) :]
        if not inside or any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(function)):
            return
        holder: Any = ast.parse(template).body[0]
        holder.body = inside
        function.body = [*kept, holder]

    return lambda text: _each_function(text, change)


def _is_docstring(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant)


def walrus(text: str) -> str | None:
    """``(name := value)`` in place of plain assignments of functions."""

    class Walrus(ast.NodeTransformer):
        def __init__(self) -> None:
            self.depth = 0
            self.count = 0

        def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
            self.depth += 1
            self.generic_visit(node)
            self.depth -= 1
            return node

        def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
            before, self.depth = self.depth, 0
            self.generic_visit(node)
            self.depth = before
            return node

        def visit_Assign(self, node: ast.Assign) -> ast.stmt:
            target = node.targets[0]
            if not self.depth or len(node.targets) > 1 or not isinstance(target, ast.Name):
                return node
            self.count += 1
            return ast.Expr(ast.NamedExpr(target, node.value))

    tree, changer = ast.parse(text), Walrus()
    changer.visit(tree)
    return _text(tree) if changer.count else None


def in_condition(text: str) -> str | None:
    """``(value if True else None)`` in place of the values of assignments."""
    tree = ast.parse(text)
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            node.value = ast.IfExp(ast.Constant(True), node.value, ast.Constant(None))
            count += 1
    return _text(tree) if count else None


def in_comprehension(text: str) -> str | None:
    """``[f(x) for _ in (0,)][0]`` in place of calls that are returned."""
    tree = ast.parse(text)
    count = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and node.value is not None and not _has_own_scope(node.value):
            clause = ast.parse("[0 for _ in (0,)][0]", mode="eval").body
            assert isinstance(clause, ast.Subscript) and isinstance(clause.value, ast.ListComp)
            clause.value.elt, node.value = node.value, clause
            count += 1
    return _text(tree) if count else None


def _has_own_scope(node: ast.AST) -> bool:
    kinds = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    uses_super = any(isinstance(item, ast.Name) and item.id == "super" for item in ast.walk(node))
    return uses_super or any(isinstance(item, kinds) for item in ast.walk(node))


def shadowed(name: str) -> Variation:
    """A name that fixes would like is taken by the module."""
    return lambda text: None if name in text else _below_imports(text, f"{name} = None")


def local_torch(text: str) -> str | None:
    """``torch`` is a variable of each function that uses it, with the same value."""

    def change(function: Any) -> None:
        if any(
            isinstance(node, ast.Name) and node.id == "torch"
            for stmt in function.body
            for node in ast.walk(stmt)
        ):
            function.body.insert(0, ast.parse("torch = __import__('torch')").body[0])

    if not text.startswith("import torch") and "\nimport torch\n" not in text:
        return None
    return _each_function(text, change)


def _below_imports(text: str, line: str) -> str:
    tree = ast.parse(text)
    imports, rest = _split(tree)
    return _text(ast.Module([*imports, *ast.parse(line).body, *rest], []))


def twice(text: str) -> str | None:
    """Each class once more under another name, so that findings come in pairs."""
    tree = ast.parse(text)
    imports, rest = _split(tree)
    copies = [copy.deepcopy(stmt) for stmt in rest if isinstance(stmt, ast.ClassDef)]
    for stmt in copies:
        _Renamer(stmt.name, f"{stmt.name}Again").visit(stmt)
        stmt.name += "Again"
    at = next((i for i, stmt in enumerate(rest) if isinstance(stmt, ast.ClassDef)), 0)
    return _text(ast.Module([*imports, *rest[: at + 1], *copies, *rest[at + 1 :]], [])) if copies else None


VARIATIONS: Final[dict[str, Variation]] = {
    "module alias": module_alias,
    "from import": from_import,
    "star import": star_import,
    "submodule import": submodule_import,
    "documented": documented,
    "in function": in_function,
    "local imports": local_imports,
    "in coroutine": in_coroutine,
    "decorated": decorated,
    "in if": _wrapped("if True: pass"),
    "in for": _wrapped("for _round in range(1): pass"),
    "in with": _wrapped("with __import__('contextlib').suppress(KeyError): pass"),
    "in try": _wrapped("try: pass\nfinally: pass"),
    "walrus": walrus,
    "in condition": in_condition,
    "in comprehension": in_comprehension,
    "runtime taken": shadowed("runtime"),
    "functools taken": shadowed("functools"),
    "torch local": local_torch,
    "x is runtime": renamed("x", "runtime"),
    "x is é": renamed("x", "é"),
    "x is device": renamed("x", "device"),
    "model is torch_": renamed("model", "torch_"),
    "twice": twice,
}
