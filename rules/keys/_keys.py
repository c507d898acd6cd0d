"""Where the text of an object ends up as a key."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters, positional
from overhead_lint.analysis.texts.lookups import LOOKUPS
from overhead_lint.analysis.texts.operations import CACHES, DIGESTS, DUMPS, shows_whole
from overhead_lint.analysis.vocabulary import DISPATCH_METHODS
from overhead_lint.rule import Kind
from overhead_lint.tuples import NamedTuple

from .._by_name import variables_named
from .._calls import argument_values
from .._literals import elements_of, text_of
from .._names import is_named, own_name
from .._once import once
from .._texts import made_text
from .._vocabulary import CONFIGS
from .._wording import short
from ._reprs import is_made_anew, own_str

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context, FormattedElsewhere

TRIGGERS = (
    b"dumps",
    b"dataclass",
    b"__repr__",
    b"cfg",
    b"conf",
    b"hparams",
    b"key",
    b"options",
    b"recipe",
    b"settings",
    b"repr(",
    b"str(",
)
"""What any file has in which `key_uses` finds something."""

_DUMPING = frozenset({"model_dump_json"})
"""Methods of pydantic's models that make a text of all fields."""
_LIBRARIES = frozenset({"", "builtins", "json", "math", "np", "numpy", "os", "pickle", "re", "torch"})
_MEMBERS = frozenset({"add", "discard"})
_JOINING = frozenset({"format", "join"})
_OF_TEXTS = frozenset({"digest", "encode", "hexdigest"})
_PARTS = frozenset({ast.BinOp, ast.FormattedValue, ast.JoinedStr, ast.List, ast.Tuple, ast.keyword})
"""What a text may be a part of, which serves as the same."""


class KeyUse(NamedTuple):
    """An object that is formatted, and the key that its text becomes part of."""

    node: ast.expr
    """What is marked: ``str(x)``, ``repr(x)``, or the f-string."""
    subject: ast.expr | None
    """The object that is formatted; None if a function of another file has it."""
    role: str
    """What its text serves as, for the message."""
    cls: ClassFacts | None
    """Its class, when that is in this file."""
    elsewhere: FormattedElsewhere | None = None
    """What is known of its class, when that is in another file and formats its fields."""
    has_own_str: bool = False
    """Whether the text comes from a ``__str__`` of its class, which no kept ``repr`` helps."""


class _Text(NamedTuple):
    """A text that is made of an object."""

    node: ast.expr
    """What makes it: a call, an f-string."""
    subject: ast.expr
    """The object."""
    by_repr: bool
    """Whether it is the text that ``repr`` gives; else ``str`` does."""


def key_uses(ctx: Context) -> Iterator[KeyUse]:
    """All configs, recipes and dataclasses of the file whose text is a key, hot or not."""
    told: set[ast.expr] = set()
    for use in chain(_made_here(ctx), _made_by_helpers(ctx), _keyed_by_helpers(ctx)):
        if use.elsewhere is None or use.node not in told:
            yield use
        told.add(use.node)


def _made_here(ctx: Context) -> Iterator[KeyUse]:
    """Yield the texts that this file makes, and that are keys in it."""
    for text, role in _texts_for_keys(ctx):
        node, subject, by_repr = text
        if isinstance(node, ast.Call) and _shows_all(node, subject, ctx):
            yield KeyUse(node, subject, role, None)
            continue
        cls = ctx.instance_of(subject)
        elsewhere = _elsewhere(node, subject, ctx) if cls is None and _may_be_config(subject, ctx) else None
        has_own_str = elsewhere is not None and elsewhere.has_own_str
        if cls is not None:
            known = is_made_anew(cls, ctx, by_repr=by_repr)
            has_own_str = not by_repr and own_str(cls, ctx) is not None
        else:
            known = is_named_config(subject) or _is_operator(subject, ctx)
        if known or elsewhere is not None:
            yield KeyUse(node, subject, role, cls, elsewhere, has_own_str)


def _made_by_helpers(ctx: Context) -> Iterator[KeyUse]:
    """Yield the calls and properties whose results are keys that functions of other files make."""
    for node, role in _results_for_keys(ctx):
        yield from (_of_helper(node, one, role, ctx) for one in ctx.formatted_elsewhere(node) if one.is_given)


