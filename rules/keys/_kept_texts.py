"""A class that keeps its ``repr`` by itself: a private slot, which ``__setattr__`` empties."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.edits import insert_after, insert_before, replace_statement
from overhead_lint.rule import Applicability, Fix, Import

from .._classes import assigned, class_named, decorator_says, lineage, method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from overhead_lint.rule import ClassFacts, Context

_SLOT = "_cached_repr"
_UNCHANGEABLE = frozenset(
    {"bool", "bytes", "complex", "float", "frozenset", "int", "str", "tuple", "None", "pathlib.Path"}
    | {"torch.Size", "torch.device", "torch.dtype"}
)
"""What annotations say of objects that stay as they are."""
_OF_THESE = frozenset(
    {"frozenset", "tuple", "typing.Final", "typing.FrozenSet", "typing.Optional", "typing.Tuple"}
    | {"typing.Union"}
)
"""What is unchangeable if all that stands in its brackets is."""
_TAKEN_AS_IS = frozenset({"typing.Literal", "typing.Callable", "collections.abc.Callable"})
_ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"})
_SETTING = """\
def __setattr__(self, name: str, value: object) -> None:
    super().__setattr__(name, value)
    object.__setattr__(self, "{slot}", None)
"""
_KEEPING = """\
if self.{slot} is None:
    text = {text}
    object.__setattr__(self, "{slot}", text)
return self.{slot}"""
_OF_FIELDS = """\
def __repr__(self) -> str:
    if self.{slot} is None:
        names = [one.name for one in {{fields}}(self) if one.repr]
        shown = ", ".join(f"{{{{name}}}}={{{{getattr(self, name)!r}}}}" for name in names)
        text = f"{{{{self.__class__.__qualname__}}}}({{{{shown}}}})"
        object.__setattr__(self, "{slot}", text)
    return self.{slot}"""


def kept_text_fix(cls: ClassFacts, ctx: Context, formatting: Sequence[ClassFacts] = ()) -> Fix | None:
    """A fix that has the class keep its text in a private attribute, which any assignment empties.

    The attribute is that of the topmost class that formats its fields: one for an object, whatever it derives
    from. None where the text shows what may change in place, or what nothing is known of, and where
    assignments go around ``__setattr__``, or meet another one.

    Args:
        cls: the class.
        ctx: its file.
        formatting: the bases of the class in this file that format their fields each time, nearest first.
    """
    family = list(lineage(cls, ctx))
    if not all(_is_open(one, ctx) for one in family if not _is_keeping(one, ctx)) or _goes_around(ctx):
        return None
    frozen = [bool(decorator_says(one, "frozen")) for one in family if one.is_dataclass]
    if any(frozen) and not (all(frozen) and cls.is_dataclass):
        return None
    fix_above = kept_text_fix(formatting[0], ctx, formatting[1:]) if formatting else None
    if fix_above is not None or any(_is_keeping(one, ctx) for one in family):
        slot = ""
    else:
        slot = f"{_SLOT} = None\n" + ("" if any(frozen) else f"\n{_SETTING.format(slot=_SLOT)}")
    own = method(cls, "__repr__")
    if own is not None:
        fix = _in_own_repr(cls, own, family, slot, ctx)
    else:
        fix = _of_fields(cls, family, slot, fix_above is not None, ctx)
    if fix is None or fix_above is None:
        return fix
    return fix._replace(edits=(*fix_above.edits, *fix.edits), imports=(*fix_above.imports, *fix.imports))


def _of_fields(
    cls: ClassFacts, family: list[ClassFacts], slot: str, is_base_mended: bool, ctx: Context
) -> Fix | None:
    """The fix of a dataclass without a ``__repr__`` of its own: its base's, where that goes by fields."""
    own_fields = _fields(cls)
    fields = [item for one in family for item in _fields(one)]
    if not own_fields or not all(_stays(field.annotation, ctx) for field in fields):
        return None
    shown = f"keep the repr of {cls.qualname} until a field is assigned"
    above = next((one for one in cls.node.bases if _goes_by_fields(one, is_base_mended, ctx)), None)
    if above is not None:
        edit = insert_after(own_fields[-1], "\n__repr__ = {above}.__repr__", above=above)
        return Fix(Applicability.UNSAFE, shown, edits=(edit,))
    edit = insert_after(
        own_fields[-1], f"\n{slot}\n{_OF_FIELDS.format(slot=_SLOT)}".replace("\n\n\n", "\n\n")
    )
    return Fix(Applicability.UNSAFE, shown, edits=(edit,), imports=(Import("dataclasses", "fields"),))


def _goes_by_fields(base: ast.expr, is_mended: bool, ctx: Context) -> bool:
    """Whether a base's kept text, as the fix writes it, shows the fields of the class that an object is of.

    Args:
        base: as the class is written with it.
        is_mended: whether the same fix mends it.
        ctx: its file.
    """
    cls = class_named(ctx.qualified_name(base), ctx)
    if cls is None or not cls.is_dataclass:
        return False
    own = method(cls, "__repr__")
    if own is None:
        return is_mended and bool(_fields(cls))
    return _is_keeping(cls, ctx) and any(
        ctx.qualified_name(call.func) == "dataclasses.fields" for call in ctx.within(own, ast.Call)
    )


