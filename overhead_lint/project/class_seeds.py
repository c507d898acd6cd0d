"""Methods that are hot, or cold, for the classes that theirs derives from."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Result
from overhead_lint.analysis.effects.lookup import base_hooks, effect
from overhead_lint.analysis.remembered import remembered
from overhead_lint.analysis.values.classes import AUTOGRAD_FUNCTION
from overhead_lint.analysis.vocabulary import AUTOGRAD_METHODS, EXPORTED
from overhead_lint.analysis.words import words
from overhead_lint.api.heat_reasons import Reason, ReasonKind
from overhead_lint.project.classes import is_torch_module
from overhead_lint.project.kinds.image_transforms import is_transform

if TYPE_CHECKING:
    from collections.abc import Collection

    from overhead_lint.rule import FunctionFacts

__all__ = ["OF_AUTOGRAD", "OF_MODULE", "cold_by_class", "hot_by_class", "is_export", "may_be_hot_by_class"]

OF_MODULE: Final = Reason("{} runs on every call of the module", ReasonKind.MODULE)
OF_AUTOGRAD: Final = Reason("{} runs on every use of the autograd function", ReasonKind.AUTOGRAD)
_HOT_METHODS: Final = frozenset({"forward", "__call__"}).union(AUTOGRAD_METHODS, *base_hooks().values())


def hot_by_class(shown: str, method: str, bases: Collection[str]) -> Reason | None:
    """Why a method runs in every step for the classes that its class derives from; None if it may not.

    Args:
        shown: the method as it is shown.
        method: its plain name.
        bases: dotted names of those outside of the project, plain names of the others.
    """
    if is_export(shown.rpartition(".")[0]) or is_transform(bases):
        return None
    for base in sorted(bases) if len(bases) > 1 else bases:  # of a set, whose order differs between runs
        if method in {"forward", "__call__"} and is_torch_module(base):
            return OF_MODULE
        is_distribution = method == "__init__" and effect(base).returns is Result.DISTRIBUTION
        if is_distribution and not any(map(is_torch_module, bases)):
            return Reason("{} runs where steps make a distribution")
        if method in AUTOGRAD_METHODS and base in AUTOGRAD_FUNCTION:
            return OF_AUTOGRAD
        name = base.rpartition(".")[2]
        if method in base_hooks().get(name, ()) or method in _hooks_of_kin(name):
            kind = ReasonKind.DATA if name.endswith("Dataset") else ReasonKind.OTHER
            return Reason(f"{{}} is run in every step by {name}", kind)
    return None


@remembered(256)  # methods of one class are asked about one after the other
def is_export(cls: str) -> bool:
    """Whether a class stands in for another while a model is exported, by its name."""
    return not EXPORTED.isdisjoint(words(cls.rpartition(".")[2]))


@cache
def _hooks_of_kin(name: str) -> frozenset[str]:
    """The hooks of the common base class that a class is a kind of by its name, as ``BaseMetric`` is."""
    return frozenset().union(
        *(hooks for base, hooks in base_hooks().items() if name.endswith(base) and name != base)
    )


def may_be_hot_by_class(function: FunctionFacts) -> bool:
    """Whether a function is a method that `hot_by_class` may call hot, if its class derives from others."""
    return function.cls is not None and getattr(function.node, "name", "") in _HOT_METHODS


def cold_by_class(method: str, bases: Collection[str]) -> str:
    """Why a method never runs in a step for the outside classes that its class derives from."""
    if method == "__init__" and any(is_torch_module(base) for base in bases):
        return "{} runs at construction"
    return ""
