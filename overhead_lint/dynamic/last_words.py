"""Shows the exception that ended a program, as the interpreter does when one reaches it."""

from __future__ import annotations

import sys
import types
from typing import TextIO

__all__ = ["show"]


def show(error: BaseException, trace: types.TracebackType | None) -> None:
    """Show an exception that nothing caught.

    Args:
        error: the exception.
        trace: what is to be shown of its traceback.

    Raises:
        SystemExit: of the program's ``sys.excepthook``.
    """
    # For debuggers that are called later, and for what the program does at exit.
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, trace
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    if not hasattr(sys, "excepthook"):
        _say("sys.excepthook is missing\n")
        sys.__excepthook__(type(error), error, trace)
        return
    try:
        sys.excepthook(type(error), error, trace)
    except SystemExit:
        raise
    except BaseException as second:  # as the interpreter: whatever a hook of the program raises
        _say("Error in sys.excepthook:\n")
        of_hook = second.__traceback__.tb_next if second.__traceback__ is not None else None
        sys.__excepthook__(type(second), second.with_traceback(of_hook), of_hook)
        _say("\nOriginal exception was:\n")
        sys.__excepthook__(type(error), error, trace)


def _say(text: str) -> None:
    stderr: TextIO | None = sys.stderr
    if stderr is not None:
        stderr.write(text)
