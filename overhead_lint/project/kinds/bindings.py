"""What names are, and what is assigned to attributes, by how they are bound."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.kinds.abstract_value import (
    HOST,
    MODULE,
    NUMBER,
    OBJECT,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    gone_over,
    holds_unknown,
    item,
    join,
)
from overhead_lint.project.kinds.annotations import annotated
from overhead_lint.project.kinds.kind_members import (
    KIND_HOST_TENSOR,
    KIND_NUMBER,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.project.kinds.narrowing import Narrowed, narrowed
from overhead_lint.project.kinds.parameters import Parameters
from overhead_lint.project.names import last_name
from overhead_lint.project.scan import FUNCTIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["Bindings"]

# More bindings than these in an outer scope, and nobody can say which one holds.
_MOST_OUTER: Final = 4
# Methods of modules that give pairs of a name and something.
_NAMED: Final = {
    "named_buffers": TENSOR,
    "named_children": MODULE,
    "named_modules": MODULE,
    "named_parameters": TENSOR,
}


class Bindings:
    """Kinds by binding.

    Args:
        kinds: infers the bound expressions.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._parameters = Parameters(kinds)

    def tested(self, node: ast.Name) -> Narrowed | None:
        """What tests around a use say about a name."""
        if node.id not in self._parameters.tested or node.ctx.__class__ is not ast.Load:
            return None
        return narrowed(self._facts.scan, node)

    def name(self, node: ast.Name) -> AbstractValue:
        """What a name is by the bindings that may reach its use."""
        scan = self._facts.scan
        found = scan.lookup(node.id, node)
        if found is None:
            return UNKNOWN
        scope, bindings = found
        own = scan.scope_of(node)  # a comprehension runs where it stands
        if scope is own or scope is own.function_or_module() or node.ctx.__class__ is ast.Store:
            bindings = self._facts.flow.reaching(node, bindings)
        elif len(bindings) > _MOST_OUTER:
            return UNKNOWN
        what = self.all_of(bindings)
        if what.kind is KIND_UNKNOWN and what.known and self._is_used_as_tensor(node, scope.node, found[1]):
            return TENSOR
        return what

    def _is_used_as_tensor(self, node: ast.Name, home: ast.AST, bindings: Sequence[ast.AST]) -> bool:
        """Whether something of which nothing else is known is used as only tensors are, by its scope."""
        function = self._facts.function_node(node)
        if not isinstance(function, FUNCTIONS) or bindings[0].__class__ is ast.arg:
            return False
        if not self._kinds.uses.local_as_tensor(node.id, function, home):
            return False
        if all(
            self._is_new_value(one, node.id, first=one is bindings[0])
            for one in bindings
            if not self.is_none(one)
        ):
            return True
        if home is not function:
            return False
        reached = self._facts.flow.reaching(node, bindings)
        return (
            len(reached) == 1
            and self._is_new_value(reached[0], node.id, first=True)
            and self._kinds.uses.value_as_tensor(node.id, function, reached[0], bindings)
        )

    def _is_new_value(self, binding: ast.AST, name: str, *, first: bool) -> bool:
        """Whether a binding may give a tensor of the device: what other objects keep may be elsewhere."""
        kind = self.bound(binding).kind
        if kind is not KIND_UNKNOWN:
            return kind is KIND_TENSOR
        value = self._facts.values.assigned(binding)
        if value is None:
            return first
        if not first and not any(one.id == name for one in self._facts.scan.within(value, ast.Name)):
            return False
        return not _is_kept(value)

    def all_of(self, bindings: Sequence[ast.AST]) -> AbstractValue:
        """What a name is that has any of these bindings."""
        there = [one for one in bindings if not self.is_none(one)] if len(bindings) > 1 else bindings
        found = [self.bound(binding) for binding in there]
        if len(found) < 2:
            return join(found)
        if self._is_made_tensor(there, found):
            return TENSOR
        found = self._with_copies(there, found)
        if _is_sum(found):
            first = min(_line(one) for one, what in zip(there, found, strict=True) if _is_tensor(what))
            starts = all(
                _is_tensor(what) or (_line(one) < first and self._is_number(one))
                for one, what in zip(there, found, strict=True)
            )
            return join(_summed(found)) if starts else UNKNOWN
        return join(found)

    def _is_made_tensor(self, bindings: Sequence[ast.AST], found: list[AbstractValue]) -> bool:
        """Whether a parameter is a tensor: ``if not torch.is_tensor(x): x = torch.tensor(x, device=d)``."""
        names = {one.id for one in bindings if one.__class__ is ast.Name}
        if len(names) != 1 or names.isdisjoint(self._parameters.tested):
            return False
        given = [one.__class__ is ast.arg for one in bindings]
        if not any(given) or not all(
            what.kind is KIND_TENSOR or (is_given and what.kind is KIND_UNKNOWN)
            for is_given, what in zip(given, found, strict=True)
        ):
            return False
        return any(
            one.__class__ is ast.Name and narrowed(self._facts.scan, one) == (KIND_TENSOR, False)
            for one in bindings
        )

    def _with_copies(self, bindings: Sequence[ast.AST], found: list[AbstractValue]) -> list[AbstractValue]:
        """What bindings give, ``.cpu()`` of something unknown taken for a tensor where another gives one.

        Only tensors and modules can be called so, and what is a tensor at other times is no module.
        """
        if not any(what.kind is KIND_HOST_TENSOR for what in found):
            return found
        return [
            HOST if what.kind is KIND_UNKNOWN and self._is_copied_to_host(binding) else what
            for binding, what in zip(bindings, found, strict=True)
        ]

    def _is_copied_to_host(self, binding: ast.AST) -> bool:
        """Whether a binding is ``name = value.cpu()``."""
        value = self._facts.values.assigned(binding)
        return (
            value.__class__ is ast.Call
            and value.func.__class__ is ast.Attribute
            and value.func.attr == "cpu"
            and not value.args
        )

    def _is_number(self, binding: ast.AST) -> bool:
        """Whether a binding is ``name = 0`` or the like."""
        value = self._facts.values.assigned(binding)
        if value.__class__ is ast.UnaryOp:
            value = value.operand
        return isinstance(value, ast.Constant)

    def is_none(self, binding: ast.AST) -> bool:
        """Whether a binding is ``name = None``: a tensor that may be missing is still a tensor."""
        value = self._facts.values.assigned(binding)
        return isinstance(value, ast.Constant) and value.value is None

    def bound(self, binding: ast.AST) -> AbstractValue:
        """What a binding gives its name."""
        if binding.__class__ is ast.arg:
            return self._parameters.parameter(binding)
        if isinstance(binding, FUNCTIONS):
            return OBJECT
        if binding.__class__ is ast.alias:
            return self._kinds.elsewhere(self._facts.names.stands_for([binding]))
        if not isinstance(binding, (ast.Name, ast.Attribute, ast.Subscript)):
            return UNKNOWN
        return self._target(binding)

    def _target(self, target: ast.expr) -> AbstractValue:
        """What an assignment target is given."""
        holder = self._facts.scan.parents.get(target)
        if isinstance(holder, (ast.Assign, ast.NamedExpr)):
            return self._kinds.containers.filled(target, holder.value, self._kinds.infer(holder.value))
        if holder.__class__ is ast.AnnAssign:
            return self._annotated(holder)
        if holder.__class__ is ast.AugAssign:
            return self._augmented(holder)
        if isinstance(holder, (ast.For, ast.AsyncFor, ast.comprehension)):
            return self._item(holder.iter)
        if isinstance(holder, (ast.Tuple, ast.List)):
            return self._unpacked(holder, (holder.elts.index(target),))
        return UNKNOWN

    def _annotated(self, holder: ast.AnnAssign) -> AbstractValue:
        promised = annotated(holder.annotation)
        if promised.kind in (KIND_UNKNOWN, KIND_TENSOR) or holds_unknown(promised):
            found = self._kinds.infer(holder.value) if holder.value is not None else UNKNOWN
            if holder.value is not None:
                found = self._kinds.containers.filled(holder.target, holder.value, found)
            if promised.kind is KIND_UNKNOWN or found.kind is KIND_HOST_TENSOR:
                return found
            if promised.kind is found.kind is KIND_OBJECT:
                return found
        return promised

    def _augmented(self, holder: ast.AugAssign) -> AbstractValue:
        """What ``x += value`` makes of x."""
        return self._kinds.operation([holder.target, holder.value])

    def _unpacked(self, holder: ast.Tuple | ast.List, path: tuple[int, ...]) -> AbstractValue:
        """What a target is given that is unpacked: `path` leads to it through nested tuples."""
        outer = self._facts.scan.parents.get(holder)
        if isinstance(outer, (ast.Tuple, ast.List)):
            return self._unpacked(outer, (outer.elts.index(holder), *path))
        if isinstance(outer, (ast.For, ast.AsyncFor, ast.comprehension)):
            return self._item(outer.iter, path)
        if outer.__class__ is not ast.Assign:
            return UNKNOWN
        value, pattern = outer.value, holder
        while isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(pattern.elts):
            if any(element.__class__ is ast.Starred for element in (*pattern.elts, *value.elts)):
                return UNKNOWN
            value, inner, path = value.elts[path[0]], pattern.elts[path[0]], path[1:]
            if not isinstance(inner, (ast.Tuple, ast.List)):
                return self._kinds.infer(value)
            pattern = inner
        return _at(self._kinds.infer(value), path)

    def _item(self, iterated: ast.expr, path: tuple[int, ...] = ()) -> AbstractValue:
        """What a loop over an expression gives its target, or the target that `path` leads to."""
        if iterated.__class__ is ast.Call:
            name, arguments = last_name(iterated.func), iterated.args
            if name == "enumerate" and arguments and path:
                return NUMBER if path[0] == 0 else self._item(arguments[0], path[1:])
            if name == "zip" and path and path[0] < len(arguments):
                return self._item(arguments[path[0]], path[1:])
            if name in _NAMED and path:
                return OBJECT if path[0] == 0 else _NAMED[name]
            if name in {"tqdm", "islice", "reversed", "list", "tuple"} and arguments:
                return self._item(arguments[0], path)
            if name in {"range", "trange"}:
                return NUMBER
            if name in {"modules", "children"}:
                return MODULE
            if name == "items" and not arguments and path and iterated.func.__class__ is ast.Attribute:
                owner = self._kinds.infer(iterated.func.value)
                return OBJECT if path[0] == 0 else _at(item(owner), path[1:])
        return _at(gone_over(self._kinds.infer(iterated)), path)

    def assigned(self, targets: Sequence[ast.Attribute]) -> AbstractValue:
        """What an attribute is that is assigned to at these places."""
        parents = self._facts.scan.parents
        plain = [one for one in targets if not isinstance(parents.get(one), ast.AugAssign)]
        there = [one for one in plain if not self.is_none(one)] if len(plain) > 1 else plain
        found = self._with_copies(there, [self.bound(one) for one in there])
        first = join(found)
        if len(plain) == len(targets) or _is_tensor(first):
            return first  # what is added to a tensor in place leaves it where it is
        holders = (parents[one] for one in targets)
        found += [self._augmented(holder) for holder in holders if holder.__class__ is ast.AugAssign]
        return join(_summed(found)) if _is_sum(found) and all(map(self._is_number, there)) else join(found)


