"""What methods give: of the class around, tensors, modules, containers, and of things nobody knows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Mask, Result, Tells
from overhead_lint.analysis.effects.lookup import TENSOR as TENSOR_CLASS
from overhead_lint.analysis.effects.lookup import names_telling, names_where, symbol
from overhead_lint.project.conditions import is_none
from overhead_lint.project.kinds import distributions
from overhead_lint.project.kinds.abstract_value import (
    ARRAY,
    HOST,
    MODULE,
    NUMBER,
    OBJECT,
    PENDING,
    TENSOR,
    TENSOR_KINDS,
    UNKNOWN,
    AbstractValue,
    holding,
    item,
    join,
    mapping,
)
from overhead_lint.project.kinds.containers import constant_key
from overhead_lint.project.kinds.kind_members import (
    KIND_ARRAY,
    KIND_MODULE,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.project.kinds.uses import gives_positions, tells_dimension
from overhead_lint.project.paths import INSTANCE
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds
    from overhead_lint.project.kinds.tensor_calls import TensorCalls

__all__ = ["MethodCalls"]

_MODULE_CLASS: Final = symbol("torch.nn.Module")

# Methods of lists and mappings that give what these hold.
_CONTAINER_METHODS: Final = frozenset({"copy", "get", "pop", "setdefault", "values"})
# What methods of modules give, by what the table says.
_OF_MODULES: Final = {Result.MODULE: MODULE, Result.TENSOR: TENSOR, Result.MAPPING: mapping(TENSOR)}
# Names of methods that tell something of what they are called on.
_ALWAYS: Final = names_telling(Tells.RESULT)
_TOLD_NOTHING: Final = names_telling(Tells.IF_BARE | Tells.INTEGER_CAST)
_CASTS: Final = names_telling(Tells.CAST)
_DIMENSIONS: Final = names_telling(Tells.IF_DIM)
_COMBINING: Final = names_telling(Tells.IF_GIVEN_TENSOR)
_GOING_ON: Final = _ALWAYS | names_where("torch.Tensor", lambda told: told.returns is Result.ARRAY)


class MethodCalls:
    """Kinds of calls of methods.

    Args:
        kinds: infers what they are called on, and with.
        tensors: infers what methods of tensors give.
    """

    def __init__(self, kinds: Kinds, tensors: TensorCalls) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._tensors = tensors

    def call(self, node: ast.Call, function: ast.Attribute) -> AbstractValue | None:
        """What a method call gives; None if nothing is known of the method."""
        name = function.attr
        if name in {"parameters", "buffers"}:
            return holding(TENSOR)
        own = self._own_method(function)
        if own is not None:
            return own
        owner = self._kinds.infer(function.value)
        if owner.kind in TENSOR_KINDS:
            found = self._tensors.method(node, owner, name)
            return self._tensors.masked(found, node, self._is_mask(node, owner, name))
        if name == "item" and not node.args:
            return NUMBER
        if owner.pending:
            return PENDING
        if owner.kind is KIND_MODULE and (given := _given_by_module(name)) is not None:
            return given
        if owner.kind is KIND_MODULE and name == "forward":
            return self._kinds.calls.module_call(function.value)
        if owner.kind is KIND_ARRAY:
            return OBJECT if name == "tolist" else ARRAY
        if distributions.is_distribution(owner):
            return distributions.called(owner, name)
        if owner.kind is KIND_OBJECT and name in _CONTAINER_METHODS:
            return self._container_method(node, owner, name)
        if owner.kind is KIND_UNKNOWN and name == "cpu" and not node.args and self._goes_on_as_tensor(node):
            return HOST
        if owner.kind is KIND_UNKNOWN and owner.known and name in _DIMENSIONS and tells_dimension(node):
            several = TENSOR_CLASS.step(name).effect.returns is not Result.TENSOR
            return holding(TENSOR) if several else self._tensors.masked(TENSOR, node, _gives_mask(name))
        if owner.kind is KIND_UNKNOWN and owner.known and name == "nonzero":
            return TENSOR if gives_positions(function, self._facts.scan.parents) else None
        if owner.kind is KIND_UNKNOWN and owner.known:
            combined = name in _COMBINING and self._is_told_tensor(node)
            if combined or self._gives_tensor(node, name):
                return self._tensors.masked(TENSOR, node, _gives_mask(name))
        return None

    def _is_mask(self, node: ast.Call, owner: AbstractValue, name: str) -> bool:
        """Whether a method of a tensor gives one of booleans."""
        mask = TENSOR_CLASS.step(name).effect.mask
        keeps = mask is Mask.KEPT or (name == "to" and owner.mask and not self._tensors.names_dtype(node))
        return mask is Mask.YES or (owner.mask and keeps)

    def _is_told_tensor(self, node: ast.Call) -> bool:
        """Whether a method is told a tensor of the device, and nothing else: ``y.dot(s)``."""
        return len(node.args) == 1 and not node.keywords and self._kinds.kind(node.args[0]) is KIND_TENSOR

    def _container_method(self, node: ast.Call, owner: AbstractValue, name: str) -> AbstractValue:
        """What a method of a list or mapping gives."""
        if name in {"copy", "values"}:
            return owner if name == "copy" else holding(item(owner))
        if owner.element is KIND_UNKNOWN and not owner.mapping and not owner.parts and name != "pop":
            return UNKNOWN
        key = constant_key(node.args[0]) if node.args else None
        found = self._kinds.containers.entry(node, key) if key is not None else item(owner)
        default = node.args[1:2]
        return join([found, self._kinds.any_of(default)]) if default and not is_none(default[0]) else found

    def _gives_tensor(self, node: ast.Call, name: str) -> bool:
        """Whether a method of something unknown gives a tensor: nothing else has it."""
        bare = not node.args and not node.keywords
        if name in _ALWAYS or (bare and name in _TOLD_NOTHING):
            return True
        if name == "abs" and bare and self._facts.torch_use.has_no_tables:
            return True  # arrays have none
        if name in {"to", "type"} and self._tensors.names_integers(node):
            return True  # modules are cast to floating-point types only
        # A module is cast to be kept, a tensor to go on with: `x.float().sum()`.
        parent = self._facts.scan.parents.get(node)
        return name in _CASTS and bare and parent.__class__ is ast.Attribute

    def _goes_on_as_tensor(self, node: ast.Call) -> bool:
        """Whether what a call gives is used as a tensor, and not as a module: ``x.cpu().detach()``."""
        parent = self._facts.scan.parents.get(node)
        return parent.__class__ is ast.Attribute and parent.attr in _GOING_ON

    def _own_method(self, function: ast.Attribute) -> AbstractValue | None:
        """What a method of the class around a call gives, called on ``self``."""
        if not is_self(function.value):
            return None
        cls = self._facts.class_of(function)
        found = self._facts.calls.definitions.get(f".{cls.qualname}.{function.attr}") if cls else None
        if not isinstance(found, FUNCTIONS):
            return None
        given = self._kinds.returned.of(found)
        if given is UNKNOWN and not self._facts.returns_of(found):  # it is there to be overridden
            path = self._facts.paths.of(function)
            return self._kinds.elsewhere(path + INSTANCE) if path is not None else given
        return given


def _gives_mask(name: str) -> bool:
    """Whether a method of tensors gives one of booleans."""
    return TENSOR_CLASS.step(name).effect.mask is Mask.YES


def _given_by_module(name: str) -> AbstractValue | None:
    """What a method of modules gives; None where the table does not say, or what it gives is gone over."""
    told = _MODULE_CLASS.step(name).effect
    return None if told.is_attribute else _OF_MODULES.get(told.returns)
