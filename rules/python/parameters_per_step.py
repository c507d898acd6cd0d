"""OVH607: walks over a module's parameters or submodules in hot code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import replace
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule
from overhead_lint.syntax.receivers import is_own_attribute, is_self

from .._calls import argument_values
from .._conditions import branches
from .._devices import is_to_host
from .._module_level import in_f_string
from .._names import is_loss, own_name
from .._vocabulary import MODELS
from .._walks import OWN_WALKS, WALKS
from .._wording import short
from ._kept_parameters import listed_above

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH607",
    name="parameters-per-step",
    summary="walk over all parameters or submodules on every step",
    triggers=(
        *(b"parameters(", b"modules(", b"buffers(", b"state_dict(", b".train(", b".eval(", b".apply("),
        *(b".to(", b".cuda(", b".cpu(", b"requires_grad_(", b".half(", b".float(", b".bfloat16(", b"get_"),
    ),
    heat=Heat.STEP,
    yields_to=("OVH802",),
    brief=True,
    stable_since="0.2.0",
)

_MODES = frozenset({"train", "eval"})
_NO_MODES = frozenset({Kind.TENSOR, Kind.HOST_TENSOR, Kind.ARRAY, Kind.MODULE})
_RUNNING = (ast.FunctionDef, ast.AsyncFunctionDef)
_MOVES = frozenset({"to", "cuda", "half", "float", "double", "bfloat16", "xpu", "npu"})
_PLACES = frozenset({"device", "dtype", "is_cpu", "is_cuda"})
_BY_NAME = frozenset({"get_buffer", "get_parameter", "get_submodule"})
_WITH_WEIGHT = frozenset(
    f"torch.nn.{name}" for name in ("Linear", "Conv1d", "Conv2d", "Conv3d", "Embedding", "Bilinear")
)


@RULE.on(ast.Call, named=(*WALKS, *_MODES, "state_dict", "apply"))
def check(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """A method of a module that visits all of it, outside compiled code."""
    if not isinstance(node.func, ast.Attribute):
        return
    method, owner = node.func.attr, node.func.value
    if method not in WALKS and method not in _MODES and method not in {"state_dict", "apply"}:
        return
    if method in WALKS and (is_loss(owner) or _is_for_recomputing(node, ctx)):
        return
    if not _is_module(owner, method, ctx) or ctx.is_compiled(node) or _is_shallow(node):
        return
    what, fix = short(node.func, ctx), None
    if method in _MODES:
        if _is_other_train(node, ctx) or _asks_mode_first(node, ctx) or _is_set_back(node, ctx):
            return
        message = f"{what}() sets a flag of every submodule, each time"
        help = "call it where the mode changes, or ask .training first"
    elif method == "apply":
        if len(node.args) != 1 or node.keywords:
            return
        message = f"{what}() calls a function for every submodule, each time"
        help = "keep a list of the submodules that it is for"
    elif method == "state_dict":
        message = f"{what}() makes a dictionary of all parameters and buffers, each time"
        help = "keep what is needed of it: its tensors stay the same"
    elif (first := _first_only(node, ctx)) is not None:
        if method == "parameters":
            yield _first_parameter(node, first, ctx)
            return
        message = f"{short(first, ctx)} starts to walk all submodules on every call, to look at one thing"
        help = "keep what it finds"
    else:
        message = f"{what}() walks all submodules on every call, and builds a set and a name for each"
        help = "make the list once, when the module is complete"
        fix = listed_above(node, ctx) if method == "parameters" else None
    yield ctx.finding(RULE, node, message, help=help, fix=fix)


@RULE.on(ast.Call, named=(*_MOVES, "requires_grad_", *_BY_NAME))
def check_whole(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """``self.fc.to(x.device)``, ``model.requires_grad_(False)`` and ``model.get_submodule(name)``."""
    if not isinstance(node.func, ast.Attribute) or ctx.is_compiled(node):
        return
    method, owner = node.func.attr, node.func.value
    if method not in _MOVES and method not in _BY_NAME and method != "requires_grad_":
        return
    if method in _BY_NAME:
        if not _is_looked_up(node, owner, ctx):
            return
    elif ctx.kind(owner) is not Kind.MODULE or not (_is_own(owner) or _is_of_tensor(node, ctx)):
        return  # others may be moved to and fro on purpose
    what = short(node.func, ctx)
    if method in _BY_NAME:
        message, help = "splits the name and looks its parts up one by one, each time", "keep what it finds"
    elif method == "requires_grad_":
        message, help = "sets a flag of every parameter, each time", "call it where that changes"
    elif _is_moved_back(node, owner, ctx):
        return  # it is not where it is moved to
    else:
        message = "walks all parameters and buffers, each time, to find them where they are"
        help = "move it once, where it is made"
    yield ctx.finding(RULE, node, f"{what}() {message}", help=help)


def _is_looked_up(node: ast.Call, owner: ast.expr, ctx: Context) -> bool:
    """Whether a module looks a part of its own up: other classes have methods of these names, too."""
    if not is_self(owner) or len(node.args) + len(node.keywords) != 1:
        return False
    cls = ctx.cls(owner)
    return cls is not None and cls.is_module


def _is_moved_back(node: ast.Call, owner: ast.expr, ctx: Context) -> bool:
    """Whether the same function moves a module to the host and away from it, to have room for others."""
    function, text, to_host = ctx.function(node), ctx.text(owner), is_to_host(node)
    return any(
        isinstance(other.func, ast.Attribute)
        and is_to_host(other) is not to_host
        and ctx.text(other.func.value) == text
        and ctx.function(other) is function
        for name in ("cpu", "cuda", "to")
        for other in ctx.calls(name)
    )


def _is_own(node: ast.expr) -> bool:
    """Whether a module is an attribute of the object, or one of those that an attribute holds."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return is_own_attribute(node)


