"""What parameters are, by their annotations, their uses and what calls pass for them."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.annotations import annotated, may_be_tensor
from overhead_lint.project.classes import is_autograd_function
from overhead_lint.project.names import last_name
from overhead_lint.project.narrowing import TESTING_CALLS
from overhead_lint.project.torch_names import (
    FACTORIES,
    FORWARD_USES,
    HOST_FACTORIES,
    TENSOR_ONLY,
    is_dtype,
    is_tensor_function,
)
from overhead_lint.project.what import HOST, NUMBER, OBJECT, TENSOR, UNKNOWN, What, holding
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.project.kinds import Kinds

__all__ = ["Parameters"]

# Functions whose first argument may be a sequence or a number.
_NOT_EVIDENCE: Final = (
    FACTORIES
    | HOST_FACTORIES
    | frozenset(
        """as_tensor asarray block_diag broadcast_tensors cartesian_prod cat column_stack concat concatenate
    dstack einsum from_numpy hstack stack vstack where meshgrid pow""".split()  # noqa: SIM905
    )
)
_EVIDENCE_NEEDED: Final = 3
_PACKING: Final = "torch.nn.utils.rnn.pack_padded_sequence"
# More calls of a method than these are not looked at for what they pass.
_MOST_CALLS: Final = 8


class Parameters:
    """Kinds of the parameters of one file's functions.

    Args:
        kinds: infers what calls pass.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._uses: dict[ast.AST, dict[str, list[ast.Name]]] = {}

    @cached_property
    def tested(self) -> frozenset[str]:
        """Names that some test of the file is about."""
        by_class = self._facts.scan.by_class
        about = [
            call.args[0]
            for call in by_class.get(ast.Call, ())
            if isinstance(call, ast.Call) and call.args and last_name(call.func) in TESTING_CALLS
        ]
        about += [
            test.left
            for test in by_class.get(ast.Compare, ())
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
        ]
        return frozenset(node.id for node in about if isinstance(node, ast.Name))

    def parameter(self, argument: ast.arg) -> What:
        """What a parameter is, by its annotation, its default, its uses and what calls pass."""
        parents = self._facts.scan.parents
        arguments = parents[argument]
        assert isinstance(arguments, ast.arguments)
        function = parents[arguments]
        if argument is arguments.kwarg:
            return OBJECT
        promised = annotated(argument.annotation)
        if argument is arguments.vararg:
            return holding(TENSOR if self._is_gradient(argument, function) else promised)
        if argument.annotation is not None and promised.kind is not Kind.TENSOR:
            return TENSOR if self._made_tensor(argument, function) else promised
        if self._is_packed_by(argument, function):
            return HOST
        if promised.kind is Kind.TENSOR:
            given = self._given(argument, function)
            if Kind.HOST_TENSOR not in given:
                return TENSOR
            return HOST if given == {Kind.HOST_TENSOR} else UNKNOWN
        default = _default(arguments, argument)
        if isinstance(default, ast.Constant) and default.value is not None:
            return NUMBER if isinstance(default.value, (int, float)) else OBJECT
        if self._is_gradient(argument, function):
            return TENSOR
        known = self._used_as_tensor(argument, function) or self._given_tensors(argument, function)
        return TENSOR if known else UNKNOWN

    def _made_tensor(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a parameter that may be a tensor is made one where it is something else.

        ``if isinstance(factor, float): factor = torch.as_tensor(factor)`` leaves a tensor behind.
        """
        if argument.arg not in self.tested or not may_be_tensor(argument.annotation):
            return False
        scan = self._facts.scan
        for statement in scan.within(function, ast.Assign):
            named = [target.id for target in statement.targets if isinstance(target, ast.Name)]
            test = scan.parents.get(statement)
            if named != [argument.arg] or not isinstance(test, ast.If):
                continue
            for call in (test.test, *scan.within(test.test, ast.Call)):
                if isinstance(call, ast.Call) and call.args and last_name(call.func) in TESTING_CALLS:
                    asked = call.args[0]
                    if isinstance(asked, ast.Name) and asked.id == argument.arg:
                        return True
        return False

    def _is_gradient(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a parameter is a gradient that ``backward`` of an autograd function is given."""
        cls = self._facts.class_holding(function)
        if cls is None or getattr(function, "name", "") != "backward" or not is_autograd_function(cls):
            return False
        assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        return argument not in function.args.args[:1]

    def _given(self, argument: ast.arg, function: ast.AST) -> set[Kind]:
        """What the calls in this file pass for a parameter."""
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) or self._is_forward(function):
            return set()
        positional = [*function.args.posonlyargs, *function.args.args]
        index = positional.index(argument) if argument in positional else None
        if positional[:1] and positional[0].arg in {"self", "cls"} and index is not None:
            index -= 1
        kinds: set[Kind] = set()
        for call in self._facts.calls_by_name.get(function.name, ()):
            given = [keyword.value for keyword in call.keywords if keyword.arg == argument.arg]
            if index is not None and index < len(call.args):
                given.append(call.args[index])
            kinds.update(self._kinds.kind(value) for value in given)
        return kinds

    def _is_packed_by(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a parameter is handed over as lengths to pack, which have to be in CPU memory."""
        for use in self._uses_of(function).get(argument.arg, ()):
            call = self._facts.scan.parents.get(use)
            if isinstance(call, ast.keyword):
                call = self._facts.scan.parents.get(call) if call.arg == "lengths" else None
            if isinstance(call, ast.Call) and self._facts.names.qualified(call.func) == _PACKING:
                return use not in call.args or call.args.index(use) == 1
        return False

    def _used_as_tensor(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a function uses a parameter as only tensors can be used."""
        if isinstance(function, ast.Lambda) or argument.arg in {"self", "cls", "ctx"}:
            return False
        attributes: set[str] = set()
        parents = self._facts.scan.parents
        forward = self._is_forward(function)
        for use in self._uses_of(function).get(argument.arg, ()):
            holder = parents.get(use)
            if isinstance(holder, ast.Attribute):
                attributes.add(holder.attr)
                if holder.attr == "dtype" and self._is_compared_with_dtype(holder):
                    return True
            elif (
                isinstance(holder, ast.Call)
                and holder.args[:1] == [use]
                and self._takes_tensor(holder, forward)
            ):
                return True
        if forward:
            return bool(attributes & FORWARD_USES)
        return len(attributes & TENSOR_ONLY) >= _EVIDENCE_NEEDED

    def _is_compared_with_dtype(self, node: ast.Attribute) -> bool:
        """Whether an attribute is compared with one of torch's dtypes: ``x.dtype == torch.half``."""
        test = self._facts.scan.parents.get(node)
        if not (isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.Eq, ast.NotEq))):
            return False
        sides = (test.left, *test.comparators)
        return any(is_dtype(self._facts.names.qualified(side)) for side in sides)

    def _given_tensors(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether all calls in this file, of a function or of a method on ``self``, pass it a tensor."""
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        names = function.args.args
        if argument not in names:
            return False
        bound = names[0].arg == "self"
        index = names.index(argument) - bound
        if index < 0 or bound is not (self._facts.class_holding(function) is not None):
            return False
        calls = self._facts.calls_by_name.get(function.name, ())
        return 0 < len(calls) <= _MOST_CALLS and all(
            self._passes_tensor(call, argument.arg, index, bound=bound) for call in calls
        )

    def _passes_tensor(self, call: ast.Call, name: str, index: int, *, bound: bool) -> bool:
        """Whether a call of a plain function, or of a `bound` method of ``self``, is given a tensor."""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        own = isinstance(owner, ast.Name) and owner.id == "self"
        if own is not bound or (owner is not None and not bound):
            return False
        given = [keyword.value for keyword in call.keywords if keyword.arg == name]
        given += call.args[index : index + 1]
        return len(given) == 1 and self._kinds.kind(given[0]) is Kind.TENSOR

    def _takes_tensor(self, call: ast.Call, forward: bool) -> bool:
        """Whether the first argument of a call can only be a tensor."""
        name = self._facts.names.qualified(call.func)
        if name is not None:
            return is_tensor_function(name) and name.rpartition(".")[2] not in _NOT_EVIDENCE
        made_by = self._facts.calls.instance_of(call.func) if forward else None
        return made_by is not None and made_by.startswith("torch.nn.")

    def _is_forward(self, function: ast.AST) -> bool:
        """Whether a function is called with tensors: ``forward`` of a module or autograd function."""
        cls = self._facts.class_holding(function)
        name = getattr(function, "name", "")
        if cls is None:
            return False
        return (cls.is_module and name == "forward") or (
            is_autograd_function(cls) and name in {"forward", "backward"}
        )

    def _uses_of(self, function: ast.AST) -> dict[str, list[ast.Name]]:
        """Where a function reads names, by name."""
        known = self._uses.get(function)
        if known is None:
            known = self._uses[function] = defaultdict(list)
            for node in self._facts.scan.within(function, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    known[node.id].append(node)
        return known


def _default(arguments: ast.arguments, argument: ast.arg) -> ast.expr | None:
    """The default of a parameter, if it has one."""
    if argument in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(argument)]
    positional = [*arguments.posonlyargs, *arguments.args]
    index = positional.index(argument) - (len(positional) - len(arguments.defaults))
    return arguments.defaults[index] if index >= 0 else None
