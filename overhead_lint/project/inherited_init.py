"""Classes that hand what they are called with to an ``__init__`` of a base: its options are theirs, too."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from overhead_lint.project.called import HANDED
from overhead_lint.project.resolved import END_OF_WORD

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhead_lint.project.summary import Passing

__all__ = ["called_otherwise", "mentioning", "some_inherit"]


def called_otherwise(before: Passing, now: Passing) -> frozenset[str]:
    """Plain names of what a file passes something else to than before, or hands over only in one state.

    Args:
        before: what a file said of options.
        now: what it says.
    """
    old, new = dict(before.called), dict(now.called)
    names = {name for name in old.keys() | new.keys() if set(old.get(name, "-")) != set(new.get(name, "-"))}
    names.update({*old.get(HANDED, ())} ^ {*new.get(HANDED, ())})
    return frozenset(filter(str.isidentifier, names))


def mentioning(names: Collection[str]) -> re.Pattern[bytes]:
    """What a summary, as bytes, has in it if the file may define one of some plain names."""
    plain = b"|".join(name.encode() for name in sorted(names)) or b"(?!)"
    return re.compile(rb"\.(?:%s)%s" % (plain, END_OF_WORD))


def some_inherit(names: Collection[str], passing: Passing) -> bool:
    """Whether a file defines a class of some plain names that has bases, and no ``__init__`` of its own.

    Args:
        names: the plain names.
        passing: what the file says of options.
    """
    return any(bases and not makes and name in names for name, bases, makes in passing.classes)
