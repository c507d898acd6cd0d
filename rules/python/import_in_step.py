"""OVH605: import statements in hot code."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from overhead_lint.edits import insert_after, insert_before, remove_statement
from overhead_lint.rule import Applicability, Declaration, Edit, Fix, Heat, Rule
from overhead_lint.syntax.grammar import is_lazy

from .._calls import call_of
from .._conditions import branches
from .._names import is_named, names_in
from .._once import once
from ._optional_packages import asks_for_package, optional_packages

if TYPE_CHECKING:
    from overhead_lint.rule import Context, Finding, FunctionFacts

RULE = Rule(
    code="OVH605",
    name="import-in-step",
    summary="import statement run on every step",
    triggers=(b" import ", b"\timport "),
    heat=Heat.STEP,
    brief=True,
    preview=True,
)


# Modules of Python that some platforms, builds or versions lack.
_NOT_EVERYWHERE = frozenset(
    """aifc annotationlib asynchat asyncore audioop cgi cgitb chunk compression crypt curses dbm distutils
    ensurepip fcntl grp idlelib imghdr imp lib2to3 mailcap msilib msvcrt nis nntplib nt ossaudiodev pipes
    posix pty pwd readline resource smtpd sndhdr spwd sqlite3 sunau syslog telnetlib termios tkinter tomllib
    tty turtle uu winreg winsound xdrlib""".split()  # noqa: SIM905
)
# Modules that `import torch` loads in all of its versions and builds.
_LOADED_BY_TORCH = frozenset(
    """amp autograd autograd.forward_ad autograd.function autograd.functional autograd.graph autograd.profiler
    backends backends.cuda backends.cudnn cuda cuda.amp cuda.nvtx distributions fft functional futures fx hub
    jit linalg multiprocessing nn nn.functional nn.init nn.modules nn.parallel nn.parameter nn.utils
    nn.utils.parametrizations nn.utils.parametrize nn.utils.rnn optim optim.lr_scheduler optim.optimizer
    optim.swa_utils overrides profiler random sparse special storage testing types utils utils.checkpoint
    utils.data utils.dlpack utils.hooks version""".split()  # noqa: SIM905
)
# What comments say of imports that are put off so that importing the module is quick, or possible at all.
_ON_PURPOSE = re.compile(
    r"\b(lazy|lazily|optional|scoped?|deferred|start-?up|import[- ](time|speed))\b", re.IGNORECASE
)
_ADVICE = "import it at the top of the module; keep the name in __init__ where that would be circular"
_WITH_MORE_MODULES = frozenset({"", "utils"})
"""Those with modules that are loaded when they are asked for, and may not be there."""


@RULE.on(ast.Import, ast.ImportFrom)
def check(node: ast.Import | ast.ImportFrom, ctx: Context) -> Iterator[Finding]:
    """An import in a function, outside compiled code."""
    function = ctx.function(node)
    if function is None or function.compiled or _is_optional(node, ctx) or _warns(node):
        return
    if _may_be_missing(node, ctx):
        return  # microseconds, and at the top of the module it would be an error for whoever lacks it
    if _ON_PURPOSE.search(ctx.comments(node)) or _is_for_what_is_kept(node, function, ctx):
        return
    fix = _fix(node, function, ctx)
    yield ctx.finding(
        RULE,
        node,
        f"`{_statement(node)}` runs on every call",
        help=fix.message if fix else _ADVICE,
        fix=fix,
    )


def _statement(node: ast.Import | ast.ImportFrom) -> str:
    """Return the statement in one line; of several names the first."""
    text = ast.unparse(node)
    if len(node.names) == 1:
        return text
    first = ast.unparse(node.names[0])
    return f"{text[: text.index(first) + len(first)]}, ..."


def _may_be_missing(node: ast.Import | ast.ImportFrom, ctx: Context) -> bool:
    """Whether nothing says that the package is there: it is not required, nor imported by the file anyway.

    What the file itself takes for optional is not, whatever the project declares.
    """
    if not _is_absolute(node):
        return False
    package = _module(node).partition(".")[0]
    if package in optional_packages(ctx):
        return True
    if package in sys.stdlib_module_names or package == "torch":
        return False
    if any(_is_absolute(stmt) and _module(stmt).partition(".")[0] == package for stmt in _top_imports(ctx)):
        return False
    return ctx.declaration(package) is not Declaration.REQUIRED


def _is_optional(node: ast.stmt, ctx: Context) -> bool:
    """Whether the import stands behind a question such as ``is_torch_npu_available()``."""
    return any(
        asks_for_package(call.func, ctx)
        for test, _ in branches(node, ctx)
        for call in ast.walk(test)
        if isinstance(call, ast.Call)
    )


def _warns(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether the import is for a warning alone: of an old name, or of a way that is hardly ever taken."""
    return isinstance(node, ast.Import) and [alias.name for alias in node.names] == ["warnings"]


