"""The device that a call is told."""

from __future__ import annotations

import ast

from overhead_lint.syntax.keywords import keyword_value

__all__ = ["device_keyword", "device_told", "is_to_host"]


def device_keyword(node: ast.Call) -> ast.expr | None:
    """What is passed as ``device=``; None if nothing is."""
    return keyword_value(node, "device")


def device_told(node: ast.Call) -> ast.expr | None:
    """What is passed first, as to ``x.to(device)``, or else as ``device=``; None if nothing is."""
    return node.args[0] if node.args else device_keyword(node)


def is_to_host(node: ast.Call) -> bool:
    """Whether a method copies or moves to the host, as it is written: ``x.cpu()``, ``x.to("cpu")``."""
    if not isinstance(node.func, ast.Attribute):
        return False
    told = device_told(node) if node.func.attr == "to" else None
    return node.func.attr == "cpu" or (isinstance(told, ast.Constant) and told.value == "cpu")
