"""Functions that answer requests, by their shape: of web frameworks, of ASGI and of `http.server`."""

from __future__ import annotations

import ast
from typing import Final

__all__ = ["is_handler"]

_SERVES: Final = frozenset({"delete", "get", "patch", "post", "put", "route", "websocket"})
"""Decorators of functions that answer requests: ``@app.post("/generate")``."""
_ANSWERS: Final = frozenset({"do_GET", "do_POST", "do_PUT"})
"""Methods of `http.server`'s handlers."""
_ASGI: Final = ("scope", "receive", "send")


def is_handler(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function answers requests: each of its calls is one."""
    if function.name in _ANSWERS or tuple(one.arg for one in function.args.args[-3:]) == _ASGI:
        return True
    return any(_is_route(one) for one in function.decorator_list)


def _is_route(decorator: ast.expr) -> bool:
    """Whether a decorator gives a function requests; ``@mock.patch("module.name")`` names no path of any."""
    if not (isinstance(decorator, ast.Call) and isinstance(decorator.func, ast.Attribute)):
        return False
    path = decorator.args[0] if decorator.args else None
    is_other_text = (
        isinstance(path, ast.Constant) and isinstance(path.value, str) and path.value[:1] not in ("", "/")
    )
    return decorator.func.attr in _SERVES and not is_other_text
