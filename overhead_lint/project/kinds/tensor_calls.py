"""What functions of torch and methods of tensors give, and where that lies."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Dtype, Effect, Lands, Result, Tells
from overhead_lint.analysis.effects.lookup import TENSOR as TENSOR_CLASS
from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.api.torch_calls import FROM_VALUES, given_tensors
from overhead_lint.project.kinds.abstract_value import (
    ARRAY,
    HOST,
    NUMBER,
    OBJECT,
    PENDING,
    TENSOR,
    TENSOR_KINDS,
    UNKNOWN,
    AbstractValue,
    holding,
    join,
)
from overhead_lint.project.kinds.kind_members import (
    KIND_HOST_TENSOR,
    KIND_NUMBER,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.project.names import last_name
from overhead_lint.project.words import words

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["TensorCalls"]

# What gives no tensor.
_OTHERS: Final = {Result.NUMBER: NUMBER, Result.OBJECT: OBJECT, Result.ARRAY: ARRAY}
_PLACED: Final = {Lands.HOST: HOST, Lands.DEVICE: TENSOR}


class TensorCalls:
    """Kinds of what is made of tensors.

    Args:
        kinds: infers arguments.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts

    def function(self, node: ast.Call, told: Effect) -> AbstractValue:
        """What a function on tensors gives, which a table says gives some."""
        if told.parts:
            return holding(UNKNOWN)._replace(parts=tuple(_PLACED[lands] for lands in told.parts))
        if told.returns is Result.TENSORS and told.lands is Lands.WITH_ARGUMENTS:
            given = self._kinds.infer(node.args[0]) if node.args else UNKNOWN
            return holding(given if given.kind is KIND_HOST_TENSOR else self.of_arguments(node))
        several = told.returns is Result.TENSORS or (
            told.returns is Result.TENSORS_IF_DIM and self._is_pair(node, node.args[1:])
        )
        lands = told.lands  # each frame counts: expressions are followed as deep as Python's stack goes
        if lands is Lands.WITH_ARGUMENTS or (lands is Lands.TOLD_OR_LIKE and not node.args):
            joined = told.joins and bool(node.args) and self._joins_host(node.args[0])
            found = HOST if joined else self.of_arguments(node)
        elif lands in _PLACED:
            found = _PLACED[lands]
        elif lands is Lands.TOLD:
            found = self._fresh(node)
        else:
            given = self._kinds.infer(node.args[0]) if node.args else UNKNOWN
            found = self._landing(node, lands, given)
        return holding(found) if several else found

    def _landing(self, node: ast.Call, lands: Lands, given: AbstractValue) -> AbstractValue:
        """A tensor that lies where a call is told, or else where it hangs on what it is made of."""
        if given.pending:
            return self._placed(node, PENDING)
        if lands is Lands.TOLD_OR_LIKE:
            return self._placed(node, HOST if given.kind is KIND_HOST_TENSOR else TENSOR)
        if lands is Lands.DATA:
            return self._placed(node, TENSOR if given.kind in (KIND_TENSOR, KIND_UNKNOWN) else HOST)
        return self._placed(node, TENSOR) if given.kind is KIND_TENSOR else self._fresh(node)

    def _fresh(self, node: ast.Call) -> AbstractValue:
        """A tensor that is made in CPU memory unless another device is told, or is the default."""
        return self._placed(node, TENSOR if self._facts.torch_use.default_device(node) else HOST)

    def _joins_host(self, joined: ast.expr) -> bool:
        """Whether one of what is joined is made on the host right there, and no other is elsewhere.

        Tensors of two devices cannot be joined.
        """
        if not isinstance(joined, (ast.List, ast.Tuple)):
            return False
        made = [one for one in joined.elts if one.__class__ is ast.Call]
        if not any(self._kinds.kind(one) is KIND_HOST_TENSOR for one in made):
            return False
        found = [self._kinds.infer(one) for one in joined.elts]
        return not any(what.pending or what.kind is KIND_TENSOR for what in found)

    def of_arguments(self, node: ast.Call) -> AbstractValue:
        """The tensor that a function gives: in CPU memory only if all its tensors surely are."""
        return self._combined(self._kinds.infer(argument) for argument in given_tensors(node))

    def of_distribution(self, node: ast.Call) -> AbstractValue:
        """The parameters of a distribution that a call makes; of numbers it makes tensors of the host."""
        keywords = [item.value for item in node.keywords if item.arg != "validate_args"]
        found = [self._kinds.infer(argument) for argument in (*node.args, *keywords)]
        if all(what.kind is KIND_NUMBER for what in found):
            return HOST
        return self._combined(what for what in found if what.kind is not KIND_NUMBER)

    def _combined(self, given: Iterable[AbstractValue]) -> AbstractValue:
        found = list(given)
        known = [what for what in found if not what.pending]
        kinds = {what.element if what.kind is KIND_OBJECT else what.kind for what in known}
        if len(known) < len(found) and not kinds & {KIND_TENSOR, KIND_UNKNOWN}:
            return PENDING
        return HOST if KIND_HOST_TENSOR in kinds and not kinds & {KIND_TENSOR, KIND_UNKNOWN} else TENSOR

    def _is_pair(self, node: ast.Call, others: list[ast.expr]) -> bool:
        """Whether a reduction is told a dimension, and so gives values and indices."""
        if any(keyword.arg == "dim" for keyword in node.keywords):
            return True
        return bool(others) and self._kinds.kind(others[0]) is KIND_NUMBER

    def _placed(self, node: ast.Call, unplaced: AbstractValue) -> AbstractValue:
        """A tensor made with or without a ``device`` argument."""
        for keyword in node.keywords:
            if keyword.arg == "device":
                if isinstance(keyword.value, ast.Constant) and keyword.value.value is None:
                    return unplaced
                return self._on(keyword.value)
        return unplaced

    def _on(self, device: ast.expr) -> AbstractValue:
        """A tensor on a device."""
        if isinstance(device, ast.Constant):
            return HOST if device.value == "cpu" else TENSOR
        if device.__class__ is ast.Call and self._facts.names.qualified(device.func) == "torch.device":
            return self._on(device.args[0]) if device.args else TENSOR
        if device.__class__ is ast.Attribute and device.attr == "device":
            owner = self._kinds.infer(device.value)
            if owner.pending:
                return PENDING
            return HOST if owner.kind is KIND_HOST_TENSOR else TENSOR
        told = self._facts.value(device) if device.__class__ is ast.Name else None
        if isinstance(told, (ast.Constant, ast.Call)):
            return self._on(told)  # device = torch.device("cpu")
        return TENSOR

    def masked(self, found: AbstractValue, node: ast.Call, gives_mask: bool) -> AbstractValue:
        """What a call gives, told whether it is a tensor of booleans."""
        if found.kind not in TENSOR_KINDS:
            return found
        arguments = [*node.args, *(item.value for item in node.keywords if item.arg == "dtype")]
        asked = any(self._is_bool(argument) for argument in arguments)
        return found._replace(mask=gives_mask or asked or _tells_truths(node))

    def names_dtype(self, node: ast.Call) -> bool:
        """Whether ``.to(...)`` is told a dtype."""
        return any(item.arg in {"dtype", "other"} for item in node.keywords) or any(
            self._dtype(argument) is not Dtype.NONE
            or "dtype" in words(last_name(argument))
            or self._kinds.kind(argument) in TENSOR_KINDS
            for argument in node.args
        )

    def names_integers(self, node: ast.Call) -> bool:
        """Whether ``.to(...)`` is told a dtype of integers or booleans."""
        given = [*node.args, *(item.value for item in node.keywords if item.arg == "dtype")]
        return any(self._dtype(argument) in (Dtype.BOOL, Dtype.INTEGER) for argument in given)

    def _dtype(self, node: ast.expr) -> Dtype:
        """What numbers have the dtype that an expression names."""
        name = self._facts.names.qualified(node)
        return effect(name).dtype if name is not None else Dtype.NONE

    def _is_bool(self, node: ast.expr) -> bool:
        """Whether an expression names torch's dtype for booleans, or Python's type."""
        return self._dtype(node) is Dtype.BOOL or self._facts.names.qualified(node) == "bool"

    def method(self, node: ast.Call, owner: AbstractValue, name: str) -> AbstractValue:
        """What a method of a tensor gives."""
        told = TENSOR_CLASS.step(name).effect
        returns, lands = told.returns, told.lands
        if returns is Result.SIZES:
            return NUMBER if node.args or node.keywords else holding(NUMBER)
        if not told.gives_tensors:  # of UNKNOWN: `_typed_storage()` and the like, and those of subclasses
            return _OTHERS.get(returns, UNKNOWN)
        if lands in _PLACED:
            return _PLACED[lands]
        if lands is Lands.MOVED:
            return self._moved(node, owner)
        if lands is Lands.TYPED:
            return self._typed(node, owner)
        if lands is Lands.TOLD_OR_LIKE:
            return self._placed(node, owner)
        if returns is Result.TENSORS or (returns is Result.TENSORS_IF_DIM and self._is_pair(node, node.args)):
            return holding(owner)
        if owner.kind is not KIND_HOST_TENSOR:
            return TENSOR
        if lands is Lands.OWNER:
            return owner  # in place, or another view: the tensor stays where it is
        return join([owner, self.of_arguments(node)]) if node.args and self._mixes(node, told) else owner

    def _typed(self, node: ast.Call, owner: AbstractValue) -> AbstractValue:
        """What ``.type(...)`` gives: its name if it is told nothing; types name a device, dtypes do not."""
        told = [*node.args, *(item.value for item in node.keywords if item.arg == "dtype")]
        if not told:
            return OBJECT
        named = told[0].value if isinstance(told[0], ast.Constant) else self._facts.names.qualified(told[0])
        if not isinstance(named, str) or not named.endswith("Tensor"):
            is_type = last_name(told[0]).endswith("Tensor")  # `Tensor = torch.cuda.FloatTensor if ...`
            return UNKNOWN if is_type and owner.kind is KIND_HOST_TENSOR else owner
        return TENSOR if named.startswith(("torch.cuda.", "torch.xpu.")) else HOST

    def _mixes(self, node: ast.Call, told: Effect) -> bool:
        """Whether an argument of a method is, or may be, a tensor elsewhere."""
        kinds = {self._kinds.kind(argument) for argument in node.args}
        # Tensors of two devices cannot be combined, numbers with no dimension left out.
        return KIND_TENSOR in kinds or (KIND_UNKNOWN in kinds and not told.tells & Tells.OPERAND)

    def _moved(self, node: ast.Call, owner: AbstractValue) -> AbstractValue:
        """What ``.to(...)`` gives: the same place if it is told a dtype only."""
        for keyword in node.keywords:
            if keyword.arg in {"device", "other"}:
                return self._on(keyword.value)
        if not node.args:
            return owner
        first = node.args[0]
        if self._dtype(first) is not Dtype.NONE or "dtype" in words(last_name(first)):
            return owner
        given = self._kinds.infer(first)
        if given.kind in TENSOR_KINDS or given.pending:
            return given
        return self._on(first)


def _tells_truths(node: ast.Call) -> bool:
    """Whether a tensor is made of what is true or false: ``torch.tensor([len(row) > 0 for row in rows])``."""
    if f"torch.{last_name(node.func)}" not in FROM_VALUES or len(node.args) != 1:
        return False
    if any(item.arg != "device" for item in node.keywords):
        return False
    values = node.args[0]
    if isinstance(values, (ast.ListComp, ast.GeneratorExp)):
        return _is_truth(values.elt)
    return values.__class__ is ast.List and bool(values.elts) and all(map(_is_truth, values.elts))


def _is_truth(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    return node.__class__ is ast.Compare or (node.__class__ is ast.UnaryOp and node.op.__class__ is ast.Not)
