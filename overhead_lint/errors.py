"""What is said in one line when something cannot be done as asked for."""

from __future__ import annotations

from typing import Final

__all__ = [
    "Complaint",
    "ProgramInterrupted",
    "class_and_message",
    "comes_of_interrupt",
    "on_one_line",
    "pass_interrupt_on",
]

# Names of files may hold any of these: a new line, or what makes a terminal do something.
_CONTROL: Final = {code: f"\\x{code:02x}" for code in (*range(32), 127)} | {10: "\\n", 13: "\\r", 9: "\\t"}


class Complaint(Exception):
    """Something that whoever started the run can put right; the message is one line."""

    def __str__(self) -> str:
        """The message, whatever the files that it names are called."""
        return on_one_line(super().__str__())


class ProgramInterrupted(KeyboardInterrupt):
    """Ctrl-C that ended the program of ``overhead-lint run``, which has shown it."""


def comes_of_interrupt(error: BaseException | None) -> bool:
    """Whether it is Ctrl-C, or what was raised while that went through it.

    libcst's code generation makes a KeyError of it; up to Python 3.11, a class that is made, a RuntimeError.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def pass_interrupt_on(error: BaseException) -> None:
    """Raise Ctrl-C again where code of others made an exception of it.

    Raises:
        KeyboardInterrupt: the exception comes of one.
    """
    if comes_of_interrupt(error):
        raise KeyboardInterrupt from error


def class_and_message(error: BaseException) -> str:
    """An exception that came out of code of others, in one line: ``KeyError: 'model'``."""
    message = " ".join(str(error).split())
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def on_one_line(text: str) -> str:
    """A text that names a file, with its control characters escaped."""
    return text if text.isprintable() else text.translate(_CONTROL)
