"""OVH203: devices, dtypes and shapes formatted to text, to be compared or looked up by it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Import, Kind, Rule

from .._annotations import annotation_of
from .._literals import is_text, text_in
from .._texts import made_text
from .._wording import short
from ._keys import role_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH203",
    name="string-tensor-key",
    summary="device, dtype or shape formatted to text to compare it",
    triggers=(b"device", b"dtype", b"shape"),
    heat=Heat.STEP,
    preview=True,
)

_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)
_TRAITS = frozenset({"device", "dtype", "shape"})
_FLAGS = {"cpu": "is_cpu", "cuda": "is_cuda", "mps": "is_mps", "xpu": "is_xpu", "meta": "is_meta"}
# Their text has no index: "cpu:" is no part of it.
_WITHOUT_INDEX = frozenset({"cpu", "meta"})
# As torch writes them: "torch.half" would never be equal to the text of a dtype.
_DTYPES = frozenset(
    """bfloat16 bool complex128 complex64 float16 float32 float64 int16 int32 int64 int8
    uint8""".split()  # noqa: SIM905
)
_NAMED_DTYPES = frozenset(f"torch.{name}" for name in _DTYPES)
_CLASSES = frozenset({"torch.device", "torch.dtype"})


@RULE.on(ast.Compare)
def check_comparison(node: ast.Compare, ctx: Context) -> Iterator[Finding]:
    """``str(x.device) == "cuda:0"``, ``"cuda" in str(device)``, ``str(x.dtype) == "torch.float16"``."""
    if len(node.ops) != 1 or ctx.is_compiled(node):
        return
    sides = [node.left, node.comparators[0]]
    for text, other in (sides, sides[::-1]):
        trait = _formatted(text, ctx)
        if trait is not None and _is_texts(other):
            yield ctx.finding(
                RULE,
                node,
                f"formats {short(trait, ctx)} to compare it with text",
                help=_advice(trait),
                fix=_comparison_fix(node, text, other, trait, ctx),
            )
            return


@RULE.on(ast.Call, named=("startswith",))
def check_prefix(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``str(x.device).startswith("cuda")``."""
    func = node.func
    if not (isinstance(func, ast.Attribute) and func.attr == "startswith" and len(node.args) == 1):
        return
    trait = _formatted(func.value, ctx)
    if trait is None or not _is_texts(node.args[0]) or ctx.is_compiled(node):
        return
    yield ctx.finding(
        RULE,
        node,
        f"formats {short(trait, ctx)} to see how its text begins",
        help=_advice(trait),
        fix=_flag_fix(node, trait, _kind_of(node.args[0]), negated=False, ctx=ctx)
        if _is_device(trait) and isinstance(func.value, ast.Call)
        else None,
    )


@RULE.on(ast.JoinedStr, ast.Call)
def check_key(node: ast.JoinedStr | ast.Call, ctx: Context) -> Iterator[Finding]:
    """``cache[f"{x.shape}-{x.dtype}"]`` and ``cache.get(str(x.shape))``."""
    if isinstance(node, ast.Call):
        trait = _formatted(node, ctx)
        traits = [trait] if trait is not None else []
    else:
        parts = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
        traits = [part for part in parts if _is_trait(part, ctx)]
    if not traits or ctx.is_compiled(node):
        return
    holder = ctx.parent(node)
    if isinstance(holder, ast.Compare) and any(map(_is_texts, (holder.left, *holder.comparators))):
        return  # told of as a comparison
    role = role_of(node, ctx)
    if not role:
        return
    yield ctx.finding(
        RULE,
        node,
        f"formats {', '.join(short(trait, ctx) for trait in traits)} each time, to serve as {role}",
        help="use the values themselves, in a tuple: they can be hashed and compared",
        fix=_key_fix(node, ctx),
    )


def _formatted(node: ast.expr, ctx: Context) -> ast.expr | None:
    """The device, dtype or shape that an expression is the text of."""
    made = made_text(node, ctx)
    if made:
        return made[0] if _is_trait(made[0], ctx) else None
    if isinstance(node, ast.JoinedStr) and len(node.values) == 1:
        (part,) = node.values
        if isinstance(part, ast.FormattedValue) and part.format_spec is None and _is_trait(part.value, ctx):
            return part.value
    return None


def _is_trait(node: ast.expr, ctx: Context) -> bool:
    """Whether it is the device, dtype or shape of a tensor, or of what may well be one."""
    if isinstance(node, ast.Attribute) and node.attr in _TRAITS and ctx.qualified_name(node) is None:
        kind = ctx.kind(node.value)
        return kind in _TENSORS or (kind in (Kind.UNKNOWN, Kind.MODULE) and node.attr != "shape")
    return isinstance(node, ast.Name) and node.id in ("device", "dtype") and ctx.is_bound(node.id, node)


def _is_device(trait: ast.expr) -> bool:
    return ast.unparse(trait).rpartition(".")[2] == "device"


def _is_of_tensor(trait: ast.expr, ctx: Context) -> bool:
    return isinstance(trait, ast.Attribute) and ctx.kind(trait.value) in _TENSORS


