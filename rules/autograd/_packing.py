"""The fix of OVH801: arguments of an autograd function, given as one tuple."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_before, pack_parameters, remove_argument, remove_elements, replace
from overhead_lint.rule import Applicability, Fix
from overhead_lint.tuples import NamedTuple

from .._calls import call_of, has_unpacked
from .._classes import method
from .._literals import is_none
from .._taken import bound_names

if TYPE_CHECKING:
    from overhead_lint.edits.model import AnyEdit
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["packing"]

_NAMES = ("options", "packed_options")
_TIED = frozenset({"setup_context", "jvp", "vmap", "vjp", "symbolic"})
"""Methods that take the same arguments, or give one result for each."""


class _Places(NamedTuple):
    """Which arguments of ``apply`` go into the tuple."""

    packed: tuple[int, ...]
    """Their places, from 0, in order."""
    total: int
    """How many arguments there are in all."""

    def moved(self, index: int) -> int | None:
        """The place of an argument afterwards; None for one in the tuple, or that there is not."""
        if index in self.packed or not 0 <= index < self.total:
            return None
        before = sum(place < index for place in self.packed)
        return index - max(before - 1, 0)


def packing(cls: ClassFacts, forward: ast.FunctionDef, plain: Sequence[ast.arg], ctx: Context) -> Fix | None:
    """The fix that gives the arguments as one tuple; None where this file cannot show that all calls change.

    Args:
        cls: the autograd function.
        forward: its method of that name.
        plain: the parameters to pack, in order.
        ctx: the file.
    """
    name = _free_name(ctx)
    if name is None or not _takes_them_by_place(forward, plain) or not _is_own(cls, ctx):
        return None
    parameters = forward.args.args[1:]
    where = _Places(tuple(index for index, item in enumerate(parameters) if item in plain), len(parameters))
    calls = _applied(cls, where, ctx)
    returned = _returned(cls, where, ctx)
    read = _needs_read(cls, where, ctx)
    if not calls or not returned or read is None:
        return None
    edits: list[AnyEdit] = [_signature(forward, plain, name), _unpacked(forward, plain, name)]
    for call in calls:
        edits += _given(call, where)
    edits += [remove_elements(value, where.packed[1:]) for value in returned]
    edits += read
    return Fix(Applicability.UNSAFE, f"give {len(plain)} arguments as one tuple", edits=tuple(edits))


def _free_name(ctx: Context) -> str | None:
    taken = bound_names(ctx)
    return next((name for name in _NAMES if name not in taken), None)


def _takes_them_by_place(forward: ast.FunctionDef, plain: Sequence[ast.arg]) -> bool:
    """Whether ``forward`` has nothing but plain parameters, and none with a default before the tuple."""
    given = forward.args
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg:
        return False
    optional = given.args[len(given.args) - len(given.defaults) :]
    before = given.args[: given.args.index(plain[0])]
    return not any(item in optional for item in before)


def _is_own(cls: ClassFacts, ctx: Context) -> bool:
    """Whether no other file is meant to use the class, and its other methods do not know its arguments."""
    if "." in cls.qualname or cls.node.decorator_list or _TIED.intersection(cls.methods):
        return False
    word = re.compile(rf"\b{re.escape(cls.qualname)}\b")
    for node in ctx.nodes(ast.Constant):
        if isinstance(node.value, str) and word.search(node.value) and not _is_told(node, ctx):
            return False
    return cls.qualname.startswith("_") or any(name in ("__all__", "__name__") for name in _top_names(ctx))


def _is_told(node: ast.Constant, ctx: Context) -> bool:
    """Whether a text is a docstring, or stands in what an error says."""
    return isinstance(ctx.parent(node), ast.Expr) or isinstance(ctx.statement(node), (ast.Raise, ast.Assert))


def _top_names(ctx: Context) -> Iterator[str]:
    """``__all__`` that is set, and ``__name__`` that is compared, at the top of the file."""
    for statement in ctx.tree.body:
        if isinstance(statement, ast.Assign):
            yield from (target.id for target in statement.targets if isinstance(target, ast.Name))
        elif isinstance(statement, ast.If):
            test = statement.test
            if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name):
                yield test.left.id


def _applied(cls: ClassFacts, where: _Places, ctx: Context) -> list[ast.Call]:
    """All that the file does with the class: calls of ``apply`` with every argument; else nothing."""
    calls = []
    for use in ctx.nodes(ast.Name):
        if use.id != cls.qualname:
            continue
        attribute = ctx.parent(use)
        if not isinstance(attribute, ast.Attribute) or attribute.attr != "apply":
            return []
        call = call_of(attribute, ctx)
        if call is None or has_unpacked(call) or call.keywords or len(call.args) != where.total:
            return []
        calls.append(call)
    return calls


def _returned(cls: ClassFacts, where: _Places, ctx: Context) -> list[ast.Tuple]:
    """What ``backward`` returns, if that is a gradient for each argument, and None for those to be packed."""
    backward = method(cls, "backward")
    found = []
    for statement in ctx.returns(backward) if backward is not None else ():
        value = statement.value
        if not isinstance(value, ast.Tuple) or len(value.elts) != where.total:
            return []
        if any(isinstance(item, ast.Starred) for item in value.elts):
            return []
        if not all(is_none(value.elts[index]) for index in where.packed):
            return []
        found.append(value)
    return found


def _needs_read(cls: ClassFacts, where: _Places, ctx: Context) -> list[AnyEdit] | None:
    """New places in ``ctx.needs_input_grad[3]``; None where it is not asked for one argument, or for any."""
    edits: list[AnyEdit] = []
    for node in ctx.within(cls.node, ast.Attribute):
        if node.attr != "needs_input_grad":
            continue
        parent = ctx.parent(node)
        if isinstance(parent, ast.Call) and ctx.text(parent.func) == "any" and not ctx.is_bound("any", node):
            continue
        index = parent.slice if isinstance(parent, ast.Subscript) else None
        if not isinstance(index, ast.Constant) or type(index.value) is not int:
            return None
        moved = where.moved(index.value)
        if moved is None:
            return None
        if moved != index.value:
            edits.append(replace(index, str(moved)))
    return edits


def _signature(forward: ast.FunctionDef, plain: Sequence[ast.arg], name: str) -> AnyEdit:
    names = [item.arg for item in plain]
    annotations = {f"a{index}": item.annotation for index, item in enumerate(plain) if item.annotation}
    if len(annotations) < len(plain):
        return pack_parameters(forward, names, name)
    template = f"tuple[{', '.join(f'{{{key}}}' for key in annotations)}]"
    return pack_parameters(forward, names, name, annotation=template, **annotations)


def _unpacked(forward: ast.FunctionDef, plain: Iterable[ast.arg], name: str) -> AnyEdit:
    """``a, b, c = options``, as the first statement but for a docstring."""
    told = ast.get_docstring(forward, clean=False) is not None and len(forward.body) > 1
    return insert_before(forward.body[told], f"{', '.join(item.arg for item in plain)} = {name}")


def _given(call: ast.Call, where: _Places) -> list[AnyEdit]:
    """The tuple where the first of its parts stood."""
    first, *others = where.packed
    parts = {f"a{index}": call.args[index] for index in where.packed}
    template = f"({', '.join(f'{{{key}}}' for key in parts)})"
    return [
        replace(call.args[first], template, **parts),
        *(remove_argument(call, index) for index in reversed(others)),
    ]
