"""What this process has loaded of the native core, and how it says that something is compiled.

Whoever only asks for either imports this, and none of what builds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

__all__ = ["be_quiet", "loaded", "modules", "tell", "tell_with"]

modules: dict[str, ModuleType] = {}
"""Extension modules by name, as `overhead_lint.native.build` loads them."""


def loaded(name: str) -> ModuleType | None:
    """An extension module of the native core, if this process has loaded it."""
    return modules.get(name)


def _on_stderr(told: str) -> None:
    # Past sys.stderr, which a test that checks what it prints may have replaced (capsys).
    print(told, file=sys.__stderr__ or sys.stderr, flush=True)


_tell: Callable[[str], None] = _on_stderr
_is_quiet = False


def be_quiet() -> None:
    """Do not say from now on that something is compiled."""
    global _is_quiet
    _is_quiet = True


def tell(told: str) -> None:
    """Say that something is compiled, unless that is not to be said."""
    if not _is_quiet:
        _tell(told)


def tell_with(tell: Callable[[str], None]) -> Callable[[str], None]:
    """Have a function say that something is compiled, in place of stderr.

    Args:
        tell: given the line; called on the thread that compiles.

    Returns:
        What said it before.
    """
    global _tell
    before, _tell = _tell, tell
    return before
