"""Which strings of a file could name something of it: code, and names to be looked up; no sentences."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Container, Iterator
from typing import Final

from overhead_lint.edits.model import CannotFix
from overhead_lint.edits.outline import parse
from overhead_lint.syntax.grammar import TEMPLATES

__all__ = ["named_in_strings", "unnaming"]

_WORD: Final = re.compile(r"\w+")
_WITH_NAMES: Final[tuple[type[ast.expr], ...]] = (ast.JoinedStr, *TEMPLATES)
# Called with a text, or for the names of a scope: any string of the file may be what they are given.
_BY_TEXT: Final = frozenset({"compile", "eval", "exec", "globals", "locals", "vars"})
_BY_TEXT_OF_MODULES: Final = frozenset({"Timer", "runctx", "timeit"})
# What is imported, found or compared by its full name is the same without an import of this file.
_BY_FULL_NAME: Final = frozenset(
    {"__import__", "find_spec", "getLogger", "get_logger", "import_module", "importorskip"}
)
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}|%(?:\(\w+\))?[-+ #0-9.]*[a-zA-Z]|\$\{?\w+\}?")


def unnaming(names: Container[str], tree: ast.AST) -> Iterator[ast.expr]:
    """The strings of a tree that hold one of some names, and by which nothing is looked up.

    Those are docstrings, sentences, and full names of modules that are compared or imported. A string that
    parses as code, a placeholder taken for a name, counts as code. Where text is run, or the names of a scope
    are asked for, each string may be that text, but for docstrings.
    """
    by_text = _looks_up_text(tree)
    full = set() if by_text else set(_full_names(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, (ast.Constant, *_WITH_NAMES)):
            yield node.value
        elif by_text:
            continue
        elif isinstance(node, _WITH_NAMES):
            yield node  # names in an f-string are names of the tree, too
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = _WORD.findall(node.value)
            if any(word in names for word in words) and (node in full or _is_prose(node.value, words)):
                yield node


def named_in_strings(names: Container[str], tree: ast.AST) -> set[str]:
    """Those of some names that could be looked up by a string of a tree."""
    unable = {id(part) for node in unnaming(names, tree) for part in ast.walk(node)}
    return {
        word
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unable
        for word in _WORD.findall(node.value)
        if word in names
    }


def _looks_up_text(tree: ast.AST) -> bool:
    """Whether something in a tree runs text, or looks names up in a scope."""
    return any(
        (isinstance(node, ast.Name) and node.id in _BY_TEXT | _BY_TEXT_OF_MODULES)
        or (isinstance(node, ast.Attribute) and node.attr in _BY_TEXT_OF_MODULES | {"__dict__"})
        for node in ast.walk(tree)
    )


def _full_names(tree: ast.AST) -> Iterator[ast.expr]:
    """Strings that are compared, or that modules and loggers are asked for by."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for side in (node.left, *node.comparators):
                yield from side.elts if isinstance(side, (ast.List, ast.Set, ast.Tuple)) else (side,)
        elif isinstance(node, ast.Subscript) and _is_modules(node.value):
            yield node.slice
        elif isinstance(node, ast.Call):
            called = node.func
            name = getattr(called, "attr", getattr(called, "id", ""))
            in_modules = isinstance(called, ast.Attribute) and _is_modules(called.value)
            if name in _BY_FULL_NAME or in_modules:
                yield from node.args[:1]


def _is_modules(node: ast.expr) -> bool:
    """Whether an expression is ``sys.modules``."""
    return isinstance(node, ast.Attribute) and node.attr == "modules"


def _is_prose(text: str, words: list[str]) -> bool:
    """Whether a text of some words is none that Python could be asked to read."""
    if len(words) == 1 or _parses(text):
        return False
    return text == (filled := _PLACEHOLDER.sub("x", text)) or not _parses(filled)


def _parses(text: str) -> bool:
    try:
        parse(inspect.cleandoc(text).strip(), "the string")
    except CannotFix:
        return False
    return True
