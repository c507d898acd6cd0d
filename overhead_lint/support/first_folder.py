"""The folder that ``python -m`` looks for modules in before all others: the current one.

A ``random.py`` of the user that lies there is not what this tool means by ``import random``. Imports nothing
that such a file could stand for: these two are loaded in every interpreter.
"""

import os
import sys

__all__ = ["interpreters_path", "look_there_last"]

_begun_with: list[str] = []


def look_there_last() -> None:
    """Look for modules in the current folder last; where this package itself was found in it, as before."""
    here = sys.path[0] if sys.path and not getattr(sys.flags, "safe_path", False) else None

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    if here is None or here != _current() or here == os.path.dirname(package):  # noqa: PTH120
        return
    _begun_with[:] = sys.path
    sys.path[:] = [*sys.path[1:], here]


def interpreters_path() -> list[str]:
    """``sys.path`` as the interpreter began with it: first the folder of the script, or the current one."""
    return _begun_with[:] or sys.path[:]


def _current() -> str | None:
    try:
        return os.getcwd()  # noqa: PTH109
    except OSError:  # removed
        return None
