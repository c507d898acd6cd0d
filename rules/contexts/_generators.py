"""Rewrites context managers that are generators: to the context that they enter, or to a class."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from overhead_lint.edits import remove_decorator, replace, replace_statement
from overhead_lint.grammar import TEMPLATES
from overhead_lint.rule import Applicability, Edit, Fix, Import
from overhead_lint.tuples import NamedTuple

from .._calls import call_of
from .._names import names_in
from ._stock import entered_item

if TYPE_CHECKING:
    from overhead_lint.rule import Context

__all__ = ["rewritten"]

# What a body may hold in a generator and not, or not with the same meaning, in two methods.
_FOREIGN = (
    *(
        ast.Return,
        ast.Await,
        ast.YieldFrom,
        ast.Global,
        ast.Nonlocal,
        ast.Delete,
        ast.NamedExpr,
        ast.JoinedStr,
        *TEMPLATES,
    ),
    *(ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.comprehension),
    *(ast.Import, ast.ImportFrom, ast.ExceptHandler, ast.Match),
)
_GENERATORS = frozenset({"Generator", "Iterator", "Iterable"})
_GUARD = "_entered"
_OF_EXIT = ("exc_type", "exc_value", "traceback")
# Decorators that give back what they are given.
_MARKS = frozenset({"typing.override", "typing_extensions.override"})


class _Parts(NamedTuple):
    """A generator taken apart at its only ``yield``."""

    before: Sequence[ast.stmt]
    value: ast.expr | None
    after: Sequence[ast.stmt]
    always: bool
    """Whether `after` runs when the block raises, too."""


def rewritten(node: ast.FunctionDef, decorator: ast.expr, ctx: Context) -> Fix | None:
    """The unsafe fix of a function decorated with ``contextmanager``; None where it needs a person."""
    body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
    others = [item for item in node.decorator_list if item is not decorator]
    if any(ctx.qualified_name(item) not in _MARKS for item in others):
        return None
    if len(body) == 1 and isinstance(body[0], ast.With):
        return _returned(node, decorator, body[0], ctx)
    parts = _parts(body)
    if others or parts is None or not _is_plain(node, body, ctx):
        return None
    return Fix(
        Applicability.UNSAFE,
        "write it as a class",
        edits=(replace_statement(node, _class(node, parts, ctx)),),
    )


def _returned(node: ast.FunctionDef, decorator: ast.expr, block: ast.With, ctx: Context) -> Fix | None:
    """Return the one context that the generator enters around its ``yield``."""
    item, inner = block.items[0], block.body[0]
    if len(block.items) != 1 or len(block.body) != 1:
        return None
    if not (isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Yield)):
        return None
    given = inner.value.value
    bound = ast.walk(item.optional_vars) if item.optional_vars is not None else ()
    if any(isinstance(part, (ast.Attribute, ast.Subscript)) for part in bound):
        return None  # the binding is seen outside of the generator
    if given is not None and (item.optional_vars is None or ast.dump(given) != _as_read(item.optional_vars)):
        return None
    edits: list[Edit] = [
        remove_decorator(node, decorator),
        replace_statement(block, "return {context}", context=item.context_expr),
    ]
    imports: tuple[Import, ...] = ()
    if node.returns is not None:
        base = node.returns.value if isinstance(node.returns, ast.Subscript) else node.returns
        name = (ctx.qualified_name(base) or "").rpartition(".")[2]
        if name not in _GENERATORS:
            return None
        edits.append(replace(node.returns, "{manager}"))
        imports = (Import("contextlib", "AbstractContextManager", "manager"),)
    return Fix(Applicability.UNSAFE, "return the context", edits=tuple(edits), imports=imports)


def _as_read(target: ast.expr) -> str:
    from copy import deepcopy  # costs start-up

    read = deepcopy(target)
    for item in ast.walk(read):
        if hasattr(item, "ctx"):
            item.ctx = ast.Load()
    return ast.dump(read)


def _parts(body: Sequence[ast.stmt]) -> _Parts | None:
    """The parts of ``...; yield; ...`` and ``...; try: yield finally: ...``."""
    yields = [item for stmt in body for item in ast.walk(stmt) if isinstance(item, ast.Yield)]
    if len(yields) != 1:
        return None
    for index, stmt in enumerate(body):
        if isinstance(stmt, ast.Expr) and stmt.value is yields[0]:
            return _Parts(body[:index], yields[0].value, body[index + 1 :], always=False)
        if isinstance(stmt, ast.Try) and index == len(body) - 1:
            only = stmt.body[0]
            if len(stmt.body) > 1 or stmt.handlers or stmt.orelse:
                return None
            if isinstance(only, ast.Expr) and only.value is yields[0]:
                return _Parts(body[:index], yields[0].value, stmt.finalbody, always=True)
    return None


def _is_plain(node: ast.FunctionDef, body: Sequence[ast.stmt], ctx: Context) -> bool:
    """Whether nothing but ``with`` blocks uses the function, and its body means the same in two methods."""
    arguments = node.args
    if not isinstance(ctx.parent(node), ast.Module) or arguments.vararg or arguments.kwarg:
        return False
    taken = {"self", _GUARD, *_OF_EXIT}
    names = {item.id for stmt in body for item in names_in(stmt)}
    names |= {item.arg for item in ast.walk(arguments) if isinstance(item, ast.arg)}
    text = ctx.text(node)
    if names & taken or any(name.startswith("__") for name in names):
        return False
    if "#" in text or "\t" in text or not text.isascii():  # positions count bytes
        return False
    for stmt in body:
        for item in ast.walk(stmt):
            if isinstance(item, _FOREIGN) or _is_mangled(item):
                return False
            if isinstance(item, ast.Constant) and item.end_lineno != item.lineno:
                return False
    uses = [item for item in ctx.nodes(ast.Name) if item.id == node.name]
    return all(_is_entered(use, ctx) for use in uses)


def _is_mangled(item: ast.AST) -> bool:
    """Whether an attribute or keyword argument has another name in the body of a class."""
    name = (
        item.attr if isinstance(item, ast.Attribute) else item.arg if isinstance(item, ast.keyword) else None
    )
    return name is not None and name.startswith("__") and not name.endswith("__")


def _is_entered(use: ast.Name, ctx: Context) -> bool:
    call = call_of(use, ctx)
    return call is not None and entered_item(call, ctx) is not None


def _class(node: ast.FunctionDef, parts: _Parts, ctx: Context) -> str:
    """The class, as a template."""
    from copy import deepcopy  # costs start-up

    parameters = [item.arg for item in ast.walk(node.args) if isinstance(item, ast.arg)]
    first = [*parts.before, *([ast.Expr(parts.value)] if parts.value is not None else [])]
    stored = _names(first, ast.Store)
    read_after = _names(parts.after, ast.Load)
    read = _names(first, ast.Load) | read_after
    used = [name for name in parameters if name in read | stored]
    kept = [*used, *sorted(name for name in stored & read_after if name not in parameters)]
    signature = deepcopy(node.args)
    (signature.posonlyargs or signature.args).insert(0, ast.arg("self"))
    lines = [f"class {node.name}:"]
    doc = ast.get_docstring(node, clean=False)
    if doc is not None:
        lines += [f"    {_quoted(doc)}", ""]
    slots = ", ".join(f'"{name}"' for name in [*kept, _GUARD])
    lines += [f"    __slots__ = ({slots}{',' if not kept else ''})", ""]
    lines += [f"    def __init__({ast.unparse(signature)}):"]
    lines += [f"        self.{name} = {name}" for name in used]
    lines += [f"        self.{_GUARD} = False", "", "    def __enter__(self):"]
    lines += [f"        if self.{_GUARD}:"]
    lines += [f'            raise RuntimeError("{node.name} is entered while it is active")']
    lines += [f"        self.{_GUARD} = True", *_moved(parts.before, kept, 8, ctx)]
    if parts.value is not None:
        value = "\n            ".join(_on_self(parts.value, kept, ctx))
        lines.append(f"        return ({value})" if "\n" in value else f"        return {value}")
    lines += ["", f"    def __exit__(self, {', '.join(_OF_EXIT)}):", f"        self.{_GUARD} = False"]
    if parts.after and not parts.always:
        lines += ["        if exc_type is None:", *_moved(parts.after, kept, 12, ctx)]
    else:
        lines += _moved(parts.after, kept, 8, ctx)
    return "\n".join(lines).replace("{", "{{").replace("}", "}}")


def _names(body: Sequence[ast.stmt], context: type[ast.expr_context]) -> set[str]:
    """The names that statements read, or those that they bind; `x += 1` does both."""
    items = [item for stmt in body for item in ast.walk(stmt)]
    added = {id(item.target) for item in items if isinstance(item, ast.AugAssign)}
    return {
        item.id
        for item in items
        if isinstance(item, ast.Name) and (isinstance(item.ctx, context) or id(item) in added)
    }


def _quoted(doc: str) -> str:
    """A docstring as it stood, lines below the first included."""
    escaped = doc.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped}"""'


def _moved(body: Sequence[ast.stmt], kept: Sequence[str], indent: int, ctx: Context) -> list[str]:
    """The lines of statements in a method, with the kept names as attributes."""
    return [" " * indent + line for stmt in body for line in _on_self(stmt, kept, ctx)]


def _on_self(node: ast.stmt | ast.expr, kept: Sequence[str], ctx: Context) -> list[str]:
    """The lines of a node, without the indentation of its first."""
    lines = ctx.text(node).splitlines()
    names = [item for item in names_in(node) if item.id in kept]
    for name in sorted(names, key=lambda item: item.col_offset, reverse=True):
        row = name.lineno - node.lineno
        column = name.col_offset - (0 if row else node.col_offset)
        lines[row] = f"{lines[row][:column]}self.{lines[row][column:]}"
    return [line if not row else line[_depth(line, node) :] for row, line in enumerate(lines)]


def _depth(line: str, node: ast.stmt | ast.expr) -> int:
    """How much of a line's indentation is that of the node."""
    return min(node.col_offset, len(line) - len(line.lstrip()))