def _is_sum(found: list[AbstractValue]) -> bool:
    """Whether something is a tensor, or a number that it is before tensors are added to it."""
    kinds = {what.kind for what in found if what.known}
    return KIND_NUMBER in kinds and len(kinds) > 1 and kinds <= {KIND_NUMBER, KIND_TENSOR, KIND_HOST_TENSOR}


def _summed(found: list[AbstractValue]) -> list[AbstractValue]:
    return [what._replace(mask=False) for what in found if _is_tensor(what)]


def _line(node: ast.AST) -> int:
    return node.lineno  # type: ignore[attr-defined, no-any-return]


def _is_tensor(what: AbstractValue) -> bool:
    return what.kind in (KIND_TENSOR, KIND_HOST_TENSOR)


def _is_kept(value: ast.expr) -> bool:
    """Whether an expression is what an object keeps, or made of that: ``self.weights.clone()``."""
    called = False
    while isinstance(value, (ast.Attribute, ast.Call, ast.Subscript)):
        if value.__class__ is ast.Attribute and not called:
            return True
        called = value.__class__ is ast.Call
        value = value.func if isinstance(value, ast.Call) else value.value
    return False


def _at(what: AbstractValue, path: tuple[int, ...]) -> AbstractValue:
    """What unpacking gives at the end of a path through nested tuples."""
    for place in path:
        what = item(what, place)
    return what
