"""What made a guard fail: the value that is there now, and the fields of the global state that changed."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from overhead_runtime.global_state import GlobalState

__all__ = [
    "changed_state",
    "entry_that_failed",
    "failed_guard_of",
    "is_global_state",
    "value_now",
    "value_of",
]

_GLOBAL_STATE: Final = "GLOBAL_STATE changed"
_PLAIN: Final = (bool, int, float, complex, str, bytes, type(None))
_MOST_CHARACTERS: Final = 60
_LOCAL: Final = re.compile(r"L\['([^']+)'\]")
_STATE: Final = re.compile(r"\{.*\}")


def is_global_state(reason: str) -> bool:
    """Whether Dynamo's reason is that the global state changed."""
    return _GLOBAL_STATE in reason.split("\n")[0]


def changed_state(guards: Any, now: GlobalState) -> str:
    """The fields of the global state that changed, old and new.

    Args:
        guards: the guard manager of the entry whose guard failed.
        now: the state of the call that it failed for.

    Returns:
        ``grad_mode: True -> False, ...``; "" where the entry's state cannot be read.
    """
    from overhead_runtime.global_state import GlobalState  # overhead: ignore[OVH605] imports torch

    for leaf in guards.root.get_leaf_guards():
        text = " ".join(leaf.verbose_code_parts()) if type(leaf).__name__ == "GLOBAL_STATE" else ""
        found = _STATE.search(text.partition("  # ")[0])
        if found:
            try:
                old = GlobalState.from_json(json.dumps(json.loads(found[0])))
            except (ValueError, TypeError):
                return ""
            return ", ".join(str(change) for change in old.compare(now))
    return ""


def failed_guard_of(guards: Any, f_locals: Mapping[str, object]) -> str:
    """The guard that fails on some inputs, and what is there instead; "" if that cannot be told.

    Args:
        guards: the guard manager of an entry.
        f_locals: locals of the call that it failed for.
    """
    try:
        parts = list(guards.root.check_verbose(f_locals).verbose_code_parts)
    except Exception:  # private API may raise anything, in the middle of a call of the user
        return ""
    if not parts:
        return ""
    if is_global_state(parts[0]):
        from overhead_runtime.global_state import GlobalState

        return f"failed guard on the global state: {changed_state(guards, GlobalState.capture())}"
    guard = _LOCAL.sub(r"\1", " ".join(parts[0].partition("  # ")[0].split()))
    now = value_now(guard, f_locals)
    return f"failed guard {guard}" + (f", now {now}" if now else "")


def value_now(guard: str, f_locals: Mapping[str, object]) -> str:
    """What a failed comparison finds now.

    Args:
        guard: ``self.calls == 0`` or ``L['self'].calls == 0``, as Dynamo prints it.
        f_locals: locals of the call that it failed for.

    Returns:
        The value as text; "" for a guard of another form, or a value that only the user's code could give.
    """
    try:
        tree = ast.parse(guard, mode="eval").body
    except (SyntaxError, ValueError):
        return ""
    if not (isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq)):
        return ""
    try:
        value = _read(tree.left, f_locals)
    except (LookupError, AttributeError, TypeError):
        return ""
    text = repr(value) if type(value) in _PLAIN else ""
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}..."


def value_of(source: str, f_locals: Mapping[str, object]) -> object:
    """The value that a source names, found without running any code of the user.

    Args:
        source: ``L['self'].scale``, as Dynamo prints it.
        f_locals: locals of a call.

    Raises:
        LookupError, AttributeError, TypeError, SyntaxError, ValueError: it cannot be followed.
    """
    return _read(ast.parse(source, mode="eval").body, f_locals)


def _read(node: ast.expr, f_locals: Mapping[str, object]) -> object:
    """Follow a source without running any code of the user: no properties, no ``__getattr__``.

    Raises:
        LookupError, AttributeError, TypeError: it cannot be followed.
    """
    if isinstance(node, ast.Name):
        return f_locals if node.id == "L" else f_locals[node.id]
    if isinstance(node, ast.Attribute):
        found = inspect.getattr_static(_read(node.value, f_locals), node.attr)
        if hasattr(type(found), "__get__"):
            raise AttributeError(node.attr)
        return found
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        holder: Any = _read(node.value, f_locals)
        if holder is f_locals or type(holder) in (dict, list, tuple):
            return holder[node.slice.value]
    raise LookupError


def entry_that_failed(reason: str, entries: Iterable[Any]) -> Any:
    """The cache entry that the first line of a reason (``0/1: ...``) names; None if it is gone."""
    name = reason.partition(":")[0].strip()
    return next((entry for entry in entries if str(getattr(entry, "compile_id", "")) == name), None)
