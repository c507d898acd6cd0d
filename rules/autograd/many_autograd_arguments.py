"""OVH801: autograd functions that take many arguments which are no tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import positional
from overhead_lint.rule import Heat, Kind, Rule

from .._calls import has_unpacked
from .._classes import method
from .._literals import is_none
from ._packing import packing

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context, Finding

RULE = Rule(
    code="OVH801",
    name="many-autograd-arguments",
    summary="autograd function with many arguments that are not tensors",
    triggers=(b"Function",),
    heat=Heat.STEP,
    stable_since="0.2.0",
)

_FUNCTIONS = frozenset({"torch.autograd.Function", "torch.autograd.function.Function"})
_TENSOR_WORDS = (
    "Tensor",
    "Parameter",
    "Any",
    "Union",
    "Optional",
    "Sequence",
    "List",
    "Tuple",
    "list",
    "tuple",
)
_PLAIN = (Kind.NUMBER, Kind.OBJECT, Kind.MODULE)
_MANY = 8
"""Arguments that are too many: each costs a look at it in `apply`, and a None in `backward`."""


@RULE.on(ast.Module)
def check(module: ast.Module, ctx: Context) -> Iterator[Finding]:
    """``forward(ctx, x, a, b, c, d, e, f, g, h)`` of a ``torch.autograd.Function``."""
    for cls in ctx.classes():
        forward = method(cls, "forward") if _FUNCTIONS & set(cls.bases) else None
        if forward is None or len(forward.args.args) <= _MANY:
            continue
        inner = ctx.function(forward.body[0])
        if inner is not None and inner.compiled:
            continue
        plain = _plain_arguments(forward, cls, ctx)
        if len(plain) < _MANY:
            continue
        finding = ctx.finding(
            RULE,
            plain[0],
            f"{cls.qualname}.apply checks {len(plain)} arguments that are not tensors on every call",
            help="pack them in one tuple or dataclass, and give apply that: backward returns one None for it",
            fix=packing(cls, forward, plain, ctx),
        )
        # A parameter itself is read once; it is given on every call.
        yield finding._replace(warmth=ctx.warmth(forward.body[0]))


def _plain_arguments(forward: ast.FunctionDef, cls: ClassFacts, ctx: Context) -> list[ast.arg]:
    """The parameters that are given no tensor: by annotation, default, a call, or for want of a gradient."""
    arguments = positional(forward.args)
    if not _has_setup_context(cls):
        arguments = arguments[1:]
    defaults = dict(
        zip(reversed([argument.arg for argument in arguments]), reversed(forward.args.defaults), strict=False)
    )
    without = _without_gradient(cls, len(arguments), ctx)
    saved = _saved(forward, ctx)
    given = _given(cls, ctx)
    found = []
    for index, argument in enumerate(arguments):
        told = [values[index] for values in given if index < len(values)]
        told += [defaults[argument.arg]] if argument.arg in defaults else []
        if argument.annotation is not None:
            plain = not any(word in ctx.text(argument.annotation) for word in _TENSOR_WORDS)
        elif any(_is_plain(value, ctx) for value in told):
            plain = True
        else:
            kept = argument.arg in saved or not _is_never_a_tensor(argument.arg, forward, ctx)
            plain = index in without and not kept
        if plain:
            found.append(argument)
    return found


def _has_setup_context(cls: ClassFacts) -> bool:
    """Whether ``forward`` comes without ``ctx``, which ``setup_context`` gets instead."""
    return "setup_context" in cls.methods


def _without_gradient(cls: ClassFacts, count: int, ctx: Context) -> set[int]:
    """The arguments for which ``backward`` always returns None; none if that cannot be told."""
    backward = method(cls, "backward")
    given = [
        statement.value.elts
        for statement in (ctx.returns(backward) if backward is not None else ())
        if isinstance(statement.value, ast.Tuple) and len(statement.value.elts) == count
    ]
    return {index for index in range(count) if given and all(is_none(elts[index]) for elts in given)}


def _saved(forward: ast.FunctionDef, ctx: Context) -> set[str]:
    """Names that are saved for the backward pass as tensors are."""
    return {
        name.id
        for call in ctx.within(forward, ast.Call)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr in ("save_for_backward", "mark_dirty", "mark_non_differentiable")
        for name in ast.walk(call)
        if isinstance(name, ast.Name)
    }


def _given(cls: ClassFacts, ctx: Context) -> list[list[ast.expr]]:
    """The arguments of the calls of ``apply`` in the file that can be told apart."""
    return [
        call.args
        for call in ctx.calls("apply")
        if isinstance(call.func, ast.Attribute)
        and ctx.qualified_name(call.func.value) == f".{cls.qualname}"
        and not has_unpacked(call)
    ]


def _is_plain(value: ast.expr, ctx: Context) -> bool:
    """Whether a value is no tensor for sure: None may stand for one."""
    return not is_none(value) and ctx.kind(value) in _PLAIN


def _is_never_a_tensor(name: str, forward: ast.FunctionDef, ctx: Context) -> bool:
    """Whether no use of a parameter shows that it is a tensor."""
    return not any(
        use.id == name and ctx.kind(use) in (Kind.TENSOR, Kind.HOST_TENSOR)
        for use in ctx.within(forward, ast.Name)
        if isinstance(use.ctx, ast.Load)
    )
