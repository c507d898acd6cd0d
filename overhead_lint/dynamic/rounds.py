"""Rounds of programs that are no training loops: requests of servers, steps of engines, tokens of decoders.

They are told by the shape of the code, in files of the program, and serve only where nothing else says what
a step is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from overhead_lint.syntax.handlers import is_handler

__all__ = ["Round", "first_statement", "function_named", "rounds", "why_no_step"]

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)

_RECEIVES: Final = frozenset({"accept", "get", "get_nowait", "popleft", "readline", "receive", "recv"})
"""Methods that a server waits in, or asks, for the next thing to do."""
_CHOOSES: Final = frozenset({"argmax", "multinomial"})
"""Functions that choose a token."""


class Round(NamedTuple):
    """Something that a program does over and over.

    Attributes:
        first: its first statement, which runs once a round.
        what: what a round is: ``requests``, ``engine steps`` or ``tokens``.
        line: where it stands.
    """

    first: ast.stmt
    what: str
    line: int


def rounds(tree: ast.Module) -> Iterator[Round]:
    """Return the loops and functions of a file that serve requests, step an engine or decode."""
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS):
            if is_handler(node):
                yield Round(first_statement(node), "requests", node.lineno)
        elif isinstance(node, (ast.While, ast.For, ast.AsyncFor)) and (what := _what(node)):
            yield Round(node.body[0], what, node.lineno)


def function_named(tree: ast.Module, name: str) -> _Function | None:
    """Return the function or method (``Class.method``) of a module by its name; None where there is none."""
    *path, last = name.split(".")
    body = tree.body
    for part in path:
        holder = next((one for one in body if isinstance(one, ast.ClassDef) and one.name == part), None)
        if holder is None:
            return None
        body = holder.body
    return next((one for one in body if isinstance(one, _FUNCTIONS) and one.name == last), None)


def why_no_step(path: Path, name: str) -> str:
    """Return why a function of a file cannot be a step; "" where it can, or the file does not parse."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, ValueError, SyntaxError, RecursionError):
        return ""  # which running it tells
    function = function_named(tree, name)
    if function is None:
        return f"there is no such function in {path.name}"
    if any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in _own_nodes(function)):
        return "is a generator, of which a call runs nothing yet; name a function that it calls"
    return ""


def _own_nodes(function: _Function) -> Iterator[ast.AST]:
    """Nodes of a function that are no part of functions inside of it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def first_statement(function: _Function) -> ast.stmt:
    """Return a function's first statement that runs."""
    head = function.body[0]
    is_text = isinstance(head, ast.Expr) and isinstance(head.value, ast.Constant)
    return function.body[1] if is_text and len(function.body) > 1 else head


def _what(loop: ast.While | ast.For | ast.AsyncFor) -> str:
    """What a round of the loop is; "" where its shape says nothing."""
    called = set(_called(loop.body))
    if isinstance(loop, ast.While) and "step" in called and not _is_true(loop.test):
        return "engine steps"
    if isinstance(loop, ast.While) and _is_true(loop.test) and called & _RECEIVES:
        return "requests"
    if isinstance(loop, ast.For) and _drains(loop.iter):
        return "requests"
    return "tokens" if called & _CHOOSES else ""


def _is_true(test: ast.expr) -> bool:
    return isinstance(test, ast.Constant) and bool(test.value)


def _drains(iterated: ast.expr) -> bool:
    """Whether it is ``iter(queue.get, None)``."""
    if not (isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name)):
        return False
    asked = iterated.args[0] if iterated.func.id == "iter" and len(iterated.args) == 2 else None
    return isinstance(asked, ast.Attribute) and asked.attr in _RECEIVES


def _called(body: list[ast.stmt]) -> Iterator[str]:
    """Names of what statements call themselves: not in loops and functions inside of them."""
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef, ast.Lambda, ast.For, ast.AsyncFor, ast.While)):
            continue
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute):
                yield node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.func.id
        waiting.extend(ast.iter_child_nodes(node))
