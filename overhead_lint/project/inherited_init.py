"""Classes that hand what they are called with to an ``__init__`` of a base: its options are theirs, too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from overhead_lint.project.called import HANDED
from overhead_lint.project.resolved import END_OF_WORD
from overhead_lint.project.summary import FileSummary

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["called_otherwise", "mentioning", "some_inherit"]

Plain = tuple[Any, ...]


def called_otherwise(before: Plain, now: Plain) -> frozenset[str]:
    """Plain names of what a file passes something else to than before, or hands over only in one state.

    Args:
        before: a summary, as `overhead_lint.project.summary.written` has it.
        now: another of the same file.
    """
    at = FileSummary._fields.index("called")
    old, new = dict(before[at]), dict(now[at])
    names = {name for name in old.keys() | new.keys() if set(old.get(name, "-")) != set(new.get(name, "-"))}
    names.update({*old.get(HANDED, ())} ^ {*new.get(HANDED, ())})
    return frozenset(filter(str.isidentifier, names))


def mentioning(names: Collection[str]) -> re.Pattern[bytes]:
    """What a summary, as bytes, has in it if the file may define one of some plain names."""
    plain = b"|".join(name.encode() for name in sorted(names)) or b"(?!)"
    return re.compile(rb"\.(?:%s)%s" % (plain, END_OF_WORD))


def some_inherit(names: Collection[str], summary: Plain) -> bool:
    """Whether a file defines a class of some plain names that has bases, and no ``__init__`` of its own.

    Args:
        names: the plain names.
        summary: as `overhead_lint.project.summary.written` has it.
    """
    for name, bases, methods, *_ in summary[FileSummary._fields.index("classes")]:
        if bases and "__init__" not in methods and name.rpartition(".")[2] in names:
            return True
    return False
