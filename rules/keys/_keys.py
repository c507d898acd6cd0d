"""Where a formatted object ends up as a key, and which classes format their fields."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from overhead_lint.edits import add_base, add_decorator, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

TRIGGERS = (b"dataclass", b"__repr__", b"cfg", b"conf", b"hparams", b"options", b"recipe", b"settings")
"""What any file has in which `key_uses` finds something."""

_LOOKUPS = frozenset({"get", "setdefault", "pop"})
_CACHES = frozenset({"functools.lru_cache", "functools.cache"})
_CHEAP_BASES = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "str", "int", "NamedTuple", "Protocol"})
_HARMLESS_BASES = frozenset({"object", "ABC", "Generic"})
_CHANGEABLE = frozenset(
    {"list", "dict", "set", "bytearray", "typing.List", "typing.Dict", "typing.Set", "typing.Any"}
    | {"torch.Tensor", "torch.nn.Module", "numpy.ndarray"}
)
_CONFIG_WORDS = frozenset({"cfg", "config", "conf", "hparams", "options", "recipe", "settings"})


class KeyUse(NamedTuple):
    """An object that is formatted in hot code, and the key that its text becomes part of."""

    node: ast.expr
    """What is marked: ``str(x)``, ``repr(x)``, or the f-string."""
    subject: ast.expr
    """The object that is formatted."""
    role: str
    """What its text serves as, for the message."""
    cls: ClassFacts | None
    """Its class, when that is in this file."""


def key_uses(ctx: Context) -> Iterator[KeyUse]:
    """All configs, recipes and dataclasses of the file whose text is a key in hot code."""
    for node, subject in _formatted(ctx):
        role = _role(node, ctx)
        if not role:
            continue
        cls = class_of(subject, ctx)
        known = _is_named_config(subject) if cls is None else is_plain_repr(cls, ctx)
        if known and ctx.warmth(node).heat >= Heat.STEP:
            yield KeyUse(node, subject, role, cls)


def _formatted(ctx: Context) -> Iterator[tuple[ast.expr, ast.expr]]:
    for text in ctx.nodes(ast.JoinedStr):
        for part in text.values:
            if isinstance(part, ast.FormattedValue) and part.format_spec is None:
                yield text, part.value
    for node in ctx.nodes(ast.Call):
        if (
            isinstance(node.func, ast.Name)
            and node.func.id in ("str", "repr")
            and len(node.args) == 1
            and not node.keywords
            and not ctx.is_bound(node.func.id, node)
        ):
            yield node, node.args[0]


def class_of(node: ast.expr, ctx: Context) -> ClassFacts | None:
    """The class of this file that an expression is an instance of, by annotation or construction."""
    if isinstance(node, ast.Name) and node.id == "self":
        return ctx.cls(node)
    value = ctx.value(node)
    if isinstance(value, ast.Call):
        return _class_named(ctx.qualified_name(value.func), ctx)
    annotation = _annotation(node, ctx)
    if annotation is None and isinstance(value, ast.Name):
        annotation = _annotation(value, ctx)
    return _class_named(_annotated_name(annotation, ctx), ctx) if annotation is not None else None


def _class_named(name: str | None, ctx: Context) -> ClassFacts | None:
    return next((cls for cls in ctx.classes() if name == f".{cls.qualname}"), None)


def _annotated_name(annotation: ast.expr, ctx: Context) -> str | None:
    """The qualified name that an annotation stands for, ``X | None`` and ``"X"`` included."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.right, ast.Constant):
        annotation = annotation.left
    if isinstance(annotation, ast.Subscript) and ctx.qualified_name(annotation.value) == "typing.Optional":
        annotation = annotation.slice
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return f".{annotation.value}"
    return ctx.qualified_name(annotation)