def _keyed_by_helpers(ctx: Context) -> Iterator[KeyUse]:
    """Yield the texts that are keys in functions of other files, which get these or what they show."""
    for call in ctx.nodes(ast.Call):
        if not (call.args or call.keywords) or not _may_be_helper(call, ctx):
            continue
        for one in ctx.keyed_elsewhere(call):
            if one.parameter and is_config_name(one.parameter):
                continue  # its file tells of it
            node, role = _at(ctx).get((one.start, one.end)), f"a key at {one.key_path}:{one.key_line}"
            if node is not None and one.is_given:
                yield _of_helper(node, one, role, ctx)
            elif node is not None:
                subject = _shown(node)[one.number]
                yield KeyUse(node, subject, role, ctx.instance_of(subject), one, one.has_own_str)


def _of_helper(node: ast.expr, one: FormattedElsewhere, role: str, ctx: Context) -> KeyUse:
    """Return the use of a text that functions of other files make, of an argument or of what they have."""
    given = argument_values(node) if isinstance(node, ast.Call) else []
    subject = given[one.number] if 0 <= one.number < len(given) else None
    cls = ctx.instance_of(subject) if subject is not None else None
    return KeyUse(node, subject, role, cls, one, one.has_own_str)


@once
def _at(ctx: Context) -> Mapping[tuple[tuple[int, int], tuple[int | None, int | None]], ast.expr]:
    """Return what may make texts, by where it begins and ends."""
    nodes = ctx.nodes(ast.JoinedStr, ast.Call, ast.Attribute)
    return {((one.lineno, one.col_offset), (one.end_lineno, one.end_col_offset)): one for one in nodes}


def _shown(text: ast.expr) -> Sequence[ast.expr]:
    """Return what a call or f-string shows."""
    if isinstance(text, ast.JoinedStr):
        return [part.value for part in text.values if isinstance(part, ast.FormattedValue)]
    return argument_values(text) if isinstance(text, ast.Call) else ()


@once
def _texts_for_keys(ctx: Context) -> Sequence[tuple[_Text, str]]:
    """Return the texts that serve as keys, and their roles."""
    return [(text, role) for text in _formatted(ctx) if (role := role_of(text.node, ctx))]


@once
def _results_for_keys(ctx: Context) -> Sequence[tuple[ast.expr, str]]:
    """Return the calls and properties, maybe of other files, that give keys, and their roles."""
    calls = [call for call in ctx.nodes(ast.Call) if _may_be_helper(call, ctx)]
    called = {call.func for call in ctx.nodes(ast.Call)}
    read = [one for one in ctx.nodes(ast.Attribute) if isinstance(one.ctx, ast.Load) and one not in called]
    return [(node, role) for node in (*calls, *read) if (role := role_of(node, ctx))]


def _may_be_helper(call: ast.Call, ctx: Context) -> bool:
    """Whether a call may run a function of another file of the project."""
    name = ctx.qualified_name(call.func)
    if name is None:
        return isinstance(call.func, ast.Attribute)
    return "." in name.lstrip(".") and name.partition(".")[0] not in _LIBRARIES


def _shows_all(node: ast.Call, subject: ast.expr, ctx: Context) -> bool:
    """Whether a call surely makes a text of all that something holds: a dump, a text of a dict."""
    if ctx.qualified_name(node.func) in DUMPS or own_name(node.func) in _DUMPING:
        return True
    held = _held(subject, ctx)
    return held is not None or _is_dict(subject, ctx)


def _held(node: ast.expr, ctx: Context) -> ast.expr | None:
    """Return the object whose fields, or the dict whose items, a text of an expression shows one by one."""
    match node:
        case ast.Call(func=ast.Name(id="sorted" | "list" | "tuple"), args=[inner, *_]):
            return _held(inner, ctx)
        case ast.Call(func=ast.Attribute(attr="items", value=owner), args=[]):
            return _held(owner, ctx) or owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]) | ast.Attribute(attr="__dict__", value=owner):
            return owner
    return None


def _is_dict(node: ast.expr, ctx: Context) -> bool:
    """Whether an expression is a dict that is written out with several items."""
    value = ctx.value(node)
    return isinstance(value, ast.Dict) and len(value.keys) > 0 and not isinstance(node, ast.Dict)


