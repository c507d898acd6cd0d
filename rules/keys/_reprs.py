"""Classes whose ``repr`` formats their fields each time, and what to do about it."""

from __future__ import annotations

import ast
import builtins
from itertools import islice
from typing import TYPE_CHECKING

from overhead_lint.edits import add_base, add_decorator, runtime_import
from overhead_lint.rule import Applicability, Fix

from .._classes import assigned, bases_here, class_named, decorator_says, lineage, method
from ._kept_texts import kept_text_fix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from overhead_lint.rule import ClassFacts, Context

_CHEAP_BASES = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "str", "int", "Protocol"})
_TUPLES = "NamedTuple"
_HARMLESS_BASES = frozenset({"object", "ABC", "Generic"})
_CHANGEABLE = frozenset(
    {"list", "dict", "set", "bytearray", "typing.List", "typing.Dict", "typing.Set", "typing.Any"}
    | {"torch.Tensor", "torch.nn.Module", "numpy.ndarray"}
)


def is_made_anew(cls: ClassFacts, ctx: Context, *, by_repr: bool) -> bool:
    """Whether each text of an object of the class, of ``repr`` or of ``str``, is formatted anew."""
    own = None if by_repr else own_str(cls, ctx)
    if own is None:
        return is_plain_repr(cls, ctx)
    return not is_cached(cls, ctx) and not own.decorator_list and _formats(own, ctx)


def own_str(cls: ClassFacts, ctx: Context) -> ast.FunctionDef | None:
    """The ``__str__`` that a class has, or a base of it in this file; None if ``repr`` makes its text."""
    return next(filter(None, (method(one, "__str__") for one in lineage(cls, ctx))), None)


def is_plain_repr(cls: ClassFacts, ctx: Context) -> bool:
    """Whether each ``repr`` of the class formats its fields anew."""
    if is_cached(cls, ctx):
        return False
    if any(base.rpartition(".")[2] in _CHEAP_BASES for base in cls.bases):
        return False
    own = method(cls, "__repr__")
    if own is not None:
        return not own.decorator_list and _formats(own, ctx)
    given = assigned(cls).get("__repr__")
    if given is not None:
        if not isinstance(given, ast.Attribute) or given.attr != "__repr__":
            return False
        other = class_named(ctx.qualified_name(given.value), ctx)
        return other is not None and other is not cls and is_plain_repr(other, ctx)
    if is_named_tuple(cls):
        return True
    return cls.is_dataclass and decorator_says(cls, "repr") is not False


def is_named_tuple(cls: ClassFacts) -> bool:
    """Whether a class is a named tuple, whose objects are keys themselves."""
    return any(base.rpartition(".")[2] == _TUPLES for base in cls.bases)