def _is_of_tensor(node: ast.Call, ctx: Context) -> bool:
    """Whether a module is moved to where a tensor is."""
    places = [item.value if isinstance(item, ast.Attribute) else item for item in node.args]
    return any(ctx.kind(place) in (Kind.TENSOR, Kind.HOST_TENSOR) for place in places)


def _first_parameter(node: ast.Call, first: ast.Call, ctx: Context) -> Finding:
    assert isinstance(node.func, ast.Attribute)
    known = None if in_f_string(node, ctx) else _known_parameter(node.func.value, ctx)
    template = "{owner}.weight" if known is None else known
    fix = None
    if known is not None and _is_asked_where(first, ctx):
        fix = Fix(
            Applicability.UNSAFE,
            "name a parameter",
            edits=(replace(first, template, owner=node.func.value),),
        )
    return ctx.finding(
        RULE,
        node,
        f"{short(first, ctx)} starts to walk all submodules on every call, to look at one parameter",
        help="name a parameter: " + template.replace("{owner}", ctx.text(node.func.value)),
        fix=fix,
    )


def _is_asked_where(node: ast.expr, ctx: Context) -> bool:
    """Whether a parameter is asked for its place and dtype alone, on which most modules agree."""
    holder, function = ctx.parent(node), ctx.function(node)
    if isinstance(holder, ast.Attribute):
        return holder.attr in _PLACES
    target = (
        holder.targets[0]
        if isinstance(holder, ast.Assign) and len(holder.targets) == 1
        else holder.target
        if isinstance(holder, ast.NamedExpr)
        else None
    )
    if not isinstance(target, ast.Name) or function is None:
        return False
    uses = [use for use in ctx.within(function.node, ast.Name) if use.id == target.id and use is not target]
    around = [ctx.parent(use) for use in uses]
    if isinstance(holder, ast.NamedExpr):
        around.append(ctx.parent(holder))
    return all(isinstance(one, ast.Attribute) and one.attr in _PLACES for one in around)


def _is_module(node: ast.expr, method: str, ctx: Context) -> bool:
    if is_self(node):
        cls = ctx.cls(node)
        return cls is not None and cls.is_module
    kind = ctx.kind(node)
    if kind is not Kind.UNKNOWN:
        return kind is Kind.MODULE
    if isinstance(node, ast.Call) or ctx.qualified_name(node) is not None:
        return False
    last = own_name(node)
    return method in OWN_WALKS or last.lstrip("_") in MODELS or _is_walked(node, ctx)


def _is_walked(node: ast.expr, ctx: Context) -> bool:
    """Whether the file asks for the parameters of what has this name, as only modules are asked."""
    text = ctx.text(node)
    return any(
        isinstance(call.func, ast.Attribute) and not call.args and ctx.text(call.func.value) == text
        for name in ("parameters", "named_parameters")
        for call in ctx.calls(name)
    )


def _is_shallow(node: ast.Call) -> bool:
    """Whether the walk stays in one module: ``recurse=False``."""
    return any(
        keyword.arg == "recurse" and isinstance(keyword.value, ast.Constant) and not keyword.value.value
        for keyword in node.keywords
    )