def _may_be_config(subject: ast.expr, ctx: Context) -> bool:
    """Whether something may be an object of a class that the project defines: to know, other files are read.

    An attribute may, what a call of a class or of another file's function gives, and a parameter that a class
    is promised for.
    """
    if ctx.kind(subject) not in (Kind.UNKNOWN, Kind.OBJECT):
        return False
    if isinstance(subject, ast.Attribute) or is_named_config(subject):
        return True
    function = ctx.function(subject)
    value = ctx.value(subject) if isinstance(subject, ast.Name) else subject
    if isinstance(value, ast.Call):
        return own_name(value.func)[:1].isupper() or _may_be_helper(value, ctx)
    if function is None or not isinstance(function.node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    given = function.node.args
    return isinstance(subject, ast.Name) and any(
        arg.arg == subject.id and arg.annotation is not None and own_name(arg.annotation)[:1].isupper()
        for arg in all_parameters(given)
    )


def _elsewhere(node: ast.expr, subject: ast.expr, ctx: Context) -> FormattedElsewhere | None:
    """Return what the project knows of an object whose class is not in this file."""
    number = 0
    if isinstance(node, ast.JoinedStr):
        number = _shown(node).index(subject)
    elif not made_text(node, ctx):
        return None
    found = ctx.formatted_elsewhere(node)
    return next((one for one in found if not one.is_given and one.number == number), None)


def _formatted(ctx: Context) -> Iterator[_Text]:
    """The texts that are made of objects, each with one of these."""
    for text in ctx.nodes(ast.JoinedStr):
        for part in text.values:
            if isinstance(part, ast.FormattedValue) and part.format_spec is None:
                yield _Text(text, part.value, part.conversion == ord("r"))
    for operation in ctx.nodes(ast.BinOp):
        template = text_of(operation.left) if isinstance(operation.op, ast.Mod) else None
        if template is not None and "%(" not in template:
            by_repr = "%r" in template
            yield from (_Text(operation, value, by_repr) for value in elements_of(operation.right))
    for node in ctx.nodes(ast.Call):
        for value in made_text(node, ctx):
            # A container shows what `repr` gives of what it holds.
            by_repr = is_named(node.func, "repr") or elements_of(value) != [value]
            yield from (_Text(node, item, by_repr) for item in elements_of(value))
        template = _whole_template(node)
        if template is not None:
            yield from (_Text(node, value, "!r" in template) for value in argument_values(node))
        if node.args and ctx.qualified_name(node.func) in DUMPS:
            yield _Text(node, node.args[0], by_repr=True)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _DUMPING:
            yield _Text(node, node.func.value, by_repr=True)


def _whole_template(call: ast.Call) -> str | None:
    """The text of ``"{}".format(x)`` whose fields are all of what it is given: not ``"{x.name}"``."""
    text = text_of(call.func.value) if isinstance(call.func, ast.Attribute) else None
    if text is None or own_name(call.func) != "format" or any(item.arg is None for item in call.keywords):
        return None
    return text if shows_whole(text) else None


def is_named_config(node: ast.expr) -> bool:
    """Whether something is called a config: other objects are changed from step to step."""
    return is_config_name(own_name(node))


def is_config_name(name: str) -> bool:
    """Whether a name is one of a config."""
    return name.lower().rpartition("_")[2] in CONFIGS


def _is_operator(node: ast.expr, ctx: Context) -> bool:
    """Whether something is the operator that a method is given for each that runs: it is a key itself."""
    function = ctx.function(node) if isinstance(node, ast.Name) else None
    if function is None or getattr(function.node, "name", "") not in DISPATCH_METHODS:
        return False
    given = positional(function.node.args)
    return len(given) > 1 and own_name(node) == given[1].arg


def role_of(node: ast.AST, ctx: Context, *, steps: int = 3) -> str:
    """What the text serves as: "" when it is no key.

    Args:
        node: the text, or what it became part of.
        ctx: its file.
        steps: how many names and returns to follow.
    """
    while True:
        child, parent = node, ctx.parent(node)
        role = None
        if isinstance(parent, ast.Call):
            role = _role_in_call(child, parent, ctx)
        elif isinstance(parent, ast.Attribute):
            role = None if parent.attr in _OF_TEXTS else ""
        elif isinstance(parent, ast.Assign):
            return _role_of_assigned(child, parent, ctx, steps)
        elif isinstance(parent, ast.NamedExpr):
            return _role_of_named(parent, ctx, steps)
        elif isinstance(parent, ast.Subscript):
            return "a dict key" if parent.slice is child else ""
        elif isinstance(parent, ast.Compare):
            return _compared(child, parent.left, parent.ops, parent.comparators)
        elif isinstance(parent, ast.Return):
            return _role_of_result(parent, ctx, steps - 1) if steps else ""
        elif parent.__class__ not in _PARTS:
            return ""
        if role is not None:
            return role
        assert parent is not None
        node = parent


def _role_in_call(child: ast.AST, call: ast.Call, ctx: Context) -> str | None:
    """What a part of a call serves as: None where it is what the call's result does."""
    func = call.func
    if func is child:
        return None if isinstance(func, ast.Attribute) else ""
    if child in made_text(call, ctx):
        return None  # a text around a text
    first = call.args[0] if call.args else None
    if isinstance(func, ast.Attribute):
        if func.attr in LOOKUPS and first is child:
            return "a dict key"
        if func.attr in _MEMBERS and call.args == [child] and _is_set(func.value, ctx):
            return "a member of a set"
        if func.attr in _JOINING and text_of(func.value) is not None:
            return None
    elif isinstance(func, ast.Name) and func.id == "hash" and call.args == [child]:
        return "a hash"
    if _is_cached_function(func, ctx):
        return f"an argument of {short(func, ctx)}, which has a cache"
    return None if (ctx.qualified_name(func) or "").startswith(DIGESTS) else ""


def _role_of_assigned(child: ast.AST, assign: ast.Assign, ctx: Context, steps: int) -> str:
    """What something serves as that is assigned to a name."""
    match assign:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is child and steps:
            return _role_of_name(name, assign, ctx, steps - 1)
    return ""


def _role_of_named(node: ast.NamedExpr, ctx: Context, steps: int) -> str:
    """What something serves as that is given a name where it is used: ``(key := str(config)) in seen``."""
    role = role_of(node, ctx, steps=steps)
    return role if role or not steps else _role_of_name(node.target.id, node, ctx, steps - 1)


def _is_set(node: ast.expr, ctx: Context) -> bool:
    value = ctx.value(node)
    return isinstance(value, ast.Set) or (isinstance(value, ast.Call) and is_named(value.func, "set"))


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
    """What the result of a function serves as, where this file calls it by its name; a property is read."""
    function = ctx.function(statement)
    if function is None or isinstance(function.node, ast.Lambda):
        return ""
    name = function.node.name
    uses: Iterable[ast.expr] = (
        call for call in ctx.calls(name) if isinstance(call.func, (ast.Name, ast.Attribute))
    )
    if any(is_named(item, "property") for item in function.node.decorator_list):
        uses = (item for item in ctx.nodes(ast.Attribute) if item.attr == name)
    return next((role for use in uses if (role := role_of(use, ctx, steps=steps))), "")


def _role_of_name(name: str, assign: ast.Assign | ast.NamedExpr, ctx: Context, steps: int) -> str:
    function = ctx.function(assign)
    if function is None:
        return ""
    last = function.node.end_lineno or 0
    for use in variables_named(name, ctx):
        is_within = isinstance(use.ctx, ast.Load) and function.node.lineno <= use.lineno <= last
        role = role_of(use, ctx, steps=steps) if is_within else ""
        if role and ctx.value(use) is assign.value:
            return role
    return ""


def _is_cached_function(func: ast.expr, ctx: Context) -> bool:
    name = ctx.qualified_name(func)
    return name is not None and name.startswith(".") and name in _cached_functions(ctx)


@once
def _cached_functions(ctx: Context) -> frozenset[str]:
    """Return the names of the functions of the file that keep what they gave for their arguments."""
    return frozenset(
        f".{facts.qualname}"
        for facts in ctx.functions()
        for decorator in getattr(facts.node, "decorator_list", ())
        if ctx.qualified_name(decorator.func if isinstance(decorator, ast.Call) else decorator) in CACHES
    )
