"""What a file compiles: each place that gives something to ``torch.compile``, and what it gives."""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from overhead_lint.tuples import NamedTuple

from .._calls import COMPILERS, call_of, compiled_argument
from .._classes import class_named
from .._once import once
from .._taken import is_declared_outer

if TYPE_CHECKING:
    from overhead_lint.rule import ClassFacts, Context

__all__ = ["Binding", "CompileSite", "compile_sites", "result_of", "site_at"]

_OPTIONS = frozenset({"fullgraph", "dynamic", "backend", "mode", "options", "disable"})

_FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Binding(enum.Enum):
    """Where the compiled form of something goes."""

    DECORATED = "decorated"
    """To the name of the function below the decorator."""
    IN_PLACE = "in place"
    """Nowhere: ``module.compile()`` has the module's own calls run compiled."""
    STORED = "stored"
    """Into an attribute or an item."""
    RETURNED = "returned"
    """To the caller of the function around it."""
    OTHER = "other"
    """To a name, or to what it is an argument of."""


class CompileSite(NamedTuple):
    """A place that compiles something.

    Attributes:
        binding: where the compiled form goes.
        node: the call, or the decorator.
        compiler: how ``torch.compile``, or the method ``compile``, is named there.
        subject: what is compiled: the function below a decorator, else an expression.
        options: the arguments beside it.
        unnamed: how many arguments without a name there are beside it.
    """

    binding: Binding
    node: ast.expr
    compiler: ast.expr
    subject: ast.expr | _FunctionNode
    options: Sequence[ast.keyword]
    unnamed: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether all arguments beside what is compiled are known ones, by name."""
        return not self.unnamed and all(item.arg in _OPTIONS for item in self.options)


@once
def compile_sites(ctx: Context) -> Sequence[CompileSite]:
    """Return the places that compile something, decorators last; not those with ``disable=True``."""
    found = [*_calls(ctx), *_decorators(ctx)]
    return [site for site in found if not any(map(_disables, site.options))]


def site_at(node: ast.expr, ctx: Context) -> CompileSite | None:
    """Return what a call or decorator compiles; None if it compiles nothing."""
    return _by_node(ctx).get(node)


@once
def _by_node(ctx: Context) -> Mapping[ast.expr, CompileSite]:
    return {site.node: site for site in compile_sites(ctx)}


def result_of(call: ast.Call, ctx: Context) -> Binding:
    """Return where the result of a call goes, at once or by a name that it is given first."""
    assigned = ctx.parent(call)
    found = _goes_to(call, ctx)
    if found is not Binding.OTHER or not isinstance(assigned, ast.Assign):
        return found
    function = ctx.function(call)
    for target in assigned.targets:
        assert isinstance(target, ast.Name)
        if function is not None and is_declared_outer(target.id, function.node, ctx):
            return Binding.STORED
        for use in ctx.uses(target):
            found = _goes_to(use, ctx)
            if found is not Binding.OTHER:
                return found
    return Binding.OTHER


def _goes_to(node: ast.expr, ctx: Context) -> Binding:
    """Return where an expression goes at once."""
    match ctx.parent(node):
        case ast.Return():
            return Binding.RETURNED
        case ast.Assign(targets=targets, value=value) if value is node and not all(
            isinstance(target, ast.Name) for target in targets
        ):
            return Binding.STORED
    return Binding.OTHER


def _calls(ctx: Context) -> Iterator[CompileSite]:
    """The calls that compile what they, or their results, are given."""
    for name in sorted(_names(ctx)):
        for call in ctx.calls(name):
            maker = call_of(call, ctx)  # torch.compile(dynamic=True)(net)
            subject, options = compiled_argument(call, ctx), call.keywords
            if subject is not None:
                options = [item for item in options if item.value is not subject]
                unnamed = len(call.args) - (subject in call.args)
                yield CompileSite(result_of(call, ctx), call, call.func, subject, options, unnamed)
            elif ctx.qualified_name(call.func) in COMPILERS:
                if maker is not None and len(maker.args) == 1:
                    yield CompileSite(result_of(maker, ctx), call, call.func, maker.args[0], options)
            elif isinstance(call.func, ast.Attribute) and _is_of_module(call, ctx):
                yield CompileSite(Binding.IN_PLACE, call, call.func, call.func.value, options)


def _names(ctx: Context) -> set[str]:
    """The last names of ``torch.compile`` in the file, also after ``from torch import compile as build``."""
    renamed = {
        alias.asname
        for item in ctx.nodes(ast.ImportFrom)
        for alias in item.names
        if alias.asname and f"{item.module}.{alias.name}" in COMPILERS
    }
    return {"compile", *renamed}


def _is_of_module(call: ast.Call, ctx: Context) -> bool:
    """Whether a call is of the method ``compile`` that a module class of this file has from ``nn.Module``."""
    assert isinstance(call.func, ast.Attribute)
    if call.args or not all(item.arg in _OPTIONS for item in call.keywords):
        return False
    cls = ctx.instance_of(call.func.value)
    return cls is not None and cls.is_module and _inherits_compile(cls, ctx)


def _inherits_compile(cls: ClassFacts, ctx: Context) -> bool:
    """Whether no class of this file among a class and its bases has a method ``compile`` of its own."""
    bases = (class_named(name, ctx) for name in cls.bases)
    return "compile" not in cls.methods and all(
        base is None or base is cls or _inherits_compile(base, ctx) for base in bases
    )


def _decorators(ctx: Context) -> Iterator[CompileSite]:
    """The decorators of functions, with arguments or without, and ``partial(torch.compile, ...)``."""
    for function in ctx.functions():
        node = function.node
        if isinstance(node, ast.Lambda) or not function.compiled:
            continue  # the compiler leaves generators alone, and what is disabled
        for decorator in node.decorator_list:
            compiler, unnamed, options = decorator, 0, list[ast.keyword]()
            if isinstance(decorator, ast.Call):
                compiler, unnamed, options = decorator.func, len(decorator.args), decorator.keywords
                if unnamed and ctx.qualified_name(compiler) == "functools.partial":
                    compiler, unnamed = decorator.args[0], unnamed - 1
            if ctx.qualified_name(compiler) in COMPILERS:
                yield CompileSite(Binding.DECORATED, decorator, compiler, node, options, unnamed)


def _disables(option: ast.keyword) -> bool:
    return option.arg == "disable" and isinstance(option.value, ast.Constant) and option.value.value is True
