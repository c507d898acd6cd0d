"""OVH501: the precision flags from before ``fp32_precision``."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import remove_statement, replace_statement
from overhead_lint.rule import Applicability, Fix, Heat, Import, Rule, Tier
from overhead_lint.syntax.grammar import TRIES

from .._blocks import block_of, holders
from .._releases import READS_PRECISION_UNTIL, always_has, is_told_of

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH501",
    name="legacy-tf32-flag",
    summary="TF32 flag from before fp32_precision (torch 2.9)",
    triggers=(b"allow_tf32", b"float32_matmul_precision"),
    heat=Heat.COLD,
    yields_to=("OVH502",),
    tier=Tier.CORRECTNESS,
    stable_since="0.2.0",
)

_NEW_API = (2, 9)
_MATMUL = "torch.backends.cuda.matmul.allow_tf32"
_CUDNN = "torch.backends.cudnn.allow_tf32"
_SETTER = "torch.set_float32_matmul_precision"
_GETTER = "torch.get_float32_matmul_precision"
_READS = {
    _MATMUL: 'torch.backends.cuda.matmul.fp32_precision == "tf32"',
    _CUDNN: 'torch.backends.cudnn.conv.fp32_precision == "tf32"',
    _GETTER: "torch.backends.cuda.matmul.fp32_precision",
}

# These read the flag to put it back.
_READ_CUDNN = frozenset({_CUDNN, "torch.backends.cudnn.flags", "torch.backends.cudnn.set_flags"})

# The flags take nothing but bools, and raise for 1, which is equal to one.
_FLAGS = frozenset({_MATMUL, _CUDNN})

# What torch 2.13 to 2.15 resolve each old value to, leaf by leaf: a parent node would set more than the flag
# did. {owner} is the node that held the flag, {torch} the package.
_LEAVES: dict[tuple[str, object], tuple[str, ...]] = {
    (_MATMUL, True): ('{owner}.fp32_precision = "tf32"',),
    (_MATMUL, False): ('{owner}.fp32_precision = "ieee"',),
    (_CUDNN, True): ('{owner}.conv.fp32_precision = "tf32"', '{owner}.rnn.fp32_precision = "tf32"'),
    (_CUDNN, False): ('{owner}.conv.fp32_precision = "none"', '{owner}.rnn.fp32_precision = "none"'),
    (_SETTER, "highest"): (
        '{torch}.backends.cuda.matmul.fp32_precision = "ieee"',
        '{torch}.backends.mkldnn.matmul.fp32_precision = "ieee"',
    ),
    (_SETTER, "high"): (
        '{torch}.backends.cuda.matmul.fp32_precision = "tf32"',
        '{torch}.backends.mkldnn.matmul.fp32_precision = "tf32"',
    ),
    (_SETTER, "medium"): (
        '{torch}.backends.cuda.matmul.fp32_precision = "tf32"',
        '{torch}.backends.mkldnn.matmul.fp32_precision = "bf16"',
    ),
}


@RULE.on(ast.Attribute)
def check_flag(node: ast.Attribute, ctx: Context) -> Iterator[Finding]:
    """A flag that is set or read."""
    if node.attr != "allow_tf32" or not is_told_of(_NEW_API, ctx):
        return
    name = ctx.qualified_name(node)
    if name not in (_MATMUL, _CUDNN) or _chooses_api(node, ctx) or _compiles(name, ctx):
        return
    if isinstance(node.ctx, ast.Store):
        statement = ctx.statement(node)
        value = statement.value if isinstance(statement, ast.Assign) else None
        constant = value.value if isinstance(value, ast.Constant) else None
        fix = _fix(statement, name, constant, node.value, ctx) if _is_plain(statement) else None
        yield ctx.finding(RULE, node, _set_message(name), help=_set_help(name, constant), fix=fix)
    elif isinstance(node.ctx, ast.Load):
        yield _read(node, name, ctx)


@RULE.on(ast.Call, named=(_SETTER, _GETTER))
def check_call(node: ast.Call, ctx: Context) -> Iterator[Finding]:
    """The getter, and ``set_float32_matmul_precision`` next to the new API: alone it is harmless."""
    name = ctx.qualified_name(node.func)
    if name not in (_SETTER, _GETTER) or not is_told_of(_NEW_API, ctx):
        return
    if _chooses_api(node, ctx) or _compiles(name, ctx):
        return
    if name == _GETTER:
        yield _read(node, name, ctx)
        return
    if not _knows_new_api(ctx.tree, ctx):
        return
    constant = _precision(node)
    statement = ctx.statement(node)
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    fix = _fix(statement, name, constant, owner, ctx) if _is_statement(node, ctx) else None
    yield ctx.finding(RULE, node, _set_message(name), help=_set_help(name, constant), fix=fix)


def _precision(call: ast.Call) -> object:
    return call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None


def _is_statement(call: ast.Call, ctx: Context) -> bool:
    statement = ctx.statement(call)
    return isinstance(statement, ast.Expr) and statement.value is call and not call.keywords


def _has_open_setter(ctx: Context) -> bool:
    """Whether the file calls the setter in a way that stays, with the old API, whatever is fixed."""
    return any(
        ctx.qualified_name(call.func) == _SETTER
        and (_leaves(_SETTER, _precision(call)) is None or not _is_statement(call, ctx))
        for call in ctx.calls(_SETTER.rpartition(".")[2])
    )


def _is_plain(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and len(statement.targets) == 1


def _set_message(name: str) -> str:
    return (
        f"{name.removeprefix('torch.')} is the API from before fp32_precision: "
        "in a process that uses both, reading the old one raises RuntimeError"
    )


def _leaves(name: str, constant: object) -> tuple[str, ...] | None:
    """The settings that are the same; None if nobody knows."""
    if name in _FLAGS and not isinstance(constant, bool):
        return None
    return _LEAVES.get((name, constant))


def _set_help(name: str, constant: object) -> str:
    leaves = _leaves(name, constant)
    if leaves is None:
        return "set fp32_precision of the backend and operator (torch 2.9 and later)"
    owner = name.rpartition(".")[0]
    return "write " + "; ".join(leaf.format(owner=owner, torch="torch") for leaf in leaves)


def _read(node: ast.expr, name: str, ctx: Context) -> Finding:
    return ctx.finding(
        RULE,
        node,
        f"reading {name.removeprefix('torch.')} raises RuntimeError once the process has set fp32_precision",
        help=f"read {_READS[name]} (torch 2.9 and later)",
    )


def _fix(
    statement: ast.stmt, name: str, constant: object, owner: ast.expr | None, ctx: Context
) -> Fix | None:
    """Unsafe: it needs torch 2.9, and other code of the process may still read the old flags."""
    leaves = _leaves(name, constant)
    if leaves is None or _is_read_here(name, ctx) or (name == _MATMUL and _has_open_setter(ctx)):
        return None
    written = _written_above(statement, ctx)
    new = [leaf for leaf in leaves if written.get(_setting(leaf, name)[0]) != _setting(leaf, name)[1]]
    if not new:
        return Fix(
            Applicability.UNSAFE,
            "leave it out: the line above sets the same",
            edits=(remove_statement(statement),),
        )
    template = "\n".join(new)
    imports: tuple[Import, ...] = ()
    if name == _SETTER and owner is None:
        parts: dict[str, ast.expr] = {}
        imports = (Import("torch"),)
    else:
        assert owner is not None
        parts = {"torch" if name == _SETTER else "owner": owner}
    return Fix(
        Applicability.UNSAFE,
        "set fp32_precision of the backend and operator",
        edits=(replace_statement(statement, template, **parts),),
        imports=imports,
    )


def _written_above(statement: ast.stmt, ctx: Context) -> dict[str, str]:
    """Return what the statements right above one in its block leave set, by the new names of the settings."""
    block = block_of(statement, ctx)
    runs = [_settings(other, ctx) for other in reversed(block[: block.index(statement)])]
    found: dict[str, str] = {}
    for settings in itertools.takewhile(bool, runs):
        for setting, value in reversed(settings):
            found.setdefault(setting, value)
    return found


def _settings(statement: ast.stmt, ctx: Context) -> list[tuple[str, str]]:
    """Return the settings that a statement makes and their values, as the new API has them; else none."""
    target = statement.targets[0] if isinstance(statement, ast.Assign) and _is_plain(statement) else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if target is not None and isinstance(statement, ast.Assign):
        name, given = ctx.qualified_name(target) or "", statement.value
        constant = given.value if isinstance(given, ast.Constant) else None
        if name.endswith(".fp32_precision"):
            return [(name, ast.unparse(given))]
        return [_setting(leaf, name) for leaf in _leaves(name, constant) or ()]
    if isinstance(call, ast.Call) and ctx.qualified_name(call.func) == _SETTER and _is_statement(call, ctx):
        return [_setting(leaf, _SETTER) for leaf in _leaves(_SETTER, _precision(call)) or ()]
    return []


def _setting(leaf: str, name: str) -> tuple[str, str]:
    """Return the name of a setting and the text of its value, from a statement of the new API."""
    written = ast.parse(leaf.format(owner=name.rpartition(".")[0], torch="torch")).body[0]
    assert isinstance(written, ast.Assign)
    return ast.unparse(written.targets[0]), ast.unparse(written.value)


def _is_read_here(name: str, ctx: Context) -> bool:
    """Whether this file reads a flag that the rewrite would make unreadable."""
    related = _READ_CUDNN if name == _CUDNN else {_MATMUL, _GETTER}
    names: list[ast.Attribute | ast.Name] = [*ctx.nodes(ast.Attribute), *ctx.nodes(ast.Name)]
    return any(isinstance(node.ctx, ast.Load) and ctx.qualified_name(node) in related for node in names)


def _compiles(name: str, ctx: Context) -> bool:
    """Whether the file has to do with compiled code that needs an old flag.

    The autotuner of Inductor reads the old flags, and raises once new ones were set that they cannot tell:
    there the old ones work. Since torch 2.15 it reads that for convolutions alone.
    """
    if name != _CUDNN and always_has(READS_PRECISION_UNTIL, ctx):
        return False
    return any(ctx.qualified_name(node.func) == "torch.compile" for node in ctx.nodes(ast.Call)) or any(
        "dynamo" in node.attr or "inductor" in node.attr for node in ctx.nodes(ast.Attribute)
    )


def _chooses_api(node: ast.AST, ctx: Context) -> bool:
    """Whether a branch or ``try`` around the place has the new API in another arm."""
    return any(
        isinstance(holder, (ast.If, *TRIES)) and _knows_new_api(holder, ctx)
        for holder, _ in holders(node, ctx)
    )


def _knows_new_api(node: ast.AST, ctx: Context) -> bool:
    return any(item.attr == "fp32_precision" for item in ctx.within(node, ast.Attribute)) or any(
        item.value == "fp32_precision" for item in ctx.within(node, ast.Constant)
    )
