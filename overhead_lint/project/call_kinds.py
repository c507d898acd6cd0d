"""What calls give: torch's functions, methods of tensors and modules, builtins, local functions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.project.annotations import annotated
from overhead_lint.project.conditions import is_none
from overhead_lint.project.containers import constant_key
from overhead_lint.project.edges import Via
from overhead_lint.project.names import last_name
from overhead_lint.project.paths import INSTANCE
from overhead_lint.project.scan import FUNCTIONS
from overhead_lint.project.torch_names import (
    ARITHMETIC,
    ARRAY_METHODS,
    CASTS,
    COMPILE,
    DIMENSIONS,
    ELEMENTWISE,
    FACTORIES,
    GIVES_TENSOR,
    HOST_FACTORIES,
    KEEPS_DTYPE,
    MASK_FUNCTIONS,
    NUMBER_METHODS,
    OBJECT_METHODS,
    SEQUENCE_FUNCTIONS,
    TUPLE_MODULES,
    is_bool_dtype,
    is_dtype,
    is_tensor_function,
)
from overhead_lint.project.uses import tells_dimension
from overhead_lint.project.what import (
    ARRAY,
    HOST,
    MODULE,
    NUMBER,
    OBJECT,
    PENDING,
    TENSOR,
    UNKNOWN,
    What,
    gone_over,
    holding,
    item,
    join,
    mapping,
)
from overhead_lint.project.words import words
from overhead_lint.rule import Kind

if TYPE_CHECKING:
    from overhead_lint.project.kinds import Kinds

__all__ = ["CallKinds"]

_TENSORS: Final = (Kind.TENSOR, Kind.HOST_TENSOR)
# What adding up, or taking the next of many, gives as it is.
_SUMMED: Final = (*_TENSORS, Kind.NUMBER)
_NUMBER_BUILTINS: Final = frozenset(
    {"all", "any", "bool", "float", "hash", "id", "int", "isinstance", "len", "ord", "issubclass", "callable"}
)
_OBJECT_BUILTINS: Final = frozenset({"bytes", "format", "open", "print", "repr", "str", "type"})
_CONTAINER_BUILTINS: Final = frozenset({"frozenset", "iter", "list", "reversed", "set", "sorted", "tuple"})
# Methods of lists and mappings that give what these hold.
_CONTAINER_METHODS: Final = frozenset({"copy", "get", "pop", "setdefault", "values"})
_MAPPINGS: Final = frozenset({"OrderedDict", "defaultdict"})
# Reductions that give values and indices when told a dimension.
_MAYBE_PAIRS: Final = frozenset({"max", "median", "min", "nanmedian"})
_MODULE_METHODS: Final = frozenset(
    """bfloat16 compile cpu cuda double eval float half requires_grad_ to to_empty train xpu
    """.split()  # noqa: SIM905
)
_RETURNS_LOOKED_AT: Final = 4
_TRANSPARENT: Final = frozenset(
    {"abstractmethod", "cache", "cached_property", "classmethod", "lru_cache", "override", "property"}
    | {"staticmethod"}
)
_TRANSPARENT_OF_TORCH: Final = frozenset(
    """torch.enable_grad torch.inference_mode torch.jit.export torch.jit.ignore torch.jit.script
    torch.jit.script_method torch.jit.unused torch.no_grad torch.compiler.disable torch._dynamo.disable
    torch.compiler.allow_in_graph torch._dynamo.allow_in_graph torch.amp.autocast torch.autocast
    torch.cuda.amp.autocast torch.amp.custom_fwd torch.amp.custom_bwd torch.cuda.amp.custom_fwd
    torch.cuda.amp.custom_bwd torch.autograd.function.once_differentiable""".split()  # noqa: SIM905
)
# Functions of a package around torch that take and give tensors.
_EINOPS: Final = frozenset({"einsum", "rearrange", "reduce", "repeat"})


class CallKinds:
    """Kinds of calls.

    Args:
        kinds: infers functions and arguments.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts

    def call(self, node: ast.Call) -> What:
        """What a call gives."""
        function = node.func
        if any(keyword.arg == "return_tensors" for keyword in node.keywords):
            return holding(HOST)  # tokenizers and processors, before anything is moved
        name = self._facts.names.qualified(function)
        if name is not None:
            found = self._named(node, name)
            return self._kinds.elsewhere(f"{name}{INSTANCE}") if found is UNKNOWN else found
        if isinstance(function, ast.Name) and self._facts.scan.lookup(function.id, function) is None:
            return self._builtin(node, function.id)
        if isinstance(function, ast.Attribute):
            given = self._method(node, function)
            if given is not None:
                return given
        if self._kinds.kind(function) is Kind.MODULE:
            return self._module_call(function)
        return self._of_instance(function)

    def _of_instance(self, function: ast.expr) -> What:
        """What an instance, or a method of one, gives."""
        path = self._facts.paths.certain(function)
        if path is None:
            return UNKNOWN
        if isinstance(function, ast.Attribute) and path.startswith("."):
            found = self._facts.local_graph.functions_of("", path, Via.CALL)
            method = self._facts.calls.definitions.get(found[0]) if len(found) == 1 else None
            if method is not None:
                return self.returned(method)
        return self._kinds.elsewhere(path + INSTANCE)

    def _named(self, node: ast.Call, name: str) -> What:
        """What calling something imported, or defined in this file, gives."""
        module, _, last = name.rpartition(".")
        if name.startswith("."):
            return self._local(name)
        if name in COMPILE:
            return self._kinds.what(node.args[0]) if node.args else OBJECT
        if module == "torch.nn" or module.startswith("torch.nn.modules"):
            return TENSOR if last in {"Parameter", "Buffer"} else MODULE if last[:1].isupper() else UNKNOWN
        if name in {"torch.nn.parameter.Parameter", "torch.nn.parameter.Buffer"}:
            return TENSOR
        if is_tensor_function(name):
            return self._masked(self._torch(node, last), node, last in MASK_FUNCTIONS)
        if name == "torch.load":
            return UNKNOWN
        if module in {"torch.cuda", "torch.xpu"} and last.endswith("Tensor"):
            return TENSOR  # torch.cuda.FloatTensor
        if (module == "einops" and last in _EINOPS) or module == "torchvision.ops":
            return self._of_arguments(node)
        if module == "torch":
            return NUMBER if last in {"numel", "allclose", "equal"} or last.startswith("is_") else OBJECT
        if module == "torch.autograd":
            return holding(TENSOR) if last == "grad" else UNKNOWN
        root = name.partition(".")[0]
        if root in {"numpy", "np"}:
            return ARRAY
        if root in {"math", "time", "random", "operator"}:
            return NUMBER if root != "operator" else UNKNOWN
        if module == "collections" and last in _MAPPINGS:
            return mapping(UNKNOWN)
        if module == "collections" and last == "deque":
            return holding(gone_over(self._kinds.what(node.args[0]))) if node.args else OBJECT
        if root in {"os", "pathlib", "json", "logging", "re"}:
            return OBJECT
        if last == "from_pretrained" and "Model" in module:
            return MODULE
        return UNKNOWN

    def _torch(self, node: ast.Call, name: str) -> What:
        """What a function of torch on tensors gives."""
        if name in HOST_FACTORIES:
            return HOST
        if name.endswith("_like") and node.args:
            given = self._kinds.what(node.args[0])
            like = HOST if given.kind is Kind.HOST_TENSOR else TENSOR
            return self._placed(node, PENDING if given.pending else like)
        if name in {"as_tensor", "asarray"}:
            given = self._kinds.what(node.args[0]) if node.args else UNKNOWN
            unplaced = {Kind.TENSOR: TENSOR, Kind.UNKNOWN: TENSOR}.get(given.kind, HOST)
            return self._placed(node, PENDING if given.pending else unplaced)
        if name in FACTORIES:
            given = self._kinds.what(node.args[0]) if name == "tensor" and node.args else UNKNOWN
            fresh = TENSOR if given.kind is Kind.TENSOR or self._facts.default_device(node) else HOST
            return self._placed(node, PENDING if given.pending else fresh)
        if name in SEQUENCE_FUNCTIONS:
            given = self._kinds.what(node.args[0]) if node.args else UNKNOWN
            return holding(given if given.kind is Kind.HOST_TENSOR else self._of_arguments(node))
        if name in _MAYBE_PAIRS and self._is_pair(node, node.args[1:]):
            return holding(self._of_arguments(node))
        return self._of_arguments(node)

    def _of_arguments(self, node: ast.Call) -> What:
        """The tensor that a function gives: in CPU memory only if all its tensors surely are."""
        found = [self._kinds.what(argument) for argument in node.args]
        known = [what for what in found if not what.pending]
        kinds = {what.element if what.kind is Kind.OBJECT else what.kind for what in known}
        if len(known) < len(found) and not kinds & {Kind.TENSOR, Kind.UNKNOWN}:
            return PENDING
        return HOST if Kind.HOST_TENSOR in kinds and not kinds & {Kind.TENSOR, Kind.UNKNOWN} else TENSOR

    def _is_pair(self, node: ast.Call, others: list[ast.expr]) -> bool:
        """Whether a reduction is told a dimension, and so gives values and indices."""
        if any(keyword.arg == "dim" for keyword in node.keywords):
            return True
        return bool(others) and self._kinds.kind(others[0]) is Kind.NUMBER

    def _placed(self, node: ast.Call, unplaced: What) -> What:
        """A tensor made with or without a ``device`` argument."""
        for keyword in node.keywords:
            if keyword.arg == "device":
                if isinstance(keyword.value, ast.Constant) and keyword.value.value is None:
                    return unplaced
                return self._on(keyword.value)
        return unplaced

    def _on(self, device: ast.expr) -> What:
        """A tensor on a device."""
        if isinstance(device, ast.Constant):
            return HOST if device.value == "cpu" else TENSOR
        if isinstance(device, ast.Call) and self._facts.names.qualified(device.func) == "torch.device":
            return self._on(device.args[0]) if device.args else TENSOR
        if isinstance(device, ast.Attribute) and device.attr == "device":
            owner = self._kinds.what(device.value)
            if owner.pending:
                return PENDING
            return HOST if owner.kind is Kind.HOST_TENSOR else TENSOR
        return TENSOR

    def _method(self, node: ast.Call, function: ast.Attribute) -> What | None:
        """What a method call gives; None if nothing is known of the method."""
        name = function.attr
        if name in {"parameters", "buffers"}:
            return holding(TENSOR)
        own = self._own_method(function)
        if own is not None:
            return own
        owner = self._kinds.what(function.value)
        if owner.kind in _TENSORS:
            keeps = owner.mask and (name in KEEPS_DTYPE or (name == "to" and not self._names_dtype(node)))
            found = self._tensor_method(node, owner, name)
            return self._masked(found, node, name in MASK_FUNCTIONS or keeps)
        if name == "item" and not node.args:
            return NUMBER
        if owner.pending:
            return PENDING
        if owner.kind is Kind.MODULE and name in _MODULE_METHODS:
            return MODULE
        if owner.kind is Kind.MODULE and name == "forward":
            return self._module_call(function.value)
        if owner.kind is Kind.ARRAY:
            return OBJECT if name == "tolist" else ARRAY
        if owner.kind is Kind.OBJECT and name in _CONTAINER_METHODS:
            return self._container_method(node, owner, name)
        if owner.kind is Kind.UNKNOWN and name == "cpu" and not node.args and self._goes_on_as_tensor(node):
            return HOST
        if owner.kind is Kind.UNKNOWN and owner.known and name in DIMENSIONS and tells_dimension(node):
            several = name in SEQUENCE_FUNCTIONS or name in _MAYBE_PAIRS
            return holding(TENSOR) if several else self._masked(TENSOR, node, name in MASK_FUNCTIONS)
        if owner.kind is Kind.UNKNOWN and owner.known and self._gives_tensor(node, name):
            return self._masked(TENSOR, node, name in MASK_FUNCTIONS)
        return None

    def _container_method(self, node: ast.Call, owner: What, name: str) -> What:
        """What a method of a list or mapping gives."""
        if name in {"copy", "values"}:
            return owner if name == "copy" else holding(item(owner))
        if owner.element is Kind.UNKNOWN and not owner.mapping and not owner.parts and name != "pop":
            return UNKNOWN
        key = constant_key(node.args[0]) if node.args else None
        found = self._kinds.containers.entry(node, key) if key is not None else item(owner)
        default = node.args[1:2]
        return join([found, self._kinds.any_of(default)]) if default and not is_none(default[0]) else found

    def _gives_tensor(self, node: ast.Call, name: str) -> bool:
        """Whether a method of something unknown gives a tensor: nothing else has it."""
        if name in GIVES_TENSOR or (name in ELEMENTWISE and not node.args and not node.keywords):
            return True
        # A module is cast to be kept, a tensor to go on with: `x.float().sum()`.
        parent = self._facts.scan.parents.get(node)
        return name in CASTS and not node.args and not node.keywords and isinstance(parent, ast.Attribute)

    def _goes_on_as_tensor(self, node: ast.Call) -> bool:
        """Whether what a call gives is used as a tensor, and not as a module: ``x.cpu().detach()``."""
        parent = self._facts.scan.parents.get(node)
        return isinstance(parent, ast.Attribute) and parent.attr in GIVES_TENSOR | ARRAY_METHODS

    def _masked(self, found: What, node: ast.Call, gives_mask: bool) -> What:
        """What a call gives, told whether it is a tensor of booleans."""
        if found.kind not in _TENSORS:
            return found
        arguments = [*node.args, *(item.value for item in node.keywords if item.arg == "dtype")]
        asked = any(is_bool_dtype(self._facts.names.qualified(argument)) for argument in arguments)
        return found._replace(mask=gives_mask or asked)

    def _names_dtype(self, node: ast.Call) -> bool:
        """Whether ``.to(...)`` is told a dtype."""
        return any(item.arg in {"dtype", "other"} for item in node.keywords) or any(
            is_dtype(self._facts.names.qualified(argument))
            or "dtype" in words(last_name(argument))
            or self._kinds.kind(argument) in _TENSORS
            for argument in node.args
        )

    def _tensor_method(self, node: ast.Call, owner: What, name: str) -> What:
        if name in NUMBER_METHODS:
            return NUMBER
        if name in ARRAY_METHODS:
            return ARRAY
        if name in {"size", "stride"}:
            return NUMBER if node.args or node.keywords else holding(NUMBER)
        if name in OBJECT_METHODS:
            return OBJECT
        if name.startswith("_") and name not in {"_indices", "_values"}:
            return UNKNOWN  # `_typed_storage()` and the like, and those of subclasses
        if name == "cpu":
            return HOST
        if name == "cuda":
            return TENSOR
        if name in {"to", "type_as"}:
            return self._moved(node, owner)
        if name.startswith("new_"):
            return self._placed(node, owner)
        if name in SEQUENCE_FUNCTIONS or (name in _MAYBE_PAIRS and self._is_pair(node, node.args)):
            return holding(owner)
        if owner.kind is Kind.HOST_TENSOR:
            if name.endswith("_"):
                return owner  # in place: the tensor stays where it is
            return join([owner, self._of_arguments(node)]) if node.args and self._mixes(node, name) else owner
        return TENSOR

    def _mixes(self, node: ast.Call, name: str) -> bool:
        """Whether an argument of a method is, or may be, a tensor elsewhere."""
        kinds = {self._kinds.kind(argument) for argument in node.args}
        # Tensors of two devices cannot be combined, numbers with no dimension left out.
        return Kind.TENSOR in kinds or (Kind.UNKNOWN in kinds and name not in ARITHMETIC)

    def _moved(self, node: ast.Call, owner: What) -> What:
        """What ``.to(...)`` gives: the same place if it is told a dtype only."""
        for keyword in node.keywords:
            if keyword.arg in {"device", "other"}:
                return self._on(keyword.value)
        if not node.args:
            return owner
        first = node.args[0]
        if is_dtype(self._facts.names.qualified(first)) or "dtype" in words(last_name(first)):
            return owner
        given = self._kinds.what(first)
        if given.kind in _TENSORS or given.pending:
            return given
        return self._on(first)

    def _own_method(self, function: ast.Attribute) -> What | None:
        """What a method of the class around a call gives, called on ``self``."""
        if not (isinstance(function.value, ast.Name) and function.value.id == "self"):
            return None
        cls = self._facts.class_of(function)
        found = self._facts.calls.definitions.get(f".{cls.qualname}.{function.attr}") if cls else None
        if not isinstance(found, FUNCTIONS):
            return None
        given = self.returned(found)
        if given is UNKNOWN and not self._facts.returns_of(found):  # it is there to be overridden
            path = self._facts.paths.of(function)
            return self._kinds.elsewhere(path + INSTANCE) if path is not None else given
        return given

    def _local(self, name: str) -> What:
        """What calling a function or class of this file gives."""
        found = self._facts.calls.definitions.get(name)
        if isinstance(found, ast.ClassDef):
            return MODULE if self._facts.classes[found].is_module else OBJECT
        if found is None:  # Function.apply and other inherited methods
            owner = self._facts.calls.definitions.get(name.rpartition(".")[0])
            return TENSOR if name.endswith(".apply") and isinstance(owner, ast.ClassDef) else UNKNOWN
        return self.returned(found)

    def returned(self, function: ast.AST) -> What:
        """What a function of this file gives, by its annotation or its ``return`` statements."""
        if not isinstance(function, ast.FunctionDef):
            return UNKNOWN
        if not all(self._is_transparent(decorator) for decorator in function.decorator_list):
            return UNKNOWN
        returned = [statement.value for statement in self._facts.returns_of(function)]
        if function.returns is not None:
            promised = annotated(function.returns)
            # A wrong annotation is common where one value became several.
            broken = promised.kind is Kind.TENSOR and any(isinstance(value, ast.Tuple) for value in returned)
            return UNKNOWN if broken else self._on_host(promised, returned)
        if not 0 < len(returned) <= _RETURNS_LOOKED_AT:
            return UNKNOWN
        return self._joined(returned)

    def _joined(self, returned: list[ast.expr | None]) -> What:
        """What a function gives that returns these; a tensor that may be missing is one."""
        there = [value for value in returned if value is not None and not is_none(value)]
        return join(map(self._kinds.what, there)) if there else OBJECT

    def _on_host(self, promised: What, returned: list[ast.expr | None]) -> What:
        """What an annotation promises, with tensors that are certainly in CPU memory told from others."""
        bare = promised.kind is Kind.OBJECT and promised.element is Kind.UNKNOWN and not promised.parts
        tensors = promised.kind is Kind.TENSOR or any(part.kind is Kind.TENSOR for part in promised.parts)
        if not (tensors or bare or promised.mapping) or not 0 < len(returned) <= _RETURNS_LOOKED_AT:
            return promised
        given = self._joined(returned)
        if given.pending:
            return PENDING
        if bare or promised.mapping:  # `-> dict` says less than what is returned
            return given if given.kind is Kind.OBJECT and given.element is not Kind.HOST_TENSOR else promised
        if promised.kind is Kind.TENSOR:
            return given if given.kind is Kind.HOST_TENSOR else promised
        if len(given.parts) != len(promised.parts):
            return promised
        pairs = zip(promised.parts, given.parts, strict=True)
        parts = tuple(
            own if own.kind is Kind.HOST_TENSOR and said.kind is Kind.TENSOR else said for said, own in pairs
        )
        return holding(join(parts))._replace(parts=parts)

    def _is_transparent(self, decorator: ast.expr) -> bool:
        """Whether a decorated function gives what it gives without the decorator."""
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if last_name(called) in _TRANSPARENT:
            return True
        return self._facts.names.qualified(called) in _TRANSPARENT_OF_TORCH | COMPILE

    def _module_call(self, function: ast.expr) -> What:
        """What calling a module gives."""
        name = self._facts.calls.instance_of(function)
        if name is not None and name.startswith("torch.nn."):
            return holding(TENSOR) if name.rpartition(".")[2] in TUPLE_MODULES else TENSOR
        found = self._facts.calls.definitions.get(f"{name}.forward")
        if found is not None:
            return self.returned(found)
        path = self._facts.paths.certain(function)
        return self._kinds.elsewhere(path + INSTANCE) if path is not None else UNKNOWN

    def _dict(self, node: ast.Call) -> What:
        """What ``dict(...)`` gives."""
        taken = self._kinds.what(node.args[0]) if node.args else mapping(UNKNOWN)
        if node.args:
            return taken if taken.mapping and not node.keywords else mapping(UNKNOWN)
        held = {one.arg: self._kinds.what(one.value) for one in node.keywords if one.arg is not None}
        if len(held) < len(node.keywords) or not held:
            return mapping(UNKNOWN)
        return mapping(join(held.values()))._replace(parts=tuple(held.values()), keys=tuple(held))

    def _builtin(self, node: ast.Call, name: str) -> What:
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
            return holding(gone_over(self._kinds.what(first))) if first is not None else OBJECT
        if first is None:
            return UNKNOWN
        if name in {"abs", "round"}:
            return self._kinds.what(first)
        if name in {"next", "sum"}:
            found = gone_over(self._kinds.what(first))
            return found if found.kind in _SUMMED or found.pending else UNKNOWN
        if name in {"max", "min"}:
            found = self._kinds.any_of(node.args)
            return found if len(node.args) > 1 and found.kind is Kind.NUMBER else UNKNOWN
        return UNKNOWN
