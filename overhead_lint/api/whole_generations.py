"""Calls and functions that are a whole generation: of many tokens, or of many steps that take noise away."""

from __future__ import annotations

import ast

from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.analysis.vocabulary import GENERATION, GENERATION_LENGTHS
from overhead_lint.analysis.words import words

__all__ = ["is_generation", "takes_length"]


def is_generation(call: ast.Call) -> bool:
    """Whether a call is told how many steps to take, or has another object generate and is told how."""
    if any(item.arg in GENERATION_LENGTHS for item in call.keywords):
        return True
    called = call.func
    if not isinstance(called, ast.Attribute) or called.attr != "generate":
        return False
    owner = called.value
    if isinstance(owner, ast.Call) or (isinstance(owner, ast.Name) and owner.id in {"cls", "self"}):
        return False
    return any(item.arg is None or GENERATION & set(words(item.arg)[-1:]) for item in call.keywords)


def takes_length(node: ast.FunctionDef) -> bool:
    """Whether a function is told how many steps to take: each call of it takes as many."""
    taken = node.args
    return any(one.arg in GENERATION_LENGTHS for one in all_parameters(taken))
