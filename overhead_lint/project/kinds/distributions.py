"""Distributions of torch: which calls make one, and what their methods and attributes give.

A distribution is told from other objects as a mapping with one key that no program writes, under which
its parameters lie: so what knows of mappings, of several ways to come about, and of other files knows of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Result
from overhead_lint.analysis.effects.lookup import symbol
from overhead_lint.project.kinds.abstract_value import NUMBER, OBJECT, AbstractValue, entry, holding
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.analysis.effects.effect import Effect

__all__ = ["attribute", "called", "distribution", "is_distribution"]

_KEY: Final = "__parameters"
_CLASS: Final = symbol("torch.distributions.Distribution")


def distribution(parameters: AbstractValue) -> AbstractValue:
    """A distribution with such parameters: tensors of a device, or of the host."""
    held = AbstractValue(Kind.OBJECT, parameters.kind, mapping=True)
    return held._replace(parts=(parameters,), keys=(_KEY,))


def is_distribution(what: AbstractValue) -> bool:
    """Whether something is a distribution."""
    return what.keys == (_KEY,)


def called(what: AbstractValue, method: str) -> AbstractValue | None:
    """What a method of a distribution gives; None if nothing is known of it."""
    told = _CLASS.step(method).effect
    return None if told.is_attribute else _given(what, told)


def attribute(what: AbstractValue, name: str) -> AbstractValue | None:
    """What an attribute of a distribution is; None if nothing is known of it."""
    told = _CLASS.step(name).effect
    return _given(what, told) if told.is_attribute else None


def _given(what: AbstractValue, told: Effect) -> AbstractValue | None:
    if told.returns is Result.TENSOR:
        return entry(what, _KEY)
    if told.returns is Result.SIZES:
        return holding(NUMBER)
    if told.returns is Result.OWNER:
        return what
    return OBJECT if told.returns is Result.OBJECT else None
