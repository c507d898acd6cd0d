"""Guards on objects that modules were given, such as configurations, and what they take.

Values that are read from such an object (``self.config.scale``) have guards for the object, for those on
the way, and for themselves; in an attribute of the module they have one. A copy of the guards without them is
what is left when they are all gone.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from overhead_lint.probes.guards_failure import value_of
from overhead_lint.probes.guards_tree import managers, pruned

__all__ = ["WithoutConfigs", "without_configs"]

LEAST_VALUES: Final = 3
"""As the rule has it: fewer are lost in a call."""
_ATTRIBUTE: Final = re.compile(r"(?P<owner>.+)\.(?P<name>[A-Za-z_]\w*)")
_OF_MODULE: Final = re.compile(r"\._modules\b|^L\['self'\]")
_OF_TORCH: Final = frozenset({"_modules", "_parameters", "_buffers", "__dict__", "__class__"})


class WithoutConfigs(NamedTuple):
    """Guards with and without those on configuration objects.

    Attributes:
        values: how many values are read from such objects.
        example: the first of the objects.
        all: evaluates a copy of all guards.
        check: evaluates one without those guards.
    """

    values: int
    example: str
    all: Callable[[], bool]
    check: Callable[[], bool]


def without_configs(guards: Any, f_locals: Mapping[str, object]) -> WithoutConfigs | None:
    """Guards without those on configuration objects; None where there are few.

    Args:
        guards: a guard manager.
        f_locals: inputs that its guards hold on.

    Raises:
        Unsupported: this torch cannot show or copy the tree of guards.
    """
    nodes = list(managers(guards))
    objects = [node.source for node in nodes if _is_config(node.source, f_locals)]
    below, parents = set(objects), set()
    for node in nodes:  # parents come first
        if node.parent in below:
            below.add(node.source)
            parents.add(node.parent)
    values = below - parents - set(objects)
    if len(values) < LEAST_VALUES:
        return None
    gone = frozenset(objects)
    kept = pruned(guards, lambda source: source not in gone)
    whole = pruned(guards, lambda source: True)
    return WithoutConfigs(
        len(values), objects[0], functools.partial(whole, f_locals), functools.partial(kept, f_locals)
    )


def _is_config(source: str, f_locals: Mapping[str, object]) -> bool:
    """Whether a source is an attribute of a module that holds an object which is none of torch's."""
    import torch

    found = _ATTRIBUTE.fullmatch(source)
    if found is None or found["name"] in _OF_TORCH or not _OF_MODULE.search(source):
        return False
    try:
        owner, value = value_of(found["owner"], f_locals), value_of(source, f_locals)
    except (LookupError, AttributeError, TypeError, SyntaxError, ValueError):
        return False
    if not isinstance(owner, torch.nn.Module):
        return False
    plain = type(value) in (dict, list, tuple) or type(value).__flags__ & (1 << 9)  # a class made in Python
    return bool(plain) and not isinstance(value, (torch.nn.Module, torch.Tensor, type))