def _formats(method: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a method makes text, and keeps none: a test for None is how a cache begins."""
    kept = any(
        isinstance(op, (ast.Is, ast.IsNot)) for item in ctx.within(method, ast.Compare) for op in item.ops
    )
    makes = any(True for _ in ctx.within(method, ast.JoinedStr)) or any(
        isinstance(item.func, ast.Attribute) and item.func.attr in ("format", "join")
        for item in ctx.within(method, ast.Call)
    )
    return makes and not kept


def is_cached(cls: ClassFacts, ctx: Context) -> bool:
    """Whether the class, or a base of it in this file, already caches its ``repr``."""
    if any(base.rpartition(".")[2] == "CachedRepr" for base in cls.bases):
        return True
    for decorator in cls.node.decorator_list:
        name = ctx.qualified_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name is not None and name.rpartition(".")[2] == "cached_repr":
            return True
    return any(is_cached(base, ctx) for base in bases_here(cls, ctx))


def cached_repr_fix(cls: ClassFacts, ctx: Context) -> Fix | None:
    """``class Recipe(runtime.CachedRepr)``, at the topmost class of the file that formats its fields.

    A class with a base that is not in this file gets the decorator, since that base may have the mixin
    already. There is no fix where nothing would be kept, or the class takes neither.
    """
    if (
        is_named_tuple(cls)
        or changeable_field(cls, ctx)
        or cls.node.keywords
        or any(map(_holds_more, _outside(cls, ctx)))
    ):
        return None
    top, known = _topmost(cls, ctx)
    # The mixin has slots of its own, as only one of several bases may; the decorator needs weak references.
    if any(map(_has_slots, _above(top, ctx) if known else [cls])):
        return None
    return Fix(
        Applicability.UNSAFE,
        f"cache the repr of {cls.qualname}",
        edits=(
            add_base(top.node, "{runtime}.CachedRepr")
            if known
            else add_decorator(cls.node, "{runtime}.cached_repr"),
        ),
        imports=(runtime_import(ctx.runtime_module),),
        without_runtime=kept_text_fix(cls, ctx, [one for one in _above(cls, ctx) if is_plain_repr(one, ctx)]),
    )


def advice(cls: ClassFacts, ctx: Context, *, has_own_str: bool) -> str:
    """What to write for a class whose text is a key, that of ``repr`` or of a ``__str__`` of its own."""
    if has_own_str:
        return kept_str(cls.qualname)
    if is_named_tuple(cls):
        return f"key by the object: {cls.qualname} is a tuple, which is hashed without a text"
    field = changeable_field(cls, ctx)
    if field:
        return (
            f"make {field} a tuple and derive {cls.qualname} from runtime.CachedRepr, or key by what matters"
        )
    return f"derive {cls.qualname} from runtime.CachedRepr, which keeps the text until an attribute changes"


def kept_str(cls: str) -> str:
    """What to write for a class, by its name, whose text comes from a ``__str__`` of its own."""
    return f"keep what __str__ of {cls} gives until an attribute changes, or key by what matters"


def changeable_field(cls: ClassFacts, ctx: Context) -> str:
    """A field whose value can change in place, so that no text could be kept; "" if none is seen."""
    for statement in cls.node.body if cls.is_dataclass else ():
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation = statement.annotation
            named = annotation.value if isinstance(annotation, ast.Subscript) else annotation
            if (ctx.qualified_name(named) or ctx.text(named)) in _CHANGEABLE:
                return statement.target.id
    for base in bases_here(cls, ctx):
        found = changeable_field(base, ctx)
        if found:
            return found
    return ""


def _topmost(cls: ClassFacts, ctx: Context) -> tuple[ClassFacts, bool]:
    """The class to mend for a class, and whether all bases above it are known not to have the mixin."""
    plain = [base for base in bases_here(cls, ctx) if is_plain_repr(base, ctx)]
    known = all(base.partition("[")[0].rpartition(".")[2] in _HARMLESS_BASES for base in _outside(cls, ctx))
    if len(plain) == 1 and known:
        return _topmost(plain[0], ctx)
    return cls, known and not plain


def _above(cls: ClassFacts, ctx: Context) -> Iterator[ClassFacts]:
    """The bases of a class that are in this file, and theirs."""
    return islice(lineage(cls, ctx), 1, None)


def _outside(cls: ClassFacts, ctx: Context) -> list[str]:
    """The bases of a class, and of its bases in this file, that are not in it."""
    found = []
    for name in cls.bases:
        base = class_named(name, ctx)
        if base is None or base is cls:
            found.append(name)
        else:
            found += _outside(base, ctx)
    return found


def _holds_more(base: str) -> bool:
    """Whether instances of a base hold more than attributes: items of a dict or a list, data of a tensor."""
    if base.startswith("collections.") or base in _CHANGEABLE:
        return not base.startswith("collections.abc.")
    return base not in _HARMLESS_BASES and isinstance(getattr(builtins, base, None), type)


def _has_slots(cls: ClassFacts) -> bool:
    return "__slots__" in assigned(cls) or bool(decorator_says(cls, "slots"))
