"""Functions that users of a library call in their steps: what takes and gives tensors, losses, steps."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.analysis.graph.offer import NOTHING_OFFERED, Offer, OfferedBy, OfferKind
from overhead_lint.analysis.loops.sources import cuts_batches
from overhead_lint.analysis.parameters import all_parameters, positional
from overhead_lint.analysis.vocabulary import (
    COLLATING,
    LOOKED_AT,
    LOSSES,
    NO_OPERATORS,
    REFERENCES,
    STAND_INS,
    VERBS,
)
from overhead_lint.analysis.words import words
from overhead_lint.project.kinds.annotations import mentions_tensor
from overhead_lint.project.kinds.image_transforms import is_transform
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import walk
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.project.file_values import FileValues
    from overhead_lint.rule import ClassFacts

__all__ = ["collates", "is_operator", "offered"]

# As `marshal` takes them.
_NONE: Final = int(OfferKind.NONE)
_LOSS: Final = int(OfferKind.LOSS)
_COLLATE: Final = int(OfferKind.COLLATE)
_BY_PACKAGE: Final = int(OfferedBy.PACKAGE)
_BY_HANDING_OVER: Final = int(OfferedBy.HANDING_OVER)

_OWN_DECORATORS: Final = frozenset({"abstractmethod", "classmethod", "override", "property", "staticmethod"})
# What takes or gives arrays of NumPy or images of PIL converts data; it is no part of a step on a device.
_OFF_DEVICE: Final = frozenset({"ArrayLike", "Image", "NDArray", "ndarray"})


def offered(node: ast.AST, facts: FileValues, steps_optimizer: Callable[[ast.AST], bool]) -> Offer:
    """Return what a library offers with a function that users call in their own steps.

    It counts where nobody in the project calls the function, but for `OfferKind.OPTIMIZER_STEP`.

    Args:
        node: the function.
        facts: the file.
        steps_optimizer: tells functions that step an optimizer.
    """
    if node.__class__ is not ast.FunctionDef or facts.function_node(node) is not None:
        return NOTHING_OFFERED  # functions within others are left to those
    if steps_optimizer(node):
        return Offer(int(OfferKind.OPTIMIZER_STEP))
    offer = Offer(_kind_of_offer(node, facts))
    if offer.kind == _NONE and _is_loss_of_class(node, facts):
        offer = Offer(_LOSS, _BY_PACKAGE)
    if offer.kind != _NONE and facts.flow.holds_loop(node, cuts_batches):
        return NOTHING_OFFERED  # a whole pass, of which the rounds are steps
    if offer.kind != _NONE and _is_private(node, facts):
        return offer._replace(by=_BY_HANDING_OVER)
    return offer


def collates(node: ast.AST, facts: FileValues) -> bool:
    """Whether users of a library call a function that it offers to put batches together."""
    return isinstance(node, ast.FunctionDef) and _kind_of_offer(node, facts) == _COLLATE


def is_operator(node: ast.AST, facts: FileValues) -> bool:
    """Whether a library offers a function that users call with all that they have in the place of a batch."""
    return (
        node.__class__ is ast.FunctionDef
        and facts.function_node(node) is None
        and _kind_of_offer(node, facts) != _NONE
    )


def _is_private(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether a leading underscore says that a function, or its class, is not for users.

    A decorator that is not Python's or PyTorch's may hand it over: ``@registry.register("fast")``.
    """
    if not _has_private_name(node, facts):
        return False
    called = (one.func if one.__class__ is ast.Call else one for one in node.decorator_list)
    return all(
        last_name(one) in _OWN_DECORATORS
        or (facts.names.qualified(one) or "").partition(".")[0] in {"contextlib", "functools", "torch"}
        for one in called
    )