def _is_no_text(trait: ast.expr, ctx: Context, depth: int = 3) -> bool:
    """Whether a device or dtype is one of torch, and no text: by what it is asked of, set to or annotated as.

    People pass ``"cuda"`` and ``"float16"`` as readily, and a text has no ``type`` and equals no dtype.
    """
    if _is_of_tensor(trait, ctx):
        return True
    if isinstance(trait, ast.Call):
        return ctx.qualified_name(trait.func) == "torch.device"
    if ctx.qualified_name(trait) in _NAMED_DTYPES:
        return True
    if not isinstance(trait, (ast.Name, ast.Attribute)) or depth == 0:
        return False
    value = ctx.value(trait)
    if value is not None:
        return _is_no_text(value, ctx, depth - 1)
    annotation = annotation_of(trait, ctx)
    if annotation is None or ctx.qualified_name(annotation) not in _CLASSES:
        return False
    return not (isinstance(trait, ast.Name) and _is_bound_again(trait, ctx))


def _is_bound_again(parameter: ast.Name, ctx: Context) -> bool:
    """Whether the function gives a parameter another value: ``device = str(device)``."""
    function = ctx.function(parameter)
    return function is not None and any(
        name.id == parameter.id and not isinstance(name.ctx, ast.Load)
        for name in ctx.within(function.node, ast.Name)
    )


def _advice(trait: ast.expr) -> str:
    return (
        "ask x.is_cuda or device.type, or compare devices"
        if _is_device(trait)
        else "compare it with a dtype or a tuple: they are equal or not without any text"
    )


def _is_texts(node: ast.expr) -> bool:
    """Whether it is a string, or a tuple, list or set of them, written out."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return bool(node.elts) and all(_is_texts(element) for element in node.elts)
    return is_text(node)


def _kind_of(text: ast.expr) -> str:
    """The kind of device that a beginning or part of its text stands for; "" for none."""
    said = text_in(text)
    kind = said.removesuffix(":")
    return "" if kind != said and kind in _WITHOUT_INDEX else kind


def _comparison_fix(
    node: ast.Compare, text: ast.expr, other: ast.expr, trait: ast.expr, ctx: Context
) -> Fix | None:
    op, said = node.ops[0], text_in(other)
    if isinstance(text, ast.JoinedStr):
        return None  # where its parts stand is known from Python 3.12 on only
    negated = isinstance(op, (ast.NotEq, ast.NotIn))
    if isinstance(op, (ast.In, ast.NotIn)):
        if text is node.left or not _is_device(trait):
            return None  # `in` on a dtype: "float16" is in "bfloat16" too
        return _flag_fix(node, trait, _kind_of(other), negated=negated, ctx=ctx)
    if not isinstance(op, (ast.Eq, ast.NotEq)):
        return None
    if _is_device(trait):
        # The text of other devices than the CPU has an index as a rule.
        return _flag_fix(node, trait, said, negated=negated, ctx=ctx) if said in _WITHOUT_INDEX else None
    name = said.removeprefix("torch.")
    if not said.startswith("torch.") or name not in _DTYPES:
        return None
    if not _is_no_text(trait, ctx):
        return None
    return Fix(
        Applicability.SAFE if _is_of_tensor(trait, ctx) else Applicability.UNSAFE,
        "compare with the dtype",
        edits=(replace(node, f"{{trait}} {'!=' if negated else '=='} {{torch}}.{name}", trait=trait),),
        imports=(Import("torch"),),
    )


def _flag_fix(node: ast.expr, trait: ast.expr, kind: str, *, negated: bool, ctx: Context) -> Fix | None:
    """``x.is_cuda`` for a tensor, ``device.type == "cuda"`` for what is known to be a device."""
    flag = _FLAGS.get(kind)
    if flag is None or not _is_no_text(trait, ctx):
        return None
    if _is_of_tensor(trait, ctx):
        assert isinstance(trait, ast.Attribute)
        return Fix(
            Applicability.SAFE,
            f"ask {flag}",
            edits=(replace(node, f"{'not ' if negated else ''}{{tensor}}.{flag}", tensor=trait.value),),
        )
    return Fix(
        Applicability.UNSAFE,
        "compare the type of the device",
        edits=(replace(node, f'{{device}}.type {"!=" if negated else "=="} "{kind}"', device=trait),),
    )


def _key_fix(node: ast.JoinedStr | ast.Call, ctx: Context) -> Fix | None:
    """A tuple of what the text was made of, where the text is bound to a name or used as a key at once."""
    holder = ctx.parent(node)
    bound = isinstance(holder, ast.Assign) and len(holder.targets) == 1
    bound = bound and isinstance(holder.targets[0], ast.Name)  # type: ignore[union-attr]
    if isinstance(node, ast.Call):
        values = list(node.args)
    else:
        parts = [part for part in node.values if isinstance(part, ast.FormattedValue)]
        if any(part.format_spec is not None or part.conversion != -1 for part in parts):
            return None
        values = [part.value for part in parts]
    if not (bound or (isinstance(holder, ast.Subscript) and holder.slice is node)):
        return None
    if not all(map(_is_dotted_trait, values)):
        return None
    # Written anew: where parts of an f-string stand is known from Python 3.12 on only.
    texts = [ast.unparse(value) for value in values]
    key = f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
    return Fix(Applicability.UNSAFE, "use the values as the key", edits=(replace(node, key),))


def _is_dotted_trait(value: ast.expr) -> bool:
    """Whether it is ``x.shape`` or ``self.x.dtype``."""
    plain = all(isinstance(part, (ast.Attribute, ast.Name, ast.Load)) for part in ast.walk(value))
    return plain and isinstance(value, ast.Attribute) and value.attr in _TRAITS
