"""OVH205: functions that keep tensors in a cache whose key knows neither device nor inference mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.analysis.parameters import all_parameters
from overhead_lint.edits import remove_decorator, replace, runtime_import
from overhead_lint.rule import Applicability, Fix, Heat, Kind, Rule

from .._literals import tuple_template
from .._names import own_name

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding

RULE = Rule(
    code="OVH205",
    name="cached-tensor-function",
    summary="tensors kept by a cache that does not tell where and how they were made",
    triggers=(b"lru_cache", b"cache"),
    heat=Heat.COLD,
    stable_since="0.2.0",
)

_CACHES = frozenset({"functools.lru_cache", "functools.cache"})
_OF_CACHES = ("cache_clear", "cache_info", "cache_parameters", "__wrapped__")
_TENSORS = (Kind.TENSOR, Kind.HOST_TENSOR)


@RULE.on(ast.FunctionDef)
def check(node: ast.FunctionDef, ctx: Context) -> Iterator[Finding]:
    """``@lru_cache`` on a function that returns a tensor."""
    decorator = next((item for item in node.decorator_list if _is_cache(item, ctx)), None)
    if decorator is None:
        return
    returned = [value for value in _returned(node, ctx) if _is_tensor(value, ctx)]
    if not returned or _leaves_inference_mode(node, ctx) or _reads_data(node, ctx):
        return
    arguments = node.args
    names = [argument.arg for argument in all_parameters(arguments)]
    method = names[:1] == ["self"]
    keyed = any(name == "device" or name.endswith("_device") for name in names)
    if keyed or _stays_on_host(returned, ctx):
        problem = "a call in inference mode leaves a tensor that autograd refuses later"
    else:
        problem = "all callers get the tensor of the first one, on its device, and perhaps in inference mode"
    kept = "; the cache also keeps every self alive" if method else ""
    yield ctx.finding(
        RULE,
        decorator,
        f"{node.name} keeps tensors by its arguments alone: {problem}{kept}",
        help=(
            "keep it in a buffer of the module"
            if method
            else "return runtime.const_tensor(...).clone(), or make the device and the mode arguments"
        ),
        fix=_fix(node, decorator, ctx),
    )


def _is_cache(decorator: ast.expr, ctx: Context) -> bool:
    return ctx.qualified_name(decorator.func if isinstance(decorator, ast.Call) else decorator) in _CACHES


def _returned(node: ast.FunctionDef, ctx: Context) -> Iterator[ast.expr]:
    """What a function returns, the parts of tuples one by one."""
    for statement in ctx.returns(node):
        if isinstance(statement.value, (ast.Tuple, ast.List)):
            yield from statement.value.elts
        elif statement.value is not None:
            yield statement.value


def _is_tensor(value: ast.expr, ctx: Context) -> bool:
    return ctx.kind(value) in _TENSORS


def _stays_on_host(values: list[ast.expr], ctx: Context) -> bool:
    """Whether all of them lie in CPU memory whoever calls."""
    return all(ctx.kind(value) is Kind.HOST_TENSOR for value in values)


def _leaves_inference_mode(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a function turns inference mode off, or looks whether it is on."""
    return any(
        attribute.attr in ("inference_mode", "is_inference_mode_enabled")
        for attribute in ctx.within(node, ast.Attribute)
    )


def _reads_data(node: ast.FunctionDef, ctx: Context) -> bool:
    """Whether a function is of a data set, or opens a file: it is kept for the time that this takes."""
    cls = ctx.cls(node.body[0])
    if cls is not None and any(base.endswith("Dataset") for base in cls.bases):
        return True
    return any(own_name(call.func) == "open" for call in ctx.within(node, ast.Call))


def _fix(node: ast.FunctionDef, decorator: ast.expr, ctx: Context) -> Fix | None:
    """``runtime.const_tensor`` for a function that does nothing but ``return torch.tensor(...)``."""
    body = node.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not isinstance(body[0].value, ast.Call):
        return None
    made = body[0].value
    if ctx.qualified_name(made.func) != "torch.tensor" or len(made.args) != 1 or len(node.decorator_list) > 1:
        return None
    if any(keyword.arg not in ("dtype", "device") for keyword in made.keywords) or _uses_cache(ctx):
        return None
    # A copy for each caller: what one writes to it must not reach others, nor who has an equal constant.
    value, parts = tuple_template(made.args[0]) or ("{value}", {"value": made.args[0]})
    arguments = [value]
    for item in made.keywords:
        arguments.append(f"{item.arg}={{{item.arg}}}")
        parts[str(item.arg)] = item.value
    return Fix(
        Applicability.UNSAFE,
        "let runtime.const_tensor keep the tensor, and return copies",
        edits=(
            remove_decorator(node, decorator),
            replace(made, f"{{runtime}}.const_tensor({', '.join(arguments)}).clone()", **parts),
        ),
        imports=(runtime_import(ctx.runtime_module),),
    )


def _uses_cache(ctx: Context) -> bool:
    """Whether the file asks the cache itself: ``table.cache_clear()``, ``getattr(table, "cache_info")``."""
    return any(
        item.attr.startswith(_OF_CACHES) and isinstance(item.value, (ast.Name, ast.Attribute))
        for item in ctx.nodes(ast.Attribute)
    ) or any(
        isinstance(item.value, str) and item.value.startswith(_OF_CACHES) for item in ctx.nodes(ast.Constant)
    )
