"""What parameters are, by their annotations, their uses and what calls pass for them."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING, Final

from overhead_lint.project.classes import is_autograd_function
from overhead_lint.project.kinds.abstract_value import (
    HOST,
    NUMBER,
    OBJECT,
    PENDING,
    TENSOR,
    UNKNOWN,
    AbstractValue,
    holding,
    join,
)
from overhead_lint.project.kinds.annotations import CONTAINERS, annotated, may_be_tensor
from overhead_lint.project.kinds.kind_members import (
    KIND_HOST_TENSOR,
    KIND_MODULE,
    KIND_OBJECT,
    KIND_TENSOR,
    KIND_UNKNOWN,
)
from overhead_lint.project.kinds.local_arguments import Passed
from overhead_lint.project.kinds.narrowing import TESTING_CALLS
from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["Parameters", "default_of"]

_PACKING: Final = "torch.nn.utils.rnn.pack_padded_sequence"


class Parameters:
    """Kinds of the parameters of one file's functions.

    Args:
        kinds: infers what calls pass.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._passed = Passed(kinds)
        self._uses = kinds.uses

    @cached_property
    def tested(self) -> frozenset[str]:
        """Names that some test of the file is about."""
        by_class = self._facts.scan.by_class
        about = [
            call.args[0]
            for call in by_class.get(ast.Call, ())
            if call.__class__ is ast.Call and call.args and last_name(call.func) in TESTING_CALLS
        ]
        about += [
            test.left
            for test in by_class.get(ast.Compare, ())
            if test.__class__ is ast.Compare and test.ops[0].__class__ is ast.Is
        ]
        return frozenset(node.id for node in about if node.__class__ is ast.Name)

    def parameter(self, argument: ast.arg) -> AbstractValue:
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
        if argument.annotation is not None and promised.kind is not KIND_TENSOR:
            return self._annotated(argument, function, promised)
        if self._is_packed_by(argument, function):
            return HOST
        if promised.kind is KIND_TENSOR:
            passed = self._given(argument, function)
            kinds = {what.kind for what in passed if not what.pending}
            if passed and not kinds:
                return PENDING
            if KIND_HOST_TENSOR not in kinds:
                return promised
            return HOST if len(kinds) == 1 else UNKNOWN
        default = default_of(arguments, argument)
        if isinstance(default, ast.Constant) and default.value is not None:
            return NUMBER if isinstance(default.value, (int, float)) else OBJECT
        if default is not None and _is_number(default):
            return NUMBER
        if self._is_gradient(argument, function):
            return TENSOR
        passed = self._given(argument, function)
        given = join(passed)
        if given.kind is KIND_HOST_TENSOR or given.pending:
            return given
        forward = self._is_forward(function)
        if given.kind is KIND_TENSOR or self._uses.parameter_as_tensor(
            argument.arg, function, forward=forward
        ):
            return TENSOR
        if self._tells(given, function):
            return given
        if any(what.kind is not KIND_UNKNOWN for what in passed):
            return UNKNOWN
        return self._elsewhere(argument, function)

    def _elsewhere(self, argument: ast.arg, function: ast.AST) -> AbstractValue:
        """What calls of other files pass, but for ``forward``: models call that from elsewhere."""
        if self._is_forward(function):
            return UNKNOWN
        return self._kinds.elsewhere(self._passed.path(argument, function))

    def _annotated(self, argument: ast.arg, function: ast.AST, promised: AbstractValue) -> AbstractValue:
        """What a parameter is that an annotation says to be no tensor, or not only that."""
        if self._made_tensor(argument, function):
            return TENSOR
        bare = promised.kind is KIND_OBJECT and promised.element is KIND_UNKNOWN and not promised.parts
        name = last_name(argument.annotation) if argument.annotation is not None else ""
        if bare and name in CONTAINERS:
            given = join(self._given(argument, function))
            return given if given.kind is KIND_OBJECT else promised
        # `OptTensor`: a name of the project for what uses show to be a tensor.
        if promised == UNKNOWN and isinstance(argument.annotation, (ast.Name, ast.Attribute)):
            if argument.arg in self.tested or name.lower().endswith("dict"):
                return promised  # it may be something else as well
            told = self._uses.parameter_as_tensor(argument.arg, function, forward=False)
            return TENSOR if told else promised
        return promised

    def _given(self, argument: ast.arg, function: ast.AST) -> list[AbstractValue]:
        """What calls in this file pass, but for ``forward``: models call that from elsewhere."""
        cls = self._facts.class_holding(function)
        if cls is not None and cls.is_module and getattr(function, "name", "") == "forward":
            return []
        return self._passed.to(argument, function)

    def _tells(self, given: AbstractValue, function: ast.AST) -> bool:
        """Whether what calls pass says what a parameter is: others may call what has no private name."""
        if given.kind is KIND_OBJECT and (given.parts or given.element is not KIND_UNKNOWN):
            return True
        name = getattr(function, "name", "")
        private = name.startswith("_") and not name.startswith("__")
        return given.kind is KIND_MODULE or private

    def _made_tensor(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a parameter that may be a tensor is made one where it is something else.

        ``if isinstance(factor, float): factor = torch.as_tensor(factor)`` leaves a tensor behind.
        """
        if argument.arg not in self.tested or not may_be_tensor(argument.annotation):
            return False
        scan = self._facts.scan
        for statement in scan.within(function, ast.Assign):
            named = [target.id for target in statement.targets if target.__class__ is ast.Name]
            test = scan.parents.get(statement)
            if named != [argument.arg] or test.__class__ is not ast.If:
                continue
            for call in (test.test, *scan.within(test.test, ast.Call)):
                if call.__class__ is ast.Call and call.args and last_name(call.func) in TESTING_CALLS:
                    asked = call.args[0]
                    if asked.__class__ is ast.Name and asked.id == argument.arg:
                        return True
        return False

    def _is_gradient(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a parameter is a gradient that ``backward`` of an autograd function is given."""
        cls = self._facts.class_holding(function)
        if cls is None or getattr(function, "name", "") != "backward" or not is_autograd_function(cls):
            return False
        assert isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        return argument not in function.args.args[:1]

    def _is_packed_by(self, argument: ast.arg, function: ast.AST) -> bool:
        """Whether a parameter is handed over as lengths to pack, which have to be in CPU memory."""
        if not self._facts.call_index.has(_PACKING):
            return False
        for use in self._uses.of(function).get(argument.arg, ()):
            call = self._facts.scan.parents.get(use)
            if call.__class__ is ast.keyword:
                call = self._facts.scan.parents.get(call) if call.arg == "lengths" else None
            if call.__class__ is ast.Call and self._facts.names.qualified(call.func) == _PACKING:
                return use not in call.args or call.args.index(use) == 1
        return False

    def _is_forward(self, function: ast.AST) -> bool:
        """Whether a function is called with tensors: ``forward`` of a module or autograd function."""
        cls = self._facts.class_holding(function)
        name = getattr(function, "name", "")
        if cls is None:
            return False
        return (cls.is_module and name == "forward") or (
            is_autograd_function(cls) and name in {"forward", "backward"}
        )


def default_of(arguments: ast.arguments, argument: ast.arg) -> ast.expr | None:
    """The default of a parameter, if it has one."""
    if argument is arguments.vararg or argument is arguments.kwarg:
        return None
    if argument in arguments.kwonlyargs:
        return arguments.kw_defaults[arguments.kwonlyargs.index(argument)]
    positional = [*arguments.posonlyargs, *arguments.args]
    index = positional.index(argument) - (len(positional) - len(arguments.defaults))
    return arguments.defaults[index] if index >= 0 else None


def _is_number(node: ast.expr) -> bool:
    """Whether a default is made of numbers that are written there: ``-1``, ``2**31``, ``float("inf")``."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float))
    if node.__class__ is ast.UnaryOp:
        return _is_number(node.operand)
    if node.__class__ is ast.BinOp:
        return _is_number(node.left) and _is_number(node.right)
    return node.__class__ is ast.Call and node.func.__class__ is ast.Name and node.func.id == "float"