def _asks_mode_first(node: ast.Call, ctx: Context) -> bool:
    """Whether an ``if`` around the call asks ``.training``."""
    return any(
        isinstance(item, (ast.Attribute, ast.Name)) and "training" in own_name(item)
        for test, _ in branches(node, ctx)
        for item in ast.walk(test)
    )


def _is_other_train(node: ast.Call, ctx: Context) -> bool:
    """Whether a ``train`` is a class's own, which trains: it is given more than a mode, or gives a result."""
    given = argument_values(node)
    if len(given) > 1 or any(ctx.kind(one) in _NO_MODES for one in given):
        return True
    holder = ctx.parent(node)
    if not given or _mode(node) is not None or not isinstance(holder, (ast.Assign, ast.AugAssign)):
        return False
    targets = holder.targets if isinstance(holder, ast.Assign) else [holder.target]
    assert isinstance(node.func, ast.Attribute)
    return ctx.text(node.func.value) not in {ctx.text(target) for target in targets}


def _is_set_back(node: ast.Call, ctx: Context) -> bool:
    """Whether the function, or the same branch, sets the other mode of the module, too, outside of loops.

    Then both do something. A loop of steps that does so may well be told of: steps can share one mode, or
    go without the other.
    """
    around = _always_within(node, ctx)
    if around is None or not isinstance(node.func, ast.Attribute):
        return False
    owner, mode = ctx.text(node.func.value), _mode(node)
    return any(
        isinstance(other.func, ast.Attribute)
        and {mode, _mode(other)} == {True, False}
        and ctx.text(other.func.value) == owner
        and _always_within(other, ctx) is around
        for name in _MODES
        for other in ctx.calls(name)
    )


def _always_within(node: ast.AST, ctx: Context) -> ast.AST | None:
    """The function, or first statement of the branch, that runs a node in any case, once; None in a loop."""
    child, holder = node, ctx.parent(node)
    while isinstance(holder, (ast.Expr, ast.Assign, ast.With, ast.AsyncWith, ast.Try)):
        child, holder = holder, ctx.parent(holder)
    if isinstance(holder, ast.If):
        return next((block[0] for block in (holder.body, holder.orelse) if child in block), None)
    return holder if isinstance(holder, _RUNNING) else None


def _mode(node: ast.Call) -> bool | None:
    """What a call of ``train`` or ``eval`` sets; None if that is not known."""
    if own_name(node.func) == "eval":
        return False
    given = argument_values(node)
    if not given:
        return True
    known = given[0].value if isinstance(given[0], ast.Constant) else None
    return known if isinstance(known, bool) else None


def _is_for_recomputing(node: ast.Call, ctx: Context) -> bool:
    """Whether a walk is for what recomputes a layer with an option that is off, so that nobody takes of it.

    ``checkpoint(self._forward, (x,), self.parameters(), self.use_checkpoint)``
    """
    call = ctx.parent(node)
    if not isinstance(call, ast.Call) or "checkpoint" not in own_name(call.func):
        return False
    flags = [one for one in argument_values(call) if isinstance(one, (ast.Attribute, ast.Name))]
    return any(ctx.by_default(one) is False for one in flags)


def _first_only(node: ast.Call, ctx: Context) -> ast.Call | None:
    """The ``next(...)``, ``next(iter(...))`` or ``.__next__()`` around a walk."""
    parent = ctx.parent(node)
    if isinstance(parent, ast.Attribute) and parent.attr == "__next__":
        call = ctx.parent(parent)
        return call if isinstance(call, ast.Call) and call.func is parent else None
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "iter":
        node, parent = parent, ctx.parent(parent)
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "next":
        return parent if parent.args[:1] == [node] else None
    return None


def _known_parameter(owner: ast.expr, ctx: Context) -> str | None:
    """Template for a parameter that a module of this class is known to have."""
    if isinstance(owner, ast.Attribute):
        made = ctx.value(owner)
        return "{owner}.weight" if _has_weight(made, ctx) else None
    cls = ctx.cls(owner)
    if cls is None or not is_self(owner):
        return None
    for target in ctx.within(cls.node, ast.Attribute):
        if isinstance(target.ctx, ast.Store) and isinstance(target.value, ast.Name):
            made = ctx.value(target) if target.value.id == "self" else None
            if _has_weight(made, ctx):
                return f"{{owner}}.{target.attr}.weight"
            if isinstance(made, ast.Call) and ctx.qualified_name(made.func) == "torch.nn.Parameter":
                return f"{{owner}}.{target.attr}"
    return None


def _has_weight(made: ast.expr | None, ctx: Context) -> bool:
    return isinstance(made, ast.Call) and ctx.qualified_name(made.func) in _WITH_WEIGHT