def _has_private_name(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether the name of a function, or of its class, begins with an underscore."""
    names = facts.names.qualname(node).split(".")
    return any(name.startswith("_") and not name.endswith("__") for name in names)


def _kind_of_offer(node: ast.FunctionDef, facts: FileValues) -> int:
    if _is_operator(node, facts):
        return int(OfferKind.OPERATOR)
    cls, said = facts.class_holding(node), words(node.name)
    if cls is None and len(said) > 1 and said[-1] in LOSSES and _gives(node, facts):
        return _LOSS
    if cls is not None and node.name == "step":
        return int(OfferKind.STEP)
    if cls is not None and node.name == "__call__":
        said_by_class = words(cls.qualname.rpartition(".")[2])
        if said_by_class[-1:] and said_by_class[-1] in LOSSES:
            return int(OfferKind.LOSS_CLASS)
    of_batches = words(cls.qualname) if cls is not None and node.name == "__call__" else said
    if COLLATING.intersection(of_batches):
        return _COLLATE
    if f"torch.nn.utils.{node.name}" in STAND_INS:
        return int(OfferKind.STAND_IN)
    return _NONE


def _is_loss_of_class(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether a method works out a loss of tensors by its name: ``Head.loss``, ``Head.loss_by_level``.

    What a class has that is a loss as a whole, beside calling it, is often another way to do the same.
    """
    cls, said = facts.class_holding(node), words(node.name)
    if cls is None or not LOSSES.intersection(said) or said[0] in VERBS or _has_private_name(node, facts):
        return False
    if LOSSES.intersection(words(cls.qualname.rpartition(".")[2])[-1:]) or not _gives(node, facts):
        return False
    if node not in facts.tensor_functions or _is_used_once(node, facts):
        return False
    arguments = all_parameters(node.args)
    return any(_is_tensor(argument, facts) for argument in arguments) or _gives_some_tensor(node, facts)


def _is_tensor(argument: ast.arg, facts: FileValues) -> bool:
    """Whether a parameter is annotated as a tensor, or used as nothing else."""
    if argument.annotation is not None:
        return mentions_tensor(argument.annotation)
    return facts.kinds.kind(argument) is Kind.TENSOR


def _gives_some_tensor(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether a function is annotated to give tensors, or not annotated and seen to give one among others."""
    if node.returns is not None:
        return mentions_tensor(node.returns)
    for found in facts.returns_of(node):
        if found.value is None:
            continue
        given = found.value.elts if found.value.__class__ is ast.Tuple else [found.value]
        if any(facts.kinds.kind(value) is Kind.TENSOR for value in given):
            return True
    return False


def _is_operator(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether a function of a module or class is annotated to take a tensor first, and to give some.

    A method of what holds a tensor takes one. What is told a model or a function first drives others.
    Metrics, drawing, transforms of pictures, conversion to arrays and initialization are no parts of
    steps, though they look alike.
    """
    if not _gives_tensor(node, facts) or _is_used_once(node, facts):
        return False
    cls = facts.class_holding(node)
    if cls is not None and is_transform(cls.bases):
        return False
    first = _first(node, within_class=cls is not None)
    if first is not None and mentions_tensor(first.annotation):
        return True
    return cls is not None and not cls.is_module and _holds_tensor(cls, facts)


def _gives(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether a function gives something back: a check of a loss does not."""
    return any(found.value is not None for found in facts.returns_of(node))


def _gives_tensor(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether a function is annotated to give tensors, or not annotated and seen to give one."""
    if node.returns is not None:
        return mentions_tensor(node.returns)
    cls = facts.class_holding(node)
    first = _first(node, within_class=cls is not None)
    of_tensor = (
        cls is not None and not cls.is_module and not node.name.startswith("_") and _holds_tensor(cls, facts)
    )
    if not of_tensor and (first is None or not mentions_tensor(first.annotation)):
        return False
    given = [found.value for found in facts.returns_of(node)]
    return any(value is not None and facts.kinds.kind(value) is Kind.TENSOR for value in given)


def _is_used_once(node: ast.FunctionDef, facts: FileValues) -> bool:
    """Whether users call a function to look at what came out, to compare, or while they build a model."""
    said = words(node.name)
    if (said and (said[0] in LOOKED_AT or REFERENCES.intersection(said))) or effect(
        f"torch.nn.init.{node.name}"
    ).once:
        return True
    if (LOOKED_AT | NO_OPERATORS).intersection(facts.module.split(".")):
        return True
    arguments = all_parameters(node.args)
    annotations = (node.returns, *(argument.annotation for argument in arguments))
    return _names(node.returns, {"Callable"}) or any(_names(one, _OFF_DEVICE) for one in annotations)


def _names(annotation: ast.expr | None, wanted: Collection[str]) -> bool:
    """Whether an annotation names one of these types anywhere."""
    return annotation is not None and any(last_name(part) in wanted for part in walk(annotation))


def _first(node: ast.FunctionDef, *, within_class: bool) -> ast.arg | None:
    """The first parameter of a function, that of an instance left out."""
    arguments = positional(node.args)
    if within_class and arguments and arguments[0].arg in {"self", "cls"}:
        del arguments[0]
    return arguments[0] if arguments else None


def _holds_tensor(cls: ClassFacts, facts: FileValues) -> bool:
    """Whether instances of a class are made of a tensor: what they are told, or have, first."""
    for member in cls.node.body:
        if member.__class__ is ast.AnnAssign and cls.is_dataclass:
            return mentions_tensor(member.annotation)
        if member.__class__ is ast.FunctionDef and member.name == "__init__":
            first = _first(member, within_class=True)
            if first is None or first.annotation is not None:
                return first is not None and mentions_tensor(first.annotation)
            return facts.kinds.kind(first) is Kind.TENSOR
    return False