def _is_for_what_is_kept(node: ast.Import | ast.ImportFrom, function: FunctionFacts, ctx: Context) -> bool:
    """Whether what is imported does nothing but make what ``self`` keeps: ``self.net = Net(config)``."""
    bound = _bound(node)
    uses = [use for use in ctx.within(function.node, ast.Name) if use.id in bound]
    return bool(uses) and all(_makes_what_is_kept(use, ctx) for use in uses)


def _makes_what_is_kept(name: ast.Name, ctx: Context) -> bool:
    call = call_of(name, ctx)
    holder = ctx.parent(call) if call is not None else None
    return isinstance(holder, ast.Assign) and any(
        isinstance(target, ast.Attribute) and is_named(target.value, "self") for target in holder.targets
    )


def _fix(node: ast.Import | ast.ImportFrom, function: FunctionFacts, ctx: Context) -> Fix | None:
    """Move the statement to the top, where nothing speaks for its standing here."""
    names = [alias.asname or alias.name.partition(".")[0] for alias in node.names]
    if ctx.parent(node) is not function.node or not _is_loaded_anyway(node, ctx):
        return None
    if any(name == "*" or hasattr(builtins, name) or _is_rebound(name, function, ctx) for name in names):
        return None
    edits: list[Edit] = [remove_statement(node)]
    if _is_there(node, ctx):
        if _is_bound_otherwise(node, ctx):
            return None
    else:
        place = _place(node, ctx)
        if place is None or any(ctx.is_bound(name, ctx.tree.body[0]) for name in names):
            return None
        if any(name in _of_loops(ctx) for name in names):
            return None  # a loop that hides an import is taken for a mistake
        anchor, gap = place
        code = f"{'lazy ' if is_lazy(anchor) else ''}{ast.unparse(node)}"
        edits.append(
            insert_after(anchor, code) if gap is None else insert_before(anchor, code, blank_lines=gap)
        )
    return Fix(Applicability.UNSAFE, "import it at the top of the module", edits=tuple(edits))


@once
def _of_loops(ctx: Context) -> frozenset[str]:
    """The names that loops of the file give what they go through."""
    targets: list[ast.expr] = [loop.target for loop in ctx.nodes(ast.For)]
    targets += [loop.target for loop in ctx.nodes(ast.AsyncFor)]
    targets += [loop.target for loop in ctx.nodes(ast.comprehension)]
    return frozenset(item.id for one in targets for item in names_in(one))


def _is_loaded_anyway(node: ast.Import | ast.ImportFrom, ctx: Context) -> bool:
    """Whether nothing is optional or circular: Python's own, torch's, or imported at the top already."""
    if isinstance(node, ast.ImportFrom) and node.level:
        return False
    module = _module(node)
    root = module.partition(".")[0]
    if root in sys.stdlib_module_names:
        return root not in _NOT_EVERYWHERE and (len(node.names) == 1 or isinstance(node, ast.ImportFrom))
    if len(node.names) != 1 or ctx.is_bound("__lazy_modules__", ctx.tree.body[0]):
        return False
    # A lazy import of the module loads nothing yet; the very statement does what this one does.
    tops = [stmt for stmt in _top_imports(ctx) if not is_lazy(stmt) or _is_same(stmt, node)]
    if root == "torch" and _is_of_torch(node):
        return any(_is_absolute(stmt) and _module(stmt).partition(".")[0] == "torch" for stmt in tops)
    return any(_brings(stmt, node) for stmt in tops)


def _is_absolute(stmt: ast.Import | ast.ImportFrom) -> bool:
    return isinstance(stmt, ast.Import) or not stmt.level


