"""OVH609: ``any(isinstance(x, c) for c in classes)`` and ``isinstance(x, tuple(classes))`` in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Rule
from overhead_lint.syntax.dotted_names import root_of
from overhead_lint.tuples import NamedTuple

from .._names import is_named
from .._wording import short

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH609",
    name="isinstance-any",
    summary="classes tried one by one on every step",
    triggers=(b"isinstance", b"issubclass"),
    heat=Heat.STEP,
    stable_since="0.2.0",
)


class _Trial(NamedTuple):
    """A loop that tries classes: ``isinstance(value, name) for name in classes``."""

    value: ast.expr
    classes: ast.expr
    negated: bool


@RULE.on(ast.Call, named=("any", "all"))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``any(isinstance(...) for ...)`` and ``all(not isinstance(...) for ...)``, also in lists."""
    if not isinstance(node.func, ast.Name) or node.func.id not in ("any", "all"):
        return
    if ctx.is_bound(node.func.id, node) or ctx.is_bound("isinstance", node):
        return
    trial = _trial(node, ctx)
    if trial is None or trial.negated is (node.func.id == "any"):
        return
    if ctx.is_compiled(node):
        return
    yield ctx.finding(
        RULE,
        node,
        f"{node.func.id}() runs a loop to try the classes one by one",
        help="give isinstance a tuple of the classes: it tries them itself",
        fix=_fix(node, trial, ctx),
    )


@RULE.on(ast.Call, named=("isinstance", "issubclass"))
def check_tuple(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``isinstance(x, tuple(classes))``, which makes the tuple anew from classes that are kept already."""
    if not isinstance(node.func, ast.Name) or node.func.id not in ("isinstance", "issubclass"):
        return
    if len(node.args) != 2 or node.keywords or ctx.is_bound(node.func.id, node) or ctx.is_compiled(node):
        return
    made = node.args[1]
    if (
        not isinstance(made, ast.Call)
        or not isinstance(made.func, ast.Name)
        or made.func.id != "tuple"
        or ctx.is_bound("tuple", node)
        or len(made.args) != 1
        or not _is_shared(made.args[0], ctx)
    ):
        return
    classes = made.args[0]
    yield ctx.finding(
        RULE,
        node,
        f"makes a tuple of {short(classes, ctx)} to try the classes, each time",
        help="keep the classes in a tuple",
        fix=Fix(
            Applicability.SAFE,
            "give isinstance the tuple that is there",
            edits=(replace(made, "{classes}", classes=classes),),
        )
        if _known_tuple(classes, ctx)
        else None,
    )


def _trial(node: ast.Call, ctx: Context) -> _Trial | None:
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], (ast.GeneratorExp, ast.ListComp)):
        return None
    generator = node.args[0]
    if len(generator.generators) != 1:
        return None
    loop = generator.generators[0]
    test, negated = generator.elt, False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, negated = test.operand, True
    if loop.ifs or loop.is_async or not isinstance(loop.target, ast.Name):
        return None
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance"):
        return None
    if len(test.args) != 2 or test.keywords:
        return None
    value, tried = test.args
    name = loop.target.id
    if not is_named(tried, name) or not _is_plain(value, name):
        return None
    return _Trial(value, loop.iter, negated)


def _is_plain(value: ast.expr, name: str) -> bool:
    """Whether it gives the same each time: a name or attributes of one, not of the loop's variable."""
    root = root_of(value)
    return isinstance(root, ast.Name) and root.id != name


def _fix(node: ast.Call, trial: _Trial, ctx: Context) -> Fix | None:
    classes = trial.classes
    if _is_shared(classes, ctx) and not _known_tuple(classes, ctx):
        return None  # it should be a tuple itself
    parts = {"value": trial.value}
    # A generator does not see the names of the class body that it stands in, and a list tries all classes.
    safe = isinstance(trial.value, ast.Name) and isinstance(node.args[0], ast.GeneratorExp)
    safe = safe and not _is_in_class_body(node, ctx)
    if isinstance(classes, (ast.Tuple, ast.List)) and not _has_star(classes):
        names = [f"part{index}" for index in range(len(classes.elts))]
        parts.update(zip(names, classes.elts, strict=True))
        # What is tested is read before them, and read though there are none.
        safe = safe and all(_names_a_class(part, ctx) for part in classes.elts)
        safe = safe and (bool(names) or ctx.is_bound(ctx.text(trial.value), node))
        tuple_of = "".join(f"{{{name}}}, " for name in names)
        template = f"({tuple_of.rstrip() if len(names) == 1 else tuple_of.rstrip(', ')})"
    else:
        parts["classes"] = classes
        known = _known_tuple(classes, ctx)
        safe = safe and known
        template = "{classes}" if known else "tuple({classes})"
    test = f"isinstance({{value}}, {template})"
    return Fix(
        Applicability.SAFE if safe else Applicability.UNSAFE,
        "give isinstance all classes at once",
        edits=(replace(node, f"not {test}" if trial.negated else test, **parts),),
    )


def _names_a_class(part: ast.expr, ctx: Context) -> bool:
    """Whether a part of the classes only looks something up: a name, ``nn.Linear``, ``type(None)``.

    An attribute of an object may be a property, which can do anything, even to what is tested.
    """
    match part:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute():
            return ctx.qualified_name(part) is not None
        case ast.Tuple() | ast.List():
            return all(_names_a_class(item, ctx) for item in part.elts)
        case ast.BinOp(op=ast.BitOr()):
            return _names_a_class(part.left, ctx) and _names_a_class(part.right, ctx)
        case ast.Call(func=ast.Name(id="type"), args=[argument], keywords=[]):
            return not ctx.is_bound("type", part) and _names_a_class(argument, ctx)
        case _:
            return False


def _is_in_class_body(node: ast.expr, ctx: Context) -> bool:
    holder = ctx.parent(ctx.statement(node))
    while isinstance(holder, ast.stmt) and not isinstance(holder, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if isinstance(holder, ast.ClassDef):
            return True
        holder = ctx.parent(holder)
    return False


def _is_shared(classes: ast.expr, ctx: Context) -> bool:
    """Whether it is a name of the module or of another, which could hold a tuple as well."""
    if ctx.qualified_name(classes) is not None:
        return True
    bound = ctx.value(classes) if isinstance(classes, ast.Name) else None
    return bound is not None and ctx.function(bound) is None


def _known_tuple(classes: ast.expr, ctx: Context) -> bool:
    """Whether it is a name of this file that is bound once, to a tuple written out."""
    if not isinstance(classes, ast.Name):
        return False
    bound = ctx.value(classes)
    return isinstance(bound, ast.Tuple)


def _has_star(literal: ast.Tuple | ast.List) -> bool:
    return any(isinstance(item, ast.Starred) for item in literal.elts)
