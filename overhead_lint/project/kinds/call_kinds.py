"""What calls give: of imported functions, builtins, and functions and classes of the file."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.effect import Mask, Result
from overhead_lint.analysis.effects.lookup import effect
from overhead_lint.project.edges import Via
from overhead_lint.project.kinds import distributions
from overhead_lint.project.kinds.abstract_value import (
    ARRAY,
    HOST,
    MODULE,
    NUMBER,
    OBJECT,
    TENSOR,
    TENSOR_KINDS,
    UNKNOWN,
    AbstractValue,
    gone_over,
    holding,
    join,
    mapping,
    with_parts,
)
from overhead_lint.project.kinds.annotations import annotated
from overhead_lint.project.kinds.kind_members import KIND_MODULE, KIND_NUMBER, KIND_UNKNOWN
from overhead_lint.project.kinds.method_calls import MethodCalls
from overhead_lint.project.kinds.named_tuples import NamedTuples
from overhead_lint.project.kinds.tensor_calls import TensorCalls
from overhead_lint.project.paths import INSTANCE

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["CallKinds"]

# What adding up, or taking the next of many, gives as it is.
_SUMMED: Final = (*TENSOR_KINDS, KIND_NUMBER)
_NUMBER_BUILTINS: Final = frozenset(
    {"all", "any", "bool", "float", "hash", "id", "int", "isinstance", "len", "ord", "issubclass", "callable"}
)
_OBJECT_BUILTINS: Final = frozenset({"bytes", "format", "open", "print", "repr", "slice", "str", "type"})
_CONTAINER_BUILTINS: Final = frozenset({"frozenset", "iter", "list", "reversed", "set", "sorted", "tuple"})
_MAPPINGS: Final = frozenset({"OrderedDict", "defaultdict"})
# What says what something is, and does nothing.
_CASTS: Final = frozenset({"typing.cast", "typing_extensions.cast"})
# What calls give that give no tensors, by what a table says.
_OTHERS: Final = {Result.NUMBER: NUMBER, Result.OBJECT: OBJECT, Result.ARRAY: ARRAY, Result.MODULE: MODULE}


class CallKinds:
    """Kinds of calls.

    Args:
        kinds: infers functions and arguments.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts
        self._tensors = TensorCalls(kinds)
        self._methods = MethodCalls(kinds, self._tensors)
        self._named_tuples = NamedTuples(kinds)

    def call(self, node: ast.Call) -> AbstractValue:
        """What a call gives."""
        function = node.func
        if any(keyword.arg == "return_tensors" for keyword in node.keywords):
            return holding(HOST)  # tokenizers and processors, before anything is moved
        name = self._facts.names.qualified(function)
        if name is None or name.startswith("."):
            made = self._named_tuples.made(node)
            if made is not None:
                return made
        if name is not None:
            found = self._named(node, name)
            return self._kinds.elsewhere(f"{name}{INSTANCE}") if found is UNKNOWN else found
        if function.__class__ is ast.Name and self._facts.scan.lookup(function.id, function) is None:
            return self._builtin(node, function.id)
        if function.__class__ is ast.Attribute:
            given = self._methods.call(node, function)
            if given is not None:
                return given
        written = [self._run(one, node) for one in self._facts.values.at(function)]
        if written and None not in written:
            return join(what for what in written if what is not None)
        if function.__class__ is ast.Name and function.id == "closure" and self._is_of_step(function):
            return TENSOR
        if self._kinds.kind(function) is KIND_MODULE:
            return self.module_call(function)
        return self._of_instance(function)

    def _is_of_step(self, name: ast.Name) -> bool:
        """Whether a name is what an optimizer's ``step(closure)`` is given, which gives the loss."""
        found = self._facts.scan.lookup(name.id, name)
        if found is None or len(found[1]) != 1 or not isinstance(found[1][0], ast.arg):
            return False
        function = found[0].node
        return function.__class__ is ast.FunctionDef and (
            function.name == "step" and self._facts.class_holding(function) is not None
        )

    def _run(self, written: ast.expr, node: ast.Call) -> AbstractValue | None:
        """What a call of a local name gives that stands for a lambda, or for a function of torch."""
        if written.__class__ is ast.Lambda:
            return self._kinds.infer(written.body)
        told = effect(self._facts.names.qualified(written) or "")
        return self._tensors.function(node, told) if told.computes else None

    def _of_instance(self, function: ast.expr) -> AbstractValue:
        """What an instance, or a method of one, gives."""
        path = self._facts.paths.certain(function)
        if path is None:
            return UNKNOWN
        if function.__class__ is ast.Attribute and path.startswith("."):
            found = self._facts.local_graph.functions_of("", path, Via.CALL)
            method = self._facts.calls.definitions.get(found[0]) if len(found) == 1 else None
            if method is not None:
                return self._kinds.returned.of(method)
        return self._kinds.elsewhere(path + INSTANCE)

    def _named(self, node: ast.Call, name: str) -> AbstractValue:
        """What calling something imported, or defined in this file, gives."""
        module, _, last = name.rpartition(".")
        if name.startswith("."):
            return self._local(name)
        told = effect(name)
        if told.compiles:
            return self._kinds.infer(node.args[0]) if node.args else OBJECT
        if name in _CASTS and len(node.args) == 2:
            given = self._kinds.infer(node.args[1])
            return given if given.kind is not KIND_UNKNOWN or given.pending else annotated(node.args[0])
        if told.gives_tensors:
            return self._tensors.masked(self._tensors.function(node, told), node, told.mask is Mask.YES)
        if told.returns is Result.DISTRIBUTION:
            return distributions.distribution(self._tensors.of_distribution(node))
        if told.returns in _OTHERS:
            return _OTHERS[told.returns]
        if module == "collections" and last in _MAPPINGS:
            return mapping(UNKNOWN)
        if module == "collections" and last == "deque":
            return holding(gone_over(self._kinds.infer(node.args[0]))) if node.args else OBJECT
        if last == "from_pretrained" and "Model" in module:
            return MODULE
        return UNKNOWN

    def _local(self, name: str) -> AbstractValue:
        """What calling a function or class of this file gives."""
        found = self._facts.calls.definitions.get(name)
        if found.__class__ is ast.ClassDef:
            return MODULE if self._facts.classes[found].is_module else OBJECT
        if found is None:  # Function.apply and other inherited methods
            owner = self._facts.calls.definitions.get(name.rpartition(".")[0])
            return TENSOR if name.endswith(".apply") and owner.__class__ is ast.ClassDef else UNKNOWN
        return self._kinds.returned.of(found)

    def module_call(self, function: ast.expr) -> AbstractValue:
        """What calling a module gives."""
        name = self._facts.calls.instance_of(function)
        if name is not None and name.startswith("torch.nn."):
            return holding(TENSOR) if effect(name).called is Result.TENSORS else TENSOR
        found = self._facts.calls.definitions.get(f"{name}.forward")
        if found is not None:
            return self._kinds.returned.of(found)
        path = self._facts.paths.certain(function)
        return self._kinds.elsewhere(path + INSTANCE) if path is not None else UNKNOWN

    def _dict(self, node: ast.Call) -> AbstractValue:
        """What ``dict(...)`` gives."""
        taken = self._kinds.infer(node.args[0]) if node.args else mapping(UNKNOWN)
        if node.args:
            return taken if taken.mapping and not node.keywords else mapping(UNKNOWN)
        held = {one.arg: self._kinds.infer(one.value) for one in node.keywords if one.arg is not None}
        if len(held) < len(node.keywords) or not held:
            return mapping(UNKNOWN)
        return with_parts(mapping(join(held.values())), held.values(), tuple(held))

    def _builtin(self, node: ast.Call, name: str) -> AbstractValue:
        """What a builtin gives."""
        first = node.args[0] if node.args else None
        if name in _NUMBER_BUILTINS:
            return NUMBER
        if name == "dict":
            return self._dict(node)
        if name in _OBJECT_BUILTINS:
            return OBJECT
        if name == "range":
            return holding(NUMBER)
        if name in _CONTAINER_BUILTINS:
            return holding(gone_over(self._kinds.infer(first))) if first is not None else OBJECT
        if first is None:
            return UNKNOWN
        if name in {"abs", "round"}:
            return self._kinds.infer(first)
        if name in {"next", "sum"}:
            found = gone_over(self._kinds.infer(first))
            return found if found.kind in _SUMMED or found.pending else UNKNOWN
        if name in {"max", "min"}:
            found = self._kinds.any_of(node.args)
            return found if len(node.args) > 1 and found.kind is KIND_NUMBER else UNKNOWN
        return UNKNOWN
