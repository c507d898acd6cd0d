"""What expressions are, one function a class of them: names, attributes, operators, displays, items."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from overhead_lint.analysis.effects.effect import Result
from overhead_lint.analysis.effects.lookup import TENSOR as TENSOR_CLASS
from overhead_lint.analysis.effects.lookup import symbol
from overhead_lint.project.kinds import distributions
from overhead_lint.project.kinds.abstract_value import (
    ARRAY,
    GUESS,
    HOST,
    MODULE,
    NUMBER,
    OBJECT,
    PENDING,
    PLAIN,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    entry,
    holding,
    item,
    join,
    mapping,
    with_parts,
)
from overhead_lint.project.kinds.containers import constant_key, is_empty
from overhead_lint.project.kinds.kind_members import (
    KIND_ARRAY,
    KIND_HOST_TENSOR,
    KIND_MODULE,
    KIND_NUMBER,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.syntax.grammar import TEMPLATES
from overhead_lint.syntax.receivers import is_self

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds
    from overhead_lint.rule import Kind

__all__ = ["INFER", "constant"]

_MODULE_CLASS: Final = symbol("torch.nn.Module")
# What attributes of tensors are that are none themselves.
_OF_TENSORS: Final = {Result.NUMBER: NUMBER, Result.SIZES: holding(NUMBER), Result.OBJECT: OBJECT}
# Mappings with more keys are tables, and not what a function gives.
_MOST_KEYS: Final = 24
# What gives a tensor of booleans for two of them.
_OF_MASKS: Final = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Mult)


def _name(kinds: Kinds, node: ast.Name) -> AbstractValue:
    """What a name is where it is used."""
    found = kinds.bindings.name(node)
    said = kinds.bindings.tested(node)
    if said is None:
        return found
    kind, holds = said
    if not holds:
        return UNKNOWN if found.kind is kind else found
    if kind is KIND_TENSOR and found.kind in (KIND_HOST_TENSOR, KIND_NUMBER):
        return found  # a test that a number is a tensor holds for what stands in for it while tracing
    return PLAIN[kind]


def _attribute(kinds: Kinds, node: ast.Attribute) -> AbstractValue:
    """What an attribute is."""
    qualified = kinds.facts.names.qualified(node)
    if qualified is not None:
        found = _global_attribute(qualified)
        return kinds.elsewhere(qualified) if found is UNKNOWN and qualified[0] != "." else found
    own = kinds.attributes.own(node)
    if own is not None:
        return own
    name = node.attr
    if name == "grad":
        return TENSOR
    if name == "saved_tensors":
        return holding(TENSOR)
    if name == "batch_sizes" and node.value.__class__ is ast.Name and not is_self(node.value):
        return HOST  # of a packed sequence, wherever its data lie
    value = kinds.infer(node.value)
    if value.kind in (KIND_TENSOR, KIND_HOST_TENSOR):
        told = TENSOR_CLASS.step(name).effect
        if told.is_attribute:
            return value if told.returns is Result.TENSOR else _OF_TENSORS[told.returns]
    if value.kind is KIND_UNKNOWN and value.known and name == "shape":
        return holding(NUMBER)  # of a tensor or an array
    if value.kind is KIND_MODULE and _MODULE_CLASS.step(name).effect.is_attribute:
        return TENSOR
    if value.kind is KIND_ARRAY:
        return holding(NUMBER) if name == "shape" else ARRAY if name == "T" else UNKNOWN
    if distributions.is_distribution(value):
        return distributions.attribute(value, name) or UNKNOWN
    if value.kind is KIND_OBJECT and name in {"values", "indices"} and _is_tensor(value.element):
        return PLAIN[value.element]
    if name in value.keys and not value.mapping:
        return entry(value, name)
    if value.kind in (KIND_UNKNOWN, KIND_OBJECT, KIND_MODULE):
        found = kinds.attributes.of_instance(node) or kinds.elsewhere(kinds.facts.paths.certain(node))
        return PENDING if value.pending and found is UNKNOWN else found
    # What was guessed to be a tensor may hold one.
    return kinds.elsewhere(kinds.facts.paths.certain(node)) if value is GUESS else UNKNOWN


def _compare(kinds: Kinds, node: ast.Compare) -> AbstractValue:
    """What a comparison gives: a mask where a tensor is compared by value."""
    if any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
        return NUMBER
    sides = [node.left, *node.comparators]
    if any(isinstance(side, ast.Constant) and isinstance(side.value, (str, type(None))) for side in sides):
        return NUMBER
    found = kinds.operation(sides)
    if _is_tensor(found.kind):
        return found._replace(mask=True)
    return NUMBER if found.kind is KIND_OBJECT else found


def _binary(kinds: Kinds, node: ast.BinOp) -> AbstractValue:
    """What an operator gives: a mask for ``&``, ``|``, ``^`` and ``*`` of masks."""
    if is_empty(node):
        return OBJECT  # `[None] * n`, to be filled
    if node.op.__class__ is ast.Mod and kinds.kind(node.left) is KIND_OBJECT:
        return OBJECT  # a text that is filled in
    if node.op.__class__ is ast.Mult and node.left.__class__ is ast.List:
        return kinds.infer(node.left)._replace(parts=())
    found = kinds.operation([node.left, node.right])
    if isinstance(node.op, _OF_MASKS) and _is_tensor(found.kind):
        return found._replace(mask=kinds.infer(node.left).mask and kinds.infer(node.right).mask)
    return found


def _subscript(kinds: Kinds, node: ast.Subscript) -> AbstractValue:
    """What indexing gives."""
    value = kinds.infer(node.value)
    key = constant_key(node.slice)
    if key is not None and value.kind in (KIND_UNKNOWN, KIND_OBJECT):
        found = kinds.containers.entry(node, key)
        if found.kind is not KIND_UNKNOWN or not found.known:
            return found
    if _is_tensor(value.kind) and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
        return UNKNOWN  # a dict of anything, wrongly annotated
    if value.kind in (KIND_TENSOR, KIND_HOST_TENSOR, KIND_ARRAY):
        return value
    if value.kind is KIND_OBJECT:
        if node.slice.__class__ is ast.Slice:
            return value._replace(parts=())
        return item(value, _constant_index(node.slice))
    if value.kind is KIND_MODULE and node.slice.__class__ is not ast.Slice:
        return MODULE  # Sequential, ModuleList, ModuleDict
    if value.kind is KIND_UNKNOWN and isinstance(node.slice, ast.Constant) and node.slice.value == "params":
        return holding(TENSOR)  # a group of an optimizer's param_groups
    if value.kind is KIND_UNKNOWN and value.known and kinds.uses.entry_as_tensor(node):
        return TENSOR
    return PENDING if value.pending else UNKNOWN


def _constant_index(index: ast.expr) -> int | None:
    """The number that an index is written as."""
    if index.__class__ is ast.UnaryOp and index.op.__class__ is ast.USub:
        inner = _constant_index(index.operand)
        return -inner if inner is not None else None
    value = index.value if isinstance(index, ast.Constant) else None
    return value if isinstance(value, int) else None


def _is_tensor(kind: Kind) -> bool:
    return kind in (KIND_TENSOR, KIND_HOST_TENSOR)


def _global_attribute(qualified: str) -> AbstractValue:
    """What a dotted name of another module is: a constant, or something unknown."""
    module, _, last = qualified.rpartition(".")
    if module in {"math", "torch", "numpy"} and last in {"inf", "pi", "nan", "e", "tau"}:
        return NUMBER
    if module in {"torch", "numpy"}:  # dtypes, classes, functions
        return OBJECT
    return UNKNOWN


def constant(kinds: Kinds, node: ast.Constant) -> AbstractValue:
    """What something written out is."""
    return NUMBER if isinstance(node.value, (int, float, complex)) else OBJECT


def _unary(kinds: Kinds, node: ast.UnaryOp) -> AbstractValue:
    if node.op.__class__ is ast.Not:
        return NUMBER
    found = kinds.operation([node.operand])
    if node.op.__class__ is ast.Invert and _is_tensor(found.kind):
        return found._replace(mask=kinds.infer(node.operand).mask)
    return found


def _sequence(kinds: Kinds, node: ast.List | ast.Tuple | ast.Set) -> AbstractValue:
    parts = tuple(kinds.infer(element) for element in node.elts)
    loose = node.__class__ is ast.Set or any(element.__class__ is ast.Starred for element in node.elts)
    if not parts:
        return OBJECT
    found = holding(join(parts))
    return found if loose or found.pending else with_parts(found, parts)


def _dictionary(kinds: Kinds, node: ast.Dict) -> AbstractValue:
    held, others = {}, []
    for key, value in zip(node.keys, node.values, strict=True):
        found = kinds.infer(value)
        written = constant_key(key) if key is not None else None
        if written is not None and written.isidentifier():
            held[written] = found
        else:  # `**others` may hold keys that stand before it, too
            others.append(item(found) if key is None else found)
            held = {} if key is None else held
    element = join([*held.values(), *others])
    if not 0 < len(held) <= _MOST_KEYS:
        return mapping(element)
    return with_parts(mapping(element), held.values(), tuple(held))


def _iterated_as(kinds: Kinds, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> AbstractValue:
    if node.elt.__class__ is ast.Starred:  # ``[*row for row in rows]``, from Python 3.15 on
        return holding(item(kinds.infer(node.elt.value)))
    return holding(kinds.infer(node.elt))


def _mapped(kinds: Kinds, node: ast.DictComp) -> AbstractValue:
    value: Any = node.value
    if value is None:  # ``{**one for one in mappings}``, from Python 3.15 on
        return mapping(item(kinds.infer(node.key)))
    return mapping(kinds.infer(value))


INFER: Final[dict[type, Callable[[Kinds, Any], AbstractValue]]] = {
    ast.Attribute: _attribute,
    ast.Await: lambda kinds, node: kinds.infer(node.value),
    ast.BinOp: _binary,
    ast.BoolOp: lambda kinds, node: kinds.any_of(node.values),
    ast.Call: lambda kinds, node: kinds.calls.call(node),
    ast.Compare: _compare,
    ast.Constant: constant,
    ast.Dict: _dictionary,
    ast.DictComp: _mapped,
    ast.GeneratorExp: _iterated_as,
    ast.IfExp: lambda kinds, node: kinds.any_of([node.body, node.orelse]),
    ast.JoinedStr: lambda kinds, node: OBJECT,
    ast.Lambda: lambda kinds, node: OBJECT,
    ast.List: _sequence,
    ast.ListComp: _iterated_as,
    ast.Name: _name,
    ast.NamedExpr: lambda kinds, node: kinds.infer(node.value),
    ast.Set: _sequence,
    ast.SetComp: _iterated_as,
    ast.Starred: lambda kinds, node: kinds.infer(node.value),
    ast.Subscript: _subscript,
    ast.Tuple: _sequence,
    ast.UnaryOp: _unary,
    **dict.fromkeys(TEMPLATES, lambda kinds, node: OBJECT),
}