def _annotation(node: ast.expr, ctx: Context) -> ast.expr | None:
    if isinstance(node, ast.Name):
        function = ctx.function(node)
        if function is None:
            return None
        arguments = function.node.args
        for arg in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            if arg.arg == node.id:
                return arg.annotation
        return None
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        cls = ctx.cls(node)
        for statement in cls.node.body if cls is not None else ():
            target = statement.target if isinstance(statement, ast.AnnAssign) else None
            if isinstance(target, ast.Name) and target.id == node.attr:
                assert isinstance(statement, ast.AnnAssign)
                return statement.annotation
    return None


def _is_named_config(node: ast.expr) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name.lower().rpartition("_")[2] in _CONFIG_WORDS


def is_plain_repr(cls: ClassFacts, ctx: Context) -> bool:
    """Whether each ``repr`` of the class formats its fields anew."""
    if is_cached(cls, ctx):
        return False
    if any(base.rpartition(".")[2] in _CHEAP_BASES for base in cls.bases):
        return False
    own = next(
        (item for item in cls.node.body if isinstance(item, ast.FunctionDef) and item.name == "__repr__"),
        None,
    )
    if own is not None:
        return not own.decorator_list and _formats(own, ctx)
    return cls.is_dataclass and not any(_turns_repr_off(item) for item in cls.node.decorator_list)


