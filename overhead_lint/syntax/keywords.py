"""What calls are given by keyword."""

from __future__ import annotations

import ast

__all__ = ["keyword_value"]


def keyword_value(call: ast.Call, name: str) -> ast.expr | None:
    """Return what a call is given by a keyword; None where it does not write that."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
