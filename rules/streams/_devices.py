"""The device that a call is told."""

from __future__ import annotations

import ast

__all__ = ["device_keyword", "device_told"]


def device_keyword(node: ast.Call) -> ast.expr | None:
    """What is passed as ``device=``; None if nothing is."""
    return next((item.value for item in node.keywords if item.arg == "device"), None)


def device_told(node: ast.Call) -> ast.expr | None:
    """What is passed first, as to ``x.to(device)``, or else as ``device=``; None if nothing is."""
    return node.args[0] if node.args else device_keyword(node)
