"""Has guards with recursive dict tags notice that a module was given another class.

The tags are the versions of dicts, and an assignment to ``__class__`` changes none. Python tells audit hooks
of it just before, so a hook gives the module's dict another version then. A hook stays till the process ends.
"""

from __future__ import annotations

import functools
import sys
from typing import Any

import torch

_NAME = "__overhead_lint_reclassed__"


def _on_event(
    event: str,
    args: tuple[Any, ...],
    # As defaults, since it is still called when globals are gone at the interpreter's end.
    wanted: str = "object.__setattr__",
    module: type = torch.nn.Module,
    is_subclass: Any = issubclass,
    kind: Any = type,
    read: Any = object.__getattribute__,
    missing: type[KeyError] = KeyError,
    name: str = _NAME,
) -> None:
    if event == wanted and args[1] == "__class__" and is_subclass(kind(args[0]), module):
        attributes = read(args[0], "__dict__")
        attributes[name] = None
        try:
            # The last thing here: no other thread evaluates guards between this and the assignment.
            del attributes[name]
        except missing:
            return  # another thread assigns, too, and has done it


class _Noting(dict[str, Any]):
    """The dict of a module that says whether the hook was there."""

    seen = False

    def __delitem__(self, name: str) -> None:
        self.seen |= name == _NAME
        super().__delitem__(name)


class _Before(torch.nn.Module):
    pass


class _After(torch.nn.Module):
    pass


@functools.cache
def is_noticed() -> bool:
    """Whether other classes of modules are noticed; the first call adds the hook, which others may refuse."""
    from . import dynamo

    dynamo.hide_from_dynamo(_on_event.__code__)
    try:
        sys.addaudithook(_on_event)
    except Exception:  # whatever another hook raises to refuse it
        return False
    tried: Any = _Before()
    tried.__dict__ = noting = _Noting(tried.__dict__)
    tried.__class__ = _After
    return noting.seen
