"""What the functions of a file give, by annotation or by what they return."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from overhead_lint.analysis.effects.lookup import compilers
from overhead_lint.project.conditions import is_none
from overhead_lint.project.kinds.abstract_value import (
    OBJECT,
    PENDING,
    UNKNOWN,
    AbstractValue,
    holding,
    join,
    with_parts,
)
from overhead_lint.project.kinds.annotations import annotated
from overhead_lint.project.kinds.kind_members import KIND_HOST_TENSOR, KIND_OBJECT, KIND_TENSOR, KIND_UNKNOWN
from overhead_lint.project.names import last_name

if TYPE_CHECKING:
    from overhead_lint.project.kinds.inference import Kinds

__all__ = ["Returned"]

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


class Returned:
    """Kinds of what functions of one file give.

    Args:
        kinds: infers what is returned.
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._facts = kinds.facts

    def of(self, function: ast.AST) -> AbstractValue:
        """What a function of this file gives, by its annotation or its ``return`` statements."""
        if function.__class__ is not ast.FunctionDef:
            return UNKNOWN
        if not all(self._is_transparent(decorator) for decorator in function.decorator_list):
            return UNKNOWN
        returned = [statement.value for statement in self._facts.returns_of(function)]
        if function.returns is not None:
            promised = annotated(function.returns)
            # A wrong annotation is common where one value became several.
            broken = promised.kind is KIND_TENSOR and any(value.__class__ is ast.Tuple for value in returned)
            return UNKNOWN if broken else self._on_host(promised, returned)
        if not 0 < len(returned) <= _RETURNS_LOOKED_AT:
            return UNKNOWN
        return self._joined(returned)

    def _joined(self, returned: list[ast.expr | None]) -> AbstractValue:
        """What a function gives that returns these; a tensor that may be missing is one."""
        there = [value for value in returned if value is not None and not is_none(value)]
        return join(map(self._kinds.infer, there)) if there else OBJECT

    def _on_host(self, promised: AbstractValue, returned: list[ast.expr | None]) -> AbstractValue:
        """What an annotation promises, with tensors that are certainly in CPU memory told from others."""
        bare = promised.kind is KIND_OBJECT and promised.element is KIND_UNKNOWN and not promised.parts
        tensors = promised.kind is KIND_TENSOR or any(part.kind is KIND_TENSOR for part in promised.parts)
        if not (tensors or bare or promised.mapping) or not 0 < len(returned) <= _RETURNS_LOOKED_AT:
            return promised
        given = self._joined(returned)
        if given.pending:
            return PENDING
        if bare or promised.mapping:  # `-> dict` says less than what is returned
            return given if given.kind is KIND_OBJECT and given.element is not KIND_HOST_TENSOR else promised
        if promised.kind is KIND_TENSOR:
            return given if given.kind is KIND_HOST_TENSOR else promised
        if len(given.parts) != len(promised.parts):
            return promised
        pairs = zip(promised.parts, given.parts, strict=True)
        parts = tuple(
            own if own.kind is KIND_HOST_TENSOR and said.kind is KIND_TENSOR else said for said, own in pairs
        )
        return with_parts(holding(join(parts)), parts)

    def _is_transparent(self, decorator: ast.expr) -> bool:
        """Whether a decorated function gives what it gives without the decorator."""
        called = decorator.func if decorator.__class__ is ast.Call else decorator
        if last_name(called) in _TRANSPARENT:
            return True
        return self._facts.names.qualified(called) in _TRANSPARENT_OF_TORCH | compilers()
