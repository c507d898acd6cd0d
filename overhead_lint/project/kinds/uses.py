"""What names are by how a function uses them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Dtype
from overhead_lint.analysis.effects.lookup import effect, names_where
from overhead_lint.analysis.effects.tensor_uses import (
    DIMENSIONS,
    EVIDENCE_NEEDED,
    IN_FORWARD,
    NOT_EVIDENCE,
    OF_FUNCTIONS,
    OF_METHODS,
    OF_TENSORS_ALONE,
    TELLING,
)
from overhead_lint.project.kinds.containers import constant_key
from overhead_lint.project.kinds.method_names import COMMON_METHODS
from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from overhead_lint.project.facts import FileFacts

__all__ = ["Uses", "gives_positions", "tells_dimension"]

# Attributes that tensors have; nobody reads the others off one.
_OF_TENSORS: Final = COMMON_METHODS | names_where("torch.Tensor", lambda told: told.is_attribute)
# What lists and texts cannot be counted with.
_OF_NUMBERS: Final = (ast.Div, ast.FloorDiv, ast.MatMult, ast.Pow, ast.Sub)
# Methods that are given the loss: of scalers, engines and trainers.
_GIVEN_LOSS: Final = frozenset({"backward", "manual_backward"})
_NO_VALUES: Final = frozenset({"self", "cls", "ctx"})


class Uses:
    """How the functions of one file use names.

    Args:
        facts: the file.
    """

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        # Reads, by function: of names, and of entries by name and key.
        self._reads_of: dict[ast.AST, dict[str, list[ast.Name]]] = {}
        self._entries: dict[ast.AST, dict[tuple[str, str], list[ast.Subscript]]] = {}
        # Answers, by what was asked.
        self._parameters: dict[tuple[ast.AST, str, bool, ast.AST | None], bool] = {}
        self._locals: dict[tuple[ast.AST, str, ast.AST], bool] = {}
        self._told_entries: dict[tuple[ast.AST, str, str], bool] = {}

    def of(self, function: ast.AST) -> dict[str, list[ast.Name]]:
        """Where a function reads names, by name."""
        known = self._reads_of.get(function)
        if known is None:
            known = self._reads_of[function] = defaultdict(list)
            for node in self._facts.scan.within(function, ast.Name):
                if node.ctx.__class__ is ast.Load:
                    known[node.id].append(node)
        return known

    def _reads(self, name: str, function: ast.AST, home: ast.AST | None) -> list[ast.Name]:
        """Where a function reads a name that a scope binds, the function's own or a comprehension's."""
        home = home or function
        lookup = self._facts.scan.lookup
        reads = self.of(function).get(name, ())
        return [use for use in reads if (found := lookup(name, use)) is None or found[0].node is home]

    def parameter_as_tensor(
        self, name: str, function: ast.AST, *, forward: bool, home: ast.AST | None = None
    ) -> bool:
        """Whether a function uses a parameter as only tensors can be used.

        Args:
            name: the parameter.
            function: the function.
            forward: whether it is called with tensors and little else, as ``forward`` of modules is.
            home: what opens the scope that binds the name, if that is another one than the function.
        """
        asked = function, name, forward, home
        known = self._parameters.get(asked)
        if known is None:
            reads = self._reads(name, function, home)
            if not forward:  # there a name that is used again stands for the next tensor
                reads = self._of_parameter(reads)
            known = self._parameters[asked] = self._used_as_tensor(name, function, reads, forward=forward)
        return known

    def _of_parameter(self, reads: list[ast.Name]) -> list[ast.Name]:
        """Those reads of a name that may be of the parameter, or of what was made of it under that name."""
        facts = self._facts
        found = facts.scan.lookup(reads[0].id, reads[0]) if reads else None
        if found is None or len(found[1]) == 1 or not isinstance(found[1][0], ast.arg):
            return reads
        bindings = found[1]
        made_anew: dict[ast.AST, list[ast.Name]] = {}
        for binding in bindings:
            value = None if binding.__class__ is ast.arg else facts.values.assigned(binding)
            if value is not None:
                within = facts.scan.within(value, ast.Name)
                made_anew[binding] = [name for name in within if name.id == reads[0].id]
        while made_anew:
            of_it = [
                one for one, read in made_anew.items() if any(map(self._reaches(bindings, made_anew), read))
            ]
            if not of_it:
                break
            for one in of_it:
                del made_anew[one]
        return list(filter(self._reaches(bindings, made_anew), reads)) if made_anew else reads

    def _reaches(
        self, bindings: Sequence[ast.AST], others: Mapping[ast.AST, object]
    ) -> Callable[[ast.Name], bool]:
        """Tells of a read whether a binding may hold there that is none of some others."""
        flow = self._facts.flow
        return lambda read: any(one not in others for one in flow.reaching(read, bindings))

    def _used_as_tensor(
        self, name: str, function: ast.AST, reads: Sequence[ast.Name | ast.Subscript], *, forward: bool
    ) -> bool:
        """Whether some reads in a function are of a tensor: one by what only tensors have, or all together.

        Args:
            name: what is read; "" for what is no name.
            function: the function.
            reads: where it is read.
            forward: whether the function is called with tensors and little else.
        """
        if function.__class__ is ast.Lambda or name in _NO_VALUES:
            return False
        attributes: set[str] = set()
        for use in reads:
            holder = self._facts.scan.parents.get(use)
            if holder.__class__ is ast.Attribute:
                attributes.add(holder.attr)
                if holder.attr == "dtype" and self._is_compared_with_dtype(holder):
                    return True
                if holder.attr == "nonzero" and gives_positions(holder, self._facts.scan.parents):
                    return True
            elif holder.__class__ is ast.Call:
                if self._is_tensor_argument(use, holder, forward=forward):
                    return True
            elif holder.__class__ is ast.Subscript and holder.value is use and self._is_sliced(holder):
                return True
        if forward:
            return bool(attributes & IN_FORWARD) and not self._has_parts(reads)
        return len(attributes & OF_TENSORS_ALONE) >= EVIDENCE_NEEDED or (
            bool(attributes & TELLING) and not self._is_keyed(reads)
        )

    def _has_parts(self, reads: Sequence[ast.Name | ast.Subscript]) -> bool:
        """Whether a name that stands for one thing has attributes that tensors lack: ``data.edge_index``."""
        parents = self._facts.scan.parents
        for use in reads:
            holder = parents.get(use)
            if holder.__class__ is not ast.Attribute or holder.attr in _OF_TENSORS or holder.attr[0] == "_":
                continue
            user = parents.get(holder)
            if holder.ctx.__class__ is ast.Load and not (user.__class__ is ast.Call and user.func is holder):
                found = self._facts.scan.lookup(use.id, use) if use.__class__ is ast.Name else None
                return found is not None and len(found[1]) == 1
        return False

    def _is_sliced(self, node: ast.Subscript) -> bool:
        """Whether ``x[:, 0]``, ``x[..., 0]`` or ``x[1:] - x[:-1]`` is a tensor's: arrays have it, too."""
        if node.slice.__class__ is ast.Slice:
            user = self._facts.scan.parents.get(node)
            counts = user.__class__ is ast.BinOp and isinstance(user.op, _OF_NUMBERS)
            return counts and self._facts.torch_use.has_only_tensors
        parts = node.slice.elts if node.slice.__class__ is ast.Tuple else ()
        sliced = any(
            part.__class__ is ast.Slice or (isinstance(part, ast.Constant) and part.value is ...)
            for part in parts
        )
        return sliced and self._facts.torch_use.has_only_tensors

    def entry_as_tensor(self, node: ast.Subscript) -> bool:
        """Whether the function around uses what a name holds by a key as only tensors can be used.

        The key is a text, or an attribute that may well be one: ``batch["mask"]``, ``inputs[properties.Z]``.
        """
        key, function = _key(node.slice), self._facts.function_node(node)
        if function is None or not key or node.value.__class__ is not ast.Name:
            return False
        asked = function, node.value.id, key
        known = self._told_entries.get(asked)
        if known is None:
            self._told_entries[asked] = False  # for a cycle
            reads = self._entries_of(function).get((node.value.id, key), ())
            known = self._used_as_tensor("", function, reads, forward=False)
            self._told_entries[asked] = known
        return known

    def _entries_of(self, function: ast.AST) -> dict[tuple[str, str], list[ast.Subscript]]:
        """Where a function reads what names hold by a key, by name and key."""
        known = self._entries.get(function)
        if known is None:
            known = self._entries[function] = defaultdict(list)
            for node in self._facts.scan.within(function, ast.Subscript):
                if node.value.__class__ is ast.Name and node.ctx.__class__ is ast.Load:
                    key = _key(node.slice)
                    if key:
                        known[node.value.id, key].append(node)
        return known

    def _is_keyed(self, reads: Iterable[ast.Name | ast.Subscript]) -> bool:
        """Whether a name is indexed with text, as what holds tensors by name is."""
        for use in reads:
            holder = self._facts.scan.parents.get(use)
            key = holder.slice if holder.__class__ is ast.Subscript else None
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                return True
        return False

    def local_as_tensor(self, name: str, function: ast.AST, home: ast.AST) -> bool:
        """Whether a function uses a name that it, or a scope in it, binds as only tensors can be used."""
        asked = function, name, home
        known = self._locals.get(asked)
        if known is None:
            known = self._locals[asked] = name not in _NO_VALUES and (
                self.parameter_as_tensor(name, function, forward=False, home=home)
                or any(map(self._is_certain, self._reads(name, function, home)))
            )
        return known

    def value_as_tensor(
        self, name: str, function: ast.AST, binding: ast.AST, bindings: Sequence[ast.AST]
    ) -> bool:
        """Whether what one of the bindings of a local name gives it is used as only tensors can be used.

        Args:
            name: the name.
            function: the function that binds it.
            binding: the binding.
            bindings: all bindings of the name.
        """
        asked = function, name, binding
        known = self._locals.get(asked)
        if known is None:
            flow = self._facts.flow
            reads = [
                read
                for read in self._reads(name, function, None)
                if flow.reaching(read, bindings) == [binding]
            ]
            known = self._locals[asked] = self._used_as_tensor(name, function, reads, forward=False) or any(
                map(self._is_certain, reads)
            )
        return known

    def _is_certain(self, use: ast.Name) -> bool:
        """Whether a use is one of a tensor: ``x.backward()``, ``engine.backward(x)``, ``x.sum(dim=1)``."""
        parents = self._facts.scan.parents
        holder = parents.get(use)
        call = parents.get(holder) if holder.__class__ is ast.Attribute else holder
        if call.__class__ is not ast.Call:
            return False
        if call.func is holder:
            method = last_name(call.func)
            return method == "backward" or (method in DIMENSIONS and tells_dimension(call))
        if call.args[:1] != [use] or call.func.__class__ is not ast.Attribute:
            return False
        if call.func.attr == "scale":  # scaler.scale(loss).backward()
            after = parents.get(call)
            return after.__class__ is ast.Attribute and after.attr == "backward"
        return call.func.attr in _GIVEN_LOSS and self._facts.names.qualified(call.func) is None

    def _is_tensor_argument(self, use: ast.expr, call: ast.Call, *, forward: bool) -> bool:
        """Whether a use is an argument of a call by place, and that can only be a tensor."""
        place = next((place for place, argument in enumerate(call.args) if argument is use), -1)
        if place < 0 or any(one.__class__ is ast.Starred for one in call.args[:place]):
            return False
        name = self._facts.names.qualified(call.func)
        if name is not None:
            last = name.rpartition(".")[2]
            if name == "torch.autograd.grad":
                return place == 0
            if not effect(name).computes:
                return False
            return place in OF_FUNCTIONS.get(last, ()) if place else last not in NOT_EVIDENCE
        if call.func.__class__ is ast.Attribute and place in OF_METHODS.get(call.func.attr, ()):
            return True
        if place:
            return False
        made_by = self._facts.calls.instance_of(call.func) if forward else None
        return made_by is not None and made_by.startswith("torch.nn.")

    def _is_compared_with_dtype(self, node: ast.Attribute) -> bool:
        """Whether an attribute is compared with one of torch's dtypes: ``x.dtype == torch.half``."""
        test = self._facts.scan.parents.get(node)
        if not (test.__class__ is ast.Compare and isinstance(test.ops[0], (ast.Eq, ast.NotEq))):
            return False
        sides = (test.left, *test.comparators)
        return any(self._is_dtype(side) for side in sides)

    def _is_dtype(self, node: ast.expr) -> bool:
        name = self._facts.names.qualified(node)
        return name is not None and effect(name).dtype is not Dtype.NONE


def _key(index: ast.expr) -> str:
    """What tells a key of a mapping from its others; "" if it may be another each time."""
    return ast.dump(index) if constant_key(index) is not None or index.__class__ is ast.Attribute else ""


def gives_positions(method: ast.Attribute, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether what ``x.nonzero()`` gives is used as a tensor is: an array gives a tuple of arrays."""
    call = parents.get(method)
    if call.__class__ is not ast.Call or call.func is not method:
        return False
    if any(keyword.arg == "as_tuple" for keyword in call.keywords):
        return True
    user = parents.get(call)
    if user.__class__ is ast.Subscript:
        return user.value is call and user.slice.__class__ is ast.Tuple
    return user.__class__ is ast.Attribute and user.attr not in {"count", "index"}


def tells_dimension(call: ast.Call) -> bool:
    """Whether a method is told a dimension as those of tensors are, and of nothing else."""
    return any(keyword.arg in {"dim", "keepdim"} for keyword in call.keywords)