def _is_keeping(cls: ClassFacts, ctx: Context) -> bool:
    """Whether a class keeps its text already, in the way that the fix does."""
    setting = method(cls, "__setattr__")
    empties = setting is not None and f"object.__setattr__(self, '{_SLOT}', None)" in ast.unparse(setting)
    return _SLOT in assigned(cls) and (empties or bool(decorator_says(cls, "frozen")))


def _in_own_repr(
    cls: ClassFacts, own: ast.FunctionDef, family: list[ClassFacts], slot: str, ctx: Context
) -> Fix | None:
    """The fix of a class whose ``__repr__`` returns one text of its attributes."""
    *before, last = own.body
    is_documented = all(
        isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) for item in before
    )
    if not isinstance(last, ast.Return) or last.value is None or not is_documented or own.decorator_list:
        return None
    if not _shows_what_stays(last.value, family, ctx):
        return None
    kept = replace_statement(last, _KEEPING.format(slot=_SLOT, text="{text}"), text=last.value)
    return Fix(
        Applicability.UNSAFE,
        f"keep the repr of {cls.qualname} until an attribute is assigned",
        edits=(insert_before(own, slot.rstrip(), blank_lines=1), kept) if slot else (kept,),
    )


def _is_open(cls: ClassFacts, ctx: Context) -> bool:
    """Whether a class takes what the fix adds, and all its bases are of this file."""
    outside = [name for name in cls.bases if class_named(name, ctx) is None and name != "object"]
    defined = {item.name for item in cls.node.body if isinstance(item, ast.FunctionDef)}
    if outside or cls.node.keywords or {"__setattr__", "__delattr__", "__getattribute__"} & defined:
        return False
    is_plain = all(
        ctx.qualified_name(item.func if isinstance(item, ast.Call) else item)
        in ("dataclasses.dataclass", "dataclass")
        for item in cls.node.decorator_list
    )
    return is_plain and not {"__slots__", _SLOT} & assigned(cls).keys() and not decorator_says(cls, "slots")


def _goes_around(ctx: Context) -> bool:
    """Whether the file may change attributes without an assignment that a class would see."""
    lines = [line for line in ctx.lines(1, ctx.tree.body[-1].end_lineno or 1) if _SLOT not in line]
    return any(word in line for line in lines for word in ("object.__setattr__", ".__dict__", "vars("))


def _fields(cls: ClassFacts) -> list[ast.AnnAssign]:
    return [
        item
        for item in cls.node.body
        if isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name)
    ]


def _shows_what_stays(node: ast.expr, family: list[ClassFacts], ctx: Context) -> bool:
    """Whether a text is made of constants, names of the class, and attributes that cannot change in place."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.JoinedStr):
        return all(_shows_what_stays(item, family, ctx) for item in node.values)
    if isinstance(node, ast.FormattedValue):
        is_plain = node.format_spec is None or _shows_what_stays(node.format_spec, family, ctx)
        return is_plain and _shows_what_stays(node.value, family, ctx)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return all(_shows_what_stays(item, family, ctx) for item in (node.left, node.right))
    if ctx.text(node) in ("self.__class__.__name__", "self.__class__.__qualname__", "type(self).__name__"):
        return True
    if isinstance(node, ast.Attribute) and ctx.text(node.value) == "self":
        return any(_is_declared(one, node.attr, ctx) for one in family)
    return False


def _is_declared(cls: ClassFacts, name: str, ctx: Context) -> bool:
    """Whether annotations say that an attribute of the class holds what stays as it is."""
    for field in _fields(cls):
        if isinstance(field.target, ast.Name) and field.target.id == name:
            return _stays(field.annotation, ctx)
    values = [
        item.value
        for item in ast.walk(cls.node)
        if isinstance(item, ast.Assign)
        for target in item.targets
        if isinstance(target, ast.Attribute) and target.attr == name and ctx.text(target.value) == "self"
    ]
    init = method(cls, "__init__")
    parameters = {} if init is None else {one.arg: one.annotation for one in all_parameters(init.args)}
    annotations = [parameters.get(value.id) if isinstance(value, ast.Name) else None for value in values]
    return bool(values) and all(one is not None and _stays(one, ctx) for one in annotations)


def _stays(annotation: ast.expr, ctx: Context) -> bool:
    """Whether an annotation says that an object's text stays the same, whatever is done to the object."""
    if isinstance(annotation, ast.Constant):
        if isinstance(annotation.value, str):  # what it says is parsed for its names alone
            try:
                return _stays(ast.parse(annotation.value, mode="eval").body, ctx)
            except SyntaxError:
                return False
        return annotation.value is None or annotation.value is ...
    if isinstance(annotation, ast.BinOp):
        return _stays(annotation.left, ctx) and _stays(annotation.right, ctx)
    if isinstance(annotation, ast.Tuple):
        return all(_stays(item, ctx) for item in annotation.elts)
    if isinstance(annotation, ast.Subscript):
        name = _name(annotation.value, ctx)
        return name in _TAKEN_AS_IS or (name in _OF_THESE and _stays(annotation.slice, ctx))
    name = _name(annotation, ctx)
    known = class_named(name, ctx)
    if known is not None:
        return not _ENUMS.isdisjoint(known.bases)
    return name in _UNCHANGEABLE or name in _TAKEN_AS_IS


def _name(node: ast.expr, ctx: Context) -> str:
    return ctx.qualified_name(node) or (node.id if isinstance(node, ast.Name) else "")