def _formats(method: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a ``__repr__`` makes text, and keeps none: a test for None is how a cache begins."""
    kept = any(
        isinstance(op, (ast.Is, ast.IsNot)) for item in ctx.within(method, ast.Compare) for op in item.ops
    )
    makes = any(True for _ in ctx.within(method, ast.JoinedStr)) or any(
        isinstance(item.func, ast.Attribute) and item.func.attr in ("format", "join")
        for item in ctx.within(method, ast.Call)
    )
    return makes and not kept


def _turns_repr_off(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and any(
        item.arg == "repr" and isinstance(item.value, ast.Constant) and item.value.value is False
        for item in decorator.keywords
    )


def is_cached(cls: ClassFacts, ctx: Context) -> bool:
    """Whether the class, or a base of it in this file, already caches its ``repr``."""
    if any(base.rpartition(".")[2] == "CachedRepr" for base in cls.bases):
        return True
    for decorator in cls.node.decorator_list:
        name = ctx.qualified_name(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if name is not None and name.rpartition(".")[2] == "cached_repr":
            return True
    return any(is_cached(base, ctx) for base in _bases(cls, ctx))


def _role(node: ast.AST, ctx: Context, *, steps: int = 3) -> str:
    """What the text serves as: "" when it is no key.

    Args:
        node: the text, or what it became part of.
        ctx: its file.
        steps: how many names and returns to follow.
    """
    while True:
        child, parent = node, ctx.parent(node)
        match parent:
            case ast.Tuple() | ast.JoinedStr() | ast.FormattedValue() | ast.BinOp() | ast.keyword():
                node = parent
            case ast.Subscript(slice=index) if index is child:
                return "a dict key"
            case ast.Compare(left=left, ops=ops, comparators=others):
                return _compared(child, left, ops, others)
            case ast.Call(func=ast.Attribute(attr=attr), args=[first, *_]) if (
                attr in _LOOKUPS and first is child
            ):
                return "a dict key"
            case ast.Call(func=ast.Name(id="hash"), args=[first]) if first is child:
                return "a hash"
            case ast.Call() if child is not parent.func and _is_cached_function(parent.func, ctx):
                return f"an argument of {ctx.text(parent.func)}, which has a cache"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is child and steps:
                return _role_of_name(name, parent, ctx, steps - 1)
            case ast.Return() if steps:
                return _role_of_result(parent, ctx, steps - 1)
            case _:
                return ""


def _compared(child: ast.AST, left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr]) -> str:
    if len(ops) != 1:
        return ""
    other = others[0] if child is left else left
    if isinstance(ops[0], (ast.In, ast.NotIn)):
        # `text in str(config)` searches the text: that is no key.
        return "a dict key" if child is left and not isinstance(other, (ast.Constant, ast.JoinedStr)) else ""
    if isinstance(ops[0], (ast.Eq, ast.NotEq)) and not isinstance(other, ast.Constant):
        return "one side of a comparison"
    return ""


def _role_of_result(statement: ast.Return, ctx: Context, steps: int) -> str:
    """What the result of a function serves as, where this file calls it by its name or as a method."""
    function = ctx.function(statement)
    name = function.qualname.rpartition(".")[2] if function is not None else ""
    for call in ctx.calls(name) if name else ():
        if isinstance(call.func, (ast.Name, ast.Attribute)):
            role = _role(call, ctx, steps=steps)
            if role:
                return role
    return ""


def _role_of_name(name: str, assign: ast.Assign, ctx: Context, steps: int) -> str:
    function = ctx.function(assign)
    if function is None:
        return ""
    for use in ctx.within(function.node, ast.Name):
        if use.id == name and isinstance(use.ctx, ast.Load) and ctx.value(use) is assign.value:
            role = _role(use, ctx, steps=steps)
            if role:
                return role
    return ""


def _is_cached_function(func: ast.expr, ctx: Context) -> bool:
    name = ctx.qualified_name(func)
    for facts in ctx.functions():
        if name == f".{facts.qualname}" and not isinstance(facts.node, ast.Lambda):
            for decorator in facts.node.decorator_list:
                target = decorator.func if isinstance(decorator, ast.Call) else decorator
                if ctx.qualified_name(target) in _CACHES:
                    return True
    return False


def cached_repr_fix(cls: ClassFacts, ctx: Context) -> Fix | None:
    """``class Recipe(runtime.CachedRepr)``, at the topmost class of the file that formats its fields.

    A class with a base that is not in this file gets the decorator, since that base may have the mixin
    already. There is no fix where nothing would be kept, or the class takes no other base.
    """
    if changeable_field(cls, ctx) or cls.node.keywords:
        return None
    top, known = _topmost(cls, ctx)
    return Fix(
        Applicability.UNSAFE,
        f"cache the repr of {cls.qualname}",
        edits=(
            add_base(top.node, "{runtime}.CachedRepr")
            if known
            else add_decorator(cls.node, "{runtime}.cached_repr"),
        ),
        imports=(runtime_import(ctx.runtime_module),),
    )


def advice(cls: ClassFacts, ctx: Context) -> str:
    """What to write for a class whose text is a key."""
    field = changeable_field(cls, ctx)
    if field:
        return (
            f"make {field} a tuple and derive {cls.qualname} from runtime.CachedRepr, or key by what matters"
        )
    return f"derive {cls.qualname} from runtime.CachedRepr, which keeps the text until an attribute changes"


def changeable_field(cls: ClassFacts, ctx: Context) -> str:
    """A field whose value can change in place, so that no text could be kept; "" if none is seen."""
    for statement in cls.node.body if cls.is_dataclass else ():
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            annotation = statement.annotation
            named = annotation.value if isinstance(annotation, ast.Subscript) else annotation
            if (ctx.qualified_name(named) or ctx.text(named)) in _CHANGEABLE:
                return statement.target.id
    for base in _bases(cls, ctx):
        found = changeable_field(base, ctx)
        if found:
            return found
    return ""


def _topmost(cls: ClassFacts, ctx: Context) -> tuple[ClassFacts, bool]:
    """The class to mend for a class, and whether all bases above it are known not to have the mixin."""
    bases = _bases(cls, ctx)
    outside = len(cls.bases) - len(bases)
    plain = [base for base in bases if is_plain_repr(base, ctx)]
    known = not outside or all(
        base.partition("[")[0].rpartition(".")[2] in _HARMLESS_BASES
        for base in cls.bases
        if not base.startswith(".")
    )
    if len(plain) == 1 and known:
        return _topmost(plain[0], ctx)
    return cls, known and not plain


def _bases(cls: ClassFacts, ctx: Context) -> list[ClassFacts]:
    found = [_class_named(base, ctx) for base in cls.bases]
    return [base for base in found if base is not None and base is not cls]
