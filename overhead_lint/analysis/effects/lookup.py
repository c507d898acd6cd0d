"""Finds what an API does by its name, step by step: names are nodes of a tree of symbols."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

from overhead_lint.analysis.effects import signatures
from overhead_lint.analysis.effects.effect import NOTHING_KNOWN, Effect
from overhead_lint.analysis.effects.frozen.effects import EFFECTS, FAMILIES, NAMES

__all__ = ["ROOT", "TENSOR", "Symbol", "effect", "symbol"]


class Symbol:
    """A module, class, function or method by its qualified name.

    Attributes:
        name: the qualified name.
    """

    __slots__ = ("_effect", "_members", "_steps", "name")

    def __init__(self, name: str) -> None:
        self.name = name
        self._steps: dict[str, Symbol] = {}
        self._effect: Effect | None = None
        self._members: Mapping[str, Effect] | None = None

    def step(self, attribute: str) -> Symbol:
        """The symbol of an attribute of this one."""
        found = self._steps.get(attribute)
        if found is None:
            found = self._steps[attribute] = Symbol(f"{self.name}.{attribute}" if self.name else attribute)
        return found

    @property
    def effect(self) -> Effect:
        """What a call does; `NOTHING_KNOWN` where no table says anything."""
        if self._effect is None:
            self._effect = _found(self.name)
        return self._effect

    @property
    def members(self) -> Mapping[str, Effect]:
        """The attributes of which a table says something by their whole names."""
        if self._members is None:
            held = NAMES.get(self.name, {})
            self._members = {
                name: EFFECTS[number] for number, names in held.items() for name in names.split()
            }
        return self._members


def _found(name: str) -> Effect:
    for known in dict.fromkeys((name, signatures.canonical(name))):
        scope, _, last = known.rpartition(".")
        exact = symbol(scope).members.get(last)
        if exact is not None:
            return exact
        for pattern, number in FAMILIES.get(scope, ()):
            if fnmatchcase(last, pattern):
                return EFFECTS[number]
    return NOTHING_KNOWN


ROOT: Final = Symbol("")
"""What all names are found below."""

_KNOWN: dict[str, Symbol] = {"": ROOT}


def symbol(name: str) -> Symbol:
    """The symbol of a qualified name: ``torch.nn.functional.pad``; of a method ``torch.Tensor.item``."""
    found = _KNOWN.get(name)
    if found is None:
        scope, _, last = name.rpartition(".")
        found = _KNOWN[name] = symbol(scope).step(last)
    return found


def effect(name: str) -> Effect:
    """What a call of an API does, by its qualified name; `NOTHING_KNOWN` where no table says anything."""
    return symbol(name).effect


TENSOR: Final = symbol("torch.Tensor")
"""The class of tensors: its steps are their methods and attributes."""