def _module(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name


def _top_imports(ctx: Context) -> list[ast.Import | ast.ImportFrom]:
    """The import statements of the module itself, those from ``__future__`` left out."""
    return [
        stmt
        for stmt in ctx.tree.body
        if isinstance(stmt, (ast.Import, ast.ImportFrom)) and _module(stmt) != "__future__"
    ]


def _is_of_torch(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether ``import torch`` loads what a statement asks for: not `torch.utils.tensorboard`."""
    module = _module(node).removeprefix("torch").lstrip(".")
    if module and module not in _LOADED_BY_TORCH:
        return False
    name = node.names[0].name
    if isinstance(node, ast.Import) or module not in _WITH_MORE_MODULES:
        return True
    return name[:1].isupper() or f"{module}.{name}".lstrip(".") in _LOADED_BY_TORCH


def _brings(stmt: ast.Import | ast.ImportFrom, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether a statement imports the very module, or the very name of one: others may not be there yet."""
    if isinstance(stmt, ast.ImportFrom):
        same = not stmt.level and stmt.module == _module(node)
        wanted = node.names[0].name if isinstance(node, ast.ImportFrom) else None
        return same and (wanted is None or any(alias.name == wanted for alias in stmt.names))
    return isinstance(node, ast.Import) and any(alias.name == _module(node) for alias in stmt.names)


def _is_there(node: ast.Import | ast.ImportFrom, ctx: Context) -> bool:
    """Whether the module has the very statement at its top."""
    return any(_is_same(stmt, node) for stmt in _top_imports(ctx))


def _is_same(stmt: ast.Import | ast.ImportFrom, node: ast.Import | ast.ImportFrom) -> bool:
    """Whether two statements import the same under the same names, be one of them lazy."""
    return (
        stmt.__class__ is node.__class__
        and getattr(stmt, "level", 0) == getattr(node, "level", 0)
        and getattr(stmt, "module", None) == getattr(node, "module", None)
        and [(one.name, one.asname) for one in stmt.names] == [(one.name, one.asname) for one in node.names]
    )


def _is_bound_otherwise(node: ast.Import | ast.ImportFrom, ctx: Context) -> bool:
    """Whether the module, or a function for it, binds one of the names to something else, or deletes it."""
    wanted = _bound(node)
    if any(name in wanted for item in ctx.nodes(ast.Global) for name in item.names):
        return True
    others: list[ast.AST] = [name for name in ctx.nodes(ast.Name) if not isinstance(name.ctx, ast.Load)]
    others += ctx.nodes(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    if any(
        getattr(item, "id", getattr(item, "name", "")) in wanted and ctx.function(item) is None
        for item in others
    ):
        return True
    imports: list[ast.Import | ast.ImportFrom] = [*ctx.nodes(ast.Import), *ctx.nodes(ast.ImportFrom)]
    imports = [stmt for stmt in imports if ctx.function(stmt) is None]
    return any(wanted.get(name, what) != what for stmt in imports for name, what in _bound(stmt).items())


def _bound(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """The names that an import binds, with what it binds them to."""
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        return {alias.asname or alias.name: f"{module}.{alias.name}" for alias in node.names}
    roots = ((alias.asname, alias.name, alias.name.partition(".")[0]) for alias in node.names)
    return {asname or root: name if asname else root for asname, name, root in roots}


def _is_rebound(name: str, function: FunctionFacts, ctx: Context) -> bool:
    """Whether the function binds a name more than by this import."""
    return (
        any(
            item.id == name and not isinstance(item.ctx, ast.Load)
            for item in ctx.within(function.node, ast.Name)
        )
        or any(item.arg == name for item in ctx.within(function.node, ast.arg))
        or sum(
            (alias.asname or alias.name.partition(".")[0]) == name
            for alias in ctx.within(function.node, ast.alias)
        )
        > 1
    )


def _place(node: ast.Import | ast.ImportFrom, ctx: Context) -> tuple[ast.stmt, int | None] | None:
    """Where the statement is sorted in; None without imports.

    Returns:
        The statement that it goes after, with None, or before, with the empty lines between them.
    """
    tops = [stmt for stmt in _top_imports(ctx) if not (isinstance(stmt, ast.ImportFrom) and stmt.level)]
    root = _module(node).partition(".")[0]
    standard = root in sys.stdlib_module_names

    def belongs(stmt: ast.Import | ast.ImportFrom) -> bool:
        other = _module(stmt).partition(".")[0]
        return other in sys.stdlib_module_names if standard else other == root

    block = [stmt for stmt in tops if belongs(stmt)]
    smaller = [stmt for stmt in block if _key(stmt) <= _key(node)]
    if smaller:
        return smaller[-1], None
    if block:
        return block[0], 0
    return (tops[0], 1) if tops else None


def _key(stmt: ast.Import | ast.ImportFrom) -> tuple[bool, str]:
    return isinstance(stmt, ast.ImportFrom), _module(stmt).lower()
